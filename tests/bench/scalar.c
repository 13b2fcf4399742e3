/*
 * scalar.c - gradient noise evaluated pixel by pixel with hashing in every corner: the
 * straightforward program that the fill is compared with. Built at -O3 for the machine's own
 * instruction set.
 */
#include "tests/bench/scalar.h"

#include <math.h>
#include <stdint.h>

static uint32_t hash(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = seed ^ x * 0x9e3779b1u ^ y * 0x85ebca77u;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

static float corner(int64_t x, int64_t y, uint32_t seed, float dx, float dy)
{
    static const float gx[8] = {1, 0.70710678f, 0, -0.70710678f, -1, -0.70710678f, 0, 0.70710678f};
    uint32_t h = hash((uint32_t)x, (uint32_t)y, seed) >> 29;

    return gx[h] * dx + gx[(h + 2) & 7] * dy;
}

static float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static float noise(double x, double y, uint32_t seed)
{
    double fx = floor(x), fy = floor(y);
    int64_t ix = (int64_t)fx, iy = (int64_t)fy;
    float u = (float)(x - fx), v = (float)(y - fy), su = fade(u), sv = fade(v);
    float n = corner(ix, iy, seed, u, v), s = corner(ix, iy + 1, seed, u, v - 1);
    float ne = corner(ix + 1, iy, seed, u - 1, v), se = corner(ix + 1, iy + 1, seed, u - 1, v - 1);
    float north = n + su * (ne - n), south = s + su * (se - s);

    return north + sv * (south - north);
}

void scalar_fill(float *out, int side, double x0, double y0, double step, int octaves)
{
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double x = x0 + i * step, y = y0 + j * step;
            float sum = 0, gain = 1;
            for (int o = 0; o < octaves; o++, x *= 2, y *= 2, gain *= 0.5f)
                sum += gain * noise(x, y, 1337u + (uint32_t)o);
            out[j * side + i] = sum;
        }
}
