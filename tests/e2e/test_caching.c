/*
 * What caches live on: entity tags, conditional requests, content codings, canonical addresses, and
 * the server's own cache as seen from outside. Which fields each answer has is in test_headers.c.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/noisetile.h"
#include "tests/e2e/checks.h"
#include "tests/suites.h"

/* ---- Entity tags ----------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The i-th of many different tiles: places, formats, scales, parameters and codings in turn. */
static struct answer different_tile(int i)
{
    static const char *const formats[] = {"png", "json", "bin", "npy", "r16"};
    static const char *const scales[] = {"", "@2x", "@3x"};
    static const char *const queries[] = {"", "&seed=1", "&noise=value", "&octaves=2",
                                          "&fractal=none"};
    int x = i % 40, rest = i / 40; /* 40 * 5 * 3 * 5 tiles of each seed */
    const char *format = formats[rest % 5], *scale = scales[rest / 5 % 3];
    char url[128];

    snprintf(url, sizeof url, "/tile/6/%d/%d%s.%s?size=1%s&amplitude=%d", x, rest / 75 % 2, scale,
             format, queries[rest / 15 % 5], 1 + rest / 150);
    return request(&served, "GET", url, NULL);
}

START_TEST(ten_thousand_different_tiles_have_ten_thousand_entity_tags)
{
    enum { TILES = 10000 };
    static char *tags[TILES];
    double begun = seconds_now();

    for (int i = 0; i < TILES; i++) {
        struct answer answer = different_tile(i);

        ck_assert_int_eq(answer.status, 200);
        ck_assert(i == 0 || answer.reused);
        tags[i] = strdup(header(&answer, "ETag"));
        answer_free(&answer);
    }
    qsort(tags, TILES, sizeof *tags, compare_texts);
    for (int i = 1; i < TILES; i++)
        ck_assert_str_ne(tags[i - 1], tags[i]);
    ck_assert_double_lt(seconds_now() - begun, 60); /* about one second without sanitizers */
}
END_TEST

START_TEST(an_entity_tag_is_the_urls_and_outlives_the_process)
{
    static const char *const paths[] = {"/tile/3/2/5.png", "/tile/3/2/5.json?size=4&seed=9",
                                        "/params", "/"};
    struct server other = server_start("--cpu", "baseline", "--cache", "0", NULL);

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct answer a = request(&served, NULL, paths[i], NULL);
        struct answer b = request(&other, NULL, paths[i], NULL);

        ck_assert_int_eq(a.status, 200);
        ck_assert(same_header(&a, &b, "ETag"));
        ck_assert(same_body(&a, &b));
        answer_free(&a);
        answer_free(&b);
    }
    ck_assert_int_eq(server_stop(&other), 0);
}
END_TEST

START_TEST(the_version_pins_the_lifetime_and_not_the_bytes)
{
    struct answer pinned = get(&served, "/tile/3/2/5.png?v=1");
    struct answer plain = get(&served, "/tile/3/2/5.png");

    ck_assert(same_body(&pinned, &plain));
    check_header(&pinned, "Content-Location", "/tile/3/2/5.png?v=1");
    check_header(&plain, "Content-Location", "/tile/3/2/5.png");
    answer_free(&pinned);
    answer_free(&plain);
}
END_TEST

/* ---- Conditional requests -------------------------------------------------------------------- */

/* Answers to If-None-Match: before, the entity tag, after. */
static void check_condition(const char *path, const char *before, const char *tag,
                            const char *after, int status)
{
    size_t cap = strlen(before) + strlen(tag) + strlen(after) + 32;
    char *line = malloc(cap);
    struct answer answer;

    snprintf(line, cap, "If-None-Match: %s%s%s", before, tag, after);
    answer = get_with(path, line);
    ck_assert_msg(answer.status == status, "%s with %.200s: %ld, not %d", path, line, answer.status,
                  status);
    ck_assert((answer.len == 0) == (status == 304));
    answer_free(&answer);
    free(line);
}

