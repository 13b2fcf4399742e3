/*
 * Tiles as they leave the server: which places exist, and that the bytes are the core's own, in
 * every format, however many ask at once. Core's numbers themselves are tested in tests/unit.
 */
#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/noisetile.h"
#include "tests/e2e/checks.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* ---- The grid -------------------------------------------------------------------------------- */

static void check_inside(const char *path)
{
    struct answer answer = request(&served, NULL, path, NULL);

    ck_assert_msg(answer.status == 200, "%s: %ld %s", path, answer.status,
                  (const char *)answer.body);
    answer_free(&answer);
}

/* 404 that names the coordinate and the legal range, in fields and in words. */
static void check_outside(const char *path, const char *coordinate, double min, double max)
{
    struct answer answer = request(&served, NULL, path, NULL);
    cJSON *problem;
    const char *detail;
    char limit[32];

    check_problem(&answer, 404, coordinate, path);
    problem = json_of(&answer);
    ck_assert_double_eq(cJSON_GetObjectItem(problem, "min")->valuedouble, min);
    ck_assert_double_eq(cJSON_GetObjectItem(problem, "max")->valuedouble, max);
    detail = cJSON_GetStringValue(cJSON_GetObjectItem(problem, "detail"));
    snprintf(limit, sizeof limit, "%.0f", max);
    ck_assert_msg(strncmp(detail, coordinate, 1) == 0 && strstr(detail, limit) != NULL, "%s",
                  detail);
    cJSON_Delete(problem);
    answer_free(&answer);
}

START_TEST(at_each_zoom_the_grid_ends_at_two_to_the_z)
{
    char path[128];

    for (int z = 0; z <= NT_MAX_ZOOM; z++) {
        int64_t n = INT64_C(1) << z;
        double last = (double)(n - 1);

        snprintf(path, sizeof path, "/tile/%d/%" PRId64 "/%" PRId64 ".png?size=1", z, n - 1, n - 1);
        check_inside(path);
        snprintf(path, sizeof path, "/tile/%d/0/0.png?size=1", z);
        check_inside(path);
        snprintf(path, sizeof path, "/tile/%d/%" PRId64 "/0.png", z, n);
        check_outside(path, "x", 0, last);
        snprintf(path, sizeof path, "/tile/%d/0/%" PRId64 ".png", z, n);
        check_outside(path, "y", 0, last);
        snprintf(path, sizeof path, "/tile/%d/-1/0.png", z);
        check_outside(path, "x", 0, last);
        snprintf(path, sizeof path, "/tile/%d/0/-1.png", z);
        check_outside(path, "y", 0, last);
    }
}
END_TEST

START_TEST(zooms_end_at_30)
{
    static const char *const zooms[] = {"-1",          "31",
                                        "32",          "33",
                                        "63",          "64",
                                        "255",         "256",
                                        "2147483648",  "4294967296",
                                        "4294967297",  "18446744073709551616",
                                        "-4294967295", "99999999999999999999"};
    char path[128];

    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++) {
        snprintf(path, sizeof path, "/tile/%s/0/0.png", zooms[i]);
        check_outside(path, "z", 0, NT_MAX_ZOOM);
    }
}
END_TEST

START_TEST(huge_canonical_coordinates_are_outside_the_grid)
{
    check_outside("/tile/3/99999999999999999999/0.png", "x", 0, 7);
    check_outside("/tile/3/0/-99999999999999999999.png", "y", 0, 7);
    check_outside("/tile/3/4294967296/0.png", "x", 0, 7);
    check_outside("/tile/30/18446744073709551616/0.png", "x", 0, 1073741823);
}
END_TEST

START_TEST(plane_and_torus_have_tiles_beyond_the_world)
{
    check_outside("/tile/2/-1/0.png", "x", 0, 3);
    check_inside("/tile/2/-1/0.png?domain=plane&size=1");
    check_inside("/tile/2/-1/-7.png?domain=torus&size=1");
    check_inside("/tile/2/2147483647/-2147483648.png?domain=torus&size=1");
    check_outside("/tile/2/2147483648/0.png?domain=torus", "x", -2147483648.0, 2147483647);
    check_outside("/tile/2/0/-2147483649.png?domain=plane", "y", -2147483648.0, 2147483647);
    check_outside("/tile/31/0/0.png?domain=plane", "z", 0, NT_MAX_ZOOM);
}
END_TEST

START_TEST(the_torus_repeats)
{
    struct answer here = get(&served, "/tile/2/3/1.bin?domain=torus&size=16");
    struct answer there = get(&served, "/tile/2/-1/5.bin?domain=torus&size=16");

    ck_assert_int_eq(here.status, 200);
    ck_assert(same_body(&here, &there));
    answer_free(&here);
    answer_free(&there);
}
END_TEST

