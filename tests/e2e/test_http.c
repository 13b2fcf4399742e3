/*
 * What is refused, and how: paths, hosts, methods and sizes against the real server. Parameters are
 * in test_queries.c, header fields of answers in test_headers.c, caching in test_caching.c, the
 * tiles' bytes in test_served_tiles.c.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/e2e/checks.h"
#include "tests/suites.h"

enum { URL_CAP = 16384 };

/* ---- Paths ----------------------------------------------------------------------------------- */

static const struct {
    const char *name, *before, *after;
} places[] = {
    {"z", "/tile/", "/0/0.png?size=1"},
    {"x", "/tile/0/", "/0.png?size=1"},
    {"y", "/tile/0/0/", ".png?size=1"},
};

START_TEST(only_canonical_integers_are_numbers_in_a_path)
{
    static const char *const malformed[] = {"1abc", "1.5", "1e0", "1e1", "0x1", "+1",  "-0",
                                            "01",   "00",  "--1", "-",   "0b1", "1_0", "1,0",
                                            "1;",   "NaN", "inf", "-01", "1-"};
    char url[256];

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t k = 0; k < sizeof malformed / sizeof *malformed; k++) {
            snprintf(url, sizeof url, "%s%s%s", places[i].before, malformed[k], places[i].after);
            check_refused(url, 400, places[i].name);
        }
}
END_TEST

START_TEST(bytes_that_no_uri_has_are_refused_everywhere_in_a_path)
{
    static const char *const foreign[] = {"%31",  "%2b1", "%00", "%",    "\xef\xbc\x91",
                                          " 1",   "1 ",   "1#",  "\x01", "\t",
                                          "\xff", "\x7f", "%zz", "%4",   "\xc0\x80"};
    char url[256];

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
            snprintf(url, sizeof url, "%s%s%s", places[i].before, foreign[k], places[i].after);
            check_refused(url, 400, NULL);
        }
}
END_TEST

START_TEST(a_percent_sign_in_any_path_is_refused)
{
    static const char *const paths[] = {
        "/tile/0/0/%zz.png",
        "/tile/0/0/0%",
        "/tile/0/0/0.png%00.json",
        "/%",
        "/params%20",
        "/tile/0/0/0.png%3Fseed=1",
        "/%2e%2e/",
        "/tile/..%2f..%2fetc/passwd",
        "/health%2flive",
        "/%2e%2e%2f",
        "/layers/%2e%2e%2f/0/0/0.png",
        "/tile%2F0/0/0.png",
    };

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        check_refused(paths[i], 400, NULL);
}
END_TEST

START_TEST(there_is_nothing_at_a_path_that_is_not_exactly_a_route)
{
    static const char *const paths[] = {
        "//tile/0/0/0.png",
        "/tile//0/0/0.png",
        "/tile/0//0/0.png",
        "/tile/0/0//0.png",
        "/tile/0/0/0.png/",
        "/tile/0/0/0/0.png",
        "/tile/0/0/",
        "/tile/0/0",
        "/tile/0",
        "/tile/",
        "/tile",
        "/Tile/0/0/0.png",
        "/tile/../params",
        "/tile/./0/0/0.png",
        "/nope",
        "/params/",
        "/PARAMS",
        "/health",
        "/health/",
        "/health/live/",
        "/health/dead",
        "//",
        "/./",
        "/../etc/passwd",
        "/..;/",
        "/robots.txt/",
        "/.git/config",
        "/index.html",
        "/layers/../../etc/passwd/0/0/0.png",
        "/tile/0/0/<script>alert(1)</script>",
    };

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        check_refused(paths[i], 404, NULL);
}
END_TEST

START_TEST(an_unknown_extension_is_404_and_lists_the_formats)
{
    static const char *const formats[] = {"png", "json", "bin", "npy", "r16", NULL};
    static const char *const endings[] = {".jpg",  ".PNG",      ".png.png", ".",
                                          ".webp", ".png,json", ".jsonx",   ".pn",
                                          ".p",    ".tar.gz",   ".png@2x"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct answer answer = get(&served, "/tile/0/0/0%s", endings[i]);

        check_problem(&answer, 404, "format", endings[i]);
        check_allowed(&answer, formats);
        answer_free(&answer);
    }
}
END_TEST

