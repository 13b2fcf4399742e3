/*
 * The noise as a whole: the same bits at every instruction level, and what octaves, amplitude,
 * zoom and extreme numbers do to it. Bounds, statistics and smoothness have files of their own
 * beside this one.
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

/* ---- Instruction levels ---------------------------------------------------------------------- */

START_TEST(n5_every_instruction_level_gives_the_same_bits)
{
    static const char *const queries[] = {"domain=world",
                                          "domain=plane",
                                          "domain=planet",
                                          "domain=torus",
                                          "domain=plane&t=-0.3",
                                          "domain=planet&t=2.5",
                                          "domain=torus&t=1&t_period=3",
                                          "warp=1.5",
                                          "domain=torus&warp=2",
                                          "domain=plane&fractal=ridged",
                                          "fractal=billow&domain=plane&t=1",
                                          "fractal=pingpong"};
    uint64_t state = 31;

    for (int round = 0; round < 80 * NT_NATIVE_KINDS * (int)long_factor(); round++) {
        int z = (int)random_below(&state, 31), kind = round % NT_NATIVE_KINDS;
        const char *query = queries[(round / NT_NATIVE_KINDS) % 12];
        const char *cells[] = {"", "&cell=f2", "&cell=f2-f1&jitter=0.3", "&cell=value"};
        bool closes = nt_kinds[kind].abilities & NT_CLOSES;
        char url[320];
        if (!closes && strstr(query, "torus"))
            query = "domain=planet&warp=1";
        snprintf(url, sizeof url,
                 "%d/%u/%u?size=%u&buffer=%u&noise=%s&seed=%d&frequency=%.17g&%s%s&%s%s", z,
                 random_below(&state, (uint32_t)(1ULL << z)),
                 random_below(&state, (uint32_t)(1ULL << z)), random_below(&state, 70) + 1,
                 random_below(&state, 17), nt_kind_names[kind], (int)random_u32(&state),
                 ldexp(random_unit(&state) + 0.01, (int)random_below(&state, 20)), query,
                 kind == NT_CELLULAR ? cells[random_below(&state, 4)] : "",
                 round % 2 ? lod_off(kind) : "amplitude=0.7", round % 3 ? "&octaves=3" : "");
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

START_TEST(n5_every_level_has_the_same_worst_case)
{
    uint64_t state = 32;

    for (int i = 0; i < 2000; i++)
        for (int kind = 0; kind < NT_NATIVE_KINDS; kind++) {
            const struct nt_octave octave = {.cell = i % 4, .jitter = (float)(i % 3) / 2};
            const float place[] = {(float)random_unit(&state), (float)random_unit(&state),
                                   (float)random_unit(&state)};
            for (int level = 1; level <= nt_level_index(); level++) {
                const struct nt_kind *k = &nt_kinds[kind];
                float flat[] = {k->plane[0]->worst(&octave, place),
                                k->plane[level]->worst(&octave, place)};
                float deep[] = {k->space[0]->worst(&octave, place),
                                k->space[level]->worst(&octave, place)};
                ck_assert(same_bits(&flat[0], &flat[1], 1) && same_bits(&deep[0], &deep[1], 1));
            }
        }
}
END_TEST

/* Positions in ascending order, as a tile's are, with a leap where the domain repeats. */
static void some_positions(uint64_t *state, double *world, int count)
{
    double at = random_unit(state) - 0.5, step = ldexp(random_unit(state), -(int)(*state >> 60));

    for (int i = 0; i < count; i++) {
        world[i] = at;
        at += step;
        if (random_below(state, 200) == 0)
            at = random_unit(state) - 0.5;
    }
}

/* Whether the nodes within reach of a position are where its slot says. */
static bool has_nodes(const struct nt_axis *axis, const struct nt_octave_axis *lattice, int i,
                      double world, struct nt_reach reach)
{
    int64_t cell = nt_cell_of(world * lattice->frequency + lattice->offset).cell;

    for (int n = 0; n <= reach.before + reach.after; n++)
        if (axis->hash[axis->slot[i] + n] != nt_axis_hash(lattice, cell + n - reach.before))
            return false;
    return axis->slot[i] + reach.before + reach.after < axis->nodes;
}

/* nt_axis_make finds for all positions at once what nt_axis_point finds for each. */
START_TEST(n5_an_axis_is_its_points_at_every_level)
{
    enum { COUNT = 300 };
    uint64_t state = 33;
    void *memory = aligned_alloc(64, nt_axis_size(COUNT, (struct nt_reach){2, 2}));

    for (int round = 0; round < 2000 * (int)long_factor(); round++) {
        struct nt_octave octave = {0};
        struct nt_octave_axis *lattice = &octave.axis[round % 2];
        struct nt_axis axis;
        double world[COUNT];
        int count = 1 + (int)random_below(&state, COUNT);
        struct nt_reach reach = {(int)random_below(&state, 3), (int)random_below(&state, 3)};
        lattice->key = (uint64_t)random_u32(&state) << 32 | random_u32(&state);
        lattice->frequency = ldexp(random_unit(&state) + 0.01, (int)random_below(&state, 40));
        lattice->offset = random_unit(&state);
        lattice->period = random_below(&state, 2) ? 1 + (int64_t)lattice->frequency : 0;
        some_positions(&state, world, count);
        ck_assert(nt_init(random_below(&state, 2) ? "baseline" : "auto"));
        nt_axis_make(&axis, &octave, round % 2, world, count, reach, memory);
        ck_assert_int_eq(axis.count, count);
        for (int i = 0; i < count; i++) {
            struct nt_point p = nt_axis_point(&octave, round % 2, world[i]);
            const float numbers[] = {p.fraction, p.fade, p.fraction - 1.0f};
            const float found[] = {axis.fraction[i], axis.fade[i], axis.back[i]};
            int slot = axis.slot[i], end = axis.end[i];
            bool ends = end == count || axis.slot[end] != slot;
            if (!same_bits(numbers, found, 3) || !has_nodes(&axis, lattice, i, world[i], reach) ||
                !ends || end <= i || axis.slot[end - 1] != slot)
                ck_abort_msg("%s: position %d, %a, of frequency %a, offset %a", nt_level(), i,
                             world[i], lattice->frequency, lattice->offset);
        }
    }
    free(memory);
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

/* ---- Octaves and amplitude ------------------------------------------------------------------- */

START_TEST(n27_the_most_octaves_are_finite)
{
    static const char *const queries[] = {"octaves=32&lacunarity=8&frequency=1048576",
                                          "octaves=32&lacunarity=8&frequency=1e-5",
                                          "octaves=32&persistence=2", "octaves=32&persistence=-1"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int q = 0; q < 4; q++)
            for (int z = 0; z <= 30; z += 15)
                for (int off = 0; off < 2; off++) {
                    struct field f =
                        field_of("%d/0/0?size=12&noise=%s&%s&%s", z, nt_kind_names[kind],
                                 queries[q], off ? lod_off(kind) : "seed=2");
                    for (int i = 0; i < f.side * f.side; i++)
                        ck_assert(isfinite(f.at[i]) && fabsf(f.at[i]) <= 1.0f);
                    field_free(&f);
                }
    ck_assert_str_eq(parse_bad("0/0/0?octaves=39").max, "32");
    ck_assert_str_eq(parse_bad("0/0/0?octaves=500").max, "32");
}
END_TEST

START_TEST(n28_one_octave_is_the_plain_kind)
{
    static const char *const rest[] = {"", "&t=0.5&domain=plane", "&domain=planet", "&warp=1"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int r = 0; r < 4; r++) {
            struct field one =
                field_of("3/5/2?size=64&octaves=1&noise=%s%s", nt_kind_names[kind], rest[r]);
            struct field plain =
                field_of("3/5/2?size=64&fractal=none&noise=%s%s", nt_kind_names[kind], rest[r]);
            ck_assert(same_bits(one.at, plain.at, (size_t)one.side * (size_t)one.side));
            field_free(&one);
            field_free(&plain);
        }
    ck_assert_str_eq(parse_bad("0/0/0?octaves=0").parameter, "octaves");
}
END_TEST

START_TEST(amplitude_multiplies_and_nothing_else)
{
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++) {
        const char *name = nt_kind_names[kind];
        struct field one = field_of("3/5/2?size=64&noise=%s", name),
                     half = field_of("3/5/2?size=64&amplitude=0.5&noise=%s", name),
                     none = field_of("3/5/2?size=64&amplitude=0&noise=%s", name);
        for (int i = 0; i < one.side * one.side; i++) {
            ck_assert(fabsf(one.at[i] * 0.5f - half.at[i]) < 1e-7f);
            ck_assert(none.at[i] == 0.0f);
        }
        field_free(&one);
        field_free(&half);
        field_free(&none);
    }
}
END_TEST

/* A folded octave is the fold of the plain octave. */
START_TEST(fractals_fold_each_octave)
{
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++) {
        const char *name = nt_kind_names[kind];
        struct field plain = field_of("2/1/3?size=48&octaves=1&noise=%s", name),
                     ridged = field_of("2/1/3?size=48&octaves=1&fractal=ridged&noise=%s", name),
                     billow = field_of("2/1/3?size=48&octaves=1&fractal=billow&noise=%s", name),
                     pong = field_of("2/1/3?size=48&octaves=1&fractal=pingpong&noise=%s", name);
        for (int i = 0; i < 48 * 48; i++) {
            double n = (double)plain.at[i], t = (n + 1) * 2;
            t -= 2 * trunc(t / 2);
            ck_assert_double_eq_tol((double)ridged.at[i], 1 - 2 * fabs(n), 2e-6);
            ck_assert_double_eq_tol((double)billow.at[i], 2 * fabs(n) - 1, 2e-6);
            ck_assert_double_eq_tol((double)pong.at[i], 2 * (t < 1 ? t : 2 - t) - 1, 4e-6);
        }
        struct field *all[] = {&plain, &ridged, &billow, &pong};
        for (int i = 0; i < 4; i++)
            field_free(all[i]);
    }
}
END_TEST

/* Two octaves are their weighted mean: weights 1 and a over 1 + |a|. */
START_TEST(octaves_are_weighed_as_the_contract_says)
{
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct nt_spec spec = spec_of("octaves=2&persistence=%g&%s&noise=%s", sign * 0.25,
                                          lod_off(kind), nt_kind_names[kind]);
            struct nt_plan plan;
            nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
            ck_assert_double_eq(plan.octave[0].weight, 1 / 1.25);
            ck_assert_double_eq(plan.octave[1].weight, sign * 0.25 / 1.25);
        }
}
END_TEST

