/* checks.c - see checks.h. */
#include "tests/e2e/checks.h"

#include <check.h>
#include <iconv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct server served;

static void served_start(void)
{
    /* However slow the machine: only tests of overload want a 503. */
    served = server_start("--queue-wait", "60000", NULL);
}

static void served_stop(void)
{
    int status = server_stop(&served);

    if (status == 0)
        return;
    /* Check drops failures in here, so they need to be loud. */
    fprintf(stderr, "the server ended with status %d, its log:\n%s\n", status, server_log(&served));
    exit(EXIT_FAILURE);
}

TCase *served_group(const char *name)
{
    TCase *tcase = tcase_create(name);

    tcase_set_timeout(tcase, SERVED_TIMEOUT_S);
    tcase_add_unchecked_fixture(tcase, served_start, served_stop);
    return tcase;
}

/* ---- Requests -------------------------------------------------------------------------------- */

struct answer get_with(const char *path, const char *line)
{
    const char *const lines[] = {line, NULL};

    return request(&served, NULL, path, lines);
}

bool same_header(const struct answer *a, const struct answer *b, const char *name)
{
    const char *of_a = header(a, name), *of_b = header(b, name);

    return of_a == NULL || of_b == NULL ? of_a == of_b : strcmp(of_a, of_b) == 0;
}

bool same_body(const struct answer *a, const struct answer *b)
{
    return a->len == b->len && memcmp(a->body, b->body, a->len) == 0;
}

void check_header(const struct answer *answer, const char *name, const char *value)
{
    const char *is = header(answer, name);

    ck_assert_msg(header_count(answer, name) == (value != NULL), "%d lines of %s in\n%s",
                  header_count(answer, name), name, answer->head);
    ck_assert_msg(value == NULL || strcmp(is, value) == 0, "%s is not '%s' in\n%s", name, value,
                  answer->head);
}

struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    void (*work)(size_t i, void *context);
    void *context;
    size_t i;
};

static void *run_worker(void *data)
{
    struct worker *worker = data;

    pthread_barrier_wait(worker->start);
    worker->work(worker->i, worker->context);
    return NULL;
}

void in_parallel(size_t n, void (*work)(size_t i, void *context), void *context)
{
    struct worker *workers = calloc(n, sizeof *workers);
    pthread_barrier_t start;

    ck_assert_ptr_nonnull(workers);
    pthread_barrier_init(&start, NULL, (unsigned)n);
    for (size_t i = 0; i < n; i++) {
        workers[i] = (struct worker){.start = &start, .work = work, .context = context, .i = i};
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]), 0);
    }
    for (size_t i = 0; i < n; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&start);
    free(workers);
}

/* ---- JSON, strictly: each skips one thing and returns what is behind it, NULL if it is not there
 */

enum { NESTING_MAX = 16 };

static const char *skip_value(const char *at, int nesting);

static const char *skip_blank(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_digits(const char *at)
{
    size_t n = strspn(at, "0123456789");

    return n > 0 ? at + n : NULL;
}

static const char *skip_number(const char *at)
{
    at += *at == '-';
    at = *at == '0' ? at + 1 : skip_digits(at);
    if (at != NULL && *at == '.')
        at = skip_digits(at + 1);
    if (at == NULL || (*at != 'e' && *at != 'E'))
        return at;
    at++;
    return skip_digits(at + (*at == '+' || *at == '-'));
}

static const char *skip_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at != '\\')
            continue;
        at++;
        if (*at == '\0' || strchr("\"\\/bfnrtu", *at) == NULL ||
            (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4))
            return NULL;
    }
    return at + 1;
}

static const char *skip_name(const char *at)
{
    at = skip_string(skip_blank(at));
    if (at == NULL)
        return NULL;
    at = skip_blank(at);
    return *at == ':' ? at + 1 : NULL;
}

/* An array or an object: at stands on the opening bracket. */
static const char *skip_list(const char *at, int nesting)
{
    bool named = *at == '{';
    char close = named ? '}' : ']';

    at = skip_blank(at + 1);
    if (*at == close)
        return at + 1;
    for (;; at++) {
        if (named && (at = skip_name(at)) == NULL)
            return NULL;
        at = skip_value(at, nesting - 1);
        if (at == NULL)
            return NULL;
        at = skip_blank(at);
        if (*at == close)
            return at + 1;
        if (*at != ',')
            return NULL;
    }
}

