/*
 * The dialects as kinds: what the parameters mean to each, drawn as tiles and asked for place by
 * place. That
 * the functions are the originals' is in tests/golden/test_dialects.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/dialects/dialects.h"
#include "core/internal.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* ---- What each computes ---------------------------------------------------------------------- */

/* The core's own function at a place, with the specification's numbers put in by hand. */
typedef double direct(const struct nt_spec *spec, double x, double y);

static double rombauts_none(const struct nt_spec *s, double x, double y)
{
    float f = (float)s->frequency;

    return (double)((float)s->amplitude * nt_rombauts_2d((float)x * f, (float)y * f));
}

static double rombauts_fbm(const struct nt_spec *s, double x, double y)
{
    const struct nt_rombauts_fractal f = {(size_t)s->octaves, (float)s->frequency,
                                          (float)s->amplitude, (float)s->lacunarity,
                                          (float)s->persistence};

    return (double)nt_rombauts_fractal_2d(&f, (float)x, (float)y);
}

static double splitmix_none(const struct nt_spec *s, double x, double y)
{
    struct nt_splitmix noise;

    nt_splitmix_init(&noise, (uint32_t)s->seed);
    return nt_splitmix_2d(&noise, x * s->frequency, y * s->frequency) * s->amplitude;
}

static double splitmix_fbm(const struct nt_spec *s, double x, double y)
{
    const struct nt_splitmix_fbm f = {(double)s->octaves, s->amplitude, s->frequency,
                                      s->persistence, s->lacunarity};
    struct nt_splitmix noise;

    nt_splitmix_init(&noise, (uint32_t)s->seed);
    return nt_splitmix_fbm_2d(&noise, &f, x, y);
}

static struct nt_eiserloh eiserloh(const struct nt_spec *s)
{
    return (struct nt_eiserloh){s->fractal == NT_FRACTAL_NONE ? 1 : (size_t)s->octaves,
                                (float)s->amplitude, (float)s->persistence,
                                (float)(1.0 / s->frequency)};
}

static double eiserloh_seeded(const struct nt_spec *s, double x, double y)
{
    struct nt_eiserloh noise = eiserloh(s);

    return (double)nt_eiserloh_2d(&noise, (uint32_t)s->seed, (float)x, (float)y);
}

static double eiserloh_recursive(const struct nt_spec *s, double x, double y)
{
    struct nt_eiserloh noise = eiserloh(s);

    return (double)nt_eiserloh_recursive_2d(&noise, (float)x, (float)y);
}

static double inoise_none(const struct nt_spec *s, double x, double y)
{
    static const struct nt_inoise *const all[] = {&nt_inoise8, &nt_inoise16, &nt_inoise8_3_0,
                                                  &nt_inoise16_3_0};
    const struct nt_inoise *noise = all[s->noise - NT_INOISE8];
    uint32_t cx = nt_inoise_coordinate(noise, x * s->frequency);
    uint32_t cy = nt_inoise_coordinate(noise, y * s->frequency);

    return s->sliced ? nt_inoise_3d(noise, cx, cy, nt_inoise_coordinate(noise, s->t))
                     : nt_inoise_2d(noise, cx, cy);
}

static double inoise_fbm(const struct nt_spec *s, double x, double y)
{
    static const struct nt_inoise *const all[] = {&nt_inoise8, &nt_inoise16, &nt_inoise8_3_0,
                                                  &nt_inoise16_3_0};
    const struct nt_inoise *noise = all[s->noise - NT_INOISE8];

    return nt_inoise_fill(noise, nt_inoise_coordinate(noise, x * s->frequency),
                          nt_inoise_coordinate(noise, y * s->frequency),
                          nt_inoise_coordinate(noise, s->sliced ? s->t : 0), (size_t)s->octaves);
}

