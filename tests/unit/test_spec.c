/* The parameter table: what is accepted, what is refused and how, and the canonical text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

static const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};

/* A query's canonical text, in a static buffer; "" and the error's words if it is refused. */
static const char *canonical_for(enum nt_purpose purpose, const char *query)
{
    static char text[NT_TEXT_MAX];
    struct nt_spec spec;
    struct nt_error err;

    nt_spec_init(&spec, purpose);
    if (nt_spec_parse_query(&spec, query, strlen(query), &err) ||
        nt_spec_check(&spec, &limits, &err)) {
        snprintf(text, sizeof text, "refused: %s", err.detail);
        return text;
    }
    nt_spec_text(&spec, text, sizeof text);
    return text;
}

static const char *canonical(const char *query)
{
    return canonical_for(NT_FOR_TILE, query);
}

static bool is_refused(const char *text)
{
    return strncmp(text, "refused", 7) == 0;
}

/* What a row is used for, and what must be set so that it is of use. */
static enum nt_purpose purpose_of(const struct nt_param_info *info)
{
    return info->group == NT_GROUP_SAMPLE ? NT_FOR_SAMPLE : NT_FOR_TILE;
}

static const char *company_of(const char *name)
{
    static const char *const company[][2] = {
        {"warp_octaves", "warp=1&"},   {"t_period", "t=1&"},     {"cell", "noise=cellular&"},
        {"jitter", "noise=cellular&"}, {"ramp", "style=color&"}, {"elevation", "style=mapbox&"},
    };

    for (size_t i = 0; i < sizeof company / sizeof *company; i++)
        if (strcmp(name, company[i][0]) == 0)
            return company[i][1];
    return "";
}

static struct nt_error refused_for(enum nt_purpose purpose, const char *query)
{
    struct nt_spec spec;
    struct nt_error err;

    nt_spec_init(&spec, purpose);
    ck_assert_msg(nt_spec_parse_query(&spec, query, strlen(query), &err) ||
                      nt_spec_check(&spec, &limits, &err),
                  "%s was accepted", query);
    return err;
}

static struct nt_error refused(const char *query)
{
    char url[8192];

    snprintf(url, sizeof url, "0/0/0?%s", query);
    return parse_bad(url);
}

START_TEST(order_aliases_and_defaults_do_not_matter)
{
    ck_assert_str_eq(canonical(""), "");
    ck_assert_str_eq(canonical("noise=perlin&octaves=5&frequency=8.0&size=256"), "");
    ck_assert_str_eq(canonical("frequency=4&seed=3"), "seed=3&frequency=4");
    ck_assert_str_eq(canonical("seed=3&frequency=4e0"), "seed=3&frequency=4");
    ck_assert_str_eq(canonical("gain=0.25"), "persistence=0.25");
    ck_assert_str_eq(canonical("min=-0&max=1e-7"), "min=0&max=1e-7");
    ck_assert_str_eq(canonical("amplitude=%32%30"), "amplitude=20");
    ck_assert_str_eq(canonical("seed=-9223372036854775808"), "seed=-9223372036854775808");
    ck_assert_str_eq(canonical("seed=9007199254740993"), "seed=9007199254740993");
    ck_assert_str_eq(canonical("max=1e+2"), "max=100"); /* a plus is a plus */
}
END_TEST

START_TEST(canonical_text_is_its_own_canonical_text)
{
    uint64_t state = 11;

    for (int i = 0; i < 20000; i++) {
        char query[256], once[NT_TEXT_MAX];
        snprintf(query, sizeof query, "persistence=%.*g&frequency=%.*g&seed=%d&bits=%s",
                 (int)random_below(&state, 17) + 1, random_unit(&state),
                 (int)random_below(&state, 17) + 1, random_unit(&state) * 1000 + 1e-9,
                 (int)random_u32(&state), random_below(&state, 2) ? "8" : "16");
        snprintf(once, sizeof once, "%s", canonical(query));
        ck_assert_msg(strncmp(once, "refused", 7) != 0, "%s: %s", query, once);
        ck_assert_str_eq(canonical(once), once);
    }
}
END_TEST

