/* Pack's Poker, three packs: sixteen cards, six seven-card hands, three Pack bets and three Ante Bonuses a round,
   counted as one joint cell. Ranks hands by the same tables as pitboss, read from a file, so that the race is about the
   loop and not about the evaluator. Arguments: rounds, seed, file. Prints seconds, rounds, mean of a Pack bet, its error. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned __int128 u128;
static uint64_t keys[52], masks[52], s[4];
static uint32_t displacement[8192];
static uint16_t strength[131072 + 8192];
static uint8_t royals[8192];
static const uint16_t floors[7] = {0x4000, 0x5000, 0x6000, 0x7000, 0x8000, 0x9000, 0x9009};
static uint64_t cells[29791]; /* (3 results x 10 rows + 1) cubed is more than enough */

static inline uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }
static inline uint64_t word(void) {
    uint64_t out = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return out;
}

/* cards first .. first + count - 1 of the deck, from one random word, redrawn until uniform */
static inline void deal(uint8_t *deck, int first, int count) {
    uint64_t product = 1, rest;
    int pick[7];
    for (int i = 0; i < count; i++) product *= 52 - first - i;
    do {
        rest = word();
        for (int i = 0; i < count; i++) {
            u128 full = (u128)rest * (52 - first - i);
            pick[i] = (int)(full >> 64) + first + i;
            rest = (uint64_t)full;
        }
    } while (__builtin_expect(rest < product, 0) && rest < -product % product);
    for (int i = 0; i < count; i++) {
        uint8_t card = deck[pick[i]];
        deck[pick[i]] = deck[first + i];
        deck[first + i] = card;
    }
}

static inline int rank(uint64_t key, uint64_t mask, uint32_t *suited) {
    uint64_t flush = key & 0x8888ULL << 48;
    uint32_t low = (uint32_t)key;
    uint32_t at = ((low >> 15) + displacement[low & 8191]) & 131071;
    *suited = 0;
    if (__builtin_expect(flush != 0, 0)) {
        *suited = (uint32_t)(mask >> ((__builtin_ctzll(flush) - 51) / 4 * 16)) & 0x1FFF;
        at = 131072 + *suited;
    }
    return strength[at];
}

int main(int argc, char **argv) {
    uint64_t rounds = (uint64_t)atof(argv[1]);
    FILE *f = argc > 3 ? fopen(argv[3], "rb") : NULL;
    if (!f || fread(keys, 8, 52, f) != 52 || fread(masks, 8, 52, f) != 52 || fread(displacement, 4, 8192, f) != 8192 ||
        fread(strength, 2, 139264, f) != 139264 || fread(royals, 1, 8192, f) != 8192) return 1;
    uint64_t z = strtoull(argv[2], NULL, 10);
    for (int i = 0; i < 4; i++) {
        uint64_t y = z += 0x9e3779b97f4a7c15ULL;
        y = (y ^ y >> 30) * 0xbf58476d1ce4e5b9ULL;
        y = (y ^ y >> 27) * 0x94d049bb133111ebULL;
        s[i] = y ^ y >> 31;
    }
    uint8_t deck[52];
    for (int i = 0; i < 52; i++) deck[i] = (uint8_t)i;
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (uint64_t r = 0; r < rounds; r++) {
        deal(deck, 0, 6);
        deal(deck, 6, 6);
        deal(deck, 12, 4);
        uint64_t mine = 0x3333ULL << 48, his = mine, my_mask = 0, his_mask = 0;
        for (int i = 0; i < 5; i++) {
            mine += keys[deck[i]]; my_mask |= masks[deck[i]];
            his += keys[deck[5 + i]]; his_mask |= masks[deck[5 + i]];
        }
        uint64_t cell = 0;
        for (int p = 0; p < 3; p++) {
            int x = deck[10 + 2 * p], y = deck[11 + 2 * p];
            uint64_t k = keys[x] + keys[y], m = masks[x] | masks[y];
            uint32_t suited, other;
            int a = rank(mine + k, my_mask | m, &suited), b = rank(his + k, his_mask | m, &other);
            int result = 1 + (a > b) - (a < b);
            if (result == 2 && a < 0x2000) result = 1;
            int row = 0;
            for (int i = 0; i < 7; i++) row += a >= floors[i];
            int run = royals[suited];
            row = run == 7 ? 9 : run == 6 ? 8 : row;
            cell = cell * 30 + result * 10 + row;
        }
        cells[cell]++;
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double n = 0, sum = 0, squares = 0;
    for (int c = 0; c < 27000; c++) {
        int result = c / 900 / 10 - 1;
        n += cells[c]; sum += (double)cells[c] * result; squares += (double)cells[c] * result * result;
    }
    double mean = sum / n;
    printf("%.6f %.0f %.9f %.9f\n", (t1.tv_sec - t0.tv_sec) + (t1.tv_nsec - t0.tv_nsec) * 1e-9, n, mean,
           sqrt((squares / n - mean * mean) / n));
    return 0;
}
