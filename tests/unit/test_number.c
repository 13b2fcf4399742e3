/* Numbers as text: strict in, shortest out. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

START_TEST(integers_have_one_spelling)
{
    static const char *const bad[] = {"",   "+1", "01", "-0",  "--1", "-",    "0x1", "1e0", " 1",
                                      "1 ", "1.", "1a", "1,5", "１",  "\xff", "00",  "-01"};
    static const struct {
        const char *text;
        enum nt_number result;
        int64_t value;
    } good[] = {
        {"0", NT_NUMBER_OK, 0},
        {"-1", NT_NUMBER_OK, -1},
        {"9223372036854775807", NT_NUMBER_OK, INT64_MAX},
        {"-9223372036854775808", NT_NUMBER_OK, INT64_MIN},
        {"9223372036854775808", NT_NUMBER_TOO_LARGE, INT64_MAX},
        {"-9223372036854775809", NT_NUMBER_TOO_LARGE, INT64_MIN},
        {"99999999999999999999999999", NT_NUMBER_TOO_LARGE, INT64_MAX},
    };
    int64_t value;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(nt_integer_parse(bad[i], strlen(bad[i]), &value) == NT_NUMBER_MALFORMED,
                      "'%s'", bad[i]);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_int_eq(nt_integer_parse(good[i].text, strlen(good[i].text), &value),
                         good[i].result);
        ck_assert_int_eq(value, good[i].value);
    }
}
END_TEST

START_TEST(reals_follow_the_grammar_of_json)
{
    static const char *const bad[] = {"",
                                      "NaN",
                                      "inf",
                                      "-inf",
                                      "Infinity",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "0x10",
                                      "1,5",
                                      " 1",
                                      "1 ",
                                      "1;",
                                      "01",
                                      "1e",
                                      "1e+",
                                      "--1",
                                      "1.5.",
                                      "\xf0\x9f\x98\x80"};
    double value = 7;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(nt_real_parse(bad[i], strlen(bad[i]), &value) == NT_NUMBER_MALFORMED, "'%s'",
                      bad[i]);
    ck_assert_int_eq(nt_real_parse("1e400", 5, &value), NT_NUMBER_TOO_LARGE);
    ck_assert_int_eq(nt_real_parse("-1e400", 6, &value), NT_NUMBER_TOO_LARGE);
    ck_assert_int_eq(nt_real_parse("1e-400", 6, &value), NT_NUMBER_TOO_SMALL);
    ck_assert_double_eq(value, 7);
    ck_assert_int_eq(nt_real_parse("-0", 2, &value), NT_NUMBER_OK);
    ck_assert(!signbit(value));
    ck_assert_int_eq(nt_real_parse("0e-999", 6, &value), NT_NUMBER_OK);
    ck_assert_int_eq(nt_real_parse("-2.5E+1", 7, &value), NT_NUMBER_OK);
    ck_assert_double_eq(value, -25);
}
END_TEST

START_TEST(a_real_has_at_most_forty_characters)
{
    char text[64];
    double value;

    memset(text, '1', sizeof text);
    ck_assert_int_eq(nt_real_parse(text, 40, &value), NT_NUMBER_OK);
    ck_assert_int_eq(nt_real_parse(text, 41, &value), NT_NUMBER_MALFORMED);
}
END_TEST

START_TEST(doubles_read_back_from_their_text)
{
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {0.001, "0.001"},
        {1e-7, "1e-7"},
        {1048576, "1048576"},
        {1e21, "1e+21"},
        {-4000, "-4000"},
        {5e-324, "5e-324"},
        {0.1, "0.1"},
        {123456.789, "123456.789"},
        {1e-6, "0.000001"},
        {-0.0, "0"},
        {1e20, "100000000000000000000"},
        {DBL_MAX, "1.7976931348623157e+308"},
    };
    char text[NT_NUMBER_TEXT_MAX];
    uint64_t state = 1;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        nt_double_text(known[i].value, text);
        ck_assert_str_eq(text, known[i].text);
    }
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = (uint64_t)random_u32(&state) << 32 | random_u32(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        ck_assert_uint_lt(nt_double_text(value, text), NT_NUMBER_TEXT_MAX);
        ck_assert_double_eq(strtod(text, NULL), value);
    }
}
END_TEST

/* How many digits a float needs, the slow way. */
static int digits_needed(float value)
{
    char tried[64];

    for (int digits = 1; digits < 9; digits++) {
        snprintf(tried, sizeof tried, "%.*e", digits - 1, (double)value);
        if (strtof(tried, NULL) == value)
            return digits;
    }
    return 9;
}

