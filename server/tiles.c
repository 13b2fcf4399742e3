/*
 * tiles.c - one request for a tile, or for samples, from text to reply. What is in the cache is
 * answered at once; any other request is suspended before it joins the line, because the bytes may
 * be there before it has. How bytes are made is render.c's; what a target means is parsed once and
 * then asked of recent.c.
 */
#include "server/tiles.h"

#include "server/recent.h"
#include "server/reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for, and everything that the header fields of its answer are made of. */
struct tile {
    struct render_order order;
    struct face face;
    char location[NT_URL_MAX]; /* canonical URL with its version, if it had one */
};

/* A suspended request: its tile, and its place in the line. */
struct wait {
    struct tile tile;
    struct render_ticket ticket;
    struct http_request *request;
};

static const char *const log_names[] = {
    [RENDER_HIT] = "hit", [RENDER_MISS] = "miss", [RENDER_COLLAPSED] = "collapsed"};

/* ---- Replies --------------------------------------------------------------------------------- */

static void release_entry(void *entry)
{
    cache_unref(entry);
}

static void set_common(struct http_reply *reply, const struct face *face, const char *location)
{
    reply->cache_control = face->pinned ? REPLY_FOR_EVER : REPLY_FOR_A_DAY;
    reply->etag = face->identity.etag;
    reply->content_location = location;
    reply->vary = face->negotiated ? "Accept-Encoding" : NULL;
}

/* Takes over the reference to entry. */
static void reply_tile(struct http_request *request, const struct face *face, const char *location,
                       struct cache_entry *entry, enum render_origin origin, const char *timing)
{
    static const char *const origins[][2] = {
        /* not stored, stored */
        [RENDER_HIT] = {"noisetile; hit", "noisetile; hit"},
        [RENDER_MISS] = {"noisetile; fwd=miss", "noisetile; fwd=miss; stored"},
        [RENDER_COLLAPSED] = {"noisetile; fwd=miss; collapsed", "noisetile; fwd=miss; collapsed"},
    };
    struct http_reply reply = {
        .status = 200,
        .media_type = face->media_type,
        .content_encoding = face->gzip ? "gzip" : NULL,
        .cache_status = origins[origin][entry->stored],
        .server_timing = timing,
        .body = entry->body,
        .len = entry->len,
        .release = release_entry,
        .owner = entry,
        .again = origin == RENDER_HIT,
    };

    set_common(&reply, face, location);
    request->cache = log_names[origin];
    http_reply(request, &reply);
}

/* The body is not sent; libmicrohttpd derives Content-Length from it, so the real one is best. */
static void reply_not_modified(struct http_request *request, struct render *render,
                               const struct face *face, const char *location)
{
    struct cache_entry *entry = render_get(render, &face->identity.key);
    struct http_reply reply = {.status = 304, .body = "", .again = true};

    if (entry != NULL) {
        reply.body = entry->body;
        reply.len = entry->len;
        reply.release = release_entry;
        reply.owner = entry;
    }
    set_common(&reply, face, location);
    request->cache = "not modified";
    http_reply(request, &reply);
}

/* ---- Waiting --------------------------------------------------------------------------------- */

static void wait_free(void *state)
{
    struct wait *wait = state;

    cache_unref(wait->ticket.entry); /* NULL once it was given to the reply */
    free(wait);
}

/* Those who waited together are answered together, by the HTTP threads. */
static void wake(struct render_ticket *ticket)
{
    struct wait *wait = (struct wait *)(void *)((char *)ticket - offsetof(struct wait, ticket));

    if (ticket->may_answer)
        http_resume_here(wait->request);
    else
        http_resume(wait->request);
}

static void wait_for(struct http_request *request, struct render *render, const struct tile *tile)
{
    struct wait *wait = malloc(sizeof *wait);

    if (wait == NULL) {
        reply_failure(request, RENDER_NO_MEMORY);
        return;
    }
    wait->tile = *tile;
    wait->request = request;
    wait->ticket =
        (struct render_ticket){.order = tile->order, .key = tile->face.identity.key, .done = wake};
    request->state = wait;
    request->state_free = wait_free;
    if (http_suspend(request))
        render_start(render, &wait->ticket);
    else
        reply_failure(request, RENDER_STOPPED);
}

