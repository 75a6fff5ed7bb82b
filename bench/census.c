/* All 133,784,560 seven-card hands by category, one by one: suit masks and bit tricks, no tables.
   Prints the seconds and the count of each category. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static inline int straight(uint32_t m) {
    m = (m << 1) | (m >> 12 & 1); /* the ace also below the deuce */
    return (m & m >> 1 & m >> 2 & m >> 3 & m >> 4) != 0;
}

static inline int category(const uint32_t s[4]) {
    uint32_t any = s[0] | s[1] | s[2] | s[3];
    for (int i = 0; i < 4; i++)
        if (__builtin_popcount(s[i]) >= 5) return straight(s[i]) ? 8 : 5;
    uint32_t a = s[0] & s[1], b = s[2] & s[3], c = s[0] | s[1], d = s[2] | s[3];
    uint32_t two = a | b | (c & d), three = (a & d) | (b & c);
    if (a & b) return 7;
    int pairs = __builtin_popcount(two);
    if (three && pairs >= 2) return 6;
    if (straight(any)) return 4;
    if (three) return 3;
    return pairs >= 2 ? 2 : pairs;
}

int main(void) {
    struct timespec t0, t1;
    uint64_t n[9] = {0};
    uint32_t s[4] = {0};
    clock_gettime(CLOCK_MONOTONIC, &t0);
#define CARD(c, from, to) for (int c = from; c < to; c++) { s[c & 3] ^= 1u << (c >> 2);
#define BACK(c) s[c & 3] ^= 1u << (c >> 2); }
    CARD(a, 0, 46) CARD(b, a + 1, 47) CARD(c, b + 1, 48) CARD(d, c + 1, 49)
    CARD(e, d + 1, 50) CARD(f, e + 1, 51) CARD(g, f + 1, 52)
    n[category(s)]++;
    BACK(g) BACK(f) BACK(e) BACK(d) BACK(c) BACK(b) BACK(a)
    clock_gettime(CLOCK_MONOTONIC, &t1);
    printf("%.6f", (t1.tv_sec - t0.tv_sec) + (t1.tv_nsec - t0.tv_nsec) * 1e-9);
    for (int i = 0; i < 9; i++) printf(" %llu", (unsigned long long)n[i]);
    printf("\n");
    return 0;
}