START_TEST(a_place_outside_the_grid_renders_nothing)
{
    double renders = server_figure(&served, "renders");

    for (int i = 0; i < 100; i++) {
        struct answer answer = get(&served, "/tile/3/%d/0.png?seed=%d", 8 + i, i);

        ck_assert_int_eq(answer.status, 404);
        answer_free(&answer);
    }
    ck_assert_double_eq(server_figure(&served, "renders"), renders);
}
END_TEST

START_TEST(a_tile_in_range_is_always_a_whole_picture)
{
    uint64_t state = 56;
    char query[32];

    for (int i = 0; i < 200; i++) {
        int z = (int)random_below(&state, 31), scale = 1 + (int)random_below(&state, 2);
        uint32_t n = UINT32_C(1) << z;
        int side = 1 + (int)random_below(&state, 64);

        snprintf(query, sizeof query, "size=%d", side);
        struct answer answer = get(&served, "/tile/%d/%u/%u@%dx.png?%s", z, random_below(&state, n),
                                   random_below(&state, n), scale, query);
        ck_assert_int_eq(answer.status, 200);
        struct picture picture = picture_of(answer.body, answer.len);
        ck_assert_int_eq(picture.width, side * scale);
        ck_assert_int_eq(picture.height, side * scale);
        free(picture.pixels);
        answer_free(&answer);
    }
}
END_TEST

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Place and query of tiles that show each parameter's work. */
static const struct sample {
    const char *place, *query;
} samples[] = {
    {"0/0/0", ""},
    {"3/2/5", "seed=-9223372036854775808&size=31"},
    {"3/2/5@2x", "size=33&noise=value"},
    {"7/127/0", "size=17&sampling=point&buffer=3&octaves=8&persistence=0.9"},
    {"12/4095/2047", "size=64&noise=value&fractal=none&frequency=1000000"},
    {"30/1073741823/1073741823", "size=16&frequency=1048576&lod=off&octaves=32"},
    {"5/-3/40", "size=16&domain=plane&amplitude=100&min=-20&max=20"},
    {"5/-3/40@3x", "size=9&domain=torus&lacunarity=2.7&min=0&max=0.25"},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* The server's bytes for a sample in a format. */
static struct answer served_as(const struct sample *sample, const char *format)
{
    struct answer answer = get(&served, "/tile/%s.%s?%s", sample->place, format, sample->query);

    ck_assert_msg(answer.status == 200, "%s.%s?%s: %s", sample->place, format, sample->query,
                  (const char *)answer.body);
    return answer;
}

static struct field field_here(const struct sample *sample)
{
    return field_of("%s.bin?%s", sample->place, sample->query);
}

static size_t count_of(const struct field *field)
{
    return (size_t)field->side * (size_t)field->side;
}

/* The contract's formula: round half up, clamped. */
static unsigned quantised(double sample, double min, double max, unsigned top)
{
    double x = floor((sample - min) / (max - min) * top + 0.5);

    return x < 0 ? 0 : x > top ? top : (unsigned)x;
}

static unsigned little_endian_16(const unsigned char *bytes)
{
    return bytes[0] + 256u * bytes[1];
}

static float little_endian_float(const unsigned char *bytes)
{
    uint32_t bits =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* An assertion costs as much as a hundred samples (Check writes to a file), so loops compare first.
 */
static void check_sample(size_t i, float is, float expected)
{
    if (!same_bits(&is, &expected, 1))
        ck_abort_msg("sample %zu is %a, not %a", i, (double)is, (double)expected);
}

static void check_floats(const struct field *field, const unsigned char *bytes)
{
    for (size_t i = 0; i < count_of(field); i++)
        check_sample(i, little_endian_float(bytes + 4 * i), field->at[i]);
}

static void check_level(size_t i, unsigned is, unsigned expected)
{
    if (is != expected)
        ck_abort_msg("sample %zu is %u, not %u", i, is, expected);
}

START_TEST(bin_is_the_cores_samples_bit_for_bit)
{
    struct field field = field_here(&samples[_i]);
    struct answer answer = served_as(&samples[_i], "bin");

    ck_assert_uint_eq(answer.len, 4 * count_of(&field));
    check_floats(&field, answer.body);
    field_free(&field);
    answer_free(&answer);
}
END_TEST

START_TEST(npy_is_a_header_that_numpy_reads_and_the_same_samples)
{
    struct field field = field_here(&samples[_i]);
    struct answer answer = served_as(&samples[_i], "npy");
    size_t head = 10 + little_endian_16(answer.body + 8);
    char shape[64];

    snprintf(shape, sizeof shape, "'shape': (%d, %d)", field.side, field.side);
    ck_assert_mem_eq(answer.body, "\x93NUMPY\x01\x00", 8);
    ck_assert_uint_eq(head % 64, 0);
    ck_assert_int_eq(answer.body[head - 1], '\n');
    ck_assert_ptr_nonnull(strstr((char *)answer.body + 10, "'descr': '<f4'"));
    ck_assert_ptr_nonnull(strstr((char *)answer.body + 10, "'fortran_order': False"));
    ck_assert_ptr_nonnull(strstr((char *)answer.body + 10, shape));
    ck_assert_uint_eq(answer.len, head + 4 * count_of(&field));
    check_floats(&field, answer.body + head);
    field_free(&field);
    answer_free(&answer);
}
END_TEST

/* min and max of the sample's query; the field was made as bin, which resets them. */
static void range_of(const struct sample *sample, double *min, double *max)
{
    const char *low = strstr(sample->query, "min="), *high = strstr(sample->query, "max=");

    *min = low != NULL ? strtod(low + 4, NULL) : -1;
    *max = high != NULL ? strtod(high + 4, NULL) : 1;
}

START_TEST(r16_is_the_samples_quantised)
{
    struct field field = field_here(&samples[_i]);
    struct answer answer = served_as(&samples[_i], "r16");
    double min, max;

    range_of(&samples[_i], &min, &max);
    ck_assert_uint_eq(answer.len, 2 * count_of(&field));
    for (size_t i = 0; i < count_of(&field); i++)
        check_level(i, little_endian_16(answer.body + 2 * i),
                    quantised((double)field.at[i], min, max, 65535));
    field_free(&field);
    answer_free(&answer);
}
END_TEST

/* Of a grey picture; PNG's 16 bits are big-endian. */
static unsigned grey_at(const struct picture *picture, size_t i)
{
    const unsigned char *p = picture->pixels;

    return picture->depth == 16 ? p[2 * i] * 256u + p[2 * i + 1] : p[i];
}

static void check_picture(const struct sample *sample, const char *query, int depth)
{
    struct field field = field_here(sample);
    struct sample deep = {sample->place, query};
    struct answer answer = served_as(&deep, "png");
    struct picture picture = picture_of(answer.body, answer.len);
    double min, max;

    range_of(sample, &min, &max);
    ck_assert_int_eq(picture.channels, 1);
    ck_assert_int_eq(picture.depth, depth);
    ck_assert_int_eq(picture.width, field.side);
    ck_assert_int_eq(picture.height, field.side);
    for (size_t i = 0; i < count_of(&field); i++)
        check_level(i, grey_at(&picture, i),
                    quantised((double)field.at[i], min, max, depth == 8 ? 255 : 65535));
    free(picture.pixels);
    field_free(&field);
    answer_free(&answer);
}

START_TEST(a_decoded_png_is_the_samples_quantised)
{
    const struct sample *sample = &samples[_i];
    char query[256];

    check_picture(sample, sample->query, 8);
    snprintf(query, sizeof query, "%s%sbits=16", sample->query, *sample->query ? "&" : "");
    check_picture(sample, query, 16);
}
END_TEST

START_TEST(json_is_strict_and_reads_back_as_the_same_samples)
{
    struct field field = field_here(&samples[_i]);
    struct answer answer = served_as(&samples[_i], "json");
    cJSON *document = json_of(&answer);
    const char *at = strstr((const char *)answer.body, "\"values\":[");
    double min, max;

    range_of(&samples[_i], &min, &max);
    ck_assert_int_eq(cJSON_GetObjectItem(document, "z")->valueint, field.tile.z);
    ck_assert_double_eq(cJSON_GetObjectItem(document, "x")->valuedouble, (double)field.tile.x);
    ck_assert_double_eq(cJSON_GetObjectItem(document, "y")->valuedouble, (double)field.tile.y);
    ck_assert_int_eq(cJSON_GetObjectItem(document, "width")->valueint, field.side);
    ck_assert_int_eq(cJSON_GetObjectItem(document, "height")->valueint, field.side);
    ck_assert_double_eq(cJSON_GetObjectItem(document, "min")->valuedouble, min);
    ck_assert_double_eq(cJSON_GetObjectItem(document, "max")->valuedouble, max);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(document, "values")),
                     (int)count_of(&field));
    at += strlen("\"values\":[");
    for (size_t i = 0; i < count_of(&field); i++) {
        char *end;

        check_sample(i, strtof(at, &end), field.at[i]);
        at = end + 1; /* the comma or bracket */
    }
    cJSON_Delete(document);
    field_free(&field);
    answer_free(&answer);
}
END_TEST

