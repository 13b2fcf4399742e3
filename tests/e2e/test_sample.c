/*
 * /sample: its contract, every golden row of the dialects that its parameters allow, and that it
 * agrees with tiles bit for bit. The core's own functions are compared with the golden files in
 * tests/golden/test_dialects.c.
 */
#include <check.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/noisetile.h"
#include "tests/e2e/checks.h"
#include "tests/suites.h"
#include "tests/support/csv.h"

static const char *const natives[] = {"perlin", "simplex",  "opensimplex2s",
                                      "value",  "cellular", "white"};
static const char *const dialects[] = {
    "simplex-rombauts", "simplex-splitmix", "perlin-eiserloh", "perlin-eiserloh-recursive",
    "inoise8",          "inoise16",         "inoise8-3.0",     "inoise16-3.0"};
enum { NATIVES = sizeof natives / sizeof *natives, DIALECTS = sizeof dialects / sizeof *dialects };

/* ---- Answers --------------------------------------------------------------------------------- */

/* The text between the brackets of "values", malloc'ed. */
static char *values_of(const struct answer *answer, const char *what)
{
    static const char key[] = "\"values\":[";
    const char *at = strstr((const char *)answer->body, key), *end;

    ck_assert_msg(answer->status == 200 && at != NULL, "%s: %ld %.300s", what, answer->status,
                  (const char *)answer->body);
    at += sizeof key - 1;
    end = strchr(at, ']');
    ck_assert_ptr_nonnull(end);
    return strndup(at, (size_t)(end - at));
}

static char *values_at(const char *url)
{
    struct answer answer = request(&served, NULL, url, NULL);
    char *values = values_of(&answer, url);

    answer_free(&answer);
    return values;
}

/* The values of /sample with this query, as text with commas; malloc'ed. */
static char *sampled(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *sampled(const char *format, ...)
{
    char url[1024] = "/sample?";
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(url + 8, sizeof url - 8, format, arguments);
    va_end(arguments);
    return values_at(url);
}

/* The only value. */
static double sampled_one(const char *query)
{
    char *text = sampled("%s", query), *end;
    double value = strtod(text, &end);

    ck_assert_msg(end > text && *end == '\0', "%s: not one number: %s", query, text);
    free(text);
    return value;
}

static size_t count_of(const char *values)
{
    size_t n = 1;

    for (; *values != '\0'; values++)
        n += *values == ',';
    return n;
}

static void check_same_values(const char *sample, const char *other)
{
    char *a = values_at(sample), *b = values_at(other);

    ck_assert_msg(strcmp(a, b) == 0, "%s: %.200s\n%s: %.200s", sample, a, other, b);
    free(a);
    free(b);
}

/* ---- The contract ---------------------------------------------------------------------------- */

START_TEST(a_point_a_line_and_a_grid_are_arrays_x_fastest)
{
    char *grid = sampled("x=0.25&y=0.5&nx=3&dx=0.125&ny=2&dy=0.25"), *at = grid;
    struct answer point = get(&served, "/sample?x=0.25&y=0.5");
    cJSON *document = json_of(&point);

    check_header(&point, "Content-Type", "application/json");
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(document, "values")), 1);
    ck_assert_uint_eq(count_of(grid), 6);
    for (int k = 0; k < 6; k++) {
        char *one = sampled("x=%g&y=%g", 0.25 + k % 3 * 0.125, 0.5 + k / 3 * 0.25);

        ck_assert(strncmp(at, one, strlen(one)) == 0);
        at += strlen(one) + 1;
        free(one);
    }
    cJSON_Delete(document);
    answer_free(&point);
    free(grid);
}
END_TEST

START_TEST(the_params_of_a_document_ask_for_the_same)
{
    struct answer answer = get(&served, "/sample?ny=2&nx=2&gain=0.25&y=1e-1&x=-0.50&seed=3&dx=1e0");
    cJSON *document = json_of(&answer);
    const char *params = cJSON_GetStringValue(cJSON_GetObjectItem(document, "params"));
    struct answer again = get(&served, "/sample?%s", params);

    ck_assert_str_eq(params, "seed=3&persistence=0.25&x=-0.5&y=0.1&nx=2&dx=1&ny=2");
    ck_assert(same_body(&answer, &again));
    cJSON_Delete(document);
    answer_free(&answer);
    answer_free(&again);
}
END_TEST