START_TEST(an_extension_that_begins_with_a_digit_is_a_malformed_number)
{
    check_refused("/tile/0/0/1.5", 400, "y");
    check_refused("/tile/0/0/1.5.png", 400, "y");
    check_refused("/tile/0/0/0.0", 400, "y");
}
END_TEST

START_TEST(the_scale_behind_a_place_is_1x_to_4x)
{
    static const char *const bad[] = {"@0x", "@5x",  "@2X",    "@02x", "@2",   "@x",
                                      "@",   "@-1x", "@2x@2x", "@10x", "@+2x", "@2xx"};
    char url[64];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(url, sizeof url, "/tile/0/0/0%s.png?size=1", bad[i]);
        check_refused(url, 400, "scale");
    }
    for (int n = 1; n <= 4; n++) {
        snprintf(url, sizeof url, "/tile/0/0/0@%dx.png?size=1", n);
        check_accepted(url);
    }
    check_refused("/tile/0/0/0@1.5x.png", 400, NULL);
}
END_TEST

START_TEST(extension_and_format_must_agree)
{
    check_refused("/tile/0/0/0.png?format=json", 400, "format");
    check_refused("/tile/0/0/0.json?format=png", 400, "format");
    check_refused("/tile/0/0/0?format=jpg", 400, "format");
    check_refused("/tile/0/0/0?format=PNG", 400, "format");
    check_equal("/tile/0/0/0", "/tile/0/0/0.png");
    check_equal("/tile/0/0/0?format=png", "/tile/0/0/0.png");
    check_equal("/tile/0/0/0.r16?format=r16&size=4", "/tile/0/0/0?size=4&format=r16");
    check_equal("/tile/0/0/0?format=json&size=4", "/tile/0/0/0.json?size=4");
}
END_TEST

/* ---- Hosts ----------------------------------------------------------------------------------- */

START_TEST(no_answer_reflects_the_host)
{
    static const char *const paths[] = {"/",     "/params",     "/tile/0/0/0.json?size=1",
                                        "/nope", "/robots.txt", "/health/ready"};
    static const char *const lines[] = {"Host: evil.example", "X-Forwarded-Host: evil.example",
                                        "Forwarded: host=evil.example"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            struct answer answer = get_with(paths[i], lines[k]);

            ck_assert_ptr_null(strstr((const char *)answer.body, "evil"));
            ck_assert_ptr_null(strstr(answer.head, "evil"));
            answer_free(&answer);
        }
}
END_TEST

START_TEST(a_malformed_host_is_refused)
{
    static const char *const hosts[] = {"Host: a b",  "Host: a\"b<script>", "Host: a,b",
                                        "Host: a/b",  "Host: u@a",          "Host: a:b",
                                        "Host: [::1", "Host: a:80:80"};

    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        struct answer answer = get_with("/", hosts[i]);

        check_problem(&answer, 400, NULL, hosts[i]);
        answer_free(&answer);
    }
}
END_TEST

/* ---- Methods --------------------------------------------------------------------------------- */

static const char *const routes[] = {"/tile/0/0/0.png", "/params", "/health/live",
                                     "/health/ready",   "/",       "/favicon.ico",
                                     "/robots.txt",     "/sample", "/verify"};
enum { ROUTES = sizeof routes / sizeof *routes };

START_TEST(other_methods_are_405_and_the_allowed_ones_are_told)
{
    static const char *const methods[] = {"POST", "PUT", "DELETE", "PATCH",   "TRACE",
                                          "FOO",  "get", "Head",   "PROPFIND"};

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (size_t k = 0; k < ROUTES; k++) {
            struct answer answer = request(&served, methods[i], routes[k], NULL);

            check_problem(&answer, 405, NULL, methods[i]);
            check_header(&answer, "Allow", "GET, HEAD, OPTIONS");
            check_header(&answer, "Access-Control-Allow-Origin", "*");
            answer_free(&answer);
        }
}
END_TEST

