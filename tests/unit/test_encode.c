/* What leaves the core: every format decoded again by somebody else's code and compared. */
#include <cjson/cJSON.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/internal.h"
#include "tests/suites.h"
#include "tests/support/allocations.h"
#include "tests/support/tiles.h"

/* ---- PNG ------------------------------------------------------------------------------------- */

/* The contract's formula, one sample at a time. */
static unsigned quantised(float sample, double min, double max, unsigned top)
{
    double x = floor(((double)sample - min) / (max - min) * top + 0.5);

    return x < 0 ? 0 : x > top ? top : (unsigned)x;
}

static void check_png(const char *query, int size, int depth)
{
    char url[256];
    size_t len;

    snprintf(url, sizeof url, "4/5/6.png?size=%d&bits=%d&%s", size, depth, query);
    struct field f = field_of("%s", url);
    unsigned char *data = encoded_of(url, &len);
    struct picture picture = picture_of(data, len);

    ck_assert_int_eq(picture.color_type, PNG_COLOR_TYPE_GRAY);
    ck_assert_int_eq(picture.depth, depth);
    ck_assert_int_eq(picture.width, f.side);
    ck_assert_int_eq(picture.height, f.side);
    for (int i = 0; i < f.side * f.side; i++) {
        unsigned is = depth == 8 ? picture.pixels[i]
                                 : picture.pixels[2 * i] * 256U + picture.pixels[2 * i + 1];
        unsigned expected = quantised(f.at[i], f.spec.min, f.spec.max, depth == 8 ? 255 : 65535);
        if (is != expected)
            ck_abort_msg("%s: pixel %d is %u, not %u", url, i, is, expected);
    }
    free(data);
    free(picture.pixels);
    field_free(&f);
}

START_TEST(a_decoded_png_is_the_quantised_samples)
{
    static const int sizes[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 64, 100, 255, 256, 257, 512};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int depth = 8; depth <= 16; depth += 8) {
            check_png("seed=9", sizes[i], depth);
            check_png("sampling=point&buffer=3&noise=value&lod=off&frequency=1000", sizes[i],
                      depth);
            check_png("min=-0.1&max=0.3&amplitude=2", sizes[i], depth);
            check_png("amplitude=0", sizes[i], depth);
        }
}
END_TEST

START_TEST(n47_sixteen_bits_do_not_terrace)
{
    size_t len;
    unsigned char *data = encoded_of("3/2/5?bits=16", &len), seen[65536] = {0};
    struct picture picture = picture_of(data, len);
    int distinct = 0;

    ck_assert_int_eq(picture.depth, 16);
    ck_assert_int_eq(picture.color_type, PNG_COLOR_TYPE_GRAY);
    for (int i = 0; i < 65536; i++) {
        unsigned value = picture.pixels[2 * i] * 256U + picture.pixels[2 * i + 1];
        distinct += !seen[value];
        seen[value] = 1;
    }
    ck_assert_int_gt(distinct, 5000);
    free(data);
    free(picture.pixels);
}
END_TEST

START_TEST(n13_out_of_range_is_clamped_never_wrapped)
{
    const float samples[] = {1.0000001f, -1.0000001f, 1e30f, -1e30f, 1, -1, 0};
    unsigned char grey[7], deep[14];

    nt_quantise8(samples, 7, -1, 1, grey);
    nt_quantise16(samples, 7, -1, 1, true, deep);
    static const unsigned char expected[] = {255, 0, 255, 0, 255, 0, 128};
    ck_assert_mem_eq(grey, expected, 7);
    static const unsigned char expected_deep[] = {255, 255, 0,   0, 255, 255, 0,
                                                  0,   255, 255, 0, 0,   128, 0};
    ck_assert_mem_eq(deep, expected_deep, 14);
}
END_TEST

/* Largest difference of a pixel from those to the west, north and north-west of it. */
static int largest_jump(const struct picture *p)
{
    int most = 0;

    for (int y = 1; y < p->height; y++)
        for (int x = 1; x < p->width; x++) {
            const unsigned char *at = p->pixels + y * p->width + x;
            const int around[] = {at[-1], at[-p->width], at[-p->width - 1]};
            for (int i = 0; i < 3; i++)
                most = abs(*at - around[i]) > most ? abs(*at - around[i]) : most;
        }
    return most;
}

