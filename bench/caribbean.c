/* Caribbean Stud by brute force, for a sample: five cards and the dealer's up-card are drawn, and all 163,185 sets of his
   other four are dealt. Arguments: how many rows, how many of them are printed, the seed. Prints the seconds and the
   processor seconds, then row by row the player's cards, the up-card, and what a raise wins in all, in antes. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "strength.h"

enum { LEFT = CARDS - 6, QUALIFIES = 0x1807 }; /* ace and king, with the lowest there is: four, three, deuce */

static uint64_t state;

static uint64_t word(void) { /* splitmix64 */
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

struct hand { struct ranks ranks; uint32_t suits; }; /* and which suits there are */

static inline struct hand with(struct hand of, int card) {
    add_rank(&of.ranks, card >> 2);
    of.suits |= 1u << (card & 3);
    return of;
}

static inline int strength(const struct hand *of) {
    return of->suits & (of->suits - 1) ? by_ranks(&of->ranks) : flushes[of->ranks.one];
}

/* what a raise of one ante pays; the player raises two */
static int pays(int value) {
    if (value == ROYAL) return 100;
    static const int each[] = {1, 1, 2, 3, 4, 5, 7, 20, 50};
    return each[value >> 12];
}

static int64_t raise_wins(const int deck[CARDS]) {
    struct hand own = {{0}, 0}, none = {{0}, 0}, up = with(none, deck[5]);
    for (int i = 0; i < 5; i++) own = with(own, deck[i]);
    const int *left = deck + 6, mine = strength(&own), least = strength_of(HIGH_CARD, place[QUALIFIES]);
    int64_t unqualified = 0, won = 0, lost = 0;
    for (int a = 0; a < LEFT; a++) {
        struct hand two = with(up, left[a]);
        for (int b = a + 1; b < LEFT; b++) {
            struct hand three = with(two, left[b]);
            for (int c = b + 1; c < LEFT; c++) {
                struct hand four = with(three, left[c]);
                for (int d = c + 1; d < LEFT; d++) {
                    struct hand five = with(four, left[d]);
                    int his = strength(&five);
                    unqualified += his < least;
                    won += his >= least && his < mine;
                    lost += his >= least && his > mine;
                }
            }
        }
    }
    return unqualified + won * (1 + 2 * pays(mine)) - 3 * lost;
}

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : 1000, shown = argc > 2 ? atoi(argv[2]) : 10;
    state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    int(*decks)[CARDS] = malloc(rows * sizeof *decks);
    int64_t *wins = malloc(rows * sizeof *wins);
    make_strengths();
    for (int i = 0; i < rows; i++) {
        for (int card = 0; card < CARDS; card++) decks[i][card] = card;
        for (int k = 0; k < 6; k++) {
            int other = k + (int)(word() % (uint64_t)(CARDS - k)), card = decks[i][k];
            decks[i][k] = decks[i][other], decks[i][other] = card;
        }
    }
    struct timespec begin, end;
    clock_t used = clock();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < rows; i++) wins[i] = raise_wins(decks[i]);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.6f %.6f\n", (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) * 1e-9,
           (double)(clock() - used) / CLOCKS_PER_SEC);
    for (int i = 0; i < shown && i < rows; i++) {
        for (int k = 0; k < 6; k++) printf("%d ", decks[i][k]);
        printf("%lld\n", (long long)wins[i]);
    }
    return 0;
}