/* ---- Warp ------------------------------------------------------------------------------------ */

START_TEST(warp_displaces_by_its_share_of_a_cell)
{
    /* A displaced sample is the plain noise somewhere within warp / frequency of its place. */
    enum { N = 500 };
    double u[N], v[N], warped[N], plain[N];

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++) {
        struct nt_spec with = spec_of("warp=0.01&domain=plane&fractal=none&frequency=8&%s&noise=%s",
                                      lod_off(kind), nt_kind_names[kind]);
        struct nt_spec without = with;
        int moved = 0, close = 0;
        without.warp = 0;
        for (int i = 0; i < N; i++) {
            u[i] = i * 0.0137;
            v[i] = i * 0.0071;
        }
        nt_sample(&with, u, v, N, warped);
        nt_sample(&without, u, v, N, plain);
        for (int i = 0; i < N; i++) {
            moved += warped[i] != plain[i];
            close += fabs(warped[i] - plain[i]) < 0.06; /* slopes are below 4 a cell */
        }
        ck_assert_msg(kind == NT_WHITE || moved > N / 2, "%s: %d", nt_kind_names[kind], moved);
        ck_assert_msg(close >= (kind == NT_WHITE ? N * 9 / 10 : N), "%s: %d", nt_kind_names[kind],
                      close);
    }
}
END_TEST

