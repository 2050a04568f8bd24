/* The limit in C: random games and dives of Shut the Box, with the random numbers of Python. */

#include <math.h>
#include <stdint.h>
#include <string.h>

static uint32_t words[624];
static double block[312];
static int at;

static uint32_t tempered(uint32_t y)
{
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

static void temper(void)
{
    for (int i = 0; i < 312; i++)
        block[i] = ((tempered(words[2 * i]) >> 5) * 67108864.0 + (tempered(words[2 * i + 1]) >> 6))
                   / 9007199254740992.0;
}

static void twist(void)
{
    for (int k = 0; k < 624; k++) {
        uint32_t y = (words[k] & 0x80000000u) | (words[(k + 1) % 624] & 0x7fffffffu);
        words[k] = words[(k + 397) % 624] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    temper();
    at = 0;
}

static inline double draw(void)
{
    if (at == 312)
        twist();
    return block[at++];
}

/* Begin with the state of a generator. */
void seed(const uint32_t *state)
{
    memcpy(words, state, sizeof words);
    temper();
    at = state[624] / 2;
}

/* For each box, a bit mask, and each throw: the first of its moves, and their number. */
static uint16_t first[512][36], moves[40000];
static uint8_t ways[512][36];

void link_boxes(void)
{
    int masks[512] = {0}, sums[512] = {0}, count = 1, m = 0;
    for (int lever = 1; lever <= 9; lever++)
        for (int i = 0, old = count; i < old; i++)
            if (sums[i] + lever <= 12) {
                masks[count] = masks[i] | 1 << (lever - 1);
                sums[count++] = sums[i] + lever;
            }
    for (int box = 1; box < 512; box++)
        for (int roll = 2; roll <= 12; roll++) {
            int begin = m;
            for (int i = 0; i < count; i++)
                if (sums[i] == roll && (masks[i] & box) == masks[i])
                    moves[m++] = box ^ masks[i];
            for (int throw = 0; throw < 36; throw++)
                if (throw / 6 + throw % 6 + 2 == roll) {
                    first[box][throw] = begin;
                    ways[box][throw] = m - begin;
                }
        }
}

static inline int play(int box)
{
    while (box) {
        int throw = draw() * 36, w = ways[box][throw], m = first[box][throw];
        if (!w)
            return 0;
        box = moves[w > 1 ? m + (int)(draw() * w) : m];
    }
    return 1;
}

/* The wins in n random games from the full box. */
int64_t games(int64_t n)
{
    int64_t won = 0;
    while (n--)
        won += play(511);
    return won;
}

/* n dives from the full box; the bound of a box is kept until it changes. */
void dives(int64_t n, int64_t *visits, int64_t *wins)
{
    double bounds[512];
    int path[16];
    for (int i = 0; i < 512; i++)
        bounds[i] = INFINITY;
    while (n--) {
        int box = 511, depth = 1, won;
        path[0] = box;
        for (;;) {
            if (!visits[box]) {
                won = play(box);
                break;
            }
            if (!box) {
                won = 1;
                break;
            }
            int throw = draw() * 36, w = ways[box][throw];
            if (!w) {
                won = 0;
                break;
            }
            const uint16_t *own = moves + first[box][throw];
            box = own[0];
            for (int j = 1; j < w; j++)
                if (bounds[own[j]] > bounds[box])
                    box = own[j];
            path[depth++] = box;
        }
        for (int d = 0; d < depth; d++) {
            double v = ++visits[path[d]], x = wins[path[d]] += won;
            bounds[path[d]] = x > 0 ? (x + 2 * sqrt(x * (v - x) / v)) / v : 3 / v;
        }
    }
}