static const char *skip_value(const char *at, int nesting)
{
    static const char *const words[] = {"true", "false", "null"};

    at = skip_blank(at);
    if (nesting == 0)
        return NULL;
    if (*at == '{' || *at == '[')
        return skip_list(at, nesting);
    if (*at == '"')
        return skip_string(at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return skip_number(at);
}

/* The C library's converter refuses overlong forms, surrogates and what is beyond Unicode. */
static bool is_utf8(const char *text, size_t len)
{
    iconv_t converter = iconv_open("UCS-4LE", "UTF-8");
    char *from = (char *)(uintptr_t)text, *out = malloc(4 * len + 1), *to = out;
    size_t room = 4 * len + 1;
    bool valid;

    ck_assert(converter != (iconv_t)-1);
    ck_assert_ptr_nonnull(out);
    valid = iconv(converter, &from, &len, &to, &room) != (size_t)-1;
    iconv_close(converter);
    free(out);
    return valid;
}

bool json_is_strict(const char *text, size_t len)
{
    const char *end = skip_value(text, NESTING_MAX);

    return end != NULL && skip_blank(end) == text + len && is_utf8(text, len);
}

cJSON *json_of(const struct answer *answer)
{
    const char *text = (const char *)answer->body;
    cJSON *document;

    ck_assert_msg(json_is_strict(text, answer->len), "not strict JSON: %.300s", text);
    document = cJSON_ParseWithLength(text, answer->len);
    ck_assert_msg(document != NULL, "not JSON for cJSON: %.300s", text);
    return document;
}

/* ---- Problems -------------------------------------------------------------------------------- */

static const char *text_in(const cJSON *document, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(document, key));

    return text != NULL ? text : "";
}

void check_problem(const struct answer *answer, int status, const char *parameter, const char *what)
{
    cJSON *problem;

    ck_assert_msg(answer->status == status, "%.300s: status is %ld, not %d: %.300s", what,
                  answer->status, status, (const char *)answer->body);
    check_header(answer, "Content-Type", "application/problem+json");
    problem = json_of(answer);
    ck_assert_msg(strpbrk((const char *)answer->body, "<>&") == NULL, "%.300s: markup in %s", what,
                  (const char *)answer->body);
    ck_assert_msg(*text_in(problem, "type") && *text_in(problem, "title") &&
                      *text_in(problem, "detail"),
                  "%.300s: incomplete problem %s", what, (const char *)answer->body);
    ck_assert_int_eq(cJSON_GetObjectItemCaseSensitive(problem, "status")->valueint, status);
    ck_assert_msg(parameter == NULL || strcmp(text_in(problem, "parameter"), parameter) == 0,
                  "%.300s: does not name %s: %s", what, parameter, (const char *)answer->body);
    cJSON_Delete(problem);
}

void check_refused(const char *path, int status, const char *parameter)
{
    struct answer answer = request(&served, NULL, path, NULL);

    check_problem(&answer, status, parameter, path);
    answer_free(&answer);
}

void check_accepted(const char *path)
{
    struct answer answer = request(&served, NULL, path, NULL);

    ck_assert_msg(answer.status == 200, "%s: status %ld: %s", path, answer.status,
                  (const char *)answer.body);
    answer_free(&answer);
}

void check_equal(const char *path, const char *other)
{
    struct answer a = request(&served, NULL, path, NULL);
    struct answer b = request(&served, NULL, other, NULL);

    ck_assert_msg(a.status == 200 && b.status == 200, "%s %ld, %s %ld", path, a.status, other,
                  b.status);
    ck_assert_msg(same_header(&a, &b, "ETag") && same_header(&a, &b, "Content-Location") &&
                      same_body(&a, &b),
                  "%s and %s differ:\n%s%s", path, other, a.head, b.head);
    answer_free(&a);
    answer_free(&b);
}

void check_allowed(const struct answer *answer, const char *const *words)
{
    cJSON *problem = json_of(answer);
    cJSON *allowed = cJSON_GetObjectItemCaseSensitive(problem, "allowed"), *item;

    for (; *words != NULL; words++) {
        bool found = false;

        cJSON_ArrayForEach(item, allowed) found =
            found || strcmp(cJSON_GetStringValue(item), *words) == 0;
        ck_assert_msg(found, "%s is not in %s", *words, (const char *)answer->body);
    }
    cJSON_Delete(problem);
}

/* ---- Compressed bodies ----------------------------------------------------------------------- */

enum { GUNZIP_MAX = 1 << 26, GZIP_WINDOW = 15 + 16 /* zlib's sign for gzip framing */ };

unsigned char *gunzip(const unsigned char *bytes, size_t len, size_t *out_len)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (uInt)len};
    unsigned char *out = malloc(GUNZIP_MAX);

    ck_assert_ptr_nonnull(out);
    stream.next_out = out;
    stream.avail_out = GUNZIP_MAX;
    ck_assert_int_eq(inflateInit2(&stream, GZIP_WINDOW), Z_OK);
    ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    ck_assert_uint_eq(stream.avail_in, 0);
    *out_len = stream.total_out;
    inflateEnd(&stream);
    return out;
}
