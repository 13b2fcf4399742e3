/*
 * Smooth where it should be: across cells, at their edges, far in, far out, and along t.
 * Continuity by neighbouring doubles, slopes and their changes by small steps.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/lattice.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* Kinds without steps. */
static bool is_continuous(int kind)
{
    return kind != NT_WHITE;
}

/* ---- Far in and far out ---------------------------------------------------------------------- */

START_TEST(n9_far_in_is_still_smooth)
{
    static const char *const domains[] = {"world", "plane", "planet"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int d = 0; d < 3; d++) {
            if (!is_continuous(kind))
                continue;
            struct field f =
                field_of("30/%d/%d?frequency=1048576&noise=%s&domain=%s&octaves=12", (1 << 29) + 7,
                         d == 2 ? (1 << 29) + 5 : 5, nt_kind_names[kind], domains[d]);
            int distinct = 0, longest = 1;
            for (int row = 0; row < f.side; row += 51)
                for (int i = 1, run = 1; i < f.side; i++) {
                    bool equal = f.at[row * f.side + i] == f.at[row * f.side + i - 1];
                    run = equal ? run + 1 : 1;
                    longest = run > longest ? run : longest;
                    distinct += !equal && row == 0;
                }
            ck_assert_msg(distinct >= 200, "%s, %s: %d distinct values", nt_kind_names[kind],
                          domains[d], distinct);
            ck_assert_msg(longest <= 4, "%s, %s: %d equal neighbours", nt_kind_names[kind],
                          domains[d], longest);
            field_free(&f);
        }
}
END_TEST

/* Largest change over steps of 0.01 cells along 40 scan lines that begin `far` cells out. */
static double roughness(const struct nt_spec *spec, double far)
{
    enum { N = 4000 };
    static double u[N], v[N], n[N];
    double most = 0;

    for (int line = 0; line < 40; line++) {
        for (int i = 0; i < N; i++) {
            u[i] = far + (line + i * 0.01) / spec->frequency;
            v[i] = far + line * 10.37 / spec->frequency;
        }
        nt_sample(spec, u, v, N, n);
        for (int i = 1; i < N; i++)
            most = fmax(most, fabs(n[i] - n[i - 1]));
    }
    return most;
}

START_TEST(n10_far_out_is_as_smooth_as_near)
{
    static const double far[] = {1e5, 16777216, 2147483000.0, -2147483000.0};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
            if (!is_continuous(kind))
                continue;
            struct nt_spec spec = spec_of("domain=plane&fractal=none&frequency=1&%s&noise=%s",
                                          lod_off(kind), nt_kind_names[kind]);
            double here = roughness(&spec, 0), there = roughness(&spec, far[i]);
            ck_assert_msg(there < here * 1.1 && there > here * 0.8, "%s: %g near, %g at %g",
                          nt_kind_names[kind], here, there, far[i]);
        }
}
END_TEST

/* ---- Continuity ------------------------------------------------------------------------------ */

/* Variants that go through every path: kernels of two and three dimensions, sphere, folds, warp. */
static const char *const variants[] = {
    "domain=plane&fractal=none",
    "domain=plane&octaves=8&frequency=1.7",
    "domain=plane&fractal=none&t=0.25",
    "domain=plane&fractal=ridged&octaves=3",
    "domain=plane&fractal=billow&octaves=3&t=-3",
    "domain=plane&fractal=pingpong&octaves=3",
    "domain=plane&warp=1.5",
    "domain=plane&warp=3&warp_octaves=3&t=1",
    "domain=planet",
    "domain=planet&warp=1",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const char *const cells[] = {"f1", "f2", "f2-f1"};

/* Kind and query of variant i of kind k; cellular returns another distance each time. */
static struct nt_spec variant(int kind, int i, double frequency)
{
    char cell[32] = "";

    if (kind == NT_CELLULAR)
        snprintf(cell, sizeof cell, "&cell=%s", cells[i % 3]);
    struct nt_spec spec =
        spec_of("%s&%s&noise=%s%s", variants[i], lod_off(kind), nt_kind_names[kind], cell);
    spec.frequency = frequency;
    return spec;
}

/* Position of the edge of a cell: where an octave's floor changes, as nearly as doubles can say. */
static double edge_of(const struct nt_octave_axis *axis, double cell)
{
    return (cell - axis->offset) / axis->frequency;
}

START_TEST(n18_neighbouring_doubles_have_neighbouring_values)
{
    enum { N = 64 };

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int i = 0; i < VARIANTS; i++) {
            struct nt_spec spec = variant(kind, i, 1);
            struct nt_plan plan;
            double u[3 * N], v[3 * N], n[3 * N];
            if (!is_continuous(kind))
                continue;
            nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
            for (int k = 0; k < N; k++) {
                /* -k exactly, 4.9999998's like, and the edges of cells */
                double place = k % 4 == 0   ? -k
                               : k % 4 == 1 ? k / 2.0
                               : k % 4 == 2 ? edge_of(&plan.octave[0].axis[0], k - 30)
                                            : edge_of(&plan.octave[0].axis[1], 30 - k);
                for (int side = 0; side < 3; side++) {
                    double moved = side == 0   ? nextafter(place, -1e9)
                                   : side == 1 ? place
                                               : nextafter(place, 1e9);
                    u[3 * k + side] = k % 2 ? 0.37 : moved;
                    v[3 * k + side] = k % 2 ? moved : 0.61;
                }
            }
            nt_sample(&spec, u, v, 3 * N, n);
            for (int k = 0; k < N; k++)
                for (int side = 0; side < 3; side += 2)
                    ck_assert_msg(fabs(n[3 * k + side] - n[3 * k + 1]) < 1e-5,
                                  "%s %s: %.9g, then %.9g at (%.17g, %.17g)", nt_kind_names[kind],
                                  variants[i], n[3 * k + side], n[3 * k + 1], u[3 * k + 1],
                                  v[3 * k + 1]);
        }
}
END_TEST

