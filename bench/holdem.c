/* Ultimate Texas Hold'em solved exactly, on one core. Board by board, up to the names of suits: the 1,081 pairs of other
   cards are ranked once, as the player's and as the dealer's. How many of the dealer's are below the player's pair and
   avoid it is the number of all below, less those with either of its cards (and of equal ones, plus the very pair). The
   decision on the river is taken on the spot; what it is worth goes to the ten flops that the board may have begun with.
   Prints the seconds, the processor seconds, and what the player wins of the ante as two whole numbers, to be divided. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "strength.h"

enum { PAIRS = 1326, LEFT = 47, LEFT_PAIRS = 1081, DEALT = 990, FLOPS = 1755, RENAMINGS = 24 };
enum { QUALIFIES = PAIR << 12 }; /* the dealer qualifies with a pair */

struct worth { int64_t raise, check; };                                 /* twice the ante on the flop, or see the river */
struct first { int64_t even, play; };                                   /* before the flop: without Play, and Play once */
struct flop { int id, renaming; };                                      /* its class, and the suits that lead there */
struct held { int pair, x, y, raise, check; };                          /* two cards, by their places among the 47 */

static int renamings[RENAMINGS][SUITS];
static uint16_t pair_of[CARDS][CARDS], moved[RENAMINGS][PAIRS];         /* pairs by number, and with their suits renamed */
static struct flop flop_of[CARDS][CARDS][CARDS];
static uint32_t flop_suits[FLOPS][SUITS];
static struct worth on_flop[FLOPS][PAIRS];
static struct first at_first[PAIRS];
static int flops;

static int renamed(int card, const int *suits) { return (card & ~3) | suits[card & 3]; }

/* ranks by suit: cards that differ in the names of suits only have the same four sets, and are kept with the sets falling */
static void by_suit(const int *cards, int count, uint32_t sets[SUITS]) {
    memset(sets, 0, SUITS * sizeof *sets);
    for (int i = 0; i < count; i++) sets[cards[i] & 3] |= 1u << (cards[i] >> 2);
}

static int kept(const uint32_t sets[SUITS]) { return sets[0] >= sets[1] && sets[1] >= sets[2] && sets[2] >= sets[3]; }

static int stays(const uint32_t sets[SUITS], const int *suits) {
    for (int s = 0; s < SUITS; s++)
        if (sets[suits[s]] != sets[s]) return 0;
    return 1;
}

/* ---- before anything is dealt */

static void make_pairs(void) {
    int n = 0;
    for (int code = 0; code < 256; code++) {
        int suits[SUITS] = {code >> 6, code >> 4 & 3, code >> 2 & 3, code & 3};
        if ((1 << suits[0] | 1 << suits[1] | 1 << suits[2] | 1 << suits[3]) == 15)
            memcpy(renamings[n++], suits, sizeof suits);
    }
    n = 0;
    for (int a = 0; a < CARDS; a++)
        for (int b = a + 1; b < CARDS; b++) pair_of[a][b] = pair_of[b][a] = (uint16_t)n++;
    for (int r = 0; r < RENAMINGS; r++)
        for (int a = 0; a < CARDS; a++)
            for (int b = a + 1; b < CARDS; b++)
                moved[r][pair_of[a][b]] = pair_of[renamed(a, renamings[r])][renamed(b, renamings[r])];
}

static struct flop kept_flop(const uint32_t sets[SUITS]) {
    uint32_t after[SUITS];
    int r = -1, id = 0;
    do {
        r++;
        for (int s = 0; s < SUITS; s++) after[renamings[r][s]] = sets[s];
    } while (!kept(after));
    while (id < flops && memcmp(flop_suits[id], after, sizeof after)) id++;
    if (id == flops) memcpy(flop_suits[flops++], after, sizeof after);
    return (struct flop){id, r};
}

static void make_flops(void) {
    for (int a = 0; a < CARDS; a++)
        for (int b = a + 1; b < CARDS; b++)
            for (int c = b + 1; c < CARDS; c++) {
                uint32_t sets[SUITS];
                by_suit((int[]){a, b, c}, 3, sets);
                flop_of[a][b][c] = kept_flop(sets);
            }
}

/* ---- one board */

