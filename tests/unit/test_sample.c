/*
 * Values at places that a query names: points, lines and grids, their JSON, and what is refused.
 * N30, N49.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

static struct nt_spec sample_ok(const char *query)
{
    struct nt_spec spec;
    struct nt_error err;

    ck_assert_msg(nt_sample_request_parse(&spec, query, strlen(query), &err) == NT_OK, "%s: %s",
                  query, err.detail);
    return spec;
}

static struct nt_error sample_bad(const char *query)
{
    struct nt_spec spec;
    struct nt_error err;

    memset(&err, 0, sizeof err);
    ck_assert_msg(nt_sample_request_parse(&spec, query, strlen(query), &err) != NT_OK,
                  "%s was accepted", query);
    ck_assert_msg(err.detail[0] != '\0', "%s: no detail", query);
    return err;
}

/* The answer as text, malloc'ed. */
static char *answer_of(const char *query)
{
    struct nt_workspace *workspace = nt_workspace_new();
    struct nt_spec spec = sample_ok(query);
    const struct nt_tile any = {0, 0, 0};
    struct nt_bytes bytes;

    ck_assert_int_eq(nt_fill(workspace, &spec, &any), NT_OK);
    ck_assert_int_eq(nt_encode(workspace, &spec, &any, &bytes), NT_OK);
    char *text = malloc(bytes.len + 1);
    memcpy(text, bytes.data, bytes.len);
    text[bytes.len] = '\0';
    nt_workspace_free(workspace);
    return text;
}

/*
 * The values of an answer, each read from its own characters as the number type it is; *n of them.
 */
static double *values_of(const char *query, size_t *n)
{
    char *text = answer_of(query), *at = strstr(text, "\"values\":[") + strlen("\"values\":[");
    double *values = malloc(NT_SAMPLES_MAX * sizeof *values);
    struct nt_spec spec = sample_ok(query);
    cJSON *json = cJSON_Parse(text);

    ck_assert_msg(json, "%s: %s", query, text);
    cJSON_Delete(json);
    for (*n = 0; *at != ']'; (*n)++, at += *at == ',')
        values[*n] = nt_is_float64(&spec) ? strtod(at, &at) : (double)strtof(at, &at);
    free(text);
    return values;
}

/* ---- Places ---------------------------------------------------------------------------------- */

START_TEST(a_point_a_line_and_a_grid_are_the_same_places)
{
    static const char *const kinds[] = {"noise=perlin", "noise=simplex-splitmix", "noise=inoise16",
                                        "noise=cellular&domain=planet"};

    for (int k = 0; k < 4; k++) {
        char query[200];
        size_t n;
        snprintf(query, sizeof query, "%s&x=0.125&y=-0.5&nx=7&dx=0.0625&ny=5&dy=-0.25", kinds[k]);
        double *grid = values_of(query, &n);
        ck_assert_uint_eq(n, 35);
        for (int j = 0; j < 5; j++) {
            size_t one;
            snprintf(query, sizeof query, "%s&x=0.125&y=%.17g&nx=7&dx=0.0625", kinds[k],
                     -0.5 - j * 0.25);
            double *line = values_of(query, &one);
            ck_assert_uint_eq(one, 7);
            ck_assert_mem_eq(line, grid + 7 * j, 7 * sizeof *line);
            free(line);
            for (int i = 0; i < 7; i++) {
                snprintf(query, sizeof query, "%s&x=%.17g&y=%.17g", kinds[k], 0.125 + i * 0.0625,
                         -0.5 - j * 0.25);
                double *point = values_of(query, &one);
                ck_assert_uint_eq(one, 1);
                ck_assert_mem_eq(point, grid + 7 * j + i, sizeof *point);
                free(point);
            }
        }
        free(grid);
    }
}
END_TEST

