/*
 * Every header field of every class of answer, and what HEAD, OPTIONS, request ids and the access
 * log promise. Whether caching's validators work is in test_caching.c.
 */
#include <check.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/e2e/checks.h"
#include "tests/suites.h"

static const char for_ever[] = "public, max-age=31536000, immutable";
static const char for_a_day[] =
    "public, max-age=86400, stale-while-revalidate=604800, stale-if-error=604800";
static const char document[] = "public, max-age=300";
static const char mistake[] = "public, max-age=60";
static const char no_store[] = "no-store";

static bool matches(const char *text, const char *pattern)
{
    regex_t regex;
    bool found;

    ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    found = text != NULL && regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* Fields that an answer has; it has none of the others. */
enum {
    ETAG = 1,
    LOCATION = 2,
    VARY = 4,
    TILE = 8, /* Cache-Status and Server-Timing */
    ALLOW = 16,
    PREFLIGHT = 32,
    RETRY = 64,
};

static char long_line[17000]; /* a header field that is too large */
static char long_path[9000];

static const struct class
{
    const char *method, *path, *field;
    int status;
    const char *type, *cache_control;
    int has;
} classes[] = {
    {"GET", "/tile/3/2/5.png?v=1", NULL, 200, "image/png", for_ever, ETAG | LOCATION | TILE},
    {"GET", "/tile/3/2/5.json?v=1", NULL, 200, "application/json", for_ever,
     ETAG | LOCATION | TILE | VARY},
    {"GET", "/tile/3/2/5", NULL, 200, "image/png", for_a_day, ETAG | LOCATION | TILE},
    {"GET", "/tile/3/2/5@2x.png?bits=16", NULL, 200, "image/png", for_a_day,
     ETAG | LOCATION | TILE},
    {"GET", "/tile/3/2/5.json?size=4", NULL, 200, "application/json", for_a_day,
     ETAG | LOCATION | TILE | VARY},
    {"GET", "/tile/3/2/5.bin?size=4", NULL, 200, "application/octet-stream", for_a_day,
     ETAG | LOCATION | TILE | VARY},
    {"GET", "/tile/3/2/5.npy?size=4", NULL, 200, "application/octet-stream", for_a_day,
     ETAG | LOCATION | TILE | VARY},
    {"GET", "/tile/3/2/5.r16?size=4", NULL, 200, "application/octet-stream", for_a_day,
     ETAG | LOCATION | TILE | VARY},
    {"GET", "/tile/3/2/5.r16?size=4", "Accept-Encoding: gzip", 200, "application/octet-stream",
     for_a_day, ETAG | LOCATION | TILE | VARY},
    {"GET", "/tile/3/2/5.png", "Accept-Encoding: gzip", 200, "image/png", for_a_day,
     ETAG | LOCATION | TILE},
    {"GET", "/tile/3/2/5.png", "Origin: https://evil.example", 200, "image/png", for_a_day,
     ETAG | LOCATION | TILE},
    {"HEAD", "/tile/3/2/5.png", NULL, 200, "image/png", for_a_day, ETAG | LOCATION | TILE},
    {"GET", "/sample?x=0&y=0", NULL, 200, "application/json", for_a_day,
     ETAG | LOCATION | TILE | VARY},
    {"GET", "/sample?x=0&y=0&v=1", "Accept-Encoding: gzip", 200, "application/json", for_ever,
     ETAG | LOCATION | TILE | VARY},
    {"HEAD", "/sample?lon=0&lat=0", NULL, 200, "application/json", for_a_day,
     ETAG | LOCATION | TILE | VARY},
    {"GET", "/params", NULL, 200, "application/json", document, ETAG | VARY},
    {"GET", "/verify", NULL, 200, "application/json", document, ETAG | VARY},
    {"HEAD", "/verify", "Accept-Encoding: gzip", 200, "application/json", document, ETAG | VARY},
    {"GET", "/params", "Accept-Encoding: gzip", 200, "application/json", document, ETAG | VARY},
    {"GET", "/", NULL, 200, "text/html; charset=utf-8", document, ETAG | VARY},
    {"HEAD", "/", NULL, 200, "text/html; charset=utf-8", document, ETAG | VARY},
    {"GET", "/favicon.ico", NULL, 200, "image/x-icon", document, ETAG},
    {"GET", "/robots.txt", NULL, 200, "text/plain; charset=utf-8", document, ETAG},
    {"GET", "/health/live", NULL, 200, "application/json", no_store, 0},
    {"HEAD", "/health/live", NULL, 200, "application/json", no_store, 0},
    {"GET", "/health/ready", NULL, 200, "application/json", no_store, 0},
    {"HEAD", "/health/ready", NULL, 200, "application/json", no_store, 0},
    {"GET", "/tile/3/2/5.png?v=1", "If-None-Match: *", 304, NULL, for_ever, ETAG | LOCATION},
    {"GET", "/tile/3/2/5.json", "If-None-Match: *", 304, NULL, for_a_day, ETAG | LOCATION | VARY},
    {"HEAD", "/tile/3/2/5.png", "If-None-Match: *", 304, NULL, for_a_day, ETAG | LOCATION},
    {"GET", "/sample?x=0&y=0", "If-None-Match: *", 304, NULL, for_a_day, ETAG | LOCATION | VARY},
    {"GET", "/params", "If-None-Match: *", 304, NULL, document, ETAG | VARY},
    {"GET", "/verify", "If-None-Match: *", 304, NULL, document, ETAG | VARY},
    {"GET", "/", "If-None-Match: *", 304, NULL, document, ETAG | VARY},
    {"GET", "/favicon.ico", "If-None-Match: *", 304, NULL, document, ETAG},
    {"OPTIONS", "/tile/3/2/5.png", NULL, 204, NULL, no_store, ALLOW | PREFLIGHT},
    {"OPTIONS", "/sample", NULL, 204, NULL, no_store, ALLOW | PREFLIGHT},
    {"OPTIONS", "/health/live", NULL, 204, NULL, no_store, ALLOW | PREFLIGHT},
    {"OPTIONS", "/params", "Access-Control-Request-Headers: if-none-match", 204, NULL, no_store,
     ALLOW | PREFLIGHT},
    {"GET", "/tile/3/2/05.png", NULL, 400, "application/problem+json", mistake, 0},
    {"GET", "/tile/3/2/5.png?seed=x", "If-None-Match: *", 400, "application/problem+json", mistake,
     0},
    {"GET", "/sample", NULL, 400, "application/problem+json", mistake, 0},
    {"GET", "/sample?x=0&y=0&size=1", NULL, 400, "application/problem+json", mistake, 0},
    {"GET", "/%", NULL, 400, "application/problem+json", mistake, 0},
    {"GET", "/params?a=1", NULL, 400, "application/problem+json", mistake, 0},
    {"GET", "/", "Host: a b", 400, "application/problem+json", mistake, 0},
    {"HEAD", "/tile/3/2/05.png", NULL, 400, "application/problem+json", mistake, 0},
    {"GET", "/nope", NULL, 404, "application/problem+json", mistake, 0},
    {"GET", "/tile/3/8/0.png", NULL, 404, "application/problem+json", mistake, 0},
    {"GET", "/tile/3/2/5.jpg", NULL, 404, "application/problem+json", mistake, 0},
    {"GET", "/tile/3/2/5.png?v=2", "Accept-Encoding: gzip", 404, "application/problem+json",
     mistake, 0},
    {"GET", "/sample?x=0&y=0&v=2", NULL, 404, "application/problem+json", mistake, 0},
    {"HEAD", "/nope", NULL, 404, "application/problem+json", mistake, 0},
    {"POST", "/tile/3/2/5.png", NULL, 405, "application/problem+json", mistake, ALLOW},
    {"GET", "/", "Content-Length: 5", 413, "application/problem+json", mistake, 0},
    {"GET", long_path, NULL, 414, "application/problem+json", mistake, 0},
    {"GET", "/", long_line, 431, "application/problem+json", mistake, 0},
};
enum { CLASSES = sizeof classes / sizeof *classes };

static void check_if(const struct answer *answer, bool has, const char *name, const char *pattern)
{
    ck_assert_msg(header_count(answer, name) == has, "%d lines of %s, not %d, in\n%s",
                  header_count(answer, name), name, has, answer->head);
    ck_assert_msg(!has || matches(header(answer, name), pattern), "%s does not match %s in\n%s",
                  name, pattern, answer->head);
}

/* On every answer of ours, whatever it is. */
static void check_common(const struct answer *answer)
{
    static const char *const exposed[] = {"ETag",          "Content-Location", "Cache-Status",
                                          "Server-Timing", "Retry-After",      "X-Request-Id"};

    check_header(answer, "Access-Control-Allow-Origin", "*");
    check_header(answer, "Access-Control-Allow-Credentials", NULL);
    check_header(answer, "Cross-Origin-Resource-Policy", "cross-origin");
    check_header(answer, "Timing-Allow-Origin", "*");
    check_header(answer, "X-Content-Type-Options", "nosniff");
    check_header(answer, "Last-Modified", NULL);
    check_header(answer, "Set-Cookie", NULL);
    check_if(answer, true, "X-Request-Id", "^[A-Za-z0-9._-]+$");
    check_if(answer, true, "Date", " GMT$");
    check_if(answer, true, "Access-Control-Expose-Headers", ".");
    for (size_t i = 0; i < sizeof exposed / sizeof *exposed; i++)
        ck_assert_msg(strstr(header(answer, "Access-Control-Expose-Headers"), exposed[i]) != NULL,
                      "%s is not exposed", exposed[i]);
}

static void check_length(const struct answer *answer, const char *method)
{
    char len[32];

    snprintf(len, sizeof len, "%zu", answer->len);
    if (answer->status == 204)
        check_header(answer, "Content-Length", NULL);
    else if (answer->status != 304 && strcmp(method, "HEAD") != 0)
        check_header(answer, "Content-Length", len);
    if (answer->status == 204 || answer->status == 304 || strcmp(method, "HEAD") == 0)
        ck_assert_uint_eq(answer->len, 0);
}

static void check_class(const struct answer *answer, const struct class *class)
{
    bool bodyless = class->status == 204 || class->status == 304;

    ck_assert_msg(answer->status == class->status, "%s %.100s, %.40s: %ld, not %d", class->method,
                  class->path, class->field != NULL ? class->field : "", answer->status,
                  class->status);
    check_common(answer);
    check_length(answer, class->method);
    check_header(answer, "Content-Type", class->type);
    check_header(answer, "Cache-Control", class->cache_control);
    check_if(answer, class->has & ETAG, "ETag", "^\"[!#-~]+\"$");
    check_if(answer, class->has & LOCATION, "Content-Location",
             "^/(tile/[^?]+\\.[a-z0-9]+(\\?.+)?|sample\\?.+)$");
    check_if(answer, class->has & VARY, "Vary", "^Accept-Encoding$");
    check_if(answer, class->has & TILE, "Cache-Status", "^noisetile; (hit|fwd=miss)");
    check_if(answer, class->has & TILE, "Server-Timing",
             "^queue;dur=[0-9.]+, noise;dur=[0-9.]+, encode;dur=[0-9.]+$");
    check_if(answer, class->has & ALLOW, "Allow", "^GET, HEAD, OPTIONS$");
    check_if(answer, class->has & RETRY, "Retry-After", "^[1-9][0-9]*$");
    check_if(answer, class->has & PREFLIGHT, "Access-Control-Allow-Methods",
             "^GET, HEAD, OPTIONS$");
    check_if(answer, class->has & PREFLIGHT, "Access-Control-Allow-Headers", "If-None-Match");
    check_if(answer, class->has & PREFLIGHT, "Access-Control-Max-Age", "^86400$");
    if (bodyless)
        check_header(answer, "Content-Encoding", NULL);
}

static void fill(char *text, size_t size, const char *begin)
{
    memset(text, 'a', size - 1);
    memcpy(text, begin, strlen(begin));
}

START_TEST(every_class_of_answer_has_its_fields_and_no_others)
{
    const struct class *class = &classes[_i];
    const char *const fields[] = {class->field, NULL};

    fill(long_line, sizeof long_line, "X-Large: ");
    fill(long_path, sizeof long_path, "/?");
    for (int again = 0; again < 2; again++) { /* the second comes out of the cache */
        struct answer answer = request(&served, class->method, class->path, fields);

        check_class(&answer, class);
        answer_free(&answer);
    }
}
END_TEST

/* ---- 503 ------------------------------------------------------------------------------------- */

enum { CROWD = 8 };

struct crowd {
    struct server server;
    struct answer answers[CROWD];
};

static void join_crowd(size_t i, void *context)
{
    struct crowd *crowd = context;

    crowd->answers[i] =
        get(&crowd->server,
            "/tile/0/0/0@2x.png?size=1024&octaves=32&lod=off&lacunarity=1.01&seed=%d", (int)i);
}

START_TEST(an_answer_of_a_full_queue_has_its_fields)
{
    static const struct class full = {
        "GET", "a heavy tile", NULL, 503, "application/problem+json", no_store, RETRY};
    struct crowd crowd = {
        .server = server_start("--workers", "1", "--queue", "1", "--queue-wait", "60000", NULL)};
    int refused = 0;

    in_parallel(CROWD, join_crowd, &crowd);
    for (int i = 0; i < CROWD; i++) {
        if (crowd.answers[i].status != 200) {
            check_class(&crowd.answers[i], &full);
            check_problem(&crowd.answers[i], 503, NULL, "queue full");
            refused++;
        }
        answer_free(&crowd.answers[i]);
    }
    ck_assert_int_gt(refused, 0);
    ck_assert_int_lt(refused, CROWD);
    ck_assert_int_eq(server_stop(&crowd.server), 0);
}
END_TEST

START_TEST(readiness_while_draining_has_its_fields)
{
    static const struct class draining = {
        "GET", "/health/ready", NULL, 503, "application/json", no_store, RETRY};
    struct server server = server_start("--drain-delay", "30", NULL);
    struct answer answer = get(&server, "/health/ready");
    double end = seconds_now() + 10;

    ck_assert_int_eq(answer.status, 200);
    server_signal(&server, SIGTERM);
    while (answer.status == 200 && seconds_now() < end) {
        answer_free(&answer);
        answer = get(&server, "/health/ready");
    }
    check_class(&answer, &draining);
    answer_free(&answer);
    answer = get(&server, "/health/live");
    ck_assert_int_eq(answer.status, 200);
    answer_free(&answer);
    server_signal(&server, SIGKILL);
    ck_assert_int_eq(server_wait(&server, 10), 128 + SIGKILL);
}
END_TEST

/* ---- HEAD and OPTIONS ------------------------------------------------------------------------ */

static const char *const resources[] = {
    "/tile/1/0/1.png",
    "/tile/1/0/1.json?size=16",
    "/tile/1/0/1.bin?size=16",
    "/tile/1/0/1.npy?size=16",
    "/tile/1/0/1.r16?size=16",
    "/sample?x=0.5&y=0.25&nx=9&dx=0.1",
    "/params",
    "/verify",
    "/health/live",
    "/",
    "/favicon.ico",
    "/robots.txt",
    "/nope",
    "/tile/1/0/1.png?seed=x",
};

START_TEST(head_has_the_fields_of_get_and_no_body)
{
    static const char *const same[] = {"Content-Type", "Content-Length", "Cache-Control",
                                       "ETag",         "Vary",           "Content-Location"};
    static const char *const codings[] = {"Accept-Encoding: identity", "Accept-Encoding: gzip"};

    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
        for (size_t c = 0; c < 2; c++) {
            const char *const fields[] = {codings[c], NULL};
            struct answer head = request(&served, "HEAD", resources[i], fields);
            struct answer get = request(&served, "GET", resources[i], fields);

            ck_assert_int_eq(head.status, get.status);
            ck_assert_uint_eq(head.len, 0);
            ck_assert_msg(get.reused, "%s: the connection did not survive HEAD", resources[i]);
            for (size_t k = 0; k < sizeof same / sizeof *same; k++)
                ck_assert_msg(same_header(&head, &get, same[k]), "%s: %s differs:\n%s%s",
                              resources[i], same[k], head.head, get.head);
            check_if(&head, true, "Content-Length", "^[1-9][0-9]*$");
            answer_free(&head);
            answer_free(&get);
        }
}
END_TEST

START_TEST(head_renders_a_cold_tile)
{
    double renders = server_figure(&served, "renders");
    struct answer answer = request(&served, "HEAD", "/tile/9/1/1.png?seed=29", NULL);

    check_header(&answer, "Cache-Status", "noisetile; fwd=miss; stored");
    ck_assert_double_eq(server_figure(&served, "renders"), renders + 1);
    answer_free(&answer);
    answer = get(&served, "/tile/9/1/1.png?seed=29");
    check_header(&answer, "Cache-Status", "noisetile; hit");
    answer_free(&answer);
}
END_TEST

/* The bytes on the wire, since libcurl would hide a body behind HEAD. */
START_TEST(no_byte_of_a_body_follows_head_or_304_or_204)
{
    static const char bytes[] =
        "HEAD /params HTTP/1.1\r\nHost: a\r\n\r\n"
        "HEAD /tile/0/0/0.json?size=2 HTTP/1.1\r\nHost: a\r\n\r\n"
        "HEAD /nope HTTP/1.1\r\nHost: a\r\n\r\n"
        "GET /params HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n"
        "GET /tile/0/0/0.json HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n"
        "OPTIONS /params HTTP/1.1\r\nHost: a\r\n\r\n"
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"
        "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    bool closed;
    char *text = raw_exchange(&served, bytes, sizeof bytes - 1, 10, &closed), *at = text, *end;
    int answers = 0;

    ck_assert(closed);
    for (; (end = strstr(at, "\r\n\r\n")) != NULL; at = end + 4, answers++)
        ck_assert_msg(strncmp(at, "HTTP/1.1 ", 9) == 0, "answer %d begins with %.40s", answers, at);
    ck_assert_int_eq(answers, 8);
    ck_assert_str_eq(at, "{\"status\":\"live\"}");
    free(text);
}
END_TEST

START_TEST(options_of_an_unknown_path_is_404)
{
    struct answer answer = request(&served, "OPTIONS", "/nope", NULL);

    check_problem(&answer, 404, NULL, "OPTIONS /nope");
    answer_free(&answer);
}
END_TEST

/* ---- Request ids and the access log ---------------------------------------------------------- */

START_TEST(a_harmless_request_id_is_kept)
{
    static const char *const ids[] = {"a", "0", "trace-1.2_3", "0af7651916cd43dd8448eb211c80319c"};
    char line[128];

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct answer answer;

        snprintf(line, sizeof line, "X-Request-Id: %s", ids[i]);
        answer = get_with("/health/live", line);
        check_header(&answer, "X-Request-Id", ids[i]);
        answer_free(&answer);
        answer = get_with("/nope", line);
        check_header(&answer, "X-Request-Id", ids[i]);
        answer_free(&answer);
    }
}
END_TEST