START_TEST(up_to_65536_values)
{
    static const char *const full[] = {"nx=65536&dx=0.0001", "ny=65536&dy=0.0001",
                                       "nx=256&dx=0.01&ny=256&dy=0.01"};

    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        char *values = sampled("x=0&y=0&octaves=1&%s", full[i]);

        ck_assert_uint_eq(count_of(values), NT_SAMPLES_MAX);
        free(values);
    }
    check_refused("/sample?x=0&y=0&nx=65536&ny=2", 400, "nx");
    check_refused("/sample?x=0&y=0&nx=2&ny=65536", 400, "nx");
    check_refused("/sample?x=0&y=0&nx=257&ny=256", 400, "nx");
    check_refused("/sample?x=0&y=0&nx=65537", 400, "nx");
    check_refused("/sample?x=0&y=0&ny=65537", 400, "ny");
}
END_TEST

START_TEST(what_is_refused_is_named)
{
    static const struct {
        const char *query, *parameter;
    } bad[] = {
        {"", "x"},
        {"seed=1", "x"},
        {"y=1", "x"},
        {"x=1", "y"},
        {"x=1&noise=simplex", "y"},
        {"x=1&noise=simplex-splitmix", "y"},
        {"noise=simplex-rombauts&x=1&ny=2", "ny"},
        {"noise=simplex-rombauts&x=1&dy=2", "dy"},
        {"lon=1", "lat"},
        {"lat=1", "lon"},
        {"lon=1&lat=1&x=1", "lon"},
        {"lon=1&lat=1&y=1", "lon"},
        {"x=1&y=1&lat=1", "lat"},
        {"lon=181&lat=0", "lon"},
        {"lon=0&lat=90.5", "lat"},
        {"lon=0&lat=85.06", "lat"},
        {"lon=0&lat=-85.0511287798067", "lat"},
        {"lon=0&lat=90&domain=plane", "lat"},
        {"x=nan&y=0", "x"},
        {"x=inf&y=0", "x"},
        {"x=1e400&y=0", "x"},
        {"x=0&y=0x10", "y"},
        {"x=0&y=", "y"},
        {"x=0&y=1,5", "y"},
        {"x=2147483649&y=0", "x"},
        {"x=0&y=-2147483648.5", "y"},
        {"x=0&y=0&dx=1e10", "dx"},
        {"x=2147483648&y=0&nx=2&dx=1", "dx"},
        {"x=0&y=-2147483648&ny=65536&dy=-1", "dy"},
        {"x=0&y=0&nx=0", "nx"},
        {"x=0&y=0&nx=1.5", "nx"},
        {"x=0&y=0&ny=-1", "ny"},
        {"x=0&x=0&y=0", "x"},
        {"x=0&y=0&v=2147483648", "v"},
        {"x=0&y=0&noise=nope", "noise"},
        {"x=0&y=0&octaves=33", "octaves"},
        {"x=0&y=0&fractal=none&octaves=2", "octaves"},
        {"x=0&y=0&lod=auto", "lod"},
        {"x=0&y=0&t_period=3", "t_period"},
        {"x=0&y=0&jitter=1", "jitter"},
        {"x=0&y=0&noise=opensimplex2s&domain=torus", "domain"},
        {"x=0&y=0&noise=inoise8&domain=world", "domain"},
        {"x=0&y=0&noise=inoise8&fractal=ridged", "fractal"},
        {"x=0&y=0&noise=inoise8&seed=1", "seed"},
        {"x=0&y=0&noise=perlin-eiserloh&lacunarity=3", "lacunarity"},
        {"x=1e9&y=0&noise=simplex-rombauts&frequency=1", "frequency"},
        {"x=0&y=0&noise=simplex-rombauts&amplitude=0", "amplitude"},
        {"x=0&y=0&noise=simplex-rombauts&persistence=-1&octaves=2", "persistence"},
        {"x=2147483648&y=0&noise=perlin-eiserloh&frequency=2", "frequency"},
        {"x=2147483648&y=0&domain=plane&frequency=1048576", "frequency"},
    };
    char url[256];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(url, sizeof url, "/sample?%s", bad[i].query);
        check_refused(url, 400, bad[i].parameter);
    }
    check_refused("/sample", 400, "x");
    check_refused("/sample?x=0&y=0&v=2", 404, "v");
    check_refused("/sample/", 404, NULL);
    check_refused("/sample.json?x=0&y=0", 404, NULL);
    check_refused("/sample?x=0&y=0&", 400, NULL);
    check_refused("/sample?x=0&&y=0", 400, NULL);
}
END_TEST

