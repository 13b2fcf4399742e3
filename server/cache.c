/*
 * cache.c - a hash table of chains that finds entries, pending or stored, and a list of the stored
 * ones by last use; one mutex guards both. Making bodies and replying are left to render.c.
 *
 * An entry is in one of three states:
 *   pending   in the table; the leader holds a reference (its claim), and so does each waiter
 *   stored    in the table and in the list; the cache holds a reference
 *   detached  in neither: evicted, failed or too large; lives as long as somebody holds a reference
 *
 * References are atomic rather than guarded by the lock, so giving one back, which every reply
 * does, never meets the threads that look something up. They are added only under the lock, by
 * somebody who knows that the cache or the leader holds one, so a count that has reached 0 stays 0.
 */
#include "server/cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A stored body's charge beside its bytes: its entry, its share of a table that is at least half
 * full after growing, and what malloc adds to two blocks. */
enum { ENTRY_BYTES = sizeof(struct cache_entry) + 2 * sizeof(void *) + 2 * 16 };

enum { FIRST_BITS = 10 }; /* log2 of the buckets to begin with: 8 kB */

struct cache {
    size_t max_bytes; /* never changes, nor does salt */
    uint64_t salt;
    atomic_size_t live; /* bytes of all bodies, stored or held */

    pthread_mutex_t lock; /* guards the rest, and in entries all but refs */
    struct cache_entry **buckets;
    unsigned bits;   /* log2 of the number of buckets */
    size_t in_table; /* entries, stored and pending */
    struct cache_entry *newest, *oldest;
    struct cache_stats stats;
};

/* ---- The table ------------------------------------------------------------------------------- */

/*
 * The digest is public, so anybody can compute tiles whose keys agree in the low bits. The salt
 * (our address, which differs per process) and a multiplication by 2^64 / golden ratio (Knuth,
 * TAOCP 3, 6.4) keep such tiles from meeting in one chain.
 */
static struct cache_entry **bucket(const struct cache *cache, const struct cache_key *key)
{
    uint64_t hash = (key->word[0] ^ cache->salt) * UINT64_C(0x9e3779b97f4a7c15);
    return &cache->buckets[hash >> (64 - cache->bits)];
}

