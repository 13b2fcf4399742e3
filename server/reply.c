/*
 * reply.c - errors, preflights and fixed answers, and the two negotiations that tiles share with
 * them. The bytes of errors are problem.c's. Next: routes.c and tiles.c, which choose.
 */
#include "server/reply.h"

#include "server/problem.h"

#include <stdlib.h>

static const struct {
    int status;
    const char *cache_control;
} error_lifetimes[] = {
    {400, "public, max-age=60"}, {404, "public, max-age=60"}, {405, "public, max-age=60"},
    {413, "public, max-age=60"}, {414, "public, max-age=60"}, {431, "public, max-age=60"},
};

static const char *error_lifetime(int status)
{
    for (size_t i = 0; i < sizeof error_lifetimes / sizeof *error_lifetimes; i++)
        if (error_lifetimes[i].status == status)
            return error_lifetimes[i].cache_control;
    return REPLY_NO_STORE;
}

/* json may be NULL: an empty body is better than none. */
static void send_problem(struct http_request *request, int status, char *json, size_t len)
{
    const struct http_reply reply = {
        .status = status,
        .media_type = PROBLEM_MEDIA_TYPE,
        .cache_control = error_lifetime(status),
        .allow = status == 405 ? REPLY_METHODS : NULL,
        .retry_after = status == 503 ? "1" : NULL, /* s: the queue is shorter than that */
        .body = json != NULL ? json : "",
        .len = json != NULL ? len : 0,
        .release = json != NULL ? free : NULL,
        .owner = json,
    };

    http_reply(request, &reply);
}

void reply_problem(struct http_request *request, int status, const char *detail)
{
    size_t len = 0;
    char *json = problem_plain(status, detail, &len);

    send_problem(request, status, json, len);
}

void reply_error(struct http_request *request, const struct nt_error *err)
{
    size_t len = 0;
    char *json = problem_error(err, &len);

    send_problem(request, problem_status(err), json, len);
}

void reply_failure(struct http_request *request, enum render_failure failure)
{
    static const char *const details[] = {
        [RENDER_OVERLOAD] = "Too many requests are waiting to be rendered. Try again in a moment.",
        [RENDER_SENDING] = "Too many bytes are on their way to slow readers. Try again later.",
        [RENDER_NO_MEMORY] = "There is not enough memory to render this now.",
        [RENDER_STOPPED] = "The server is stopping.",
    };

    reply_problem(request, 503, details[failure]);
}

void reply_options(struct http_request *request)
{
    const struct http_reply reply = {
        .status = 204,
        .cache_control = REPLY_NO_STORE,
        .allow = REPLY_METHODS,
        .preflight_methods = REPLY_METHODS,
        .preflight_headers = "If-None-Match",
        .preflight_age = "86400",
        .body = "",
    };

    http_reply(request, &reply);
}

/* ---- Negotiation ----------------------------------------------------------------------------- */

static void add_coding(void *context, const char *value, size_t len)
{
    accept_coding_add(context, value, len);
}

bool reply_may_gzip(const struct http_request *request)
{
    struct accept_coding accept;

    accept_coding_init(&accept);
    http_each_line(request, FIELD_ACCEPT_ENCODING, add_coding, &accept);
    return accept_coding_gzip(&accept);
}

struct known {
    const char *etag;
    bool found;
};

static void look_for(void *context, const char *value, size_t len)
{
    struct known *known = context;

    known->found = known->found || etag_matches(value, len, known->etag);
}

bool reply_is_known(const struct http_request *request, const char *etag)
{
    struct known known = {etag, false};

    http_each_line(request, FIELD_IF_NONE_MATCH, look_for, &known);
    return known.found;
}

static void release_nothing(void *owner)
{
    (void)owner;
}

void reply_asset(struct http_request *request, const struct asset *asset)
{
    bool negotiated = asset->gzip.data != NULL;
    bool gzip = negotiated && reply_may_gzip(request);
    const struct asset_form *form = gzip ? &asset->gzip : &asset->plain;
    bool known = reply_is_known(request, form->etag);
    const struct http_reply reply = {
        .status = known ? 304 : 200,
        .media_type = known ? NULL : asset->media_type,
        .content_encoding = gzip && !known ? "gzip" : NULL,
        .cache_control = REPLY_DOCUMENT,
        .etag = form->etag,
        .vary = negotiated ? "Accept-Encoding" : NULL,
        .body = form->data,
        .len = form->len,
        .release = release_nothing, /* the asset outlives the server */
        .again = true,
    };

    http_reply(request, &reply);
}
