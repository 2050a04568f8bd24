/* Random games and dives of Shut the Box and tic-tac-toe in C, which `speed.py` compiles.

   `peer dives box 1000`, or `peer games board 1000`. Each line of input is a round. The answer is the
   milliseconds of the processor, and the points of the first player in all games. A round begins with
   an empty tree and Random(7) of Python, so it has the games of ours, draw for draw. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The Mersenne Twister of Matsumoto and Nishimura (1998), and the random numbers of a block. */
static uint32_t words[624];
static double block[312];
static int at;

static void seed(uint32_t key)
{
    words[0] = 19650218u;
    for (int i = 1; i < 624; i++)
        words[i] = 1812433253u * (words[i - 1] ^ words[i - 1] >> 30) + i;
    for (int k = 0, i = 1; k < 624 + 623; k++) {
        uint32_t last = words[i - 1] ^ words[i - 1] >> 30;
        words[i] ^= last * (k < 624 ? 1664525u : 1566083941u);
        words[i] += k < 624 ? key : 0u - i;
        if (++i == 624)
            words[0] = words[623], i = 1;
    }
    words[0] = 0x80000000u;
    at = 312;
}

static uint32_t tempered(uint32_t y)
{
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

static void twist(void)
{
    for (int k = 0; k < 624; k++) {
        uint32_t y = (words[k] & 0x80000000u) | (words[(k + 1) % 624] & 0x7fffffffu);
        words[k] = words[(k + 397) % 624] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    for (int i = 0; i < 312; i++)
        block[i] = ((tempered(words[2 * i]) >> 5) * 67108864.0 + (tempered(words[2 * i + 1]) >> 6))
                   / 9007199254740992.0;
    at = 0;
}

/* The number of one of n equal choices; a single one draws nothing. */
static inline int pick(int n)
{
    if (n < 2)
        return 0;
    if (at == 312)
        twist();
    return block[at++] * n;
}

/* The positions of a game: a box is a bit mask, a board has a digit to base 3 for each square. */
enum { MOST = 19683 };
typedef struct {
    uint8_t mover[MOST];
    double points[MOST];
    uint8_t ways[MOST]; /* the number of moves of an event, and the first of them */
    uint16_t first[MOST], moves[50000];
} Game;
static Game box, board;

static void link_boxes(void)
{
    int masks[512] = {0}, sums[512] = {0}, count = 1, m = 0;
    for (int lever = 1; lever <= 9; lever++)
        for (int i = 0, old = count; i < old; i++)
            if (sums[i] + lever <= 12) {
                masks[count] = masks[i] | 1 << (lever - 1);
                sums[count++] = sums[i] + lever;
            }
    box.points[0] = 1;
    for (int p = 1; p < 512; p++)
        for (int roll = 2, begin = m; roll <= 12; roll++, begin = m) {
            for (int i = 0; i < count; i++)
                if (sums[i] == roll && (masks[i] & p) == masks[i])
                    box.moves[m++] = p ^ masks[i];
            for (int e = 36 * p; e < 36 * p + 36; e++)
                if (e % 36 / 6 + e % 6 + 2 == roll)
                    box.first[e] = begin, box.ways[e] = m - begin;
        }
}

static void link_boards(void)
{
    static const int lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0124, 0421};
    for (int p = 0, m = 0; p < MOST; p++) {
        int stones[3] = {0}, won[3] = {0};
        for (int square = 0, rest = p; square < 9; square++, rest /= 3)
            stones[rest % 3] |= 1 << square;
        for (int i = 0; i < 16; i++)
            won[1 + i / 8] |= (stones[1 + i / 8] & lines[i % 8]) == lines[i % 8];
        board.mover[p] = __builtin_popcount(stones[0]) % 2 == 0;
        board.points[p] = won[1] ? 1 : won[2] ? 0 : 0.5;
        board.first[p] = m;
        for (int square = 0, power = 1; square < 9 && !won[1] && !won[2]; square++, power *= 3)
            if (stones[0] >> square & 1)
                board.moves[m++] = p + power * (1 + board.mover[p]);
        board.ways[p] = m - board.first[p];
    }
}

/* The number of an event at p that is drawn. */
static inline int event(const Game *game, int p)
{
    return game == &box && p ? 36 * p + pick(36) : p;
}

static inline double play(const Game *game, int p)
{
    for (int e; game->ways[e = event(game, p)];)
        p = game->moves[game->first[e] + pick(game->ways[e])];
    return game->points[p];
}

/* Dives by the workshop's bound, which is kept with a box, and by UCB1. */
static int64_t visits[MOST];
static double scores[MOST], bounds[MOST];

static int best_box(const uint16_t *moves, int n)
{
    int best = moves[0];
    for (int j = 1; j < n; j++)
        if (bounds[moves[j]] > bounds[best])
            best = moves[j];
    return best;
}

static int best_board(const uint16_t *moves, int n, int mover)
{
    int best = moves[0];
    int64_t total = 0;
    for (int j = 0; j < n; total += visits[moves[j++]])
        if (!visits[moves[j]])
            return moves[j];
    double most = -INFINITY, scale = sqrt(2) * sqrt(log(total));
    for (int j = 0; j < n; j++) {
        double v = visits[moves[j]], x = scores[moves[j]];
        double bound = (mover ? v - x : x) / v + scale * sqrt(1 / v);
        if (bound > most)
            most = bound, best = moves[j];
    }
    return best;
}

static inline double dive(const Game *game)
{
    int p = game == &box ? 511 : 0, path[16] = {p}, depth = 1, e;
    while (visits[p] && game->ways[e = event(game, p)]) {
        const uint16_t *moves = game->moves + game->first[e];
        p = game == &box ? best_box(moves, game->ways[e])
                         : best_board(moves, game->ways[e], game->mover[p]);
        path[depth++] = p;
    }
    double result = visits[p] ? game->points[p] : play(game, p);
    for (int d = 0; d < depth; d++) {
        double n = ++visits[path[d]], x = scores[path[d]] += result;
        if (game == &box)
            bounds[path[d]] = x > 0 ? (x + 2 * sqrt(x * (n - x) / n)) / n : 3 / n;
    }
    return result;
}

int main(int count, char **arguments)
{
    const int is_dive = !strcmp(arguments[1], "dives"), is_box = !strcmp(arguments[2], "box");
    const long most = count == 4 ? atol(arguments[3]) : 0;
    link_boxes();
    link_boards();
    while (getchar() == '\n') {
        clock_t start = clock();
        double total = 0;
        seed(7);
        memset(visits, 0, (is_box ? 512 : MOST) * sizeof visits[0]);
        memset(scores, 0, (is_box ? 512 : MOST) * sizeof scores[0]);
        for (int p = 0; p < 512; p++)
            bounds[p] = INFINITY;
        for (long n = 0; n < most; n++)
            total += is_dive ? (is_box ? dive(&box) : dive(&board))
                             : (is_box ? play(&box, 511) : play(&board, 0));
        printf("%.4f %.1f\n", 1e3 * (clock() - start) / CLOCKS_PER_SEC, total);
        fflush(stdout);
    }
}