START_TEST(the_params_of_a_json_tile_ask_for_the_same_tile)
{
    struct answer first = get(&served, "/tile/3/2/5.json?size=4&gain=0.25&seed=12&noise=value");
    cJSON *document = json_of(&first);
    const char *params = cJSON_GetStringValue(cJSON_GetObjectItem(document, "params"));
    struct answer again = get(&served, "/tile/3/2/5.json?%s", params);

    ck_assert_str_eq(params, "noise=value&seed=12&persistence=0.25&size=4");
    ck_assert(same_body(&first, &again));
    cJSON_Delete(document);
    answer_free(&first);
    answer_free(&again);
}
END_TEST

START_TEST(extreme_parameters_give_finite_numbers)
{
    static const char *const queries[] = {
        "octaves=32&persistence=2&lacunarity=8&lod=off&amplitude=1000000",
        "octaves=32&persistence=-1&lacunarity=1&lod=off",
        "octaves=32&persistence=0&frequency=1e-300",
        "frequency=1048576&octaves=32&lod=off&noise=value",
        "amplitude=0",
        "amplitude=1e-300",
    };

    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct answer answer = get(&served, "/tile/30/1073741823/0.json?size=8&%s", queries[i]);

        ck_assert_msg(answer.status == 200, "%s: %s", queries[i], (const char *)answer.body);
        cJSON_Delete(json_of(&answer));
        answer_free(&answer);
    }
}
END_TEST

