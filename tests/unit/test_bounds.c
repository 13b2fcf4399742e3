/*
 * The bound of every kind is 1 in either direction: never crossed (by sampling, and by the worst
 * that any seed could do at a place) and reached within a tenth (by construction). N11, N12.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/lattice.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* ---- By sampling ----------------------------------------------------------------------------- */

/* Largest |value| of n samples: tiles of other seeds, a cell and a bit from pixel to pixel. */
static float largest_sample(const char *query, int kind, size_t n, int seed)
{
    float most = 0;

    for (size_t done = 0; done < n; seed++) {
        struct field f = field_of("0/0/0?domain=plane&%s&noise=%s&frequency=%d.7&seed=%d&%s",
                                  lod_off(kind), nt_kind_names[kind], 277 + seed % 50, seed, query);
        size_t count = (size_t)f.side * (size_t)f.side;
        for (size_t i = 0; i < count; i++) {
            if (!(fabsf(f.at[i]) <= 1.0f))
                ck_abort_msg("%s, %s, seed %d: %.9g", nt_kind_names[kind], query, seed,
                             (double)f.at[i]);
            most = fmaxf(most, fabsf(f.at[i]));
        }
        done += count;
        field_free(&f);
    }
    return most;
}

/* Single octaves of these reach nine tenths of the bound in the plane by mere sampling. */
static bool reaches_by_sampling(int kind)
{
    return kind == NT_PERLIN || kind == NT_SIMPLEX || kind == NT_VALUE || kind == NT_WHITE;
}

START_TEST(n12_the_bound_is_never_crossed)
{
    static const struct {
        const char *query;
        size_t samples; /* thousands */
    } cases[] = {
        {"fractal=none", 1000},
        {"fractal=fbm&octaves=2", 1000},
        {"fractal=ridged&octaves=2&persistence=1", 1000},
        {"fractal=billow&octaves=2", 1000},
        {"fractal=pingpong&octaves=2&persistence=-0.5", 1000},
        {"fractal=fbm&persistence=0.9&octaves=12", 1000},
        {"fractal=fbm&persistence=-1&octaves=32", 100},
        {"t=0.3&fractal=none", 1000},
        {"t=-0.7&fractal=fbm&octaves=2", 1000},
        {"t=1.9&fractal=ridged&octaves=2", 1000},
        {"t=1000.3&fractal=billow&octaves=2", 1000},
        {"t=-77.7&fractal=pingpong&octaves=2", 1000},
        {"t=0.1&fractal=fbm&persistence=0.9&octaves=12", 100},
    };
    int kind = _i;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t samples = cases[c].samples * 1000 * long_factor();
        float most = largest_sample(cases[c].query, kind, samples, kind * 700 + (int)c * 50);
        if (c == 0 && reaches_by_sampling(kind))
            ck_assert_msg(most >= 0.9f, "%s reaches only %g", nt_kind_names[kind], (double)most);
    }
}
END_TEST

static const char *const cells[] = {"f1", "f2", "f2-f1", "value"};
static const char *const jitters[] = {"0", "0.5", "1"};

START_TEST(n11_cellular_stays_in_range_whatever_it_returns)
{
    static const char *const dims[] = {"fractal=none", "fractal=none&t=0.4"};

    for (int d = 0; d < 2; d++)
        for (int j = 0; j < 3; j++) {
            char query[96];
            snprintf(query, sizeof query, "%s&cell=%s&jitter=%s", dims[d], cells[_i], jitters[j]);
            largest_sample(query, NT_CELLULAR, 1000000 * long_factor(), 60 * j);
        }
}
END_TEST

/* On the sphere and around the cylinder too. */
START_TEST(n12_the_bound_holds_on_the_planet)
{
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int seed = 0; seed < 2; seed++) {
            struct field f =
                field_of("0/0/0?domain=planet&%s&noise=%s&frequency=700.7&seed=%d&"
                         "fractal=%s",
                         lod_off(kind), nt_kind_names[kind], seed, seed ? "none" : "ridged");
            for (int i = 0; i < f.side * f.side; i++)
                ck_assert(fabsf(f.at[i]) <= 1.0f);
            field_free(&f);
        }
}
END_TEST

