/*
 * fractal.c - the octave plan: which octaves a specification has, and with which frequency, seed,
 * offset and weight. Next: lattice.h for what a kind does with an octave, fill.c for the loop over
 * them.
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
 * Each axis of each field has a key of its own, made from seed, octave and axis through different
 * bijections. For octave o of one seed to coincide with octave o + 1 of another, the keys of all
 * axes would have to.
 */
static void seed_axis(struct nt_octave_axis *axis, uint64_t seed, int octave, int stream)
{
    uint64_t start = mix64(seed ^ mix64(golden * (uint64_t)(stream + 1)));
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

float nt_octave_gain(const struct nt_plan *plan, const struct nt_octave *octave, double step)
{
    double heard = plan->limited ? audible(octave->frequency * step) : 1.0;

    return float_toward_zero(octave->weight * heard);
}

/* ---- Lattices -------------------------------------------------------------------------------- */

static bool closes(const struct nt_spec *spec)
{
    return spec->domain == NT_DOMAIN_WORLD || spec->domain == NT_DOMAIN_TORUS;
}

/* Cells per world: in the domains that close it must be a whole number, at least one. */
static double closing_frequency(const struct nt_spec *spec, double frequency)
{
    double whole = floor(frequency + 0.5);

    if (!closes(spec))
        return frequency;
    return whole < 1.0 ? 1.0 : whole;
}

double nt_first_frequency(const struct nt_spec *spec)
{
    return closing_frequency(spec, spec->frequency);
}

/*
 * The third axis: t in cells of the first octave, so ratio times as many of this one's. With a
 * period, every octave's is a whole number of its own cells, and t is taken modulo it.
 */
static void set_time(const struct nt_spec *spec, struct nt_octave_axis *axis, double ratio)
{
    if (!spec->sliced)
        return;
    if (spec->t_period == 0) {
        axis->offset += spec->t * ratio;
        return;
    }
    double period = (double)spec->t_period, cells = floor(period * ratio + 0.5);
    if (cells > NT_CELLS_MAX) {
        axis->offset = cells; /* out of reach, says nt_reach_check */
        return;
    }
    double t = fmod(spec->t, period); /* exact on every machine, as IEEE 754 has it */
    axis->period = (int64_t)cells;
    axis->offset += (t < 0.0 ? t + period : t) / period * cells;
}

/* Rows of a lattice that is shifted from row to row repeat only after an even number. */
static void close_rows(const struct nt_spec *spec, struct nt_octave *octave)
{
    int64_t period = (int64_t)octave->frequency;

    if (nt_kinds[spec->noise].abilities & NT_EVEN_ROWS && nt_dimensions(spec) == 2)
        period += period % 2;
    octave->axis[1].period = period;
    octave->axis[1].frequency = (double)period;
}

static void set_lattice(const struct nt_spec *spec, struct nt_octave *octave, int number, int field,
                        double ratio)
{
    for (int axis = 0; axis < NT_AXES; axis++) {
        seed_axis(&octave->axis[axis], (uint64_t)spec->seed, number, field * NT_AXES + axis);
        octave->axis[axis].frequency = octave->frequency;
    }
    if (closes(spec) && nt_mapping_of(spec) == NT_MAP_FLAT)
        octave->axis[0].period = (int64_t)octave->frequency;
    if (spec->domain == NT_DOMAIN_TORUS)
        close_rows(spec, octave);
    set_time(spec, &octave->axis[2], ratio);
}

/* ---- The plan -------------------------------------------------------------------------------- */

static int octaves_of(const struct nt_spec *spec, enum nt_plan_field field)
{
    if (field != NT_PLAN_NOISE)
        return (int)spec->warp_octaves;
    return spec->fractal == NT_FRACTAL_NONE ? 1 : (int)spec->octaves;
}

void nt_plan_make(struct nt_plan *plan, const struct nt_spec *spec, enum nt_plan_field field)
{
    int octaves = octaves_of(spec, field);
    double amplitude = field == NT_PLAN_NOISE ? spec->amplitude : 1.0;
    double share[NT_OCTAVES_MAX], divisor = 0.0, ratio = 1.0, frequency = spec->frequency;

    for (int o = 0; o < octaves; o++) {
        share[o] = o ? share[o - 1] * spec->persistence : 1.0;
        divisor += fabs(share[o]);
    }

    plan->count = 0;
    plan->fractal = field == NT_PLAN_NOISE ? spec->fractal : NT_FRACTAL_FBM;
    plan->limited = spec->lod == NT_LOD_AUTO && nt_kinds[spec->noise].abilities & NT_LIMITED;
    for (int o = 0; o < octaves; o++, ratio *= spec->lacunarity, frequency *= spec->lacunarity) {
        struct nt_octave *octave = &plan->octave[plan->count];
        memset(octave, 0, sizeof *octave);
        octave->frequency = closing_frequency(spec, frequency);
        octave->weight = amplitude * (share[o] / divisor);
        octave->cell = spec->cell;
        octave->jitter = (float)spec->jitter;
        if (octave->weight == 0.0 || octave->frequency > NT_CELLS_MAX)
            continue;
        set_lattice(spec, octave, o, (int)field, ratio);
        plan->count++;
    }
}