START_TEST(n30_a_sample_at_a_pixel_is_the_tiles_pixel)
{
    static const char *const rest[] = {"", "&fractal=ridged", "&domain=plane&t=2", "&warp=1",
                                       "&domain=planet"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int r = 0; r < 5; r++) {
            struct field f = field_of("2/1/2?size=16&%s&noise=%s%s", lod_off(kind),
                                      nt_kind_names[kind], rest[r]);
            char query[200];
            size_t n;
            /* pixel centres: u = (2 (16 x + i) + 1) / 128, all exact in double */
            snprintf(query, sizeof query,
                     "x=%.17g&y=%.17g&nx=16&ny=16&dx=%.17g&dy=%.17g&noise=%s%s", 33 / 128.0,
                     65 / 128.0, 1 / 64.0, 1 / 64.0, nt_kind_names[kind], rest[r]);
            double *values = values_of(query, &n);
            ck_assert_uint_eq(n, 256);
            ck_assert_msg(same_values(f.at, values, 256), "%s", query);
            free(values);
            field_free(&f);
        }
}
END_TEST

START_TEST(positions_are_products_not_sums)
{
    /* x + k dx in double: after 65535 steps of 0.1 nothing has piled up. */
    struct nt_spec spec = sample_ok("x=0.3&y=0&noise=perlin&domain=plane");
    double place = 0.3 + 65535 * 0.1, zero = 0, expected;
    size_t n;
    double *values = values_of("x=0.3&y=0&nx=65536&dx=0.1&domain=plane", &n);

    nt_sample(&spec, &place, &zero, 1, &expected);
    ck_assert_uint_eq(n, 65536);
    ck_assert_mem_eq(&values[65535], &expected, sizeof expected);
    free(values);
}
END_TEST

/* ---- Numbers --------------------------------------------------------------------------------- */

START_TEST(doubles_read_back_exactly)
{
    struct nt_spec spec = sample_ok("x=0&y=0&noise=simplex-splitmix&seed=5");
    double x[4096], y[4096], expected[4096];
    bool wide = false;
    size_t n;
    double *values =
        values_of("x=-3.7&y=1.1&nx=64&ny=64&dx=0.037&dy=0.11&noise=simplex-splitmix&seed=5", &n);

    ck_assert_uint_eq(n, 4096);
    for (int i = 0; i < 4096; i++) {
        x[i] = -3.7 + (i % 64) * 0.037;
        y[i] = 1.1 + (i / 64) * 0.11;
    }
    nt_sample(&spec, x, y, 4096, expected);
    ck_assert_mem_eq(values, expected, sizeof expected);
    for (int i = 0; i < 4096; i++)
        wide = wide || (double)(float)expected[i] != expected[i];
    ck_assert(wide); /* they need a double */
    free(values);
}
END_TEST

START_TEST(a_tile_of_doubles_prints_doubles_and_of_whole_numbers_whole_numbers)
{
    size_t len;
    char *text = (char *)encoded_of("0/0/0.json?size=4&noise=simplex-splitmix", &len);
    struct nt_spec spec = spec_of("size=4&noise=simplex-splitmix");
    char *at = strstr(text, "[") + 1;

    for (int i = 0; i < 16; i++, at++) {
        double x = (2 * (i % 4) + 1) / 8.0, y = (2 * (i / 4) + 1) / 8.0, value;
        nt_sample(&spec, &x, &y, 1, &value);
        double is = strtod(at, &at);
        ck_assert_mem_eq(&is, &value, sizeof is);
    }
    free(text);
    text = answer_of("x=0.3&y=0.4&nx=50&dx=0.01&noise=inoise16");
    char *stop = strchr(text, ']');
    *stop = '\0';
    ck_assert_msg(strspn(strchr(text, '[') + 1, "0123456789,") == strlen(strchr(text, '[') + 1),
                  "%s", text);
    free(text);
}
END_TEST

START_TEST(an_answer_holds_its_counts_and_parameters)
{
    char *text = answer_of("y=0.5&x=0.25&nx=2&dx=0.5&noise=value");
    cJSON *json = cJSON_Parse(text);

    ck_assert_ptr_nonnull(json);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "values")), 2);
    ck_assert_str_eq(cJSON_GetObjectItem(json, "params")->valuestring,
                     "noise=value&x=0.25&y=0.5&nx=2&dx=0.5");
    cJSON_Delete(json);
    free(text);
}
END_TEST

