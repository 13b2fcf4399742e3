/*
 * Cellular noise against its definition: every sample looks at every cell within reach, one by one.
 * The kernels look at few, and must find the same to the bit: in tiles, slices and at scattered
 * places, whatever lies between thousands of samples in a cell and several cells between samples.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/lattice.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* ---- The definition -------------------------------------------------------------------------- */

static const char *const cells[] = {"f1", "f2", "f2-f1", "value"};

/* The point of a cell, from the cell's lower end along an axis. */
static float point(uint32_t bits, int axis, float jitter)
{
    float unit = (float)(bits >> (10 * axis) & 1023) * (1.0f / 1023.0f);

    return 0.5f + jitter * (unit - 0.5f);
}

/* The nearest two distances, squared, and the nearest point's bits; the first of equals counts. */
struct found {
    float first, second;
    uint32_t bits;
};

static struct found look_everywhere(const struct nt_octave *octave, const double *place, int dims)
{
    struct found found = {1e9f, 1e9f, 0};
    struct nt_cell_place at[3];

    for (int axis = 0; axis < dims; axis++)
        at[axis] =
            nt_cell_of(place[axis] * octave->axis[axis].frequency + octave->axis[axis].offset);
    for (int c = 0; c < (dims == 2 ? 25 : 125); c++) {
        int step[3] = {c % 5 - 2, c / 5 % 5 - 2, c / 25 - 2};
        uint32_t sum = 0, bits;
        float square = 0;
        for (int axis = 0; axis < dims; axis++)
            sum += nt_axis_hash(&octave->axis[axis], at[axis].cell + step[axis]);
        bits = nt_mix32(sum);
        for (int axis = 0; axis < dims; axis++) {
            float way = point(bits, axis, octave->jitter) + (float)step[axis] - at[axis].fraction;
            square = axis ? square + way * way : way * way;
        }
        if (square < found.first)
            found = (struct found){square, found.first, bits};
        else if (square < found.second)
            found.second = square;
    }
    return found;
}

/* What is returned of them, scaled to 1. */
static float returned(const struct nt_octave *octave, const struct found *found, int dims)
{
    float r = 0.5f * octave->jitter, rest = (float)(dims - 1);
    float corner = (0.5f + r) * (dims == 2 ? 1.41421356f : 1.73205081f);
    float middle = sqrtf((1.0f + r) * (1.0f + r) + rest * r * r);
    float bound = middle > corner ? middle : corner;

    switch (octave->cell) {
    case NT_CELL_F1:
        return sqrtf(found->first) * (2.0f * NT_UNITY / corner) - NT_UNITY;
    case NT_CELL_F2:
        return sqrtf(found->second) * (2.0f * NT_UNITY / bound) - NT_UNITY;
    case NT_CELL_F2_F1:
        return (sqrtf(found->second) - sqrtf(found->first)) * (2.0f * NT_UNITY / bound) - NT_UNITY;
    default:
        return (float)(int32_t)nt_mix32(found->bits ^ UINT32_C(0x9e3779b9)) * (NT_UNITY * 0x1p-31f);
    }
}

static float defined(const struct nt_octave *octave, const double *place, int dims)
{
    struct found found = look_everywhere(octave, place, dims);

    return returned(octave, &found, dims);
}

/* ---- Random octaves -------------------------------------------------------------------------- */