static const struct {
    const char *query;
    direct *function;
} dialects[] = {
    {"noise=simplex-rombauts&fractal=none&frequency=5.3", rombauts_none},
    {"noise=simplex-rombauts&fractal=none&amplitude=3", rombauts_none},
    {"noise=simplex-rombauts", rombauts_fbm},
    {"noise=simplex-rombauts&octaves=4&lacunarity=2.7&persistence=-0.6&amplitude=2", rombauts_fbm},
    {"noise=simplex-splitmix&fractal=none&seed=7&frequency=3.3", splitmix_none},
    {"noise=simplex-splitmix&seed=-1&octaves=3&lacunarity=1.9&gain=0.7&amplitude=9", splitmix_fbm},
    {"noise=simplex-splitmix&seed=4294967299", splitmix_fbm},
    {"noise=perlin-eiserloh&fractal=none&seed=3&frequency=7", eiserloh_seeded},
    {"noise=perlin-eiserloh&seed=-9&octaves=4&persistence=0.3&amplitude=0.5", eiserloh_seeded},
    {"noise=perlin-eiserloh-recursive&octaves=3&frequency=11", eiserloh_recursive},
    {"noise=perlin-eiserloh-recursive&fractal=none", eiserloh_recursive},
    {"noise=inoise8&fractal=none", inoise_none},
    {"noise=inoise8&fractal=none&t=1.7", inoise_none},
    {"noise=inoise8&octaves=3&t=-2.3", inoise_fbm},
    {"noise=inoise8&frequency=100.7", inoise_fbm},
    {"noise=inoise16&fractal=none&t=0", inoise_none},
    {"noise=inoise16&octaves=20", inoise_fbm},
    {"noise=inoise8-3.0&fractal=none", inoise_none},
    {"noise=inoise8-3.0&t=5.5", inoise_fbm},
    {"noise=inoise16-3.0&fractal=none&t=1.25", inoise_none},
    {"noise=inoise16-3.0&octaves=2", inoise_fbm},
};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

START_TEST(a_place_has_the_functions_value)
{
    enum { N = 200 };
    double x[N], y[N], values[N];
    uint64_t state = 61;

    for (int d = 0; d < DIALECTS; d++) {
        struct nt_spec spec = spec_of("%s", dialects[d].query);
        for (int i = 0; i < N; i++) {
            x[i] = ldexp(random_unit(&state) - 0.5, (int)random_below(&state, 16));
            y[i] = ldexp(random_unit(&state) - 0.5, (int)random_below(&state, 16));
        }
        nt_sample(&spec, x, y, N, values);
        for (int i = 0; i < N; i++) {
            double expected = dialects[d].function(&spec, x[i], y[i]);
            ck_assert_msg(same(values[i], expected), "%s at (%.17g, %.17g): %.17g, not %.17g",
                          dialects[d].query, x[i], y[i], values[i], expected);
        }
    }
}
END_TEST

START_TEST(a_tiles_pixel_has_the_functions_value)
{
    for (int d = 0; d < DIALECTS; d++) {
        struct field f = field_of("3/-7/%d?size=33&buffer=1&%s", d, dialects[d].query);
        for (int j = 0; j < f.side; j++)
            for (int i = 0; i < f.side; i++) {
                double x = nt_grid_world(&f.spec, &f.tile, 0, i);
                double y = nt_grid_world(&f.spec, &f.tile, 1, j);
                double expected = dialects[d].function(&f.spec, x, y);
                ck_assert_msg(same((double)f.at[j * f.side + i], (double)(float)expected),
                              "%s at (%.17g, %.17g)", dialects[d].query, x, y);
            }
        field_free(&f);
    }
}
END_TEST

START_TEST(only_rombauts_has_a_line)
{
    for (int kind = 0; kind < NT_KINDS; kind++) {
        char query[64];
        struct nt_spec spec;
        struct nt_error err;
        snprintf(query, sizeof query, "x=0.3&noise=%s", nt_kind_names[kind]);
        enum nt_status status = nt_sample_request_parse(&spec, query, strlen(query), &err);
        ck_assert_int_eq(status, kind == NT_SIMPLEX_ROMBAUTS ? NT_OK : NT_BAD_PARAMETER);
        if (status) {
            ck_assert_str_eq(err.parameter, "y");
            continue;
        }
        double value;
        const struct nt_rombauts_fractal f = {5, 8, 1, 2, 0.5f};
        nt_sample(&spec, &spec.x, NULL, 1, &value);
        ck_assert(same(value, (double)nt_rombauts_fractal_1d(&f, 0.3f)));
    }
}
END_TEST