START_TEST(pictures_parameters_are_unknown_to_samples_and_the_other_way_round)
{
    struct nt_param_info info;
    char url[128];
    size_t pictures = 0, samples = 0;

    for (size_t i = 0; i < nt_param_count(); i++) {
        nt_param_describe(i, &info);
        if (info.group == NT_GROUP_PICTURE || strcmp(info.name, "format") == 0) {
            snprintf(url, sizeof url, "/sample?x=0&y=0&%s=%s", info.name, info.default_text);
            check_refused(url, 400, info.name);
            pictures++;
        } else if (info.group == NT_GROUP_SAMPLE) {
            snprintf(url, sizeof url, "/tile/0/0/0.json?%s=1", info.name);
            check_refused(url, 400, info.name);
            samples++;
        }
    }
    ck_assert_uint_ge(pictures, 10);
    ck_assert_uint_eq(samples, 8);
    check_refused("/sample?x=0&y=0&_=1", 400, "_");
}
END_TEST

/* ---- Caching --------------------------------------------------------------------------------- */

START_TEST(samples_are_cached_as_tiles_are)
{
    static const char url[] = "/sample?x=0.5&y=0.25&seed=71";
    double renders = server_figure(&served, "renders");
    struct answer miss = get(&served, "/sample?seed=71&y=2.5e-1&x=0.50"), hit = get(&served, url);
    struct answer known, head = request(&served, "HEAD", url, NULL);
    struct answer pinned = get(&served, "/sample?x=0.5&y=0.25&seed=71&v=%d", NT_ENGINE_VERSION);
    char line[128], location[128];

    check_header(&miss, "Cache-Status", "noisetile; fwd=miss; stored");
    check_header(&hit, "Cache-Status", "noisetile; hit");
    check_header(&hit, "Cache-Control",
                 "public, max-age=86400, stale-while-revalidate=604800, stale-if-error=604800");
    check_header(&hit, "Content-Location", "/sample?seed=71&x=0.5&y=0.25");
    check_header(&pinned, "Cache-Control", "public, max-age=31536000, immutable");
    snprintf(location, sizeof location, "/sample?seed=71&x=0.5&y=0.25&v=%d", NT_ENGINE_VERSION);
    check_header(&pinned, "Content-Location", location);
    ck_assert(same_header(&miss, &hit, "ETag") && same_header(&miss, &pinned, "ETag"));
    ck_assert(same_body(&miss, &hit) && same_body(&miss, &pinned));
    ck_assert(same_header(&head, &hit, "ETag") && same_header(&head, &hit, "Content-Length"));
    snprintf(line, sizeof line, "If-None-Match: %s", header(&miss, "ETag"));
    known = get_with(url, line);
    ck_assert_int_eq(known.status, 304);
    check_header(&known, "Content-Location", "/sample?seed=71&x=0.5&y=0.25");
    ck_assert_double_eq(server_figure(&served, "renders"), renders + 1);
    answer_free(&miss);
    answer_free(&hit);
    answer_free(&head);
    answer_free(&pinned);
    answer_free(&known);
}
END_TEST

START_TEST(a_304_renders_no_sample)
{
    struct answer other = get(&served, "/sample?x=0.5&y=0.75&seed=72");
    double renders = server_figure(&served, "renders");
    struct answer any = get_with("/sample?x=0.125&y=0.75&seed=73", "If-None-Match: *");

    ck_assert_int_eq(any.status, 304);
    ck_assert(!same_header(&any, &other, "ETag"));
    ck_assert_double_eq(server_figure(&served, "renders"), renders);
    answer_free(&any);
    answer_free(&other);
}
END_TEST

enum { CROWD = 8 };

static void ask(size_t i, void *context)
{
    struct answer *answers = context;

    answers[i] = get(&served, "/sample?x=0&y=0&nx=65536&dx=0.001&octaves=32&warp=1&seed=74");
}

START_TEST(many_who_ask_for_the_same_share_one_render)
{
    double renders = server_figure(&served, "renders");
    struct answer answers[CROWD];

    in_parallel(CROWD, ask, answers);
    for (int i = 0; i < CROWD; i++)
        ck_assert(answers[i].status == 200 && same_body(&answers[0], &answers[i]));
    ck_assert_double_eq(server_figure(&served, "renders"), renders + 1);
    for (int i = 0; i < CROWD; i++)
        answer_free(&answers[i]);
}
END_TEST

/* ---- Places ---------------------------------------------------------------------------------- */

/* What a tile and the same places have to agree in. */
static const char *const looks[] = {
    "",
    "&fractal=none",
    "&fractal=ridged&octaves=9&lacunarity=2.7",
    "&fractal=billow",
    "&fractal=pingpong&persistence=-0.7",
    "&frequency=1048576&octaves=3",
    "&seed=-9223372036854775808&amplitude=3",
    "&warp=2&warp_octaves=2",
    "&domain=plane",
    "&domain=plane&t=0.5",
    "&domain=plane&t=0.5&warp=1",
    "&domain=planet",
    "&domain=planet&t=7&warp=0.5",
    "&domain=torus",
    "&domain=torus&t=-1.25",
    "&t=3",
};

