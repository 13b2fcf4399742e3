/*
 * Parameters as a client sends them: what each refuses, and that the answer names it and what is
 * allowed. Paths, methods and sizes are in test_http.c; the table itself in tests/unit/test_spec.c.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/noisetile.h"
#include "tests/e2e/checks.h"
#include "tests/suites.h"

enum { URL_CAP = 16384 };

/* ---- Queries --------------------------------------------------------------------------------- */

START_TEST(a_query_is_pairs_with_one_ampersand_between_them)
{
    static const char *const bad[] = {
        "&",       "seed=1&", "&seed=1",          "seed=1&&octaves=2", "seed",    "seed&size=1",
        "=1",      "=",       "seed=1;octaves=2", "?seed=1",           "seed=1?", "seed=1&octaves",
        "seed==1", "seed=1=", "seed=1,size=1",
    };
    char url[128];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(url, sizeof url, "/tile/0/0/0.png?%s", bad[i]);
        check_refused(url, 400, NULL);
    }
    check_equal("/tile/0/0/0.png?", "/tile/0/0/0.png");
}
END_TEST

START_TEST(a_parameter_is_known_and_given_once)
{
    static const struct {
        const char *query, *parameter;
    } bad[] = {
        {"_=123", "_"},
        {"junk=3&seed=1", "junk"},
        {"seed=1&junk=3", "junk"},
        {"Seed=1", "Seed"},
        {"s%65ed=1", "s%65ed"},
        {"seed%00=1", "seed%00"},
        {"<script>=1", "<script>"},
        {"seed=1&seed=1", "seed"},
        {"seed=1&size=4&seed=2", "seed"},
        {"persistence=0.5&gain=0.5", "persistence"},
        {"gain=0.5&persistence=0.5", "persistence"},
    };
    char url[128];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(url, sizeof url, "/tile/0/0/0.png?%s", bad[i].query);
        check_refused(url, 400, bad[i].parameter);
    }
}
END_TEST

START_TEST(seeds_are_canonical_signed_64_bit_integers)
{
    static const char *const good[] = {"0",   "-5",  "9223372036854775807", "-9223372036854775808",
                                       "%31", "%2d5"};
    static const char *const bad[] = {"+5",
                                      "%2B5",
                                      "01",
                                      "-0",
                                      "9223372036854775808",
                                      "1.0",
                                      "1e3",
                                      "-",
                                      "18446744073709551616",
                                      "abc",
                                      "%",
                                      "%4",
                                      "%zz",
                                      "%00",
                                      "1%00",
                                      "%0"};
    char url[128];

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(url, sizeof url, "/tile/0/0/0.png?size=1&seed=%s", good[i]);
        check_accepted(url);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(url, sizeof url, "/tile/0/0/0.png?size=1&seed=%s", bad[i]);
        check_refused(url, 400, "seed");
    }
    check_equal("/tile/0/0/0.png?seed=%2D5", "/tile/0/0/0.png?seed=-5");
}
END_TEST

/* Values that no parameter takes, whatever its type. */
static const char *const never_values[] = {
    "",          "NaN",          "nan",          "inf",          "-inf", "Infinity",
    "1e400",     "-1e400",       "1e-400",       "0x10",         "1,5",  "%201",
    "1%20",      "1;",           "+5",           "%F0%9F%98%80", "%00",  "1%00",
    "%FF",       "--1",          "1e",           ".5",           "5.",   "01",
    "-",         "true",         "[]",           "perlin%00x",   "%",    "%2",
    "1%27;drop", "%3Cscript%3E", "%22%5C%0D%0A", "9e99",
};

static const char *text_in(const cJSON *parameter, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parameter, key));
}

static const char *name_of(const cJSON *parameter)
{
    return text_in(parameter, "name");
}

/* A path whose query may have the parameter. */
static const char *path_of(const cJSON *parameter)
{
    return strcmp(text_in(parameter, "group"), "sample") == 0 ? "/sample" : "/tile/0/0/0.json";
}

