/* All pay tables of Lucky Lucky, six decks, within bounds and falling from row to row, one by one: how many have an edge
   of 4% to 6%. The ways are those of `pitboss analyze blackjack --wager lucky-lucky`. Prints the seconds and the count. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define LEAST(a, b) ((a) < (b) ? (a) : (b))

int main(void) {
    const int64_t all = 30079920, lost = 22936320;
    const int64_t low = lost - all * 6 / 100, high = lost - (all * 4 + 99) / 100; /* what the winning rows may pay in all */
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int64_t count = 0;
    for (int64_t a = 100; a <= 500; a++)
        for (int64_t b = 50; b <= LEAST(150, a); b++)
            for (int64_t c = 20; c <= LEAST(60, b); c++)
                for (int64_t d = 10; d <= LEAST(40, c); d++)
                    for (int64_t e = 5; e <= LEAST(20, d); e++)
                        for (int64_t f = 2; f <= LEAST(5, e); f++)
                            for (int64_t g = 1; g <= LEAST(3, f); g++)
                                for (int64_t h = 1; h <= LEAST(2, g); h++) {
                                    int64_t paid = 480 * a + 5184 * b + 11664 * c + 77760 * d + 159408 * e +
                                                   2437776 * f + 2265408 * g + 2185920 * h;
                                    count += paid >= low && paid <= high;
                                }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.6f %lld\n", (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec), (long long)count);
}