/* Values of a row that are none of its defaults, one space between them. */
static void some_values(const struct nt_param_info *info, char *values, size_t cap)
{
    static const char *const by_type[] = {
        [NT_INTEGER] = "1 2 3 4 6 7 8",
        [NT_REAL] = "0.125 0.25 0.75 0.3",
        [NT_CHOICE] = "",
        [NT_PAIR] = "-4000,4001 4000,-4000 0,1 -0.5,0.5",
        [NT_RAMP] = ("magma gray 0:000000,1:ffffff 0:000000,1:fffffe 0:000000,1:fffffffe "
                     "0:000000,0.5:000000,1:ffffff 0.25:000000,1:ffffff"),
    };
    bool above_one = strcmp(info->name, "lacunarity") == 0;

    snprintf(values, cap, "%s",
             info->type == NT_CHOICE ? info->allowed
             : above_one             ? "1.25 1.5 1.75"
                                     : by_type[info->type]);
}

START_TEST(distinct_specifications_never_share_a_text)
{
    /* Every row, at every value of a choice or at several numbers, alone: all texts differ. */
    static char seen[512][NT_TEXT_MAX];
    size_t count = 0;

    for (size_t i = 0; i < nt_param_count(); i++) {
        struct nt_param_info info;
        char values[512], *rest;
        nt_param_describe(i, &info);
        if (info.group == NT_GROUP_REQUEST)
            continue;
        some_values(&info, values, sizeof values);
        for (char *value = strtok_r(values, " ", &rest); value;
             value = strtok_r(NULL, " ", &rest)) {
            char query[600];
            snprintf(query, sizeof query, "%s%s=%s", company_of(info.name), info.name, value);
            const char *text = canonical_for(purpose_of(&info), query);
            if (strcmp(value, info.default_text) == 0)
                continue;
            ck_assert_msg(strcmp(text, query) == 0, "%s became %s", query, text);
            for (size_t k = 0; k < count; k++)
                ck_assert_str_ne(seen[k], text);
            ck_assert_uint_lt(count, 512);
            snprintf(seen[count++], sizeof seen[0], "%s", text);
        }
    }
    ck_assert_uint_gt(count, 100);
}
END_TEST

START_TEST(defaults_are_left_out)
{
    for (size_t i = 0; i < nt_param_count(); i++) {
        struct nt_param_info info;
        char query[600], company[64];
        nt_param_describe(i, &info);
        if (!info.default_text[0] || info.group == NT_GROUP_REQUEST)
            continue;
        snprintf(company, sizeof company, "%s", company_of(info.name));
        snprintf(query, sizeof query, "%s%s=%s", company, info.name, info.default_text);
        if (company[0])
            company[strlen(company) - 1] = '\0';
        ck_assert_str_eq(canonical_for(purpose_of(&info), query), company);
    }
}
END_TEST

START_TEST(what_means_the_same_has_one_text)
{
    static const char *const same[][3] = {
        {"t=0", "t=-0", "t=0"},
        {"noise=inoise8", "noise=inoise8&min=0&max=255", "noise=inoise8"},
        {"noise=inoise16&min=-1", "min=-1&noise=inoise16&max=65535", "noise=inoise16&min=-1"},
        {"noise=inoise16-3.0&max=255", "noise=inoise16-3.0&min=0&max=255",
         "noise=inoise16-3.0&max=255"},
        {"noise=inoise8&max=1", "noise=inoise8&max=1&t_period=0", NULL},
        {"noise=simplex-rombauts", "domain=plane&noise=simplex-rombauts&lod=off",
         "noise=simplex-rombauts"},
        {"style=mapbox&elevation=-4000,4000", "elevation=-4e3,4.0e3&style=mapbox", "style=mapbox"},
        {"style=gray&ramp=magma", "elevation=0,1&bits=8", ""},
        {"warp=0", "warp=0.0", ""},
        {"jitter=1&noise=cellular&cell=f1", "noise=cellular", "noise=cellular"},
    };

    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (!same[i][2]) {
            ck_assert(is_refused(canonical(same[i][1])));
            continue;
        }
        ck_assert_str_eq(canonical(same[i][0]), same[i][2]);
        ck_assert_str_eq(canonical(same[i][1]), same[i][2]);
    }
    /* t=0 is a slice, none is not: they differ, and 0 is kept. */
    ck_assert_str_eq(canonical("t=0"), "t=0");
    ck_assert_str_eq(canonical(""), "");
}
END_TEST

