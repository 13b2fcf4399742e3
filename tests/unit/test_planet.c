/*
 * The sphere: own exp, sin, cos and the Mercator projection against the C library's long doubles,
 * and noise that has no seam, no stretch and no end on it.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/sphere.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

static const long double pi = 3.14159265358979323846264338327950288L;

/* ---- Functions ------------------------------------------------------------------------------- */

/* Distance of two numbers in units of the last place of the exact one, or of `least` if that is
 * larger: a difference of two numbers cannot be better than they are. */
static double ulps(double is, long double exact, double least)
{
    double nearest = fmax(fabs((double)exact), least);
    double unit = nextafter(nearest, (double)INFINITY) - nearest;

    return (double)(fabsl((long double)is - exact) / (long double)unit);
}

/* A function of one argument, its reference, and where it is asked. */
struct function {
    const char *name;
    double (*ours)(double x);
    long double (*exact)(long double x);
    double from, to;
    double least; /* see ulps */
};

static double turn_x(double u)
{
    double x, y;

    nt_turn(u, &x, &y);
    return x;
}

static double turn_y(double u)
{
    double x, y;

    nt_turn(u, &x, &y);
    return y;
}

/* Reduced exactly first: the references' own pi is no better than ours. */
static long double exact_x(long double u)
{
    long double r = u - roundl(u);

    return fabsl(r) > 0.125L && fabsl(r) < 0.375L ? sinl(2 * pi * (0.25L - fabsl(r)))
                                                  : cosl(2 * pi * r);
}

static long double exact_y(long double u)
{
    return exact_x(u - 0.25L);
}

static double latitude_cosine(double v)
{
    double c, s;

    nt_latitude(v, &c, &s);
    return c;
}

static double latitude_sine(double v)
{
    double c, s;

    nt_latitude(v, &c, &s);
    return s;
}

static long double exact_cosine(long double v)
{
    return 1 / coshl(pi * (1 - 2 * v));
}

static long double exact_sine(long double v)
{
    return tanhl(pi * (1 - 2 * v));
}

static long double exact_mercator(long double lat)
{
    return 0.5L - asinhl(tanl(lat * pi / 180)) / (2 * pi);
}