START_TEST(a_refused_method_leaves_the_connection_usable)
{
    struct answer answer = request(&served, "DELETE", "/", NULL);

    answer_free(&answer);
    answer = get(&served, "/health/live");
    ck_assert_int_eq(answer.status, 200);
    ck_assert(answer.reused);
    answer_free(&answer);
}
END_TEST

/* ---- Sizes, bodies, and the order of checks -------------------------------------------------- */

/* `n` times c, between two texts; malloc'ed. */
static char *stretched(const char *before, char c, size_t n, const char *after)
{
    size_t len = strlen(before);
    char *text = malloc(len + n + strlen(after) + 1);

    memcpy(text, before, len);
    memset(text + len, c, n);
    memcpy(text + len + n, after, strlen(after) + 1);
    return text;
}

/* Sends a head line by line with "Host" and "Connection: close", and tells the status. */
static int status_of(const char *line, const char *fields, const char *body)
{
    size_t cap = strlen(line) + strlen(fields) + strlen(body) + 64;
    char *bytes = malloc(cap), *answer;
    int n =
        snprintf(bytes, cap, "%s\r\nHost: a\r\nConnection: close\r\n%s\r\n%s", line, fields, body);
    int status;

    answer = raw_exchange(&served, bytes, (size_t)n, 10, NULL);
    status = raw_status(answer);
    ck_assert_msg(raw_count(answer) <= 1, "%d answers to %.100s", raw_count(answer), line);
    free(answer);
    free(bytes);
    return status;
}

START_TEST(a_target_of_8_kib_is_read_and_a_longer_one_is_414)
{
    char *fits = stretched("/?", 'a', 8192 - 2, ""), *longer = stretched("/?", 'a', 8192 - 1, "");
    char *tile = stretched("/tile/0/0/0.png?seed=", '1', 9000, "");

    check_accepted(fits);
    check_refused(longer, 414, NULL);
    check_refused(tile, 414, NULL);
    free(fits);
    free(longer);
    free(tile);
}
END_TEST

START_TEST(many_parameters_are_refused_at_once)
{
    enum { PAIRS = 1000 };
    char *url = malloc(URL_CAP), *at = url + sprintf(url, "/tile/0/0/0.png?");
    double begun = seconds_now();

    for (int i = 0; i < PAIRS; i++)
        at += sprintf(at, "seed=1&");
    *--at = '\0';
    check_refused(url, 400, "seed");
    for (int i = 0; i < PAIRS; i++)
        at += sprintf(at, "&a=1");
    check_refused(url, 414, NULL);
    ck_assert_double_lt(seconds_now() - begun, 5); /* it takes a millisecond */
    free(url);
}
END_TEST

START_TEST(large_heads_are_431)
{
    char *large = stretched("X-Large: ", 'a', 16384, "");
    char lines[101][24];
    const char *fields[102] = {NULL};
    struct answer answer = get_with("/", large);

    check_problem(&answer, 431, NULL, "16 384 bytes in a field");
    answer_free(&answer);
    for (int i = 0; i < 101; i++) {
        snprintf(lines[i], sizeof lines[i], "X-%d: 1", i);
        fields[i] = lines[i];
    }
    answer = request(&served, NULL, "/", fields);
    check_problem(&answer, 431, NULL, "more than 100 fields");
    answer_free(&answer);
    fields[90] = NULL;
    answer = request(&served, NULL, "/", fields);
    ck_assert_int_eq(answer.status, 200);
    answer_free(&answer);
    free(large);
}
END_TEST