/* Pixel centres of an 8-pixel tile: steps that are powers of two, so x + k dx is exact. */
static void check_tile_and_places(int z, int x, int y, const char *noise, const char *look,
                                  const char *lod)
{
    double pixel = ldexp(1, -z - 3);
    char tile[256], sample[512];

    snprintf(tile, sizeof tile, "/tile/%d/%d/%d.json?size=8&noise=%s%s%s", z, x, y, noise, look,
             lod);
    snprintf(sample, sizeof sample,
             "/sample?nx=8&ny=8&dx=%.17g&dy=%.17g&x=%.17g&y=%.17g&noise=%s%s", pixel, pixel,
             (8 * x + 0.5) * pixel, (8 * y + 0.5) * pixel, noise, look);
    check_same_values(sample, tile);
}

static bool is_possible(const char *noise, const char *look)
{
    bool scattered = strcmp(noise, "opensimplex2s") == 0;
    bool periodic_time = strstr(look, "t=3") != NULL && strstr(look, "domain") == NULL;

    return !(scattered && (strstr(look, "torus") != NULL || periodic_time));
}

START_TEST(n30_a_sample_is_the_tiles_pixel_native)
{
    for (size_t k = 0; k < NATIVES; k++)
        for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
            const char *lod = strcmp(natives[k], "white") == 0 ? "" : "&lod=off";

            if (!is_possible(natives[k], looks[i]))
                continue;
            check_tile_and_places(3, 2, 5, natives[k], looks[i], lod);
            check_tile_and_places(18, 262143, 777, natives[k], looks[i], lod);
        }
}
END_TEST

START_TEST(n30_a_sample_is_the_tiles_pixel_dialects)
{
    for (size_t k = 0; k < DIALECTS; k++) {
        check_tile_and_places(3, 2, 5, dialects[k], "", "");
        check_tile_and_places(4, -3, 15, dialects[k], "&octaves=2&frequency=5.3", "");
        check_tile_and_places(4, -3, -1, dialects[k], "&fractal=none&frequency=33", "");
        if (strncmp(dialects[k], "inoise", 6) == 0)
            check_tile_and_places(2, 0, 1, dialects[k], "&t=1.5", "");
    }
}
END_TEST

/* Positions that no power of two makes, one by one: the quotient of two whole numbers. */
START_TEST(n30_odd_places_are_the_tiles_pixels)
{
    char *tile = values_at("/tile/5/9/20.json?size=7&lod=off&noise=simplex"), *at = tile;

    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++) {
            double denominator = 2 * 7 * 32;
            char *one =
                sampled("noise=simplex&x=%.17g&y=%.17g", (2 * (9 * 7 + i) + 1) / denominator,
                        (2 * (20 * 7 + j) + 1) / denominator);

            ck_assert_msg(strncmp(at, one, strlen(one)) == 0, "row %d, column %d: %.20s, not %s", j,
                          i, at, one);
            at += strlen(one) + 1;
            free(one);
        }
    free(tile);
}
END_TEST

START_TEST(positions_beyond_the_edge_repeat)
{
    for (size_t k = 0; k < NATIVES; k++) {
        char a[128], b[128];

        snprintf(a, sizeof a, "/sample?noise=%s&x=0.375&y=0.25", natives[k]);
        snprintf(b, sizeof b, "/sample?noise=%s&x=-1000000.625&y=0.25", natives[k]);
        check_same_values(a, b);
        if (strcmp(natives[k], "opensimplex2s") == 0)
            continue;
        snprintf(a, sizeof a, "/sample?domain=torus&noise=%s&x=0.375&y=0.25", natives[k]);
        snprintf(b, sizeof b, "/sample?domain=torus&noise=%s&x=4.375&y=-7.75", natives[k]);
        check_same_values(a, b);
    }
}
END_TEST

