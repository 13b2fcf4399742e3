/*
 * response.c - one table of header fields, one of responses that are ready, for libmicrohttpd
 * 0.9.75. Bodies are sent from memory: from a memfd, with sendfile(2), which takes four system calls
 * instead of one, tiles of 20 and 100 kB go out no faster, and 260 kB at half the rate. Facts read
 * in its source:
 *   - A response's fields are copied into the connection's memory as soon as the access handler has
 *     returned, before it is called for any other connection of the daemon, and are not looked at
 *     afterwards. So a response that is still being sent may get the date and id of the next.
 *   - It writes a Date into each head, formatted anew, unless the response has one (which it
 *     forgets when a Connection field is added later).
 *   - It must know every body's size: of an unknown one it sends a terminator after HEAD.
 */
#include "server/response.h"

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPLY_FIELD(name, member)                 \
    {                                             \
        name, offsetof(struct http_reply, member) \
    }
static const struct {
    const char *name;
    size_t offset;
} reply_fields[] = {
    REPLY_FIELD("Content-Type", media_type),
    REPLY_FIELD("Content-Encoding", content_encoding),
    REPLY_FIELD("Cache-Control", cache_control),
    REPLY_FIELD("ETag", etag),
    REPLY_FIELD("Content-Location", content_location),
    REPLY_FIELD("Vary", vary),
    REPLY_FIELD("Cache-Status", cache_status),
    REPLY_FIELD("Server-Timing", server_timing),
    REPLY_FIELD("Allow", allow),
    REPLY_FIELD("Retry-After", retry_after),
    REPLY_FIELD("Access-Control-Allow-Methods", preflight_methods),
    REPLY_FIELD("Access-Control-Allow-Headers", preflight_headers),
    REPLY_FIELD("Access-Control-Max-Age", preflight_age),
};
#undef REPLY_FIELD

/* On every answer of ours. */
static const struct {
    const char *name, *value;
} common_fields[] = {
    {"Access-Control-Allow-Origin", "*"},
    {"Access-Control-Expose-Headers",
     "ETag, Content-Location, Cache-Status, Server-Timing, Retry-After, X-Request-Id"},
    {"Cross-Origin-Resource-Policy", "cross-origin"},
    {"Timing-Allow-Origin", "*"},
    {"X-Content-Type-Options", "nosniff"},
};

static const char id_name[] = "X-Request-Id", date_name[] = "Date";

enum {
    FIELDS_COUNT = sizeof reply_fields / sizeof *reply_fields,
    READY_BITS = 8,       /* log2 of the responses that are kept: some 600 kB */
    READY_TEXT_MAX = 512, /* a tile's usual fields take half of it */
    DATE_MAX = sizeof "Tue, 01 Dec 2026 02:03:04 GMT",
};

/*
 * What a kept response was built from. It holds no reference to its body, which may be gone by the
 * time that the next reply is looked up; but then no reply names that address until another body
 * is there, and if all the rest is equal, too, it is the right response for that one.
 */
struct ready {
    struct MHD_Response *response; /* NULL: this place is free */
    int status;
    const void *body;
    size_t len;
    uint16_t field_len[FIELDS_COUNT]; /* of the fields' values, with their NULs; 0: it has none */
    char text[READY_TEXT_MAX];        /* the values, one behind the other */
    char id[REQUEST_ID_MAX + 1];      /* these two as they stand in the response now */
    char date[DATE_MAX];
};

struct responses {
    time_t date_of; /* the second that date says */
    char date[DATE_MAX];
    struct ready ready[1 << READY_BITS];
};

/* ---- Building -------------------------------------------------------------------------------- */

static const char *field_value(const struct http_reply *reply, size_t i)
{
    const char *value;

    memcpy(&value, (const char *)reply + reply_fields[i].offset, sizeof value);
    return value;
}

static bool add(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static bool add_fields(struct MHD_Response *response, const struct http_reply *reply)
{
    bool added = true;

    for (size_t i = 0; i < FIELDS_COUNT; i++) {
        const char *value = field_value(reply, i);

        if (value != NULL)
            added &= add(response, reply_fields[i].name, value);
    }
    for (size_t i = 0; i < sizeof common_fields / sizeof *common_fields; i++)
        added &= add(response, common_fields[i].name, common_fields[i].value);
    return added;
}

static bool body_lives(const struct http_reply *reply)
{
    return reply->release != NULL || reply->len == 0;
}

/* All but date, request id and connection. NULL if out of memory. */
static struct MHD_Response *build(const struct http_reply *reply)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        reply->len, (void *)(uintptr_t)reply->body,
        body_lives(reply) ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);

    if (response != NULL && add_fields(response, reply))
        return response;
    if (response != NULL)
        MHD_destroy_response(response);
    return NULL;
}

/* ---- Date ------------------------------------------------------------------------------------ */

