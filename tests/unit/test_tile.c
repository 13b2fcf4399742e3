/* Places as text: paths, the grid, canonical URLs. */
#include <stdio.h>
#include <string.h>

#include "tests/suites.h"
#include "tests/support/tiles.h"

static const char *canonical_url(const char *url)
{
    static char text[NT_URL_MAX];
    struct nt_tile tile;
    struct nt_spec spec;

    parse_ok(url, &tile, &spec);
    nt_tile_url(&tile, &spec, true, text, sizeof text);
    return text;
}

START_TEST(every_spelling_of_a_tile_has_one_url)
{
    ck_assert_str_eq(canonical_url("0/0/0"), "/tile/0/0/0.png");
    ck_assert_str_eq(canonical_url("0/0/0.png?"), "/tile/0/0/0.png");
    ck_assert_str_eq(canonical_url("3/7/0?format=json"), "/tile/3/7/0.json");
    ck_assert_str_eq(canonical_url("3/7/0.json?format=json"), "/tile/3/7/0.json");
    ck_assert_str_eq(canonical_url("3/7/0@2x?seed=3&noise=value"),
                     "/tile/3/7/0@2x.png?noise=value&seed=3");
    ck_assert_str_eq(canonical_url("3/7/0@1x.bin"), "/tile/3/7/0.bin");
    ck_assert_str_eq(canonical_url("2/-5/2147483647.npy?domain=plane"),
                     "/tile/2/-5/2147483647.npy?domain=plane");
}
END_TEST

START_TEST(a_number_in_a_path_has_one_spelling)
{
    static const char *const bad[] = {"1abc", "1.5", "1e0",  "0x1", "+1",  "-0",  "01",
                                      "%31",  "１",  "%2b1", " 1",  "--1", "1e1", "-"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char url[64];
        for (int place = 0; place < 3; place++) {
            snprintf(url, sizeof url, "%s/%s/%s", place == 0 ? bad[i] : "1",
                     place == 1 ? bad[i] : "1", place == 2 ? bad[i] : "1");
            struct nt_error err = parse_bad(url);
            ck_assert_msg(err.status == NT_BAD_PARAMETER, "%s: %s", url, err.detail);
            ck_assert(strlen(err.parameter) == 1 && strchr("zxy", err.parameter[0]));
        }
    }
}
END_TEST

START_TEST(a_place_outside_the_grid_names_the_legal_range)
{
    for (int z = 0; z <= NT_MAX_ZOOM; z++) {
        char url[96], last[32];
        snprintf(last, sizeof last, "%lld", (1LL << z) - 1);
        for (int side = 0; side < 4; side++) {
            long long out = side % 2 ? 1LL << z : -1;
            snprintf(url, sizeof url, "%d/%lld/%lld.png", z, side < 2 ? out : 0,
                     side < 2 ? 0 : out);
            struct nt_error err = parse_bad(url);
            ck_assert_int_eq(err.status, NT_OUTSIDE_GRID);
            ck_assert_str_eq(err.parameter, side < 2 ? "x" : "y");
            ck_assert_str_eq(err.min, "0");
            ck_assert_str_eq(err.max, last);
        }
        struct nt_tile tile;
        struct nt_spec spec;
        snprintf(url, sizeof url, "%d/%s/%s.png", z, last, last);
        parse_ok(url, &tile, &spec);
    }
}
END_TEST

START_TEST(a_zoom_beyond_the_pyramid_is_outside_the_grid)
{
    static const char *const zooms[] = {"31",  "32",  "33",         "63", "64",
                                        "255", "256", "4294967296", "-1", "99999999999999999999"};

    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++) {
        char url[64];
        snprintf(url, sizeof url, "%s/0/0", zooms[i]);
        struct nt_error err = parse_bad(url);
        ck_assert_int_eq(err.status, NT_OUTSIDE_GRID);
        ck_assert_str_eq(err.parameter, "z");
        ck_assert_str_eq(err.value, zooms[i]);
        ck_assert_str_eq(err.max, "30");
    }
}
END_TEST

START_TEST(plane_and_torus_take_any_32_bit_column)
{
    struct nt_tile tile;
    struct nt_spec spec;

    parse_ok("2/-1/0?domain=plane", &tile, &spec);
    parse_ok("0/-2147483648/2147483647?domain=torus", &tile, &spec);
    ck_assert_int_eq(parse_bad("2/-1/0").status, NT_OUTSIDE_GRID);
    ck_assert_int_eq(parse_bad("0/2147483648/0?domain=plane").status, NT_OUTSIDE_GRID);
    ck_assert_str_eq(parse_bad("0/0/-2147483649?domain=torus").min, "-2147483648");
}
END_TEST

