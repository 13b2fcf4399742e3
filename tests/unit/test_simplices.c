/*
 * The kernels of simplex and opensimplex2s against their definition, evaluated here place by place
 * in plain code: the same bits from every form, at every instruction level, wherever the places
 * lie.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lattice.h"
#include "core/noise/gradient.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* ---- The definition -------------------------------------------------------------------------- */

static float kernel_of(int dims, float reach, int power, const float *way, uint32_t bits)
{
    f8 g[3];
    float square = way[0] * way[0] + way[1] * way[1], dot, w;

    if (dims == 2)
        nt_gradient_2(nt_node_hash(splat_u8(bits)), g);
    else
        nt_gradient_3(nt_node_hash(splat_u8(bits)), g);
    dot = g[0][0] * way[0] + g[1][0] * way[1];
    if (dims == 3) {
        square += way[2] * way[2];
        dot += g[2][0] * way[2];
    }
    w = reach - square;
    w = w > 0.0f ? w : 0.0f;
    return power == 3 ? w * w * w * dot : w * w * (w * w) * dot;
}

static double position(const struct nt_octave *octave, int axis, double place)
{
    return place * octave->axis[axis].frequency + octave->axis[axis].offset;
}

static float simplex_2(const struct nt_octave *octave, const double *place)
{
    double x = position(octave, 0, place[0]), y = position(octave, 1, place[1]);
    struct nt_cell_place across = nt_cell_of(x + 0.5 * y), down = nt_cell_of(y);
    float u = across.fraction, v = down.fraction, sum = 0.0f;
    int right = u > v;
    const int node[3][2] = {{0, 0}, {right, !right}, {1, 1}};

    for (int n = 0; n < 3; n++) {
        const float o[] = {0.0f, right ? 1.0f : -0.5f, 0.5f};
        const float way[] = {(u - 0.5f * v) - o[n], v - (float)node[n][1]};
        int64_t i = across.cell + node[n][0], j = down.cell + node[n][1];
        int64_t period = octave->axis[1].period;
        if (period > 0)
            i -= (j / period - (j % period < 0)) * (period / 2);
        sum += kernel_of(2, 0.8f, 4, way,
                         nt_axis_hash(&octave->axis[0], i) + nt_axis_hash(&octave->axis[1], j));
    }
    return sum * 10.928131f;
}

static float simplex_3(const struct nt_octave *octave, const double *place)
{
    double p[3];
    struct nt_cell_place at[3];
    float f[3], sum = 0.0f;
    int rank[3] = {0, 0, 0};

    for (int axis = 0; axis < 3; axis++)
        p[axis] = position(octave, axis, place[axis]);
    at[0] = nt_cell_of(p[1] + p[2]);
    at[1] = nt_cell_of(p[0] + p[2]);
    at[2] = nt_cell_of(p[0] + p[1]);
    for (int axis = 0; axis < 3; axis++)
        f[axis] = at[axis].fraction;
    for (int a = 0; a < 3; a++) /* in order of their fractions; of equal ones, the last first */
        for (int b = a + 1; b < 3; b++)
            rank[f[a] > f[b] ? a : b]++;
    for (int n = 0; n < 4; n++) {
        int64_t node[3], all = 0;
        float s[3];
        uint32_t bits = 0;
        for (int axis = 0; axis < 3; axis++) {
            int step = rank[axis] + n >= 3;
            node[axis] = at[axis].cell + step;
            all += node[axis];
            s[axis] = f[axis] - (float)step;
        }
        for (int axis = 0; axis < 3; axis++) {
            struct nt_octave_axis doubled = octave->axis[axis];
            doubled.period *= 2;
            bits += nt_axis_hash(&doubled, all - 2 * node[axis]);
        }
        const float way[] = {0.5f * (s[1] + s[2] - s[0]), 0.5f * (s[0] + s[2] - s[1]),
                             0.5f * (s[0] + s[1] - s[2])};
        sum += kernel_of(3, 0.5f, 3, way, bits);
    }
    return sum * 37.836938f;
}

