/*
 * dialect.c - the dialects as kinds: what each parameter of a specification means to each of them.
 * How the originals computed is in rombauts.c, splitmix.c, eiserloh.c and inoise.c.
 */
#include "core/dialects/dialect.h"

#include <math.h>

#include "core/dialects/dialects.h"

double nt_dialect_top(const struct nt_dialect *dialect)
{
    return dialect ? dialect->top : 0.0;
}

static size_t octaves_of(const struct nt_spec *spec)
{
    return spec->fractal == NT_FRACTAL_NONE ? 1 : (size_t)spec->octaves;
}

/* ---- simplex-rombauts ------------------------------------------------------------------------ */

static struct nt_rombauts_fractal rombauts_of(const struct nt_spec *spec)
{
    return (struct nt_rombauts_fractal){octaves_of(spec), (float)spec->frequency,
                                        (float)spec->amplitude, (float)spec->lacunarity,
                                        (float)spec->persistence};
}

/* The plain function has no divisor to cancel the amplitude. */
static float rombauts_plain(const struct nt_rombauts_fractal *f, double x, const double *y)
{
    float px = (float)x * f->frequency;

    return f->amplitude * (y ? nt_rombauts_2d(px, (float)*y * f->frequency) : nt_rombauts_1d(px));
}

static float rombauts_sum(const struct nt_rombauts_fractal *f, double x, const double *y)
{
    return y ? nt_rombauts_fractal_2d(f, (float)x, (float)*y) : nt_rombauts_fractal_1d(f, (float)x);
}

static void rombauts_sample(const struct nt_spec *spec, const double *x, const double *y, size_t n,
                            double *values)
{
    struct nt_rombauts_fractal f = rombauts_of(spec);
    bool plain = spec->fractal == NT_FRACTAL_NONE;

    for (size_t i = 0; i < n; i++)
        values[i] = (double)(plain ? rombauts_plain : rombauts_sum)(&f, x[i], y ? &y[i] : NULL);
}

static const char *rombauts_fault(const struct nt_spec *spec, double reach)
{
    struct nt_rombauts_fractal f = rombauts_of(spec);
    float divisor = nt_rombauts_divisor(&f);

    if (!nt_rombauts_fits(&f, (float)reach))
        return "frequency";
    if (spec->fractal != NT_FRACTAL_NONE && (divisor == 0.0f || !isfinite(divisor)))
        return f.amplitude == 0.0f ? "amplitude" : "persistence";
    return NULL;
}

/* ---- simplex-splitmix ------------------------------------------------------------------------ */

static void splitmix_sample(const struct nt_spec *spec, const double *x, const double *y, size_t n,
                            double *values)
{
    const struct nt_splitmix_fbm fbm = {(double)octaves_of(spec), spec->amplitude, spec->frequency,
                                        spec->persistence, spec->lacunarity};
    struct nt_splitmix noise;

    nt_splitmix_init(&noise, nt_splitmix_seed_integer(spec->seed));
    for (size_t i = 0; i < n; i++)
        values[i] = nt_splitmix_fbm_2d(&noise, &fbm, x[i], y[i]);
}

static const char *no_fault(const struct nt_spec *spec, double reach)
{
    (void)spec;
    (void)reach;
    return NULL;
}

/* ---- perlin-eiserloh ------------------------------------------------------------------------- */

static struct nt_eiserloh eiserloh_of(const struct nt_spec *spec)
{
    return (struct nt_eiserloh){octaves_of(spec), (float)spec->amplitude, (float)spec->persistence,
                                nt_eiserloh_cell_size(spec->frequency)};
}

static void eiserloh_sample(const struct nt_spec *spec, const double *x, const double *y, size_t n,
                            double *values)
{
    struct nt_eiserloh noise = eiserloh_of(spec);

    for (size_t i = 0; i < n; i++)
        values[i] = (double)nt_eiserloh_2d(&noise, (uint32_t)spec->seed, (float)x[i], (float)y[i]);
}

static void recursive_sample(const struct nt_spec *spec, const double *x, const double *y, size_t n,
                             double *values)
{
    struct nt_eiserloh noise = eiserloh_of(spec);

    for (size_t i = 0; i < n; i++)
        values[i] = (double)nt_eiserloh_recursive_2d(&noise, (float)x[i], (float)y[i]);
}

static const char *eiserloh_fault(const struct nt_spec *spec, double reach)
{
    struct nt_eiserloh noise = eiserloh_of(spec);

    return nt_eiserloh_fits(&noise, (float)reach) ? NULL : "frequency";
}

/* ---- inoise ---------------------------------------------------------------------------------- */

/* The plain function is 2-D without t and 3-D with it; the fill always has a third coordinate. */
static void inoise_sample(const struct nt_inoise *noise, const struct nt_spec *spec,
                          const double *x, const double *y, size_t n, double *values)
{
    uint32_t z = nt_inoise_coordinate(noise, spec->sliced ? spec->t : 0.0);

    for (size_t i = 0; i < n; i++) {
        uint32_t cx = nt_inoise_coordinate(noise, x[i] * spec->frequency);
        uint32_t cy = nt_inoise_coordinate(noise, y[i] * spec->frequency);
        if (spec->fractal != NT_FRACTAL_NONE)
            values[i] = nt_inoise_fill(noise, cx, cy, z, (size_t)spec->octaves);
        else if (spec->sliced)
            values[i] = nt_inoise_3d(noise, cx, cy, z);
        else
            values[i] = nt_inoise_2d(noise, cx, cy);
    }
}

#define INOISE(suffix, largest)                                                               \
    static void sample_##suffix(const struct nt_spec *spec, const double *x, const double *y, \
                                size_t n, double *values)                                     \
    {                                                                                         \
        inoise_sample(&nt_inoise##suffix, spec, x, y, n, values);                             \
    }                                                                                         \
    const struct nt_dialect nt_dialect_inoise##suffix = {sample_##suffix, no_fault, largest, false}

INOISE(8, 255);
INOISE(16, 65535);
INOISE(8_3_0, 255);
INOISE(16_3_0, 65535);

/* ---- The others ------------------------------------------------------------------------------ */

const struct nt_dialect nt_dialect_rombauts = {rombauts_sample, rombauts_fault, 0, false};
const struct nt_dialect nt_dialect_splitmix = {splitmix_sample, no_fault, 0, true};
const struct nt_dialect nt_dialect_eiserloh = {eiserloh_sample, eiserloh_fault, 0, false};
const struct nt_dialect nt_dialect_eiserloh_recursive = {recursive_sample, eiserloh_fault, 0,
                                                         false};