START_TEST(a_frequency_too_high_for_so_far_out_is_refused)
{
    struct nt_tile tile;
    struct nt_spec spec;

    ck_assert_str_eq(parse_bad("0/2147483647/0?domain=plane&frequency=1000&lod=off").parameter,
                     "frequency");
    parse_ok("0/2147483647/0?domain=plane&frequency=16&lod=off", &tile, &spec);
    parse_ok("0/2147483647/0?domain=torus&frequency=1000&lod=off", &tile, &spec);
}
END_TEST

START_TEST(syntax_is_judged_before_the_grid)
{
    ck_assert_int_eq(parse_bad("0/9/9?seed=x").status, NT_BAD_PARAMETER);
    ck_assert_int_eq(parse_bad("0/9/9?seed=1").status, NT_OUTSIDE_GRID);
}
END_TEST

START_TEST(extensions_are_known_or_refused)
{
    static const char *const unknown[] = {"0/0/0.jpg", "0/0/0.PNG",     "0/0/0.png.png",
                                          "0/0/0.",    "0/0/0@2x.tiff", "0/0/0.png/"};

    for (size_t i = 0; i < 5; i++) {
        struct nt_error err = parse_bad(unknown[i]);
        ck_assert_int_eq(err.status, NT_UNKNOWN_FORMAT);
        ck_assert(strstr(err.detail, "png json bin npy r16"));
    }
    ck_assert_int_eq(parse_bad("0/0/0.5").status, NT_BAD_PARAMETER);
    ck_assert_int_eq(parse_bad("0/0/0.png?format=json").status, NT_BAD_PARAMETER);
}
END_TEST

START_TEST(scales_are_one_to_four)
{
    static const char *const bad[] = {"@0x", "@5x", "@02x",  "@2",   "@x",
                                      "@",   "@2X", "@2x2x", "@-1x", "@2x@2x"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char url[64];
        snprintf(url, sizeof url, "0/0/0%s.png", bad[i]);
        ck_assert_msg(parse_bad(url).status == NT_BAD_PARAMETER, "%s", url);
    }
}
END_TEST

START_TEST(other_shapes_are_no_tile_path)
{
    static const char *const bad[] = {"",     "0",    "0/0",    "0/0/0/0", "0//0",
                                      "/0/0", "0/0/", "0/0/0/", "/0/0/0"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(parse_bad(bad[i]).status == NT_UNKNOWN_PATH, "%s", bad[i]);
}
END_TEST

START_TEST(hostile_paths_never_crash)
{
    uint64_t state = 9;
    static const char alphabet[] = "0123456789//@x.pngjson-+%\xff";

    for (int i = 0; i < 300000; i++) {
        char path[48];
        struct nt_tile tile;
        struct nt_spec spec;
        struct nt_error err;
        bool has_format;
        size_t len = random_below(&state, sizeof path);
        for (size_t k = 0; k < len; k++)
            path[k] = alphabet[random_below(&state, sizeof alphabet - 1)];
        nt_spec_init(&spec, NT_FOR_TILE);
        if (nt_tile_parse(&tile, &spec, &has_format, path, len, &err))
            ck_assert(err.detail[0]);
    }
}
END_TEST

Suite *tile_suite(void)
{
    Suite *suite = suite_create("tile");
    TCase *tc = tcase_create("tile");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, every_spelling_of_a_tile_has_one_url);
    tcase_add_test(tc, a_number_in_a_path_has_one_spelling);
    tcase_add_test(tc, a_place_outside_the_grid_names_the_legal_range);
    tcase_add_test(tc, a_zoom_beyond_the_pyramid_is_outside_the_grid);
    tcase_add_test(tc, plane_and_torus_take_any_32_bit_column);
    tcase_add_test(tc, a_frequency_too_high_for_so_far_out_is_refused);
    tcase_add_test(tc, syntax_is_judged_before_the_grid);
    tcase_add_test(tc, extensions_are_known_or_refused);
    tcase_add_test(tc, scales_are_one_to_four);
    tcase_add_test(tc, other_shapes_are_no_tile_path);
    tcase_add_test(tc, hostile_paths_never_crash);
    suite_add_tcase(suite, tc);
    return suite;
}