START_TEST(the_largest_legal_head_is_served)
{
    enum { FIELDS = 96, BYTES = 168 }; /* 16 128 bytes, and what libcurl adds */
    char *target = stretched("/tile/0/0/0.png?seed=1", '0', 8192 - 22, "");
    char lines[FIELDS][BYTES];
    const char *fields[FIELDS + 1] = {NULL};
    struct answer answer;

    for (int i = 0; i < FIELDS; i++) {
        snprintf(lines[i], sizeof lines[i], "X-%02u: %0*u", (unsigned)i % 100, BYTES - 8,
                 (unsigned)i);
        fields[i] = lines[i];
    }
    answer = request(&served, NULL, target, fields);
    check_problem(&answer, 400, "seed", "a seed of 8 kB"); /* read to its end, then judged */
    answer_free(&answer);
    answer = request(&served, NULL, "/tile/0/0/0.json?size=64", fields);
    ck_assert_int_eq(answer.status, 200);
    answer_free(&answer);
    free(target);
}
END_TEST

/* The longest that Content-Location can be: every parameter with all its digits, and a ramp of 64
 * stops whose canonical text is longer than what was sent. */
static char *longest_target(void)
{
    static const char query[] =
        "/tile/30/1073741823/1073741823@4x.png?noise=cellular&seed=-9223372036854775808&"
        "frequency=0.12345678901234567&lacunarity=1.1234567890123457&persistence="
        "-0.12345678901234567&amplitude=123456.12345678901&warp=1.1234567890123457&warp_octaves=8&"
        "t=-123456.12345678901&t_period=65536&jitter=0.12345678901234567&cell=f2-f1&size=64&"
        "sampling=point&buffer=16&style=color&min=-123456.12345678901&max=123456.12345678901&"
        "octaves=32&lod=off&domain=torus&fractal=pingpong&v=1&ramp=";
    char *target = malloc(8192), *at = target + sprintf(target, "%s", query);

    for (int i = 0; i < 64; i++) /* no more than 25 bytes each, which 1600 have room for */
        at += sprintf(at, "%s1.%010de-6:%02X1234fe", i > 0 ? "," : "", 100000001 + 3 * i, i);
    return target;
}

START_TEST(the_longest_address_fits_beside_the_largest_head)
{
    enum { FIELDS = 94, BYTES = 168 };
    char *target = longest_target(), lines[FIELDS][BYTES];
    const char *fields[FIELDS + 1] = {NULL};

    for (int i = 0; i < FIELDS; i++) {
        snprintf(lines[i], sizeof lines[i], "X-%02u: %0*u", (unsigned)i % 100, BYTES - 8,
                 (unsigned)i);
        fields[i] = lines[i];
    }
    for (int again = 0; again < 2; again++) { /* rendered, then out of the cache */
        struct answer answer = request(&served, NULL, target, fields), same;

        ck_assert_msg(answer.status == 200, "%ld: %.500s", answer.status, (char *)answer.body);
        const char *location = header(&answer, "Content-Location");
        ck_assert_uint_gt(strlen(location), 2200);
        same = request(&served, NULL, location, NULL);
        ck_assert_int_eq(same.status, 200);
        check_header(&same, "Content-Location", location);
        ck_assert(same.len == answer.len && memcmp(same.body, answer.body, same.len) == 0);
        answer_free(&answer);
        answer_free(&same);
    }
    free(target);
}
END_TEST

/*
 * A head as raw bytes: `target`, and `fields` lines whose names and values, with four bytes more
 * for each, are `bytes` in all: Host, Connection, an id of 64 times 'a', and fillers. malloc'ed.
 */
static char *head_of(const char *target, int fields, size_t bytes)
{
    static const char *const first[] = {"Host: a", "Connection: close", "X-Request-Id: "};
    size_t cap = strlen(target) + bytes + 64, left = bytes;
    char *text = malloc(cap), *at = text;

    at += sprintf(at, "GET %s HTTP/1.1\r\n", target);
    for (int i = 0; i < fields; i++) {
        size_t share = i < 2    ? strlen(first[i])
                       : i == 2 ? 14 + 64
                                : left / (size_t)(fields - i) - 2;
        char name[32];
        int n = i < 3 ? sprintf(name, "%s", first[i]) : sprintf(name, "X-%02d: ", i);

        memset(at, 'a', share);
        memcpy(at, name, (size_t)n);
        at += share;
        at += sprintf(at, "\r\n");
        left -= share + 2;
    }
    sprintf(at, "\r\n");
    return text;
}

