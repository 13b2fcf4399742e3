/*
 * What is random is random enough: no direction, seed, octave, place or distance is special. All
 * kinds, in
 * two dimensions and in slices of three.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/lattice.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* A single octave of one cell per world, in an endless plane. */
static struct nt_spec plain(int kind, int seed, bool slice)
{
    return spec_of("domain=plane&frequency=1&fractal=none&%s&noise=%s&seed=%d%s", lod_off(kind),
                   nt_kind_names[kind], seed, slice ? "&t=0.3" : "");
}

/* ---- Directions ------------------------------------------------------------------------------ */

enum { BATCH = 1 << 12 };

/* Ratio of the rms slopes in x and in y over n random places. */
static double slope_ratio(const struct nt_spec *spec, size_t n)
{
    static double u[3][BATCH], v[3][BATCH], value[3][BATCH];
    double dx = 0, dy = 0, h = 0.01;
    uint64_t state = 34;

    for (size_t done = 0; done < n; done += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            u[0][i] = u[2][i] = random_unit(&state) * 4096;
            v[0][i] = v[1][i] = random_unit(&state) * 4096;
            u[1][i] = u[0][i] + h;
            v[2][i] = v[0][i] + h;
        }
        for (int p = 0; p < 3; p++)
            nt_sample(spec, u[p], v[p], BATCH, value[p]);
        for (int i = 0; i < BATCH; i++) {
            dx += pow(value[1][i] - value[0][i], 2);
            dy += pow(value[2][i] - value[0][i], 2);
        }
    }
    return sqrt(dx / dy);
}

START_TEST(n37_no_lattice_direction_is_special)
{
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int slice = 0; slice < 2; slice++) {
            struct nt_spec spec = plain(kind, 5, slice);
            double ratio = slope_ratio(&spec, 1000000 * long_factor());
            ck_assert_msg(ratio > 0.95 && ratio < 1.05, "%s%s: %g", nt_kind_names[kind],
                          slice ? ", slice" : "", ratio);
        }
}
END_TEST

START_TEST(n37_the_third_axis_is_like_the_others)
{
    /* A step in t against a step in x, single octaves: t is in cells, as x is. */
    enum { N = 1 << 17 };
    static double u[N], ux[N], v[N], value[3][N];

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++) {
        double dx = 0, dt = 0;
        uint64_t state = 36;
        for (int i = 0; i < N; i++) {
            u[i] = random_unit(&state) * 4096;
            v[i] = random_unit(&state) * 4096;
            ux[i] = u[i] + 1.0 / 64;
        }
        for (int slice = 0; slice < 32; slice++) { /* many slices: one t alone may be near nodes */
            const size_t part = N / 32, at = (size_t)slice * part;
            struct nt_spec here =
                spec_of("domain=plane&frequency=1&fractal=none&%s&noise=%s&t=%.17g", lod_off(kind),
                        nt_kind_names[kind], slice * 17.34375);
            struct nt_spec there = here;
            there.t += 1.0 / 64;
            nt_sample(&here, u + at, v + at, part, value[0] + at);
            nt_sample(&here, ux + at, v + at, part, value[1] + at);
            nt_sample(&there, u + at, v + at, part, value[2] + at);
        }
        for (int i = 0; i < N; i++) {
            dx += pow(value[1][i] - value[0][i], 2);
            dt += pow(value[2][i] - value[0][i], 2);
        }
        if (kind == NT_WHITE) /* all of a slice changes at once, or nothing */
            continue;
        double ratio = sqrt(dx / dt);
        ck_assert_msg(ratio > 0.9 && ratio < 1.1, "%s: %g", nt_kind_names[kind], ratio);
    }
}
END_TEST

/* ---- Seeds and octaves ----------------------------------------------------------------------- */

enum { PLACES = 40000 };

/* The same places for every call. */
static void random_places(double *u, double *v, size_t n, double extent)
{
    uint64_t state = 33;

    for (size_t i = 0; i < n; i++) {
        u[i] = random_unit(&state) * extent;
        v[i] = random_unit(&state) * extent;
    }
}