START_TEST(every_row_refuses_what_is_no_value_and_says_so)
{
    static const char *const bad[] = {"",     "NaN", "inf",  "-inf", "1e400",        "1e-400",
                                      "0x10", "1,5", "%201", "1;",   "%F0%9F%98%80", "+5",
                                      "%00",  "%",   "%4",   "%zz",  "1%001"};
    char digits[5200];

    memset(digits, '9', 5000);
    digits[5000] = '\0';
    for (size_t i = 0; i < nt_param_count(); i++) {
        struct nt_param_info info;
        nt_param_describe(i, &info);
        for (size_t k = 0; k <= sizeof bad / sizeof *bad; k++) {
            char query[5300];
            snprintf(query, sizeof query, "%s=%s", info.name,
                     k < sizeof bad / sizeof *bad ? bad[k] : digits);
            if (info.type == NT_PAIR && strcmp(query, "elevation=1,5") == 0)
                continue; /* is one */
            struct nt_error err = refused_for(purpose_of(&info), query);
            bool has_names = info.type == NT_CHOICE || info.type == NT_RAMP;
            ck_assert_int_eq(err.status, NT_BAD_PARAMETER);
            ck_assert_msg(strcmp(err.parameter, info.name) == 0, "%s names %s", query,
                          err.parameter);
            ck_assert_msg(has_names ? err.allowed[0] : err.min[0] && err.max[0], "%s", query);
            ck_assert(strstr(err.detail, info.name));
        }
    }
}
END_TEST

/* A number, or for a pair two that differ. */
static void end_query(const struct nt_param_info *info, const char *end, char *query, size_t cap)
{
    bool is_min = strcmp(info->name, "min") == 0;

    snprintf(query, cap, "%s%s=%s%s%s", company_of(info->name), info->name, end,
             info->type == NT_PAIR ? ",0" : "", is_min ? "&max=1e12" : "");
}

START_TEST(both_ends_of_every_range_are_its_own)
{
    for (size_t i = 0; i < nt_param_count(); i++) {
        struct nt_param_info info;
        char query[128];
        nt_param_describe(i, &info);
        bool is_min = strcmp(info.name, "min") == 0, is_max = strcmp(info.name, "max") == 0;
        if (info.type == NT_CHOICE || info.type == NT_RAMP || strcmp(info.name, "v") == 0)
            continue;
        end_query(&info, info.max, query, sizeof query);
        const char *text = canonical_for(purpose_of(&info), query);
        /* min at its very top leaves no room for max */
        ck_assert_msg(is_refused(text) == is_min, "%s: %s", query, text);
        end_query(&info, info.min, query, sizeof query);
        text = canonical_for(purpose_of(&info), query);
        ck_assert_msg(is_refused(text) == (info.min_excluded || is_max), "%s: %s", query, text);
    }
}
END_TEST

