/* The strength of a poker hand in sixteen bits: its category, then its place within it. A card is four times its rank
   (0 a deuce, 12 an ace) and its suit. */
#include <stdint.h>

enum { HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH };
enum { RANKS = 13, SETS = 1 << RANKS, SUITS = 4, CARDS = RANKS * SUITS, ROYAL = STRAIGHT_FLUSH << 12 | 12 };

struct ranks { uint32_t one, two, three, four; }; /* ranks that are there at least so many times */

static uint16_t place[SETS];  /* a set of ranks among all sets of as many, in rising order */
static uint16_t flushes[SETS]; /* five to seven cards of one suit -> their strength */

static inline void add_rank(struct ranks *of, int rank) {
    uint32_t bit = 1u << rank;
    of->four |= of->three & bit;
    of->three |= of->two & bit;
    of->two |= of->one & bit;
    of->one |= bit;
}

static inline uint32_t highest(uint32_t set, int count) {
    while (__builtin_popcount(set) > count) set &= set - 1;
    return set;
}

static inline int top(uint32_t set) { return 31 - __builtin_clz(set); }

/* the highest rank of a straight, 0 if there is none: no straight ends with a deuce */
static inline int straight(uint32_t set) {
    uint32_t with_low_ace = set << 1 | (set >> 12 & 1);
    uint32_t begins = with_low_ace & with_low_ace >> 1 & with_low_ace >> 2 & with_low_ace >> 3 & with_low_ace >> 4;
    return begins ? top(begins) + 3 : 0;
}

static inline int strength_of(int category, int within) { return category << 12 | within; }

/* the best five of five to seven cards, suits apart */
static inline int by_ranks(const struct ranks *of) {
    uint32_t one = of->one, two = of->two;
    if (of->four) return strength_of(FOUR_OF_A_KIND, top(of->four) * RANKS + top(one & ~of->four));
    if (of->three) {
        uint32_t three = highest(of->three, 1);
        if (two & ~three) return strength_of(FULL_HOUSE, top(three) * RANKS + top(two & ~three));
        if (straight(one)) return strength_of(STRAIGHT, straight(one));
        return strength_of(THREE_OF_A_KIND, top(three) * 78 + place[highest(one & ~three, 2)]); /* 78 pairs of ranks */
    }
    if (straight(one)) return strength_of(STRAIGHT, straight(one));
    if (__builtin_popcount(two) >= 2) {
        uint32_t pairs = highest(two, 2);
        return strength_of(TWO_PAIR, place[pairs] * RANKS + top(one & ~pairs));
    }
    if (two) return strength_of(PAIR, top(two) * 286 + place[highest(one & ~two, 3)]); /* 286 sets of three ranks */
    return strength_of(HIGH_CARD, place[highest(one, 5)]);
}

static void make_strengths(void) {
    int met[RANKS + 1] = {0};
    for (uint32_t set = 0; set < SETS; set++) place[set] = (uint16_t)met[__builtin_popcount(set)]++;
    for (uint32_t set = 0; set < SETS; set++)
        if (__builtin_popcount(set) >= 5)
            flushes[set] = (uint16_t)(straight(set) ? strength_of(STRAIGHT_FLUSH, straight(set))
                                                    : strength_of(FLUSH, place[highest(set, 5)]));
}