START_TEST(any_other_request_id_is_replaced_by_a_new_one)
{
    static const char *const lines[] = {
        "X-Request-Id;",      "X-Request-Id: a b",
        "X-Request-Id: a\"b", "X-Request-Id: <b>",
        "X-Request-Id: a,b",  "X-Request-Id: \xff\xfe",
        "X-Request-Id: a\\n", "X-Request-Id: {\"a\":1}",
        "X-Request-Id: a/b",  "X-Request-Id: %0d%0aa",
        "Accept: */*",
    };
    char last[64] = "", line[600];

    fill(line, sizeof line, "X-Request-Id: ");
    for (size_t i = 0; i <= sizeof lines / sizeof *lines; i++) {
        const char *sent = i < sizeof lines / sizeof *lines ? lines[i] : line;
        struct answer answer = get_with("/health/live", sent);

        ck_assert_int_eq(answer.status, 200);
        check_if(&answer, true, "X-Request-Id", "^[0-9a-f]{16}$");
        ck_assert_str_ne(header(&answer, "X-Request-Id"), last);
        snprintf(last, sizeof last, "%s", header(&answer, "X-Request-Id"));
        answer_free(&answer);
    }
}
END_TEST

static const char *text_in(const cJSON *line, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, key));

    return text != NULL ? text : "";
}