/* To the byte, with few long lines and with many; beside the longest target, too. */
START_TEST(fields_of_16_kib_are_read_and_a_byte_more_is_431)
{
    char *longest = stretched("/tile/0/0/0.png?seed=", '0', 8192 - 22, "1");
    char *address = longest_target(), *id = stretched("\r\nX-Request-Id: ", 'a', 64, "\r\n");
    const struct {
        const char *target;
        int fields;
        size_t bytes;
        int status;
    } cases[] = {
        {"/health/live", 4, 16383, 200},   {"/health/live", 4, 16384, 200},
        {"/health/live", 4, 16385, 431},   {"/health/live", 100, 16384, 200},
        {"/health/live", 100, 16385, 431}, {"/health/live", 101, 5000, 431},
        {address, 4, 16384, 200},          {address, 100, 16384, 200},
        {address, 100, 16385, 431},        {longest, 4, 16384, 400},
        {longest, 100, 16384, 400},        {longest, 100, 16385, 431},
        {longest, 101, 16384, 431},        {longest, 4, 17408, 431},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *head = head_of(cases[i].target, cases[i].fields, cases[i].bytes);
        char *answer = raw_exchange(&served, head, strlen(head), 10, NULL);

        ck_assert_msg(raw_status(answer) == cases[i].status, "case %zu: %.300s", i, answer);
        ck_assert_msg(strstr(answer, id) != NULL, "case %zu: %.300s", i, answer);
        free(answer);
        free(head);
    }
    free(id);
    free(address);
    free(longest);
}
END_TEST

START_TEST(a_body_is_413_and_an_empty_one_is_none)
{
    ck_assert_int_eq(status_of("GET / HTTP/1.1", "Content-Length: 5\r\n", "12345"), 413);
    ck_assert_int_eq(status_of("HEAD / HTTP/1.1", "Content-Length: 1\r\n", "1"), 413);
    ck_assert_int_eq(status_of("OPTIONS / HTTP/1.1", "Content-Length: 1\r\n", "1"), 413);
    ck_assert_int_eq(status_of("GET / HTTP/1.1", "Content-Length: 1073741824\r\n", ""), 413);
    ck_assert_int_eq(
        status_of("GET / HTTP/1.1", "Transfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\n\r\n"), 413);
    ck_assert_int_eq(status_of("GET / HTTP/1.1", "Content-Length: 0\r\n", ""), 200);
    ck_assert_int_eq(status_of("POST / HTTP/1.1", "Content-Length: 5\r\n", "12345"), 405);
}
END_TEST

START_TEST(checks_come_in_the_order_of_the_contract)
{
    static const char body[] = "Content-Length: 5\r\n";
    char *long_line = stretched("GET /?", 'a', 9000, " HTTP/1.1");
    char *long_post = stretched("POST /?", 'a', 9000, " HTTP/1.1");
    char *large = stretched("X-Large: ", 'a', 17000, "\r\n");
    const struct {
        const char *line, *fields, *body;
        int status;
    } cases[] = {
        {long_line, "Host: b\r\n", "", 400}, /* two hosts, then the length */
        {long_line, large, "", 414},
        {long_post, body, "12345", 414},
        {"POST / HTTP/1.1", large, "", 431},
        {"POST /nope HTTP/1.1", body, "12345", 405},
        {"GET /nope HTTP/1.1", body, "12345", 413},
        {"GET /nope?seed=01 HTTP/1.1", "", "", 404},
        {"GET /tile/3/8/0.png?seed=01 HTTP/1.1", "", "", 400},
        {"GET /tile/3/8/0.png?v=9&seed=01 HTTP/1.1", "", "", 400},
        {"GET /tile/3/8/0.png HTTP/1.1", "If-None-Match: *\r\n", "", 404},
        {"GET /tile/3/7/0.png?seed=01 HTTP/1.1", "If-None-Match: *\r\n", "", 400},
        {"GET /tile/3/7/0.png HTTP/1.1", "If-None-Match: *\r\n", "", 304},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = status_of(cases[i].line, cases[i].fields, cases[i].body);

        ck_assert_msg(status == cases[i].status, "%zu, %.60s: %d, not %d", i, cases[i].line, status,
                      cases[i].status);
    }
    free(long_line);
    free(long_post);
    free(large);
}
END_TEST