/* ---- What each lacks ------------------------------------------------------------------------- */

/* Parameters beside frequency, octaves and fractal. */
static const char *const extras[] = {
    "seed=3",         "lacunarity=3",    "persistence=0.25", "amplitude=2",   "t=1",
    "warp=1",         "warp_octaves=2",  "t_period=2",       "lod=auto",      "cell=f2",
    "jitter=0.5",     "domain=world",    "domain=torus",     "domain=planet", "fractal=ridged",
    "fractal=billow", "fractal=pingpong"};

/* The extras of each dialect, as the contract lists them. */
static const char *const has[NT_KINDS] = {
    [NT_SIMPLEX_ROMBAUTS] = "amplitude lacunarity persistence",
    [NT_SIMPLEX_SPLITMIX] = "amplitude lacunarity persistence seed",
    [NT_PERLIN_EISERLOH] = "amplitude persistence seed",
    [NT_PERLIN_EISERLOH_RECURSIVE] = "amplitude persistence",
    [NT_INOISE8] = "t",
    [NT_INOISE16] = "t",
    [NT_INOISE8_3_0] = "t",
    [NT_INOISE16_3_0] = "t",
};

/* Whether a list of words has the word. */
static bool lists(const char *words, const char *word, size_t len)
{
    for (const char *at = words; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
        if (strncmp(at, word, len) == 0 && (at[len] == ' ' || at[len] == '\0'))
            return true;
    return false;
}

START_TEST(a_parameter_that_a_dialect_lacks_is_refused_naming_both)
{
    for (int kind = NT_NATIVE_KINDS; kind < NT_KINDS; kind++)
        for (size_t e = 0; e < sizeof extras / sizeof *extras; e++) {
            char url[160], setting[64];
            size_t len = strcspn(extras[e], "=");
            struct nt_tile tile;
            struct nt_spec spec;
            snprintf(url, sizeof url, "0/0/0?noise=%s&%s", nt_kind_names[kind], extras[e]);
            if (lists(has[kind], extras[e], len)) {
                parse_ok(url, &tile, &spec);
                continue;
            }
            struct nt_error err = parse_bad(url);
            ck_assert_int_eq(err.status, NT_BAD_PARAMETER);
            ck_assert_msg(strncmp(err.parameter, extras[e], len) == 0 && !err.parameter[len],
                          "%s names %s", url, err.parameter);
            snprintf(setting, sizeof setting, "noise=%s", nt_kind_names[kind]);
            ck_assert_msg(strstr(err.detail, setting), "%s: %s", url, err.detail);
        }
}
END_TEST

START_TEST(a_dialects_own_domain_and_lod_may_be_named)
{
    for (int kind = NT_NATIVE_KINDS; kind < NT_KINDS; kind++) {
        char text[NT_TEXT_MAX], expected[64];
        struct nt_spec spec =
            spec_of("noise=%s&domain=plane&lod=off&fractal=fbm", nt_kind_names[kind]);
        nt_spec_text(&spec, text, sizeof text);
        snprintf(expected, sizeof expected, "noise=%s", nt_kind_names[kind]);
        ck_assert_str_eq(text, expected);
        ck_assert_int_eq(spec.domain, NT_DOMAIN_PLANE);
        ck_assert_int_eq(spec.lod, NT_LOD_OFF);
        double top = kind < NT_INOISE8 ? 0 : (kind - NT_INOISE8) % 2 ? 65535 : 255;
        ck_assert_double_eq(spec.min, top > 0 ? 0 : -1);
        ck_assert_double_eq(spec.max, top > 0 ? top : 1);
    }
    ck_assert_str_eq(parse_bad("0/0/0?noise=inoise8&octaves=auto").parameter, "octaves");
}
END_TEST

START_TEST(a_sum_that_is_divided_by_nothing_is_refused)
{
    ck_assert_str_eq(parse_bad("0/0/0?noise=simplex-rombauts&amplitude=0").parameter, "amplitude");
    ck_assert_str_eq(parse_bad("0/0/0?noise=simplex-rombauts&persistence=-1&octaves=4").parameter,
                     "persistence");
    struct field odd = field_of("0/0/0?noise=simplex-rombauts&persistence=-1&octaves=3&size=8");
    struct field flat = field_of("0/0/0?noise=simplex-rombauts&fractal=none&amplitude=0&size=8");
    for (int i = 0; i < 64; i++)
        ck_assert(isfinite(odd.at[i]) && flat.at[i] == 0.0f);
    field_free(&odd);
    field_free(&flat);
}
END_TEST

START_TEST(too_far_out_for_a_dialect_is_refused_and_the_rest_is_finite)
{
    static const struct {
        const char *query;
        bool fits;
    } cases[] = {
        {"0/2147483647/0?noise=simplex-rombauts", false},
        {"0/1000000/0?noise=simplex-rombauts&octaves=5", true},
        {"0/10000000/0?noise=simplex-rombauts&octaves=5", false},
        {"0/2147483647/"
         "-2147483648?noise=simplex-splitmix&frequency=1048576&octaves=32&lacunarity=8",
         true},
        {"0/2147483647/0?noise=perlin-eiserloh", false},
        {"0/1000000/0?noise=perlin-eiserloh&octaves=4", true},
        {"0/2147483647/0?noise=perlin-eiserloh-recursive", false},
        {"0/2147483647/-2147483648?noise=inoise8&frequency=1048576&t=1000000", true},
        {"0/2147483647/-2147483648?noise=inoise16-3.0&frequency=1048576&octaves=32", true},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char url[160];
        snprintf(url, sizeof url, "%s&size=16", cases[c].query);
        if (!cases[c].fits) {
            ck_assert_str_eq(parse_bad(url).parameter, "frequency");
            continue;
        }
        struct field f = field_of("%s", url);
        for (int i = 0; i < 256; i++)
            ck_assert_msg(isfinite(f.at[i]), "%s", url);
        field_free(&f);
    }
}
END_TEST

/* ---- Their quirks, as documented ------------------------------------------------------------- */

START_TEST(n19_the_periods_of_the_dialects_are_theirs)
{
    static const struct {
        const char *query;
        double x, y;  /* cells, frequency 1 */
        double least; /* correlation */
    } cases[] = {
        {"noise=simplex-rombauts&fractal=none", 256 - 256 * 0.211324865405, -256 * 0.211324865405,
         0.99},
        {"noise=simplex-rombauts&fractal=none", 147.84, 147.84, 0.9},
        {"noise=simplex-splitmix&fractal=none", -256 * 0.211324865405, 256 - 256 * 0.211324865405,
         0.99},
        {"noise=perlin-eiserloh&fractal=none", -1, 9, 0.99},
        {"noise=perlin-eiserloh&fractal=none", 256, 0, 0.99},
        {"noise=perlin-eiserloh-recursive&fractal=none", 57, -1, 0.99},
        {"noise=inoise8&fractal=none", 256, 0, 1},
        {"noise=inoise16&fractal=none&t=0.5", 0, 256, 1},
        {"noise=inoise16-3.0", 256, 256, 1},
    };
    enum { N = 5000 };
    static double x[2][N], y[2][N], values[2][N];
    uint64_t state = 62;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct nt_spec spec = spec_of("%s&frequency=1", cases[c].query);
        for (int i = 0; i < N; i++) {
            x[0][i] = floor(random_unit(&state) * 65536) / 256;
            y[0][i] = floor(random_unit(&state) * 65536) / 256;
            x[1][i] = x[0][i] + cases[c].x;
            y[1][i] = y[0][i] + cases[c].y;
        }
        for (int p = 0; p < 2; p++)
            nt_sample(&spec, x[p], y[p], N, values[p]);
        double r = correlation(values[0], values[1], N);
        ck_assert_msg(r >= cases[c].least - 1e-9, "%s at (%g, %g): %g", cases[c].query, cases[c].x,
                      cases[c].y, r);
    }
}
END_TEST

