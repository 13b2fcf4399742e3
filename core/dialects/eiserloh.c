/* eiserloh.c - perlin-eiserloh and perlin-eiserloh-recursive: Perlin noise in float with unit
 * gradients. What they are and where they come from: dialects.h. The order of operations is the
 * definition. */
#include <math.h>

#include "core/dialects/dialects.h"

/* ---- Gradients ------------------------------------------------------------------------------- */

/*
 * cos and sin of 2 pi i / 255, rounded to 7 decimals and 0 instead of -0:
 *   python3 -c 'from math import *
 *   for i in range(256):
 *       print(*("%.7f" % (round(f(2 * pi * i / 255), 7) + 0.0) for f in (cos, sin)))'
 */
static const struct nt_eiserloh_unit units[256] = {
    {1.0000000f, 0.0000000f},   {0.9996965f, 0.0246374f},   {0.9987860f, 0.0492599f},
    {0.9972692f, 0.0738525f},   {0.9951469f, 0.0984003f},   {0.9924205f, 0.1228883f},
    {0.9890916f, 0.1473017f},   {0.9851622f, 0.1716257f},   {0.9806348f, 0.1958455f},
    {0.9755120f, 0.2199464f},   {0.9697969f, 0.2439137f},   {0.9634931f, 0.2677330f},
    {0.9566044f, 0.2913897f},   {0.9491349f, 0.3148696f},   {0.9410893f, 0.3381583f},
    {0.9324722f, 0.3612417f},   {0.9232891f, 0.3841057f},   {0.9135455f, 0.4067366f},
    {0.9032472f, 0.4291206f},   {0.8924006f, 0.4512441f},   {0.8810122f, 0.4730936f},
    {0.8690889f, 0.4946558f},   {0.8566381f, 0.5159178f},   {0.8436671f, 0.5368666f},
    {0.8301840f, 0.5574894f},   {0.8161969f, 0.5777738f},   {0.8017143f, 0.5977075f},
    {0.7867449f, 0.6172782f},   {0.7712980f, 0.6364742f},   {0.7553827f, 0.6552839f},
    {0.7390089f, 0.6736956f},   {0.7221865f, 0.6916984f},   {0.7049255f, 0.7092813f},
    {0.6872367f, 0.7264336f},   {0.6691306f, 0.7431448f},   {0.6506183f, 0.7594049f},
    {0.6317110f, 0.7752040f},   {0.6124202f, 0.7905324f},   {0.5927576f, 0.8053809f},
    {0.5727351f, 0.8197405f},   {0.5523650f, 0.8336024f},   {0.5316595f, 0.8469582f},
    {0.5106312f, 0.8597999f},   {0.4892929f, 0.8721195f},   {0.4676576f, 0.8839097f},
    {0.4457384f, 0.8951633f},   {0.4235485f, 0.9058734f},   {0.4011015f, 0.9160336f},
    {0.3784111f, 0.9256377f},   {0.3554908f, 0.9346798f},   {0.3323548f, 0.9431544f},
    {0.3090170f, 0.9510565f},   {0.2854916f, 0.9583812f},   {0.2617929f, 0.9651241f},
    {0.2379352f, 0.9712810f},   {0.2139331f, 0.9768483f},   {0.1898011f, 0.9818226f},
    {0.1655539f, 0.9862007f},   {0.1412062f, 0.9899802f},   {0.1167727f, 0.9931587f},
    {0.0922684f, 0.9957342f},   {0.0677080f, 0.9977052f},   {0.0431065f, 0.9990705f},
    {0.0184789f, 0.9998293f},   {-0.0061599f, 0.9999810f},  {-0.0307951f, 0.9995257f},
    {-0.0554115f, 0.9984636f},  {-0.0799943f, 0.9967953f},  {-0.1045285f, 0.9945219f},
    {-0.1289992f, 0.9916447f},  {-0.1533917f, 0.9881655f},  {-0.1776910f, 0.9840863f},
    {-0.2018824f, 0.9794098f},  {-0.2259513f, 0.9741386f},  {-0.2498830f, 0.9682760f},
    {-0.2736630f, 0.9618256f},  {-0.2972769f, 0.9547913f},  {-0.3207102f, 0.9471774f},
    {-0.3439489f, 0.9389884f},  {-0.3669788f, 0.9302293f},  {-0.3897859f, 0.9209055f},
    {-0.4123563f, 0.9110226f},  {-0.4346764f, 0.9005867f},  {-0.4567326f, 0.8896040f},
    {-0.4785116f, 0.8780812f},  {-0.5000000f, 0.8660254f},  {-0.5211849f, 0.8534438f},
    {-0.5420534f, 0.8403441f},  {-0.5625928f, 0.8267342f},  {-0.5827906f, 0.8126224f},
    {-0.6026346f, 0.7980172f},  {-0.6221128f, 0.7829276f},  {-0.6412133f, 0.7673627f},
    {-0.6599245f, 0.7513319f},  {-0.6782351f, 0.7348450f},  {-0.6961339f, 0.7179119f},
    {-0.7136102f, 0.7005430f},  {-0.7306531f, 0.6827489f},  {-0.7472525f, 0.6645402f},
    {-0.7633983f, 0.6459281f},  {-0.7790806f, 0.6269238f},  {-0.7942899f, 0.6075389f},
    {-0.8090170f, 0.5877853f},  {-0.8232529f, 0.5676747f},  {-0.8369891f, 0.5472195f},
    {-0.8502171f, 0.5264322f},  {-0.8629290f, 0.5053252f},  {-0.8751170f, 0.4839114f},
    {-0.8867737f, 0.4622039f},  {-0.8978920f, 0.4402157f},  {-0.9084653f, 0.4179603f},
    {-0.9184870f, 0.3954512f},  {-0.9279511f, 0.3727020f},  {-0.9368518f, 0.3497265f},
    {-0.9451838f, 0.3265387f},  {-0.9529420f, 0.3031527f},  {-0.9601216f, 0.2795826f},
    {-0.9667184f, 0.2558428f},  {-0.9727283f, 0.2319476f},  {-0.9781476f, 0.2079117f},
    {-0.9829731f, 0.1837495f},  {-0.9872018f, 0.1594758f},  {-0.9908313f, 0.1351052f},
    {-0.9938591f, 0.1106527f},  {-0.9962837f, 0.0861329f},  {-0.9981033f, 0.0615609f},
    {-0.9993171f, 0.0369515f},  {-0.9999241f, 0.0123197f},  {-0.9999241f, -0.0123197f},
    {-0.9993171f, -0.0369515f}, {-0.9981033f, -0.0615609f}, {-0.9962837f, -0.0861329f},
    {-0.9938591f, -0.1106527f}, {-0.9908313f, -0.1351052f}, {-0.9872018f, -0.1594758f},
    {-0.9829731f, -0.1837495f}, {-0.9781476f, -0.2079117f}, {-0.9727283f, -0.2319476f},
    {-0.9667184f, -0.2558428f}, {-0.9601216f, -0.2795826f}, {-0.9529420f, -0.3031527f},
    {-0.9451838f, -0.3265387f}, {-0.9368518f, -0.3497265f}, {-0.9279511f, -0.3727020f},
    {-0.9184870f, -0.3954512f}, {-0.9084653f, -0.4179603f}, {-0.8978920f, -0.4402157f},
    {-0.8867737f, -0.4622039f}, {-0.8751170f, -0.4839114f}, {-0.8629290f, -0.5053252f},
    {-0.8502171f, -0.5264322f}, {-0.8369891f, -0.5472195f}, {-0.8232529f, -0.5676747f},
    {-0.8090170f, -0.5877853f}, {-0.7942899f, -0.6075389f}, {-0.7790806f, -0.6269238f},
    {-0.7633983f, -0.6459281f}, {-0.7472525f, -0.6645402f}, {-0.7306531f, -0.6827489f},
    {-0.7136102f, -0.7005430f}, {-0.6961339f, -0.7179119f}, {-0.6782351f, -0.7348450f},
    {-0.6599245f, -0.7513319f}, {-0.6412133f, -0.7673627f}, {-0.6221128f, -0.7829276f},
    {-0.6026346f, -0.7980172f}, {-0.5827906f, -0.8126224f}, {-0.5625928f, -0.8267342f},
    {-0.5420534f, -0.8403441f}, {-0.5211849f, -0.8534438f}, {-0.5000000f, -0.8660254f},
    {-0.4785116f, -0.8780812f}, {-0.4567326f, -0.8896040f}, {-0.4346764f, -0.9005867f},
    {-0.4123563f, -0.9110226f}, {-0.3897859f, -0.9209055f}, {-0.3669788f, -0.9302293f},
    {-0.3439489f, -0.9389884f}, {-0.3207102f, -0.9471774f}, {-0.2972769f, -0.9547913f},
    {-0.2736630f, -0.9618256f}, {-0.2498830f, -0.9682760f}, {-0.2259513f, -0.9741386f},
    {-0.2018824f, -0.9794098f}, {-0.1776910f, -0.9840863f}, {-0.1533917f, -0.9881655f},
    {-0.1289992f, -0.9916447f}, {-0.1045285f, -0.9945219f}, {-0.0799943f, -0.9967953f},
    {-0.0554115f, -0.9984636f}, {-0.0307951f, -0.9995257f}, {-0.0061599f, -0.9999810f},
    {0.0184789f, -0.9998293f},  {0.0431065f, -0.9990705f},  {0.0677080f, -0.9977052f},
    {0.0922684f, -0.9957342f},  {0.1167727f, -0.9931587f},  {0.1412062f, -0.9899802f},
    {0.1655539f, -0.9862007f},  {0.1898011f, -0.9818226f},  {0.2139331f, -0.9768483f},
    {0.2379352f, -0.9712810f},  {0.2617929f, -0.9651241f},  {0.2854916f, -0.9583812f},
    {0.3090170f, -0.9510565f},  {0.3323548f, -0.9431544f},  {0.3554908f, -0.9346798f},
    {0.3784111f, -0.9256377f},  {0.4011015f, -0.9160336f},  {0.4235485f, -0.9058734f},
    {0.4457384f, -0.8951633f},  {0.4676576f, -0.8839097f},  {0.4892929f, -0.8721195f},
    {0.5106312f, -0.8597999f},  {0.5316595f, -0.8469582f},  {0.5523650f, -0.8336024f},
    {0.5727351f, -0.8197405f},  {0.5927576f, -0.8053809f},  {0.6124202f, -0.7905324f},
    {0.6317110f, -0.7752040f},  {0.6506183f, -0.7594049f},  {0.6691306f, -0.7431448f},
    {0.6872367f, -0.7264336f},  {0.7049255f, -0.7092813f},  {0.7221865f, -0.6916984f},
    {0.7390089f, -0.6736956f},  {0.7553827f, -0.6552839f},  {0.7712980f, -0.6364742f},
    {0.7867449f, -0.6172782f},  {0.8017143f, -0.5977075f},  {0.8161969f, -0.5777738f},
    {0.8301840f, -0.5574894f},  {0.8436671f, -0.5368666f},  {0.8566381f, -0.5159178f},
    {0.8690889f, -0.4946558f},  {0.8810122f, -0.4730936f},  {0.8924006f, -0.4512441f},
    {0.9032472f, -0.4291206f},  {0.9135455f, -0.4067366f},  {0.9232891f, -0.3841057f},
    {0.9324722f, -0.3612417f},  {0.9410893f, -0.3381583f},  {0.9491349f, -0.3148696f},
    {0.9566044f, -0.2913897f},  {0.9634931f, -0.2677330f},  {0.9697969f, -0.2439137f},
    {0.9755120f, -0.2199464f},  {0.9806348f, -0.1958455f},  {0.9851622f, -0.1716257f},
    {0.9890916f, -0.1473017f},  {0.9924205f, -0.1228883f},  {0.9951469f, -0.0984003f},
    {0.9972692f, -0.0738525f},  {0.9987860f, -0.0492599f},  {0.9996965f, -0.0246374f},
    {1.0000000f, 0.0000000f},
};

