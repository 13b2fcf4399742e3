/*
 * render.c - key, cache, pool, fill, encode, publish. Coalescing of equal requests is cache.c's,
 * waiting in line is pool.c's; here they meet. No lock of its own: what is shared is atomic.
 * Next: tiles.c, which turns entries into answers; core/noisetile.h for fill and encode.
 */
#include "server/render.h"

#include "server/digest.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NS_PER_US = 1000,
    SMALL_BODY = 1 << 20, /* bytes: what a map or a game asks for */
    SMALL_RESERVE = 64 << 20,
    LARGE_SIDE = 512, /* pixels; a workspace keeps what tiles up to here need (nt_workspace_trim) */
};

struct render {
    struct cache *cache;
    struct pool *pool;
    size_t queue_capacity;
    uint64_t queue_wait_ns;
    size_t live_max; /* bytes of bodies, kept or on their way */
    bool workers_answer;
    uint64_t (*now_ns)(void);
    atomic_size_t making; /* estimated bytes of the bodies that are being made */
    atomic_uint_fast64_t renders;
    atomic_bool aborted;
};

/* A tile or sample in line. The leader's ticket may be gone before the worker is done, so it has an
 * order of its own. */
struct job {
    struct pool_job pool; /* first: the pool's pointer is ours */
    struct render *render;
    struct render_order order;
    struct cache_entry *entry;
};

/* ---- Identity -------------------------------------------------------------------------------- */

void render_identify(struct render_identity *identity, const struct render_order *order,
                     const char *url, size_t url_len)
{
    const char *coding = order->gzip ? "gzip" : "identity";
    const char *codec = nt_codec_version(order->spec.format, order->gzip);
    char engine[16];
    const struct digest_part parts[] = {
        {url, url_len},
        {engine, (size_t)snprintf(engine, sizeof engine, "%d", NT_ENGINE_VERSION)},
        {coding, strlen(coding)},
        {codec, strlen(codec)},
    };
    struct digest digest = digest_parts(parts, sizeof parts / sizeof *parts);

    _Static_assert(sizeof digest.byte == sizeof identity->key.word, "both are 128 bits");
    memcpy(identity->key.word, digest.byte, sizeof digest.byte);
    digest_etag(&digest, identity->etag);
}

/* ---- Work ------------------------------------------------------------------------------------ */

static uint32_t us_since(uint64_t start_ns, uint64_t now_ns)
{
    uint64_t us = (now_ns - start_ns) / NS_PER_US;

    return us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
}

enum nt_status render_bytes(struct nt_workspace *workspace, const struct render_order *order,
                            uint64_t (*now_ns)(void), struct nt_bytes *bytes,
                            struct render_times *times)
{
    uint64_t begun = now_ns(), filled;
    enum nt_status status = nt_fill(workspace, &order->spec, &order->tile);

    filled = now_ns();
    if (status == NT_OK)
        status = nt_encode(workspace, &order->spec, &order->tile, bytes);
    if (status == NT_OK && order->gzip)
        status = nt_gzip(workspace, *bytes, bytes);
    *times = (struct render_times){us_since(begun, filled), us_since(filled, now_ns())};
    return status;
}

/*
 * The bytes as a block of their own; NULL if out of memory. A copy, so that the workspace keeps its
 * memory for the next tile; but those of a large tile, whose memory is given back anyway, are taken
 * out, if they may be the mapping that such memory is.
 */
static unsigned char *own_bytes(struct nt_workspace *workspace, struct nt_bytes bytes, bool large)
{
    unsigned char *body;

    if (large && bytes.len >= RENDER_MAPPED_BODY)
        return nt_bytes_take(workspace, bytes);
    body = malloc(bytes.len);
    if (body != NULL)
        memcpy(body, bytes.data, bytes.len);
    return body;
}

/* Renders a body, which the cache takes over; NULL if out of memory. */
static unsigned char *make_body(struct job *job, struct nt_workspace *workspace, size_t *len,
                                struct render_times *times)
{
    bool large = nt_side(&job->order.spec) > LARGE_SIDE;
    struct nt_bytes bytes;
    unsigned char *body = NULL;

    atomic_fetch_add_explicit(&job->render->renders, 1, memory_order_relaxed);
    if (render_bytes(workspace, &job->order, job->render->now_ns, &bytes, times) == NT_OK)
        body = own_bytes(workspace, bytes, large);
    *len = body != NULL ? bytes.len : 0;
    if (large)
        nt_workspace_trim(workspace);
    return body;
}

/*
 * Clients that ask for much and read slowly must not be able to use up the memory; nor must the
 * few that ask for the largest tiles be able to keep everybody else from theirs, so small ones
 * have a reserve.
 */
static bool has_room(const struct render *render, size_t estimate)
{
    size_t held = cache_live_bytes(render->cache) +
                  atomic_load_explicit(&render->making, memory_order_relaxed);

    return held + estimate <= render->live_max + (estimate <= SMALL_BODY ? SMALL_RESERVE : 0);
}

/* Why the job is not to be done, or RENDER_FINE. */
static enum render_failure refusal(const struct render *render, uint64_t waited_ns, size_t estimate)
{
    if (render_is_aborted(render))
        return RENDER_STOPPED;
    if (waited_ns > render->queue_wait_ns)
        return RENDER_OVERLOAD;
    return has_room(render, estimate) ? RENDER_FINE : RENDER_SENDING;
}

