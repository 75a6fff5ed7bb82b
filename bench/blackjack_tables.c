/* Blackjack by hand, tuned: the game of blackjack.c with rules and strategy folded into one table of states.
 *
 * Six decks, every round from a full shoe, one player. The dealer peeks for blackjack and stands on soft 17; blackjack
 * pays 3 to 2; no insurance, no surrender; double on any two cards, also after a split; equal values split up to four
 * hands, aces once and with one card each. Total-dependent basic strategy. The dealer does not draw when every hand has
 * bust or the player has blackjack. Rules and strategy are made into tables before the clock starts.
 *
 *     blackjack ROUNDS [SEED]    prints: seconds, rounds counted, mean result, standard error
 *
 * The mean is in units of the first bet: the house edge is its negative.
 */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CARDS = 312, DEAL = 4, MAX_HANDS = 4, HALVES = 4 * MAX_HANDS }; /* HALVES: the most to lose, in half units */
enum { ACE, TEN = 9, VALUES, PEEKED = VALUES, UPS };                   /* a card is its value less one; the up card of a
                                                                          dealer who has blackjack is PEEKED */
/* How a hand stands. Below LIVE it is over: bust, a natural, or totals up to 16, 17, ... 21, for one or two units. A
   live hand is the player's, to hit or to double, or the dealer's, plus its kind: its total with aces as one, plus SOFT
   if an ace may count eleven. */
enum { BUST, BUST_2, NATURAL, STAND, STAND_2 = STAND + 6, SPLIT = STAND_2 + 6, LIVE, SOFT = 22, KINDS = 2 * SOFT };
enum { HIT = LIVE, DOUBLE = HIT + KINDS, DEALER = DOUBLE + KINDS, STATES = DEALER + KINDS };

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

static uint8_t start[UPS][VALUES][VALUES]; /* the player's state with two cards, as the strategy has it */
static uint8_t after_split[UPS][VALUES][VALUES]; /* the same for a card of the pair and another one */
static uint8_t next[UPS][STATES][VALUES]; /* a live state and one more card */
static uint8_t up_card[VALUES][VALUES], dealt[VALUES][VALUES]; /* the dealer's up card and state with two cards */
static int8_t pays[LIVE][LIVE]; /* half units, by how player and dealer ended */

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

/* ---- play */

struct shoe { struct random random; uint64_t top; uint8_t *cards; }; /* before top: the cards of this round */

static inline unsigned swap_up(struct shoe *shoe, uint64_t pick)
{
    uint8_t card = shoe->cards[pick];
    shoe->cards[pick] = shoe->cards[shoe->top];
    shoe->cards[shoe->top++] = card;
    return card;
}

/* Where the first four cards of a round are, all from one word; a word that would make them uneven is thrown away. */
static inline void pick_deal(struct random *random, uint64_t *restrict picks)
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

static inline unsigned draw(struct shoe *shoe) /* one more card */
{
    uint64_t left = CARDS - shoe->top;
    unsigned __int128 full;
    do
        full = (unsigned __int128)word(&shoe->random) * left;
    while (__builtin_expect((uint64_t)full < left, 0) && (uint64_t)full < -left % left);
    return swap_up(shoe, shoe->top + (uint64_t)(full >> 64));
}

static __attribute__((noinline)) int play_split(struct shoe *shoe, unsigned up, unsigned value, unsigned dealer)
{
    unsigned hands = 2, ended[MAX_HANDS], all_bust = 1;
    for (unsigned i = 0; i < hands; i++) {
        unsigned second = draw(shoe);
        for (; second == value && value != ACE && hands < MAX_HANDS; hands++)
            second = draw(shoe);
        unsigned player = after_split[up][value][second];
        while (player >= LIVE)
            player = next[up][player][draw(shoe)];
        all_bust &= player <= BUST_2;
        ended[i] = player;
    }
    dealer = all_bust ? BUST : dealer;
    while (dealer >= LIVE)
        dealer = next[up][dealer][draw(shoe)];
    int result = 0;
    for (unsigned i = 0; i < hands; i++)
        result += pays[ended[i]][dealer];
    return result;
}