/* 31 bits; n is a node's number, modulo 2^32. */
static uint32_t hash(uint32_t n)
{
    uint32_t b = (n << 13) ^ n;

    return (b * (b * b * 15731u + 789221u) + 1376312589u) & 0x7fffffffu;
}

uint32_t nt_eiserloh_hash(uint32_t x, uint32_t y, uint32_t seed)
{
    return hash(x + 57u * y + seed + 95651u);
}

struct nt_eiserloh_unit nt_eiserloh_table_unit(uint32_t hash)
{
    return units[hash & 255];
}

/*
 * Sine and cosine for |r| <= pi/4 and a hair, in double: Taylor's series, whose first term left out
 * is below 2e-15. Rounded to float they are as good as exact, and equal on every machine, which a C
 * library's are not.
 */
static double sine(double r)
{
    double s = r * r;

    return r + r * s *
                   (-1.0 / 6 +
                    s * (1.0 / 120 +
                         s * (-1.0 / 5040 + s * (1.0 / 362880 + s * (-1.0 / 39916800 +
                                                                     s * (1.0 / 6227020800.0))))));
}

static double cosine(double r)
{
    double s = r * r;

    return 1.0 +
           s * (-1.0 / 2 +
                s * (1.0 / 24 + s * (-1.0 / 720 +
                                     s * (1.0 / 40320 + s * (-1.0 / 3628800 +
                                                             s * (1.0 / 479001600 +
                                                                  s * (-1.0 / 87178291200.0)))))));
}