/* Simplices and cellular regions have edges anywhere: bisect every large step down to nothing. */
START_TEST(n18_n35_no_step_hides_between_two_samples)
{
    enum { N = 4096 };
    static double u[N], v[N], n[N];

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int i = 0; i < VARIANTS; i++) {
            struct nt_spec spec = variant(kind, i, 1);
            if (!is_continuous(kind))
                continue;
            for (int k = 0; k < N; k++) {
                u[k] = -20 + k * 0.01;
                v[k] = 0.5 - 10 + k * 0.0037;
            }
            if (spec.domain == NT_DOMAIN_PLANET) {
                spec.frequency = 8;
                for (int k = 0; k < N; k++) {
                    u[k] = k / (double)N;
                    v[k] = 0.2 + 0.5 * k / (double)N;
                }
            }
            nt_sample(&spec, u, v, N, n);
            int worst = 1;
            for (int k = 1; k < N; k++)
                worst = fabs(n[k] - n[k - 1]) > fabs(n[worst] - n[worst - 1]) ? k : worst;
            double a[2] = {u[worst - 1], v[worst - 1]}, b[2] = {u[worst], v[worst]};
            double left = n[worst - 1], right = n[worst];
            for (int halving = 0; halving < 30; halving++) {
                double middle[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}, value;
                nt_sample(&spec, &middle[0], &middle[1], 1, &value);
                bool in_left = fabs(value - left) > fabs(right - value);
                memcpy(in_left ? b : a, middle, sizeof middle);
                *(in_left ? &right : &left) = value;
            }
            ck_assert_msg(fabs(right - left) < 1e-5, "%s %s: a step of %g at (%.17g, %.17g)",
                          nt_kind_names[kind], variants[i], right - left, a[0], a[1]);
        }
}
END_TEST

/* ---- Slopes ---------------------------------------------------------------------------------- */

/*
 * Slopes just before and just behind the edges of cells agree: C1. Single octave, along x and y,
 * on both sides of 0.
 */
static void check_slopes(int kind, const char *slice)
{
    enum { N = 400 };
    static double u[4 * N], v[4 * N], n[4 * N];
    const double h = 1.0 / 1024;
    struct nt_spec spec = spec_of("domain=plane&fractal=none&frequency=1&lod=off&noise=%s%s",
                                  nt_kind_names[kind], slice);
    struct nt_plan plan;
    uint64_t state = 12;

    nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
    for (int k = 0; k < N; k++) {
        double edge = edge_of(&plan.octave[0].axis[k % 2], (double)(k / 2 - N / 4));
        double along = random_unit(&state) * 100 - 50;
        for (int p = 0; p < 4; p++) { /* two steps before the edge, two behind */
            double place = edge + (p - 1.5) * h;
            u[4 * k + p] = k % 2 ? along : place;
            v[4 * k + p] = k % 2 ? place : along;
        }
    }
    nt_sample(&spec, u, v, 4 * N, n);
    for (int k = 0; k < N; k++) {
        double before = (n[4 * k + 1] - n[4 * k]) / h, behind = (n[4 * k + 3] - n[4 * k + 2]) / h;
        ck_assert_msg(fabs(before - behind) < 0.06, "%s%s: slope %g, then %g at (%g, %g)",
                      nt_kind_names[kind], slice, before, behind, u[4 * k + 1], v[4 * k + 1]);
    }
}