START_TEST(n13_smooth_noise_has_no_jumps)
{
    static const char *const kinds[] = {"perlin", "simplex", "opensimplex2s", "value"};

    for (int tile = 0; tile < 64; tile++) {
        char url[128];
        snprintf(url, sizeof url, "3/%d/%d?frequency=8&octaves=2&amplitude=3&noise=%s", tile % 8,
                 tile / 8, kinds[tile % 4]);
        struct picture p = picture_drawn(url);
        ck_assert_msg(largest_jump(&p) <= 100, "%s: %d", url, largest_jump(&p));
        free(p.pixels);
    }
}
END_TEST

/* ---- JSON and raw numbers -------------------------------------------------------------------- */

static double number(const cJSON *json, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);

    ck_assert_msg(cJSON_IsNumber(item), "%s", key);
    return item->valuedouble;
}

/* Each value's own characters, read by strtof, are the sample. */
static void check_values(const char *text, const struct field *f)
{
    const char *at = strstr(text, "\"values\":[") + strlen("\"values\":[");

    for (int i = 0; i < f->side * f->side; i++) {
        char *end;
        float value = strtof(at, &end);
        ck_assert_ptr_ne(end, at);
        ck_assert(same_bits(&value, &f->at[i], 1));
        ck_assert(*end == (i + 1 < f->side * f->side ? ',' : ']'));
        at = end + 1;
    }
}

START_TEST(json_holds_the_place_the_samples_and_the_parameters)
{
    static const char *const urls[] = {
        "4/5/6.json?size=33&seed=5&min=-2&max=0.1&noise=value", "0/0/0@2x.json?size=1",
        "1/-3/70000.json?domain=plane&size=16&sampling=point&buffer=2&bits=16"};

    for (size_t i = 0; i < 3; i++) {
        size_t len;
        struct field f = field_of("%s", urls[i]);
        unsigned char *data = encoded_of(urls[i], &len);
        char *text = calloc(1, len + 1), params[NT_TEXT_MAX];
        memcpy(text, data, len);
        cJSON *json = cJSON_ParseWithOpts(text, NULL, true);
        ck_assert_msg(json, "%s", urls[i]);
        ck_assert_double_eq(number(json, "z"), f.tile.z);
        ck_assert_double_eq(number(json, "x"), (double)f.tile.x);
        ck_assert_double_eq(number(json, "y"), (double)f.tile.y);
        ck_assert_double_eq(number(json, "width"), f.side);
        ck_assert_double_eq(number(json, "height"), f.side);
        ck_assert_double_eq(number(json, "min"), f.spec.min);
        ck_assert_double_eq(number(json, "max"), f.spec.max);
        nt_spec_text(&f.spec, params, sizeof params);
        ck_assert_str_eq(cJSON_GetObjectItem(json, "params")->valuestring, params);
        ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "values")), f.side * f.side);
        check_values(text, &f);
        cJSON_Delete(json);
        free(text);
        free(data);
        field_free(&f);
    }
}
END_TEST