START_TEST(a_request_line_has_exactly_two_spaces)
{
    static const char *const lines[] = {"GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET / / HTTP/1.1",
                                        "GET\t/ HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ",
                                        "GET /\tHTTP/1.1"};

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int status = status_of(lines[i], "", "");

        ck_assert_msg(status == 400 || status == 0, "'%s': %d", lines[i], status); /* 0: closed */
    }
    ck_assert_int_eq(status_of("GET / HTTP/1.1", "", ""), 200);
}
END_TEST

START_TEST(http_1_0_is_served)
{
    static const char old[] = "GET /health/live HTTP/1.0\r\n\r\n";
    bool closed;
    char *answer = raw_exchange(&served, old, sizeof old - 1, 10, &closed);

    ck_assert_int_eq(raw_status(answer), 200);
    ck_assert(closed);
    free(answer);
}
END_TEST

START_TEST(after_all_this_it_is_the_same_process)
{
    ck_assert(server_alive(&served));
    check_accepted("/health/ready");
}
END_TEST

static TCase *paths(void)
{
    TCase *tcase = served_group("paths");

    tcase_add_test(tcase, only_canonical_integers_are_numbers_in_a_path);
    tcase_add_test(tcase, bytes_that_no_uri_has_are_refused_everywhere_in_a_path);
    tcase_add_test(tcase, a_percent_sign_in_any_path_is_refused);
    tcase_add_test(tcase, there_is_nothing_at_a_path_that_is_not_exactly_a_route);
    tcase_add_test(tcase, an_unknown_extension_is_404_and_lists_the_formats);
    tcase_add_test(tcase, an_extension_that_begins_with_a_digit_is_a_malformed_number);
    tcase_add_test(tcase, the_scale_behind_a_place_is_1x_to_4x);
    tcase_add_test(tcase, extension_and_format_must_agree);
    return tcase;
}

static TCase *methods_and_sizes(void)
{
    TCase *tcase = served_group("methods and sizes");

    tcase_add_test(tcase, no_answer_reflects_the_host);
    tcase_add_test(tcase, a_malformed_host_is_refused);
    tcase_add_test(tcase, other_methods_are_405_and_the_allowed_ones_are_told);
    tcase_add_test(tcase, a_refused_method_leaves_the_connection_usable);
    tcase_add_test(tcase, a_target_of_8_kib_is_read_and_a_longer_one_is_414);
    tcase_add_test(tcase, many_parameters_are_refused_at_once);
    tcase_add_test(tcase, large_heads_are_431);
    tcase_add_test(tcase, the_largest_legal_head_is_served);
    tcase_add_test(tcase, the_longest_address_fits_beside_the_largest_head);
    tcase_add_test(tcase, fields_of_16_kib_are_read_and_a_byte_more_is_431);
    tcase_add_test(tcase, a_body_is_413_and_an_empty_one_is_none);
    tcase_add_test(tcase, checks_come_in_the_order_of_the_contract);
    tcase_add_test(tcase, a_request_line_has_exactly_two_spaces);
    tcase_add_test(tcase, http_1_0_is_served);
    tcase_add_test(tcase, after_all_this_it_is_the_same_process);
    return tcase;
}

Suite *http_suite(void)
{
    Suite *suite = suite_create("http");

    suite_add_tcase(suite, paths());
    suite_add_tcase(suite, methods_and_sizes());
    return suite;
}