static bool same_key(const struct cache_key *a, const struct cache_key *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

static struct cache_entry *find(const struct cache *cache, const struct cache_key *key)
{
    struct cache_entry *entry = *bucket(cache, key);
    while (entry != NULL && !same_key(&entry->key, key))
        entry = entry->chain;
    return entry;
}

static void chain_add(struct cache *cache, struct cache_entry *entry)
{
    struct cache_entry **head = bucket(cache, &entry->key);
    entry->chain = *head;
    *head = entry;
}

/* Twice the buckets once there is an entry for each. Without memory the chains just get longer. */
static void table_grow_if_full(struct cache *cache)
{
    size_t count = (size_t)1 << cache->bits;
    if (cache->in_table < count)
        return;
    struct cache_entry **old = cache->buckets;
    struct cache_entry **grown = calloc(2 * count, sizeof(struct cache_entry *));
    if (grown == NULL)
        return;
    cache->buckets = grown;
    cache->bits++;
    for (size_t i = 0; i < count; i++) {
        for (struct cache_entry *entry = old[i], *next; entry != NULL; entry = next) {
            next = entry->chain;
            chain_add(cache, entry);
        }
    }
    free(old);
}

static void table_add(struct cache *cache, struct cache_entry *entry)
{
    table_grow_if_full(cache);
    chain_add(cache, entry);
    cache->in_table++;
}

static void table_remove(struct cache *cache, struct cache_entry *entry)
{
    struct cache_entry **link = bucket(cache, &entry->key);
    while (*link != entry)
        link = &(*link)->chain;
    *link = entry->chain;
    entry->chain = NULL;
    cache->in_table--;
}

/* ---- The list of stored entries, by last use ------------------------------------------------- */

static void list_add(struct cache *cache, struct cache_entry *entry)
{
    entry->newer = NULL;
    entry->older = cache->newest;
    if (cache->newest != NULL)
        cache->newest->newer = entry;
    else
        cache->oldest = entry;
    cache->newest = entry;
}

static void list_remove(struct cache *cache, struct cache_entry *entry)
{
    if (entry->newer != NULL)
        entry->newer->older = entry->older;
    else
        cache->newest = entry->older;
    if (entry->older != NULL)
        entry->older->newer = entry->newer;
    else
        cache->oldest = entry->newer;
    entry->newer = entry->older = NULL;
}

static size_t charge(size_t len)
{
    return len + ENTRY_BYTES;
}

static void store(struct cache *cache, struct cache_entry *entry)
{
    list_add(cache, entry);
    cache->stats.bytes += charge(entry->len);
    cache->stats.entries++;
}

static void unstore(struct cache *cache, struct cache_entry *entry)
{
    list_remove(cache, entry);
    table_remove(cache, entry);
    cache->stats.bytes -= charge(entry->len);
    cache->stats.entries--;
}

/* Detaches the oldest until so many bytes fit; returns them as a chain, each still with the cache's
 * reference, for the caller to give back when the lock is free. */
static struct cache_entry *make_room(struct cache *cache, size_t bytes)
{
    struct cache_entry *evicted = NULL;
    while (cache->stats.bytes + bytes > cache->max_bytes) {
        struct cache_entry *entry = cache->oldest;
        unstore(cache, entry);
        cache->stats.evictions++;
        entry->chain = evicted;
        evicted = entry;
    }
    return evicted;
}

/* ---- Entries and waiters --------------------------------------------------------------------- */

static void ref(struct cache_entry *entry, unsigned count)
{
    atomic_fetch_add_explicit(&entry->refs, count, memory_order_relaxed);
}

void cache_unref(struct cache_entry *entry)
{
    if (entry == NULL)
        return;
    /* Release: our reads are over. Acquire: so are everybody's, before the last one frees. */
    unsigned before = atomic_fetch_sub_explicit(&entry->refs, 1, memory_order_acq_rel);
    assert(before > 0);
    if (before > 1)
        return;
    atomic_fetch_sub_explicit(&entry->cache->live, entry->len, memory_order_relaxed);
    free(entry->body);
    free(entry);
}

static void unref_chain(struct cache_entry *entry)
{
    while (entry != NULL) {
        struct cache_entry *next = entry->chain;
        cache_unref(entry);
        entry = next;
    }
}

static bool is_pending(const struct cache_entry *entry)
{
    return entry->body == NULL && entry->failure == 0;
}

static void add_waiter(struct cache_entry *entry, struct cache_waiter *waiter)
{
    waiter->next = NULL;
    *entry->waiters_end = waiter;
    entry->waiters_end = &waiter->next;
    ref(entry, 1);
}

/* Each waiter's reference passes to it; neither it nor the entry may be touched afterwards. */
static void wake_all(struct cache_waiter *waiter, struct cache_entry *entry)
{
    while (waiter != NULL) {
        struct cache_waiter *next = waiter->next;
        waiter->wake(waiter, entry);
        waiter = next;
    }
}

static struct cache_entry *new_pending(struct cache *cache, const struct cache_key *key)
{
    struct cache_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return NULL;
    entry->key = *key;
    entry->cache = cache;
    entry->waiters_end = &entry->waiters;
    atomic_init(&entry->refs, 1); /* the leader's claim */
    table_add(cache, entry);
    return entry;
}

/* ---- The cache ------------------------------------------------------------------------------- */

/*
 * It is held for less time than it takes to put a thread to sleep, so whoever meets it spins a
 * little first (glibc's adaptive kind).
 */
static void lock_init(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(lock, &attr);
    pthread_mutexattr_destroy(&attr);
}

struct cache *cache_new(size_t max_bytes)
{
    struct cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL)
        return NULL;
    cache->max_bytes = max_bytes;
    cache->salt = (uint64_t)(uintptr_t)cache;
    cache->bits = FIRST_BITS;
    cache->buckets = calloc((size_t)1 << FIRST_BITS, sizeof(struct cache_entry *));
    if (cache->buckets == NULL) {
        free(cache);
        return NULL;
    }
    lock_init(&cache->lock);
    return cache;
}