START_TEST(degrees_are_the_same_places)
{
    check_same_values("/sample?lon=-45&lat=0", "/sample?x=0.375&y=0.5");
    check_same_values("/sample?lon=-180&lat=0", "/sample?x=0&y=0.5");
    check_same_values("/sample?lon=180&lat=0", "/sample?lon=-180&lat=0");
    check_same_values("/sample?lon=90&lat=0&domain=planet&noise=value",
                      "/sample?x=0.75&y=0.5&domain=planet&noise=value");
    for (int lat = -85; lat <= 85; lat += 17) {
        double phi = lat * 3.141592653589793 / 180;
        double y = 0.5 - log(tan(3.141592653589793 / 4 + phi / 2)) / (2 * 3.141592653589793);
        char degrees[64], worlds[64];

        snprintf(degrees, sizeof degrees, "lon=12.25&lat=%d", lat);
        snprintf(worlds, sizeof worlds, "x=%.17g&y=%.17g", (12.25 + 180) / 360, y);
        ck_assert_double_eq_tol(sampled_one(degrees), sampled_one(worlds), 2e-6);
    }
    check_accepted("/sample?lon=0&lat=85.0511287798066");
    check_accepted("/sample?lon=0&lat=-85.0511287798066");
}
END_TEST

START_TEST(the_planets_poles_are_one_place)
{
    static const int longitudes[] = {-180, -90, 0, 33, 180};
    char query[128];

    for (size_t k = 0; k < NATIVES; k++)
        for (int lat = -90; lat <= 90; lat += 180) {
            double first = 0;

            for (size_t i = 0; i < sizeof longitudes / sizeof *longitudes; i++) {
                snprintf(query, sizeof query, "domain=planet&noise=%s&lon=%d&lat=%d", natives[k],
                         longitudes[i], lat);
                double value = sampled_one(query);
                ck_assert(fabs(value) <= 1);
                first = i == 0 ? value : first;
                ck_assert_double_eq_tol(value, first, 1e-6);
            }
        }
}
END_TEST

START_TEST(the_ends_of_the_range_are_served)
{
    for (size_t k = 0; k < NATIVES; k++) {
        char *values = sampled("noise=%s&x=-2147483648&y=2147483648&nx=3&dx=2147483648&ny=3&"
                               "dy=-2147483648e0",
                               natives[k]);
        free(values);
    }
}
END_TEST

/* ---- Numbers --------------------------------------------------------------------------------- */

START_TEST(numbers_read_back_as_the_same_float)
{
    struct answer raw = get(&served, "/tile/2/1/1.bin?size=64&lod=off&fractal=pingpong");
    char *text = sampled("fractal=pingpong&nx=64&ny=64&dx=0.00390625&dy=0.00390625&x=0.251953125&"
                         "y=0.251953125"),
         *at = text;

    ck_assert_uint_eq(raw.len, 64 * 64 * sizeof(float));
    for (size_t i = 0; i < 64 * 64; i++, at++) {
        float sent, exact = strtof(at, NULL), through_double = (float)strtod(at, &at);

        memcpy(&sent, raw.body + i * sizeof sent, sizeof sent);
        ck_assert(sent == exact && sent == through_double);
    }
    ck_assert_int_eq(at[-1], '\0');
    answer_free(&raw);
    free(text);
}
END_TEST

START_TEST(numbers_of_double_precision_read_back_as_the_same_double)
{
    static const char query[] = "noise=simplex-splitmix&seed=5&x=-7.3&y=2.9&nx=2000&dx=0.0371";
    char *text = sampled("%s", query), *at = text;
    double x[2000], y[2000], values[2000];
    struct nt_spec spec;
    struct nt_error err;
    size_t longer = 0;

    ck_assert_int_eq(nt_sample_request_parse(&spec, query, strlen(query), &err), NT_OK);
    for (int i = 0; i < 2000; i++) {
        x[i] = -7.3 + i * 0.0371;
        y[i] = 2.9;
    }
    nt_sample(&spec, x, y, 2000, values);
    for (size_t i = 0; i < 2000; i++, at++) {
        double value = strtod(at, &at);

        ck_assert(value == values[i]);
        longer += (double)(float)value != value;
    }
    ck_assert_uint_gt(longer, 1900);
    free(text);
}
END_TEST

START_TEST(whole_numbers_are_whole)
{
    for (size_t k = 4; k < DIALECTS; k++) {
        char *values = sampled("noise=%s&x=0&y=0&nx=500&dx=0.0137", dialects[k]);

        ck_assert_uint_eq(strspn(values, "0123456789,"), strlen(values));
        free(values);
    }
}
END_TEST

/* ---- Golden rows ----------------------------------------------------------------------------- */

/* A golden file, and how a row becomes a request. */
struct golden {
    const char *path, *header;
    size_t rows, allowed; /* all; those whose parameters are within /sample's ranges */
    const char *noise;
    /* Writes the row's query (without noise) or "" if a parameter is out of range. */
    void (*query)(const struct csv *csv, size_t row, double unit, char *query, size_t cap);
    double unit;      /* inoise: steps of a coordinate in a cell */
    size_t value;     /* column */
    double tolerance; /* 0: equal */
    bool wide;        /* float64 */
};