START_TEST(bin_is_little_endian_floats)
{
    size_t len;
    struct field f = field_of("4/5/6?size=31");
    unsigned char *data = encoded_of("4/5/6.bin?size=31&min=0", &len);

    ck_assert_uint_eq(len, 4 * 31 * 31);
    for (int i = 0; i < 31 * 31; i++) {
        const unsigned char *b = data + 4 * i;
        uint32_t bits =
            (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        ck_assert(memcmp(&bits, &f.at[i], 4) == 0);
    }
    free(data);
    field_free(&f);
}
END_TEST

START_TEST(npy_is_bin_behind_numpys_header)
{
    size_t len, bin_len;
    unsigned char *data = encoded_of("4/5/6.npy?size=31&buffer=1", &len),
                  *bin = encoded_of("4/5/6.bin?size=31&buffer=1", &bin_len);
    size_t header = 10 + data[8] + 256U * data[9];
    char dict[256] = {0};

    ck_assert_mem_eq(data, "\x93NUMPY\x01\x00", 8);
    ck_assert_uint_eq(header % 64, 0);
    memcpy(dict, data + 10, header - 10);
    ck_assert_msg(
        strncmp(dict, "{'descr': '<f4', 'fortran_order': False, 'shape': (33, 33), }", 61) == 0,
        "%s", dict);
    ck_assert_int_eq(dict[header - 11], '\n');
    ck_assert_uint_eq(len - header, bin_len);
    ck_assert_mem_eq(data + header, bin, bin_len);
    free(data);
    free(bin);
}
END_TEST

START_TEST(r16_is_little_endian_quantised_samples)
{
    size_t len;
    struct field f = field_of("4/5/6?size=31");
    unsigned char *data = encoded_of("4/5/6.r16?size=31&min=-0.5&max=0.25", &len);

    ck_assert_uint_eq(len, 2 * 31 * 31);
    for (int i = 0; i < 31 * 31; i++)
        ck_assert_uint_eq(data[2 * i] + 256U * data[2 * i + 1],
                          quantised(f.at[i], -0.5, 0.25, 65535));
    free(data);
    field_free(&f);
}
END_TEST

START_TEST(gzip_gives_the_bytes_back)
{
    struct nt_workspace *workspace = nt_workspace_new();
    struct nt_tile tile;
    struct nt_spec spec;
    struct nt_bytes plain, zipped;

    parse_ok("4/5/6.json", &tile, &spec);
    ck_assert_int_eq(nt_fill(workspace, &spec, &tile), NT_OK);
    ck_assert_int_eq(nt_encode(workspace, &spec, &tile, &plain), NT_OK);
    ck_assert_int_eq(nt_gzip(workspace, plain, &zipped), NT_OK);
    unsigned char *back = malloc(plain.len + 1);
    z_stream stream = {.next_in = (z_const Bytef *)zipped.data,
                       .avail_in = (uInt)zipped.len,
                       .next_out = back,
                       .avail_out = (uInt)plain.len + 1};
    ck_assert_int_eq(inflateInit2(&stream, 16 + 15), Z_OK);
    ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    ck_assert_uint_eq(stream.total_out, plain.len);
    ck_assert(memcmp(back, plain.data, plain.len) == 0);
    ck_assert_uint_lt(zipped.len, plain.len);
    inflateEnd(&stream);
    free(back);
    nt_workspace_free(workspace);
}
END_TEST

/* ---- Workspace ------------------------------------------------------------------------------- */

START_TEST(a_used_workspace_gives_what_a_new_one_gives)
{
    struct nt_workspace *used = nt_workspace_new();
    uint64_t state = 43;

    for (int round = 0; round < 60; round++) {
        char url[128];
        size_t len;
        struct nt_tile tile;
        struct nt_spec spec;
        struct nt_bytes bytes;
        snprintf(url, sizeof url, "3/%u/%u.%s?size=%u&buffer=%u&octaves=%u&lod=%s",
                 random_below(&state, 8), random_below(&state, 8),
                 nt_format_name((int)random_below(&state, NT_FORMATS)),
                 random_below(&state, 300) + 1, random_below(&state, 17),
                 random_below(&state, 10) + 1, round % 2 ? "off" : "auto");
        parse_ok(url, &tile, &spec);
        ck_assert_int_eq(nt_fill(used, &spec, &tile), NT_OK);
        ck_assert_int_eq(nt_encode(used, &spec, &tile, &bytes), NT_OK);
        unsigned char *fresh = encoded_of(url, &len);
        ck_assert_uint_eq(bytes.len, len);
        ck_assert_msg(memcmp(bytes.data, fresh, len) == 0, "%s", url);
        free(fresh);
        if (round % 7 == 0)
            nt_workspace_trim(used);
    }
    nt_workspace_free(used);
}
END_TEST

/* Fills and encodes a tile; how often that allocated memory. */
static size_t allocations_of(struct nt_workspace *workspace, const char *url)
{
    struct nt_tile tile;
    struct nt_spec spec;
    struct nt_bytes bytes, zipped;

    parse_ok(url, &tile, &spec);
    size_t before = allocations();
    bool done = !nt_fill(workspace, &spec, &tile) && !nt_encode(workspace, &spec, &tile, &bytes) &&
                !nt_gzip(workspace, bytes, &zipped);
    size_t calls = allocations() - before; /* an assertion allocates, too */
    ck_assert(done);
    return calls;
}

START_TEST(a_warm_workspace_allocates_nothing)
{
    static const char *const queries[] = {"seed=3",
                                          "bits=16&fractal=ridged",
                                          "domain=planet",
                                          "warp=1&domain=plane",
                                          "domain=plane&t=0.5",
                                          "style=color",
                                          "style=mapbox&octaves=9"};

    for (int kind = 0; kind < NT_KINDS; kind++)
        for (size_t q = 0; q < (nt_kinds[kind].dialect ? 1 : sizeof queries / sizeof *queries); q++)
            for (int format = 0; format < NT_FORMATS; format++) {
                struct nt_workspace *workspace = nt_workspace_new();
                char url[200];
                snprintf(url, sizeof url, "3/2/5.%s?size=90&noise=%s%s%s", nt_format_name(format),
                         nt_kind_names[kind], nt_kinds[kind].dialect ? "" : "&",
                         nt_kinds[kind].dialect ? "" : queries[q]);
                ck_assert_uint_gt(allocations_of(workspace, url), 0);
                size_t again = allocations_of(workspace, url);
                ck_assert_msg(again == 0, "%s allocates %zu times", url, again);
                nt_workspace_free(workspace);
            }
}
END_TEST

START_TEST(taken_bytes_are_whole_and_the_workspace_goes_on)
{
    static const char *const urls[] = {"3/2/5.png?size=90", "3/2/5.json", "3/2/5.bin?size=7",
                                       "0/0/0@2x.json?size=1024&octaves=1", "3/2/5.r16?size=600"};
    struct nt_workspace *workspace = nt_workspace_new();
    static const unsigned char foreign[1] = {0};

    for (size_t i = 0; i < 4 * sizeof urls / sizeof *urls; i++) {
        const char *url = urls[i / 4];
        struct nt_bytes bytes;
        struct nt_tile tile;
        struct nt_spec spec;
        size_t len;
        unsigned char *fresh = encoded_of(url, &len);
        parse_ok(url, &tile, &spec);
        ck_assert_int_eq(nt_fill(workspace, &spec, &tile), NT_OK);
        ck_assert_int_eq(nt_encode(workspace, &spec, &tile, &bytes), NT_OK);
        unsigned char *taken = nt_bytes_take(workspace, bytes);
        ck_assert_uint_eq(bytes.len, len);
        ck_assert_mem_eq(taken, fresh, len);
        ck_assert_ptr_null(nt_bytes_take(workspace, bytes)); /* only once */
        ck_assert_int_eq(nt_encode(workspace, &spec, &tile, &bytes), NT_OK);
        ck_assert_mem_eq(bytes.data, fresh, len);
        free(taken);
        free(fresh);
    }
    ck_assert_ptr_null(nt_bytes_take(workspace, (struct nt_bytes){foreign, 1}));
    nt_workspace_free(workspace);
}
END_TEST

START_TEST(trimming_gives_back_what_large_tiles_took)
{
    struct nt_workspace *workspace = nt_workspace_new();
    struct nt_tile tile;
    struct nt_spec spec;
    size_t kept = 0;

    parse_ok("0/0/0@2x?size=1024", &tile, &spec);
    ck_assert_int_eq(nt_fill(workspace, &spec, &tile), NT_OK);
    nt_workspace_trim(workspace);
    for (int use = 0; use < NT_USES; use++)
        kept += workspace->buffer[use].cap;
    ck_assert_uint_le(kept, 9 << 20);
    nt_workspace_free(workspace);
}
END_TEST

Suite *encode_suite(void)
{
    Suite *suite = suite_create("encode");
    TCase *tc = tcase_create("encode");

    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, a_decoded_png_is_the_quantised_samples);
    tcase_add_test(tc, n47_sixteen_bits_do_not_terrace);
    tcase_add_test(tc, n13_out_of_range_is_clamped_never_wrapped);
    tcase_add_test(tc, n13_smooth_noise_has_no_jumps);
    tcase_add_test(tc, json_holds_the_place_the_samples_and_the_parameters);
    tcase_add_test(tc, bin_is_little_endian_floats);
    tcase_add_test(tc, npy_is_bin_behind_numpys_header);
    tcase_add_test(tc, r16_is_little_endian_quantised_samples);
    tcase_add_test(tc, gzip_gives_the_bytes_back);
    tcase_add_test(tc, a_used_workspace_gives_what_a_new_one_gives);
    tcase_add_test(tc, a_warm_workspace_allocates_nothing);
    tcase_add_test(tc, trimming_gives_back_what_large_tiles_took);
    tcase_add_test(tc, taken_bytes_are_whole_and_the_workspace_goes_on);
    suite_add_tcase(suite, tc);
    return suite;
}
