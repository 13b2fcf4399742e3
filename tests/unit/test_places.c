/*
 * Samples off the grid, where neighbours share what belongs to their cell: to the bit what each of
 * them is alone, from the definition, wherever they lie and however many there are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/lattice.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

enum { MOST = 1000, GUARD = 16 };

/* ---- One sample, from the definition --------------------------------------------------------- */

/* A direction in the plane from two bits and an angle of up to 45 degrees either way. */
static void direction(uint32_t hash, float t, float *x, float *y)
{
    float tt = t * t;
    float sine = t * (0.785394228f + tt * (-0.0807139747f + tt * 0.00242708677f));
    float cosine =
        0.999999972f + tt * (-0.308424253f + tt * (0.015849913f + tt * -0.000318878992f));
    float sign = hash & UINT32_C(0x40000000) ? -1.0f : 1.0f;

    *x = sign * (hash >> 31 ? sine : cosine);
    *y = sign * (hash >> 31 ? cosine : sine);
}

static float unit(uint32_t bits)
{
    return (float)(int32_t)bits * 0x1p-31f;
}

/* What a node holds: a gradient of as many dimensions, or a value. */
static void node(int kind, int dims, uint32_t hash, float *at)
{
    if (kind != NT_PERLIN) {
        at[0] = unit(hash);
    } else if (dims == 2) {
        direction(hash, unit(hash << 2), &at[0], &at[1]);
    } else {
        float height = unit(hash << 16), radius = sqrtf(1.0f - height * height);
        direction(hash, unit((hash & UINT32_C(0x3fff0000)) << 2), &at[0], &at[1]);
        at[0] *= radius;
        at[1] *= radius;
        at[2] = height;
    }
}

static float blend(float a, float b, float fade)
{
    return a + fade * (b - a);
}

/* Two nodes, w above the lower; of gradients, the third becomes what z adds. */
static void blend_nodes(int kind, const float *below, const float *above, float w, float fade,
                        float *at)
{
    if (kind == NT_WHITE) {
        at[0] = below[0];
        return;
    }
    at[0] = blend(below[0], above[0], fade);
    if (kind == NT_PERLIN) {
        at[1] = blend(below[1], above[1], fade);
        at[2] = blend(below[2] * w, above[2] * (w - 1.0f), fade);
    }
}

/* The side of a cell, v south of one node: what it gives u east of it. */
static float side(int kind, int dims, const float *north, const float *south, float u, float v,
                  float fade, float gain)
{
    if (kind == NT_WHITE)
        return north[0] * gain;
    if (kind == NT_VALUE)
        return blend(north[0], south[0], fade) * gain;
    float b0 = north[1] * v, b1 = south[1] * (v - 1.0f);
    if (dims == 3) {
        b0 += north[2];
        b1 += south[2];
    }
    return blend(north[0], south[0], fade) * gain * u + blend(b0, b1, fade) * gain;
}

static uint32_t axis_hash(const struct nt_octave_axis *axis, int64_t cell)
{
    if (axis->period > 0)
        cell = (cell % axis->period + axis->period) % axis->period;
    return nt_cell_hash(axis->key, cell);
}

static float scale_of(int kind, int dims)
{
    return kind != NT_PERLIN ? NT_UNITY : dims == 2 ? 1.41420269f : 1.15469170f;
}

static float sample_of(int kind, int dims, const struct nt_octave *octave, const double *place,
                       float gain)
{
    float t[3], fade[3], column[4][3], scaled = gain * scale_of(kind, dims);
    uint32_t hash[3][2] = {{0}};

    for (int axis = 0; axis < dims; axis++) {
        double p = place[axis] * octave->axis[axis].frequency + octave->axis[axis].offset;
        t[axis] = (float)(p - floor(p));
        fade[axis] = NT_FADE(t[axis]);
        for (int end = 0; end < 2; end++)
            hash[axis][end] = axis_hash(&octave->axis[axis], (int64_t)floor(p) + end);
    }
    for (int c = 0; c < 4; c++) {
        uint32_t xy = hash[0][c % 2] + hash[1][c / 2];
        float end[2][3];
        if (dims == 2) {
            node(kind, 2, nt_mix32(xy), column[c]);
            continue;
        }
        for (int e = 0; e < 2; e++)
            node(kind, 3, nt_mix32(xy + hash[2][e]), end[e]);
        blend_nodes(kind, end[0], end[1], t[2], fade[2], column[c]);
    }
    float west = side(kind, dims, column[0], column[2], t[0], t[1], fade[1], scaled);
    float east = side(kind, dims, column[1], column[3], t[0] - 1.0f, t[1], fade[1], scaled);
    return kind == NT_WHITE ? west : blend(west, east, fade[0]);
}

/* ---- Random paths ---------------------------------------------------------------------------- */