/* The log line of the answer's id, which is strict JSON. */
static cJSON *logged(const struct answer *answer)
{
    char wanted[160], *text;
    cJSON *line;

    snprintf(wanted, sizeof wanted, "\"id\":\"%s\"", header(answer, "X-Request-Id"));
    text = server_log_line(&served, wanted);
    ck_assert_msg(text != NULL, "no log line with %s", wanted);
    ck_assert_msg(json_is_strict(text, strlen(text)), "not JSON: %s", text);
    line = cJSON_Parse(text);
    free(text);
    return line;
}

START_TEST(the_access_log_has_one_json_line_for_an_answer_with_its_id)
{
    static const char *const fields[] = {"X-Request-Id: log-test-1", NULL};
    struct answer answer = request(&served, NULL, "/tile/7/1/2.png?seed=77", fields);
    cJSON *line = logged(&answer);

    ck_assert_str_eq(text_in(line, "event"), "request");
    ck_assert_str_eq(text_in(line, "id"), "log-test-1");
    ck_assert_str_eq(text_in(line, "method"), "GET");
    ck_assert_str_eq(text_in(line, "path"), "/tile/7/1/2.png?seed=77");
    ck_assert_str_eq(text_in(line, "client"), "127.0.0.1");
    ck_assert_str_eq(text_in(line, "cache"), "miss");
    ck_assert_int_eq(cJSON_GetObjectItem(line, "status")->valueint, 200);
    ck_assert_int_eq(cJSON_GetObjectItem(line, "bytes")->valueint, (int)answer.len);
    ck_assert_double_ge(cJSON_GetObjectItem(line, "ms")->valuedouble, 0);
    cJSON_Delete(line);
    answer_free(&answer);
}
END_TEST