static bool within(const struct csv *csv, size_t row, size_t column, double min, double max)
{
    double value = csv_double(csv, row, column);

    return value >= min && value <= max;
}

static double csv_narrow(const struct csv *csv, size_t row, size_t column)
{
    return (double)csv_float(csv, row, column);
}

static void rombauts_1d(const struct csv *csv, size_t row, double unit, char *query, size_t cap)
{
    (void)unit;
    snprintf(query, cap, "fractal=none&frequency=1&x=%.17g", csv_narrow(csv, row, 0));
}

static void rombauts_2d(const struct csv *csv, size_t row, double unit, char *query, size_t cap)
{
    (void)unit;
    snprintf(query, cap, "fractal=none&frequency=1&x=%.17g&y=%.17g", csv_narrow(csv, row, 0),
             csv_narrow(csv, row, 1));
}

/* octaves, frequency, amplitude, lacunarity, persistence. */
static size_t rombauts_fractal(const struct csv *csv, size_t row, char *query, size_t cap)
{
    *query = '\0';
    if (!within(csv, row, 0, 1, 32) || !within(csv, row, 1, 1e-300, 1048576) ||
        !within(csv, row, 2, 0, 1e6) || !within(csv, row, 3, 1, 8) || !within(csv, row, 4, -1, 2))
        return 0;
    return (size_t)snprintf(
        query, cap,
        "octaves=%lld&frequency=%.17g&amplitude=%.17g&lacunarity=%.17g&persistence=%.17g&x=%.17g",
        (long long)csv_integer(csv, row, 0), csv_narrow(csv, row, 1), csv_narrow(csv, row, 2),
        csv_narrow(csv, row, 3), csv_narrow(csv, row, 4), csv_narrow(csv, row, 5));
}

static void rombauts_fractal_1d(const struct csv *csv, size_t row, double unit, char *query,
                                size_t cap)
{
    (void)unit;
    rombauts_fractal(csv, row, query, cap);
}

static void rombauts_fractal_2d(const struct csv *csv, size_t row, double unit, char *query,
                                size_t cap)
{
    size_t len = rombauts_fractal(csv, row, query, cap);

    (void)unit;
    if (len > 0)
        snprintf(query + len, cap - len, "&y=%.17g", csv_narrow(csv, row, 6));
}

static bool is_whole(const struct csv *csv, size_t row, size_t column)
{
    double value = csv_double(csv, row, column);

    return value == floor(value);
}

/* Positions beyond 2^31 are reached through the frequency, a power of two: nothing is rounded. */
static void splitmix_2d(const struct csv *csv, size_t row, double unit, char *query, size_t cap)
{
    double x = csv_double(csv, row, 1), y = csv_double(csv, row, 2);
    int frequency = fabs(x) > 0x1p31 || fabs(y) > 0x1p31 ? 1 << 20 : 1;

    (void)unit;
    *query = '\0';
    if (!is_whole(csv, row, 0) || fabs(x) > 0x1p51 || fabs(y) > 0x1p51)
        return;
    snprintf(query, cap, "fractal=none&seed=%lld&frequency=%d&x=%.17g&y=%.17g",
             (long long)csv_double(csv, row, 0), frequency, x / frequency, y / frequency);
}

static void splitmix_fbm(const struct csv *csv, size_t row, double unit, char *query, size_t cap)
{
    (void)unit;
    *query = '\0';
    if (!is_whole(csv, row, 0) || !is_whole(csv, row, 1) || !within(csv, row, 1, 1, 32) ||
        !within(csv, row, 2, 0, 1e6) || !within(csv, row, 3, 1e-300, 1048576) ||
        !within(csv, row, 4, -1, 2) || !within(csv, row, 5, 1, 8))
        return;
    snprintf(query, cap,
             "seed=%lld&octaves=%d&amplitude=%.17g&frequency=%.17g&persistence=%.17g&lacunarity="
             "%.17g&x=%.17g&y=%.17g",
             (long long)csv_double(csv, row, 0), (int)csv_double(csv, row, 1),
             csv_double(csv, row, 2), csv_double(csv, row, 3), csv_double(csv, row, 4),
             csv_double(csv, row, 5), csv_double(csv, row, 6), csv_double(csv, row, 7));
}