/* Points in the middle of their cells, and as good as there, are as often equally near. */
static double random_jitter(uint64_t *state)
{
    switch (random_below(state, 5)) {
    case 0:
        return 0;
    case 1:
        return ldexp(random_unit(state), -(int)random_below(state, 40));
    case 2:
        return random_unit(state);
    default:
        return 1;
    }
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static void check_tile(const struct field *f, const char *url)
{
    int dims = nt_dimensions(&f->spec);
    double *world = malloc(2 * (size_t)f->side * sizeof *world);
    struct nt_plan plan;

    ck_assert_ptr_nonnull(world);
    nt_plan_make(&plan, &f->spec, NT_PLAN_NOISE);
    for (int axis = 0; axis < 2; axis++)
        nt_grid_axis(&f->spec, &f->tile, axis, world + axis * f->side);
    for (int s = 0; s < f->side * f->side; s++) {
        double place[3] = {world[s % f->side], world[f->side + s / f->side], 0};
        float sum = 0;
        for (int o = 0; o < plan.count; o++)
            sum += defined(&plan.octave[o], place, dims) *
                   nt_octave_gain(&plan, &plan.octave[o], nt_grid_step(&f->spec, &f->tile));
        ck_assert_msg(same_bits(&sum, &f->at[s], 1), "%s, level %s, sample %d: %.9g, not %.9g", url,
                      nt_level(), s, (double)f->at[s], (double)sum);
    }
    free(world);
}

START_TEST(tiles_are_as_defined)
{
    static const char *const domains[] = {
        "plane", "plane",       "world",           "torus",
        "torus", "plane&t=0.7", "plane&t=-1234.5", "torus&t=2.25&t_period=3"};
    static const char *const levels[] = {"baseline", "auto"};
    uint64_t state = 100 + (uint64_t)_i;

    for (int round = 0; round < 150 * (int)long_factor(); round++) {
        const char *domain = domains[random_below(&state, 8)];
        int z = (int)random_below(&state, 4);
        uint32_t size = random_below(&state, strstr(domain, "t=") ? 40 : 90) + 1;
        char url[400];
        snprintf(url, sizeof url,
                 "%d/%u/%u?noise=cellular&size=%u&buffer=%u&seed=%d&frequency=%.17g&octaves=%u&"
                 "lod=%s&cell=%s&jitter=%.17g&domain=%s",
                 z, random_below(&state, 1U << z), random_below(&state, 1U << z), size,
                 random_below(&state, 3), (int)random_u32(&state),
                 ldexp(size * (random_unit(&state) + 0.5), z + 2 - (int)random_below(&state, 13)),
                 random_below(&state, 2) + 1, random_below(&state, 2) ? "auto" : "off", cells[_i],
                 random_jitter(&state), domain);
        ck_assert(nt_init(levels[round % 2]));
        struct field f = field_of("%s", url);
        check_tile(&f, url);
        field_free(&f);
    }
}
END_TEST

/* ---- Ties ------------------------------------------------------------------------------------ */

/*
 * With points in the middle of their cells, samples on the edges of cells have two points equally
 * near, those on corners four or eight: the first in order counts. Offsets of 0 and samples at
 * fractions of a power of two make them many.
 */
static void make_lattice(uint64_t *state, struct nt_octave *octave, int cell)
{
    *octave = (struct nt_octave){.cell = cell, .jitter = (float)random_jitter(state)};
    for (int axis = 0; axis < 3; axis++) {
        octave->axis[axis].key = (uint64_t)random_u32(state) << 32 | random_u32(state);
        octave->axis[axis].frequency = 1;
        octave->axis[axis].period = random_below(state, 2) * random_below(state, 5);
    }
    octave->axis[2].offset = 0.5 * random_below(state, 4);
}

START_TEST(of_equally_near_points_the_first_counts)
{
    enum { SIDE = 40, ROWS = 16 };
    static double world[2][SIDE], place[3][SIDE];
    static float band[ROWS * SIDE], list[SIDE];
    static char memory[2][1 << 14] __attribute__((aligned(64)));
    const struct nt_kind *kind = &nt_kinds[NT_CELLULAR];
    uint64_t state = 300 + (uint64_t)_i;
    int ties = 0;

    for (int round = 0; round < 200 * (int)long_factor(); round++) {
        int dims = 2 + round % 2, level = nt_level_index() * (round / 2 % 2);
        const struct nt_kernel *kernel = (dims == 3 ? kind->space : kind->plane)[level];
        double step = ldexp(1, 1 - (int)random_below(&state, 7));
        struct nt_octave octave;
        struct nt_axis axis[2];
        struct nt_point slice;
        make_lattice(&state, &octave, _i);
        for (int i = 0; i < SIDE; i++)
            world[0][i] = world[1][i] = (i - SIDE / 2) * step;
        for (int a = 0; a < 2; a++) {
            ck_assert_uint_le(nt_axis_size(SIDE, kernel->reach), sizeof memory[a]);
            nt_axis_make(&axis[a], &octave, a, world[a], SIDE, kernel->reach, memory[a]);
        }
        slice = nt_axis_point(&octave, 2, 0.0);
        memset(band, 0, sizeof band);
        kernel->grid(&(struct nt_band){.octave = &octave,
                                       .x = &axis[0],
                                       .y = &axis[1],
                                       .z = &slice,
                                       .first = 8,
                                       .rows = ROWS,
                                       .gain = 1,
                                       .sum = band});
        for (int row = 0; row < ROWS; row++) {
            struct nt_scatter points = {.octave = &octave,
                                        .place = {place[0], place[1], place[2]},
                                        .n = SIDE,
                                        .gain = 1,
                                        .sum = list};
            memset(list, 0, sizeof list);
            for (int i = 0; i < SIDE; i++) {
                place[0][i] = world[0][i];
                place[1][i] = world[1][8 + row];
            }
            kernel->scatter(&points);
            for (int i = 0; i < SIDE; i++) {
                double at[3] = {place[0][i], place[1][i], 0};
                struct found found = look_everywhere(&octave, at, dims);
                float expected = returned(&octave, &found, dims);
                ties += found.first == found.second;
                ck_assert_msg(same_bits(&expected, &list[i], 1), "round %d, place %d, row %d",
                              round, i, row);
                ck_assert_msg(same_bits(&expected, &band[(row / 8 * SIDE + i) * 8 + row % 8], 1),
                              "round %d, column %d, row %d", round, i, row);
            }
        }
    }
    ck_assert_int_gt(ties, 100);
}
END_TEST

/* ---- Scattered places ------------------------------------------------------------------------ */

enum { MOST = 600 };

/* A walk through space: straight for a while, then on in another direction or from elsewhere. */
static void walk(uint64_t *state, double length, size_t n, double place[3][MOST])
{
    double at[3] = {0}, step[3] = {0}, far = random_below(state, 6) ? 100 : 0x1p38;

    for (size_t i = 0; i < n; i++)
        for (int axis = 0; axis < 3; axis++) {
            if (i == 0 || random_below(state, 40) == 0)
                step[axis] = length * (2 * random_unit(state) - 1);
            if (i == 0 || random_below(state, 200) == 0)
                at[axis] = far * (random_unit(state) - 0.5);
            at[axis] += step[axis];
            place[axis][i] = at[axis];
        }
}

START_TEST(scattered_places_are_as_defined)
{
    static double place[3][MOST];
    static float sum[MOST];
    uint64_t state = 200 + (uint64_t)_i;

    for (int round = 0; round < 300 * (int)long_factor(); round++) {
        int level = (int)random_below(&state, (uint32_t)nt_level_index() + 1), dims = 2 + round % 2;
        const struct nt_kind *kind = &nt_kinds[NT_CELLULAR];
        size_t n = random_below(&state, MOST) + 1;
        struct nt_plan plan;
        struct nt_spec spec =
            spec_of("noise=cellular&fractal=none&seed=%d&cell=%s&jitter=%.17g&frequency=1",
                    (int)random_u32(&state), cells[_i], random_jitter(&state));
        struct nt_scatter points = {.octave = &plan.octave[0],
                                    .place = {place[0], place[1], place[2]},
                                    .n = n,
                                    .gain = 0.75f,
                                    .sum = sum};
        nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
        for (int axis = 0; axis < 3; axis++) {
            plan.octave[0].axis[axis].frequency = 1.25;
            plan.octave[0].axis[axis].period = random_below(&state, 2) * random_below(&state, 9);
        }
        walk(&state, ldexp(1, 2 - (int)random_below(&state, 14)), n, place);
        memset(sum, 0, sizeof sum);
        (dims == 3 ? kind->space : kind->plane)[level]->scatter(&points);
        for (size_t i = 0; i < n; i++) {
            double at[3] = {place[0][i], place[1][i], place[2][i]};
            float expected = 0.0f + defined(&plan.octave[0], at, dims) * 0.75f;
            ck_assert_msg(same_bits(&expected, &sum[i], 1),
                          "round %d, level %d, %d-D, jitter %g, sample %zu of %zu: %.9g, not %.9g",
                          round, level, dims, (double)plan.octave[0].jitter, i, n, (double)sum[i],
                          (double)expected);
        }
    }
}
END_TEST

Suite *cellular_suite(void)
{
    Suite *suite = suite_create("cellular");
    TCase *tc = tcase_create("cellular");

    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, tiles_are_as_defined, 0, 4);
    tcase_add_loop_test(tc, of_equally_near_points_the_first_counts, 0, 4);
    tcase_add_loop_test(tc, scattered_places_are_as_defined, 0, 4);
    suite_add_tcase(suite, tc);
    return suite;
}