void cache_free(struct cache *cache)
{
    if (cache == NULL)
        return;
    assert(cache->in_table == cache->stats.entries); /* nothing is pending */
    while (cache->oldest != NULL) {
        struct cache_entry *entry = cache->oldest;
        list_remove(cache, entry);
        cache_unref(entry);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache->buckets);
    free(cache);
}

static void use(struct cache *cache, struct cache_entry *entry)
{
    ref(entry, 1);
    cache->stats.hits++;
    if (entry != cache->newest) {
        list_remove(cache, entry);
        list_add(cache, entry);
    }
}

struct cache_entry *cache_get(struct cache *cache, const struct cache_key *key)
{
    pthread_mutex_lock(&cache->lock);
    struct cache_entry *entry = find(cache, key);
    if (entry != NULL && is_pending(entry))
        entry = NULL;
    if (entry != NULL)
        use(cache, entry);
    pthread_mutex_unlock(&cache->lock);
    return entry;
}

/* cache_enter without the lock. */
static enum cache_answer enter(struct cache *cache, const struct cache_key *key,
                               struct cache_waiter *waiter, struct cache_entry **entry)
{
    struct cache_entry *found = find(cache, key);
    *entry = NULL;
    if (found != NULL && is_pending(found)) {
        add_waiter(found, waiter);
        cache->stats.joins++;
        return CACHE_JOINED;
    }
    if (found != NULL) {
        use(cache, found);
        *entry = found;
        return CACHE_HIT;
    }
    struct cache_entry *made = new_pending(cache, key);
    if (made == NULL)
        return CACHE_NO_MEMORY;
    add_waiter(made, waiter);
    cache->stats.leads++;
    *entry = made;
    return CACHE_LEAD;
}

enum cache_answer cache_enter(struct cache *cache, const struct cache_key *key,
                              struct cache_waiter *waiter, struct cache_entry **entry)
{
    assert(waiter->wake != NULL);
    pthread_mutex_lock(&cache->lock);
    enum cache_answer answer = enter(cache, key, waiter, entry);
    pthread_mutex_unlock(&cache->lock);
    return answer;
}

void cache_publish(struct cache *cache, struct cache_entry *entry, unsigned char *body, size_t len,
                   struct cache_cost cost)
{
    assert(body != NULL);
    bool stored = charge(len) <= cache->max_bytes / 4;
    struct cache_entry *evicted = NULL;

    atomic_fetch_add_explicit(&cache->live, len, memory_order_relaxed);
    pthread_mutex_lock(&cache->lock);
    assert(is_pending(entry));
    entry->body = body;
    entry->len = len;
    entry->cost = cost;
    entry->stored = stored;
    if (stored) {
        evicted = make_room(cache, charge(len));
        store(cache, entry); /* with the reference that was the leader's */
    } else {
        table_remove(cache, entry);
    }
    struct cache_waiter *waiters = entry->waiters;
    pthread_mutex_unlock(&cache->lock);

    /* Before waking, which may go on for long: others are answered on this thread. */
    unref_chain(evicted);
    if (!stored)
        cache_unref(entry); /* each waiter has a reference of its own */
    wake_all(waiters, entry);
}

void cache_fail(struct cache *cache, struct cache_entry *entry, int reason)
{
    assert(reason != 0);
    pthread_mutex_lock(&cache->lock);
    assert(is_pending(entry));
    entry->failure = reason;
    table_remove(cache, entry);
    struct cache_waiter *waiters = entry->waiters;
    pthread_mutex_unlock(&cache->lock);

    cache_unref(entry);
    wake_all(waiters, entry);
}

size_t cache_live_bytes(const struct cache *cache)
{
    return atomic_load_explicit(&cache->live, memory_order_relaxed);
}

struct cache_stats cache_stats(struct cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    struct cache_stats stats = cache->stats;
    pthread_mutex_unlock(&cache->lock);
    return stats;
}
