/*
 * render.h - the heart: a tile's identity, and its bytes by the cheapest way: from the cache, from
 * somebody who is making them already, or from a worker. Knows nothing of HTTP; the command line
 * renders through it, too.
 */
#ifndef RENDER_H
#define RENDER_H

#include "core/noisetile.h"
#include "server/cache.h"
#include "server/digest.h"
#include "server/pool.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What is wanted: a checked tile and specification (of a sample: with any tile), and the content
 * coding of the answer.
 */
struct render_order {
    struct nt_tile tile;
    struct nt_spec spec;
    bool gzip;
};

/*
 * The identity of the bytes: canonical text, engine version, content coding and the version of the
 * libraries that the bytes depend on, as a key, and the entity tag made of it. `url` is
 * nt_tile_url's canonical URL without version.
 */
struct render_identity {
    struct cache_key key;
    char etag[DIGEST_ETAG_MAX];
};
void render_identify(struct render_identity *identity, const struct render_order *order,
                     const char *url, size_t url_len);

/* Why there are no bytes; cache_entry's `failure`. */
enum render_failure {
    RENDER_FINE,
    RENDER_OVERLOAD, /* no room in the queue, or waited too long */
    RENDER_SENDING,  /* too many bytes are held by answers on their way */
    RENDER_NO_MEMORY,
    RENDER_STOPPED
};

enum render_origin { RENDER_HIT, RENDER_MISS, RENDER_COLLAPSED };

/* One who wants bytes that are not in the cache. Fill in order, key and done, then render_start. */
struct render_ticket {
    struct render_order order;
    struct cache_key key;
    /* Called exactly once, perhaps before render_start returns, perhaps on a worker. Entry, failure
     * and may_answer are set then; entry, if not NULL, holds a reference for the ticket's owner. */
    void (*done)(struct render_ticket *ticket);
    struct cache_entry *entry;   /* NULL if there was no memory for one */
    enum render_failure failure; /* RENDER_FINE: entry has a body */
    bool
        may_answer; /* done is called by a worker that made the body for nobody else and may answer */
    enum render_origin origin; /* set when render_start returns */
    struct render *render;     /* render.c's own, as is this: */
    struct cache_waiter waiter;
};

/*
 * Bytes from which on a body is a mapping of its own, given back to the system when it is freed.
 * Of these a process may have 65 530 (vm.max_map_count), so smaller ones must not be any.
 */
enum { RENDER_MAPPED_BODY = 128 << 10 };

struct render_config {
    int workers;
    bool workers_answer;    /* there are no more of them than CPUs */
    size_t queue;           /* tiles that may wait */
    uint64_t queue_wait_ns; /* a tile that has waited longer is given up */
    size_t cache_bytes;
    size_t sending_bytes; /* bodies that the cache does not keep but replies hold: beyond, 503 */
    uint64_t (*now_ns)(void);
};

struct render;

struct render *render_new(const struct render_config *config); /* NULL: no memory or threads */
/* Finishes all that is queued. NULL is fine. */
void render_free(struct render *render);

/* The bytes if they are there, with a reference for the caller, or NULL. Any thread. */
struct cache_entry *render_get(struct render *render, const struct cache_key *key);

/* Any thread. The ticket must live until done has been called and this has returned. */
void render_start(struct render *render, struct render_ticket *ticket);

/*
 * Other work for the workers: job->run gets the worker's struct nt_workspace and must see to
 * render_is_aborted itself. False if the queue is full.
 */
bool render_submit(struct render *render, struct pool_job *job);
bool render_is_aborted(const struct render *render);

/* From now on what is queued or new fails with RENDER_STOPPED; what is being rendered is finished.
 */
void render_abort(struct render *render);

struct render_stats {
    uint64_t renders; /* tiles filled since the start */
    size_t queue_capacity;
    struct pool_stats pool;
    struct cache_stats cache;
    size_t live_bytes; /* of bodies, kept or on their way */
};
struct render_stats render_stats(struct render *render);

/* What it took, in microseconds. */
struct render_times {
    uint32_t noise_us, encode_us;
};

/*
 * Fill, encode and compress on the calling thread. *bytes is owned by the workspace. The steps that
 * a worker takes, for those who have no pool.
 */
enum nt_status render_bytes(struct nt_workspace *workspace, const struct render_order *order,
                            uint64_t (*now_ns)(void), struct nt_bytes *bytes,
                            struct render_times *times);

#endif
