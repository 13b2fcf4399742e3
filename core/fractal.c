/*
 * fractal.c - the octave plan: which octaves of a specification are heard, and with which
 * frequency, seed, offset and weight. Next: lattice.h for what a kind does with an octave, fill.c
 * for the loop over them.
 */
#include <math.h>
#include <string.h>

#include "core/internal.h"

/* ---- Seeds ----------------------------------------------------------------------------------- */

/* A bijection of 64 bits with good avalanche: the finaliser of SplitMix64 (Steele, Lea, Flood
 * 2014). */
static uint64_t mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio, odd */

/*
 * Each axis has a key of its own, made from seed, octave and axis through different bijections. For
 * octave o of one seed to coincide with octave o + 1 of another, the keys of both axes would have
 * to.
 */
static void seed_axis(struct nt_octave_axis *axis, uint64_t seed, int octave, int index)
{
    uint64_t start = mix64(seed ^ mix64(golden * (uint64_t)(index + 1)));
    uint64_t state = mix64(start + golden * (uint64_t)(octave + 1));

    axis->key = mix64(state + golden);
    axis->offset = (double)(mix64(state + 2 * golden) >> 11) * 0x1p-53;
}

/* ---- Weights --------------------------------------------------------------------------------- */

/* Band limit of an octave whose samples are s cells apart: 1 up to half a cell, a smoothstep to 0
 * at one. */
static double audible(double s)
{
    double x = 2.0 * (1.0 - s);

    if (s <= 0.5)
        return 1.0;
    return s >= 1.0 ? 0.0 : x * x * (3.0 - 2.0 * x);
}

/* Rounds towards zero, so that the sum of the gains can't exceed what was divided up. */
static float float_toward_zero(double value)
{
    float nearest = (float)value;

    return fabs((double)nearest) > fabs(value) ? nextafterf(nearest, 0.0f) : nearest;
}

/* Cells per world: in the domains that close it must be a whole number, at least one. */
static double closing_frequency(const struct nt_spec *spec, double frequency)
{
    if (spec->domain == NT_DOMAIN_PLANE)
        return frequency;
    double whole = floor(frequency + 0.5);
    return whole < 1.0 ? 1.0 : whole;
}

static void set_periods(const struct nt_spec *spec, struct nt_octave *octave)
{
    int64_t cells = (int64_t)octave->frequency;

    octave->axis[0].period = spec->domain == NT_DOMAIN_PLANE ? 0 : cells;
    octave->axis[1].period = spec->domain == NT_DOMAIN_TORUS ? cells : 0;
}

void nt_plan_make(struct nt_plan *plan, const struct nt_spec *spec, double step)
{
    int octaves = spec->fractal == NT_FRACTAL_NONE ? 1 : (int)spec->octaves;
    bool limited = spec->lod == NT_LOD_AUTO && step > 0.0;
    double weight[NT_OCTAVES_MAX], divisor = 0.0;

    for (int o = 0; o < octaves; o++) {
        weight[o] = o ? weight[o - 1] * spec->persistence : 1.0;
        divisor += fabs(weight[o]);
    }

    plan->count = 0;
    double exact = spec->frequency;
    for (int o = 0; o < octaves; o++, exact *= spec->lacunarity) {
        struct nt_octave *octave = &plan->octave[plan->count];
        memset(octave, 0, sizeof *octave);
        octave->frequency = closing_frequency(spec, exact);
        double heard = limited ? audible(octave->frequency * step) : 1.0;
        octave->gain = float_toward_zero(spec->amplitude * (weight[o] / divisor) * heard);
        if (octave->gain == 0.0f || octave->frequency > NT_CELLS_MAX)
            continue;
        for (int axis = 0; axis < NT_AXES; axis++)
            seed_axis(&octave->axis[axis], (uint64_t)spec->seed, o, axis);
        set_periods(spec, octave);
        plan->count++;
    }
}