/* ---- Extremes: run under UBSan by `make sanitize` (N26) -------------------------------------- */

static void check_finite(const struct nt_spec *spec, const char *what)
{
    static const double ends[] = {2147483648.0,
                                  -2147483648.0,
                                  2147483647.5,
                                  -0.5,
                                  0,
                                  1e-300,
                                  -1e-300,
                                  1,
                                  4503599627370497.0 / 9007199254740992.0};
    enum { ENDS = sizeof ends / sizeof *ends };
    double u[ENDS * ENDS], v[ENDS * ENDS], value[ENDS * ENDS];

    for (int i = 0; i < ENDS * ENDS; i++) {
        u[i] = ends[i % ENDS];
        v[i] = ends[i / ENDS];
    }
    nt_sample(spec, u, v, ENDS * ENDS, value);
    for (int i = 0; i < ENDS * ENDS; i++)
        ck_assert_msg(fabs(value[i]) <= 1, "%s: %g at (%g, %g)", what, value[i], u[i], v[i]);
}

START_TEST(n26_extreme_numbers_are_ordinary)
{
    static const char *const queries[] = {
        "domain=plane&frequency=512&octaves=1&seed=-9223372036854775808",
        "domain=plane&frequency=512&fractal=none&seed=9223372036854775807",
        "domain=torus&frequency=1048576&octaves=32&lacunarity=8",
        "domain=torus&frequency=1048576&t=1000000&octaves=1",
        "domain=torus&frequency=1048576&t=-1000000&t_period=65536&octaves=6",
        "domain=planet&frequency=1048576&octaves=32",
        "domain=planet&frequency=1048576&octaves=3&t=-1000000",
        "domain=plane&frequency=1&octaves=1&warp=16&warp_octaves=8&t=1000000",
        "domain=torus&frequency=1048576&warp=16&warp_octaves=8&octaves=8",
        "domain=planet&warp=16&warp_octaves=8&frequency=0.001",
        "domain=plane&frequency=1e-9&octaves=13&lacunarity=8",
    };

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
            bool closes = nt_kinds[kind].abilities & NT_CLOSES;
            if (!closes && (strstr(queries[q], "torus") || strstr(queries[q], "t_period")))
                continue;
            struct nt_spec spec =
                spec_of("%s&noise=%s&%s", queries[q], nt_kind_names[kind], lod_off(kind));
            check_finite(&spec, queries[q]);
        }
}
END_TEST

