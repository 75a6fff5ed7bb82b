/* Bluff by hand: the yardstick for the loop that pitboss makes from src/pitboss/games/bluff.py.
 *
 * Six decks, every round from a full shoe, ties after a fold go to the one who did not fold. One round deals two cards,
 * looks the player's move up, settles ante and raise or call, Suit & Tie and the progressive, and counts how all of
 * them came out together. Money is worked out after the clock has stopped.
 *
 *     bluff ROUNDS [SEED]    prints: seconds, rounds counted, mean result of ante and raise or call, standard error
 */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CARDS = 312 };
enum rank { TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE }; /* a card is rank * 4 + suit; an ace has rank 12 */
enum result { LOSE, PUSH, WIN, RESULTS };
enum move { CHECK = LOSE, CALL, RAISE = WIN }; /* numbered by what they get when someone folds */
enum end { CHECKED, FOLDED, CALL_CHECKED, CALL_RAISED, RAISE_CALLED, RAISE_FOLDED, ENDS }; /* 2 * move + dealer acts */
enum side { SIDE_MATCH, SIDE_TIE, SIDE_SUIT, SIDE_LOSE, SIDES }; /* 2 * ranks differ + suits differ */
enum progressive { JACKPOT, MATCH, NO_MATCH, PROGRESSIVES };
enum { STREAKS = 2, CELLS = ENDS * RESULTS * SIDES * PROGRESSIVES * STREAKS };

struct random { uint64_t s[4]; };

static inline uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }

static inline uint64_t word(struct random *r) /* xoshiro256** */
{
    uint64_t *s = r->s, out = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return out;
}

static struct random seeded(uint64_t seed) /* splitmix64 */
{
    struct random r;
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        r.s[i] = z ^ z >> 31;
    }
    return r;
}

/* One number below each bound, both from one word; a word that would make them uneven is thrown away. */
static inline void draw_two(struct random *r, uint64_t bound1, uint64_t bound2, uint64_t *pick1, uint64_t *pick2)
{
    uint64_t product = bound1 * bound2, uneven = -product % product, rest;
    do {
        unsigned __int128 full = (unsigned __int128)word(r) * bound1;
        *pick1 = full >> 64;
        full = (unsigned __int128)(uint64_t)full * bound2;
        *pick2 = full >> 64;
        rest = (uint64_t)full;
    } while (rest < uneven);
}

static void play(uint64_t rounds, struct random random, uint8_t *restrict shoe, const uint8_t *restrict strategy,
                 uint64_t *restrict counts)
{
    unsigned streak = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t j, k;
        draw_two(&random, CARDS, CARDS - 1, &j, &k);
        unsigned mine = shoe[j];
        shoe[j] = shoe[0];
        shoe[0] = mine;
        unsigned his = shoe[1 + k]; /* the last card of the round may stay where it is */

        /* Cards are random, so a jump that depends on them is guessed wrong as often as not: arithmetic instead. */
        unsigned my_rank = mine >> 2, his_rank = his >> 2, move = strategy[mine];
        unsigned folds = his_rank <= SIX, bets = (his_rank <= THREE) | (his_rank >= NINE);
        unsigned acts = move == RAISE ? folds : bets; /* the dealer folds to a raise, or bets against a call or check */
        unsigned someone_folds = acts & (move != CALL);
        unsigned high = PUSH + (my_rank > his_rank) - (my_rank < his_rank);
        unsigned result = high ^ ((high ^ move) & -someone_folds); /* a raise has won, a check has lost */
        unsigned end = 2 * move + acts;

        unsigned side = 2 * (my_rank != his_rank) + ((mine ^ his) % 4 != 0);
        unsigned progressive = NO_MATCH;
        if (mine == his) {
            progressive = streak ? JACKPOT : MATCH;
            streak = !streak;
        } else {
            streak = 0;
        }
        counts[(((end * RESULTS + result) * SIDES + side) * PROGRESSIVES + progressive) * STREAKS + streak]++;
    }
}

int main(int argc, char **argv)
{
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    struct random random = seeded(argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    static uint8_t shoe[CARDS], strategy[52];
    static uint64_t counts[CELLS];
    for (int i = 0; i < CARDS; i++)
        shoe[i] = i % 52;
    for (int card = 0; card < 52; card++)
        strategy[card] = card >> 2 <= FOUR ? RAISE : card >> 2 <= EIGHT ? CHECK : CALL;

    struct timespec start, stop;
    clock_gettime(CLOCK_MONOTONIC, &start);
    play(rounds, random, shoe, strategy, counts);
    clock_gettime(CLOCK_MONOTONIC, &stop);

    static const int stake[ENDS] = {1, 1, 1, 2, 2, 1}; /* units that are won or lost; all others are given back */
    uint64_t counted = 0;
    double sum = 0, squares = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        int tail = SIDES * PROGRESSIVES * STREAKS, result = cell / tail % RESULTS, end = cell / tail / RESULTS;
        double units = (result - PUSH) * stake[end];
        counted += counts[cell];
        sum += units * counts[cell];
        squares += units * units * counts[cell];
    }
    double mean = sum / counted, error = sqrt((squares / counted - mean * mean) / counted);
    printf("%.9f %" PRIu64 " %.9f %.9f\n", (stop.tv_sec - start.tv_sec) + (stop.tv_nsec - start.tv_nsec) * 1e-9,
           counted, mean, error);
    return 0;
}