/* all pairs of what the board leaves, each with its strength above its number, sorted */
static void rank_pairs(const int board[5], const uint32_t sets[SUITS], const int left[LEFT], struct held hands[LEFT_PAIRS],
                       uint32_t sorted[LEFT_PAIRS]) {
    struct ranks shown = {0};
    int plain[RANKS][RANKS], suit = -1, n = 0;
    for (int i = 0; i < 5; i++) add_rank(&shown, board[i] >> 2);
    for (int a = 0; a < RANKS; a++) {
        struct ranks six = shown;
        add_rank(&six, a);
        for (int b = a; b < RANKS; b++) {
            struct ranks seven = six;
            add_rank(&seven, b);
            plain[a][b] = by_ranks(&seven);
        }
    }
    for (int s = 0; s < SUITS; s++)
        if (__builtin_popcount(sets[s]) >= 3) suit = s; /* of the only flush there can be */
    static uint32_t given[LEFT_PAIRS], half[LEFT_PAIRS];
    for (int x = 0; x < LEFT; x++)
        for (int y = x + 1; y < LEFT; y++, n++) {
            int a = left[x], b = left[y], value = plain[a >> 2][b >> 2];
            if (suit >= 0) {
                uint32_t suited = sets[suit];
                if ((a & 3) == suit) suited |= 1u << (a >> 2);
                if ((b & 3) == suit) suited |= 1u << (b >> 2);
                if (__builtin_popcount(suited) >= 5) value = flushes[suited]; /* then no full house, no four of a kind */
            }
            hands[n] = (struct held){.pair = pair_of[a][b], .x = x, .y = y};
            given[n] = (uint32_t)value << 16 | (uint32_t)n;
        }
    const uint32_t *from = given;
    uint32_t *to = half;
    for (int shift = 16; shift < 32; shift += 8, from = half, to = sorted) { /* a byte at a time */
        int start[257] = {0};
        for (int i = 0; i < LEFT_PAIRS; i++) start[(from[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++) start[i + 1] += start[i];
        for (int i = 0; i < LEFT_PAIRS; i++) to[start[from[i] >> shift & 255]++] = from[i];
    }
}

/* what the Blind pays, in halves of the ante */
static int blind(int strength) {
    if (strength == ROYAL) return 1000;
    static const int pays[] = {0, 0, 0, 0, 2, 3, 6, 20, 100};
    return pays[strength >> 12];
}

/* what every pair can win against the 990 of the dealer's, in halves of the ante */
static void answer(const uint32_t sorted[LEFT_PAIRS], struct held hands[LEFT_PAIRS], int64_t weight) {
    int below = 0, below_with[LEFT] = {0}; /* pairs of less strength: all, and those with a card */
    int poor = 0, poor_with[LEFT] = {0};   /* pairs that do not qualify */
    for (; poor < LEFT_PAIRS && (int)(sorted[poor] >> 16) < QUALIFIES; poor++) {
        const struct held *h = &hands[sorted[poor] & 0xFFFF];
        poor_with[h->x]++, poor_with[h->y]++;
    }
    for (int start = 0, stop; start < LEFT_PAIRS; start = stop) {
        int value = (int)(sorted[start] >> 16), level_with[LEFT] = {0}, pays = blind(value);
        for (stop = start; stop < LEFT_PAIRS && (int)(sorted[stop] >> 16) == value; stop++) {
            const struct held *h = &hands[sorted[stop] & 0xFFFF];
            level_with[h->x]++, level_with[h->y]++;
        }
        for (int i = start; i < stop; i++) {
            struct held *h = &hands[sorted[i] & 0xFFFF];
            int win = below - below_with[h->x] - below_with[h->y];
            int tie = stop - start - level_with[h->x] - level_with[h->y] + 1;
            int lose = DEALT - win - tie;
            int pushed = poor - poor_with[h->x] - poor_with[h->y] + (value < QUALIFIES); /* the Ante comes back */
            int won_back = value < QUALIFIES ? win : pushed;
            int lost_back = value < QUALIFIES ? pushed - win - tie : 0;
            int ante = 2 * ((win - won_back) - (lose - lost_back)), play = 2 * (win - lose);
            int even = ante + win * pays - 2 * lose, fold = -4 * DEALT;
            h->raise = even + 2 * play;
            h->check = even + play > fold ? even + play : fold;
            at_first[h->pair].even += weight * even;
            at_first[h->pair].play += weight * play;
        }
        for (int i = start; i < stop; i++) {
            const struct held *h = &hands[sorted[i] & 0xFFFF];
            below++, below_with[h->x]++, below_with[h->y]++;
        }
    }
}

static void scatter(const int board[5], const struct held hands[LEFT_PAIRS], int64_t weight) {
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 4; j++)
            for (int k = j + 1; k < 5; k++) {
                struct flop flop = flop_of[board[i]][board[j]][board[k]];
                struct worth *rows = on_flop[flop.id];
                const uint16_t *to = moved[flop.renaming];
                for (int n = 0; n < LEFT_PAIRS; n++) {
                    struct worth *row = &rows[to[hands[n].pair]];
                    row->raise += weight * hands[n].raise;
                    row->check += weight * hands[n].check;
                }
            }
}

static void one_board(const int board[5], const uint32_t sets[SUITS]) {
    static struct held hands[LEFT_PAIRS];
    static uint32_t sorted[LEFT_PAIRS];
    int left[LEFT], n = 0, alike = 0;
    for (int card = 0; card < CARDS; card++)
        if (!(sets[card & 3] >> (card >> 2) & 1)) left[n++] = card;
    for (int r = 0; r < RENAMINGS; r++) alike += stays(sets, renamings[r]);
    int64_t weight = RENAMINGS / alike; /* boards that this one stands for */
    rank_pairs(board, sets, left, hands, sorted);
    answer(sorted, hands, weight);
    scatter(board, hands, weight);
}

/* ---- when all boards have gone by */

/* hands that a renaming which leaves the flop as it is makes equal count together, and are answered together */
static int alike(const uint32_t sets[SUITS], int pair) {
    int first = pair;
    for (int r = 0; r < RENAMINGS; r++)
        if (moved[r][pair] < first && stays(sets, renamings[r])) first = moved[r][pair];
    return first;
}

static int64_t solve(void) {
    static const uint32_t nothing[SUITS];
    static struct first together[PAIRS];
    static int64_t later[PAIRS];
    int64_t total = 0;
    for (int f = 0; f < flops; f++) {
        static struct worth rows[PAIRS];
        memset(rows, 0, sizeof rows);
        for (int pair = 0; pair < PAIRS; pair++) {
            struct worth *row = &rows[alike(flop_suits[f], pair)];
            row->raise += on_flop[f][pair].raise;
            row->check += on_flop[f][pair].check;
        }
        for (int pair = 0; pair < PAIRS; pair++)
            later[alike(nothing, pair)] += rows[pair].raise > rows[pair].check ? rows[pair].raise : rows[pair].check;
    }
    for (int pair = 0; pair < PAIRS; pair++) {
        together[alike(nothing, pair)].even += at_first[pair].even;
        together[alike(nothing, pair)].play += at_first[pair].play;
    }
    for (int pair = 0; pair < PAIRS; pair++) {
        int64_t best = later[pair];
        for (int times = 3; times <= 4; times++) {
            int64_t raise = 10 * (together[pair].even + times * together[pair].play); /* a board has ten flops */
            best = raise > best ? raise : best;
        }
        total += best;
    }
    return total;
}

int main(void) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    make_strengths();
    make_pairs();
    make_flops();
    for (int a = 0; a < CARDS; a++)
        for (int b = a + 1; b < CARDS; b++)
            for (int c = b + 1; c < CARDS; c++)
                for (int d = c + 1; d < CARDS; d++)
                    for (int e = d + 1; e < CARDS; e++) {
                        int board[5] = {a, b, c, d, e};
                        uint32_t sets[SUITS];
                        by_suit(board, 5, sets);
                        if (kept(sets)) one_board(board, sets);
                    }
    int64_t won = solve(), all = 2598960LL * LEFT_PAIRS * DEALT * 10 * 2; /* boards, pairs, flops, halves */
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.6f %.6f %lld %lld\n", (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) * 1e-9,
           (double)clock() / CLOCKS_PER_SEC, (long long)won, (long long)all);
    return 0;
}