START_TEST(if_none_match_compares_weakly_and_takes_lists)
{
    static const char *const paths[] = {
        "/tile/3/2/5.png", "/tile/3/2/5.json?size=4", "/params", "/", "/favicon.ico",
        "/robots.txt",     "/sample?x=0&y=0",         "/verify"};
    static const struct {
        const char *before, *after;
        int status;
    } cases[] = {
        {"", "", 304},
        {"W/", "", 304},
        {"  ", "  ", 304},
        {"\"a\", ", "", 304},
        {"\"a\",", ",\"b\"", 304},
        {"\"a\" , , ", " ,", 304},
        {",", "", 304},
        {"W/\"a\", W/", ", \"b\"", 304},
        {"\"a,b\", ", "", 304},
        {"\"\", ", "", 304},
        {"\"a", "", 200}, /* the tag is inside of other quotes */
        {"\"a\"\"", "", 200},
    };

    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        struct answer answer = request(&served, NULL, paths[p], NULL);
        char tag[128];

        snprintf(tag, sizeof tag, "%s", header(&answer, "ETag"));
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            check_condition(paths[p], cases[i].before, tag, cases[i].after, cases[i].status);
        check_condition(paths[p], "*", "", "", 304);
        check_condition(paths[p], " * ", "", "", 304);
        check_condition(paths[p], "\"*\"", "", "", 200);
        check_condition(paths[p], "\"nope\"", "", "", 200);
        tag[strlen(tag) - 1] = '\0';
        check_condition(paths[p], "", tag + 1, "", 200); /* unquoted */
        check_condition(paths[p], "", tag, "", 200);     /* no end */
        check_condition(paths[p], "", tag, "x\"", 200);
        answer_free(&answer);
    }
}
END_TEST

START_TEST(a_list_of_8_kib_is_searched_to_its_end)
{
    struct answer answer = get(&served, "/tile/3/2/5.png");
    char *list = calloc(1, 8300), *at = list;

    while (at - list < 8192)
        at += sprintf(at, "\"%032x\", ", (unsigned)(at - list));
    check_condition("/tile/3/2/5.png", list, header(&answer, "ETag"), "", 304);
    check_condition("/tile/3/2/5.png", list, "\"b\"", "", 200);
    free(list);
    answer_free(&answer);
}
END_TEST

START_TEST(several_lines_of_if_none_match_are_one_list)
{
    struct answer answer = get(&served, "/tile/3/2/5.png");
    char line[128];
    const char *const lines[] = {"If-None-Match: \"a\"", line, "If-None-Match: \"b\"", NULL};

    snprintf(line, sizeof line, "If-None-Match: %s", header(&answer, "ETag"));
    answer_free(&answer);
    answer = request(&served, NULL, "/tile/3/2/5.png", lines);
    ck_assert_int_eq(answer.status, 304);
    answer_free(&answer);
}
END_TEST

/* libmicrohttpd cannot leave the length out on a connection that stays open. */
static void check_length_of_304(const struct answer *empty, const struct answer *full)
{
    const char *len = header(empty, "Content-Length");

    ck_assert_uint_eq(empty->len, 0);
    ck_assert(len == NULL || strcmp(len, "0") == 0 || same_header(empty, full, "Content-Length"));
}

START_TEST(a_304_repeats_the_fields_of_the_200)
{
    static const char *const same[] = {"ETag", "Cache-Control", "Content-Location", "Vary"};
    static const char *const paths[] = {"/tile/3/2/5.png?v=1",
                                        "/tile/3/2/5?seed=4&size=8",
                                        "/tile/3/2/5.json?size=4",
                                        "/params",
                                        "/",
                                        "/sample?x=0&y=0&v=1",
                                        "/verify"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct answer full = request(&served, NULL, paths[i], NULL), empty;
        char line[128];

        snprintf(line, sizeof line, "If-None-Match: %s", header(&full, "ETag"));
        empty = get_with(paths[i], line);
        ck_assert_int_eq(empty.status, 304);
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            ck_assert_msg(same_header(&full, &empty, same[k]), "%s: %s", paths[i], same[k]);
        check_length_of_304(&empty, &full);
        answer_free(&full);
        answer_free(&empty);
    }
}
END_TEST

START_TEST(ten_revalidations_are_ten_304_and_render_nothing)
{
    struct answer answer = get(&served, "/tile/8/3/3.png?seed=45");
    char line[128];
    double renders = server_figure(&served, "renders");

    snprintf(line, sizeof line, "If-None-Match: %s", header(&answer, "ETag"));
    answer_free(&answer);
    for (int i = 0; i < 10; i++) {
        answer = get_with("/tile/8/3/3.png?seed=45", line);
        ck_assert_int_eq(answer.status, 304);
        answer_free(&answer);
    }
    ck_assert_double_eq(server_figure(&served, "renders"), renders);
}
END_TEST

START_TEST(a_304_renders_nothing_even_if_the_tile_never_was)
{
    struct server fresh = server_start(NULL, NULL);
    struct answer first = get(&served, "/tile/8/4/4.json?seed=46");
    const char *lines[] = {"Accept: */*", NULL};
    char line[128];

    snprintf(line, sizeof line, "If-None-Match: %s", header(&first, "ETag"));
    lines[0] = line;
    struct answer again = request(&fresh, NULL, "/tile/8/4/4.json?seed=46", lines);
    ck_assert_int_eq(again.status, 304);
    ck_assert_double_eq(server_figure(&fresh, "renders"), 0);
    answer_free(&first);
    answer_free(&again);
    ck_assert_int_eq(server_stop(&fresh), 0);
}
END_TEST