START_TEST(neighbouring_seeds_are_uncorrelated)
{
    static double u[PLACES], v[PLACES], a[PLACES], b[PLACES];

    random_places(u, v, PLACES, 500);
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int slice = 0; slice < 2; slice++)
            for (int seed = -3; seed < 3; seed++) {
                struct nt_spec one = plain(kind, seed, slice), next = plain(kind, seed + 1, slice);
                nt_sample(&one, u, v, PLACES, a);
                nt_sample(&next, u, v, PLACES, b);
                double r = correlation(a, b, PLACES);
                ck_assert_msg(fabs(r) < 0.05, "%s, seeds %d and %d: %g", nt_kind_names[kind], seed,
                              seed + 1, r);
            }
}
END_TEST

/* One octave of a plan, alone, at given cells, without its sub-cell offset. */
static void one_octave(int kind, int64_t seed, int octave, const double *u, const double *v,
                       size_t n, double *out)
{
    static float sum[PLACES];
    static double w[PLACES];
    struct nt_spec spec = plain(kind, 0, false);
    struct nt_plan plan;

    spec.seed = seed;
    spec.fractal = NT_FRACTAL_FBM;
    spec.octaves = octave + 1;
    nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
    ck_assert_int_eq(plan.count, octave + 1);
    for (int axis = 0; axis < NT_AXES; axis++) {
        plan.octave[octave].axis[axis].frequency = 1;
        plan.octave[octave].axis[axis].offset = 0;
    }
    const struct nt_scatter points = {
        .octave = &plan.octave[octave], .place = {u, v, w}, .n = n, .gain = 1.0f, .sum = sum};
    memset(sum, 0, sizeof sum);
    nt_kinds[kind].plane[nt_level_index()]->scatter(&points);
    for (size_t i = 0; i < n; i++)
        out[i] = (double)sum[i];
}

START_TEST(n21_octaves_of_any_seeds_are_uncorrelated)
{
    static double u[PLACES], v[PLACES], a[PLACES], b[PLACES];
    static const int64_t apart[] = {0, 1,          -1,
                                    2, 0x7f4a7c15, -7046029254386353131LL /* golden ratio */};

    random_places(u, v, PLACES, 200);
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (size_t s = 0; s < sizeof apart / sizeof *apart; s++)
            for (int octave = 0; octave < 4; octave++) {
                one_octave(kind, 5, octave + 1, u, v, PLACES, a);
                one_octave(kind, (int64_t)(5 + (uint64_t)apart[s]), octave, u, v, PLACES, b);
                double r = correlation(a, b, PLACES);
                ck_assert_msg(fabs(r) < 0.05, "%s octave %d, seeds %lld apart: %g",
                              nt_kind_names[kind], octave, (long long)apart[s], r);
            }
}
END_TEST

START_TEST(the_displacing_fields_are_fields_of_their_own)
{
    /* Neither equals the other or the noise: their lattices have other keys and offsets. */
    struct nt_spec spec = spec_of("warp=1&octaves=8&warp_octaves=8");
    struct nt_plan plan[3];

    for (int field = 0; field < 3; field++)
        nt_plan_make(&plan[field], &spec, (enum nt_plan_field)field);
    for (int a = 0; a < 3 * 8 * NT_AXES; a++)
        for (int b = 0; b < a; b++) {
            const struct nt_octave_axis *one = &plan[a / 24].octave[a % 8].axis[a / 8 % 3];
            const struct nt_octave_axis *other = &plan[b / 24].octave[b % 8].axis[b / 8 % 3];
            ck_assert_uint_ne(one->key, other->key);
            ck_assert(one->offset != other->offset);
        }
}
END_TEST

START_TEST(n23_a_hundred_seeds_are_a_hundred_worlds)
{
    static const char *const queries[] = {"fractal=none",   "fractal=fbm",      "fractal=ridged",
                                          "fractal=billow", "fractal=pingpong", "warp=2",
                                          "domain=planet"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
            float seen[100][64];
            for (int seed = 0; seed < 100; seed++) {
                struct field f = field_of("0/0/0?size=8&%s&noise=%s&%s&seed=%d", lod_off(kind),
                                          nt_kind_names[kind], queries[q], seed);
                memcpy(seen[seed], f.at, sizeof seen[seed]);
                field_free(&f);
                for (int other = 0; other < seed; other++)
                    ck_assert_msg(!same_bits(seen[seed], seen[other], 64), "%s %s: %d = %d",
                                  nt_kind_names[kind], queries[q], seed, other);
            }
        }
}
END_TEST

