/*
 * sphere.c - the inverse of the Mercator projection, and circles: from u and v to places on a
 * cylinder or sphere of circumference 1. The C library's sin, cos and exp differ from version to
 * version, so the three are written here from single IEEE operations, each within 4 ulp and
 * continuous.
 */
#include "core/sphere.h"

#include <math.h>

static const double pi = 3.14159265358979311600;

/* ---- exp ------------------------------------------------------------------------------------- */

/*
 * x = k ln 2 + r with |r| <= ln 2 / 2; ln 2 in two parts, so that r is exact but for one rounding.
 * exp r is its Taylor series to r^13, whose rest is below 2^-57 there.
 */
double nt_exp(double x)
{
    static const double log2e = 1.44269504088896338700, ln2_high = 6.93147180369123816490e-01,
                        ln2_low = 1.90821492927058770002e-10;
    double limited = x < -700.0 ? -700.0 : x > 700.0 ? 700.0 : x; /* far beyond any map */
    double k = floor(limited * log2e + 0.5), r = (limited - k * ln2_high) - k * ln2_low, sum = 1.0;

    for (int n = 13; n > 0; n--)
        sum = 1.0 + sum * r / n;
    return ldexp(sum, (int)k);
}

/* ---- sin and cos of turns -------------------------------------------------------------------- */

/* sin and cos of an angle of |r| <= pi / 4: Taylor series, whose rests are below 2^-57. */
static double sine(double r)
{
    double rr = r * r, sum = 1.0;

    for (int n = 16; n > 0; n -= 2)
        sum = 1.0 - sum * rr / (n * (n + 1));
    return sum * r;
}

static double cosine(double r)
{
    double rr = r * r, sum = 1.0;

    for (int n = 17; n > 0; n -= 2)
        sum = 1.0 - sum * rr / (n * (n + 1));
    return sum;
}

/* Quarter turns are exact in u, so no angle is ever reduced by a rounded pi. */
void nt_turn(double u, double *x, double *y)
{
    double quarters = floor(u * 4.0 + 0.5), r = (u - quarters / 4.0) * (2.0 * pi);
    int quadrant = (int)(quarters - 4.0 * floor(quarters / 4.0));
    double s = sine(r), c = cosine(r);

    *x = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
    *y = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
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
static double exp_pi(double t)
{
    static const double a = 3.14159262180328369140625, b = 3.1786509424591713469e-08,
                        c = 1.2246467991473532e-16; /* pi = a + b + c */
    double high = (double)(float)t, low = t - high;
    double exact = a * high, rest = a * low + (b * high + (b * low + c * t)), sum = exact + rest;

    return nt_exp(sum) * (1.0 + (rest - (sum - exact)));
}

/*
 * The latitude's cosine is sech y, its sine tanh y, y = pi (1 - 2 v) being the projection's
 * ordinate.
 */
void nt_latitude(double v, double *cosine_out, double *sine_out)
{
    double t = 1.0 - 2.0 * v, limited = t < -200.0 ? -200.0 : t > 200.0 ? 200.0 : t; /* a pole */
    double e = exp_pi(limited), inverse = 1.0 / e, sum = e + inverse;

    *cosine_out = 2.0 / sum;
    *sine_out = (e - inverse) / sum;
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