START_TEST(other_conditions_and_ranges_are_ignored)
{
    static const char *const lines[] = {
        "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT",
        "Range: bytes=0-0",
        "Range: bytes=-1",
        "Range: bytes=5-1",
        "Range: lines=1-2",
        "If-Range: \"a\"",
    };
    char *many = malloc(8192), *at = many + sprintf(many, "Range: bytes=0-0");
    struct answer whole = get(&served, "/tile/3/2/5.png"), part;

    for (int i = 1; i <= 1000; i++)
        at += sprintf(at, ",1-1");
    for (size_t i = 0; i <= sizeof lines / sizeof *lines; i++) {
        part = get_with("/tile/3/2/5.png", i < sizeof lines / sizeof *lines ? lines[i] : many);
        ck_assert_int_eq(part.status, 200);
        ck_assert(same_body(&whole, &part));
        check_header(&part, "Content-Range", NULL);
        answer_free(&part);
    }
    answer_free(&whole);
    free(many);
}
END_TEST

/* ---- Content codings ------------------------------------------------------------------------- */

static const char *const compressible[] = {
    "/tile/3/2/5.json?size=16",
    "/tile/3/2/5.bin?size=16",
    "/tile/3/2/5.npy?size=16",
    "/tile/3/2/5.r16?size=16",
    "/sample?x=0&y=0&nx=50&dx=0.1",
    "/params",
    "/verify",
    "/",
};

START_TEST(gzip_holds_the_same_bytes_under_another_tag)
{
    for (size_t i = 0; i < sizeof compressible / sizeof *compressible; i++) {
        struct answer plain = request(&served, NULL, compressible[i], NULL);
        struct answer packed = get_with(compressible[i], "Accept-Encoding: gzip");
        size_t len;
        unsigned char *bytes = gunzip(packed.body, packed.len, &len);

        check_header(&packed, "Content-Encoding", "gzip");
        check_header(&plain, "Content-Encoding", NULL);
        ck_assert(!same_header(&plain, &packed, "ETag"));
        check_header(&plain, "Vary", "Accept-Encoding");
        check_header(&packed, "Vary", "Accept-Encoding");
        ck_assert(same_header(&plain, &packed, "Content-Type"));
        ck_assert(same_header(&plain, &packed, "Content-Location"));
        ck_assert_uint_eq(len, plain.len);
        ck_assert_mem_eq(bytes, plain.body, len);
        free(bytes);
        answer_free(&plain);
        answer_free(&packed);
    }
}
END_TEST

START_TEST(accept_encoding_decides)
{
    static const struct {
        const char *line;
        bool gzip;
    } cases[] = {
        {"Accept-Encoding: gzip", true},
        {"Accept-Encoding: GZip", true},
        {"Accept-Encoding: x-gzip", true},
        {"Accept-Encoding: gzip, deflate, br, zstd", true},
        {"Accept-Encoding: deflate, gzip;q=1.0, *;q=0.5", true},
        {"Accept-Encoding: br;q=1, gzip;q=0.001", true},
        {"Accept-Encoding: gzip ; q=0.5", true},
        {"Accept-Encoding:gzip;q=1.000", true},
        {"Accept-Encoding: *", true},
        {"Accept-Encoding: identity;q=0.5, gzip;q=0.9", true},
        {"Accept-Encoding: identity;q=0, *", true},
        {"Accept: */*", false},
        {"Accept-Encoding;", false},
        {"Accept-Encoding: identity", false},
        {"Accept-Encoding: br", false},
        {"Accept-Encoding: gzip;q=0", false},
        {"Accept-Encoding: gzip;q=0.000", false},
        {"Accept-Encoding: gzip;q=0, *", false},
        {"Accept-Encoding: *;q=0", false},
        {"Accept-Encoding: identity;q=0.9, gzip;q=0.5", false},
        {"Accept-Encoding: gzip;q=2, *;q=, ,,,", false},
        {"Accept-Encoding: gzip;q=1.5", false},
        {"Accept-Encoding: gzip;q=nan", false},
        {"Accept-Encoding: gzipped", false},
        {"Accept-Encoding: ,,,;;;===\"", false},
    };

    for (size_t k = 0; k < sizeof compressible / sizeof *compressible; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct answer answer = get_with(compressible[k], cases[i].line);

            ck_assert_int_eq(answer.status, 200);
            ck_assert_msg((header(&answer, "Content-Encoding") != NULL) == cases[i].gzip,
                          "%s with %s:\n%s", compressible[k], cases[i].line, answer.head);
            answer_free(&answer);
        }
}
END_TEST

