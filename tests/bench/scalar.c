/* scalar.c - see scalar.h. Nothing here is clever on purpose; the compiler may be. */
#include "tests/bench/scalar.h"

#include <math.h>
#include <stdint.h>

/* ---- What the kinds share -------------------------------------------------------------------- */

static const float unit_x[8] = {1, 0.70710678f, 0, -0.70710678f, -1, -0.70710678f, 0, 0.70710678f};

static uint32_t mix(uint32_t h)
{
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

static uint32_t hash_2(int64_t x, int64_t y, uint32_t seed)
{
    return mix(seed ^ (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u);
}

static uint32_t hash_3(int64_t x, int64_t y, int64_t z, uint32_t seed)
{
    return hash_2(x, y, seed ^ (uint32_t)z * 0xc2b2ae3du);
}

/* A hash as a number from -1 to 1. */
static float signed_unit(uint32_t h)
{
    return (float)(int32_t)h * 0x1p-31f;
}

static float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}

static float dot_2(uint32_t h, float dx, float dy)
{
    return unit_x[h >> 29] * dx + unit_x[((h >> 29) + 2) & 7] * dy;
}

/* K. Perlin's twelve directions of 2002: the middles of a cube's edges. */
static float dot_3(uint32_t h, float dx, float dy, float dz)
{
    uint32_t g = h >> 28;
    float a = g < 8 ? dx : dy, b = g < 4 ? dy : g == 12 || g == 14 ? dx : dz;

    return (g & 1 ? -a : a) + (g & 2 ? -b : b);
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

static float perlin(double x, double y, uint32_t seed)
{
    double fx = floor(x), fy = floor(y);
    int64_t i = (int64_t)fx, j = (int64_t)fy;
    float u = (float)(x - fx), v = (float)(y - fy), su = fade(u), sv = fade(v);
    float north =
        lerp(dot_2(hash_2(i, j, seed), u, v), dot_2(hash_2(i + 1, j, seed), u - 1, v), su);
    float south = lerp(dot_2(hash_2(i, j + 1, seed), u, v - 1),
                       dot_2(hash_2(i + 1, j + 1, seed), u - 1, v - 1), su);

    return lerp(north, south, sv);
}

static float value(double x, double y, uint32_t seed)
{
    double fx = floor(x), fy = floor(y);
    int64_t i = (int64_t)fx, j = (int64_t)fy;
    float su = fade((float)(x - fx)), sv = fade((float)(y - fy));
    float north = lerp(signed_unit(hash_2(i, j, seed)), signed_unit(hash_2(i + 1, j, seed)), su);
    float south =
        lerp(signed_unit(hash_2(i, j + 1, seed)), signed_unit(hash_2(i + 1, j + 1, seed)), su);

    return lerp(north, south, sv);
}

static float white(double x, double y, uint32_t seed)
{
    return signed_unit(hash_2((int64_t)floor(x), (int64_t)floor(y), seed));
}

/* One node of a triangular lattice; dx, dy in skewed coordinates. */
static float node(int64_t i, int64_t j, float dx, float dy, float reach, uint32_t seed)
{
    const float unskew = 0.21132487f;
    float t = (dx + dy) * unskew, x = dx - t, y = dy - t, w = reach - (x * x + y * y);

    return w > 0 ? w * w * w * w * dot_2(hash_2(i, j, seed), x, y) : 0;
}

struct triangle {
    int64_t i, j;
    float u, v;
};

static struct triangle skewed(double x, double y)
{
    double s = (x + y) * 0.36602540378443865, p = x + s, q = y + s, fp = floor(p), fq = floor(q);

    return (struct triangle){(int64_t)fp, (int64_t)fq, (float)(p - fp), (float)(q - fq)};
}

static float simplex(double x, double y, uint32_t seed)
{
    struct triangle t = skewed(x, y);
    int right = t.u > t.v, down = !right;

    return node(t.i, t.j, t.u, t.v, 0.5f, seed) +
           node(t.i + right, t.j + down, t.u - (float)right, t.v - (float)down, 0.5f, seed) +
           node(t.i + 1, t.j + 1, t.u - 1, t.v - 1, 0.5f, seed);
}

/* Six nodes: the triangle's own and those opposite its sides. */
static float opensimplex2s(double x, double y, uint32_t seed)
{
    static const int nodes[2][6][2] = {{{0, 0}, {0, 1}, {1, 1}, {1, 2}, {1, 0}, {-1, 0}},
                                       {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {0, 1}, {0, -1}}};
    struct triangle t = skewed(x, y);
    float sum = 0;

    for (int n = 0; n < 6; n++) {
        const int *at = nodes[t.u > t.v][n];
        sum += node(t.i + at[0], t.j + at[1], t.u - (float)at[0], t.v - (float)at[1], 0.66666667f,
                    seed);
    }
    return sum;
}

/* Distance to the nearest point; true in 5 x 5 cells. */
static float cellular(double x, double y, uint32_t seed)
{
    double fx = floor(x), fy = floor(y);
    float u = (float)(x - fx), v = (float)(y - fy), nearest = 1e9f;

    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            uint32_t h = hash_2((int64_t)fx + i, (int64_t)fy + j, seed);
            float dx = (float)i + (float)(h & 1023) * (1.0f / 1023) - u;
            float dy = (float)j + (float)(h >> 10 & 1023) * (1.0f / 1023) - v;
            nearest = fminf(nearest, dx * dx + dy * dy);
        }
    return sqrtf(nearest);
}

static float perlin_3(double x, double y, double z, uint32_t seed)
{
    double fx = floor(x), fy = floor(y), fz = floor(z);
    int64_t i = (int64_t)fx, j = (int64_t)fy, k = (int64_t)fz;
    float u = (float)(x - fx), v = (float)(y - fy), w = (float)(z - fz);
    float su = fade(u), level[2];

    for (int c = 0; c < 2; c++) {
        float below = w - (float)c;
        float north = lerp(dot_3(hash_3(i, j, k + c, seed), u, v, below),
                           dot_3(hash_3(i + 1, j, k + c, seed), u - 1, v, below), su);
        float south = lerp(dot_3(hash_3(i, j + 1, k + c, seed), u, v - 1, below),
                           dot_3(hash_3(i + 1, j + 1, k + c, seed), u - 1, v - 1, below), su);
        level[c] = lerp(north, south, fade(v));
    }
    return lerp(level[0], level[1], fade(w));
}

/* Two cubic lattices half a cell apart, turned; the eight nodes around the place in each. */
static float opensimplex2s_3(double x, double y, double z, uint32_t seed)
{
    double turned = (x + y + z) * (2.0 / 3);
    float sum = 0;

    for (int lattice = 0; lattice < 2; lattice++) {
        double shift = 0.5 * lattice;
        double p = turned - x + shift, q = turned - y + shift, r = turned - z + shift;
        double fp = floor(p), fq = floor(q), fr = floor(r);
        for (int c = 0; c < 8; c++) {
            int i = c & 1, j = c >> 1 & 1, k = c >> 2;
            float dx = (float)(p - fp) - (float)i, dy = (float)(q - fq) - (float)j;
            float dz = (float)(r - fr) - (float)k, w = 0.75f - (dx * dx + dy * dy + dz * dz);
            uint32_t h = hash_3((int64_t)fp + i, (int64_t)fq + j, (int64_t)fr + k,
                                seed + 77u * (uint32_t)lattice);
            sum += w > 0 ? w * w * w * w * dot_3(h, dx, dy, dz) : 0;
        }
    }
    return sum;
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

#define FILL(kind)                                                     \
    void scalar_##kind(void *tile)                                     \
    {                                                                  \
        const struct scalar_tile *t = tile;                            \
        for (int j = 0; j < t->side; j++)                              \
            for (int i = 0; i < t->side; i++) {                        \
                double x = t->x + i * t->step, y = t->y + j * t->step; \
                float sum = 0, gain = 1;                               \
                for (int o = 0; o < t->octaves; o++) {                 \
                    sum += gain * kind(x, y, 1337u + (uint32_t)o);     \
                    x *= 2;                                            \
                    y *= 2;                                            \
                    gain *= 0.5f;                                      \
                }                                                      \
                t->out[j * t->side + i] = sum;                         \
            }                                                          \
    }
FILL(perlin)
FILL(value)
FILL(simplex)
FILL(opensimplex2s)
FILL(cellular)
FILL(white)
#undef FILL

/* All octaves of 3-D noise at one place. */
#define SUM(kind)                                                      \
    static float sum_##kind(double x, double y, double z, int octaves) \
    {                                                                  \
        float sum = 0, gain = 1;                                       \
        for (int o = 0; o < octaves; o++) {                            \
            sum += gain * kind(x, y, z, 1337u + (uint32_t)o);          \
            x *= 2;                                                    \
            y *= 2;                                                    \
            z *= 2;                                                    \
            gain *= 0.5f;                                              \
        }                                                              \
        return sum;                                                    \
    }
SUM(perlin_3)
SUM(opensimplex2s_3)
#undef SUM

void scalar_perlin_slice(void *tile)
{
    const struct scalar_tile *t = tile;

    for (int j = 0; j < t->side; j++)
        for (int i = 0; i < t->side; i++)
            t->out[j * t->side + i] =
                sum_perlin_3(t->x + i * t->step, t->y + j * t->step, 0.5, t->octaves);
}

static const double pi = 3.14159265358979323846;

void scalar_perlin_planet(void *tile)
{
    const struct scalar_tile *t = tile;
    double radius = 8 / (2 * pi);

    for (int j = 0; j < t->side; j++)
        for (int i = 0; i < t->side; i++) {
            double lon = 2 * pi * (t->x + i * t->step - 0.5);
            double lat = atan(sinh(pi * (1 - 2 * (t->y + j * t->step))));
            t->out[j * t->side + i] =
                sum_perlin_3(radius * cos(lat) * cos(lon), radius * cos(lat) * sin(lon),
                             radius * sin(lat), t->octaves);
        }
}

void scalar_opensimplex2s_cylinder(void *tile)
{
    const struct scalar_tile *t = tile;
    double radius = 8 / (2 * pi);

    for (int j = 0; j < t->side; j++)
        for (int i = 0; i < t->side; i++) {
            double lon = 2 * pi * (t->x + i * t->step);
            t->out[j * t->side + i] = sum_opensimplex2s_3(radius * cos(lon), radius * sin(lon),
                                                          8 * (t->y + j * t->step), t->octaves);
        }
}
