/* Blackjack by hand, rule by rule: the yardstick for the loop that pitboss makes from a blackjack of its own.
 *
 * Six decks, every round from a full shoe, one player. The dealer peeks for blackjack and stands on soft 17; blackjack
 * pays 3 to 2; insurance under an ace, no surrender; double on any two cards, also after a split; equal values split up
 * to four hands, aces once and with one card each. The dealer does not draw when every hand has bust or the player has
 * blackjack. The rules are code; the strategy, total-dependent basic strategy, is data that every choice looks up.
 *
 *     blackjack ROUNDS [SEED]    prints: seconds, rounds counted, mean result, standard error
 *
 * The mean is in units of the first bet: the house edge is its negative. blackjack_tables.c is the same game with rules
 * and strategy folded into one table.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CARDS = 312, DEAL = 4, MAX_HANDS = 4, HALVES = 4 * MAX_HANDS + 1 }; /* HALVES: the most to lose, half units */
enum { ACE = 1, TEN = 10 };                                                /* a card is its value */
enum question { MORE, TWO_CARDS, PAIR, INSURANCE, QUESTIONS };             /* what there is to choose from */
enum answer { STAND, HIT, DOUBLE, SPLIT, DECLINE, INSURE };

static uint8_t strategy[QUESTIONS][22][2][TEN + 1]; /* by question, total, whether it is soft, and up card */

/* ---- the shoe */

struct random { uint64_t s[4]; };
struct shoe {
    struct random random;
    uint64_t coming[DEAL]; /* where the first cards of the next round are */
    uint64_t top;          /* before it: the cards of this round */
    uint8_t *cards;
};

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

static inline unsigned swap_up(struct shoe *shoe, uint64_t pick)
{
    uint8_t card = shoe->cards[pick];
    shoe->cards[pick] = shoe->cards[shoe->top];
    shoe->cards[shoe->top++] = card;
    return card;
}

/* Where the first four cards of a round are, all from one word; a word that would make them uneven is thrown away. */
static inline void pick_deal(struct random *random, uint64_t *picks)
{
    uint64_t product = (uint64_t)CARDS * (CARDS - 1) * (CARDS - 2) * (CARDS - 3), uneven = -product % product, rest;
    do {
        rest = word(random);
        for (int i = 0; i < DEAL; i++) {
            unsigned __int128 full = (unsigned __int128)rest * (uint64_t)(CARDS - i);
            picks[i] = i + (uint64_t)(full >> 64);
            rest = (uint64_t)full;
        }
    } while (__builtin_expect(rest < uneven, 0));
}

static inline void deal(struct shoe *shoe, unsigned *cards)
{
    uint64_t picks[DEAL];
    memcpy(picks, shoe->coming, sizeof picks);
    pick_deal(&shoe->random, shoe->coming); /* ahead of time, as pitboss does: the next round need not wait for it */
    shoe->top = 0;
    for (int i = 0; i < DEAL; i++)
        cards[i] = swap_up(shoe, picks[i]);
}

static inline unsigned draw(struct shoe *shoe) /* one more card */
{
    uint64_t left = CARDS - shoe->top;
    unsigned __int128 full;
    do
        full = (unsigned __int128)word(&shoe->random) * left;
    while (__builtin_expect((uint64_t)full < left, 0) && (uint64_t)full < -left % left);
    return swap_up(shoe, shoe->top + (uint64_t)(full >> 64));
}

/* ---- the rules */

struct hand { unsigned total; bool soft; }; /* soft: an ace counts eleven */

static inline struct hand add(struct hand hand, unsigned card)
{
    unsigned total = hand.total + card;
    bool up = card == ACE && total <= 11, down = hand.soft && total > 21;
    return (struct hand){up ? total + 10 : down ? total - 10 : total, (hand.soft || up) && !down};
}

static inline struct hand two(unsigned first, unsigned second)
{
    return add(add((struct hand){0, false}, first), second);
}

static inline enum answer ask(enum question question, struct hand hand, unsigned up)
{
    return strategy[question][hand.total][hand.soft][up];
}

static inline int settle(unsigned mine, unsigned his) /* in bets */
{
    return mine > 21 ? -1 : his > 21 ? 1 : (mine > his) - (mine < his);
}

static inline unsigned finish(struct shoe *shoe, enum answer first, struct hand mine, unsigned up)
{
    if (first == DOUBLE)
        mine = add(mine, draw(shoe));
    if (first == HIT)
        do
            mine = add(mine, draw(shoe));
        while (mine.total < 21 && ask(MORE, mine, up) == HIT);
    return mine.total;
}

static inline unsigned dealer_draws(struct shoe *shoe, struct hand his)
{
    while (his.total < 17)
        his = add(his, draw(shoe));
    return his.total;
}