START_TEST(several_lines_of_accept_encoding_are_one_list)
{
    static const char *const lines[] = {"Accept-Encoding: br", "Accept-Encoding: gzip", NULL};
    struct answer answer = request(&served, NULL, "/params", lines);

    check_header(&answer, "Content-Encoding", "gzip");
    answer_free(&answer);
}
END_TEST

START_TEST(what_is_compressed_already_is_never_negotiated)
{
    static const char *const paths[] = {"/tile/3/2/5.png", "/tile/3/2/5@2x.png?bits=16",
                                        "/favicon.ico"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct answer plain = request(&served, NULL, paths[i], NULL);
        struct answer asked = get_with(paths[i], "Accept-Encoding: gzip");

        check_header(&asked, "Content-Encoding", NULL);
        check_header(&asked, "Vary", NULL);
        ck_assert(same_header(&plain, &asked, "ETag"));
        ck_assert(same_body(&plain, &asked));
        answer_free(&plain);
        answer_free(&asked);
    }
}
END_TEST

START_TEST(http_1_0_without_accept_encoding_gets_plain_bytes)
{
    static const char old[] = "GET /params HTTP/1.0\r\n\r\n";
    char *answer = raw_exchange(&served, old, sizeof old - 1, 10, NULL);

    ck_assert_int_eq(raw_status(answer), 200);
    ck_assert_ptr_null(strstr(answer, "Content-Encoding"));
    ck_assert_ptr_nonnull(strstr(answer, "\r\n\r\n{\"version\""));
    free(answer);
}
END_TEST

START_TEST(each_coding_is_revalidated_by_its_own_tag)
{
    struct answer packed = get_with("/tile/3/2/5.json?size=4", "Accept-Encoding: gzip"), answer;
    char line[128];
    const char *const lines[] = {"Accept-Encoding: gzip", line, NULL};

    snprintf(line, sizeof line, "If-None-Match: %s", header(&packed, "ETag"));
    answer = request(&served, NULL, "/tile/3/2/5.json?size=4", lines);
    ck_assert_int_eq(answer.status, 304);
    check_header(&answer, "Content-Encoding", NULL);
    answer_free(&answer);
    answer = request(&served, NULL, "/tile/3/2/5.json?size=4", lines + 1);
    ck_assert_int_eq(answer.status, 200);
    answer_free(&answer);
    answer_free(&packed);
}
END_TEST

/* ---- Canonical addresses --------------------------------------------------------------------- */