START_TEST(n23_the_warp_has_the_seed_too)
{
    /* With the noise's own lattice held fixed, another seed displaces otherwise. */
    struct nt_spec spec = spec_of("warp=1");
    struct nt_plan one, other;

    for (int field = NT_PLAN_WARP_U; field <= NT_PLAN_WARP_V; field++) {
        nt_plan_make(&one, &spec, (enum nt_plan_field)field);
        spec.seed++;
        nt_plan_make(&other, &spec, (enum nt_plan_field)field);
        ck_assert_uint_ne(one.octave[0].axis[0].key, other.octave[0].axis[0].key);
        ck_assert_uint_ne(one.octave[0].axis[1].key, other.octave[0].axis[1].key);
    }
}
END_TEST

START_TEST(n24_seeds_have_all_their_64_bits)
{
    static const char *const seeds[] = {
        "0",           "4294967296", "9223372036854775807", "-9223372036854775808",
        "-1",          "1",          "9007199254740992",    "9007199254740993",
        "-4294967296", "2147483648", "-2147483648"};
    enum { SEEDS = sizeof seeds / sizeof *seeds };

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++) {
        float seen[SEEDS][64];
        for (int s = 0; s < SEEDS; s++) {
            struct field f = field_of("0/0/0?size=8&%s&seed=%s&noise=%s", lod_off(kind), seeds[s],
                                      nt_kind_names[kind]);
            memcpy(seen[s], f.at, sizeof seen[s]);
            field_free(&f);
            for (int other = 0; other < s; other++)
                ck_assert(!same_bits(seen[s], seen[other], 64));
        }
    }
    ck_assert_str_eq(parse_bad("0/0/0?seed=9223372036854775808").parameter, "seed");
    ck_assert_str_eq(parse_bad("0/0/0?seed=abc").parameter, "seed");
}
END_TEST

/* ---- Distances ------------------------------------------------------------------------------- */

/* Correlation of the noise with itself, moved by (x, y) cells; frequency 2, so that a move of 2^32
 * cells stays within the reach of single places. */
static double self_correlation(const struct nt_spec *spec, double x, double y, size_t n)
{
    static double u[2][PLACES], v[2][PLACES], value[2][PLACES];

    random_places(u[0], v[0], n, 500);
    for (size_t i = 0; i < n; i++) {
        u[1][i] = u[0][i] + x / 2;
        v[1][i] = v[0][i] + y / 2;
    }
    for (int p = 0; p < 2; p++)
        nt_sample(spec, u[p], v[p], n, value[p]);
    return correlation(value[0], value[1], n);
}

START_TEST(n19_n7_there_is_no_short_period)
{
    static const double far[][2] = {
        {256, 0},          {0, 256},          {256, 256},
        {289, 0},          {0, 289},          {512, 0},
        {0, 512},          {201.9, -54.1},    {-54.1, 201.9},
        {147.8, 147.8},    {57, -1},          {1, 57},
        {-1, 9},           {28, 4},           {65536, 0},
        {0, 65536},        {2147483648.0, 0}, {0, 2147483648.0},
        {4294967296.0, 0}, {0, 4294967296.0}, {2147483648.0, 2147483648.0}};
    enum { FAR = sizeof far / sizeof *far, NEAR = 63 };

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int seed = 0; seed < 2; seed++)
            for (int slice = 0; slice < 2; slice++) {
                struct nt_spec spec = plain(kind, seed, slice);
                spec.frequency = 2;
                for (int lag = 0; lag < FAR + NEAR; lag++) {
                    bool near = lag >= FAR;
                    double x = near ? lag - FAR + 2 : far[lag][0], y = near ? 0 : far[lag][1];
                    if (near && slice && lag % 5)
                        continue;
                    double r = self_correlation(&spec, x, y, near || slice ? 10000 : 20000);
                    ck_assert_msg(fabs(r) < 0.07, "%s, seed %d%s, repeats at (%g, %g): %g",
                                  nt_kind_names[kind], seed, slice ? ", slice" : "", x, y, r);
                }
            }
}
END_TEST

/* ---- Places ---------------------------------------------------------------------------------- */