/* IMF-fixdate (RFC 9110, 5.6.7), whatever the locale. */
static void write_date(char text[DATE_MAX], time_t now)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct tm at = {0};

    gmtime_r(&now, &at);
    snprintf(text, DATE_MAX, "%s, %02u %s %04u %02u:%02u:%02u GMT", days[at.tm_wday % 7],
             (unsigned)at.tm_mday % 100, months[at.tm_mon % 12],
             (unsigned)(1900 + at.tm_year) % 10000, (unsigned)at.tm_hour % 100,
             (unsigned)at.tm_min % 100, (unsigned)at.tm_sec % 100);
}

static const char *date_now(struct responses *responses)
{
    time_t now = time(NULL);

    if (now != responses->date_of || responses->date[0] == '\0') {
        write_date(responses->date, now);
        responses->date_of = now;
    }
    return responses->date;
}

/* ---- Keeping --------------------------------------------------------------------------------- */

static bool is_equal(const struct ready *ready, const struct http_reply *reply)
{
    const char *text = ready->text;

    if (ready->response == NULL || ready->body != reply->body || ready->len != reply->len ||
        ready->status != reply->status)
        return false;
    for (size_t i = 0; i < FIELDS_COUNT; i++) {
        const char *value = field_value(reply, i);
        size_t len = value != NULL ? strlen(value) + 1 : 0;

        if (len != ready->field_len[i] || (len > 0 && memcmp(value, text, len) != 0))
            return false;
        text += len;
    }
    return true;
}

/* Notes what a response is built from; false if that is too long. */
static bool note(struct ready *ready, const struct http_reply *reply)
{
    size_t used = 0;

    ready->status = reply->status;
    ready->body = reply->body;
    ready->len = reply->len;
    for (size_t i = 0; i < FIELDS_COUNT; i++) {
        const char *value = field_value(reply, i);
        size_t len = value != NULL ? strlen(value) + 1 : 0;

        if (len > READY_TEXT_MAX - used)
            return false;
        if (len > 0)
            memcpy(ready->text + used, value, len);
        ready->field_len[i] = (uint16_t)len;
        used += len;
    }
    return true;
}

static void drop(struct ready *ready)
{
    if (ready->response != NULL)
        MHD_destroy_response(ready->response); /* a connection that sends it holds it, too */
    ready->response = NULL;
}

/* Replaces a field's value; `was` is what stands in the response, "" if it has none. */
static bool restamp(struct MHD_Response *response, const char *name, char *was, size_t cap,
                    const char *value)
{
    size_t size = strlen(value) + 1;

    if (strcmp(was, value) == 0)
        return true;
    if (*was != '\0')
        MHD_del_response_header(response, name, was);
    if (size > cap)
        return false;
    memcpy(was, value, size);
    return add(response, name, value);
}

/* By multiplication with 2^64 / golden ratio (Knuth, TAOCP 3, 6.4); a body's 200 and 304 apart. */
static struct ready *place(struct responses *responses, const struct http_reply *reply)
{
    uint64_t hash =
        ((uint64_t)(uintptr_t)reply->body + (unsigned)reply->status) * UINT64_C(0x9e3779b97f4a7c15);

    return &responses->ready[hash >> (64 - READY_BITS)];
}

/* The kept response that is equal, or a new one that is kept from now on; NULL if out of memory or
 * not to be kept. */
static struct MHD_Response *keep(struct responses *responses, const struct http_reply *reply,
                                 const char *id)
{
    struct ready *ready = place(responses, reply);

    if (!is_equal(ready, reply)) {
        drop(ready);
        if (!note(ready, reply) || (ready->response = build(reply)) == NULL)
            return NULL;
        ready->id[0] = ready->date[0] = '\0';
    }
    if (!restamp(ready->response, date_name, ready->date, sizeof ready->date,
                 date_now(responses)) ||
        !restamp(ready->response, id_name, ready->id, sizeof ready->id, id))
        drop(ready);
    return ready->response;
}

/* ---- Sending --------------------------------------------------------------------------------- */

static bool queue(struct MHD_Connection *connection, int status, struct MHD_Response *response)
{
    return MHD_queue_response(connection, (unsigned)status, response) == MHD_YES;
}

/* The date is left to libmicrohttpd. */
static bool queue_new(struct MHD_Connection *connection, const struct http_reply *reply,
                      const char *id, bool close)
{
    struct MHD_Response *response = build(reply);
    bool queued = response != NULL && add(response, id_name, id) &&
                  (!close || add(response, "Connection", "close")) &&
                  queue(connection, reply->status, response);

    if (response != NULL)
        MHD_destroy_response(response); /* the connection holds it now */
    return queued;
}

bool responses_queue(struct responses *responses, struct MHD_Connection *connection,
                     const struct http_reply *reply, const char *id, bool close)
{
    if (reply->again && body_lives(reply) && !close) {
        struct MHD_Response *response = keep(responses, reply, id);

        if (response != NULL)
            return queue(connection, reply->status, response);
    }
    return queue_new(connection, reply, id, close);
}

/* ---- Life ------------------------------------------------------------------------------------ */

struct responses *responses_new(void)
{
    return calloc(1, sizeof(struct responses));
}

void responses_free(struct responses *responses)
{
    if (responses == NULL)
        return;
    for (size_t i = 0; i < (size_t)1 << READY_BITS; i++)
        drop(&responses->ready[i]);
    free(responses);
}