static __attribute__((noinline)) int play_split(struct shoe *shoe, unsigned value, unsigned up, struct hand his)
{
    unsigned hands = 2, totals[MAX_HANDS];
    int bets[MAX_HANDS], net = 0;
    bool alive = false; /* a hand has not bust */
    for (unsigned i = 0; i < hands; i++) {
        enum answer answer;
        struct hand mine;
        for (;; hands++) {
            unsigned second = draw(shoe);
            mine = two(value, second);
            if (value == ACE || mine.total == 21)
                answer = STAND;
            else
                answer = ask(second == value && hands < MAX_HANDS ? PAIR : TWO_CARDS, mine, up);
            if (answer != SPLIT)
                break;
        }
        bets[i] = answer == DOUBLE ? 4 : 2;
        totals[i] = finish(shoe, answer, mine, up);
        alive |= totals[i] <= 21;
    }
    unsigned dealer = alive ? dealer_draws(shoe, his) : his.total;
    for (unsigned i = 0; i < hands; i++)
        net += bets[i] * settle(totals[i], dealer);
    return net;
}

static inline int play_round(struct shoe *shoe) /* the net result in half units */
{
    unsigned cards[DEAL];
    deal(shoe, cards);
    unsigned first = cards[0], up = cards[1], second = cards[2], hole = cards[3];
    struct hand mine = two(first, second), his = two(up, hole);

    bool insured = up == ACE && ask(INSURANCE, mine, up) == INSURE;
    if (his.total == 21)
        return (mine.total == 21 ? 0 : -2) + (insured ? 2 : 0);
    int net = insured ? -1 : 0;
    if (mine.total == 21)
        return net + 3;

    enum answer answer = ask(first == second ? PAIR : TWO_CARDS, mine, up);
    if (answer == SPLIT) {
        struct shoe copy = *shoe; /* so that only this one need be in memory */
        net += play_split(&copy, first, up, his);
        *shoe = copy;
        return net;
    }
    unsigned total = finish(shoe, answer, mine, up);
    unsigned dealer = total <= 21 ? dealer_draws(shoe, his) : his.total;
    return net + (answer == DOUBLE ? 4 : 2) * settle(total, dealer);
}

static void play(uint64_t rounds, struct shoe *box, uint64_t *counts)
{
    struct shoe shoe = *box; /* not in memory, where a card that is stored might change it for all the compiler knows */
    pick_deal(&shoe.random, shoe.coming);
    for (uint64_t i = 0; i < rounds; i++)
        counts[HALVES + play_round(&shoe)]++;
    *box = shoe;
}

/* ---- the strategy */

static const char *const hard[] = { /* by the dealer's up card, A23456789T: Hit, Stand, Double, sPlit */
    [4] = "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", /* 4 to 8 */
    [9] = "HHDDDDHHHH", "HDDDDDDDDH", "HDDDDDDDDD",
    [12] = "HHHSSSHHHH", "HSSSSSHHHH", "HSSSSSHHHH", "HSSSSSHHHH", "HSSSSSHHHH",
    [17] = "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS",
};
static const char *const soft[] = {
    [12] = "HHHHHHHHHH", "HHHHDDHHHH", "HHHHDDHHHH", "HHHDDDHHHH", "HHHDDDHHHH", "HHDDDDHHHH", /* 12 to 17 */
    [18] = "HSDDDDSSHH", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS",
};
static const char *const pairs[] = { /* anything but P: as the total */
    "PPPPPPPPPP", "-PPPPPP---", "-PPPPPP---", "----PP----", "----------", /* aces, 2s, 3s, 4s, 5s */
    "-PPPPP----", "-PPPPPP---", "PPPPPPPPPP", "-PPPPP-PP-", "----------", /* 6s, 7s, 8s, 9s, tens */
};

static void make_strategy(void)
{
    for (int up = ACE; up <= TEN; up++) {
        for (int total = 4; total <= 21; total++)
            for (int is_soft = 0; is_soft <= (total >= 12); is_soft++) {
                char move = (is_soft ? soft : hard)[total][up - 1];
                int otherwise = move == 'S' || (move == 'D' && total == 18) ? STAND : HIT;
                strategy[MORE][total][is_soft][up] = otherwise;
                strategy[TWO_CARDS][total][is_soft][up] = move == 'D' ? DOUBLE : otherwise;
                strategy[PAIR][total][is_soft][up] = strategy[TWO_CARDS][total][is_soft][up];
                strategy[INSURANCE][total][is_soft][up] = DECLINE;
            }
        for (int card = ACE; card <= TEN; card++)
            if (pairs[card - 1][up - 1] == 'P')
                strategy[PAIR][card == ACE ? 12 : 2 * card][card == ACE][up] = SPLIT;
    }
}

int main(int argc, char **argv)
{
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    static uint8_t cards[CARDS];
    static uint64_t counts[2 * HALVES + 1];
    struct shoe shoe = {.random = seeded(argc > 2 ? strtoull(argv[2], NULL, 10) : 1), .cards = cards};
    for (int i = 0; i < CARDS; i++)
        cards[i] = i % 13 < 9 ? i % 13 + 1 : TEN;
    make_strategy();

    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    play(rounds, &shoe, counts);
    clock_gettime(CLOCK_MONOTONIC, &end);

    uint64_t counted = 0;
    double sum = 0, squares = 0;
    for (int i = 0; i <= 2 * HALVES; i++) {
        double units = (i - HALVES) / 2.0;
        counted += counts[i];
        sum += units * counts[i];
        squares += units * units * counts[i];
    }
    double mean = sum / counted, error = sqrt((squares / counted - mean * mean) / counted);
    printf("%.9f %" PRIu64 " %.9f %.9f\n", (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) * 1e-9, counted,
           mean, error);
    return 0;
}