START_TEST(n37_rombauts_slopes_differ_as_the_originals)
{
    enum { N = 1 << 17 };
    static double x[3][N], y[3][N], values[3][N];
    struct nt_spec spec = spec_of("noise=simplex-rombauts&fractal=none&frequency=1");
    double dx = 0, dy = 0;
    uint64_t state = 63;

    for (int i = 0; i < N; i++) {
        x[0][i] = x[2][i] = random_unit(&state) * 256;
        y[0][i] = y[1][i] = random_unit(&state) * 256;
        x[1][i] = x[0][i] + 0.01;
        y[2][i] = y[0][i] + 0.01;
    }
    for (int p = 0; p < 3; p++)
        nt_sample(&spec, x[p], y[p], N, values[p]);
    for (int i = 0; i < N; i++) {
        dx += pow(values[1][i] - values[0][i], 2);
        dy += pow(values[2][i] - values[0][i], 2);
    }
    double ratio = sqrt(dx / dy);
    ck_assert_msg(ratio > 1.25 && ratio < 1.37, "%g", ratio);
}
END_TEST

START_TEST(n24_splitmix_knows_32_bits_of_a_seed_and_eiserloh_8)
{
    struct field a = field_of("0/0/0?size=16&noise=simplex-splitmix&seed=0"),
                 b = field_of("0/0/0?size=16&noise=simplex-splitmix&seed=4294967296"),
                 c = field_of("0/0/0?size=16&noise=simplex-splitmix&seed=1"),
                 d = field_of("0/0/0?size=16&noise=perlin-eiserloh&seed=5"),
                 e = field_of("0/0/0?size=16&noise=perlin-eiserloh&seed=261"),
                 g = field_of("0/0/0?size=16&noise=perlin-eiserloh&seed=6");

    ck_assert(same_bits(a.at, b.at, 256) && !same_bits(a.at, c.at, 256));
    ck_assert(same_bits(d.at, e.at, 256) && !same_bits(d.at, g.at, 256));
    struct field *all[] = {&a, &b, &c, &d, &e, &g};
    for (int i = 0; i < 6; i++)
        field_free(all[i]);
}
END_TEST