/* The angle is rounded to float first, as the original does; then quarter turns are taken off. */
struct nt_eiserloh_unit nt_eiserloh_angle_unit(uint32_t hash)
{
    static const double two_over_pi = 0x1.45f306dc9c883p-1;
    static const double half_pi = 0x1.921fb544p+0;            /* 33 bits: its multiples are exact */
    static const double half_pi_rest = 0x1.0b4611a626331p-34; /* pi/2 without them */

    float angle = (float)(hash & 0x7fffffffu) * (6.28318531f / 2147483648.0f);
    int quarter = (int)((double)angle * two_over_pi + 0.5); /* 0...4 */
    double r = (double)angle - quarter * half_pi - quarter * half_pi_rest;
    float s = (float)sine(r), c = (float)cosine(r);

    switch (quarter & 3) {
    case 0:
        return (struct nt_eiserloh_unit){c, s};
    case 1:
        return (struct nt_eiserloh_unit){-s, c};
    case 2:
        return (struct nt_eiserloh_unit){-c, -s};
    default:
        return (struct nt_eiserloh_unit){s, -c};
    }
}

/* ---- One octave ------------------------------------------------------------------------------ */

/* A position in its cell. */
struct place {
    uint32_t x, y; /* the cell's lower corner, modulo 2^32 */
    float u, v;    /* [0, 1] from there */
};