/* ---- By construction ------------------------------------------------------------------------- */

/* One octave of a kind at one level, with the third axis in use or not. */
struct worst_case {
    const struct nt_kernel *kernel;
    struct nt_octave octave;
    int dims;
    const char *name;
};

static struct worst_case worst_case(int kind, int dims, int level, int cell, double jitter)
{
    const struct nt_kind *k = &nt_kinds[kind];
    struct worst_case c = {(dims == 3 ? k->space : k->plane)[level],
                           {.cell = cell, .jitter = (float)jitter},
                           dims,
                           kind == NT_CELLULAR ? cells[cell] : nt_kind_names[kind]};

    return c;
}

/*
 * The worst over a grid of places that has the cell's corners, edges and middle, and random ones.
 */
static float scan(const struct worst_case *c)
{
    int steps = c->dims == 3 ? 24 : 128, count = c->dims == 3 ? 25 * 25 * 25 : 129 * 129;
    uint64_t state = 7;
    float most = -2;

    for (int i = 0; i < 2 * count; i++) {
        float place[3];
        int rest = i;
        for (int axis = 0; axis < 3; axis++, rest /= steps + 1)
            place[axis] =
                i < count ? (float)(rest % (steps + 1)) / (float)steps : (float)random_unit(&state);
        float worst = c->kernel->worst(&c->octave, place);
        if (!(worst <= 1.0f))
            ck_abort_msg("%s, %d-D, jitter %g: %.9g at (%.9g, %.9g, %.9g)", c->name, c->dims,
                         (double)c->octave.jitter, (double)worst, (double)place[0],
                         (double)place[1], (double)place[2]);
        most = fmaxf(most, worst);
    }
    return most;
}

START_TEST(n12_the_bound_is_reached_and_no_place_is_worse)
{
    for (int level = 0; level <= nt_level_index(); level++)
        for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
            for (int dims = 2; dims <= 3; dims++) {
                if (kind == NT_CELLULAR)
                    continue;
                struct worst_case c = worst_case(kind, dims, level, 0, 1);
                float most = scan(&c);
                ck_assert_msg(most >= 0.9f, "%s, %d-D: only %g", c.name, dims, (double)most);
            }
}
END_TEST

START_TEST(n11_cellulars_bounds_are_reached_and_no_place_is_worse)
{
    static const double jitter[] = {0, 0.25, 0.5, 1};

    for (int dims = 2; dims <= 3; dims++)
        for (int cell = 0; cell < 4; cell++)
            for (int j = 0; j < 4; j++) {
                struct worst_case c =
                    worst_case(NT_CELLULAR, dims, nt_level_index(), cell, jitter[j]);
                float most = scan(&c);
                ck_assert_msg(most >= 0.9f, "%s, %d-D, jitter %g: only %g", cells[cell], dims,
                              jitter[j], (double)most);
            }
}
END_TEST

/* What worst says of a place is true of the seeds there are (kinds on a square lattice). */
START_TEST(no_seed_does_worse_than_the_worst)
{
    enum { N = 20000 };
    static const int kinds[] = {NT_PERLIN, NT_VALUE, NT_CELLULAR, NT_WHITE};
    static double u[N], v[N], values[N];
    uint64_t state = 3;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int dims = 2; dims <= 3; dims++) {
            struct nt_spec spec =
                spec_of("domain=plane&frequency=1&fractal=none&%s&noise=%s%s", lod_off(kinds[k]),
                        nt_kind_names[kinds[k]], dims == 3 ? "&t=0.37" : "");
            struct nt_plan plan;
            nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
            struct worst_case c = worst_case(kinds[k], dims, nt_level_index(), spec.cell, 1);
            for (int i = 0; i < N; i++) {
                u[i] = random_unit(&state) * 1000 - 500;
                v[i] = random_unit(&state) * 1000 - 500;
            }
            nt_sample(&spec, u, v, N, values);
            for (int i = 0; i < N; i++) {
                const double world[] = {u[i], v[i], 0};
                float place[3];
                for (int axis = 0; axis < 3; axis++)
                    place[axis] =
                        nt_cell_of(world[axis] + plan.octave[0].axis[axis].offset).fraction;
                double worst = (double)c.kernel->worst(&c.octave, place);
                ck_assert_msg(values[i] <= worst + 2e-6, "%s: %g, worst %g", c.name, values[i],
                              worst);
            }
        }
}
END_TEST