/* ---- Refusals -------------------------------------------------------------------------------- */

START_TEST(what_is_no_place_is_refused_naming_the_parameter)
{
    static const struct {
        const char *query, *parameter;
    } cases[] = {
        {"", "x"},
        {"y=1", "x"},
        {"x=1", "y"},
        {"x=1&lon=2", "lon"},
        {"lon=2", "lat"},
        {"lat=2", "lon"},
        {"x=1&y=1&lat=3", "lat"},
        {"lon=0&lat=86", "lat"},
        {"lon=0&lat=-85.06", "lat"},
        {"lon=0&lat=90.1&domain=planet", "lat"},
        {"lon=180.5&lat=0", "lon"},
        {"x=nan&y=0", "x"}, /* N49 */
        {"x=inf&y=0", "x"},
        {"x=1e308&y=0", "x"},
        {"x=0x10&y=0", "x"},
        {"x=&y=0", "x"},
        {"x=+5&y=0", "x"},
        {"x=1,5&y=0", "x"},
        {"x=0&y=2147483648.5", "y"},
        {"x=0&y=0&nx=0", "nx"},
        {"x=0&y=0&nx=65537", "nx"},
        {"x=0&y=0&nx=257&ny=256", "nx"},
        {"x=0&y=0&nx=65536&ny=65536", "nx"},
        {"x=0&y=0&nx=3&dx=1073741825", "dx"},
        {"x=0&y=0&ny=3&dy=-1073741825", "dy"},
        {"x=2147483648&y=0&nx=2&dx=1", "dx"},
        {"x=0&y=0&lod=auto", "lod"},
        {"x=0&y=0&size=256", "size"},
        {"x=0&y=0&style=gray", "style"},
        {"x=0&y=0&format=json", "format"},
        {"x=0&y=0&x=0", "x"},
        {"x=0&noise=simplex-rombauts&ny=2", "ny"},
        {"x=0&noise=simplex-rombauts&dy=2", "dy"},
        {"x=2147483648&y=0&domain=plane&frequency=1048576", "frequency"},
        {"x=0&y=0&v=999", "v"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nt_error err = sample_bad(cases[i].query);
        ck_assert_msg(strcmp(err.parameter, cases[i].parameter) == 0, "%s names %s: %s",
                      cases[i].query, err.parameter, err.detail);
    }
    ck_assert_str_eq(parse_bad("0/0/0?x=1").parameter, "x"); /* a tile has its place */
    ck_assert(strstr(sample_bad("x=0&y=0&q=1").allowed, "nx"));
}
END_TEST

START_TEST(the_ends_of_the_range_are_places)
{
    static const char *const queries[] = {
        "x=2147483648&y=-2147483648&domain=plane&frequency=1",
        "x=-2147483648&y=2147483648&domain=torus&frequency=1048576",
        "x=-2147483648&y=0.5",
        "x=2147483648&y=2147483648&domain=planet&frequency=1048576",
        "x=0&y=0&nx=65536&dx=32768.5&domain=torus",
        "lon=180&lat=90&domain=planet",
        "lon=-180&lat=-90&domain=planet",
        "lon=-180&lat=85.0511287798066",
        "x=0&y=0&nx=256&ny=256",
        "x=-2147483648&y=2147483648&noise=simplex-splitmix",
        "x=-2147483648&y=2147483648&noise=inoise16&frequency=1048576",
    };

    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        size_t n;
        double *values = values_of(queries[q], &n);
        for (size_t i = 0; i < n; i++)
            ck_assert_msg(isfinite(values[i]), "%s", queries[q]);
        free(values);
    }
}
END_TEST