/* Over the Mercator square where the map decides. */
static const struct function functions[] = {
    {"nt_exp", nt_exp, expl, -700, 700, 0},
    {"nt_exp", nt_exp, expl, -3.2, 3.2, 0},
    {"nt_turn x", turn_x, exact_x, -4, 4, 0},
    {"nt_turn y", turn_y, exact_y, -4, 4, 0},
    {"nt_turn x", turn_x, exact_x, 0, 1, 0},
    {"nt_turn y", turn_y, exact_y, 0, 1, 0},
    {"nt_turn x", turn_x, exact_x, 1e6, 1e6 + 2, 0},
    {"nt_latitude cosine", latitude_cosine, exact_cosine, 0, 1, 0},
    {"nt_latitude sine", latitude_sine, exact_sine, 0, 1, 0.5},
    {"nt_mercator", nt_mercator, exact_mercator, -85.0511287798066, 85.0511287798066, 0.5},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

START_TEST(functions_are_within_four_ulp)
{
    for (int f = 0; f < FUNCTIONS; f++) {
        const struct function *function = &functions[f];
        uint64_t state = 51;
        double most = 0, where = 0;
        for (int i = 0; i < 100000 * (int)long_factor(); i++) {
            double x = function->from + random_unit(&state) * (function->to - function->from);
            double error =
                ulps(function->ours(x), function->exact((long double)x), function->least);
            where = error > most ? x : where;
            most = fmax(most, error);
        }
        if (getenv("NOISETILE_FIGURES"))
            fprintf(stderr, "%s [%g, %g]: %.2f ulp\n", function->name, function->from, function->to,
                    most);
        ck_assert_msg(most <= 4, "%s: %g ulp at %.17g", function->name, most, where);
    }
}
END_TEST

START_TEST(quarter_turns_are_exact)
{
    static const double xs[] = {1, 0, -1, 0}, ys[] = {0, 1, 0, -1};

    for (int i = -40; i <= 40; i++) {
        double x, y;
        nt_turn(i / 4.0, &x, &y);
        ck_assert(x == xs[(i + 40) % 4] && y == ys[(i + 40) % 4]);
    }
    ck_assert(nt_exp(0.0) == 1.0);
    ck_assert(nt_exp(1e300) == nt_exp(700) && nt_exp(-1e300) == nt_exp(-700));
    ck_assert(nt_mercator(0.0) == 0.5);
}
END_TEST

START_TEST(many_at_once_are_one_by_one)
{
    double u[100], x[100], y[100], c[100], s[100];
    uint64_t state = 53;

    for (int round = 0; round < 1000; round++) {
        size_t n = random_below(&state, 100);
        for (size_t i = 0; i < n; i++) /* fractions of a turn to beyond the last fraction of one */
            u[i] = ldexp(random_unit(&state) - 0.5, (int)random_below(&state, 80) - 10);
        u[n] = x[n] = s[n] = 7;
        nt_turns(u, n, x, y);
        nt_latitudes(u, n, c, s);
        ck_assert(x[n] == 7 && s[n] == 7);
        for (size_t i = 0; i < n; i++) {
            double one[4];
            nt_turn(u[i], &one[0], &one[1]);
            nt_latitude(u[i], &one[2], &one[3]);
            ck_assert_msg(x[i] == one[0] && y[i] == one[1] && c[i] == one[2] && s[i] == one[3],
                          "%.17g", u[i]);
        }
    }
}
END_TEST

/*
 * Where a function changes pieces its values do not jump: multiples of ln 2 / 2, eighths of turns.
 */
static void check_joint(double (*function)(double), double at, const char *name)
{
    double before = at, behind = at, last = function(at);

    for (int step = 0; step < 8; step++) {
        before = nextafter(before, -(double)INFINITY);
        behind = nextafter(behind, (double)INFINITY);
        double jump = fmax(fabs(function(before) - last), fabs(function(behind) - last));
        double slope = fabs(function(at + 1e-6) - function(at - 1e-6)) / 2e-6;
        double allowed =
            (step + 1) * slope * (nextafter(fabs(at), (double)INFINITY) - fabs(at)) * 1.01 +
            8 * DBL_EPSILON * fmax(fabs(last), 1e-3);
        ck_assert_msg(jump <= allowed, "%s jumps by %g at %.17g", name, jump, at);
    }
}

START_TEST(functions_are_continuous_across_their_pieces)
{
    for (int k = -1001; k <= 1001; k += 2)
        check_joint(nt_exp, k * 0.34657359027997264, "nt_exp");
    for (int k = -33; k <= 33; k++) {
        check_joint(turn_x, k / 8.0, "nt_turn x");
        check_joint(turn_y, k / 8.0, "nt_turn y");
    }
    for (int k = -9; k <= 9; k += 2) {
        /* pi (1 - 2 v) = k ln 2 / 2 */
        double v = 0.5 - k * 0.34657359027997264 / (2 * (double)pi);
        check_joint(latitude_cosine, v, "nt_latitude cosine");
        check_joint(latitude_sine, v, "nt_latitude sine");
    }
}
END_TEST

START_TEST(places_lie_on_the_unit_sphere_and_go_back_to_their_latitude)
{
    for (int i = 0; i <= 10000; i++) {
        double lat = -90 + i * 0.018, c, s;
        nt_latitude(nt_mercator(lat), &c, &s);
        ck_assert_double_eq_tol(c * c + s * s, 1, 1e-15);
        ck_assert_double_eq_tol(s, (double)sinl((long double)lat * pi / 180), 1e-14);
        ck_assert_double_eq_tol(c, (double)cosl((long double)lat * pi / 180), 1e-14);
    }
}
END_TEST

START_TEST(longitude_and_latitude_are_x_and_y)
{
    struct nt_spec by_place, by_degrees;
    struct nt_error err;
    double one, other;

    for (int i = 0; i < 50; i++) {
        char query[200];
        double lon = -180 + i * 7.2, lat = -84 + i * 3.4, u = (lon + 180) / 360;
        double v = (double)exact_mercator((long double)lat);
        snprintf(query, sizeof query, "domain=planet&lon=%.17g&lat=%.17g", lon, lat);
        ck_assert_int_eq(nt_sample_request_parse(&by_degrees, query, strlen(query), &err), NT_OK);
        snprintf(query, sizeof query, "domain=planet&x=%.17g&y=%.17g", u, v);
        ck_assert_int_eq(nt_sample_request_parse(&by_place, query, strlen(query), &err), NT_OK);
        nt_sample(&by_degrees, &by_degrees.x, &by_degrees.y, 1, &one);
        nt_sample(&by_place, &by_place.x, &by_place.y, 1, &other);
        ck_assert_double_eq_tol(one, other, 1e-6);
    }
}
END_TEST

/* ---- Noise on it ----------------------------------------------------------------------------- */

static double step_across(const float *a, int stride_a, const float *b, int stride_b, int n)
{
    double most = 0;

    for (int i = 0; i < n; i++)
        most = fmax(most, fabs((double)a[i * stride_a] - (double)b[i * stride_b]));
    return most;
}

START_TEST(n42_no_seam_at_the_antimeridian_at_any_zoom)
{
    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int z = 0; z <= NT_MAX_ZOOM; z += 2)
            for (int row = 0; row < 3; row++) {
                long long n = 1LL << z, y = row == 0 ? 0 : row == 1 ? n / 2 : n - 1;
                /* several cells across the tile at any zoom, as far as the range goes */
                double frequency = fmin(ldexp(9.3, z), 1048576);
                struct field west = field_of("%d/%lld/%lld?size=48&domain=planet&noise=%s&"
                                             "octaves=3&frequency=%.17g",
                                             z, n - 1, y, nt_kind_names[kind], frequency);
                struct field east = field_of("%d/0/%lld?size=48&domain=planet&noise=%s&"
                                             "octaves=3&frequency=%.17g",
                                             z, y, nt_kind_names[kind], frequency);
                double across = step_across(west.at + 47, 48, east.at, 48, 48), inside = 0;
                for (int i = 1; i < 48; i++) {
                    inside = fmax(inside, step_across(west.at + i - 1, 48, west.at + i, 48, 48));
                    inside = fmax(inside, step_across(east.at + i - 1, 48, east.at + i, 48, 48));
                }
                ck_assert_msg(across <= inside * 1.001 + 1e-6, "%s z=%d row %lld: %g, inside %g",
                              nt_kind_names[kind], z, y, across, inside);
                field_free(&west);
                field_free(&east);
            }
}
END_TEST