START_TEST(a_log_line_survives_hostile_bytes)
{
    static const struct {
        const char *path, *id;
    } hostile[] = {
        {"/\"},{\"event\":\"forged", "X-Request-Id: x\",\"status\":\"200"},
        {"/\xff\xfe\xc0\x80\xed\xa0\x80", "X-Request-Id: \xff"},
        {"/\x01\x02\x1f\x7f\x1b[31m", "X-Request-Id: {}"},
        {"/tile/0/0/0.png?seed=%0a%0d{\"event\":\"forged\"}", "X-Request-Id: a\tb"},
        {"/%s%n%1000000d", "X-Request-Id: %s%n"},
        {"/\\u0000\\", "X-Request-Id: \\"},
        {"/\xe2\x80\xa8\xc2\x85", "X-Request-Id: \xe2\x80\xa8"},
    };
    char *log;

    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        struct answer answer = get_with(hostile[i].path, hostile[i].id);
        cJSON *line = logged(&answer);

        ck_assert_str_eq(text_in(line, "event"), "request");
        ck_assert_int_eq(cJSON_GetObjectItem(line, "status")->valueint, (int)answer.status);
        cJSON_Delete(line);
        answer_free(&answer);
    }
    log = server_log(&served);
    ck_assert_ptr_null(strstr(log, "\n{\"event\":\"forged"));
    free(log);
}
END_TEST