static float opensimplex2s_2(const struct nt_octave *octave, const double *place)
{
    static const int nodes[6][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {0, 1}, {0, -1}};
    double x = position(octave, 0, place[0]), y = position(octave, 1, place[1]);
    double s = (x + y) * 0.36602540378443864676;
    struct nt_cell_place across = nt_cell_of(x + s), down = nt_cell_of(y + s);
    int right = across.fraction > down.fraction;
    float sum = 0.0f;

    for (int n = 0; n < 6; n++) {
        int i = nodes[n][!right], j = nodes[n][right];
        float a = across.fraction - (float)i, b = down.fraction - (float)j;
        float t = (a + b) * 0.211324865405187117745f;
        const float way[] = {a - t, b - t};
        sum += kernel_of(2, 0.66666667f, 4, way,
                         nt_axis_hash(&octave->axis[0], across.cell + i) +
                             nt_axis_hash(&octave->axis[1], down.cell + j));
    }
    return sum * 18.122235f;
}

static float opensimplex2s_3(const struct nt_octave *octave, const double *place)
{
    float sum[2] = {0.0f, 0.0f};

    for (int lattice = 0; lattice < 2; lattice++) {
        struct nt_cell_place at[3];
        double p[3], all = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = position(octave, axis, place[axis]);
            all += p[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            at[axis] = nt_cell_of(all * (2.0 / 3.0) - p[axis] + 0.5 * lattice);
        for (int c = 0; c < 8; c++) {
            uint32_t bits = 0;
            float way[3];
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = at[axis].fraction - (float)(c >> axis & 1);
                bits += nt_axis_hash(&octave->axis[axis], at[axis].cell + (c >> axis & 1));
            }
            sum[lattice] +=
                kernel_of(3, 0.75f, 4, way, bits ^ (lattice ? UINT32_C(0x55555555) : 0));
        }
    }
    return (sum[0] + sum[1]) * 11.523804f;
}

