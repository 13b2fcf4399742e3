/*
 * test_hostile.c - bytes that no honest client sends, against a real server over raw sockets:
 * broken targets and heads, hidden requests, endless and silent connections, and thousands of
 * random requests. What is asked every time: the right refusal, one answer to one request, and a
 * server that goes on as before. Rows are X and H cases of the house's collection. Honest load is
 * test_server.c's.
 */
#include "tests/suites.h"
#include "tests/support/sanitized.h"
#include "tests/support/server.h"
#include "tests/support/tiles.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    SLOWER = SANITIZED ? 10 : 1, /* by so much may anything be slower */
    HEAD_TIMEOUT_S = 1,
    CUT_WITHIN_S = HEAD_TIMEOUT_S + 3, /* the deadline is looked at now and then */
    TALK_MAX = 1 << 18,                /* bytes of all answers on one connection */
    PATIENCE_S = 20,                   /* for an answer that must come, or a close instead */
    CLOSE_S = 3,                       /* for the close behind an answer: comes at once */
};

static struct server target; /* of the test that runs */

static void start_target(void)
{
    target = server_start("--head-timeout", "1", "--cache", "8", "--workers", "2", NULL);
}

/* A test that has passed must leave a server that serves, and that ends with 0 (no sanitizer's
 * report). */
static void stop_target(void)
{
    struct answer answer;

    ck_assert_msg(server_alive(&target), "the server is gone");
    answer = get(&target, "/tile/3/1/2.json?size=4");
    ck_assert_int_eq(answer.status, 200);
    answer_free(&answer);
    ck_assert_int_eq(server_stop(&target), 0);
}

static void nap(double seconds)
{
    nanosleep(
        &(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)},
        NULL);
}

/* ---- Answers, as a client reads them --------------------------------------------------------- */

struct talk {
    char *text; /* NULs made '?' */
    size_t len;
    bool closed;
    int answers; /* interim ones not counted */
    int status;  /* of the last answer, 0 if there is none */
    size_t rest; /* bytes behind it */
    bool broken; /* an answer's head or body is not whole */
};

static size_t length_of_body(const char *head, int status)
{
    const char *field = strcasestr(head, "\r\nContent-Length:");

    if (field == NULL || status < 200 || status == 204 || status == 304)
        return 0;
    return strtoul(field + sizeof "\r\nContent-Length:" - 1, NULL, 10);
}

/* Takes one answer off the text at `at`; the offset behind it, or 0 if there is no whole one. */
static size_t take_answer(struct talk *talk, size_t at)
{
    char *head = talk->text + at, *end = strstr(head, "\r\n\r\n");
    size_t body;
    int status;

    if (end == NULL || sscanf(head, "HTTP/1.%*1[01] %3d", &status) != 1)
        return 0;
    end[2] = '\0';
    body = length_of_body(head, status);
    end[2] = '\r';
    at = (size_t)(end - talk->text) + 4;
    if (at + body > talk->len)
        return 0;
    talk->status = status;
    talk->answers += status >= 200;
    return at + body;
}

static void count_answers(struct talk *talk)
{
    size_t at = 0, next;

    talk->answers = talk->status = 0;
    while (at < talk->len && strncmp(talk->text + at, "HTTP/", 5) == 0 &&
           (next = take_answer(talk, at)) > 0)
        at = next;
    talk->rest = talk->len - at;
    talk->broken = talk->rest > 0 && strncmp(talk->text + at, "HTTP/", 5) == 0;
}

static struct talk talk_new(void)
{
    struct talk talk = {.text = malloc(TALK_MAX)};

    ck_assert_ptr_nonnull(talk.text);
    talk.text[0] = '\0';
    return talk;
}

/* Reads what comes in so many seconds; false if nothing came. */
static bool talk_read(struct talk *talk, int fd, double seconds)
{
    size_t n = raw_read(fd, talk->text + talk->len, TALK_MAX - talk->len, seconds, &talk->closed);

    for (size_t i = talk->len; i < talk->len + n; i++)
        if (talk->text[i] == '\0')
            talk->text[i] = '?';
    talk->len += n;
    count_answers(talk);
    return n > 0;
}

/* Reads until so many answers are there, or patience ends. */
static void talk_until(struct talk *talk, int fd, int answers)
{
    double end = seconds_now() + PATIENCE_S;

    while (talk->answers < answers && !talk->closed && seconds_now() < end)
        talk_read(talk, fd, 0.005);
    ck_assert_int_eq(talk->answers, answers);
}

/* Sends, then reads until the server closes or, if it need not, falls silent after an answer. */
static struct talk converse(const void *bytes, size_t len, bool until_closed)
{
    double end = seconds_now() + PATIENCE_S;
    struct talk talk = talk_new();
    int fd = raw_connect(&target);
    bool more = true;

    ck_assert_int_ge(fd, 0);
    raw_send(fd, bytes, len); /* may be refused half-way */
    while (!talk.closed && seconds_now() < end && (more || until_closed || talk.answers == 0)) {
        bool answered = talk.answers > 0;

        more = talk_read(&talk, fd, 0.01);
        if (!answered && talk.answers > 0)
            end = seconds_now() + CLOSE_S;
    }
    close(fd);
    return talk;
}

/* ---- Requests that must not be seen ---------------------------------------------------------- */

/* A tile that nobody has asked for yet: if it is in the cache later, a hidden request was obeyed.
 */
struct canary {
    char path[80];
    char line[120];
};

static struct canary canary_new(void)
{
    static int count;
    struct canary canary;

    snprintf(canary.path, sizeof canary.path, "/tile/0/0/0.png?size=1&seed=%d", 1000000 + count++);
    snprintf(canary.line, sizeof canary.line, "GET %s HTTP/1.1", canary.path);
    return canary;
}

static bool canary_was_obeyed(const struct canary *canary)
{
    struct answer answer = get(&target, "%s", canary->path);
    const char *origin = header(&answer, "Cache-Status");
    bool obeyed = origin == NULL || strcmp(origin, "noisetile; fwd=miss; stored") != 0;

    ck_assert_int_eq(answer.status, 200);
    answer_free(&answer);
    return obeyed;
}

/* ---- Tables of hostile requests -------------------------------------------------------------- */

struct bytes {
    const char *at;
    size_t len;
};

