/*
 * reply.h - the kinds of answers that all routes give, with the header fields that belong to each
 * kind: how long it may be cached, how it is negotiated and revalidated. http.h sends them.
 */
#ifndef REPLY_H
#define REPLY_H

#include "core/noisetile.h"
#include "server/asset.h"
#include "server/http.h"
#include "server/render.h"

#include <stdbool.h>

/* Cache-Control of the kinds of answers. */
#define REPLY_FOR_EVER "public, max-age=31536000, immutable"
#define REPLY_FOR_A_DAY \
    "public, max-age=86400, stale-while-revalidate=604800, stale-if-error=604800"
#define REPLY_DOCUMENT "public, max-age=300"
#define REPLY_NO_STORE "no-store"

#define REPLY_METHODS "GET, HEAD, OPTIONS"

/* Errors: a status and a sentence of ours, or what core found wrong. */
void reply_problem(struct http_request *request, int status, const char *detail);
void reply_error(struct http_request *request, const struct nt_error *err);

/* 503: why there are no bytes. */
void reply_failure(struct http_request *request, enum render_failure failure);

/* 204: what may be asked, for people and for browsers' preflights. */
void reply_options(struct http_request *request);

/* 200 or 304, in the best of its codings. */
void reply_asset(struct http_request *request, const struct asset *asset);

/* May the answer be gzip'ed? */
bool reply_may_gzip(const struct http_request *request);

/* Does the client hold what has this (quoted, strong) entity tag? */
bool reply_is_known(const struct http_request *request, const char *etag);

#endif