START_TEST(both_sides_of_the_antimeridian_are_one_place)
{
    enum { N = 64 };
    double u[3 * N], v[3 * N], value[3 * N];

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int warp = 0; warp < 2; warp++) {
            struct nt_spec spec =
                spec_of("domain=planet&noise=%s&%s&octaves=6%s", nt_kind_names[kind], lod_off(kind),
                        warp ? "&warp=1.5" : "");
            for (int i = 0; i < N; i++) {
                u[i] = 0;
                u[N + i] = 1 - 1e-13;
                u[2 * N + i] = 1;
                v[i] = v[N + i] = v[2 * N + i] = (i + 0.5) / N;
            }
            nt_sample(&spec, u, v, 3 * N, value);
            for (int i = 0; i < N; i++) {
                ck_assert_msg(fabs(value[i] - value[N + i]) < 1e-5, "%s: %g and %g",
                              nt_kind_names[kind], value[i], value[N + i]);
                ck_assert(memcmp(&value[i], &value[2 * N + i], sizeof *value) == 0);
            }
        }
}
END_TEST

START_TEST(the_square_goes_on_smoothly_to_its_edge_and_beyond)
{
    /* The first rows of the northernmost tile, out of a buffer, and the last of the southernmost. */
    for (int kind = 0; kind < NT_WHITE; kind++) /* white has nothing but steps */
        for (int z = 0; z <= NT_MAX_ZOOM; z += 5)
            for (int south = 0; south < 2; south++) {
                long long n = 1LL << z;
                struct field f = field_of("%d/%lld/%lld?size=32&buffer=16&domain=planet&noise=%s&"
                                          "octaves=2&frequency=%.17g",
                                          z, n / 3, south ? n - 1 : 0, nt_kind_names[kind],
                                          fmin(ldexp(20, z), 1048576));
                int edge = south ? 16 + 32 : 16;
                double across = step_across(f.at + (edge - 1) * f.side, 1, f.at + edge * f.side, 1,
                                            f.side),
                       inside = 0;
                for (int j = 1; j < f.side; j++)
                    if (j != edge)
                        inside = fmax(inside, step_across(f.at + (j - 1) * f.side, 1,
                                                          f.at + j * f.side, 1, f.side));
                ck_assert(isfinite(inside) && inside > 0);
                ck_assert_msg(across <= inside * 1.001, "%s z=%d: %g, inside %g",
                              nt_kind_names[kind], z, across, inside);
                field_free(&f);
            }
}
END_TEST

START_TEST(a_pole_is_one_place)
{
    enum { N = 16 };
    double u[N], v[N], value[N];

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int south = 0; south < 2; south++) {
            struct nt_spec spec =
                spec_of("domain=planet&noise=%s&%s&octaves=8", nt_kind_names[kind], lod_off(kind));
            for (int i = 0; i < N; i++) {
                u[i] = i / (double)N;
                v[i] = nt_mercator(south ? -90 : 90);
            }
            nt_sample(&spec, u, v, N, value);
            for (int i = 1; i < N; i++)
                ck_assert_double_eq_tol(value[i], value[0], 1e-6);
        }
}
END_TEST