/* Everything that the checks let through can be computed: tiles. */
START_TEST(n26_whatever_is_accepted_is_finite)
{
    static const char *const queries[] = {
        "size=8&frequency=1e-300&warp=16",
        "size=8&frequency=4.9e-324&warp=16&domain=planet",
        "size=8&frequency=1e-300&warp=16&warp_octaves=8&octaves=32&lacunarity=8",
        "size=8&domain=plane&frequency=1e-9&warp=16&octaves=24&lacunarity=8",
        "size=8&t=0&t_period=65536&frequency=1e-9&octaves=20&lacunarity=8",
        "size=8&t=1&t_period=65536&frequency=1e-300&octaves=32&lacunarity=8&domain=plane",
        "size=8&domain=plane&frequency=4.9e-324",
    };

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
            const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};
            struct nt_tile tile;
            struct nt_spec spec;
            struct nt_error err;
            char query[200];
            snprintf(query, sizeof query, "%s&noise=%s", queries[q], nt_kind_names[kind]);
            if (nt_request_parse(&tile, &spec, &limits, "0/0/0", 5, query, strlen(query), &err))
                continue; /* refused is as good */
            struct field f = field_of("0/0/0?%s", query);
            for (int i = 0; i < f.side * f.side; i++)
                ck_assert_msg(fabsf(f.at[i]) <= 1, "%s: %g", query, (double)f.at[i]);
            field_free(&f);
        }
}
END_TEST