static void play(uint64_t rounds, struct shoe *box, uint64_t *restrict counts)
{
    struct shoe shoe = *box; /* not in memory, where a card that is stored might change it for all the compiler knows */
    uint64_t picks[DEAL], coming[DEAL];
    pick_deal(&shoe.random, coming);
    for (uint64_t i = 0; i < rounds; i++) {
        memcpy(picks, coming, sizeof picks);
        pick_deal(&shoe.random, coming); /* ahead of time, not after the wrong guess that most rounds end with */
        shoe.top = 0;
        unsigned first = swap_up(&shoe, picks[0]), second = swap_up(&shoe, picks[1]);
        unsigned shown = swap_up(&shoe, picks[2]), hole = swap_up(&shoe, picks[3]);
        unsigned up = up_card[shown][hole], dealer = dealt[shown][hole], player = start[up][first][second];
        if (__builtin_expect(player == SPLIT, 0)) {
            *box = shoe;
            counts[HALVES + play_split(box, up, first, dealer)]++;
            shoe = *box;
            continue;
        }
        for (;;) { /* first the player, then the dealer: one loop has one end to guess wrong, two would have two */
            dealer = player <= NATURAL && dealer >= LIVE ? BUST : dealer; /* no need to draw */
            unsigned mine = player >= LIVE, state = mine ? player : dealer;
            if (state < LIVE)
                break;
            unsigned then = next[up][state][draw(&shoe)];
            player = mine ? then : player;
            dealer = mine ? dealer : then;
        }
        counts[HALVES + pays[player][dealer]]++;
    }
}

/* ---- the tables */

static int total(int kind) { return kind < SOFT ? kind : kind - SOFT + 10; }

static int add(int kind, int card) /* one more card; kind 0 is an empty hand, -1 a bust one */
{
    int low = kind % SOFT + card + 1, ace = kind >= SOFT || card == ACE;
    return low > 21 ? -1 : ace && low <= 11 ? SOFT + low : low;
}

static int over(int kind, int units)
{
    if (kind < 0)
        return units == 1 ? BUST : BUST_2;
    return (units == 1 ? STAND : STAND_2) + (total(kind) < 17 ? 0 : total(kind) - 16);
}

static int players(int kind, int up, int cards)
{
    if (kind < 0 || up == PEEKED)
        return over(kind, 1);
    char move = (kind < SOFT ? hard : soft)[total(kind)][up];
    if (move == 'D' && cards > 2)
        move = total(kind) == 18 ? 'S' : 'H';
    return move == 'S' ? over(kind, 1) : (move == 'D' ? DOUBLE : HIT) + kind;
}

static int dealers(int kind) { return kind < 0 || total(kind) >= 17 ? over(kind, 1) : DEALER + kind; }

static void make_tables(void)
{
    for (int a = 0; a < VALUES; a++)
        for (int b = 0; b < VALUES; b++) {
            int kind = add(add(0, a), b), natural = total(kind) == 21;
            up_card[a][b] = natural ? PEEKED : a;
            dealt[a][b] = natural ? NATURAL : dealers(kind);
            for (int up = 0; up < UPS; up++) {
                int splits = a == b && up != PEEKED && pairs[a][up] == 'P';
                start[up][a][b] = natural ? NATURAL : splits ? SPLIT : players(kind, up, 2);
                after_split[up][a][b] = a == ACE ? over(kind, 1) : players(kind, up, 2);
            }
        }
    for (int up = 0; up < UPS; up++)
        for (int card = 0; card < VALUES; card++)
            for (int low = 2; low <= 20; low++)
                for (int kind = low; kind < KINDS; kind += SOFT) {
                    next[up][HIT + kind][card] = players(add(kind, card), up, 3);
                    next[up][DOUBLE + kind][card] = over(add(kind, card), 2);
                    next[up][DEALER + kind][card] = dealers(add(kind, card));
                }
    for (int dealer = BUST; dealer < STAND_2; dealer++) {
        for (int points = 0; points < 6; points++) {
            int his = dealer == NATURAL ? 6 : dealer - STAND; /* bust is below all */
            int sign = (points > his) - (points < his);
            pays[STAND + points][dealer] = 2 * sign;
            pays[STAND_2 + points][dealer] = 4 * sign;
        }
        pays[BUST][dealer] = -2;
        pays[BUST_2][dealer] = -4;
        pays[NATURAL][dealer] = dealer == NATURAL ? 0 : 3;
    }
}

int main(int argc, char **argv)
{
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    static uint8_t cards[CARDS];
    static uint64_t counts[2 * HALVES + 1];
    struct shoe shoe = {.random = seeded(argc > 2 ? strtoull(argv[2], NULL, 10) : 1), .cards = cards};
    for (int i = 0; i < CARDS; i++)
        cards[i] = i % 13 < TEN ? i % 13 : TEN;
    make_tables();

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