/* Significant digits of a number's text. */
static int digits_used(const char *text)
{
    int digits = 0, zeros = 0;

    for (; *text && *text != 'e'; text++) {
        if (*text == '0')
            zeros += digits > 0;
        else if (*text >= '1' && *text <= '9') {
            digits += 1 + zeros;
            zeros = 0;
        }
    }
    return digits;
}

/* Its text reads back; no decimal of fewer digits does; of as many, none is nearer. */
static void check_float(uint32_t bits)
{
    char text[NT_NUMBER_TEXT_MAX], rounded[64];
    float value;

    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value) || value == 0.0f)
        return;
    nt_float_text(value, text);
    ck_assert_msg(strtof(text, NULL) == value, "%a is written as %s", (double)value, text);
    int used = digits_used(text);
    ck_assert_msg(used <= digits_needed(value), "%a has a shorter text than %s", (double)value,
                  text);
    snprintf(rounded, sizeof rounded, "%.*e", used - 1, (double)value);
    if (strtof(rounded, NULL) == value) /* next to a power of two the nearest may not read back */
        ck_assert_msg(strtod(rounded, NULL) == strtod(text, NULL), "%a is nearer to %s than to %s",
                      (double)value, rounded, text);
}

START_TEST(floats_have_their_shortest_text)
{
    uint64_t state = 2;

    for (uint32_t exponent = 0; exponent < 255; exponent++) { /* every binade: ends and middle */
        for (uint32_t i = 0; i < 16; i++) {
            check_float((exponent << 23) + i);
            check_float((exponent << 23) - 1 - i);
        }
        for (int i = 0; i < 300; i++)
            check_float((exponent << 23) | random_u32(&state) >> 9);
    }
    for (size_t i = 0; i < 100000 * long_factor(); i++)
        check_float(random_u32(&state));
}
END_TEST

/* Of all floats in order of their bits, one at random of each `step`: those from `first` to `last`
 * of 2^32 / step. */
struct sweep {
    uint64_t first, last;
    uint32_t step;
    bool failed;
    uint32_t bits; /* that did not read back */
    pthread_t thread;
};

static void *read_back(void *arg)
{
    struct sweep *sweep = arg;
    uint64_t state = sweep->first;

    for (uint64_t i = sweep->first; i < sweep->last; i++) {
        uint32_t bits = (uint32_t)(i * sweep->step) + random_below(&state, sweep->step);
        char text[NT_NUMBER_TEXT_MAX];
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        nt_float_text(value, text);
        if (strtof(text, NULL) != value) {
            sweep->failed = true;
            sweep->bits = bits;
            break;
        }
    }
    return NULL;
}

/* 2^20 floats of all sizes, in a long run 2^28: half a minute on two processors. */
START_TEST(floats_of_every_size_read_back)
{
    enum { THREADS = 4 };
    uint64_t count = UINT64_C(1) << (long_factor() > 1 ? 28 : 20);
    struct sweep sweep[THREADS];

    for (uint64_t t = 0; t < THREADS; t++) {
        sweep[t] = (struct sweep){.first = count * t / THREADS,
                                  .last = count * (t + 1) / THREADS,
                                  .step = (uint32_t)((UINT64_C(1) << 32) / count)};
        ck_assert_int_eq(pthread_create(&sweep[t].thread, NULL, read_back, &sweep[t]), 0);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(sweep[t].thread, NULL);
    for (int t = 0; t < THREADS; t++)
        ck_assert_msg(!sweep[t].failed, "bits %08x do not read back", sweep[t].bits);
}
END_TEST

START_TEST(ordinary_floats_read_back)
{
    char text[NT_NUMBER_TEXT_MAX];
    uint64_t state = 3;

    for (size_t i = 0; i < 1000000 * long_factor(); i++) {
        float value = (float)(random_unit(&state) * 2 - 1);
        nt_float_text(value, text);
        ck_assert(strtof(text, NULL) == value);
    }
}
END_TEST

Suite *number_suite(void)
{
    Suite *suite = suite_create("number");
    TCase *tc = tcase_create("number");

    tcase_set_timeout(tc, 1200);
    tcase_add_test(tc, integers_have_one_spelling);
    tcase_add_test(tc, reals_follow_the_grammar_of_json);
    tcase_add_test(tc, a_real_has_at_most_forty_characters);
    tcase_add_test(tc, doubles_read_back_from_their_text);
    tcase_add_test(tc, floats_have_their_shortest_text);
    tcase_add_test(tc, floats_of_every_size_read_back);
    tcase_add_test(tc, ordinary_floats_read_back);
    suite_add_tcase(suite, tc);
    return suite;
}