/* The same for single places: no domain reduces the rows of a world. */
START_TEST(n26_n49_single_places_far_out_are_refused_or_finite)
{
    static const char *const places[] = {"x=0.5&y=2147483648", "x=0.5&y=-1e9", "x=1e9&y=1e9"};
    static const char *const queries[] = {"frequency=1048576", "octaves=32",
                                          "frequency=1048576&octaves=32&lacunarity=8",
                                          "frequency=1048576&octaves=32&domain=planet"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 4; q++) {
                struct nt_spec spec;
                struct nt_error err;
                char query[200];
                double value;
                snprintf(query, sizeof query, "%s&%s&noise=%s", places[p], queries[q],
                         nt_kind_names[kind]);
                if (nt_sample_request_parse(&spec, query, strlen(query), &err))
                    continue;
                nt_sample(&spec, &spec.x, &spec.y, 1, &value);
                ck_assert_msg(fabs(value) <= 1, "%s: %g", query, value);
            }
}
END_TEST

/* ---- Zoom ------------------------------------------------------------------------------------ */

/* Rms of a tile's difference from the mean of the four samples of the next zoom. */
static double box_error(const char *query, int z, long long x, long long y)
{
    enum { N = 256 };
    struct field f = field_of("%d/%lld/%lld?size=256&%s", z, x, y, query);
    struct field fine = field_of("%d/%lld/%lld?size=512&%s", z, x, y, query);
    double squares = 0;

    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const float *p = &fine.at[2 * j * 2 * N + 2 * i];
            double mean =
                ((double)p[0] + (double)p[1] + (double)p[2 * N] + (double)p[2 * N + 1]) / 4;
            squares += pow(mean - (double)f.at[j * N + i], 2);
        }
    field_free(&f);
    field_free(&fine);
    return sqrt(squares / (N * N));
}

START_TEST(n50_a_tile_is_the_box_mean_of_its_children)
{
    for (int kind = 0; kind < NT_WHITE; kind++) { /* white has no band limit */
        double most = 0;
        for (int z = 0; z < 9; z += 1 + 3 * (z > 0)) {
            char query[64];
            long long at = (1LL << z) / 3;
            snprintf(query, sizeof query, "noise=%s", nt_kind_names[kind]);
            double rms = box_error(query, z, at, at);
            most = fmax(most, rms);
            ck_assert_msg(rms < 0.005, "%s z=%d: %g", nt_kind_names[kind], z, rms);
        }
        if (getenv("NOISETILE_FIGURES"))
            fprintf(stderr, "%s: box mean within %.5f rms\n", nt_kind_names[kind], most);
    }
}
END_TEST

START_TEST(n50_octaves_finer_than_the_pixels_are_silent)
{
    for (int kind = 0; kind < NT_WHITE; kind++) {
        struct field f =
            field_of("0/0/0?size=64&fractal=none&frequency=64&noise=%s", nt_kind_names[kind]);
        struct field off = field_of("0/0/0?size=64&fractal=none&frequency=64&lod=off&noise=%s",
                                    nt_kind_names[kind]);
        double heard = 0;
        for (int i = 0; i < 64 * 64; i++) {
            ck_assert(f.at[i] == 0.0f);
            heard = fmax(heard, fabs((double)off.at[i]));
        }
        ck_assert(heard > 0.1);
        field_free(&f);
        field_free(&off);
    }
}
END_TEST

/* ---- No state -------------------------------------------------------------------------------- */

START_TEST(n48_the_first_answer_is_every_answer)
{
    /* A used workspace, and whatever was computed before, change nothing. */
    static float first[NT_KINDS][24 * 24];
    struct nt_workspace *workspace = nt_workspace_new();

    for (int round = 0; round < 3; round++)
        for (int kind = 0; kind < NT_KINDS; kind++) {
            struct nt_spec spec = spec_of("size=24&noise=%s", nt_kind_names[kind]);
            const struct nt_tile tile = {0, 0, 0};
            ck_assert_int_eq(nt_fill(workspace, &spec, &tile), NT_OK);
            if (round == 0)
                memcpy(first[kind], nt_field(workspace), sizeof first[kind]);
            ck_assert(same_bits(first[kind], nt_field(workspace), 24 * 24));
        }
    nt_workspace_free(workspace);
}
END_TEST