START_TEST(every_log_line_is_strict_json)
{
    char *log = server_log(&served), *line = log, *end;
    int lines = 0;

    for (; (end = strchr(line, '\n')) != NULL; line = end + 1, lines++) {
        *end = '\0';
        ck_assert_msg(json_is_strict(line, (size_t)(end - line)), "%s", line);
    }
    ck_assert_int_gt(lines, 0);
    free(log);
}
END_TEST

Suite *headers_suite(void)
{
    Suite *suite = suite_create("headers");
    TCase *fields = served_group("fields"), *methods = served_group("head and options"),
          *ids = served_group("ids");
    TCase *overload = tcase_create("503");

    tcase_add_loop_test(fields, every_class_of_answer_has_its_fields_and_no_others, 0, CLASSES);
    tcase_set_timeout(overload, SERVED_TIMEOUT_S);
    tcase_add_test(overload, an_answer_of_a_full_queue_has_its_fields);
    tcase_add_test(overload, readiness_while_draining_has_its_fields);
    tcase_add_test(methods, head_has_the_fields_of_get_and_no_body);
    tcase_add_test(methods, head_renders_a_cold_tile);
    tcase_add_test(methods, no_byte_of_a_body_follows_head_or_304_or_204);
    tcase_add_test(methods, options_of_an_unknown_path_is_404);
    tcase_add_test(ids, a_harmless_request_id_is_kept);
    tcase_add_test(ids, any_other_request_id_is_replaced_by_a_new_one);
    tcase_add_test(ids, the_access_log_has_one_json_line_for_an_answer_with_its_id);
    tcase_add_test(ids, a_log_line_survives_hostile_bytes);
    tcase_add_test(ids, every_log_line_is_strict_json);
    suite_add_tcase(suite, fields);
    suite_add_tcase(suite, overload);
    suite_add_tcase(suite, methods);
    suite_add_tcase(suite, ids);
    return suite;
}
