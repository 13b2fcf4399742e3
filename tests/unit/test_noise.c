/* The noise itself: bounds, statistics, and the cases that users of noise libraries ran into. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/lattice.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* Largest |value| of n samples: tiles of other seeds, a cell and a bit from pixel to pixel. */
static float largest_sample(const char *query, size_t n, int seed)
{
    float most = 0;

    for (size_t done = 0; done < n; seed++) {
        struct field f =
            field_of("0/0/0?lod=off&frequency=%d.7&seed=%d&%s", 277 + seed % 50, seed, query);
        for (int i = 0; i < f.side * f.side; i++) {
            ck_assert(isfinite(f.at[i]));
            most = fmaxf(most, fabsf(f.at[i]));
        }
        done += (size_t)f.side * (size_t)f.side;
        field_free(&f);
    }
    return most;
}

START_TEST(n12_the_bound_is_never_crossed)
{
    static const char *const fractals[] = {"fractal=none", "fractal=fbm",
                                           "fractal=fbm&persistence=0.9&octaves=12",
                                           "fractal=fbm&persistence=-1&octaves=32"};

    for (int k = 0; k < NT_KINDS; k++)
        for (size_t f = 0; f < sizeof fractals / sizeof *fractals; f++) {
            char query[128];
            snprintf(query, sizeof query, "noise=%s&domain=plane&%s", nt_kind_names[k],
                     fractals[f]);
            float most = largest_sample(query, 1000000 * long_factor(), k * 700 + (int)f * 100);
            ck_assert_msg(most <= 1.0f, "%s reaches %.9g", query, (double)most);
            if (f == 0)
                ck_assert_msg(most >= 0.9f, "%s reaches only %g", query, (double)most);
        }
}
END_TEST