START_TEST(n15_whole_number_positions_are_ordinary)
{
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++) {
        struct field f = field_of("0/0/0?%s&fractal=none&frequency=256&sampling=point&noise=%s",
                                  lod_off(kind), nt_kind_names[kind]);
        double sum = 0, squares = 0, n = (double)f.side * (double)f.side;
        for (int i = 0; i < f.side * f.side; i++) {
            sum += (double)f.at[i];
            squares += (double)f.at[i] * (double)f.at[i];
        }
        double variance = squares / n - sum / n * (sum / n);
        ck_assert_msg(variance > 0.01, "%s: variance %g", nt_kind_names[kind], variance);
        field_free(&f);
    }
}
END_TEST

START_TEST(n20_the_origin_is_an_ordinary_place)
{
    enum { SEEDS = 400, N = 32 };

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++) {
        double sum[2] = {0}, squares[2] = {0}, count[2] = {0}, origin = 0, variance[2];
        for (int seed = 0; seed < SEEDS; seed++) {
            struct field f = field_of("0/0/0?size=32&frequency=2&octaves=8&persistence=1&"
                                      "sampling=point&%s&domain=plane&seed=%d&noise=%s",
                                      lod_off(kind), seed, nt_kind_names[kind]);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    double value = (double)f.at[j * f.side + i];
                    bool is_near = i * i + j * j <= 16;
                    sum[is_near] += value;
                    squares[is_near] += value * value;
                    count[is_near]++;
                }
            origin += fabs((double)f.at[0]) / SEEDS;
            field_free(&f);
        }
        double mean = sum[0] / count[0]; /* distances have one */
        for (int k = 0; k < 2; k++)
            variance[k] = (squares[k] - 2 * mean * sum[k]) / count[k] + mean * mean;
        double ratio = variance[1] / variance[0];
        ck_assert_msg(ratio > 0.7 && ratio < 1.3, "%s: %g", nt_kind_names[kind], ratio);
        ck_assert_msg(origin > 0.01, "%s: %g", nt_kind_names[kind], origin);
    }
}
END_TEST

/* Variance of each column over many seeds; the least and the greatest, as shares of the mean. */
static void column_variances(int kind, const char *query, bool rows, double *least, double *most)
{
    enum { SEEDS = 1500, SIDE = 24 };
    double sum[SIDE] = {0}, squares[SIDE] = {0}, n = SEEDS * SIDE, mean = 0;

    for (int seed = 0; seed < SEEDS; seed++) {
        struct field f = field_of("0/0/0?size=24&frequency=7&fractal=none&%s&noise=%s&seed=%d&%s",
                                  lod_off(kind), nt_kind_names[kind], seed, query);
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                double value = (double)f.at[j * SIDE + i];
                sum[rows ? j : i] += value;
                squares[rows ? j : i] += value * value;
            }
        field_free(&f);
    }
    *least = 1e9;
    *most = 0;
    for (int i = 0; i < SIDE; i++) {
        double variance = squares[i] / n - pow(sum[i] / n, 2);
        mean += variance / SIDE;
        *least = fmin(*least, variance);
        *most = fmax(*most, variance);
    }
    *least /= mean;
    *most /= mean;
}