START_TEST(slopes_go_on_across_cells)
{
    static const int kinds[] = {NT_PERLIN, NT_SIMPLEX, NT_OPENSIMPLEX2S, NT_VALUE};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        check_slopes(kinds[k], "");
        check_slopes(kinds[k], "&t=0.77");
    }
}
END_TEST

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

START_TEST(n35_second_differences_have_no_spikes)
{
    /* Steps of 0.004 cells: float noise of 1e-7 stays far below the curvature. */
    enum { N = 20000 };
    static double u[N], v[N], n[N], second[N];
    static const int kinds[] = {NT_PERLIN, NT_SIMPLEX, NT_OPENSIMPLEX2S, NT_VALUE};
    static const double ways[][2] = {{1, 0}, {0, 1}, {0.7071, 0.7071}, {0.8, -0.6}};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int slice = 0; slice < 2; slice++)
            for (int way = 0; way < 4; way++) {
                struct nt_spec spec =
                    spec_of("domain=plane&fractal=none&frequency=1&lod=off&noise=%s%s",
                            nt_kind_names[kinds[k]], slice ? "&t=0.4" : "");
                for (int i = 0; i < N; i++) {
                    u[i] = (i - N / 2.0) * 0.004 * ways[way][0] + 3.3;
                    v[i] = (i - N / 2.0) * 0.004 * ways[way][1] - 1.7;
                }
                nt_sample(&spec, u, v, N, n);
                for (int i = 1; i < N - 1; i++)
                    second[i - 1] = fabs(n[i - 1] - 2 * n[i] + n[i + 1]);
                qsort(second, N - 2, sizeof *second, by_size);
                double median = second[(N - 2) / 2], most = second[N - 3];
                ck_assert_msg(most <= 20 * median, "%s%s: %g, median %g", nt_kind_names[kinds[k]],
                              slice ? ", slice" : "", most, median);
            }
}
END_TEST

START_TEST(n34_distances_never_change_faster_than_places)
{
    /* A distance changes by a cell per cell at most, the difference of two by two; returned as
     * 2 d / bound. In the plane at jitter 1 that is the case's frequency * sqrt 2 for f1. */
    static const struct {
        const char *cell, *jitter, *more;
        double limit; /* per cell */
    } cases[] = {
        {"f1", "1", "", 1.41421357},       {"f1", "0", "", 2.82842713},
        {"f1", "0.5", "", 1.88561809},     {"f2", "1", "", 1.41421357},
        {"f2-f1", "1", "", 2.82842713},    {"f1", "1", "&t=0.3", 1.41421357},
        {"f2", "1", "&t=0.3", 1.41421357}, {"f2-f1", "1", "&t=0.3", 2.82842713},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int seed = 0; seed < 4; seed++) {
            struct field f = field_of("0/0/0?size=256&frequency=20.3&fractal=none&lod=off&"
                                      "domain=plane&noise=cellular&seed=%d&cell=%s&jitter=%s%s",
                                      seed, cases[c].cell, cases[c].jitter, cases[c].more);
            double limit = cases[c].limit * 20.3 / 256 + 1e-6;
            for (int j = 1; j < f.side; j++)
                for (int i = 1; i < f.side; i++) {
                    const float *at = &f.at[j * f.side + i];
                    double across = fabs((double)at[0] - (double)at[-1]);
                    double down = fabs((double)at[0] - (double)at[-f.side]);
                    double slant = fabs((double)at[0] - (double)at[-f.side - 1]);
                    ck_assert_msg(across <= limit && down <= limit && slant <= limit * 1.41421357,
                                  "%s, jitter %s%s: %g, limit %g", cases[c].cell, cases[c].jitter,
                                  cases[c].more, fmax(slant, fmax(across, down)), limit);
                }
            field_free(&f);
        }
    ck_assert_str_eq(parse_bad("0/0/0?noise=cellular&jitter=1.01").parameter, "jitter");
}
END_TEST

/* ---- Loops in t ------------------------------------------------------------------------------ */

enum { LOOP = 512 };

static void at_time(struct nt_spec spec, double t, double *values)
{
    static double u[LOOP], v[LOOP];
    uint64_t state = 15;

    for (int i = 0; i < LOOP; i++) {
        u[i] = random_unit(&state);
        v[i] = random_unit(&state);
    }
    spec.t = t;
    nt_sample(&spec, u, v, LOOP, values);
}