struct hostile {
    const char *name;
    struct bytes start,
        unit; /* start, `times` times unit, a canary's request line if `hides`, end */
    int times;
    bool hides;
    struct bytes end;
    const char *statuses; /* that are right; '-' is none: closed without an answer */
    bool closes;
    const char *tells; /* stands in the answer, or NULL */
};

#define BYTES(literal)               \
    {                                \
        literal, sizeof(literal) - 1 \
    }
#define LINE            " HTTP/1.1\r\n"
#define HOST            "Host: a\r\n"
#define GET             "GET /health/live" LINE HOST
#define TARGET(literal) .start = BYTES("GET " literal LINE HOST "\r\n")
#define TILE(query)     TARGET("/tile/0/0/0.png?size=1" query)
#define HEAD(lines)     .start = BYTES(GET lines "\r\n")
/* A whole request where a body or nothing should be, and one in the middle of a field. */
#define HIDES(lines) .start = BYTES(GET lines), .hides = true, .end = BYTES("\r\n" HOST "\r\n")

/* clang-format off */
static const struct hostile targets[] = {
    {"X1 NUL escape", TARGET("/tile/0/0/0.png%00.json"), .statuses = "400"},
    {"X1 raw NUL", TARGET("/tile/0/0/0.png\0.json"), .statuses = "400"},
    {"X2 escaped traversal", TARGET("/tile/..%2f..%2fetc/passwd"), .statuses = "400"},
    {"X2 traversal", TARGET("/tile/../../../../etc/passwd"), .statuses = "400 404"},
    {"X2 path parameter", TARGET("/..;/"), .statuses = "404"},
    {"X2 escaped dots", TARGET("/%2e%2e/"), .statuses = "400"},
    {"X2 backslashes", TARGET("\\..\\..\\etc"), .statuses = "400 404"},
    {"X3 zoom of 20 digits", TARGET("/tile/99999999999999999999/0/0.png"), .statuses = "400 404"},
    {"X3 2^32", TARGET("/tile/4294967296/0/0.png"), .statuses = "404"},
    {"X3 2^64 in x", TARGET("/tile/0/18446744073709551616/0.png"), .statuses = "400 404"},
    {"X4 -1", TARGET("/tile/-1/0/0.png"), .statuses = "404"},
    {"X4 -1 in y", TARGET("/tile/0/0/-1.png"), .statuses = "404"},
    {"X4 --1", TARGET("/tile/--1/0/0.png"), .statuses = "400"},
    {"X4 -0", TARGET("/tile/-0/0/0.png"), .statuses = "400"},
    {"X4 +1", TARGET("/tile/+1/0/0.png"), .statuses = "400"},
    {"X4 0x1", TARGET("/tile/0x1/0/0.png"), .statuses = "400"},
    {"X4 1e1", TARGET("/tile/1e1/0/0.png"), .statuses = "400"},
    {"X4 01", TARGET("/tile/01/0/0.png"), .statuses = "400"},
    {"X4 blank", TARGET("/tile/ 1/0/0.png"), .statuses = "400"},
    {"X4 tab", TARGET("/tile/\t1/0/0.png"), .statuses = "400"},
    {"X4 full-width", TARGET("/tile/\xef\xbc\x91/0/0.png"), .statuses = "400"},
    {"X5 octaves=2^31", TILE("&octaves=2147483648"), .statuses = "400", .tells = "octaves"},
    {"X5 octaves=-1", TILE("&octaves=-1"), .statuses = "400", .tells = "octaves"},
    {"X5 octaves=1e9", TILE("&octaves=1e9"), .statuses = "400", .tells = "octaves"},
    {"X5 octaves=NaN", TILE("&octaves=NaN"), .statuses = "400", .tells = "octaves"},
    {"X5 octaves=", TILE("&octaves="), .statuses = "400", .tells = "octaves"},
    {"X7 lacunarity", TILE("&lacunarity=1e308"), .statuses = "400", .tells = "lacunarity"},
    {"X7 gain", TILE("&gain=1e308"), .statuses = "400", .tells = "1e308"},
    {"X7 frequency", TILE("&frequency=inf"), .statuses = "400", .tells = "frequency"},
    {"X7 overflow", TILE("&frequency=1e99999"), .statuses = "400", .tells = "frequency"},
    {"X8 9 KB", .start = BYTES("GET /"), .unit = BYTES("abcdefghi"), .times = 1024,
     .end = BYTES(LINE HOST "\r\n"), .statuses = "414"},
    {"X8 1 MB", .start = BYTES("GET /"), .unit = BYTES("abcdefghi"), .times = 116509,
     .end = BYTES(LINE HOST "\r\n"), .statuses = "414 -", .closes = true},
    {"X8 endless method", .start = BYTES(""), .unit = BYTES("GET"), .times = 100000,
     .end = BYTES(" /" LINE HOST "\r\n"), .statuses = "400 413 414 431 -", .closes = true},
    {"X10 10000 parameters", .start = BYTES("GET /tile/0/0/0.png?a=1"), .unit = BYTES("&a=1"),
     .times = 10000, .end = BYTES(LINE HOST "\r\n"), .statuses = "414"},
    {"X10 a key 1000 times", .start = BYTES("GET /tile/0/0/0.png?seed=1"),
     .unit = BYTES("&seed=1"), .times = 1000, .end = BYTES(LINE HOST "\r\n"), .statuses = "400",
     .tells = "seed"},
    {"X10 4000 ampersands", .start = BYTES("GET /tile/0/0/0.png?"), .unit = BYTES("&&"),
     .times = 2000, .end = BYTES(LINE HOST "\r\n"), .statuses = "400"},
    {"X27 absolute form", TARGET("http://evil/tile/0/0/0.json?size=1"), .statuses = "200",
     .tells = "Content-Location: /tile/"},
    {"X27 absolute form, no path", TARGET("http://evil"), .statuses = "200"},
    {"X27 another scheme", TARGET("ftp://evil/tile/0/0/0.png"), .statuses = "400"},
};