START_TEST(n43_no_column_is_paler_than_the_others)
{
    double least, most;

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int axis = 0; axis < 2; axis++) {
            if (axis == 1 && !(nt_kinds[kind].abilities & NT_CLOSES))
                continue;
            column_variances(kind, axis ? "domain=torus" : "domain=world", axis, &least, &most);
            ck_assert_msg(least > 0.9 && most < 1.1, "%s, %s: %g to %g", nt_kind_names[kind],
                          axis ? "rows" : "columns", least, most);
        }
}
END_TEST

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* At its nodes perlin is 0 with slope 1, value is not: N46. */
START_TEST(n46_perlin_is_gradient_noise_and_value_is_not)
{
    enum { N = 20000 };
    static double u[3][N], v[3][N], n[3][N];
    const double h = 1e-4; /* slope at a node is its gradient */
    uint64_t state = 8;

    for (int kind = 0; kind < 2; kind++) {
        struct nt_spec spec = plain(kind ? NT_VALUE : NT_PERLIN, 0, false);
        struct nt_plan plan;
        double squares = 0;
        nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
        for (int i = 0; i < N; i++) {
            u[0][i] = u[2][i] = (double)random_below(&state, 1000) - plan.octave[0].axis[0].offset;
            v[0][i] = v[1][i] = (double)random_below(&state, 1000) - plan.octave[0].axis[1].offset;
            u[1][i] = u[0][i] + h;
            v[2][i] = v[0][i] + h;
        }
        for (int p = 0; p < 3; p++)
            nt_sample(&spec, u[p], v[p], N, n[p]);
        for (int i = 0; i < N; i++) {
            squares += n[0][i] * n[0][i] / N;
            if (kind == 1)
                continue;
            double length = hypot(n[1][i] - n[0][i], n[2][i] - n[0][i]) / h / sqrt(2);
            ck_assert_msg(fabs(length - 1) < 0.003, "unit gradients are units, not %g", length);
        }
        ck_assert_msg(kind ? squares > 0.3 : squares < 1e-12, "%s at its nodes: %g",
                      nt_kind_names[spec.noise], squares);
    }
}
END_TEST

START_TEST(gradients_are_units_in_every_direction)
{
    /* Slopes at perlin's nodes: all eighths of the circle alike. */
    enum { N = 40000 };
    static double u[3][N], v[3][N], n[3][N];
    struct nt_spec spec = plain(NT_PERLIN, 3, false);
    struct nt_plan plan;
    int eighth[8] = {0};

    nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
    for (int i = 0; i < N; i++) {
        u[0][i] = u[2][i] = i % 200 - plan.octave[0].axis[0].offset;
        v[0][i] = v[1][i] = i / 200 - plan.octave[0].axis[1].offset;
        u[1][i] = u[0][i] + 1e-4;
        v[2][i] = v[0][i] + 1e-4;
    }
    for (int p = 0; p < 3; p++)
        nt_sample(&spec, u[p], v[p], N, n[p]);
    for (int i = 0; i < N; i++) {
        double angle = atan2(n[2][i] - n[0][i], n[1][i] - n[0][i]) / 6.28318530717958648 + 1;
        eighth[(int)(angle * 8) % 8]++;
    }
    for (int k = 0; k < 8; k++)
        ck_assert_msg(abs(eighth[k] - N / 8) < N / 8 / 10, "%d of %d", eighth[k], N);
}
END_TEST

START_TEST(white_is_constant_inside_its_cells)
{
    enum { SIDE = 256 };
    struct field f = field_of("0/0/0?noise=white&fractal=none&frequency=16&domain=plane");
    int changes = 0;

    for (int i = 1; i < SIDE; i++)
        changes += !same_bits(&f.at[i], &f.at[i - 1], 1);
    ck_assert_int_ge(changes, 15); /* sixteen cells and a bit of another */
    ck_assert_int_le(changes, 16);
    field_free(&f);
}
END_TEST

Suite *statistics_suite(void)
{
    Suite *suite = suite_create("statistics");
    TCase *tc = tcase_create("statistics");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, n37_no_lattice_direction_is_special);
    tcase_add_test(tc, n37_the_third_axis_is_like_the_others);
    tcase_add_test(tc, neighbouring_seeds_are_uncorrelated);
    tcase_add_test(tc, n21_octaves_of_any_seeds_are_uncorrelated);
    tcase_add_test(tc, the_displacing_fields_are_fields_of_their_own);
    tcase_add_test(tc, n23_a_hundred_seeds_are_a_hundred_worlds);
    tcase_add_test(tc, n23_the_warp_has_the_seed_too);
    tcase_add_test(tc, n24_seeds_have_all_their_64_bits);
    tcase_add_test(tc, n19_n7_there_is_no_short_period);
    tcase_add_test(tc, n15_whole_number_positions_are_ordinary);
    tcase_add_test(tc, n20_the_origin_is_an_ordinary_place);
    tcase_add_test(tc, n43_no_column_is_paler_than_the_others);
    tcase_add_test(tc, n46_perlin_is_gradient_noise_and_value_is_not);
    tcase_add_test(tc, gradients_are_units_in_every_direction);
    tcase_add_test(tc, white_is_constant_inside_its_cells);
    suite_add_tcase(suite, tc);
    return suite;
}
