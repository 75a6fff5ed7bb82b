/* Flop Poker Bonus, pay table A, by brute force: every own hand (22,100) against every flop (18,424), the best of the
   three pairs of flop cards; bet or fold, whichever is better. Per own hand the 1,176 pairs are ranked once.
   Prints the seconds and the player's total in units x ways (of 407,170,400). */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* row: 0 nothing, 1 jacks or better, 2 two pair, 3 three, 4 straight, 5 flush, 6 full house, 7 four, 8 s. flush, 9 royal */
static const int pays[10] = {-1, 1, 2, 4, 10, 20, 30, 100, 500, 1000};

static int row(const int c[5]) {
    uint32_t s[4] = {0};
    for (int i = 0; i < 5; i++) s[c[i] & 3] |= 1u << (c[i] >> 2);
    uint32_t any = s[0] | s[1] | s[2] | s[3], m = (any << 1) | (any >> 12 & 1);
    int straight = (m & m >> 1 & m >> 2 & m >> 3 & m >> 4) != 0;
    int flush = s[0] == any || s[1] == any || s[2] == any || s[3] == any;
    if (flush && __builtin_popcount(any) == 5) return straight ? (any == 0x1F00 ? 9 : 8) : 5;
    uint32_t a = s[0] & s[1], b = s[2] & s[3], x = s[0] | s[1], y = s[2] | s[3];
    uint32_t two = a | b | (x & y), three = (a & y) | (b & x);
    if (a & b) return 7;
    if (three) return __builtin_popcount(two) == 2 ? 6 : 3;
    if (straight) return 4;
    if (__builtin_popcount(two) == 2) return 2;
    return two >= 1u << 9;
}

int main(void) {
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    long long total = 0;
    static uint8_t of[49][49];
    for (int a = 0; a < 50; a++) for (int b = a + 1; b < 51; b++) for (int c = b + 1; c < 52; c++) {
        int left[49], n = 0;
        for (int x = 0; x < 52; x++) if (x != a && x != b && x != c) left[n++] = x;
        for (int i = 0; i < 49; i++) for (int j = i + 1; j < 49; j++) {
            int five[5] = {a, b, c, left[i], left[j]};
            of[i][j] = (uint8_t)row(five);
        }
        long long bet = 0;
        for (int i = 0; i < 47; i++) for (int j = i + 1; j < 48; j++) for (int k = j + 1; k < 49; k++) {
            uint8_t best = of[i][j];
            best = of[i][k] > best ? of[i][k] : best;
            best = of[j][k] > best ? of[j][k] : best;
            bet += best ? 1 + pays[best] : -2;
        }
        total += bet > -18424 ? bet : -18424;
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    printf("%.6f %lld\n", (t1.tv_sec - t0.tv_sec) + (t1.tv_nsec - t0.tv_nsec) * 1e-9, total);
    return 0;
}