static const struct {
    int kind, dims;
    float (*value)(const struct nt_octave *octave, const double *place);
} kinds[] = {{NT_SIMPLEX, 2, simplex_2},
             {NT_SIMPLEX, 3, simplex_3},
             {NT_OPENSIMPLEX2S, 2, opensimplex2s_2},
             {NT_OPENSIMPLEX2S, 3, opensimplex2s_3}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct nt_kernel *kernel_at(int k, int level)
{
    const struct nt_kind *kind = &nt_kinds[kinds[k].kind];

    return (kinds[k].dims == 2 ? kind->plane : kind->space)[level];
}

/* ---- Random octaves and places --------------------------------------------------------------- */

enum { MOST = 600 };

static uint64_t random_bits(uint64_t *state)
{
    return (uint64_t)random_u32(state) << 32 | random_u32(state);
}

/* Axes that close after few or many cells, or never; rows of simplices after an even number. */
static struct nt_octave random_octave(uint64_t *state, double frequency)
{
    static const int64_t periods[] = {
        0, 0, 0, 1, 2, 3, 5, 64, 1023, 1 << 20, 1 << 29, 1 << 30, INT64_C(1) << 33};
    struct nt_octave octave = {.frequency = frequency};

    for (int axis = 0; axis < NT_AXES; axis++) {
        struct nt_octave_axis *a = &octave.axis[axis];
        a->key = random_bits(state);
        a->offset = random_unit(state);
        a->frequency = frequency;
        a->period = periods[random_below(state, sizeof periods / sizeof *periods)];
        if (axis == 1)
            a->period += a->period % 2;
    }
    return octave;
}

/* Cell numbers near which something changes: signs, upper halves, and what runs.h counts from. */
static double random_origin(uint64_t *state)
{
    static const double origins[] = {0,      0,      0,      0x1p9,  0x1p10, 0x1p11, 0x1p12,
                                     0x1p13, 0x1p20, 0x1p25, 0x1p26, 0x1p27, 0x1p29, 0x1p30,
                                     0x1p31, 0x1p32, 0x3p31, 0x1p39, 0x1p40};
    double origin = origins[random_below(state, sizeof origins / sizeof *origins)];

    return random_below(state, 2) ? origin : -origin;
}

/*
 * n neighbours a step apart, from a few thousand to a cell up to thousands of cells to a step: on a
 * line, on a circle, all on one spot, or anywhere. Lines and circles start around an origin.
 */
static void random_places(uint64_t *state, size_t n, double *place[NT_AXES])
{
    double step = ldexp(random_unit(state) + 0.5, (int)random_below(state, 26) - 12);
    double origin[NT_AXES], way[NT_AXES];
    uint32_t shape = random_below(state, 8);

    for (int axis = 0; axis < NT_AXES; axis++) {
        origin[axis] = random_origin(state) - step * random_unit(state) * (double)n;
        way[axis] = shape == 0 ? 0.0 : step * (2.0 * random_unit(state) - 1.0);
    }
    for (size_t i = 0; i < n; i++)
        for (int axis = 0; axis < NT_AXES; axis++) {
            double along = way[axis] * (double)i;
            if (shape == 1)
                along = step * 20 * (axis == 0 ? cos((double)i / 20) : sin((double)i / 20));
            if (shape == 2)
                along = ldexp(random_unit(state), (int)random_below(state, 40));
            place[axis][i] = origin[axis] + along;
            if (shape == 3) /* corners, edges and middles of cells */
                place[axis][i] = floor(origin[axis] + along * 4) / 2;
        }
}

/* ---- Scatter form ---------------------------------------------------------------------------- */

static void check_scatter(int k, const struct nt_octave *octave, size_t n, double *place[NT_AXES],
                          float gain)
{
    struct nt_scatter points = {.octave = octave, .n = n, .gain = gain};
    float sum[MOST + 1], wanted[MOST];

    for (size_t i = 0; i < n; i++) {
        const double at[] = {place[0][i], place[1][i], place[2][i]};
        wanted[i] = 0.25f + kinds[k].value(octave, at) * gain;
    }
    for (int axis = 0; axis < kinds[k].dims; axis++)
        points.place[axis] = place[axis];
    points.sum = sum;
    for (int level = 0; level <= nt_level_index(); level++) {
        for (size_t i = 0; i <= n; i++)
            sum[i] = 0.25f;
        kernel_at(k, level)->scatter(&points);
        for (size_t i = 0; i < n; i++)
            ck_assert_msg(same_bits(&sum[i], &wanted[i], 1),
                          "kind %d, level %d, %zu of %zu: (%.17g, %.17g, %.17g): %.9g, not %.9g", k,
                          level, i, n, place[0][i], place[1][i], place[2][i], (double)sum[i],
                          (double)wanted[i]);
        ck_assert(sum[n] == 0.25f);
    }
}

START_TEST(scattered_places_have_the_values_of_the_definition)
{
    static double x[MOST], y[MOST], z[MOST];
    double *place[] = {x, y, z};
    uint64_t state = 41;

    nt_init("auto");
    for (int round = 0; round < 400 * (int)long_factor(); round++) {
        struct nt_octave octave = random_octave(&state, 1.0);
        size_t n = random_below(&state, round % 4 ? 40 : MOST) + 1;
        random_places(&state, n, place);
        for (int axis = 0; axis < NT_AXES && round % 3 == 0; axis++) /* exactly where it says */
            octave.axis[axis].offset = 0.0;
        for (int k = 0; k < KINDS; k++)
            check_scatter(k, &octave, n, place, (float)random_unit(&state));
    }
}
END_TEST

/* ---- Rows of tiles --------------------------------------------------------------------------- */

/* before: what the sums are; next to 0 the least of addends shows. */
static void check_strip(int k, const struct nt_strip *strip, float before)
{
    size_t n = (size_t)strip->columns * (size_t)strip->rows;
    float *wanted = malloc((n + 1) * sizeof *wanted);
    struct nt_strip own = *strip;

    own.sum = malloc((n + 1) * sizeof *own.sum);
    for (int j = 0; j < strip->rows; j++)
        for (int i = 0; i < strip->columns; i++) {
            const double at[] = {strip->x[i], strip->y[j], 0.0};
            wanted[j * strip->columns + i] =
                before + kinds[k].value(strip->octave, at) * strip->gain;
        }
    wanted[n] = before;
    for (int level = 0; level <= nt_level_index(); level++) {
        for (size_t i = 0; i <= n; i++)
            own.sum[i] = before;
        kernel_at(k, level)->strip(&own);
        for (size_t i = 0; i <= n; i++)
            ck_assert_msg(
                same_bits(&own.sum[i], &wanted[i], 1),
                "kind %d, level %d, (%zu, %zu) of %d x %d: (%.17g, %.17g): %.9g, not %.9g", k,
                level, i % (size_t)strip->columns, i / (size_t)strip->columns, strip->columns,
                strip->rows, strip->x[i % (size_t)strip->columns],
                strip->y[i / (size_t)strip->columns % (size_t)strip->rows], (double)own.sum[i],
                (double)wanted[i]);
    }
    free(own.sum);
    free(wanted);
}

/*
 * Coordinates as grid.c makes them: equal steps, perhaps wrapped around one world. One of them may
 * be off by a little.
 */
static void random_axis(uint64_t *state, double step, int n, bool wrapped, double *at)
{
    double start = random_below(state, 2) ? random_origin(state) : 0.0;

    start -= step * random_below(state, (uint32_t)n);
    for (int i = 0; i < n; i++) {
        at[i] = start + step * i;
        if (wrapped)
            at[i] -= floor(at[i] / 256) * 256;
    }
    if (random_below(state, 4) == 0)
        at[random_below(state, (uint32_t)n)] += ldexp(step, -(int)random_below(state, 30));
}

/* Moves columns so that one of the samples lies next to where a cell of opensimplex2s begins. */
static void move_to_side(uint64_t *state, const struct nt_strip *strip, double *x)
{
    const double skew = 0.36602540378443864676;
    uint32_t i = random_below(state, (uint32_t)strip->columns);
    double y = position(strip->octave, 1, strip->y[random_below(state, (uint32_t)strip->rows)]);
    double at = position(strip->octave, 0, x[i]), skewed = at + (at + y) * skew;
    double away = (floor(skewed) - skewed) / (1.0 + skew);

    for (int k = 0; k < strip->columns; k++)
        x[k] += away;
}

/* Moves a sample onto node (0, 0), where nothing but rounding is left of what other nodes add. */
static void move_to_node(uint64_t *state, const struct nt_strip *strip, double *x, double *y)
{
    uint32_t i = random_below(state, (uint32_t)strip->columns),
             j = random_below(state, (uint32_t)strip->rows);
    double across = x[i], down = y[j];

    for (int k = 0; k < strip->columns; k++)
        x[k] -= across;
    for (int k = 0; k < strip->rows; k++)
        y[k] -= down;
}

START_TEST(tiles_have_the_values_of_the_definition)
{
    static double x[MOST], y[MOST];
    uint64_t state = 42;

    nt_init("auto");
    for (int round = 0; round < 1200 * (int)long_factor(); round++) {
        struct nt_octave octave = random_octave(&state, 1.0);
        double step =
            ldexp(random_unit(&state) + 0.5, (int)random_below(&state, round % 2 ? 9 : 22) - 9);
        struct nt_strip strip = {.octave = &octave, .x = x, .y = y};
        bool wrapped = random_below(&state, 4) == 0, on_sides = random_below(&state, 4) == 0;
        if (on_sides) {
            step = ldexp(1.0, (int)random_below(&state, 12) - 8);
            octave.axis[0].offset = octave.axis[1].offset = 0.0;
        }
        strip.columns = (int)random_below(&state, round % 4 ? 70 : MOST) + 1;
        strip.rows = (int)random_below(&state, round % 16 < KINDS ? 150 : 17) + 1;
        strip.gain = (float)random_unit(&state);
        random_axis(&state, step, strip.columns, wrapped, x);
        random_axis(&state, step, strip.rows, wrapped, y);
        if (random_below(&state, 4) == 0)
            move_to_side(&state, &strip, x);
        else if (on_sides)
            move_to_node(&state, &strip, x, y);
        check_strip(round % KINDS, &strip, random_below(&state, 2) ? 0.25f : 0.0f);
    }
}
END_TEST

/* ---- The suite ------------------------------------------------------------------------------- */

Suite *simplices_suite(void)
{
    Suite *suite = suite_create("simplices");
    TCase *tc = tcase_create("simplices");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, scattered_places_have_the_values_of_the_definition);
    tcase_add_test(tc, tiles_have_the_values_of_the_definition);
    suite_add_tcase(suite, tc);
    return suite;
}