/* ---- Fractals -------------------------------------------------------------------------------- */

static const struct nt_row_kernel *const rows[NT_LEVELS] = NT_EACH_LEVEL(nt_rows);

/* Sum of a plan whose octaves are chosen for the largest result (sign 1) or the smallest (-1). */
static float extreme_sum(const struct nt_plan *plan, int level, float sign)
{
    const float unity = NT_UNITY;
    float noise[NT_LANES] = {-unity, -0.5f, 0, 0.5f, unity, 0.25f, -0.25f, 0.75f};
    float total[NT_LANES] = {0};

    for (int o = 0; o < plan->count; o++) {
        float gain = nt_octave_gain(plan, &plan->octave[o], 0.0), one[NT_LANES], pick = noise[0];
        float best = -2 * fabsf(gain) - 1;
        memset(one, 0, sizeof one);
        rows[level]->fold(plan->fractal, gain, noise, NT_LANES, one);
        for (int i = 0; i < NT_LANES; i++) {
            pick = sign * one[i] > best ? noise[i] : pick;
            best = fmaxf(best, sign * one[i]);
        }
        for (int i = 0; i < NT_LANES; i++)
            one[i] = pick;
        rows[level]->fold(plan->fractal, gain, one, NT_LANES, total);
    }
    return total[0];
}

START_TEST(n12_every_fractal_reaches_its_bound_and_keeps_it)
{
    static const char *const fractals[] = {"fbm", "ridged", "billow", "pingpong"};
    static const char *const persistences[] = {"0.5", "0.9", "1", "-1", "2", "-0.3", "0"};
    static const int octaves[] = {1, 2, 5, 12, 32};

    for (int f = 0; f < 4; f++)
        for (int p = 0; p < 7; p++)
            for (int o = 0; o < 5; o++)
                for (int level = 0; level <= nt_level_index(); level++) {
                    struct nt_spec spec = spec_of("fractal=%s&persistence=%s&octaves=%d&"
                                                  "lacunarity=1.5",
                                                  fractals[f], persistences[p], octaves[o]);
                    struct nt_plan plan;
                    nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
                    float high = extreme_sum(&plan, level, 1), low = extreme_sum(&plan, level, -1);
                    ck_assert_msg(high <= 1 && low >= -1 && high >= 0.9f && low <= -0.9f,
                                  "%s, persistence %s, %d octaves: %.9g to %.9g", fractals[f],
                                  persistences[p], octaves[o], (double)low, (double)high);
                }
}
END_TEST

/* The folds are the formulas of the contract, at any n. */
static double folded(int fractal, double n)
{
    double t = (n + 1) * 2;

    switch (fractal) {
    case NT_FRACTAL_RIDGED:
        return 1 - 2 * fabs(n);
    case NT_FRACTAL_BILLOW:
        return 2 * fabs(n) - 1;
    case NT_FRACTAL_PINGPONG:
        t -= 2 * trunc(t / 2);
        return 2 * (t < 1 ? t : 2 - t) - 1;
    default:
        return n;
    }
}