static void check_value(const cJSON *parameter, const char *value)
{
    char *url = malloc(URL_CAP);

    snprintf(url, URL_CAP, "%s?%s=%s", path_of(parameter), name_of(parameter), value);
    check_refused(url, 400, name_of(parameter));
    free(url);
}

static cJSON *parameter_table(void)
{
    struct answer answer = get(&served, "/params");
    cJSON *document = json_of(&answer);
    cJSON *params = cJSON_DetachItemFromObjectCaseSensitive(document, "params");

    ck_assert_uint_eq((size_t)cJSON_GetArraySize(params), nt_param_count());
    cJSON_Delete(document);
    answer_free(&answer);
    return params;
}

START_TEST(every_parameter_refuses_every_malformed_value_by_name)
{
    cJSON *params = parameter_table(), *parameter;
    char digits[5001];

    memset(digits, '7', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    cJSON_ArrayForEach(parameter, params)
    {
        bool is_pair = strcmp(text_in(parameter, "type"), "numbers") == 0;

        for (size_t i = 0; i < sizeof never_values / sizeof *never_values; i++)
            if (!is_pair || strcmp(never_values[i], "1,5") != 0)
                check_value(parameter, never_values[i]);
        check_value(parameter, digits);
    }
    cJSON_Delete(params);
}
END_TEST

START_TEST(every_parameter_is_refused_by_name_without_a_value_or_twice)
{
    cJSON *params = parameter_table(), *parameter;
    char url[256];

    cJSON_ArrayForEach(parameter, params)
    {
        const char *name = name_of(parameter);
        cJSON *start = cJSON_GetObjectItemCaseSensitive(parameter, "default");
        char *text = cJSON_IsString(start) ? strdup(start->valuestring)
                     : cJSON_IsNull(start) ? strdup("1")
                                           : cJSON_PrintUnformatted(start);

        snprintf(url, sizeof url, "%s?%s", path_of(parameter), name);
        check_refused(url, 400, name);
        snprintf(url, sizeof url, "%s?%s=%s&%s=%s", path_of(parameter), name, text, name, text);
        check_refused(url, 400, name);
        free(text);
    }
    cJSON_Delete(params);
}
END_TEST

START_TEST(a_number_out_of_range_is_refused_with_the_range)
{
    static const struct {
        const char *query, *parameter;
        double min, max;
    } bad[] = {
        {"octaves=0", "octaves", 1, 32},
        {"octaves=33", "octaves", 1, 32},
        {"octaves=500", "octaves", 1, 32},
        {"octaves=-1", "octaves", 1, 32},
        {"octaves=2147483648", "octaves", 1, 32},
        {"octaves=99999999999999999999999", "octaves", 1, 32},
        {"frequency=0", "frequency", 0, 1048576},
        {"frequency=-1", "frequency", 0, 1048576},
        {"frequency=1048577", "frequency", 0, 1048576},
        {"lacunarity=0.99", "lacunarity", 1, 8},
        {"lacunarity=1e308&gain=1e308", "lacunarity", 1, 8},
        {"gain=1e308", "persistence", -1, 2},
        {"persistence=-1.01", "persistence", -1, 2},
        {"amplitude=-1", "amplitude", 0, 1000000},
        {"amplitude=1000001", "amplitude", 0, 1000000},
        {"size=0", "size", 1, 1024},
        {"size=1025", "size", 1, 1024},
        {"buffer=17", "buffer", 0, 16},
        {"buffer=-1", "buffer", 0, 16},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct answer answer = get(&served, "/tile/0/0/0.png?%s", bad[i].query);
        cJSON *problem;

        check_problem(&answer, 400, bad[i].parameter, bad[i].query);
        problem = json_of(&answer);
        ck_assert_double_eq(cJSON_GetObjectItem(problem, "min")->valuedouble, bad[i].min);
        ck_assert_double_eq(cJSON_GetObjectItem(problem, "max")->valuedouble, bad[i].max);
        cJSON_Delete(problem);
        answer_free(&answer);
    }
}
END_TEST

START_TEST(an_unknown_name_of_a_choice_is_refused_with_the_names)
{
    static const char *const kinds[] = {"perlin", "value", NULL};
    struct answer answer = get(&served, "/tile/0/0/0.png?noise=nope");

    check_problem(&answer, 400, "noise", "noise=nope");
    check_allowed(&answer, kinds);
    answer_free(&answer);
    check_refused("/tile/0/0/0.png?noise=Perlin", 400, "noise");
    check_refused("/tile/0/0/0.png?noise=perlin%00x", 400, "noise");
    check_refused("/tile/0/0/0.png?bits=08", 400, "bits");
    check_refused("/tile/0/0/0.png?bits=12", 400, "bits");
}
END_TEST

START_TEST(a_noise_parameter_without_use_is_refused_naming_both)
{
    static const char *const names[] = {"octaves", "lacunarity", "persistence"};
    char url[128];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct answer answer;

        snprintf(url, sizeof url, "/tile/0/0/0.png?fractal=none&%s=1", names[i]);
        answer = request(&served, NULL, url, NULL);
        check_problem(&answer, 400, names[i], url);
        ck_assert_ptr_nonnull(strstr((const char *)answer.body, "fractal=none"));
        answer_free(&answer);
    }
    check_refused("/tile/0/0/0.png?octaves=5&fractal=none", 400, "octaves");
}
END_TEST