/* Resumed: the entry is there, or the reason why it is not. */
static void answer_waiting(struct http_request *request, struct wait *wait)
{
    struct cache_entry *entry = wait->ticket.entry;
    char timing[96];

    if (wait->ticket.failure != RENDER_FINE) {
        request->cache = log_names[wait->ticket.origin];
        reply_failure(request, wait->ticket.failure);
        return;
    }
    snprintf(timing, sizeof timing, "queue;dur=%u.%03u, noise;dur=%u.%03u, encode;dur=%u.%03u",
             entry->cost.queue_us / 1000, entry->cost.queue_us % 1000, entry->cost.noise_us / 1000,
             entry->cost.noise_us % 1000, entry->cost.encode_us / 1000,
             entry->cost.encode_us % 1000);
    wait->ticket.entry = NULL;
    reply_tile(request, &wait->tile.face, wait->tile.location, entry, wait->ticket.origin, timing);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static void identify(struct tile *tile, const struct http_request *request)
{
    const struct nt_tile *place = &tile->order.tile;
    const struct nt_spec *spec = &tile->order.spec;
    struct face *face = &tile->face;
    char url[NT_URL_MAX];
    size_t len = nt_tile_url(place, spec, false, url, sizeof url);

    face->media_type = nt_media_type(spec->format);
    face->pinned = spec->version != 0;
    face->negotiated = spec->format != NT_PNG; /* PNG is compressed already */
    face->gzip = tile->order.gzip = face->negotiated && reply_may_gzip(request);
    if (face->pinned)
        nt_tile_url(place, spec, true, tile->location, sizeof tile->location);
    else
        memcpy(tile->location, url, len + 1);
    render_identify(&face->identity, &tile->order, url, len);
}

/* False if it must be rendered first. */
static bool answer_at_once(struct http_request *request, struct render *render,
                           const struct face *face, const char *location)
{
    struct cache_entry *entry;

    if (reply_is_known(request, face->identity.etag))
        reply_not_modified(request, render, face, location);
    else if (drain_is_refusing(request->drain))
        reply_failure(request, RENDER_STOPPED);
    else if ((entry = render_get(render, &face->identity.key)) != NULL)
        reply_tile(request, face, location, entry, RENDER_HIT,
                   "queue;dur=0.000, noise;dur=0.000, encode;dur=0.000");
    else
        return false;
    return true;
}

/* Path and query as they came, in one piece: of a tile or sample the path is never made up. */
static size_t target_len(const struct target *target)
{
    return (size_t)(target->query + target->query_len - target->path);
}

/* The target has been asked for lately, and the bytes are still there. */
static bool answer_again(struct http_request *request, struct render *render)
{
    const struct target *target = &request->target;
    const struct known *known = recent_find(request->local, target->path, target_len(target));

    if (known == NULL || (known->face.negotiated && known->face.gzip != reply_may_gzip(request)))
        return false;
    return answer_at_once(request, render, &known->face, known->location);
}

/* A request that was parsed: tile and spec of the order are set. */
static void answer(struct http_request *request, struct render *render, struct tile *tile)
{
    const struct target *target = &request->target;

    identify(tile, request);
    if (answer_at_once(request, render, &tile->face, tile->location))
        recent_add(request->local, target->path, target_len(target), &tile->face, tile->location);
    else
        wait_for(request, render, tile);
}

void tiles_answer(struct http_request *request, struct render *render,
                  const struct nt_limits *limits, const char *place, size_t place_len)
{
    const struct target *target = &request->target;
    struct nt_error err;
    struct tile tile;

    if (request->state != NULL)
        answer_waiting(request, request->state);
    else if (answer_again(request, render))
        return;
    else if (nt_request_parse(&tile.order.tile, &tile.order.spec, limits, place, place_len,
                              target->query, target->query_len, &err) != NT_OK)
        reply_error(request, &err);
    else
        answer(request, render, &tile);
}

void tiles_answer_sample(struct http_request *request, struct render *render)
{
    const struct target *target = &request->target;
    struct nt_error err;
    struct tile tile;

    tile.order.tile = (struct nt_tile){0};
    if (request->state != NULL)
        answer_waiting(request, request->state);
    else if (answer_again(request, render))
        return;
    else if (nt_sample_request_parse(&tile.order.spec, target->query, target->query_len, &err) !=
             NT_OK)
        reply_error(request, &err);
    else
        answer(request, render, &tile);
}
