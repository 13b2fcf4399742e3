/* rombauts.c - simplex-rombauts: simplex noise in float, 1-D, 2-D and its fractal. What it is and
 * where it comes from: dialects.h. The order of operations is the definition. */
#include <math.h>

#include "core/dialects/dialects.h"
#include "core/dialects/permutation.h"

/* ---- One octave ------------------------------------------------------------------------------ */

static bool in_reach(float x)
{
    return fabsf(x) <= NT_ROMBAUTS_REACH; /* NaN is not */
}

/* |v| is below 2^31: at most 1.74 times NT_ROMBAUTS_REACH, after skewing. */
static int32_t floor_of(float v)
{
    int32_t i = (int32_t)v;

    return i - (v < (float)i);
}

static uint32_t hash(uint32_t n)
{
    return nt_permutation[n & 255];
}

static float corner_1d(uint32_t h, float d)
{
    float slope = (float)(1 + (h & 7)); /* 1...8 */
    float t = 1.0f - d * d;

    if (h & 8)
        slope = -slope;
    t *= t;
    return t * t * (slope * d);
}

float nt_rombauts_1d(float x)
{
    if (!in_reach(x))
        return NAN;
    int32_t i = floor_of(x);
    float d0 = x - (float)i, d1 = d0 - 1.0f;

    return 0.395f * (corner_1d(hash((uint32_t)i), d0) + corner_1d(hash((uint32_t)i + 1), d1));
}

static float corner_2d(uint32_t h, float x, float y)
{
    float r = 0.5f - x * x - y * y;

    if (r < 0.0f)
        return 0.0f;
    h &= 63;
    float a = h < 4 ? x : y, b = h < 4 ? y : x; /* h < 8 was meant, of 3 bits */
    float gradient = (h & 1 ? -a : a) + (h & 2 ? -2.0f * b : 2.0f * b);
    r *= r;
    return r * r * gradient;
}

float nt_rombauts_2d(float x, float y)
{
    static const float skew = 0.366025403f;   /* (sqrt(3) - 1) / 2 */
    static const float unskew = 0.211324865f; /* (3 - sqrt(3)) / 6 */

    if (!in_reach(x) || !in_reach(y))
        return NAN;
    float s = (x + y) * skew;
    int32_t i = floor_of(x + s), j = floor_of(y + s);
    float t = (float)(i + j) * unskew;
    float x0 = x - ((float)i - t), y0 = y - ((float)j - t);
    bool lower = x0 > y0; /* which triangle of the cell */
    uint32_t i1 = lower ? 1 : 0, j1 = lower ? 0 : 1;
    float x1 = x0 - (float)i1 + unskew, y1 = y0 - (float)j1 + unskew;
    float x2 = x0 - 1.0f + 2.0f * unskew, y2 = y0 - 1.0f + 2.0f * unskew;
    uint32_t u = (uint32_t)i, v = (uint32_t)j;
    float n0 = corner_2d(hash(u + hash(v)), x0, y0);
    float n1 = corner_2d(hash(u + i1 + hash(v + j1)), x1, y1);
    float n2 = corner_2d(hash(u + 1 + hash(v + 1)), x2, y2);

    return 45.23065f * (n0 + n1 + n2);
}

/* ---- Fractal --------------------------------------------------------------------------------- */

float nt_rombauts_fractal_1d(const struct nt_rombauts_fractal *fractal, float x)
{
    float sum = 0.0f, divisor = 0.0f, f = fractal->frequency, a = fractal->amplitude;

    for (size_t o = 0; o < fractal->octaves; o++) {
        sum += a * nt_rombauts_1d(x * f);
        divisor += a;
        f *= fractal->lacunarity;
        a *= fractal->persistence;
    }
    return divisor == 0.0f ? NAN : sum / divisor;
}

float nt_rombauts_fractal_2d(const struct nt_rombauts_fractal *fractal, float x, float y)
{
    float sum = 0.0f, divisor = 0.0f, f = fractal->frequency, a = fractal->amplitude;

    for (size_t o = 0; o < fractal->octaves; o++) {
        sum += a * nt_rombauts_2d(x * f, y * f);
        divisor += a;
        f *= fractal->lacunarity;
        a *= fractal->persistence;
    }
    return divisor == 0.0f ? NAN : sum / divisor;
}

float nt_rombauts_divisor(const struct nt_rombauts_fractal *fractal)
{
    float divisor = 0.0f, a = fractal->amplitude;

    for (size_t o = 0; o < fractal->octaves; o++) {
        divisor += a;
        a *= fractal->persistence;
    }
    return divisor;
}

/* Rounding is monotonic, so the farthest position decides for all. */
bool nt_rombauts_fits(const struct nt_rombauts_fractal *fractal, float reach)
{
    float f = fractal->frequency;

    for (size_t o = 0; o < fractal->octaves; o++) {
        if (!in_reach(reach * f))
            return false;
        f *= fractal->lacunarity;
    }
    return true;
}