START_TEST(a_picture_parameter_without_use_is_checked_then_reset)
{
    check_equal("/tile/0/0/0.json?size=4&bits=16", "/tile/0/0/0.json?size=4");
    check_equal("/tile/0/0/0.bin?size=4&min=5&max=6", "/tile/0/0/0.bin?size=4");
    check_equal("/tile/0/0/0.json?size=4&style=gray", "/tile/0/0/0.json?size=4");
    check_refused("/tile/0/0/0.json?bits=17", 400, "bits");
    check_refused("/tile/0/0/0.bin?style=nope", 400, "style");
    check_refused("/tile/0/0/0.bin?min=1&max=x", 400, "max");
}
END_TEST

START_TEST(min_is_below_max)
{
    check_refused("/tile/0/0/0.png?min=1", 400, "min");
    check_refused("/tile/0/0/0.png?max=-1", 400, "min");
    check_refused("/tile/0/0/0.png?min=2&max=1", 400, "min");
    check_accepted("/tile/0/0/0.png?size=1&min=0.5&max=0.75");
}
END_TEST

START_TEST(size_times_scale_has_a_limit_that_the_answer_tells)
{
    struct answer answer = get(&served, "/tile/0/0/0@4x.png?size=1024");
    cJSON *problem;

    check_problem(&answer, 400, "size", "4096 pixels");
    problem = json_of(&answer);
    ck_assert_int_eq(cJSON_GetObjectItem(problem, "max")->valueint, 512);
    cJSON_Delete(problem);
    answer_free(&answer);
    check_accepted("/tile/0/0/0@4x.png?size=512&octaves=1");
}
END_TEST

START_TEST(another_engine_version_is_404_and_the_current_one_is_named)
{
    static const char *const others[] = {"0", "2", "2147483647"};
    static const char *const current[] = {"1", NULL};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct answer answer = get(&served, "/tile/0/0/0.png?v=%s", others[i]);

        check_problem(&answer, 404, "v", others[i]);
        check_allowed(&answer, current);
        answer_free(&answer);
    }
    check_accepted("/tile/0/0/0.png?size=1&v=1");
    check_refused("/tile/0/0/0.png?v=01", 400, "v");
    check_refused("/tile/0/0/0.png?v=1-deadbeef", 400, "v");
}
END_TEST

START_TEST(pages_and_probes_ignore_queries_and_documents_refuse_them)
{
    static const char *const ignoring[] = {"/", "/health/live", "/health/ready"};
    static const char *const refusing[] = {"/params", "/verify", "/favicon.ico", "/robots.txt"};
    char url[64];

    for (size_t i = 0; i < sizeof ignoring / sizeof *ignoring; i++) {
        snprintf(url, sizeof url, "%s?_=1&&%%zz=", ignoring[i]);
        check_accepted(url);
    }
    for (size_t i = 0; i < sizeof refusing / sizeof *refusing; i++) {
        snprintf(url, sizeof url, "%s?_=1", refusing[i]);
        check_refused(url, 400, NULL);
        snprintf(url, sizeof url, "%s?", refusing[i]);
        check_accepted(url);
    }
}
END_TEST