static const struct hostile heads[] = {
    {"X11 no Host", .start = BYTES("GET /" LINE "\r\n"), .statuses = "400", .closes = true},
    {"X11 two Hosts", HEAD("Host: b\r\n"), .statuses = "400", .closes = true},
    {"X11 twice the same Host", HEAD(HOST), .statuses = "400", .closes = true},
    {"X11 blank in Host", .start = BYTES("GET /" LINE "Host: a b\r\n\r\n"), .statuses = "400",
     .closes = true},
    {"X11 empty Host", .start = BYTES("GET /" LINE "Host:\r\n\r\n"), .statuses = "400",
     .closes = true},
    {"X11 script in Host", .start = BYTES("GET /" LINE "Host: a\"b<script>\r\n\r\n"),
     .statuses = "400", .closes = true},
    {"X13 bare LF", .start = BYTES("GET /health/live HTTP/1.1\nHost: a\n\n"),
     .statuses = "200 400"},
    {"X13 fold", HEAD("X: y\r\n folded\r\n"), .statuses = "200 400"},
    {"X13 NUL in a value", HEAD("X: a\0b\r\n"), .statuses = "200 400"},
    {"X13 blank before a colon", HEAD("X : y\r\n"), .statuses = "400", .closes = true},
    {"X13 CR in a value", HEAD("X: a\rb\r\n"), .statuses = "400", .closes = true},
    {"X13 field without a name", HEAD(": y\r\n"), .statuses = "400", .closes = true},
    {"X13 field without colon", HEAD("foo\r\n"), .statuses = "400", .closes = true},
    {"X13 two blanks before the target", .start = BYTES("GET  /" LINE HOST "\r\n"),
     .statuses = "400", .closes = true},
    {"431 fields of 40 KB", .start = BYTES(GET "X: "), .unit = BYTES("yyyyyyyy"), .times = 5000,
     .end = BYTES("\r\n\r\n"), .statuses = "431"},
    {"431 101 fields", .start = BYTES(GET), .unit = BYTES("X: y\r\n"), .times = 101,
     .end = BYTES("\r\n"), .statuses = "431"},
    {"431 1 MB of fields", .start = BYTES(GET), .unit = BYTES("X: y\r\n"), .times = 175000,
     .end = BYTES("\r\n"), .statuses = "431 -", .closes = true},
    {"X23 Accept of garbage", HEAD("Accept: \xff,,;q=,*/*;q=9\r\nAccept-Encoding: \xfe;;q\r\n"),
     .statuses = "200"},
    {"X24 negative range", HEAD("Range: bytes=-1\r\n"), .statuses = "200"},
    {"X27 TRACE", .start = BYTES("TRACE /" LINE HOST "Cookie: secret\r\n\r\n"),
     .statuses = "405 501"},
    {"X27 CONNECT", .start = BYTES("CONNECT host:443" LINE "Host: host:443\r\n\r\n"),
     .statuses = "405 501 400"},
    {"X27 HTTP/2 preface", .start = BYTES("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
     .statuses = "505 400 -", .closes = true},
    {"X27 TLS", .start = BYTES("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
     .unit = BYTES("\x00\xc0\x2b\x0a"), .times = 128, .statuses = "400 -", .closes = true},
    {"X27 h2c upgrade", HEAD("Connection: Upgrade\r\nUpgrade: h2c\r\n"), .statuses = "200"},
    {"HTTP/3", .start = BYTES("GET / HTTP/3.0\r\n" HOST "\r\n"), .statuses = "505 400 -",
     .closes = true},
    {"lower-case version", .start = BYTES("GET / http/1.1\r\n" HOST "\r\n"),
     .statuses = "505 400 -", .closes = true},
    {"HTTP/0.9", .start = BYTES("GET /\r\n\r\n"), .statuses = "505 400 -", .closes = true},
    {"only LFs", .start = BYTES("\n"), .unit = BYTES("\n\r\n"), .times = 1000,
     .statuses = "400 -", .closes = true},
    {"only NULs", .start = BYTES("\0"), .unit = BYTES("\0\0"), .times = 1000,
     .statuses = "400 -", .closes = true},
};

/* Each is one request with a body, or one that is malformed: what follows is never obeyed. */
static const struct hostile hidden[] = {
    {"X13 in a folded line", HIDES("X: y\r\n "), .statuses = "200 400"},
    {"X13 behind a NUL", HIDES("X: y\0"), .statuses = "200 400"},
    {"X13 behind a CR", HIDES("X: y\r"), .statuses = "400", .closes = true},
    {"X13 behind two CRs", HIDES("X: y\r\r"), .statuses = "400", .closes = true},
    {"X13 behind CR LF CR", HIDES("X: y\r\n\r"), .statuses = "400", .closes = true},
    {"X13 behind a field without a name", HIDES(": y\r\n"), .statuses = "400", .closes = true},
    {"X13 length behind a field without a name",
     HIDES(": y\r\nContent-Length: 99\r\n\r\n"), .statuses = "400", .closes = true},
    {"X13 folded length", HIDES("Content-Length: 99\r\n folded\r\n\r\n"), .statuses = "400 413",
     .closes = true},
    {"X13 folded coding", HIDES("Transfer-Encoding: chunked\r\n\tfolded\r\n\r\n"),
     .statuses = "400 413", .closes = true},
    {"X14 length and chunks",
     HIDES("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), .statuses = "400",
     .closes = true},
    {"X14 chunks and length",
     HIDES("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"), .statuses = "400",
     .closes = true},
    {"X14 length 0 and chunks",
     HIDES("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), .statuses = "400",
     .closes = true},
    {"X14 two lengths", HIDES("Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde"),
     .statuses = "400", .closes = true},
    {"X14 twice the same length", HIDES("Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde"),
     .statuses = "400", .closes = true},
    {"X14 length 0 and 5", HIDES("Content-Length: 0\r\nContent-Length: 5\r\n\r\n"),
     .statuses = "400", .closes = true},
    {"X14 list of lengths", HIDES("Content-Length: 5, 5\r\n\r\nabcde"), .statuses = "400",
     .closes = true},
    {"X14 length +5", HIDES("Content-Length: +5\r\n\r\nabcde"), .statuses = "400",
     .closes = true},
    {"X14 length 0x5", HIDES("Content-Length: 0x5\r\n\r\nabcde"), .statuses = "400",
     .closes = true},
    {"X14 length -1", HIDES("Content-Length: -1\r\n\r\n"), .statuses = "400", .closes = true},
    {"X14 empty length", HIDES("Content-Length: \r\n\r\n"), .statuses = "400", .closes = true},
    {"X14 length 2^64 - 1", HIDES("Content-Length: 18446744073709551615\r\n\r\n"),
     .statuses = "400 413", .closes = true},
    {"X14 length 2^64", HIDES("Content-Length: 18446744073709551616\r\n\r\n"),
     .statuses = "400 413", .closes = true},
    {"X14 length 2^64 + 5", HIDES("Content-Length: 18446744073709551621\r\n\r\nabcde"),
     .statuses = "400 413", .closes = true},
    {"X14 chunk of 2^64 - 1",
     HIDES("Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"), .statuses = "400 413",
     .closes = true},
    {"X14 no chunk", HIDES("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
     .statuses = "400 413", .closes = true},
    {"H81 xchunked", HIDES("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
     .statuses = "400 501", .closes = true},
    {"H81 chunked twice",
     HIDES("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
     .statuses = "400", .closes = true},
    {"H81 gzip, chunked", HIDES("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
     .statuses = "400 501", .closes = true},
    {"H81 identity", HIDES("Transfer-Encoding: identity\r\n\r\n"), .statuses = "400 501",
     .closes = true},
    {"H81 vertical tab", HIDES("Transfer-Encoding:\vchunked\r\n\r\n0\r\n\r\n"),
     .statuses = "400", .closes = true},
    {"H81 blank before the colon", HIDES("Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
     .statuses = "400", .closes = true},
    {"H81 length with blank", HIDES("Content-Length : 5\r\n\r\n"), .statuses = "400",
     .closes = true},
    {"H81 chunks from HTTP/1.0",
     .start = BYTES("GET / HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
     .hides = true, .end = BYTES("\r\n" HOST "\r\n"), .statuses = "400", .closes = true},
    {"a body", HIDES("Content-Length: 99\r\n\r\n"), .statuses = "413", .closes = true},
    {"a body of POST",
     .start = BYTES("POST /" LINE HOST "Content-Length: 99\r\n\r\n"), .hides = true,
     .end = BYTES("\r\n" HOST "\r\n"), .statuses = "405", .closes = true},
    {"a body that waits to be asked for",
     HIDES("Content-Length: 99\r\nExpect: 100-continue\r\n\r\n"), .statuses = "413",
     .closes = true},
    {"behind Connection: close", HIDES("Connection: close\r\n\r\n"), .statuses = "200",
     .closes = true},
};
/* clang-format on */

/* The row's bytes, malloc'ed. */
static char *row_bytes(const struct hostile *row, const struct canary *canary, size_t *len)
{
    size_t line = row->hides ? strlen(canary->line) : 0;
    size_t size = row->start.len + (size_t)row->times * row->unit.len + line + row->end.len;
    char *bytes = malloc(size + 1), *at = bytes;

    ck_assert_ptr_nonnull(bytes);
    at = (char *)mempcpy(at, row->start.at, row->start.len);
    for (int i = 0; i < row->times; i++)
        at = (char *)mempcpy(at, row->unit.at, row->unit.len);
    at = (char *)mempcpy(at, canary->line, line);
    if (row->end.len > 0)
        memcpy(at, row->end.at, row->end.len);
    *len = size;
    return bytes;
}

/* Status and close that the row wants. */
static bool answer_is_right(const struct hostile *row, const struct talk *talk)
{
    char status[16];

    snprintf(status, sizeof status, "%d", talk->status);
    if (talk->answers == 0)
        return talk->closed && talk->rest == 0 && strchr(row->statuses, '-') != NULL;
    /* libmicrohttpd sends its own refusals' heads twice, so a closed connection may hold more. */
    return talk->answers == 1 && strstr(row->statuses, status) != NULL &&
           (!row->closes || talk->closed) && (talk->rest == 0 || (talk->closed && !talk->broken)) &&
           (row->tells == NULL || strstr(talk->text, row->tells) != NULL);
}

/* Sends the row; appends to `wrong` what is not as it should be. */
static void try_row(const struct hostile *row, char *wrong, size_t cap)
{
    struct canary canary = canary_new();
    size_t len, used = strlen(wrong);
    char *bytes = row_bytes(row, &canary, &len);
    struct talk talk = converse(bytes, len, row->closes);

    if (!answer_is_right(row, &talk))
        snprintf(wrong + used, cap - used, "%s: %d answers, %s, %zu bytes more: %.60s\n", row->name,
                 talk.answers, talk.closed ? "closed" : "open", talk.rest, talk.text);
    else if (row->hides && canary_was_obeyed(&canary))
        snprintf(wrong + used, cap - used, "%s: a hidden request was obeyed\n", row->name);
    free(talk.text);
    free(bytes);
}

static void try_rows(const struct hostile *rows, size_t count)
{
    char wrong[4096] = "";

    for (size_t i = 0; i < count; i++)
        try_row(&rows[i], wrong, sizeof wrong);
    ck_assert_msg(*wrong == '\0', "%s", wrong);
}

#define TRY_ROWS(table) try_rows(table, sizeof(table) / sizeof *(table))

START_TEST(hostile_targets_are_refused)
{
    TRY_ROWS(targets);
}
END_TEST

START_TEST(hostile_heads_are_refused)
{
    TRY_ROWS(heads);
}
END_TEST

START_TEST(a_hidden_request_is_never_obeyed)
{
    TRY_ROWS(hidden);
}
END_TEST

/* H82 */
START_TEST(the_same_process_survives_all_of_it_again_and_again)
{
    double end = seconds_now() + 1.5 * (double)long_factor();
    pid_t pid = target.pid;

    while (seconds_now() < end) {
        TRY_ROWS(hidden);
        TRY_ROWS(targets);
    }
    ck_assert_int_eq(target.pid, pid);
    ck_assert(server_alive(&target));
}
END_TEST

/* ---- Fields that change nothing -------------------------------------------------------------- */

/* X23 */
START_TEST(a_malformed_accept_encoding_means_identity)
{
    static const char *const fields[] = {"Accept-Encoding: gzip;q=2, *;q=, ,,,",
                                         "Accept: text/;;;q=x", NULL};
    struct answer plain = get(&target, "/tile/0/0/0.json?size=16");
    struct answer odd = request(&target, NULL, "/tile/0/0/0.json?size=16", fields);

    ck_assert_int_eq(odd.status, 200);
    ck_assert_ptr_null(header(&odd, "Content-Encoding"));
    ck_assert_mem_eq(odd.body, plain.body, plain.len + 1);
    answer_free(&plain);
    answer_free(&odd);
}
END_TEST

/* X24 */
START_TEST(a_thousand_ranges_get_the_whole_tile)
{
    static char field[8192] = "Range: bytes=0-0";
    const char *const fields[] = {field, NULL};
    struct answer whole = get(&target, "/tile/0/0/0.png?size=64"), ranged;

    for (size_t len = strlen(field), i = 1; i < 1000; i++)
        len += (size_t)snprintf(field + len, sizeof field - len, ",%zu-%zu", i, i);
    ranged = request(&target, NULL, "/tile/0/0/0.png?size=64", fields);
    ck_assert_int_eq(ranged.status, 200);
    ck_assert_uint_eq(ranged.len, whole.len);
    ck_assert_mem_eq(ranged.body, whole.body, whole.len);
    answer_free(&whole);
    answer_free(&ranged);
}
END_TEST

/* X25 */
START_TEST(forged_forwarding_fields_land_in_no_answer)
{
    static const char *const fields[] = {"X-Forwarded-Host: evil\"><script>",
                                         "X-Forwarded-Proto: javascript",
                                         "X-Forwarded-Prefix: //evil",
                                         "Forwarded: host=evil;proto=javascript",
                                         "Host: evil",
                                         "X-Request-Id: evil\"><script>",
                                         NULL};
    static const char *const paths[] = {"/",           "/params",         "/tile/0/0/0.json?size=2",
                                        "/tile/9/9/x", "/nothing/at/all", "/health/ready"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct answer answer = request(&target, NULL, paths[i], fields);

        ck_assert_msg(strstr(answer.head, "evil") == NULL, "%s: %s", paths[i], answer.head);
        ck_assert_msg(strstr((char *)answer.body, "evil") == NULL, "%s: in the body", paths[i]);
        answer_free(&answer);
    }
}
END_TEST

/* ---- Bodies ---------------------------------------------------------------------------------- */

static double resident_mib(void)
{
    char path[64], line[256];
    double kib = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)target.pid);
    file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtod(line + 6, NULL);
    fclose(file);
    return kib / 1024;
}

/* X15 */
START_TEST(a_gigabyte_of_body_is_refused_before_it_is_sent)
{
    enum { PIECE = 1 << 16, PIECES = 1024, TAKEN_AT_MOST = 512 }; /* 64 MiB; buffers of both ends */
    static const char head[] = GET "Content-Length: 1073741824\r\n\r\n";
    static char piece[PIECE];
    struct talk talk = talk_new();
    double before = resident_mib();
    int fd = raw_connect(&target), taken = 0;

    ck_assert(raw_send(fd, head, sizeof head - 1));
    while (!talk.closed && talk_read(&talk, fd, PATIENCE_S))
        continue;
    ck_assert_int_eq(talk.status, 413);
    ck_assert(talk.closed);
    while (taken < PIECES && raw_send(fd, piece, sizeof piece))
        taken++;
    ck_assert_int_lt(taken, TAKEN_AT_MOST);
    ck_assert(SANITIZED || resident_mib() < before + 8);
    close(fd);
    free(talk.text);
}
END_TEST

/* ---- Many requests in one packet ------------------------------------------------------------- */

/* X20 */
START_TEST(a_hundred_requests_in_one_packet_get_a_hundred_answers_in_order)
{
    enum { REQUESTS = 100 };
    static const char *const paths[] = {"/tile/1/0/0.json?size=2&seed=", "/health/live?",
                                        "/tile/9/999/0.png?seed=", "/nothing?"};
    static char packet[REQUESTS * 160];
    struct talk talk = talk_new();
    int fd = raw_connect(&target);
    size_t len = 0;
    const char *at;

    for (int i = 0; i < REQUESTS; i++)
        len += (size_t)snprintf(packet + len, sizeof packet - len,
                                "GET %s%d" LINE HOST "X-Request-Id: order-%03d\r\n\r\n",
                                paths[i % 4], i, i);
    ck_assert(raw_send(fd, packet, len));
    talk_until(&talk, fd, REQUESTS);
    ck_assert(!talk.closed && talk.rest == 0);
    at = talk.text;
    for (int i = 0; i < REQUESTS; i++) {
        snprintf(packet, sizeof packet, "X-Request-Id: order-%03d\r\n", i);
        ck_assert_msg((at = strstr(at, packet)) != NULL, "answer %d is not in its place", i);
    }
    close(fd);
    free(talk.text);
}
END_TEST

/* ---- Slow and silent connections ------------------------------------------------------------- */

enum { SILENT = 2000, DRIPPING = 500 };

static int crowd[SILENT];

/* The client's own limit; the server raises its own itself. */
static void allow_files(rlim_t files)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < files ? limit.rlim_max : files;
    setrlimit(RLIMIT_NOFILE, &limit);
    ck_assert_uint_ge(limit.rlim_cur, files);
}

static void crowd_connect(int count)
{
    allow_files((rlim_t)count + 100);
    for (int i = 0; i < count; i++)
        ck_assert_msg((crowd[i] = raw_connect(&target)) >= 0, "connection %d", i);
}

/* Whether the server has closed it; bytes that it sent do not count. */
static bool is_cut(int fd)
{
    char bytes[64];
    bool closed;

    while (raw_read(fd, bytes, sizeof bytes, 0, &closed) > 0)
        continue;
    return closed;
}

/* Sends one byte on each open connection, closes those that were cut; how many are left. */
static int crowd_drip(int count, const char *byte)
{
    int open = 0;

    for (int i = 0; i < count; i++) {
        if (crowd[i] < 0)
            continue;
        if (is_cut(crowd[i]) || !raw_send(crowd[i], byte, 1)) {
            close(crowd[i]);
            crowd[i] = -1;
        }
        open += crowd[i] >= 0;
    }
    return open;
}

static void ask_honestly(const char *path)
{
    struct answer answer = get(&target, "%s", path);

    ck_assert_int_eq(answer.status, 200);
    ck_assert_double_lt(answer.seconds, 2.0 * SLOWER);
    answer_free(&answer);
}

/* X17, H75 */
START_TEST(five_hundred_dripping_heads_are_cut_while_others_are_served)
{
    static const char head[] = GET "X: ", *at = head;
    double first = seconds_now(), last;
    int open = DRIPPING, rounds = 0;

    crowd_connect(DRIPPING);
    for (last = seconds_now(); open > 0 && seconds_now() < last + CUT_WITHIN_S; rounds++) {
        open = crowd_drip(DRIPPING, *at != '\0' ? at++ : "x");
        ck_assert(open == DRIPPING || seconds_now() > first + HEAD_TIMEOUT_S * 0.9);
        ask_honestly(rounds % 2 ? "/tile/2/1/1.png?size=32" : "/health/live");
        nap(0.02);
    }
    ck_assert_msg(open == 0, "%d connections still open after %d s", open, CUT_WITHIN_S);
}
END_TEST

/* The same on a connection that has been answered before: other clocks run there. */
START_TEST(a_kept_alive_connection_may_be_silent_for_long_but_not_drip)
{
    static const char ask[] = GET "\r\n";
    struct talk talk = talk_new();
    double begun;
    int fd = raw_connect(&target);

    for (int i = 1; i <= 2; i++) {
        ck_assert(raw_send(fd, ask, sizeof ask - 1));
        talk_until(&talk, fd, i);
        if (i == 1)
            nap(HEAD_TIMEOUT_S * 1.7);
    }
    crowd[0] = fd;
    begun = seconds_now();
    while (crowd_drip(1, "G") > 0 && seconds_now() < begun + CUT_WITHIN_S)
        nap(0.05);
    ck_assert_msg(crowd[0] < 0, "still open after %d s", CUT_WITHIN_S);
    free(talk.text);
}
END_TEST

/* H72: with select() nothing beyond descriptor 1023 would be served. */
START_TEST(two_thousand_idle_connections_are_no_hindrance)
{
    static const char ask[] = GET "\r\n";
    char answer[64];

    allow_files(SILENT + 100);
    for (int i = 0; i < SILENT; i++) {
        ck_assert_int_ge(crowd[i] = raw_connect(&target), 0);
        raw_send(crowd[i], ask, sizeof ask - 1);
    }
    for (int i = 0; i < SILENT; i++) { /* all were served and stay */
        raw_read(crowd[i], answer, 16, PATIENCE_S, NULL);
        ck_assert_msg(strncmp(answer, "HTTP/1.1 200", 12) == 0, "connection %d: %s", i, answer);
    }
    ask_honestly("/tile/2/1/3.png?size=32");
    for (int i = 0; i < SILENT; i++)
        ck_assert_msg(!is_cut(crowd[i]), "connection %d was cut", i);
    for (int i = 0; i < SILENT; i++)
        close(crowd[i]);
}
END_TEST

/* Seconds of CPU that the server has used. */
static double cpu_seconds(void)
{
    char path[64];
    unsigned long user = 0, system = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)target.pid);
    file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file,
                            "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                            &user, &system),
                     2);
    fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void start_small(void)
{
    target = server_start("--head-timeout", "1", "--idle-timeout", "1", "--max-connections", "300",
                          NULL);
}

/* X19 */
START_TEST(more_silent_connections_than_the_limit_hold_nobody_up_for_long)
{
    double begun, cpu;
    struct answer answer;

    crowd_connect(400);
    cpu = cpu_seconds();
    begun = seconds_now();
    answer = get(&target, "/health/live");
    ck_assert_int_eq(answer.status, 200);
    ck_assert_double_lt(seconds_now() - begun, 3 * CUT_WITHIN_S);
    /* A busy loop would burn a whole CPU, and there is more than one thread to do so. */
    if (seconds_now() - begun > 0.5)
        ck_assert_double_lt(cpu_seconds() - cpu, 0.5 * (seconds_now() - begun));
    for (int i = 0; i < 400; i++)
        close(crowd[i]);
    answer_free(&answer);
}
END_TEST

/* ---- Random requests ------------------------------------------------------------------------- */

enum {
    BATCH = 50,
    BATCHES = SANITIZED ? 20 : 80, /* of each kind */
    REQUEST_MAX = 4096,
};

struct mutant {
    char at[REQUEST_MAX];
    size_t len;
    int fd;
    struct talk talk;
};

static const struct bytes seeds[] = {
    BYTES("GET /tile/3/1/2.png?size=8&seed=7" LINE HOST "\r\n"),
    BYTES("GET /tile/3/1/2@2x.json?size=4&octaves=3&noise=value" LINE HOST
          "Accept-Encoding: gzip\r\n\r\n"),
    BYTES("GET /tile/0/0/0.bin?size=4&min=-2&max=2&frequency=1.5e2" LINE HOST
          "If-None-Match: W/\"a\", \"b\", *\r\n\r\n"),
    BYTES("GET /health/live" LINE HOST "X-Request-Id: abc\r\n\r\n"),
    BYTES("GET /params" LINE HOST "Range: bytes=0-1\r\nX-Forwarded-Host: b\r\n\r\n"),
    BYTES("OPTIONS /tile/0/0/0.png" LINE HOST "Origin: http://b\r\n\r\n"),
    BYTES("GET http://b/tile/1/1/1.png?size=1" LINE HOST "\r\n"),
    BYTES("POST /tile/0/0/0.png" LINE HOST "Content-Length: 5\r\n\r\nabcde"),
    BYTES("GET /" LINE HOST "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
    BYTES("GET /robots.txt HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
};

/* clang-format off */
static const struct bytes tokens[] = {
    BYTES("\r\n"), BYTES("\n"), BYTES("\r"), BYTES("\0"), BYTES("%00"), BYTES("%"), BYTES("&"),
    BYTES("="), BYTES("?"), BYTES("//"), BYTES(".."), BYTES(":"), BYTES(" "), BYTES("\t"),
    BYTES("\xff"), BYTES("\xef\xbc\x91"), BYTES("-"), BYTES("+"), BYTES("99999999999999999999"),
    BYTES("1e308"), BYTES("NaN"), BYTES("\r\n\r\n"), BYTES("\r\n "), BYTES("@4x"),
    BYTES("size=2048"), BYTES("HTTP/1.1"), BYTES("Content-Length: 0\r\n"), BYTES("Host: b\r\n"),
    BYTES("\"<script>"), BYTES("Transfer-Encoding: chunked\r\n"),
    BYTES("Expect: 100-continue\r\n"), BYTES("*"),
};
/* clang-format on */

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* Puts bytes at a place, as far as there is room. */
static void insert(struct mutant *mutant, size_t at, const char *bytes, size_t len)
{
    if (mutant->len + len > REQUEST_MAX / 2)
        return;
    memmove(mutant->at + at + len, mutant->at + at, mutant->len - at);
    memcpy(mutant->at + at, bytes, len);
    mutant->len += len;
}

static void mutate(struct mutant *mutant, uint64_t *random)
{
    size_t at = random_below(random, (uint32_t)mutant->len);
    size_t len = random_below(random, 20);
    const struct bytes *token = &tokens[random_below(random, COUNT(tokens))];
    char copy[20];

    if (len > mutant->len - at)
        len = mutant->len - at;
    memcpy(copy, mutant->at + at, len);
    switch (random_below(random, 6)) {
    case 0: /* another byte */
        mutant->at[at] = (char)random_below(random, 256);
        break;
    case 1: /* another bit */
        mutant->at[at] = (char)(mutant->at[at] ^ (1 << random_below(random, 8)));
        break;
    case 2: /* some bytes less, but never none */
        if (len < mutant->len) {
            memmove(mutant->at + at, mutant->at + at + len, mutant->len - at - len);
            mutant->len -= len;
        }
        break;
    case 3: /* some bytes twice */
        insert(mutant, at, copy, len);
        break;
    default:
        insert(mutant, at, token->at, token->len);
    }
}

static void make_mutant(struct mutant *mutant, uint64_t *random)
{
    static const char end[] = "\r\n\r\nGET /health/live" LINE HOST "Connection: close\r\n\r\n";
    const struct bytes *seed = &seeds[random_below(random, COUNT(seeds))];

    memcpy(mutant->at, seed->at, seed->len);
    mutant->len = seed->len;
    for (uint32_t i = 0, times = 1 + random_below(random, 5); i < times; i++)
        mutate(mutant, random);
    memcpy(mutant->at + mutant->len, end, sizeof end - 1);
    mutant->len += sizeof end - 1;
}

/* Sends all, and reads until all are closed or nothing has come for a while: some wait for bytes
 * that will never be sent, and the server cuts them later. */
static void batch_converse(struct mutant batch[BATCH])
{
    double quiet_since = seconds_now(), silence = 0.05 * SLOWER;
    int open = BATCH;

    for (int i = 0; i < BATCH; i++) {
        batch[i].talk = talk_new();
        ck_assert_int_ge(batch[i].fd = raw_connect(&target), 0);
        raw_send(batch[i].fd, batch[i].at, batch[i].len);
    }
    while (open > 0 && seconds_now() - quiet_since < silence) {
        open = 0;
        for (int i = 0; i < BATCH; i++) {
            if (!batch[i].talk.closed && talk_read(&batch[i].talk, batch[i].fd, 0))
                quiet_since = seconds_now();
            open += !batch[i].talk.closed;
        }
        nap(0.0005);
    }
}

static void batch_close(struct mutant batch[BATCH])
{
    for (int i = 0; i < BATCH; i++) {
        close(batch[i].fd);
        free(batch[i].talk.text);
    }
}

/* The bytes as C would write them, so that a failure can be tried again. */
static const char *shown(const struct mutant *mutant)
{
    static char text[4 * REQUEST_MAX + 1];
    char *at = text;

    for (size_t i = 0; i < mutant->len; i++) {
        unsigned char c = (unsigned char)mutant->at[i];

        at += sprintf(at, c < ' ' || c > '~' ? "\\x%02x" : "%c", c);
    }
    return text;
}

/* More answers than ends of heads (and one for what was refused before its end) cannot be right.
 * A lone CR counts as a line's end here: what it may hide is hidden[]'s. */
static int answers_at_most(const struct mutant *mutant)
{
    int ends = 1;

    for (size_t i = 1; i < mutant->len; i++) {
        char before = mutant->at[i - 1], c = mutant->at[i];

        ends += (before == '\n' && (c == '\n' || c == '\r')) || (before == '\r' && c == '\r');
    }
    return ends;
}

static bool status_is_known(int status)
{
    static const int known[] = {0,   200, 204, 304, 400, 404, 405,
                                413, 414, 431, 501, 503, 505}; /* 0: no answer yet, or cut */

    for (size_t i = 0; i < COUNT(known); i++)
        if (known[i] == status)
            return true;
    return false;
}

static void check_mutant(const struct mutant *mutant)
{
    const struct talk *talk = &mutant->talk;

    ck_assert_msg(status_is_known(talk->status), "%d to %s", talk->status, shown(mutant));
    ck_assert_msg(talk->answers <= answers_at_most(mutant), "%d answers to %s", talk->answers,
                  shown(mutant));
    ck_assert_msg(talk->rest == 0 || !talk->closed || talk->status == 400 || talk->status == 413,
                  "%zu bytes behind the answer to %s", talk->rest, shown(mutant));
}

/* After each batch: the same process, and not larger than a cache and some connections make it. */
static void check_server(double before_mib)
{
    ck_assert(server_alive(&target));
    ask_honestly("/health/live");
    if (!SANITIZED)
        ck_assert_double_lt(resident_mib(), before_mib + 64);
}

START_TEST(random_requests_never_harm_the_server_or_get_two_answers)
{
    static struct mutant batch[BATCH];
    uint64_t random = 20260 + (uint64_t)_i;
    double before = resident_mib();

    for (size_t n = 0; n < BATCHES * long_factor(); n++) {
        for (int i = 0; i < BATCH; i++)
            make_mutant(&batch[i], &random);
        batch_converse(batch);
        for (int i = 0; i < BATCH; i++)
            check_mutant(&batch[i]);
        batch_close(batch);
        check_server(before);
    }
}
END_TEST

/* ---- Random framing -------------------------------------------------------------------------- */

/* Lines, valid or not, that may hide the one that tells of the body. None ends the head. */
/* clang-format off */
static const struct bytes tricks[] = {
    BYTES("X: y\r\n"), BYTES("X: y\n"), BYTES("X:\r\n"), BYTES("X: y\r\n z\r\n"),
    BYTES("X : y\r\n"), BYTES("X: \0\r\n"), BYTES("X: a\rb: c\r\n"), BYTES(":\r\n"),
    BYTES(": y\r\n"), BYTES("x\r\n"), BYTES("Content-Length: 0\r\n"),
    BYTES("Content-Length: +1\r\n"), BYTES("content-length:0\r\n"),
    BYTES("Content-Length : 0\r\n"), BYTES("Content-Length: 0\r\n 0\r\n"), BYTES(" fold\r\n"),
    BYTES("Content_Length: 0\r\n"), BYTES("Transfer-Encoding: identity\r\n"), BYTES("\tfold\r\n"),
    BYTES("Transfer-Encoding: x\r\n"), BYTES("Transfer-Encoding:\0chunked\r\n"),
    BYTES("Transfer-Encoding: chunked\r\n"), BYTES("TE: trailers\r\n"), BYTES("Host: b\r\n"),
    BYTES("Expect: 100-continue\r\n"), BYTES("Connection: Content-Length\r\n"),
    BYTES("Connection: close, keep-alive\r\n"), BYTES("Upgrade: h2c\r\n"), BYTES("\xff: y\r\n"),
    BYTES("X-Long: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n"),
};
/* clang-format on */

static void add(struct mutant *mutant, const char *bytes, size_t len)
{
    ck_assert_uint_lt(mutant->len + len, REQUEST_MAX);
    memcpy(mutant->at + mutant->len, bytes, len);
    mutant->len += len;
}

/* One request with a body, whatever else its head says; the body is a request of its own. */
static void make_framed(struct mutant *mutant, const struct canary *canary, uint64_t *random)
{
    static const char *const starts[] = {"GET / HTTP/1.1\r\n",  "GET /health/live HTTP/1.1\r\n",
                                         "HEAD / HTTP/1.1\r\n", "GET / HTTP/1.0\r\n",
                                         "POST / HTTP/1.1\r\n", "OPTIONS * HTTP/1.1\r\n"};
    static const char *const bodies[] = {"Content-Length: 90\r\n",
                                         "Transfer-Encoding: chunked\r\n"};
    const char *start = starts[random_below(random, COUNT(starts))];
    uint32_t lines = random_below(random, 6), place = random_below(random, lines + 1);

    mutant->len = 0;
    add(mutant, start, strlen(start));
    add(mutant, HOST, sizeof HOST - 1);
    for (uint32_t i = 0; i <= lines; i++) {
        const struct bytes *trick = &tricks[random_below(random, COUNT(tricks))];
        const char *body = bodies[random_below(random, 2)];

        if (i == place)
            add(mutant, body, strlen(body));
        else
            add(mutant, trick->at, trick->len);
    }
    add(mutant, "\r\n0\r\n\r\n", random_below(random, 2) ? 2 : 7); /* no chunk at all, too */
    add(mutant, canary->line, strlen(canary->line));
    add(mutant, "\r\n" HOST "\r\n", sizeof("\r\n" HOST "\r\n") - 1);
}

static void check_framed(const struct mutant *mutant, const struct canary *canary)
{
    const struct talk *talk = &mutant->talk;

    ck_assert_msg(talk->answers <= 1, "%d answers to %s", talk->answers, shown(mutant));
    ck_assert_msg(talk->status == 0 || talk->status >= 400, "%d to %s", talk->status,
                  shown(mutant));
    ck_assert_msg(talk->status < 500, "%d to %s", talk->status, shown(mutant));
    ck_assert_msg(talk->status == 0 || talk->closed, "kept open after %s", shown(mutant));
    ck_assert_msg(!canary_was_obeyed(canary), "obeyed the body of %s", shown(mutant));
}

START_TEST(random_framing_never_lets_a_body_be_read_as_a_request)
{
    static struct mutant batch[BATCH];
    static struct canary canaries[BATCH];
    uint64_t random = 1120 + (uint64_t)_i;

    for (size_t n = 0; n < BATCHES * long_factor(); n++) {
        for (int i = 0; i < BATCH; i++) {
            canaries[i] = canary_new();
            make_framed(&batch[i], &canaries[i], &random);
        }
        batch_converse(batch);
        for (int i = 0; i < BATCH; i++)
            check_framed(&batch[i], &canaries[i]);
        batch_close(batch);
    }
}
END_TEST

/* ---- The suite ------------------------------------------------------------------------------- */

static TCase *new_case(Suite *suite, const char *name, void (*start)(void))
{
    TCase *tc = tcase_create(name);

    tcase_set_timeout(tc, 30.0 * SLOWER * (double)long_factor());
    tcase_add_checked_fixture(tc, start, stop_target);
    suite_add_tcase(suite, tc);
    return tc;
}

static void add_requests(TCase *tc)
{
    tcase_add_test(tc, hostile_targets_are_refused);
    tcase_add_test(tc, hostile_heads_are_refused);
    tcase_add_test(tc, a_hidden_request_is_never_obeyed);
    tcase_add_test(tc, the_same_process_survives_all_of_it_again_and_again);
    tcase_add_test(tc, a_malformed_accept_encoding_means_identity);
    tcase_add_test(tc, a_thousand_ranges_get_the_whole_tile);
    tcase_add_test(tc, forged_forwarding_fields_land_in_no_answer);
    tcase_add_test(tc, a_gigabyte_of_body_is_refused_before_it_is_sent);
    tcase_add_test(tc, a_hundred_requests_in_one_packet_get_a_hundred_answers_in_order);
}

static void add_connections(TCase *tc)
{
    tcase_add_test(tc, five_hundred_dripping_heads_are_cut_while_others_are_served);
    tcase_add_test(tc, a_kept_alive_connection_may_be_silent_for_long_but_not_drip);
    tcase_add_test(tc, two_thousand_idle_connections_are_no_hindrance);
}

Suite *hostile_suite(void)
{
    Suite *suite = suite_create("hostile");
    TCase *tc = new_case(suite, "random", start_target);

    tcase_add_test(tc, random_requests_never_harm_the_server_or_get_two_answers);
    tcase_add_test(tc, random_framing_never_lets_a_body_be_read_as_a_request);
    add_requests(new_case(suite, "requests", start_target));
    add_connections(new_case(suite, "connections", start_target));
    tc = new_case(suite, "small", start_small);
    tcase_add_test(tc, more_silent_connections_than_the_limit_hold_nobody_up_for_long);
    return suite;
}