START_TEST(a_fold_is_its_formula)
{
    for (int fractal = NT_FRACTAL_NONE; fractal <= NT_FRACTAL_PINGPONG; fractal++)
        for (int i = -1000; i <= 1000; i += NT_LANES) {
            float noise[NT_LANES], sum[NT_LANES];
            for (int k = 0; k < NT_LANES; k++) {
                noise[k] = (float)(i + k) / 1000;
                sum[k] = 0.125f;
            }
            rows[nt_level_index()]->fold(fractal, 0.75f, noise, NT_LANES, sum);
            for (int k = 0; k < NT_LANES; k++) {
                double expected = 0.125 + 0.75 * folded(fractal, (double)noise[k]);
                ck_assert_double_eq_tol((double)sum[k], expected, 1e-6);
            }
        }
}
END_TEST

START_TEST(gains_never_sum_to_more_than_the_amplitude)
{
    uint64_t state = 6;

    for (int i = 0; i < 20000; i++) {
        struct nt_spec spec = spec_of(
            "octaves=%u&persistence=%.17g&amplitude=%.17g&frequency=1&lacunarity=1.5",
            random_below(&state, 32) + 1, random_unit(&state) * 3 - 1, random_unit(&state) * 100);
        struct nt_plan plan;
        double sum = 0;
        nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
        for (int o = 0; o < plan.count; o++)
            sum += fabs((double)nt_octave_gain(&plan, &plan.octave[o], 0.0));
        ck_assert_msg(sum <= spec.amplitude && sum > spec.amplitude * 0.999, "%g of %g", sum,
                      spec.amplitude);
    }
}
END_TEST

/* The divisor counts all octaves, shown or not: what is left out never lifts the rest. */
START_TEST(n50_zooming_never_shifts_a_level)
{
    struct nt_spec spec = spec_of("octaves=8&frequency=8");
    struct nt_plan plan;

    nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
    for (int z = 0; z < 20; z++)
        for (int o = 0; o < plan.count; o++) {
            double step = ldexp(1.0 / 256, -z), s = plan.octave[o].frequency * step;
            double x = 2 * (1 - s), fade = s <= 0.5 ? 1 : s >= 1 ? 0 : x * x * (3 - 2 * x);
            double whole = (double)nt_octave_gain(&plan, &plan.octave[o], 0.0);
            double gain = (double)nt_octave_gain(&plan, &plan.octave[o], step);
            ck_assert_double_eq_tol(gain, whole * fade, 1e-7);
        }
}
END_TEST

START_TEST(a_planets_band_limit_follows_the_row)
{
    /* At latitude 0 an octave is silent that is heard near the edge, where pixels lie closer. */
    struct field f = field_of("0/0/0?domain=planet&fractal=none&frequency=300&size=256");

    for (int i = 0; i < f.side; i++)
        ck_assert(f.at[127 * f.side + i] == 0.0f);
    float most = 0;
    for (int i = 0; i < f.side; i++)
        most = fmaxf(most, fabsf(f.at[i]));
    ck_assert(most > 0.1f);
    field_free(&f);
}
END_TEST

Suite *bounds_suite(void)
{
    Suite *suite = suite_create("bounds");
    TCase *tc = tcase_create("bounds");

    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, n12_the_bound_is_never_crossed, 0, NT_NATIVE_KINDS);
    tcase_add_loop_test(tc, n11_cellular_stays_in_range_whatever_it_returns, 0, 4);
    tcase_add_test(tc, n12_the_bound_holds_on_the_planet);
    tcase_add_test(tc, n12_the_bound_is_reached_and_no_place_is_worse);
    tcase_add_test(tc, n11_cellulars_bounds_are_reached_and_no_place_is_worse);
    tcase_add_test(tc, no_seed_does_worse_than_the_worst);
    tcase_add_test(tc, n12_every_fractal_reaches_its_bound_and_keeps_it);
    tcase_add_test(tc, a_fold_is_its_formula);
    tcase_add_test(tc, gains_never_sum_to_more_than_the_amplitude);
    tcase_add_test(tc, n50_zooming_never_shifts_a_level);
    tcase_add_test(tc, a_planets_band_limit_follows_the_row);
    suite_add_tcase(suite, tc);
    return suite;
}
