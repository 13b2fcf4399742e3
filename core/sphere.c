/*
 * sphere.c - the inverse of the Mercator projection, and circles: from u and v to places on a
 * cylinder or sphere of circumference 1. The C library's sin, cos and exp differ from version to
 * version, so the three are written here from single IEEE operations, each within 4 ulp and
 * continuous. They work on four numbers at once: nearly all of the time goes to the divisions of
 * their series, and a vector of them takes little more than one.
 */
#include "core/sphere.h"

#include <math.h>

#include "core/lanes.h"

static const double pi = 3.14159265358979311600;

/* ---- Vectors --------------------------------------------------------------------------------- */

NT_INLINE d4 clamped(d4 x, double limit)
{
    x = select_d4((l4)(x < -limit), splat_d4(-limit), x);
    return select_d4((l4)(x > limit), splat_d4(limit), x);
}

/* The largest whole number that is not above x, whatever x: from 2^52 on every double is whole. */
NT_INLINE d4 floor_any(d4 x)
{
    l4 sign = (l4)x & INT64_MIN;
    d4 size = (d4)((l4)x & INT64_MAX), whole = (d4)((l4)((size + 0x1p52) - 0x1p52) | sign);

    whole -= select_d4((l4)(whole > x), splat_d4(1.0), splat_d4(0.0));
    return select_d4((l4)(size < 0x1p52), whole, x);
}

/* 2^k for whole numbers -1022 <= k <= 1023: k in the lowest bits of a sum, then the exponent's. */
NT_INLINE d4 power_of_two(d4 k)
{
    return (d4)(((l4)(k + 0x1.8p52) + 1023) << 52);
}

/* ---- exp ------------------------------------------------------------------------------------- */

/*
 * x = k ln 2 + r with |r| <= ln 2 / 2; ln 2 in two parts, so that r is exact but for one rounding.
 * exp r is its Taylor series to r^13, whose rest is below 2^-57 there.
 */
NT_INLINE d4 exponential(d4 x)
{
    static const double log2e = 1.44269504088896338700, ln2_high = 6.93147180369123816490e-01,
                        ln2_low = 1.90821492927058770002e-10;
    d4 limited = clamped(x, 700.0); /* far beyond any map */
    d4 k = floor_any(limited * log2e + 0.5), r = (limited - k * ln2_high) - k * ln2_low;
    d4 sum = splat_d4(1.0);

    for (int n = 13; n > 0; n--)
        sum = 1.0 + sum * r / (double)n;
    return sum * power_of_two(k);
}

double nt_exp(double x)
{
    return exponential(splat_d4(x))[0];
}

/* ---- sin and cos of turns -------------------------------------------------------------------- */

/* sin and cos of an angle of |r| <= pi / 4: Taylor series, whose rests are below 2^-57. */
NT_INLINE d4 sine(d4 r)
{
    d4 rr = r * r, sum = splat_d4(1.0);

    for (int n = 16; n > 0; n -= 2)
        sum = 1.0 - sum * rr / (double)(n * (n + 1));
    return sum * r;
}

NT_INLINE d4 cosine(d4 r)
{
    d4 rr = r * r, sum = splat_d4(1.0);

    for (int n = 17; n > 0; n -= 2)
        sum = 1.0 - sum * rr / (double)(n * (n + 1));
    return sum;
}

/* Quarter turns are exact in u, so no angle is ever reduced by a rounded pi. */
NT_INLINE void turn(d4 u, d4 *x, d4 *y)
{
    d4 quarters = floor_any(u * 4.0 + 0.5), r = (u - quarters / 4.0) * (2.0 * pi);
    d4 quadrant = quarters - 4.0 * floor_any(quarters / 4.0), s = sine(r), c = cosine(r);
    l4 second = (l4)(quadrant == 1.0), third = (l4)(quadrant == 2.0),
       fourth = (l4)(quadrant == 3.0);
    l4 x_sign = (second | third) & INT64_MIN, y_sign = (third | fourth) & INT64_MIN;

    *x = (d4)((l4)select_d4(second | fourth, s, c) ^ x_sign);
    *y = (d4)((l4)select_d4(second | fourth, c, s) ^ y_sign);
}