/* Rms slope, per cell on the sphere, in the two directions there, in a ring around a latitude. */
static void slopes(const struct nt_spec *spec, double lat, size_t n, double slope[2])
{
    enum { BATCH = 1 << 12 };
    static double u[3][BATCH], v[3][BATCH], value[3][BATCH];
    uint64_t state = 52;
    double squares[2] = {0}, h = 0.02 / spec->frequency;

    for (size_t done = 0; done < n; done += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            double c, s, here = nt_mercator(lat + random_unit(&state) * 4 - 2);
            nt_latitude(here, &c, &s);
            u[0][i] = u[2][i] = random_unit(&state);
            v[0][i] = v[1][i] = here;
            u[1][i] = u[0][i] + h / c; /* Mercator stretches both ways alike */
            v[2][i] = v[0][i] + h / c;
        }
        for (int p = 0; p < 3; p++)
            nt_sample(spec, u[p], v[p], BATCH, value[p]);
        for (int i = 0; i < BATCH; i++)
            for (int way = 0; way < 2; way++)
                squares[way] += pow(value[1 + way][i] - value[0][i], 2);
    }
    for (int way = 0; way < 2; way++)
        slope[way] = sqrt(squares[way] / (double)n);
}

START_TEST(slopes_at_latitude_80_are_those_at_the_equator)
{
    for (int kind = 0; kind < NT_WHITE; kind++) { /* white has steps instead of slopes */
        struct nt_spec spec =
            spec_of("domain=planet&fractal=none&frequency=3001&%s&noise=%s%s", lod_off(kind),
                    nt_kind_names[kind], kind == NT_CELLULAR ? "&cell=f1" : "");
        double equator[2], north[2], south[2];
        size_t n = 131072 * long_factor();
        slopes(&spec, 0, n, equator);
        slopes(&spec, 80, n, north);
        slopes(&spec, -80, n, south);
        double ratio = hypot(north[0], north[1]) / hypot(equator[0], equator[1]);
        double other = hypot(south[0], south[1]) / hypot(equator[0], equator[1]);
        if (getenv("NOISETILE_FIGURES"))
            fprintf(stderr, "%s: 80 N / equator %.4f, 80 S %.4f; east / north %.4f %.4f\n",
                    nt_kind_names[kind], ratio, other, equator[0] / equator[1],
                    north[0] / north[1]);
        ck_assert_msg(fabs(ratio - 1) < 0.05 && fabs(other - 1) < 0.05, "%s: %g, %g",
                      nt_kind_names[kind], ratio, other);
        ck_assert_msg(fabs(equator[0] / equator[1] - 1) < 0.05 &&
                          fabs(north[0] / north[1] - 1) < 0.05,
                      "%s: east / north %g at the equator, %g at 80", nt_kind_names[kind],
                      equator[0] / equator[1], north[0] / north[1]);
    }
}
END_TEST

START_TEST(a_cell_is_one_cell_on_the_sphere)
{
    /* `frequency` cells around the equator: perlin's slope there is its slope in the plane. */
    struct nt_spec globe = spec_of("domain=planet&fractal=none&lod=off&frequency=3001");
    struct nt_spec flat = spec_of("domain=plane&fractal=none&lod=off&frequency=3001&t=0.5");
    double on_globe[2], on_plane = 0;
    static double u[2][1 << 16], v[1 << 16], value[2][1 << 16];
    uint64_t state = 53;

    slopes(&globe, 0, 1 << 17, on_globe);
    for (int slice = 0; slice < 16; slice++) { /* slices of all heights */
        flat.t = slice / 16.0 + 3;
        for (int i = 0; i < 1 << 12; i++) {
            u[0][i] = random_unit(&state);
            u[1][i] = u[0][i] + 0.02 / 3001;
            v[i] = random_unit(&state);
        }
        for (int p = 0; p < 2; p++)
            nt_sample(&flat, u[p], v, 1 << 12, value[p]);
        for (int i = 0; i < 1 << 12; i++)
            on_plane += pow(value[1][i] - value[0][i], 2) / (1 << 16);
    }
    ck_assert_double_eq_tol(on_globe[0] / sqrt(on_plane), 1, 0.05);
}
END_TEST

Suite *planet_suite(void)
{
    Suite *suite = suite_create("planet");
    TCase *tc = tcase_create("planet");

    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, functions_are_within_four_ulp);
    tcase_add_test(tc, quarter_turns_are_exact);
    tcase_add_test(tc, many_at_once_are_one_by_one);
    tcase_add_test(tc, functions_are_continuous_across_their_pieces);
    tcase_add_test(tc, places_lie_on_the_unit_sphere_and_go_back_to_their_latitude);
    tcase_add_test(tc, longitude_and_latitude_are_x_and_y);
    tcase_add_test(tc, n42_no_seam_at_the_antimeridian_at_any_zoom);
    tcase_add_test(tc, both_sides_of_the_antimeridian_are_one_place);
    tcase_add_test(tc, the_square_goes_on_smoothly_to_its_edge_and_beyond);
    tcase_add_test(tc, a_pole_is_one_place);
    tcase_add_test(tc, slopes_at_latitude_80_are_those_at_the_equator);
    tcase_add_test(tc, a_cell_is_one_cell_on_the_sphere);
    suite_add_tcase(suite, tc);
    return suite;
}