START_TEST(n44_t_repeats_after_its_period_to_the_bit)
{
    static const int periods[] = {1, 2, 3, 5, 8, 100, 60000, 65536};
    static const double times[] = {0, 0.5, -0.25, 1.625, 17.0625, -3.5};
    static const char *const domains[] = {"world", "torus", "plane", "planet"};
    double first[LOOP], again[LOOP];

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int octaves = 1; octaves <= 8; octaves++)
            for (size_t p = 0; p < sizeof periods / sizeof *periods; p++) {
                if (!(nt_kinds[kind].abilities & NT_CLOSES))
                    continue;
                double period = periods[p], t = times[(octaves + (int)p) % 6];
                struct nt_spec spec =
                    spec_of("t=0&t_period=%d&octaves=%d&lacunarity=%s&frequency=3.3&%s&noise=%s&"
                            "domain=%s",
                            periods[p], octaves, p % 2 ? "2.7" : "2", lod_off(kind),
                            nt_kind_names[kind], domains[(octaves + kind) % 4]);
                at_time(spec, t, first);
                at_time(spec, t + period, again);
                ck_assert_msg(memcmp(first, again, sizeof first) == 0,
                              "%s, %d octaves: t=%g and t=%g differ", nt_kind_names[kind], octaves,
                              t, t + period);
                at_time(spec, t - 3 * period, again);
                ck_assert_msg(memcmp(first, again, sizeof first) == 0,
                              "%s, %d octaves: t=%g and t=%g differ", nt_kind_names[kind], octaves,
                              t, t - 3 * period);
                if (is_continuous(kind) && periods[p] > 1) { /* and it is no standstill */
                    at_time(spec, t + period * 0.375, again);
                    ck_assert_msg(memcmp(first, again, sizeof first) != 0, "%s: t=%g is t=%g",
                                  nt_kind_names[kind], t, t + period * 0.375);
                }
            }
}
END_TEST

START_TEST(n44_the_loop_has_no_seam)
{
    double before[LOOP], behind[LOOP];

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int octaves = 1; octaves <= 8; octaves++) {
            if (!is_continuous(kind) || !(nt_kinds[kind].abilities & NT_CLOSES))
                continue;
            struct nt_spec spec =
                spec_of("t=0&t_period=7&lacunarity=2.7&octaves=%d&lod=off&noise=%s", octaves,
                        nt_kind_names[kind]);
            at_time(spec, 7 - 1e-9, before);
            at_time(spec, 7, behind);
            for (int i = 0; i < LOOP; i++)
                ck_assert_double_eq_tol(before[i], behind[i], 1e-5);
        }
}
END_TEST

START_TEST(n44_no_period_is_none_and_no_t_has_none)
{
    struct field endless = field_of("1/0/1?t=5&t_period=0"), plain = field_of("1/0/1?t=5"),
                 far = field_of("1/0/1?t=13"), none = field_of("1/0/1"),
                 zero = field_of("1/0/1?t=0");
    size_t n = (size_t)plain.side * (size_t)plain.side;

    ck_assert(same_bits(endless.at, plain.at, n));
    ck_assert(!same_bits(far.at, plain.at, n));
    ck_assert(!same_bits(none.at, zero.at, n)); /* t=0 is a slice of space, not the plane */
    struct nt_error err = parse_bad("0/0/0?t_period=8");
    ck_assert_str_eq(err.parameter, "t_period");
    ck_assert(strstr(err.detail, "without t"));
    field_free(&endless);
    field_free(&plain);
    field_free(&far);
    field_free(&none);
    field_free(&zero);
}
END_TEST

Suite *smooth_suite(void)
{
    Suite *suite = suite_create("smooth");
    TCase *tc = tcase_create("smooth");

    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, n9_far_in_is_still_smooth);
    tcase_add_test(tc, n10_far_out_is_as_smooth_as_near);
    tcase_add_test(tc, n18_neighbouring_doubles_have_neighbouring_values);
    tcase_add_test(tc, n18_n35_no_step_hides_between_two_samples);
    tcase_add_test(tc, slopes_go_on_across_cells);
    tcase_add_test(tc, n35_second_differences_have_no_spikes);
    tcase_add_test(tc, n34_distances_never_change_faster_than_places);
    tcase_add_test(tc, n44_t_repeats_after_its_period_to_the_bit);
    tcase_add_test(tc, n44_the_loop_has_no_seam);
    tcase_add_test(tc, n44_no_period_is_none_and_no_t_has_none);
    suite_add_tcase(suite, tc);
    return suite;
}