static void run(struct pool_job *pool_job, void *worker, uint64_t waited_ns)
{
    struct job *job = (struct job *)pool_job;
    struct render *render = job->render;
    size_t len = 0, estimate = nt_bytes_estimate(&job->order.spec);
    enum render_failure failure = refusal(render, waited_ns, estimate);
    struct render_times times;
    unsigned char *body = NULL;

    atomic_fetch_add_explicit(&render->making, estimate, memory_order_relaxed);
    if (failure == RENDER_FINE && (body = make_body(job, worker, &len, &times)) == NULL)
        failure = RENDER_NO_MEMORY;
    /* The cache counts the body from now on. Not later: who is woken may be answered right here. */
    atomic_fetch_sub_explicit(&render->making, estimate, memory_order_relaxed);
    if (failure == RENDER_FINE)
        cache_publish(render->cache, job->entry, body, len,
                      (struct cache_cost){us_since(0, waited_ns), times.noise_us, times.encode_us});
    else
        cache_fail(render->cache, job->entry, (int)failure);
    free(job);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

struct cache_entry *render_get(struct render *render, const struct cache_key *key)
{
    return cache_get(render->cache, key);
}

static void finish(struct render_ticket *ticket, struct cache_entry *entry,
                   enum render_failure failure)
{
    ticket->entry = entry;
    ticket->failure = failure;
    ticket->done(ticket);
}

static void wake(struct cache_waiter *waiter, struct cache_entry *entry)
{
    struct render_ticket *ticket =
        (struct render_ticket *)(void *)((char *)waiter - offsetof(struct render_ticket, waiter));

    ticket->may_answer = ticket->render->workers_answer && entry->failure == RENDER_FINE &&
                         entry->waiters == waiter && waiter->next == NULL;
    finish(ticket, entry, (enum render_failure)entry->failure);
}

/* The leader's duty: a job in line, or the entry failed for all who wait. */
static void lead(struct render *render, const struct render_ticket *ticket,
                 struct cache_entry *entry)
{
    struct job *job = malloc(sizeof *job);

    if (job == NULL) {
        cache_fail(render->cache, entry, RENDER_NO_MEMORY);
        return;
    }
    *job = (struct job){.pool.run = run, .render = render, .order = ticket->order, .entry = entry};
    if (pool_submit(render->pool, &job->pool))
        return;
    cache_fail(render->cache, entry, RENDER_OVERLOAD);
    free(job);
}

void render_start(struct render *render, struct render_ticket *ticket)
{
    struct cache_entry *entry = NULL;

    ticket->waiter.wake = wake;
    ticket->may_answer = false;
    ticket->render = render;
    ticket->origin = RENDER_MISS;
    switch (cache_enter(render->cache, &ticket->key, &ticket->waiter, &entry)) {
    case CACHE_HIT: /* published between render_get and here */
        ticket->origin = RENDER_HIT;
        finish(ticket, entry, RENDER_FINE);
        break;
    case CACHE_JOINED:
        ticket->origin = RENDER_COLLAPSED;
        break;
    case CACHE_LEAD:
        lead(render, ticket, entry);
        break;
    case CACHE_NO_MEMORY:
        finish(ticket, NULL, RENDER_NO_MEMORY);
        break;
    }
}

bool render_submit(struct render *render, struct pool_job *job)
{
    return pool_submit(render->pool, job);
}

/* ---- Life ------------------------------------------------------------------------------------ */

static void *worker_new(void)
{
    return nt_workspace_new();
}

static void worker_free(void *worker)
{
    nt_workspace_free(worker);
}

struct render *render_new(const struct render_config *config)
{
    struct render *render = calloc(1, sizeof *render);
    const struct pool_config pool = {
        .workers = config->workers,
        .capacity = config->queue,
        .worker_new = worker_new,
        .worker_free = worker_free,
        .now_ns = config->now_ns,
    };

    if (render == NULL)
        return NULL;
    render->workers_answer = config->workers_answer;
    render->queue_capacity = config->queue;
    render->queue_wait_ns = config->queue_wait_ns;
    render->live_max = config->cache_bytes + config->sending_bytes;
    render->now_ns = config->now_ns;
    render->cache = cache_new(config->cache_bytes);
    if (render->cache != NULL)
        render->pool = pool_new(&pool);
    if (render->pool != NULL)
        return render;
    cache_free(render->cache);
    free(render);
    return NULL;
}

void render_free(struct render *render)
{
    if (render == NULL)
        return;
    pool_free(render->pool);
    cache_free(render->cache);
    free(render);
}

void render_abort(struct render *render)
{
    atomic_store(&render->aborted, true);
}

bool render_is_aborted(const struct render *render)
{
    return atomic_load(&render->aborted);
}

struct render_stats render_stats(struct render *render)
{
    return (struct render_stats){
        .renders = atomic_load_explicit(&render->renders, memory_order_relaxed),
        .queue_capacity = render->queue_capacity,
        .pool = pool_stats(render->pool),
        .cache = cache_stats(render->cache),
        .live_bytes = cache_live_bytes(render->cache),
    };
}