START_TEST(beyond_a_range_is_refused_with_the_range)
{
    static const struct {
        const char *query, *parameter, *min, *max;
    } cases[] = {
        {"octaves=0", "octaves", "1", "32"},
        {"octaves=33", "octaves", "1", "32"},
        {"octaves=500", "octaves", "1", "32"}, /* N27 */
        {"octaves=2147483648", "octaves", "1", "32"},
        {"frequency=0", "frequency", "0", "1048576"},
        {"frequency=1048576.1", "frequency", "0", "1048576"},
        {"lacunarity=0.999", "lacunarity", "1", "8"},
        {"lacunarity=1e308", "lacunarity", "1", "8"},
        {"persistence=2.0001", "persistence", "-1", "2"},
        {"gain=1e308", "persistence", "-1", "2"},
        {"amplitude=-1", "amplitude", "0", "1000000"},
        {"size=0", "size", "1", "1024"},
        {"size=1025", "size", "1", "1024"},
        {"buffer=17", "buffer", "0", "16"},
        {"warp=16.5&warp_octaves=1", "warp", "0", "16"},
        {"warp=1&warp_octaves=9", "warp_octaves", "1", "8"},
        {"t=1000000.5", "t", "-1000000", "1000000"},
        {"t=1&t_period=65537", "t_period", "0", "65536"},
        {"noise=cellular&jitter=-0.1", "jitter", "0", "1"},
        {"style=mapbox&elevation=0,1000001", "elevation", "-1000000", "1000000"},
        {"style=mapbox&elevation=5,5", "elevation", "-1000000", "1000000"},
        {"style=mapbox&elevation=5", "elevation", "-1000000", "1000000"},
        {"style=mapbox&elevation=1,2,3", "elevation", "-1000000", "1000000"},
        {"style=mapbox&elevation=,5", "elevation", "-1000000", "1000000"},
        {"style=mapbox&elevation=5,", "elevation", "-1000000", "1000000"},
        {"seed=9223372036854775808", "seed", "-9223372036854775808", "9223372036854775807"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nt_error err = refused(cases[i].query);
        ck_assert_str_eq(err.parameter, cases[i].parameter);
        ck_assert_str_eq(err.min, cases[i].min);
        ck_assert_str_eq(err.max, cases[i].max);
        ck_assert_msg(strstr(cases[i].query, err.value), "%s", err.value);
    }
}
END_TEST

START_TEST(malformed_queries_are_refused)
{
    static const char *const bad[] = {"&",
                                      "seed=1&",
                                      "&seed=1",
                                      "seed=1&&octaves=2",
                                      "seed",
                                      "seed=1&x",
                                      "=1",
                                      "Seed=1",
                                      "seed=1&seed=1",
                                      "gain=.5&persistence=.5",
                                      "_=123",
                                      "noise=perlin ",
                                      "noise=PERLIN",
                                      "%73eed=1",
                                      "seed==1",
                                      "noise=perlin%00x",
                                      "gain=0.5&persistence=0.5"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(refused(bad[i]).status, NT_BAD_PARAMETER);
    ck_assert(strstr(refused("noise=simplexx").detail,
                     "perlin simplex opensimplex2s value cellular white"));
    ck_assert(strstr(refused("sead=1").detail, "seed"));
    ck_assert(strstr(refused("gain=0.5&persistence=0.5").detail, "more than once"));
}
END_TEST

START_TEST(a_noise_parameter_without_use_is_refused_naming_both)
{
    static const struct {
        const char *query, *parameter, *other;
    } cases[] = {
        {"fractal=none&octaves=1", "octaves", "fractal=none"},
        {"fractal=none&lacunarity=1", "lacunarity", "fractal=none"},
        {"fractal=none&persistence=1", "persistence", "fractal=none"},
        {"warp_octaves=2", "warp_octaves", "warp=0"},
        {"warp=0&warp_octaves=1", "warp_octaves", "warp=0"},
        {"t_period=8", "t_period", "without t"},
        {"cell=f2", "cell", "noise=perlin"},
        {"noise=value&jitter=0.5", "jitter", "noise=value"},
        {"noise=white&lod=off", "lod", "noise=white"},
        {"noise=opensimplex2s&domain=plane&t=1&t_period=8", "t_period", "noise=opensimplex2s"},
        {"noise=opensimplex2s&domain=torus", "domain", "noise=opensimplex2s"},
        {"noise=opensimplex2s&t=0", "t", "noise=opensimplex2s"},
        {"noise=inoise8&fractal=ridged", "fractal", "noise=inoise8"},
        {"noise=inoise8&domain=world", "domain", "noise=inoise8"},
        {"noise=simplex-splitmix&lod=auto", "lod", "noise=simplex-splitmix"},
        {"noise=simplex-rombauts&seed=1", "seed", "noise=simplex-rombauts"},
        {"noise=simplex-rombauts&warp=1", "warp", "noise=simplex-rombauts"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nt_error err = refused(cases[i].query);
        ck_assert_int_eq(err.status, NT_BAD_PARAMETER);
        ck_assert_msg(strcmp(err.parameter, cases[i].parameter) == 0, "%s names %s: %s",
                      cases[i].query, err.parameter, err.detail);
        ck_assert_msg(strstr(err.detail, cases[i].other), "%s: %s", cases[i].query, err.detail);
    }
}
END_TEST

START_TEST(a_picture_parameter_without_use_is_checked_then_reset)
{
    ck_assert_str_eq(canonical("format=json&bits=16&size=64"), "size=64");
    ck_assert_str_eq(canonical("format=json&min=0"), "min=0");
    ck_assert_str_eq(canonical("format=bin&min=0&bits=16&style=gray"), "");
    ck_assert_str_eq(canonical("format=r16&min=0&bits=16"), "min=0");
    ck_assert_str_eq(canonical("format=json&style=color&ramp=magma"), "");
    ck_assert_str_eq(canonical("style=terrarium&ramp=magma&bits=16"), "style=terrarium");
    ck_assert_str_eq(canonical("style=color&elevation=0,1&bits=16"), "style=color");
    ck_assert_str_eq(refused("format=json&ramp=nope").parameter, "ramp");
    ck_assert_str_eq(refused("style=gray&elevation=1,1").parameter, "elevation");
    ck_assert_str_eq(refused("format=bin&bits=12").parameter, "bits");
    ck_assert_str_eq(refused("format=bin&min=2").parameter, "min");
}
END_TEST

START_TEST(limits_of_the_instance_name_the_parameter)
{
    ck_assert_str_eq(parse_bad("0/0/0@4x?size=1024").parameter, "size");
    ck_assert_str_eq(parse_bad("0/0/0@4x?size=1024").max, "512");
    struct nt_tile tile;
    struct nt_spec spec;
    parse_ok("0/0/0@2x?size=1024", &tile, &spec);
    ck_assert_int_eq(nt_side(&spec), 2048);
}
END_TEST

START_TEST(min_must_be_below_max)
{
    ck_assert_str_eq(refused("min=1").parameter, "min");
    ck_assert_str_eq(refused("min=3&max=2").parameter, "min");
}
END_TEST

START_TEST(only_the_current_version_can_be_pinned)
{
    struct nt_tile tile;
    struct nt_spec spec;
    char url[NT_URL_MAX], text[64];

    snprintf(text, sizeof text, "0/0/0?v=%d", NT_ENGINE_VERSION);
    parse_ok(text, &tile, &spec);
    nt_tile_url(&tile, &spec, true, url, sizeof url);
    snprintf(text, sizeof text, "/tile/0/0/0.png?v=%d", NT_ENGINE_VERSION);
    ck_assert_str_eq(url, text);
    nt_tile_url(&tile, &spec, false, url, sizeof url);
    ck_assert_str_eq(url, "/tile/0/0/0.png");
    ck_assert_int_eq(parse_bad("0/0/0?v=0").status, NT_UNKNOWN_VERSION);
    ck_assert_int_eq(parse_bad("0/0/0?v=999").status, NT_UNKNOWN_VERSION);
    ck_assert_int_eq(parse_bad("0/0/0?v=-1").status, NT_BAD_PARAMETER);
}
END_TEST

START_TEST(hostile_queries_never_crash)
{
    uint64_t state = 5;
    static const char alphabet[] = "seed=1&%0?+noise.perlin-e9,;\x01\xff\"\\<>";

    for (int i = 0; i < 200000; i++) {
        char query[64];
        struct nt_spec spec;
        struct nt_error err;
        size_t len = random_below(&state, sizeof query);
        for (size_t k = 0; k < len; k++)
            query[k] = alphabet[random_below(&state, sizeof alphabet - 1)];
        nt_spec_init(&spec, i % 2 ? NT_FOR_SAMPLE : NT_FOR_TILE);
        if (nt_spec_parse_query(&spec, query, len, &err) || nt_spec_check(&spec, &limits, &err))
            ck_assert(err.detail[0]);
    }
}
END_TEST

Suite *spec_suite(void)
{
    Suite *suite = suite_create("spec");
    TCase *tc = tcase_create("spec");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, order_aliases_and_defaults_do_not_matter);
    tcase_add_test(tc, canonical_text_is_its_own_canonical_text);
    tcase_add_test(tc, distinct_specifications_never_share_a_text);
    tcase_add_test(tc, defaults_are_left_out);
    tcase_add_test(tc, what_means_the_same_has_one_text);
    tcase_add_test(tc, every_row_refuses_what_is_no_value_and_says_so);
    tcase_add_test(tc, both_ends_of_every_range_are_its_own);
    tcase_add_test(tc, beyond_a_range_is_refused_with_the_range);
    tcase_add_test(tc, malformed_queries_are_refused);
    tcase_add_test(tc, a_noise_parameter_without_use_is_refused_naming_both);
    tcase_add_test(tc, a_picture_parameter_without_use_is_checked_then_reset);
    tcase_add_test(tc, limits_of_the_instance_name_the_parameter);
    tcase_add_test(tc, min_must_be_below_max);
    tcase_add_test(tc, only_the_current_version_can_be_pinned);
    tcase_add_test(tc, hostile_queries_never_crash);
    suite_add_tcase(suite, tc);
    return suite;
}