/* ---- Hostile text in answers ----------------------------------------------------------------- */

START_TEST(whatever_was_sent_the_problem_is_strict_json_without_markup)
{
    static const char *const sent[] = {
        "/tile/0/0/0.png?seed=%3Cscript%3Ealert(1)%3C/script%3E",
        "/tile/0/0/0.png?seed=<script>",
        "/tile/0/0/0.png?seed=\"><img/src=x>",
        "/tile/0/0/0.png?seed=%22%2C%22a%22%3A%22",
        "/tile/0/0/0.png?seed=%5C",
        "/tile/0/0/0.png?seed=%0d%0aSet-Cookie:%20a=b",
        "/tile/0/0/0.png?seed=%ff%fe%c0%80%ed%a0%80%f5%80%80%80",
        "/tile/0/0/0.png?seed=%e2%80%a8%e2%82%ac%f0%9f%98%80",
        "/tile/0/0/0.png?seed=%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac"
        "%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82"
        "%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac%e2%82%ac",
        "/tile/0/0/0.png?seed=%01%02%1f%7f%c2%80%c2%9f",
        "/tile/0/0/0.png?seed=%25n%25s%25d",
        "/tile/0/0/%s%n%d.png",
        "/tile/0/\"\\/0.png",
        "/tile/0/0/0.\"<b>",
        "/\x80\x81<>\"'&\\",
    };

    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        struct answer answer = request(&served, NULL, sent[i], NULL);

        ck_assert_msg(answer.status == 400 || answer.status == 404, "%s: %ld", sent[i],
                      answer.status);
        check_problem(&answer, (int)answer.status, NULL, sent[i]);
        check_header(&answer, "Set-Cookie", NULL);
        answer_free(&answer);
    }
}
END_TEST

START_TEST(a_refused_value_is_told_as_it_was_sent)
{
    struct answer answer = get(&served, "/tile/0/0/0.png?seed=%%3Ca%%22%%E2%%82%%AC");
    cJSON *problem = json_of(&answer);

    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(problem, "value")),
                     "<a\"\xe2\x82\xac");
    cJSON_Delete(problem);
    answer_free(&answer);
}
END_TEST

Suite *queries_suite(void)
{
    Suite *suite = suite_create("queries");
    TCase *tcase = served_group("queries");

    tcase_add_test(tcase, a_query_is_pairs_with_one_ampersand_between_them);
    tcase_add_test(tcase, a_parameter_is_known_and_given_once);
    tcase_add_test(tcase, seeds_are_canonical_signed_64_bit_integers);
    tcase_add_test(tcase, every_parameter_refuses_every_malformed_value_by_name);
    tcase_add_test(tcase, every_parameter_is_refused_by_name_without_a_value_or_twice);
    tcase_add_test(tcase, a_number_out_of_range_is_refused_with_the_range);
    tcase_add_test(tcase, an_unknown_name_of_a_choice_is_refused_with_the_names);
    tcase_add_test(tcase, a_noise_parameter_without_use_is_refused_naming_both);
    tcase_add_test(tcase, a_picture_parameter_without_use_is_checked_then_reset);
    tcase_add_test(tcase, min_is_below_max);
    tcase_add_test(tcase, size_times_scale_has_a_limit_that_the_answer_tells);
    tcase_add_test(tcase, another_engine_version_is_404_and_the_current_one_is_named);
    tcase_add_test(tcase, pages_and_probes_ignore_queries_and_documents_refuse_them);
    tcase_add_test(tcase, whatever_was_sent_the_problem_is_strict_json_without_markup);
    tcase_add_test(tcase, a_refused_value_is_told_as_it_was_sent);
    suite_add_tcase(suite, tcase);
    return suite;
}