START_TEST(a_warp_out_of_reach_is_refused)
{
    static const char *const urls[] = {
        "30/5/5?domain=plane&frequency=1e-12&lacunarity=8&octaves=26&warp=16&size=8",
        "0/0/0?domain=plane&frequency=1e-20&lacunarity=8&octaves=32&warp=16&size=2&lod=off",
        "0/0/0?domain=world&frequency=1&lacunarity=8&octaves=14&warp=16&size=2&lod=off",
    };

    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        ck_assert_str_eq(parse_bad(urls[i]).parameter, "warp");
}
END_TEST

/* Whatever the parameters, a tile that is accepted keeps its bound. */
START_TEST(accepted_tiles_are_finite_and_bounded)
{
    static const char *const domains[] = {"world", "torus", "plane", "planet"};
    const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};
    struct nt_workspace *workspace = nt_workspace_new();
    uint64_t state = 77;
    int accepted = 0;

    for (int round = 0; round < 6000; round++) {
        char query[400];
        struct nt_tile tile = {0, 0, 0};
        struct nt_spec spec;
        struct nt_error err;
        snprintf(query, sizeof query,
                 "noise=%s&domain=%s&frequency=1e%d&lacunarity=%.3g&octaves=%u&persistence=%.3g&"
                 "warp=%.3g&warp_octaves=%u&size=2&lod=off&t=%.3g",
                 nt_kind_names[random_below(&state, NT_WHITE)], domains[random_below(&state, 4)],
                 (int)random_below(&state, 27) - 20, 1 + 7 * random_unit(&state),
                 random_below(&state, 32) + 1, 3 * random_unit(&state) - 1,
                 16 * random_unit(&state) + 0.001, random_below(&state, 8) + 1,
                 2e6 * random_unit(&state) - 1e6);
        if (nt_request_parse(&tile, &spec, &limits, "0/0/0", 5, query, strlen(query), &err))
            continue;
        accepted++;
        ck_assert_int_eq(nt_fill(workspace, &spec, &tile), NT_OK);
        for (int i = 0; i < 4; i++)
            ck_assert_msg(fabsf(nt_field(workspace)[i]) <= 1, "%s: %g", query,
                          (double)nt_field(workspace)[i]);
    }
    ck_assert_int_gt(accepted, 1000);
    nt_workspace_free(workspace);
}
END_TEST

Suite *noise_suite(void)
{
    Suite *suite = suite_create("noise");
    TCase *tc = tcase_create("noise");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, n5_every_instruction_level_gives_the_same_bits);
    tcase_add_test(tc, n5_every_level_has_the_same_worst_case);
    tcase_add_test(tc, n5_an_axis_is_its_points_at_every_level);
    tcase_add_test(tc, an_unknown_instruction_level_is_refused);
    tcase_add_test(tc, n27_the_most_octaves_are_finite);
    tcase_add_test(tc, n28_one_octave_is_the_plain_kind);
    tcase_add_test(tc, amplitude_multiplies_and_nothing_else);
    tcase_add_test(tc, fractals_fold_each_octave);
    tcase_add_test(tc, octaves_are_weighed_as_the_contract_says);
    tcase_add_test(tc, warp_displaces_by_its_share_of_a_cell);
    tcase_add_test(tc, n26_extreme_numbers_are_ordinary);
    tcase_add_test(tc, n26_whatever_is_accepted_is_finite);
    tcase_add_test(tc, n26_n49_single_places_far_out_are_refused_or_finite);
    tcase_add_test(tc, n50_a_tile_is_the_box_mean_of_its_children);
    tcase_add_test(tc, n50_octaves_finer_than_the_pixels_are_silent);
    tcase_add_test(tc, n48_the_first_answer_is_every_answer);
    tcase_add_test(tc, a_warp_out_of_reach_is_refused);
    tcase_add_test(tc, accepted_tiles_are_finite_and_bounded);
    suite_add_tcase(suite, tc);
    return suite;
}