START_TEST(dialects_of_whole_numbers_fill_their_range)
{
    static const double tops[] = {255, 65535, 255, 65535};

    for (int kind = NT_INOISE8; kind < NT_KINDS; kind++)
        for (int fbm = 0; fbm < 2; fbm++) {
            struct field f = field_of("0/0/0?frequency=64&fractal=%s&noise=%s",
                                      fbm ? "fbm" : "none", nt_kind_names[kind]);
            for (int i = 0; i < f.side * f.side; i++) {
                double value = (double)f.at[i];
                ck_assert(value >= 0 && value <= tops[kind - NT_INOISE8]);
                ck_assert(value == floor(value));
            }
            field_free(&f);
        }
}
END_TEST

Suite *drawn_dialects_suite(void)
{
    Suite *suite = suite_create("drawn_dialects");
    TCase *tc = tcase_create("drawn_dialects");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_place_has_the_functions_value);
    tcase_add_test(tc, a_tiles_pixel_has_the_functions_value);
    tcase_add_test(tc, only_rombauts_has_a_line);
    tcase_add_test(tc, a_parameter_that_a_dialect_lacks_is_refused_naming_both);
    tcase_add_test(tc, a_dialects_own_domain_and_lod_may_be_named);
    tcase_add_test(tc, a_sum_that_is_divided_by_nothing_is_refused);
    tcase_add_test(tc, too_far_out_for_a_dialect_is_refused_and_the_rest_is_finite);
    tcase_add_test(tc, n19_the_periods_of_the_dialects_are_theirs);
    tcase_add_test(tc, n37_rombauts_slopes_differ_as_the_originals);
    tcase_add_test(tc, n24_splitmix_knows_32_bits_of_a_seed_and_eiserloh_8);
    tcase_add_test(tc, dialects_of_whole_numbers_fill_their_range);
    suite_add_tcase(suite, tc);
    return suite;
}