START_TEST(content_location_is_the_canonical_address)
{
    static const struct {
        const char *path, *location;
    } cases[] = {
        {"/tile/3/2/5", "/tile/3/2/5.png"},
        {"/tile/3/2/5?", "/tile/3/2/5.png"},
        {"/tile/3/2/5?format=json&size=4", "/tile/3/2/5.json?size=4"},
        {"/tile/3/2/5@2x", "/tile/3/2/5@2x.png"},
        {"/tile/3/2/5@2x?v=1&seed=3&size=8", "/tile/3/2/5@2x.png?seed=3&size=8&v=1"},
        {"/tile/3/2/5?gain=0.7&seed=3", "/tile/3/2/5.png?seed=3&persistence=0.7"},
        {"/tile/3/2/5?seed=0&octaves=5&noise=perlin&size=256", "/tile/3/2/5.png"},
        {"/tile/3/2/5?frequency=8.00", "/tile/3/2/5.png"},
        {"/tile/3/2/5?frequency=1e1", "/tile/3/2/5.png?frequency=10"},
        {"/tile/3/2/5?frequency=0.30000", "/tile/3/2/5.png?frequency=0.3"},
        {"/tile/3/2/5?frequency=1048576", "/tile/3/2/5.png?frequency=1048576"},
        {"/tile/3/2/5?amplitude=-0", "/tile/3/2/5.png?amplitude=0"},
        {"/tile/3/2/5?amplitude=1.5E2", "/tile/3/2/5.png?amplitude=150"},
        {"/tile/3/2/5?seed=9223372036854775807", "/tile/3/2/5.png?seed=9223372036854775807"},
        {"/tile/3/2/5?seed=%2D5", "/tile/3/2/5.png?seed=-5"},
        {"/tile/3/2/5.json?bits=16&style=gray", "/tile/3/2/5.json"},
        {"/tile/3/2/5.png?noise=value&fractal=none&lod=off&domain=torus",
         "/tile/3/2/5.png?noise=value&fractal=none&domain=torus&lod=off"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct answer answer = request(&served, NULL, cases[i].path, NULL), again;

        check_header(&answer, "Content-Location", cases[i].location);
        again = request(&served, NULL, cases[i].location, NULL);
        check_header(&again, "Content-Location", cases[i].location);
        check_header(&again, "Cache-Status", "noisetile; hit");
        ck_assert(same_header(&answer, &again, "ETag"));
        ck_assert(same_body(&answer, &again));
        answer_free(&answer);
        answer_free(&again);
    }
}
END_TEST

START_TEST(the_order_of_a_query_does_not_matter)
{
    static const char *const orders[] = {
        "seed=7&octaves=3&size=16&frequency=20&noise=value",
        "noise=value&frequency=20&size=16&octaves=3&seed=7",
        "octaves=3&noise=value&seed=7&frequency=2e1&size=16",
        "size=16&seed=7&noise=value&octaves=3&frequency=20.0",
    };
    struct answer first = get(&served, "/tile/3/2/5.png?%s", orders[0]);

    for (size_t i = 1; i < sizeof orders / sizeof *orders; i++) {
        struct answer other = get(&served, "/tile/3/2/5.png?%s", orders[i]);

        ck_assert(same_header(&first, &other, "ETag"));
        ck_assert(same_header(&first, &other, "Content-Location"));
        ck_assert(same_body(&first, &other));
        check_header(&other, "Cache-Status", "noisetile; hit");
        answer_free(&other);
    }
    answer_free(&first);
}
END_TEST

/* ---- The server's own cache ------------------------------------------------------------------ */

static double timing(const struct answer *answer, const char *name)
{
    const char *text = header(answer, "Server-Timing"), *at;

    ck_assert_ptr_nonnull(text);
    at = strstr(text, name);
    ck_assert_ptr_nonnull(at);
    return strtod(at + strlen(name), NULL);
}

START_TEST(the_first_request_is_a_miss_and_the_second_a_hit)
{
    double renders = server_figure(&served, "renders");
    struct answer first = get(&served, "/tile/5/6/7.png?seed=25&size=512");
    struct answer second = get(&served, "/tile/5/6/7.png?seed=25&size=512");

    check_header(&first, "Cache-Status", "noisetile; fwd=miss; stored");
    check_header(&second, "Cache-Status", "noisetile; hit");
    ck_assert(same_body(&first, &second));
    ck_assert_double_eq(server_figure(&served, "renders"), renders + 1);
    ck_assert_double_gt(timing(&first, "noise;dur="), 0);
    ck_assert_double_gt(timing(&first, "encode;dur="), 0);
    ck_assert_double_ge(timing(&first, "queue;dur="), 0);
    ck_assert_double_lt(timing(&first, "noise;dur="), 1000 * first.seconds);
    answer_free(&first);
    answer_free(&second);
}
END_TEST

START_TEST(without_a_cache_nothing_is_stored)
{
    struct server bare = server_start("--cache", "0", NULL);

    for (int i = 0; i < 2; i++) {
        struct answer answer = get(&bare, "/tile/5/6/7.png");

        check_header(&answer, "Cache-Status", "noisetile; fwd=miss");
        answer_free(&answer);
    }
    ck_assert_double_eq(server_figure(&bare, "renders"), 2);
    ck_assert_int_eq(server_stop(&bare), 0);
}
END_TEST

enum { CROWD = 16 };

static void ask_for_one(size_t i, void *context)
{
    struct answer *answers = context;

    answers[i] = get(&served, "/tile/0/0/0.bin?size=1024&octaves=32&lod=off&lacunarity=1.1");
}

START_TEST(equal_requests_at_once_are_rendered_once)
{
    struct answer answers[CROWD];
    double renders = server_figure(&served, "renders");
    int stored = 0, collapsed = 0, hits = 0;

    in_parallel(CROWD, ask_for_one, answers);
    for (int i = 0; i < CROWD; i++) {
        const char *status = header(&answers[i], "Cache-Status");

        ck_assert_int_eq(answers[i].status, 200);
        stored += strcmp(status, "noisetile; fwd=miss; stored") == 0;
        collapsed += strcmp(status, "noisetile; fwd=miss; collapsed") == 0;
        hits += strcmp(status, "noisetile; hit") == 0;
        ck_assert(same_body(&answers[0], &answers[i]));
    }
    ck_assert_int_eq(stored, 1);
    ck_assert_int_gt(collapsed, 0);
    ck_assert_int_eq(stored + collapsed + hits, CROWD);
    ck_assert_double_eq(server_figure(&served, "renders"), renders + 1);
    for (int i = 0; i < CROWD; i++)
        answer_free(&answers[i]);
}
END_TEST

static TCase *conditions(void)
{
    TCase *tcase = served_group("conditions");

    tcase_add_test(tcase, if_none_match_compares_weakly_and_takes_lists);
    tcase_add_test(tcase, a_list_of_8_kib_is_searched_to_its_end);
    tcase_add_test(tcase, several_lines_of_if_none_match_are_one_list);
    tcase_add_test(tcase, a_304_repeats_the_fields_of_the_200);
    tcase_add_test(tcase, ten_revalidations_are_ten_304_and_render_nothing);
    tcase_add_test(tcase, a_304_renders_nothing_even_if_the_tile_never_was);
    tcase_add_test(tcase, other_conditions_and_ranges_are_ignored);
    return tcase;
}

static TCase *codings(void)
{
    TCase *tcase = served_group("codings");

    tcase_add_test(tcase, gzip_holds_the_same_bytes_under_another_tag);
    tcase_add_test(tcase, accept_encoding_decides);
    tcase_add_test(tcase, several_lines_of_accept_encoding_are_one_list);
    tcase_add_test(tcase, what_is_compressed_already_is_never_negotiated);
    tcase_add_test(tcase, http_1_0_without_accept_encoding_gets_plain_bytes);
    tcase_add_test(tcase, each_coding_is_revalidated_by_its_own_tag);
    return tcase;
}

/* ---- Answers that are sent again ------------------------------------------------------------- */

enum { POOL = 400, WALK = 6000 };

/* What must be the same whenever the same is asked for. */
struct remembered {
    unsigned char *body;
    size_t len;
    char etag[64], location[160], type[64];
};

static void walk_url(char url[160], unsigned i)
{
    static const char *const formats[] = {"png", "json", "bin", "npy"};

    snprintf(url, 160, "/tile/5/%u/%u.%s?size=%u%s", i % 20, i / 20, formats[i % 4], 8 + i % 5 * 24,
             i % 7 == 0 ? "&v=1" : "");
}

static void remember(struct remembered *known, const struct answer *answer)
{
    known->len = answer->len;
    known->body = malloc(answer->len);
    memcpy(known->body, answer->body, answer->len);
    snprintf(known->etag, sizeof known->etag, "%s", header(answer, "ETag"));
    snprintf(known->location, sizeof known->location, "%s", header(answer, "Content-Location"));
    snprintf(known->type, sizeof known->type, "%s", header(answer, "Content-Type"));
}

static void check_remembered(const struct remembered *known, const struct answer *answer,
                             const char *url)
{
    bool whole = answer->status == 200;

    ck_assert_int_eq(header_count(answer, "ETag"), 1);
    ck_assert_str_eq(header(answer, "ETag"), known->etag);
    ck_assert_int_eq(header_count(answer, "Content-Location"), 1);
    ck_assert_str_eq(header(answer, "Content-Location"), known->location);
    ck_assert_int_eq(header_count(answer, "Date"), 1);
    ck_assert_int_eq(header_count(answer, "X-Request-Id"), 1);
    ck_assert_int_eq(header_count(answer, "Content-Length"), 1);
    if (whole)
        ck_assert_str_eq(header(answer, "Content-Type"), known->type);
    ck_assert_msg(!whole || (answer->len == known->len &&
                             memcmp(answer->body, known->body, answer->len) == 0),
                  "another body than before for %s", url);
}

/*
 * A cache that holds a part of what is asked for, so that bodies come and go and one is made where
 * another was: whatever the server keeps ready, every answer is the one that belongs to its target.
 */
START_TEST(an_answer_that_is_sent_again_belongs_to_its_target)
{
    static struct remembered known[POOL];
    struct server small = server_start("--cache", "1", "--http-threads", "2", NULL);
    uint64_t random = 5;
    unsigned again = 0, unchanged = 0;

    for (unsigned step = 0; step < WALK; step++) {
        char url[160], id[64], condition[96];
        const char *fields[4] = {NULL};
        struct answer answer;
        unsigned i, n = 0;

        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        i = (unsigned)(random >> 33) % ((random >> 60) % 2 == 0 ? POOL : POOL / 20);
        walk_url(url, i);
        snprintf(id, sizeof id, "X-Request-Id: %0*u", 1 + (int)(step % 40), step);
        if (step % 3 == 0)
            fields[n++] = id;
        snprintf(condition, sizeof condition, "If-None-Match: %s", known[i].etag);
        if (step % 5 == 0 && known[i].body != NULL)
            fields[n++] = condition;
        answer = request(&small, NULL, url, fields);
        ck_assert_int_eq(answer.status, n > 0 && fields[n - 1] == condition ? 304 : 200);
        if (known[i].body == NULL)
            remember(&known[i], &answer);
        check_remembered(&known[i], &answer, url);
        if (step % 3 == 0)
            ck_assert_str_eq(header(&answer, "X-Request-Id"), id + strlen("X-Request-Id: "));
        else
            ck_assert_uint_eq(strlen(header(&answer, "X-Request-Id")), 16);
        again += header(&answer, "Cache-Status") != NULL &&
                 strcmp(header(&answer, "Cache-Status"), "noisetile; hit") == 0;
        unchanged += answer.status == 304;
        answer_free(&answer);
    }
    ck_assert_uint_gt(again, WALK / 10);
    ck_assert_uint_gt(unchanged, WALK / 20);
    ck_assert(server_figure(&small, "cache.evictions") > 100);
    ck_assert_int_eq(server_stop(&small), 0);
    for (unsigned i = 0; i < POOL; i++)
        free(known[i].body);
}
END_TEST

/*
 * One target is spelt in many ways and asked for in many; the server remembers what a spelling
 * means and keeps answers ready. A server without a cache never does so with a 200.
 */
START_TEST(what_is_remembered_of_a_target_changes_no_answer)
{
    enum { STEPS = 3000 };
    static const char *const paths[] = {
        "/tile/3/2/5.json?size=16",
        "/tile/3/2/5.json?size=16&seed=0",
        "/tile/3/2/5.json?seed=0&size=16",
        "/tile/3/2/5.json?v=1&size=16",
        "/tile/3/2/5.json?size=%316",
        "/tile/3/2/5@2x.json?size=16",
        "/tile/3/2/5.json?size=16&seed=x",
        "/tile/3/2/5.json%3fsize=16",
        "http://a.example/tile/3/2/5.json?size=16",
        "/tile/3/2/5.png?size=16",
        "/tile/3/2/5.png?",
        "/tile/3/2/5?size=16",
        "/tile/3/9/5.png",
        "/sample?x=0.5",
        "/sample?x=.5",
        "/params",
    };
    static const char *const codings[] = {"Accept-Encoding: gzip", "Accept-Encoding: gzip;q=0",
                                          "Accept-Encoding: identity, *;q=0", "Accept-Encoding: *",
                                          "Accept-Encoding:"};
    static const char *const methods[] = {"GET", "GET", "HEAD", "OPTIONS"};
    static const char *const names[] = {
        "Content-Type", "Content-Encoding", "Cache-Control", "ETag", "Vary",
        "Allow",        "Content-Location", "Connection"};
    enum { PATHS = sizeof paths / sizeof *paths };
    struct server plain = server_start("--cache", "0", "--http-threads", "1", NULL);
    struct server small = server_start("--cache", "1", "--http-threads", "1", NULL);
    char tags[PATHS][96] = {{0}};
    uint64_t random = 11;

    for (unsigned step = 0; step < STEPS; step++) {
        const char *fields[3] = {NULL}, *path, *method;
        struct answer a, b;

        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        path = paths[(random >> 33) % PATHS];
        method = methods[(random >> 40) % 4];
        fields[0] = codings[(random >> 45) % 5];
        if ((random >> 50) % 4 == 0) /* another spelling's, perhaps */
            fields[1] = tags[(random >> 55) % PATHS];
        if (fields[1] != NULL && *fields[1] == '\0')
            fields[1] = NULL;
        a = request(&small, method, path, fields);
        b = request(&plain, method, path, fields);
        ck_assert_msg(a.status == b.status, "%s %s: %ld, not %ld", method, path, a.status,
                      b.status);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            ck_assert_msg(same_header(&a, &b, names[i]), "%s of %s %s", names[i], method, path);
        if (a.status != 304) /* of what is in the cache it has a Content-Length */
            ck_assert(same_header(&a, &b, "Content-Length"));
        ck_assert_msg(a.status != 200 || same_body(&a, &b), "%s %s", method, path);
        if (header(&a, "ETag") != NULL)
            snprintf(tags[(random >> 33) % PATHS], sizeof *tags, "If-None-Match: %s",
                     header(&a, "ETag"));
        answer_free(&a);
        answer_free(&b);
    }
    ck_assert_double_gt(server_figure(&small, "cache.hits"), STEPS / 4);
    ck_assert_int_eq(server_stop(&small), 0);
    ck_assert_int_eq(server_stop(&plain), 0);
}
END_TEST

/* Asks and does not read yet. */
static int ask_slowly(const struct server *server, const char *path, unsigned id)
{
    char bytes[256];
    int fd = raw_connect(server);
    int n =
        snprintf(bytes, sizeof bytes,
                 "GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: slow-%u\r\n\r\n",
                 path, id);

    ck_assert_int_ge(fd, 0);
    ck_assert(raw_send(fd, bytes, (size_t)n));
    return fd;
}

static void check_slow(int fd, unsigned id, const struct answer *like)
{
    size_t cap = like->len + 8192, len;
    char *text = malloc(cap), line[64], *body;
    bool closed;

    len = raw_read(fd, text, cap, 30, &closed);
    close(fd);
    ck_assert(closed);
    snprintf(line, sizeof line, "\r\nX-Request-Id: slow-%u\r\n", id);
    body = strstr(text, "\r\n\r\n");
    ck_assert_ptr_nonnull(body);
    body += 4;
    ck_assert_ptr_nonnull(memmem(text, (size_t)(body - text), line, strlen(line)));
    ck_assert_uint_eq(len - (size_t)(body - text), like->len);
    ck_assert(memcmp(body, like->body, like->len) == 0);
    free(text);
}

/*
 * Twelve wait with the same 4 MiB half sent, while the head that they share is made other clients'
 * and the body is pushed out of the cache and made again: each gets its own head and all bytes.
 */
START_TEST(slow_readers_of_one_answer_get_their_own_head_and_its_body)
{
    enum { READERS = 12, OTHERS = 20 };
    static const char path[] = "/tile/5/1/1.bin?size=1024";
    struct server small = server_start("--cache", "32", "--http-threads", "1", NULL);
    struct answer first = request(&small, NULL, path, NULL), again;
    int fds[READERS];

    ck_assert_uint_eq(first.len, 4u << 20);
    for (unsigned i = 0; i < READERS; i++) {
        fds[i] = ask_slowly(&small, path, i);
        again = request(&small, NULL, path, NULL);
        check_header(&again, "Cache-Status", "noisetile; hit");
        ck_assert(same_body(&again, &first));
        answer_free(&again);
    }
    close(ask_slowly(&small, path, READERS)); /* and one that goes away */
    for (unsigned i = 0; i < OTHERS; i++) {
        again = get(&small, "/tile/5/%u/2.bin?size=1024", i);
        ck_assert_int_eq(again.status, 200);
        answer_free(&again);
    }
    again = request(&small, NULL, path, NULL);
    check_header(&again, "Cache-Status", "noisetile; fwd=miss; stored");
    ck_assert(same_body(&again, &first));
    answer_free(&again);
    for (unsigned i = READERS; i-- > 0;)
        check_slow(fds[i], i, &first);
    answer_free(&first);
    ck_assert_int_eq(server_stop(&small), 0);
}
END_TEST

/* Two formatted dates, one after the other: the later one has gone on. */
START_TEST(the_date_of_an_answer_that_is_sent_again_goes_on)
{
    struct answer first = get(&served, "/tile/3/2/5.png?seed=77"), answer;
    char dates[2][64];

    answer_free(&first);
    for (int i = 0; i < 2; i++) {
        time_t before = time(NULL), said;
        struct tm parts = {0};

        answer = get(&served, "/tile/3/2/5.png?seed=77");
        snprintf(dates[i], sizeof dates[i], "%s", header(&answer, "Date"));
        ck_assert_ptr_nonnull(strptime(dates[i], "%a, %d %b %Y %H:%M:%S GMT", &parts));
        said = timegm(&parts);
        ck_assert_msg(said >= before - 1 && said <= time(NULL), "%s", dates[i]);
        answer_free(&answer);
        if (i == 0)
            nanosleep(&(struct timespec){1, 100000000}, NULL);
    }
    ck_assert_str_ne(dates[0], dates[1]);
}
END_TEST

Suite *caching_suite(void)
{
    Suite *suite = suite_create("caching");
    TCase *tags = served_group("tags"), *addresses = served_group("addresses"),
          *own = served_group("own cache");

    tcase_add_test(tags, ten_thousand_different_tiles_have_ten_thousand_entity_tags);
    tcase_add_test(tags, an_entity_tag_is_the_urls_and_outlives_the_process);
    tcase_add_test(tags, the_version_pins_the_lifetime_and_not_the_bytes);
    tcase_add_test(addresses, content_location_is_the_canonical_address);
    tcase_add_test(addresses, the_order_of_a_query_does_not_matter);
    tcase_add_test(own, the_first_request_is_a_miss_and_the_second_a_hit);
    tcase_add_test(own, without_a_cache_nothing_is_stored);
    tcase_add_test(own, equal_requests_at_once_are_rendered_once);
    tcase_add_test(own, an_answer_that_is_sent_again_belongs_to_its_target);
    tcase_add_test(own, what_is_remembered_of_a_target_changes_no_answer);
    tcase_add_test(own, slow_readers_of_one_answer_get_their_own_head_and_its_body);
    tcase_add_test(own, the_date_of_an_answer_that_is_sent_again_goes_on);
    suite_add_tcase(suite, tags);
    suite_add_tcase(suite, conditions());
    suite_add_tcase(suite, codings());
    suite_add_tcase(suite, addresses);
    suite_add_tcase(suite, own);
    return suite;
}