/* ---- log ------------------------------------------------------------------------------------- */

/* x = m 2^k with m around 1; log m = 2 atanh((m - 1) / (m + 1)), its series to the 25th power. */
static double natural_log(double x)
{
    int k;
    double m = frexp(x, &k), sum = 0.0;

    if (m < 0.70710678118654752440) {
        m *= 2.0;
        k--;
    }
    double f = (m - 1.0) / (m + 1.0), ff = f * f;
    for (int n = 25; n > 0; n -= 2)
        sum = sum * ff + 1.0 / n;
    return 2.0 * f * sum + k * 0.69314718055994530942;
}

/* ---- Mercator -------------------------------------------------------------------------------- */

/*
 * exp(pi t) for |t| below some thousands. The product's rounding would cost the exponential two
 * ulp, so it is made in two parts: pi in pieces of 26 and 27 bits and a rest, t in pieces of 24
 * and 29.
 */
NT_INLINE d4 exp_pi(d4 t)
{
    static const double a = 3.14159262180328369140625, b = 3.1786509424591713469e-08,
                        c = 1.2246467991473532e-16; /* pi = a + b + c */
    d4 high = __builtin_convertvector(__builtin_convertvector(t, f4), d4), low = t - high;
    d4 exact = a * high, rest = a * low + (b * high + (b * low + c * t)), sum = exact + rest;

    return exponential(sum) * (1.0 + (rest - (sum - exact)));
}

/*
 * The latitude's cosine is sech y, its sine tanh y, y = pi (1 - 2 v) being the projection's
 * ordinate.
 */
NT_INLINE void latitude(d4 v, d4 *cosine_out, d4 *sine_out)
{
    d4 e = exp_pi(clamped(1.0 - 2.0 * v, 200.0)); /* a pole */
    d4 inverse = 1.0 / e, sum = e + inverse;

    *cosine_out = 2.0 / sum;
    *sine_out = (e - inverse) / sum;
}

/* ---- Many at once ---------------------------------------------------------------------------- */

/* Numbers i to i + 4; those beyond n are 0. */
NT_INLINE d4 load_some(const double *from, size_t i, size_t n)
{
    d4 v = splat_d4(0.0);

    if (i + 4 <= n)
        return load_d4(from + i);
    memcpy(&v, from + i, (n - i) * sizeof *from);
    return v;
}

NT_INLINE void store_some(double *to, size_t i, size_t n, d4 v)
{
    memcpy(to + i, &v, (n - i < 4 ? n - i : 4) * sizeof *to);
}

void nt_turns(const double *u, size_t n, double *x, double *y)
{
    for (size_t i = 0; i < n; i += 4) {
        d4 at_x, at_y;
        turn(load_some(u, i, n), &at_x, &at_y);
        store_some(x, i, n, at_x);
        store_some(y, i, n, at_y);
    }
}

void nt_latitudes(const double *v, size_t n, double *cosines, double *sines)
{
    for (size_t i = 0; i < n; i += 4) {
        d4 c, s;
        latitude(load_some(v, i, n), &c, &s);
        store_some(cosines, i, n, c);
        store_some(sines, i, n, s);
    }
}

void nt_turn(double u, double *x, double *y)
{
    nt_turns(&u, 1, x, y);
}

void nt_latitude(double v, double *cosine_out, double *sine_out)
{
    nt_latitudes(&v, 1, cosine_out, sine_out);
}

/*
 * The ordinate's y is asinh(tan lat) = log((1 + sin |lat|) / cos lat) with the sign of lat. At a
 * pole the
 * cosine is 0, and y as large as makes no difference on the sphere.
 */
double nt_mercator(double lat)
{
    double c, s;

    nt_turn(fabs(lat) / 360.0, &c, &s);
    double y = c > 1e-300 ? natural_log((1.0 + s) / c) : 690.0;
    return 0.5 - (lat < 0.0 ? -y : y) / (2.0 * pi);
}