/* ---- Many requests --------------------------------------------------------------------------- */

START_TEST(the_first_request_equals_the_thousandth)
{
    struct server fresh = server_start("--cache", "0", NULL);
    struct answer first = get(&fresh, "/tile/3/2/5.bin?seed=48"), last;
    struct field field = field_of("3/2/5.bin?seed=48");

    for (int i = 1; i < 999; i++) {
        struct answer other = get(&fresh, "/tile/3/2/5.bin?size=8&seed=%d", i);

        ck_assert_int_eq(other.status, 200);
        answer_free(&other);
    }
    last = get(&fresh, "/tile/3/2/5.bin?seed=48");
    ck_assert_double_eq(server_figure(&fresh, "renders"), 1000);
    ck_assert(same_body(&first, &last));
    check_floats(&field, first.body);
    field_free(&field);
    answer_free(&first);
    answer_free(&last);
    ck_assert_int_eq(server_stop(&fresh), 0);
}
END_TEST

enum { SEEDS = 64 };

static void ask_with_seed(size_t i, void *context)
{
    struct answer *answers = context;

    answers[i] = get(&served, "/tile/3/2/5.bin?octaves=8&seed=%zu", i * 1000003);
}

START_TEST(sixty_four_seeds_at_once_equal_the_serial_tiles)
{
    struct answer answers[SEEDS];

    in_parallel(SEEDS, ask_with_seed, answers);
    for (size_t i = 0; i < SEEDS; i++) {
        struct field field = field_of("3/2/5.bin?octaves=8&seed=%zu", i * 1000003);

        ck_assert_int_eq(answers[i].status, 200);
        ck_assert_uint_eq(answers[i].len, 4 * count_of(&field));
        check_floats(&field, answers[i].body);
        ck_assert(i == 0 || !same_body(&answers[0], &answers[i]));
        field_free(&field);
    }
    for (size_t i = 0; i < SEEDS; i++)
        answer_free(&answers[i]);
}
END_TEST

Suite *served_tiles_suite(void)
{
    Suite *suite = suite_create("served_tiles");
    TCase *grid = served_group("grid"), *bytes = served_group("bytes"),
          *many = served_group("many");

    tcase_add_test(grid, at_each_zoom_the_grid_ends_at_two_to_the_z);
    tcase_add_test(grid, zooms_end_at_30);
    tcase_add_test(grid, huge_canonical_coordinates_are_outside_the_grid);
    tcase_add_test(grid, plane_and_torus_have_tiles_beyond_the_world);
    tcase_add_test(grid, the_torus_repeats);
    tcase_add_test(grid, a_place_outside_the_grid_renders_nothing);
    tcase_add_test(grid, a_tile_in_range_is_always_a_whole_picture);
    tcase_add_loop_test(bytes, bin_is_the_cores_samples_bit_for_bit, 0, SAMPLES);
    tcase_add_loop_test(bytes, npy_is_a_header_that_numpy_reads_and_the_same_samples, 0, SAMPLES);
    tcase_add_loop_test(bytes, r16_is_the_samples_quantised, 0, SAMPLES);
    tcase_add_loop_test(bytes, a_decoded_png_is_the_samples_quantised, 0, SAMPLES);
    tcase_add_loop_test(bytes, json_is_strict_and_reads_back_as_the_same_samples, 0, SAMPLES);
    tcase_add_test(bytes, the_params_of_a_json_tile_ask_for_the_same_tile);
    tcase_add_test(bytes, extreme_parameters_give_finite_numbers);
    tcase_add_test(many, the_first_request_equals_the_thousandth);
    tcase_add_test(many, sixty_four_seeds_at_once_equal_the_serial_tiles);
    suite_add_tcase(suite, grid);
    suite_add_tcase(suite, bytes);
    suite_add_tcase(suite, many);
    return suite;
}