/* Nodes that make a kind's worst case: gradients towards the middle, or the largest values. */
static void worst_nodes(int kind, float sign, float *parts)
{
    static const float way[4][2] = {
        {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}; /* from the node to the middle */

    for (int i = 0; i < 4; i++) {
        if (kind == NT_VALUE)
            parts[i] = sign;
        else
            for (int axis = 0; axis < 2; axis++)
                parts[2 * i + axis] = sign * way[i][axis] * 0.70710678f;
    }
}

START_TEST(n12_the_bound_is_reached_by_construction)
{
    for (int level = 0; level <= nt_level_index(); level++)
        for (int k = 0; k < NT_KINDS; k++)
            for (float sign = -1; sign <= 1; sign += 2) {
                float parts[8];
                worst_nodes(k, sign, parts);
                float worst = sign * nt_kinds[k].kernel[level]->corners(parts, 0.5f, 0.5f);
                ck_assert_msg(worst > 0.9999f && worst <= 1.0f, "%s: %.9g", nt_kind_names[k],
                              (double)worst);
            }
}
END_TEST

START_TEST(no_place_in_a_cell_is_worse_than_the_middle)
{
    /* Perlin's bound, with the worst unit gradient at every node for every place. */
    uint64_t state = 4;

    for (int i = 0; i < 200000; i++) {
        float u = (float)random_unit(&state), v = (float)random_unit(&state), parts[8];
        for (int node = 0; node < 4; node++) {
            float x = u - (float)(node % 2), y = v - (float)(node / 2),
                  length = sqrtf(x * x + y * y);
            parts[2 * node] = length > 0 ? x / length : 1;
            parts[2 * node + 1] = length > 0 ? y / length : 0;
        }
        float n = nt_kinds[NT_PERLIN].kernel[nt_level_index()]->corners(parts, u, v);
        ck_assert_msg(n <= 1.0f, "%.9g at (%g, %g)", (double)n, (double)u, (double)v);
    }
}
END_TEST

START_TEST(gains_never_sum_to_more_than_the_amplitude)
{
    uint64_t state = 6;

    for (int i = 0; i < 20000; i++) {
        struct nt_tile tile;
        struct nt_spec spec;
        struct nt_plan plan;
        char url[256];
        double sum = 0;
        snprintf(url, sizeof url, "0/0/0?octaves=%u&persistence=%.17g&amplitude=%.17g",
                 random_below(&state, 32) + 1, random_unit(&state) * 3 - 1,
                 random_unit(&state) * 100);
        parse_ok(url, &tile, &spec);
        nt_plan_make(&plan, &spec, 0.0);
        for (int o = 0; o < plan.count; o++)
            sum += fabs((double)plan.octave[o].gain);
        ck_assert(sum <= spec.amplitude && sum > spec.amplitude * 0.999);
    }
}
END_TEST

START_TEST(unit_gradients_are_units)
{
    /* A node's own dot product at distance 1 to the east is its gradient's x, to the south its y.
     */
    uint64_t state = 8;
    struct nt_tile tile;
    struct nt_spec spec;

    parse_ok("0/0/0?fractal=none&lod=off&domain=plane&frequency=1", &tile, &spec);
    for (int i = 0; i < 20000; i++) {
        struct nt_plan plan;
        const double h = 1e-4; /* slope at a node is its gradient */
        nt_plan_make(&plan, &spec, 0.0);
        double node_u = (double)random_below(&state, 1000) - plan.octave[0].axis[0].offset;
        double node_v = (double)random_below(&state, 1000) - plan.octave[0].axis[1].offset;
        double u[3] = {node_u, node_u + h, node_u}, v[3] = {node_v, node_v, node_v + h};
        float n[3];
        nt_sample(&spec, u, v, 3, n);
        ck_assert_msg(fabsf(n[0]) < 1e-6f, "N46: perlin is 0 at its nodes, not %g", (double)n[0]);
        double length = hypot((double)(n[1] - n[0]), (double)(n[2] - n[0])) / h / sqrt(2);
        ck_assert_msg(fabs(length - 1) < 0.003, "%g", length);
    }
}
END_TEST

/* ---- Instruction levels
 * ---------------------------------------------------------------------------- */

START_TEST(n5_every_instruction_level_gives_the_same_bits)
{
    uint64_t state = 31;
    static const char *const domains[] = {"world", "torus", "plane"};

    for (int round = 0; round < 300; round++) {
        char url[256];
        int z = (int)random_below(&state, 31);
        snprintf(
            url, sizeof url,
            "%d/%u/"
            "%u?size=%u&buffer=%u&noise=%s&seed=%d&domain=%s&frequency=%.17g&octaves=%u&lod=%s",
            z, random_below(&state, (uint32_t)(1ULL << z)),
            random_below(&state, (uint32_t)(1ULL << z)), random_below(&state, 90) + 1,
            random_below(&state, 17), nt_kind_names[random_below(&state, NT_KINDS)],
            (int)random_u32(&state), domains[random_below(&state, 3)],
            ldexp(random_unit(&state) + 0.01, (int)random_below(&state, 20)),
            random_below(&state, 12) + 1, round % 2 ? "auto" : "off");
        ck_assert(nt_init("baseline"));
        struct field plain = field_of("%s", url);
        ck_assert(nt_init("auto"));
        struct field best = field_of("%s", url);
        ck_assert_msg(same_bits(plain.at, best.at, (size_t)plain.side * (size_t)plain.side), "%s",
                      url);
        field_free(&plain);
        field_free(&best);
    }
}
END_TEST

START_TEST(an_unknown_instruction_level_is_refused)
{
    ck_assert(!nt_init("sse9"));
    ck_assert(nt_init(NULL));
    ck_assert(nt_init("avx2"));
    ck_assert(nt_init("baseline"));
    ck_assert_str_eq(nt_level(), "baseline");
}
END_TEST

/* ---- Statistics ------------------------------------------------------------------------------ */

static double correlation(const float *a, const float *b, size_t n)
{
    double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;

    for (size_t i = 0; i < n; i++) {
        ma += (double)a[i] / (double)n;
        mb += (double)b[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double x = (double)a[i] - ma, y = (double)b[i] - mb;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    return ab / sqrt(aa * bb);
}

static void check_uncorrelated(const char *a, const char *b)
{
    struct field fa = field_of("%s", a), fb = field_of("%s", b);
    double r = correlation(fa.at, fb.at, (size_t)fa.side * (size_t)fa.side);

    ck_assert_msg(fabs(r) < 0.05, "%s and %s: %g", a, b, r);
    field_free(&fa);
    field_free(&fb);
}

START_TEST(neighbouring_seeds_are_uncorrelated)
{
    for (int k = 0; k < NT_KINDS; k++)
        for (int seed = -4; seed < 4; seed++) {
            char a[160], b[160];
            snprintf(a, sizeof a, "0/0/0?lod=off&fractal=none&frequency=128&noise=%s&seed=%d",
                     nt_kind_names[k], seed);
            snprintf(b, sizeof b, "0/0/0?lod=off&fractal=none&frequency=128&noise=%s&seed=%d",
                     nt_kind_names[k], seed + 1);
            check_uncorrelated(a, b);
        }
}
END_TEST

/* One octave of a plan, alone, at given cells. */
static void one_octave(int kind, int64_t seed, int octave, const double *u, const double *v,
                       size_t n, float *out)
{
    struct nt_tile tile;
    struct nt_spec spec;
    struct nt_plan plan;
    char url[128];

    snprintf(url, sizeof url, "0/0/0?domain=plane&frequency=1&noise=%s&seed=%lld",
             nt_kind_names[kind], (long long)seed);
    parse_ok(url, &tile, &spec);
    nt_plan_make(&plan, &spec, 0.0);
    plan.octave[octave].frequency = 1;
    memset(out, 0, n * sizeof *out);
    nt_kinds[kind].kernel[nt_level_index()]->scatter(&plan.octave[octave], u, v, n, out);
}

START_TEST(n21_octaves_of_any_seeds_are_uncorrelated)
{
    enum { N = 40000 };
    static double u[N], v[N];
    static float a[N], b[N];
    uint64_t state = 33;
    static const int64_t apart[] = {0, 1,          -1,
                                    2, 0x7f4a7c15, -7046029254386353131LL /* golden ratio */};

    for (int i = 0; i < N; i++) {
        u[i] = random_unit(&state) * 200;
        v[i] = random_unit(&state) * 200;
    }
    for (int k = 0; k < NT_KINDS; k++)
        for (size_t s = 0; s < sizeof apart / sizeof *apart; s++)
            for (int octave = 0; octave < 4; octave++) {
                one_octave(k, 5, octave + 1, u, v, N, a);
                one_octave(k, (int64_t)(5 + (uint64_t)apart[s]), octave, u, v, N, b);
                double r = correlation(a, b, N);
                ck_assert_msg(fabs(r) < 0.05, "%s octave %d, seeds %lld apart: %g",
                              nt_kind_names[k], octave, (long long)apart[s], r);
            }
}
END_TEST

START_TEST(no_lattice_direction_is_special)
{
    enum { N = 1 << 20 };
    static double u[3][1 << 12], v[3][1 << 12];
    static float n[3][1 << 12];
    struct nt_tile tile;
    struct nt_spec spec;
    char url[128];

    for (int k = 0; k < NT_KINDS; k++) {
        double dx = 0, dy = 0;
        uint64_t state = 34;
        snprintf(url, sizeof url, "0/0/0?domain=plane&frequency=1&fractal=none&noise=%s",
                 nt_kind_names[k]);
        parse_ok(url, &tile, &spec);
        for (size_t done = 0; done < N * long_factor(); done += 1 << 12) {
            for (int i = 0; i < 1 << 12; i++) {
                u[0][i] = u[2][i] = random_unit(&state) * 4096;
                v[0][i] = v[1][i] = random_unit(&state) * 4096;
                u[1][i] = u[0][i] + 0.01;
                v[2][i] = v[0][i] + 0.01;
            }
            for (int p = 0; p < 3; p++)
                nt_sample(&spec, u[p], v[p], 1 << 12, n[p]);
            for (int i = 0; i < 1 << 12; i++) {
                dx += pow((double)(n[1][i] - n[0][i]), 2);
                dy += pow((double)(n[2][i] - n[0][i]), 2);
            }
        }
        double ratio = sqrt(dx / dy);
        ck_assert_msg(ratio > 0.95 && ratio < 1.05, "%s: %g", nt_kind_names[k], ratio);
    }
}
END_TEST

/* N19, N7: lags at which weak hashes repeat, and small ones. */
START_TEST(there_is_no_short_period)
{
    enum { N = 60000 };
    static double u[2][N], v[2][N];
    static float n[2][N];
    static const double lags[][2] = {{256, 0},   {0, 256},          {289, 0},         {0, 289},
                                     {512, 0},   {0, 512},          {256, 256},       {65536, 0},
                                     {0, 65536}, {201.9, -54.1},    {147.8, 147.8},   {57, -1},
                                     {1, 57},    {4294967296.0, 0}, {0, 4294967296.0}};

    for (int k = 0; k < NT_KINDS; k++)
        for (int seed = 0; seed < 2; seed++)
            for (size_t lag = 0; lag < sizeof lags / sizeof *lags + 64; lag++) {
                struct nt_tile tile;
                struct nt_spec spec;
                char url[128];
                uint64_t state = 35;
                double small = (double)(lag + 1), x = lag < 64 ? small : lags[lag - 64][0],
                       y = lag < 64 ? 0 : lags[lag - 64][1];
                size_t count = lag < 64 ? N / 4 : N;
                snprintf(url, sizeof url,
                         "0/0/0?domain=plane&frequency=1&fractal=none&noise=%s&seed=%d",
                         nt_kind_names[k], seed);
                parse_ok(url, &tile, &spec);
                for (size_t i = 0; i < count; i++) {
                    u[0][i] = random_unit(&state) * 1000;
                    v[0][i] = random_unit(&state) * 1000;
                    u[1][i] = u[0][i] + x;
                    v[1][i] = v[0][i] + y;
                }
                for (int p = 0; p < 2; p++)
                    nt_sample(&spec, u[p], v[p], count, n[p]);
                double r = correlation(n[0], n[1], count), allowed = lag < 1 ? 0.2 : 0.06;
                ck_assert_msg(fabs(r) < allowed, "%s seed %d repeats at (%g, %g): %g",
                              nt_kind_names[k], seed, x, y, r);
            }
}
END_TEST

/* ---- Cases ----------------------------------------------------------------------------------- */

START_TEST(n9_far_in_and_far_out_is_still_smooth)
{
    for (int k = 0; k < NT_KINDS; k++) {
        struct field f =
            field_of("30/%d/5?frequency=1048576&noise=%s", (1 << 29) + 7, nt_kind_names[k]);
        int distinct = 0, longest = 1;
        for (int row = 0; row < f.side; row += 51)
            for (int i = 1, run = 1; i < f.side; i++) {
                bool equal = f.at[row * f.side + i] == f.at[row * f.side + i - 1];
                run = equal ? run + 1 : 1;
                longest = run > longest ? run : longest;
                distinct += !equal && row == 0;
            }
        ck_assert_msg(distinct >= 200, "%s: %d distinct values", nt_kind_names[k], distinct);
        ck_assert_msg(longest <= 4, "%s: %d equal neighbours", nt_kind_names[k], longest);
        field_free(&f);
    }
}
END_TEST

START_TEST(n15_whole_number_positions_are_ordinary)
{
    for (int k = 0; k < NT_KINDS; k++) {
        struct field f = field_of(
            "0/0/0?lod=off&fractal=none&frequency=256&sampling=point&noise=%s", nt_kind_names[k]);
        double sum = 0, squares = 0, n = (double)f.side * (double)f.side;
        for (int i = 0; i < f.side * f.side; i++) {
            sum += (double)f.at[i];
            squares += (double)f.at[i] * (double)f.at[i];
        }
        double variance = squares / n - sum / n * (sum / n);
        ck_assert_msg(variance > 0.01, "%s: variance %g", nt_kind_names[k], variance);
        field_free(&f);
    }
}
END_TEST

START_TEST(n20_the_origin_is_an_ordinary_place)
{
    enum { SEEDS = 400, N = 64 };

    for (int k = 0; k < NT_KINDS; k++) {
        double near = 0, rest = 0, origin = 0;
        long near_count = 0, rest_count = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            struct field f = field_of("0/0/"
                                      "0?size=64&frequency=4&octaves=8&persistence=1&sampling="
                                      "point&lod=off&domain=plane&seed=%d&noise=%s",
                                      seed, nt_kind_names[k]);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    double value = (double)f.at[j * f.side + i];
                    bool is_near = i * i + j * j <= 16;
                    *(is_near ? &near : &rest) += value * value;
                    *(is_near ? &near_count : &rest_count) += 1;
                }
            origin += fabs((double)f.at[0]) / SEEDS;
            field_free(&f);
        }
        double ratio = near / (double)near_count / (rest / (double)rest_count);
        ck_assert_msg(ratio > 0.7 && ratio < 1.3, "%s: %g", nt_kind_names[k], ratio);
        ck_assert_msg(origin > 0.01, "%s: %g", nt_kind_names[k], origin);
    }
}
END_TEST

START_TEST(n23_a_hundred_seeds_are_a_hundred_worlds)
{
    static const char *const fractals[] = {"none", "fbm"};

    for (int k = 0; k < NT_KINDS; k++)
        for (int fractal = 0; fractal < 2; fractal++) {
            float seen[100][64];
            for (int seed = 0; seed < 100; seed++) {
                struct field f = field_of("0/0/0?size=8&lod=off&noise=%s&fractal=%s&seed=%d",
                                          nt_kind_names[k], fractals[fractal], seed);
                memcpy(seen[seed], f.at, sizeof seen[seed]);
                field_free(&f);
                for (int other = 0; other < seed; other++)
                    ck_assert(!same_bits(seen[seed], seen[other], 64));
            }
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

    for (int k = 0; k < NT_KINDS; k++) {
        float seen[SEEDS][64];
        for (int s = 0; s < SEEDS; s++) {
            struct field f =
                field_of("0/0/0?size=8&lod=off&seed=%s&noise=%s", seeds[s], nt_kind_names[k]);
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

START_TEST(n27_the_most_octaves_are_finite)
{
    static const char *const queries[] = {"octaves=32&lacunarity=8&frequency=1048576&lod=off",
                                          "octaves=32&lacunarity=8&frequency=1048576",
                                          "octaves=32&persistence=2&lod=off",
                                          "octaves=32&persistence=-1&lod=off"};

    for (size_t q = 0; q < 4; q++)
        for (int z = 0; z <= 30; z += 15) {
            struct field f = field_of("%d/0/0?size=32&%s", z, queries[q]);
            for (int i = 0; i < f.side * f.side; i++)
                ck_assert(isfinite(f.at[i]) && fabsf(f.at[i]) <= 1.0f);
            field_free(&f);
        }
    ck_assert_str_eq(parse_bad("0/0/0?octaves=39").max, "32");
}
END_TEST

START_TEST(n28_one_octave_is_the_plain_kind)
{
    for (int k = 0; k < NT_KINDS; k++) {
        struct field one = field_of("3/5/2?octaves=1&noise=%s", nt_kind_names[k]);
        struct field plain = field_of("3/5/2?fractal=none&noise=%s", nt_kind_names[k]);
        ck_assert(same_bits(one.at, plain.at, (size_t)one.side * (size_t)one.side));
        field_free(&one);
        field_free(&plain);
    }
    ck_assert_str_eq(parse_bad("0/0/0?octaves=0").parameter, "octaves");
}
END_TEST

START_TEST(amplitude_multiplies_and_nothing_else)
{
    struct field one = field_of("3/5/2"), half = field_of("3/5/2?amplitude=0.5"),
                 none = field_of("3/5/2?amplitude=0");

    for (int i = 0; i < one.side * one.side; i++) {
        ck_assert(fabsf(one.at[i] * 0.5f - half.at[i]) < 1e-7f);
        ck_assert(none.at[i] == 0.0f);
    }
    field_free(&one);
    field_free(&half);
    field_free(&none);
}
END_TEST

START_TEST(n50_a_tile_is_the_box_mean_of_its_children)
{
    for (int k = 0; k < NT_KINDS; k++)
        for (int z = 0; z < 12; z++) {
            double squares = 0;
            long long at = (1LL << z) / 3;
            struct field f =
                field_of("%d/%lld/%lld?size=256&noise=%s", z, at, at, nt_kind_names[k]);
            struct field fine =
                field_of("%d/%lld/%lld?size=512&noise=%s", z, at, at, nt_kind_names[k]);
            for (int j = 0; j < 256; j++)
                for (int i = 0; i < 256; i++) {
                    const float *p = &fine.at[2 * j * 512 + 2 * i];
                    double mean =
                        ((double)p[0] + (double)p[1] + (double)p[512] + (double)p[513]) / 4;
                    squares += pow(mean - (double)f.at[j * 256 + i], 2);
                }
            double rms = sqrt(squares / (256 * 256));
            ck_assert_msg(rms < 0.005, "%s z=%d: %g", nt_kind_names[k], z, rms);
            field_free(&f);
            field_free(&fine);
        }
}
END_TEST

START_TEST(n44_octaves_close_whatever_their_frequency)
{
    /* Every octave's cells per world are whole, so its lattice repeats: u and u + 1 are the same
     * place. */
    for (int octaves = 1; octaves <= 8; octaves++) {
        struct nt_tile tile;
        struct nt_spec spec;
        struct nt_plan plan;
        char url[128];
        snprintf(url, sizeof url, "0/0/0?frequency=3.3&lacunarity=2.7&octaves=%d", octaves);
        parse_ok(url, &tile, &spec);
        nt_plan_make(&plan, &spec, 0.0);
        ck_assert_int_eq(plan.count, octaves);
        for (int o = 0; o < octaves; o++) {
            ck_assert_double_eq(plan.octave[o].frequency, floor(3.3 * pow(2.7, o) + 0.5));
            ck_assert_int_eq(plan.octave[o].axis[0].period, (int64_t)plan.octave[o].frequency);
            ck_assert_int_eq(plan.octave[o].axis[1].period, 0);
        }
    }
}
END_TEST

Suite *noise_suite(void)
{
    Suite *suite = suite_create("noise");
    TCase *tc = tcase_create("noise");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, n12_the_bound_is_never_crossed);
    tcase_add_test(tc, n12_the_bound_is_reached_by_construction);
    tcase_add_test(tc, no_place_in_a_cell_is_worse_than_the_middle);
    tcase_add_test(tc, gains_never_sum_to_more_than_the_amplitude);
    tcase_add_test(tc, unit_gradients_are_units);
    tcase_add_test(tc, n5_every_instruction_level_gives_the_same_bits);
    tcase_add_test(tc, an_unknown_instruction_level_is_refused);
    tcase_add_test(tc, neighbouring_seeds_are_uncorrelated);
    tcase_add_test(tc, n21_octaves_of_any_seeds_are_uncorrelated);
    tcase_add_test(tc, no_lattice_direction_is_special);
    tcase_add_test(tc, there_is_no_short_period);
    tcase_add_test(tc, n9_far_in_and_far_out_is_still_smooth);
    tcase_add_test(tc, n15_whole_number_positions_are_ordinary);
    tcase_add_test(tc, n20_the_origin_is_an_ordinary_place);
    tcase_add_test(tc, n23_a_hundred_seeds_are_a_hundred_worlds);
    tcase_add_test(tc, n24_seeds_have_all_their_64_bits);
    tcase_add_test(tc, n27_the_most_octaves_are_finite);
    tcase_add_test(tc, n28_one_octave_is_the_plain_kind);
    tcase_add_test(tc, amplitude_multiplies_and_nothing_else);
    tcase_add_test(tc, n50_a_tile_is_the_box_mean_of_its_children);
    tcase_add_test(tc, n44_octaves_close_whatever_their_frequency);
    suite_add_tcase(suite, tc);
    return suite;
}
