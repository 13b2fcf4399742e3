/*
 * cache.h - finished bodies by key, capped in bytes, least recently used out first; and the meeting
 * point of identical requests: while one body is being made, others that want it wait for it
 * instead of making it again. Look-up, join and lead are one critical section, so a body is never
 * made twice at once.
 *
 * Entries are shared and reference counted; published bytes never change. An entry that is evicted
 * while others hold it stays valid until the last of them gives it back. No callback runs under the
 * lock, so a callback may call the cache. All functions but cache_new and cache_free may be called
 * by any thread.
 */
#ifndef CACHE_H
#define CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache;

struct cache_key {
    uint64_t word[2]; /* 128 good bits: a digest of the canonical text */
};

/* What making the body took, in microseconds; kept with it. */
struct cache_cost {
    uint32_t queue_us, noise_us, encode_us;
};

/* Read-only for everybody but cache.c, and only while holding a reference: not between CACHE_LEAD
 * and cache_publish. */
struct cache_entry {
    struct cache_key key;
    unsigned char *body; /* malloc'ed; NULL if failed */
    size_t len;
    struct cache_cost cost;
    int failure; /* 0, or the reason given to cache_fail */
    bool stored; /* published and was small enough to be kept */
    /* The rest is cache.c's own. */
    struct cache *cache;
    struct cache_entry *chain, *newer, *older;
    struct cache_waiter *waiters, **waiters_end;
    atomic_uint refs;
};

/*
 * Embedded in a request. wake is called exactly once, on the thread that publishes or fails, with a
 * reference that the waiter then owns; in the order of arrival. It may free the waiter. Since the
 * body can be published at any moment, wake may come BEFORE cache_enter has returned CACHE_JOINED
 * to its own caller: everything wake needs must be in place before the call.
 */
struct cache_waiter {
    void (*wake)(struct cache_waiter *waiter, struct cache_entry *entry);
    struct cache_waiter *next;
};

enum cache_answer {
    CACHE_HIT,    /* *entry is ready, with a reference for the caller; the waiter is not used */
    CACHE_JOINED, /* somebody is making it: the waiter will be woken */
    CACHE_LEAD, /* the caller must make it: cache_publish or cache_fail *entry, which also wakes the
                   waiter */
    CACHE_NO_MEMORY, /* nothing has happened, the waiter is not used */
};

/*
 * max_bytes counts stored bodies and the bookkeeping for each; it is never exceeded, and a body
 * that would take more than a quarter of it is not stored, so that one giant does not push out
 * everything else. Not counted: pending entries (the requests in flight bound them) and evicted
 * bodies that a reply still holds (cache_live_bytes counts those too). 0 keeps nothing but still
 * joins requests. NULL: out of memory.
 */
struct cache *cache_new(size_t max_bytes);

/* No entry may be pending, and every reference must have been given back. NULL is fine. */
void cache_free(struct cache *cache);

/* A ready entry with a reference for the caller, or NULL. Counts as use. */
struct cache_entry *cache_get(struct cache *cache, const struct cache_key *key);

/* One critical section. *entry is NULL after CACHE_JOINED and CACHE_NO_MEMORY. */
enum cache_answer cache_enter(struct cache *cache, const struct cache_key *key,
                              struct cache_waiter *waiter, struct cache_entry **entry);

/* Takes over body (malloc'ed to fit: len is what counts against the cap), wakes all waiters, stored
 * or not. The leader's claim on the entry ends with this call. */
void cache_publish(struct cache *cache, struct cache_entry *entry, unsigned char *body, size_t len,
                   struct cache_cost cost);

/* Wakes all waiters with entry->failure = reason (not 0); the entry is forgotten, so the next
 * request leads. */
void cache_fail(struct cache *cache, struct cache_entry *entry, int reason);

/* Safe on any thread. NULL is fine. */
void cache_unref(struct cache_entry *entry);

/* Bytes of all bodies, those that are stored and those that somebody still holds. Takes no lock. */
size_t cache_live_bytes(const struct cache *cache);

struct cache_stats {
    size_t bytes, entries;                  /* of stored bodies, now */
    uint64_t hits, joins, leads, evictions; /* since cache_new; cache_get counts as a hit too */
};
struct cache_stats cache_stats(struct cache *cache);

#endif