/* x, y, cell size, octaves, amplitude, persistence. */
static size_t eiserloh(const struct csv *csv, size_t row, char *query, size_t cap)
{
    *query = '\0';
    if (!within(csv, row, 2, 0x1p-20, 1e300) || !within(csv, row, 3, 1, 32) ||
        !within(csv, row, 4, 0, 1e6) || !within(csv, row, 5, -1, 2))
        return 0;
    return (size_t)snprintf(
        query, cap,
        "frequency=%.17g&octaves=%lld&amplitude=%.17g&persistence=%.17g&x=%.17g&y=%.17g",
        1 / csv_narrow(csv, row, 2), (long long)csv_integer(csv, row, 3), csv_narrow(csv, row, 4),
        csv_narrow(csv, row, 5), csv_narrow(csv, row, 0), csv_narrow(csv, row, 1));
}

static void eiserloh_seeded(const struct csv *csv, size_t row, double unit, char *query, size_t cap)
{
    size_t len = eiserloh(csv, row, query, cap);

    (void)unit;
    if (len > 0)
        snprintf(query + len, cap - len, "&seed=%lld", (long long)csv_integer(csv, row, 6));
}

static void eiserloh_unseeded(const struct csv *csv, size_t row, double unit, char *query,
                              size_t cap)
{
    (void)unit;
    eiserloh(csv, row, query, cap);
}

static void inoise_2d(const struct csv *csv, size_t row, double unit, char *query, size_t cap)
{
    snprintf(query, cap, "fractal=none&frequency=1&x=%.17g&y=%.17g", csv_double(csv, row, 0) / unit,
             csv_double(csv, row, 1) / unit);
}

static void inoise_3d(const struct csv *csv, size_t row, double unit, char *query, size_t cap)
{
    snprintf(query, cap, "fractal=none&frequency=1&x=%.17g&y=%.17g&t=%.17g",
             csv_double(csv, row, 0) / unit, csv_double(csv, row, 1) / unit,
             csv_double(csv, row, 2) / unit);
}

/* x, y, z, step, octaves, NX, NY, i, j: here x and y are the fixed point numbers themselves. */
static void inoise_fill(const struct csv *csv, size_t row, double unit, char *query, size_t cap)
{
    double step = csv_double(csv, row, 3);

    snprintf(query, cap, "frequency=%.17g&octaves=%lld&t=%.17g&x=%.17g&y=%.17g", 1 / unit,
             (long long)csv_integer(csv, row, 4), csv_double(csv, row, 2) / unit,
             csv_double(csv, row, 0) + csv_double(csv, row, 7) * step,
             csv_double(csv, row, 1) + csv_double(csv, row, 8) * step);
}

#define GOLDEN(file) "tests/golden/" file ".csv"
#define FILL_HEADER  "x,y,z,adj,nOctaves,NX,NY,i,j,value"
#define FRACTAL      "octaves,frequency,amplitude,lacunarity,persistence,x,"
#define EISERLOH     "x,y,gridCellSize,numOctaves,baseAmplitude,persistance,"

static const struct golden goldens[] = {
    {GOLDEN("rombauts_1d"), "x,value", 2042, 2042, "simplex-rombauts", rombauts_1d, .value = 1},
    {GOLDEN("rombauts_2d"), "x,y,value", 2082, 2082, "simplex-rombauts", rombauts_2d, .value = 2},
    {GOLDEN("rombauts_fractal_1d"), FRACTAL "value", 1354, 1241, "simplex-rombauts",
     rombauts_fractal_1d, .value = 6},
    {GOLDEN("rombauts_fractal_2d"), FRACTAL "y,value", 1522, 1386, "simplex-rombauts",
     rombauts_fractal_2d, .value = 7},
    {GOLDEN("js_simplex2d"), "seed,x,y,value", 2921, 2487, "simplex-splitmix", splitmix_2d,
     .value = 3, .wide = true},
    {GOLDEN("js_fbm2d"), "seed,octaves,amplitude,frequency,persistence,lacunarity,x,y,value", 1354,
     1091, "simplex-splitmix", splitmix_fbm, .value = 8, .wide = true},
    {GOLDEN("eiserloh_perlin2d"), EISERLOH "randomSeed,value", 1266, 1264, "perlin-eiserloh",
     eiserloh_seeded, .value = 7},
    {GOLDEN("eiserloh_perlin2d_unseeded"), EISERLOH "value", 1288, 1287,
     "perlin-eiserloh-recursive", eiserloh_unseeded, .value = 6, .tolerance = 2e-6},
    {GOLDEN("fastled_inoise8_2d"), "x,y,value,raw", 2391, 2391, "inoise8", inoise_2d, .unit = 256,
     .value = 2},
    {GOLDEN("fastled_inoise16_2d"), "x,y,value,raw", 2028, 2028, "inoise16", inoise_2d,
     .unit = 65536, .value = 2},
    {GOLDEN("fastled_inoise8_2d_v300"), "x,y,value,raw", 2436, 2436, "inoise8-3.0", inoise_2d,
     .unit = 256, .value = 2},
    {GOLDEN("fastled_inoise16_2d_v300"), "x,y,value,raw", 1979, 1979, "inoise16-3.0", inoise_2d,
     .unit = 65536, .value = 2},
    {GOLDEN("fastled_inoise8_3d"), "x,y,z,value,raw", 2208, 2208, "inoise8", inoise_3d, .unit = 256,
     .value = 3},
    {GOLDEN("fastled_inoise16_3d"), "x,y,z,value,raw", 1995, 1995, "inoise16", inoise_3d,
     .unit = 65536, .value = 3},
    {GOLDEN("fastled_inoise8_3d_v300"), "x,y,z,value,raw", 2299, 2299, "inoise8-3.0", inoise_3d,
     .unit = 256, .value = 3},
    {GOLDEN("fastled_inoise16_3d_v300"), "x,y,z,value,raw", 1980, 1980, "inoise16-3.0", inoise_3d,
     .unit = 65536, .value = 3},
    {GOLDEN("fastled_fill8"), FILL_HEADER, 419, 419, "inoise8", inoise_fill, .unit = 256,
     .value = 9},
    {GOLDEN("fastled_fill8_v300"), FILL_HEADER, 419, 419, "inoise8-3.0", inoise_fill, .unit = 256,
     .value = 9},
};
enum { GOLDENS = sizeof goldens / sizeof *goldens };