/* A size between 2^from and 2^to, with either sign. */
static double some_size(uint64_t *state, int from, int to)
{
    double size =
        ldexp(random_unit(state) + 1, from + (int)random_below(state, (uint32_t)(to - from)));

    return random_below(state, 2) ? size : -size;
}

static void random_axis(uint64_t *state, struct nt_octave_axis *axis)
{
    static const int64_t periods[] = {
        0, 0, 0, 1, 2, 5, 1000, (1 << 20) + 7, (1LL << 31) + 11, 1LL << 36};

    axis->key = (uint64_t)random_u32(state) << 32 | random_u32(state);
    axis->frequency = fabs(some_size(state, -9, 30));
    axis->offset = random_below(state, 4) ? random_unit(state) : some_size(state, 0, 39);
    axis->period = periods[random_below(state, 10)];
}

/* Where a path begins, in cells: anywhere, or where the upper half of cell numbers changes. */
static double some_cell(uint64_t *state)
{
    if (random_below(state, 3))
        return some_size(state, -3, 39);
    return ((double)random_below(state, 8) - 4) * 0x1p32 + some_size(state, -3, 4);
}

/* n coordinates along an axis: all the same, on a line, around a circle, or anywhere near; from
 * thousands of samples in a cell to many cells between two. */
static void random_path(uint64_t *state, const struct nt_octave_axis *axis, size_t n, double *place)
{
    double start = some_cell(state), far = random_below(state, 8) ? 4 : 34;
    double step = some_size(state, -14, (int)far), turn = random_unit(state) / (double)n;
    uint32_t way = random_below(state, 4);

    for (size_t i = 0; i < n; i++) {
        double from_start = way == 0   ? 0
                            : way == 1 ? step * (double)i
                            : way == 2 ? step / turn / 40 * sin(6.283 * turn * (double)i)
                                       : step * random_unit(state);
        double cell = fmax(fmin(start + from_start, 0x1p40), -0x1p40);
        place[i] = (cell - axis->offset) / axis->frequency;
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

struct path {
    struct nt_octave octave;
    size_t n;
    double place[NT_AXES][MOST];
    bool level;
    float gain;
};

static void random_places(uint64_t *state, struct path *path)
{
    path->n = 1 + random_below(state, random_below(state, 2) ? 40 : MOST);
    path->level = random_below(state, 2);
    path->gain = (float)(2 * random_unit(state) - 1);
    for (int axis = 0; axis < NT_AXES; axis++) {
        random_axis(state, &path->octave.axis[axis]);
        random_path(state, &path->octave.axis[axis], path->n, path->place[axis]);
    }
    for (size_t i = 0; path->level && i < path->n; i++)
        path->place[2][i] = path->place[2][0];
}

static void check_path(uint64_t *state, int kind, int dims, const struct path *path, int round)
{
    static float sum[MOST + GUARD], expected[MOST + GUARD];
    const struct nt_kernel *const *kernels =
        dims == 2 ? nt_kinds[kind].plane : nt_kinds[kind].space;

    for (int level = 0; level <= nt_level_index(); level++) {
        const struct nt_scatter points = {
            .octave = &path->octave,
            .place = {path->place[0], path->place[1], path->place[2]},
            .level = path->level,
            .n = path->n,
            .gain = path->gain,
            .sum = sum,
        };
        for (size_t i = 0; i < path->n + GUARD; i++)
            sum[i] = expected[i] = (float)random_unit(state);
        for (size_t i = 0; i < path->n; i++) {
            const double place[] = {path->place[0][i], path->place[1][i], path->place[2][i]};
            expected[i] += sample_of(kind, dims, &path->octave, place, path->gain);
        }
        kernels[level]->scatter(&points);
        for (size_t i = 0; i < path->n + GUARD; i++)
            ck_assert_msg(same_bits(&sum[i], &expected[i], 1),
                          "%s, %d dimensions, level %d, round %d: sample %zu of %zu is %g, not %g",
                          nt_kind_names[kind], dims, level, round, i, path->n, (double)sum[i],
                          (double)expected[i]);
    }
}

START_TEST(n5_a_path_is_its_samples_from_the_definition)
{
    static const int kinds[] = {NT_PERLIN, NT_VALUE, NT_WHITE};
    static struct path path;
    uint64_t state = 81;

    for (int round = 0; round < 400 * (int)long_factor(); round++) {
        random_places(&state, &path);
        for (int k = 0; k < 3; k++)
            for (int dims = 2; dims <= 3; dims++)
                check_path(&state, kinds[k], dims, &path, round);
    }
}
END_TEST

/* Any native kind, mapped and displaced: the neighbours of a place make no difference to it. */
START_TEST(a_list_is_its_places_one_by_one)
{
    static const char *const domains[] = {"world", "plane", "planet"};
    static double u[MOST], v[MOST], together[MOST], alone;
    uint64_t state = 82;

    for (int round = 0; round < 40 * NT_NATIVE_KINDS * (int)long_factor(); round++) {
        int kind = round % NT_NATIVE_KINDS;
        double frequency = ldexp(random_unit(&state) + 0.01, (int)random_below(&state, 20));
        struct nt_spec spec =
            spec_of("noise=%s&%s&domain=%s&frequency=%.17g&seed=%u%s%s", nt_kind_names[kind],
                    lod_off(kind), domains[random_below(&state, 3)], frequency,
                    random_u32(&state) >> 1, random_below(&state, 2) ? "&warp=2" : "",
                    random_below(&state, 2) ? "&fractal=none" : "&octaves=3");
        size_t n = 1 + random_below(&state, 300);
        double step = some_size(&state, -8, 2) / frequency;
        u[0] = random_below(&state, 4) ? random_unit(&state) : 1; /* the antimeridian */
        v[0] = random_below(&state, 4) ? random_unit(&state) : some_size(&state, 0, 4); /* a pole */
        for (size_t i = 1; i < n; i++) {
            u[i] = u[0] + step * (double)i;
            v[i] = v[0] + (round % 3 ? step * random_unit(&state) : 0);
        }
        nt_sample(&spec, u, v, n, together);
        for (size_t i = 0; i < n; i++) {
            nt_sample(&spec, &u[i], &v[i], 1, &alone);
            ck_assert_msg(memcmp(&alone, &together[i], sizeof alone) == 0,
                          "%s, round %d: %zu of %zu", nt_kind_names[kind], round, i, n);
        }
    }
}
END_TEST

/* ---- Rows one after the other ---------------------------------------------------------------- */

/* What a row can be to the one before: the same, a little wider or narrower, on another level, with
 * other places, or not on a level; or so far on that its cells are counted from elsewhere. */
static void next_row(uint64_t *state, struct path *path)
{
    double by = random_below(state, 4) ? 1 + some_size(state, -16, -3) : 1;
    double far = random_below(state, 8) ? 0 : 0x1p24 / path->octave.axis[1].frequency;

    path->level = random_below(state, 8) != 0;
    path->n = 1 + random_below(state, MOST);
    if (random_below(state, 8) == 0)
        for (int axis = 0; axis < NT_AXES; axis++)
            random_path(state, &path->octave.axis[axis], path->n, path->place[axis]);
    for (size_t i = 0; i < MOST; i++) {
        path->place[0][i] *= by;
        path->place[1][i] = path->place[1][i] * by + far;
    }
    if (random_below(state, 4) == 0)
        path->place[2][0] += some_size(state, -12, 2) / path->octave.axis[2].frequency;
    for (size_t i = 0; path->level && i < MOST; i++)
        path->place[2][i] = path->place[2][0];
}

static void check_rows(uint64_t *state, const struct nt_kernel *kernel, struct path *path)
{
    static float sum[MOST + GUARD], expected[MOST + GUARD];
    void *kept = aligned_alloc(64, kernel->kept);

    ck_assert_ptr_nonnull(kept);
    memset(kept, 0, kernel->kept);
    for (int row = 0; row < 30; row++) {
        struct nt_scatter points = {
            .octave = &path->octave,
            .place = {path->place[0], path->place[1], path->place[2]},
            .level = path->level,
            .n = path->n,
            .gain = path->gain,
        };
        memset(sum, 0, sizeof sum);
        memset(expected, 0, sizeof expected);
        points.sum = expected;
        kernel->scatter(&points);
        points.sum = sum;
        points.kept = kept;
        kernel->scatter(&points);
        ck_assert_msg(same_bits(sum, expected, MOST + GUARD), "row %d of %zu places", row, path->n);
        next_row(state, path);
    }
    free(kept);
}

/* Kernels may keep an octave's cells from row to row: to the bit it makes no difference. */
START_TEST(what_is_kept_of_a_row_changes_no_other)
{
    static const int kinds[] = {NT_PERLIN, NT_VALUE, NT_WHITE};
    static struct path path;
    uint64_t state = 83;

    for (int round = 0; round < 60 * (int)long_factor(); round++)
        for (int level = 0; level <= nt_level_index(); level++) {
            const struct nt_kind *kind = &nt_kinds[kinds[round % 3]];
            random_places(&state, &path);
            for (int axis = 0; axis < NT_AXES; axis++)
                random_path(&state, &path.octave.axis[axis], MOST, path.place[axis]);
            check_rows(&state, (round % 4 ? kind->space : kind->plane)[level], &path);
        }
}
END_TEST

Suite *places_suite(void)
{
    Suite *suite = suite_create("places");
    TCase *tc = tcase_create("places");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, n5_a_path_is_its_samples_from_the_definition);
    tcase_add_test(tc, a_list_is_its_places_one_by_one);
    tcase_add_test(tc, what_is_kept_of_a_row_changes_no_other);
    suite_add_tcase(suite, tc);
    return suite;
}