START_TEST(a_samples_url_is_canonical)
{
    static const struct {
        const char *query, *url;
    } cases[] = {
        {"y=0.50&x=1e0", "/sample?x=1&y=0.5"},
        {"x=0&y=0&lod=off&nx=1&dx=0", "/sample?x=0&y=0"},
        {"x=-0&y=0&seed=3", "/sample?seed=3&x=0&y=0"},
        {"lat=45&lon=-0.5&noise=value", "/sample?noise=value&lon=-0.5&lat=45"},
        {"x=0.1&noise=simplex-rombauts&nx=4&dx=0.5",
         "/sample?noise=simplex-rombauts&x=0.1&nx=4&dx=0.5"},
        {"x=0&y=0&t=0&domain=plane", "/sample?t=0&domain=plane&x=0&y=0"},
    };
    const struct nt_tile any = {0, 0, 0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nt_spec spec = sample_ok(cases[i].query);
        char url[NT_URL_MAX];
        nt_tile_url(&any, &spec, true, url, sizeof url);
        ck_assert_str_eq(url, cases[i].url);
        struct nt_spec again = sample_ok(url + strlen("/sample?"));
        nt_tile_url(&any, &again, true, url, sizeof url);
        ck_assert_str_eq(url, cases[i].url);
    }
}
END_TEST

/* Whatever is accepted has an answer: JSON has no NaN, the encoder asserts finite numbers. */
START_TEST(hostile_samples_never_crash)
{
    static const char *const pieces[] = {"x=0.5",
                                         "y=0.5",
                                         "lon=7",
                                         "lat=8",
                                         "nx=3",
                                         "ny=2",
                                         "dx=1e9",
                                         "dy=-1e-9",
                                         "x=-2147483648",
                                         "y=2147483648",
                                         "t=-1000000",
                                         "t_period=65536",
                                         "warp=16",
                                         "frequency=1048576",
                                         "frequency=1e-9",
                                         "octaves=32",
                                         "lacunarity=8",
                                         "domain=plane",
                                         "domain=planet",
                                         "domain=torus",
                                         "fractal=pingpong",
                                         "seed=-9223372036854775808",
                                         "persistence=-1",
                                         "&",
                                         "jitter=0",
                                         "cell=f2-f1"};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    struct nt_workspace *workspace = nt_workspace_new();
    uint64_t state = 71;
    int accepted = 0;

    for (int i = 0; i < 20000; i++) {
        char query[512] = "x=0.25&y=0.75";
        const struct nt_tile any = {0, 0, 0};
        struct nt_spec spec;
        struct nt_error err;
        size_t len = i % 2 ? 0 : strlen(query);
        len += (size_t)snprintf(query + len, sizeof query - len, "%snoise=%s", len ? "&" : "",
                                nt_kind_names[random_below(&state, NT_KINDS)]);
        for (uint32_t k = random_below(&state, 5); k > 0; k--)
            len += (size_t)snprintf(query + len, sizeof query - len, "&%s",
                                    pieces[random_below(&state, PIECES)]);
        if (nt_sample_request_parse(&spec, query, strlen(query), &err)) {
            ck_assert(err.detail[0]);
            continue;
        }
        struct nt_bytes bytes;
        ck_assert_int_eq(nt_fill(workspace, &spec, &any), NT_OK);
        ck_assert_int_eq(nt_encode(workspace, &spec, &any, &bytes), NT_OK);
        accepted++;
    }
    ck_assert_int_gt(accepted, 1000);
    nt_workspace_free(workspace);
}
END_TEST

Suite *sample_suite(void)
{
    Suite *suite = suite_create("sample");
    TCase *tc = tcase_create("sample");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_point_a_line_and_a_grid_are_the_same_places);
    tcase_add_test(tc, n30_a_sample_at_a_pixel_is_the_tiles_pixel);
    tcase_add_test(tc, positions_are_products_not_sums);
    tcase_add_test(tc, doubles_read_back_exactly);
    tcase_add_test(tc, a_tile_of_doubles_prints_doubles_and_of_whole_numbers_whole_numbers);
    tcase_add_test(tc, an_answer_holds_its_counts_and_parameters);
    tcase_add_test(tc, what_is_no_place_is_refused_naming_the_parameter);
    tcase_add_test(tc, the_ends_of_the_range_are_places);
    tcase_add_test(tc, a_samples_url_is_canonical);
    tcase_add_test(tc, hostile_samples_never_crash);
    suite_add_tcase(suite, tc);
    return suite;
}