static bool in_reach(float p)
{
    return fabsf(p) < 0x1p31f; /* NaN is not */
}

/* p is in reach. A fraction below half an ulp rounds to 1, as in the original. */
static float split(float p, uint32_t *cell)
{
    int32_t i = (int32_t)p;

    i -= p < (float)i; /* then |p| is below 2^23 */
    *cell = (uint32_t)i;
    return p - (float)i;
}

static bool find_place(float x, float y, float cell_size, struct place *place)
{
    float p = x / cell_size, q = y / cell_size;

    if (!in_reach(p) || !in_reach(q))
        return false;
    place->u = split(p, &place->x);
    place->v = split(q, &place->y);
    return true;
}

static float fade(float t)
{
    return t * t * (3.0f - 2.0f * t);
}

static float dot(struct nt_eiserloh_unit g, float x, float y)
{
    return g.x * x + g.y * y;
}

/* Gradients at south-west, south-east, north-west and north-east; y grows to the north. */
static float blend(const struct place *place, const struct nt_eiserloh_unit at[4])
{
    float u = place->u, v = place->v;
    float east = fade(u), north = fade(v), west = 1.0f - east, south = 1.0f - north;
    float lower = east * dot(at[1], u - 1.0f, v) + west * dot(at[0], u, v);
    float upper = east * dot(at[3], u - 1.0f, v - 1.0f) + west * dot(at[2], u, v - 1.0f);

    return south * lower + north * upper;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

float nt_eiserloh_cell_size(double frequency)
{
    return (float)(1.0 / frequency);
}

float nt_eiserloh_2d(const struct nt_eiserloh *noise, uint32_t seed, float x, float y)
{
    float sum = 0.0f, amplitude = noise->amplitude, size = noise->cell_size;

    for (size_t o = 0; o < noise->octaves; o++) {
        struct nt_eiserloh_unit at[4];
        struct place place;
        if (!find_place(x, y, size, &place))
            return NAN;
        for (uint32_t k = 0; k < 4; k++)
            at[k] = nt_eiserloh_table_unit(
                nt_eiserloh_hash(place.x + (k & 1), place.y + (k >> 1), seed));
        sum += amplitude * blend(&place, at);
        amplitude *= noise->persistence;
        size *= 0.5f;
    }
    return sum;
}

float nt_eiserloh_recursive_2d(const struct nt_eiserloh *noise, float x, float y)
{
    struct nt_eiserloh finer = *noise;
    struct nt_eiserloh_unit at[4];
    struct place place;

    if (noise->octaves == 0)
        return 0.0f;
    if (!find_place(x, y, noise->cell_size, &place))
        return NAN;
    for (uint32_t k = 0; k < 4; k++)
        at[k] = nt_eiserloh_angle_unit(hash(place.x + (k & 1) + 57u * (place.y + (k >> 1))));
    finer.octaves--;
    finer.amplitude *= noise->persistence;
    finer.cell_size *= 0.5f;
    return noise->amplitude * blend(&place, at) + nt_eiserloh_recursive_2d(&finer, x, y);
}

/* Rounding is monotonic, so the farthest position decides for all. */
bool nt_eiserloh_fits(const struct nt_eiserloh *noise, float reach)
{
    float size = noise->cell_size;

    for (size_t o = 0; o < noise->octaves; o++, size *= 0.5f)
        if (!in_reach(reach / size))
            return false;
    return true;
}