static void check_row(const struct golden *golden, const struct csv *csv, size_t row,
                      const char *query)
{
    char url[512];

    snprintf(url, sizeof url, "/sample?noise=%s&%s", golden->noise, query);
    char *text = values_at(url);
    double got = golden->wide ? strtod(text, NULL) : (double)strtof(text, NULL);
    double wanted =
        golden->wide ? csv_double(csv, row, golden->value) : csv_narrow(csv, row, golden->value);
    bool right = golden->tolerance > 0 ? fabs(got - wanted) <= golden->tolerance : got == wanted;
    ck_assert_msg(right, "%s: row %zu: %s is %s, not %.17g", csv->path, row + 1, url, text, wanted);
    free(text);
}

START_TEST(golden_rows_through_sample)
{
    const struct golden *golden = &goldens[_i];
    struct csv csv = csv_load(golden->path, golden->header, golden->rows);
    size_t allowed = 0;
    char query[400];

    for (size_t row = 0; row < csv.rows; row++) {
        golden->query(&csv, row, golden->unit, query, sizeof query);
        if (*query == '\0')
            continue;
        check_row(golden, &csv, row, query);
        allowed++;
    }
    ck_assert_uint_eq(allowed, golden->allowed);
    csv_free(&csv);
}
END_TEST

Suite *served_samples_suite(void)
{
    Suite *suite = suite_create("served_samples");
    TCase *contract = served_group("contract"), *places = served_group("places");
    TCase *golden = served_group("golden");

    tcase_add_test(contract, a_point_a_line_and_a_grid_are_arrays_x_fastest);
    tcase_add_test(contract, the_params_of_a_document_ask_for_the_same);
    tcase_add_test(contract, up_to_65536_values);
    tcase_add_test(contract, what_is_refused_is_named);
    tcase_add_test(contract, pictures_parameters_are_unknown_to_samples_and_the_other_way_round);
    tcase_add_test(contract, samples_are_cached_as_tiles_are);
    tcase_add_test(contract, a_304_renders_no_sample);
    tcase_add_test(contract, many_who_ask_for_the_same_share_one_render);
    tcase_add_test(contract, numbers_read_back_as_the_same_float);
    tcase_add_test(contract, numbers_of_double_precision_read_back_as_the_same_double);
    tcase_add_test(contract, whole_numbers_are_whole);
    tcase_add_test(places, n30_a_sample_is_the_tiles_pixel_native);
    tcase_add_test(places, n30_a_sample_is_the_tiles_pixel_dialects);
    tcase_add_test(places, n30_odd_places_are_the_tiles_pixels);
    tcase_add_test(places, positions_beyond_the_edge_repeat);
    tcase_add_test(places, degrees_are_the_same_places);
    tcase_add_test(places, the_planets_poles_are_one_place);
    tcase_add_test(places, the_ends_of_the_range_are_served);
    tcase_add_loop_test(golden, golden_rows_through_sample, 0, GOLDENS);
    suite_add_tcase(suite, contract);
    suite_add_tcase(suite, places);
    suite_add_tcase(suite, golden);
    return suite;
}
