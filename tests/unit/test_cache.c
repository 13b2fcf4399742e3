/*
 * test_cache.c - sharing, meeting, eviction and the byte cap of the cache; and at the end many
 * threads at once, each checking what it was promised.
 */
#include "server/cache.h"
#include "tests/suites.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a stored body costs beside its length is cache.c's business; no test needs more than this.
 */
enum { OVERHEAD_AT_MOST = 256 };

struct guest {
    struct cache_waiter waiter;
    struct cache_entry *entry;
    int woken, order;
};

static int wakes;

static void note_wake(struct cache_waiter *waiter, struct cache_entry *entry)
{
    struct guest *guest = (struct guest *)waiter;
    guest->entry = entry;
    guest->woken++;
    guest->order = wakes++;
}

static struct cache_key key_of(uint64_t n)
{
    return (struct cache_key){{n * 0x9e3779b97f4a7c15u, ~n}};
}

static enum cache_answer enter(struct cache *cache, uint64_t n, struct guest *guest,
                               struct cache_entry **entry)
{
    struct cache_key key = key_of(n);
    *guest = (struct guest){.waiter.wake = note_wake};
    return cache_enter(cache, &key, &guest->waiter, entry);
}

static unsigned char *body_of(uint64_t n, size_t len)
{
    unsigned char *body = malloc(len + 1);
    memset(body, (int)(n & 0xff), len + 1);
    return body;
}

static void publish(struct cache *cache, struct cache_entry *entry, uint64_t n, size_t len)
{
    cache_publish(cache, entry, body_of(n, len), len, (struct cache_cost){1, 2, 3});
}

/* Leads, publishes, and gives its reference back; returns whether the body was stored. */
static bool fill(struct cache *cache, uint64_t n, size_t len)
{
    struct guest guest;
    struct cache_entry *entry;
    ck_assert_int_eq(enter(cache, n, &guest, &entry), CACHE_LEAD);
    publish(cache, entry, n, len);
    ck_assert_int_eq(guest.woken, 1);
    ck_assert_ptr_eq(guest.entry, entry);
    ck_assert_uint_eq(guest.entry->len, len);
    bool stored = guest.entry->stored;
    cache_unref(guest.entry);
    return stored;
}

static bool has(struct cache *cache, uint64_t n)
{
    struct cache_key key = key_of(n);
    struct cache_entry *entry = cache_get(cache, &key);
    bool found = entry != NULL;
    cache_unref(entry);
    return found;
}

START_TEST(those_who_come_while_a_body_is_made_share_it)
{
    struct cache *cache = cache_new(100000);
    struct guest guests[5];
    struct cache_entry *entry, *joined;
    ck_assert_int_eq(enter(cache, 7, &guests[0], &entry), CACHE_LEAD);
    for (int i = 1; i < 5; i++) {
        ck_assert_int_eq(enter(cache, 7, &guests[i], &joined), CACHE_JOINED);
        ck_assert_ptr_null(joined);
    }
    ck_assert_int_eq(guests[4].woken, 0);
    publish(cache, entry, 7, 1000);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(guests[i].woken, 1);
        ck_assert_int_eq(guests[i].order, i); /* first come, first served */
        ck_assert_ptr_eq(guests[i].entry, entry);
        ck_assert_int_eq(guests[i].entry->failure, 0);
        ck_assert_uint_eq(guests[i].entry->body[999], 7);
        ck_assert_uint_eq(guests[i].entry->cost.noise_us, 2);
        ck_assert(guests[i].entry->stored);
        cache_unref(guests[i].entry);
    }
    struct cache_stats stats = cache_stats(cache);
    ck_assert_uint_eq(stats.leads, 1);
    ck_assert_uint_eq(stats.joins, 4);
    ck_assert_uint_eq(stats.hits, 0);
    cache_free(cache);
}
END_TEST

START_TEST(a_finished_body_is_a_hit_and_wakes_nobody)
{
    struct cache *cache = cache_new(100000);
    struct guest guest;
    struct cache_entry *entry;
    ck_assert(fill(cache, 3, 500));
    ck_assert_int_eq(enter(cache, 3, &guest, &entry), CACHE_HIT);
    ck_assert_int_eq(guest.woken, 0);
    ck_assert_uint_eq(entry->len, 500);
    ck_assert_uint_eq(entry->body[0], 3);
    cache_unref(entry);
    ck_assert_uint_eq(cache_stats(cache).hits, 1);
    cache_free(cache);
}
END_TEST

START_TEST(get_finds_only_what_is_ready)
{
    struct cache *cache = cache_new(100000);
    struct guest guest;
    struct cache_entry *entry;
    ck_assert(!has(cache, 1));
    ck_assert_int_eq(enter(cache, 1, &guest, &entry), CACHE_LEAD);
    ck_assert(!has(cache, 1));
    publish(cache, entry, 1, 10);
    cache_unref(guest.entry);
    ck_assert(has(cache, 1));
    cache_free(cache);
}
END_TEST

START_TEST(a_failure_reaches_all_who_wait_and_is_forgotten)
{
    struct cache *cache = cache_new(100000);
    struct guest leader, joiner, next;
    struct cache_entry *entry, *none;
    ck_assert_int_eq(enter(cache, 1, &leader, &entry), CACHE_LEAD);
    ck_assert_int_eq(enter(cache, 1, &joiner, &none), CACHE_JOINED);
    cache_fail(cache, entry, 503);
    ck_assert_int_eq(leader.woken, 1);
    ck_assert_int_eq(joiner.woken, 1);
    ck_assert_int_eq(joiner.entry->failure, 503);
    ck_assert_ptr_null(joiner.entry->body);
    ck_assert(!joiner.entry->stored);
    cache_unref(leader.entry);
    cache_unref(joiner.entry);

    ck_assert_int_eq(enter(cache, 1, &next, &entry), CACHE_LEAD);
    publish(cache, entry, 1, 10);
    cache_unref(next.entry);
    ck_assert(has(cache, 1));
    cache_free(cache);
}
END_TEST

START_TEST(keys_that_share_a_word_are_different)
{
    struct cache *cache = cache_new(100000);
    struct cache_key keys[] = {{{1, 2}}, {{1, 3}}, {{4, 2}}};
    struct guest guests[3] = {0};
    struct cache_entry *entries[3];
    for (int i = 0; i < 3; i++) {
        guests[i].waiter.wake = note_wake;
        ck_assert_int_eq(cache_enter(cache, &keys[i], &guests[i].waiter, &entries[i]), CACHE_LEAD);
    }
    cache_fail(cache, entries[0], 1);
    publish(cache, entries[2], 2, 10);
    publish(cache, entries[1], 1, 10);
    ck_assert_ptr_null(cache_get(cache, &keys[0]));
    for (int i = 1; i < 3; i++) {
        struct cache_entry *entry = cache_get(cache, &keys[i]);
        ck_assert_ptr_eq(entry, entries[i]);
        cache_unref(entry);
    }
    for (int i = 0; i < 3; i++)
        cache_unref(guests[i].entry);
    cache_free(cache);
}
END_TEST

START_TEST(one_word_in_common_is_not_a_key)
{
    enum { MANY = 5000 }; /* several in each chain of the table */
    struct cache *cache = cache_new((size_t)MANY * (10 + OVERHEAD_AT_MOST));
    int leads = 0;
    for (uint64_t n = 0; n < MANY; n++) {
        struct cache_key key = {{n, 5}};
        struct guest guest = {.waiter.wake = note_wake};
        struct cache_entry *entry;
        if (cache_enter(cache, &key, &guest.waiter, &entry) != CACHE_LEAD)
            break;
        publish(cache, entry, n, 10);
        cache_unref(guest.entry);
        leads++;
    }
    ck_assert_int_eq(leads, MANY);
    cache_free(cache);
}
END_TEST

START_TEST(the_least_recently_used_goes_first)
{
    enum { BODY = 1000, FIT = 6 };
    struct cache *cache = cache_new(FIT * (BODY + OVERHEAD_AT_MOST));
    uint64_t n = 0;
    while (cache_stats(cache).evictions == 0)
        ck_assert(fill(cache, n++, BODY));
    ck_assert(!has(cache, 0));

    uint64_t oldest = 1;
    struct guest guest;
    struct cache_entry *entry;
    ck_assert(has(cache, oldest));                                         /* a use */
    ck_assert_int_eq(enter(cache, oldest + 1, &guest, &entry), CACHE_HIT); /* another */
    cache_unref(entry);
    fill(cache, 1000, BODY);
    fill(cache, 1001, BODY);
    ck_assert(has(cache, oldest));
    ck_assert(has(cache, oldest + 1));
    ck_assert(!has(cache, oldest + 2));
    ck_assert(!has(cache, oldest + 3));
    ck_assert(has(cache, oldest + 4));
    ck_assert_uint_eq(cache_stats(cache).evictions, 3);
    cache_free(cache);
}
END_TEST

START_TEST(stored_bytes_never_exceed_the_cap)
{
    enum { CAP = 50000 };
    struct cache *cache = cache_new(CAP);
    unsigned seed = 1;
    size_t most = 0;
    for (uint64_t n = 0; n < 2000; n++) {
        fill(cache, n, (size_t)rand_r(&seed) % (CAP / 3));
        struct cache_stats stats = cache_stats(cache);
        ck_assert_uint_le(stats.bytes, CAP);
        most = stats.bytes > most ? stats.bytes : most;
    }
    ck_assert_uint_gt(most, CAP * 3 / 4); /* and the room is used */
    struct cache_stats stats = cache_stats(cache);
    ck_assert_uint_gt(stats.evictions, 1000);
    cache_free(cache);
}
END_TEST

START_TEST(empty_bodies_are_charged_for_their_bookkeeping)
{
    enum { CAP = 10000 };
    struct cache *cache = cache_new(CAP);
    for (uint64_t n = 0; n < 1000; n++)
        ck_assert(fill(cache, n, 0));
    ck_assert_uint_le(cache_stats(cache).entries, CAP / sizeof(struct cache_entry));
    ck_assert_uint_ge(cache_stats(cache).entries, CAP / OVERHEAD_AT_MOST);
    cache_free(cache);
}
END_TEST

START_TEST(the_count_of_bytes_does_not_drift)
{
    struct cache *cache = cache_new(30000);
    fill(cache, 0, 700);
    size_t one = cache_stats(cache).bytes;
    ck_assert_uint_gt(one, 700);
    for (uint64_t n = 1; n < 500; n++)
        fill(cache, n, 700);
    struct cache_stats stats = cache_stats(cache);
    ck_assert_uint_eq(stats.bytes, stats.entries * one);
    ck_assert_uint_eq(stats.entries, 30000 / one);
    ck_assert_uint_eq(stats.entries + stats.evictions, 500);
    cache_free(cache);
}
END_TEST

START_TEST(a_giant_is_given_to_all_but_pushes_nothing_out)
{
    struct cache *cache = cache_new(40000);
    struct guest leader, joiner;
    struct cache_entry *entry, *none;
    ck_assert(fill(cache, 1, 9000));
    ck_assert_int_eq(enter(cache, 2, &leader, &entry), CACHE_LEAD);
    ck_assert_int_eq(enter(cache, 2, &joiner, &none), CACHE_JOINED);
    publish(cache, entry, 2, 10001);
    ck_assert_int_eq(leader.woken + joiner.woken, 2);
    cache_unref(leader.entry);
    ck_assert(!joiner.entry->stored);
    ck_assert_uint_eq(joiner.entry->body[10000], 2);
    cache_unref(joiner.entry);
    ck_assert(!has(cache, 2));
    ck_assert(has(cache, 1));
    ck_assert_uint_eq(cache_stats(cache).evictions, 0);
    cache_free(cache);
}
END_TEST

START_TEST(a_cache_of_no_bytes_still_joins_requests)
{
    struct cache *cache = cache_new(0);
    struct guest leader, joiner;
    struct cache_entry *entry, *none;
    ck_assert_int_eq(enter(cache, 2, &leader, &entry), CACHE_LEAD);
    ck_assert_int_eq(enter(cache, 2, &joiner, &none), CACHE_JOINED);
    publish(cache, entry, 2, 100);
    cache_unref(leader.entry);
    ck_assert_uint_eq(joiner.entry->body[99], 2);
    cache_unref(joiner.entry);
    ck_assert(!has(cache, 2));
    ck_assert_uint_eq(cache_stats(cache).bytes, 0);
    cache_free(cache);
}
END_TEST

START_TEST(an_evicted_body_stays_valid_for_those_who_hold_it)
{
    struct cache *cache = cache_new(20000);
    struct cache_key key = key_of(1);
    fill(cache, 1, 3000);
    struct cache_entry *held = cache_get(cache, &key);
    for (uint64_t n = 100; has(cache, 1); n++) {
        for (uint64_t k = 0; k < 10; k++)
            fill(cache, n * 10 + k, 3000);
    }
    ck_assert_uint_eq(held->len, 3000);
    ck_assert_uint_eq(held->body[0], 1);
    ck_assert_mem_eq(held->body, held->body + 1, held->len - 1); /* all bytes are equal */
    fill(cache, 1, 2000);                                        /* made anew beside the old one */
    ck_assert_uint_eq(held->len, 3000);
    cache_unref(held);
    cache_free(cache);
}
END_TEST

START_TEST(live_bytes_are_those_of_stored_and_of_held_bodies)
{
    struct cache *cache = cache_new(4 * (1000 + OVERHEAD_AT_MOST));
    struct cache_key key = key_of(1);
    fill(cache, 1, 1000);
    struct cache_entry *held = cache_get(cache, &key);
    for (uint64_t n = 2; n < 40; n++)
        fill(cache, n, 1000);
    ck_assert(!has(cache, 1));
    ck_assert_uint_eq(cache_live_bytes(cache), 1000 * (cache_stats(cache).entries + 1));
    ck_assert_uint_eq(held->body[999], 1);
    cache_unref(held);
    ck_assert_uint_eq(cache_live_bytes(cache), 1000 * cache_stats(cache).entries);
    cache_free(cache);
}
END_TEST

START_TEST(a_growing_table_loses_nothing)
{
    enum { MANY = 20000 };
    struct cache *cache = cache_new((size_t)MANY * (10 + OVERHEAD_AT_MOST));
    for (uint64_t n = 0; n < MANY; n++)
        ck_assert(fill(cache, n, 10));
    uint64_t found = 0;
    for (uint64_t n = 0; n < MANY; n++)
        found += has(cache, n);
    ck_assert_uint_eq(found, MANY);
    ck_assert_uint_eq(cache_stats(cache).entries, MANY);
    ck_assert_uint_eq(cache_stats(cache).evictions, 0);
    cache_free(cache);
}
END_TEST

/* A waiter that asks the cache again from inside wake: under the lock it would hang. */
struct asker {
    struct cache_waiter waiter;
    struct cache *cache;
    bool hit;
};

static void ask_again(struct cache_waiter *waiter, struct cache_entry *entry)
{
    struct asker *asker = (struct asker *)waiter;
    struct cache_entry *again;
    asker->hit = cache_enter(asker->cache, &entry->key, waiter, &again) == CACHE_HIT;
    cache_unref(again);
    cache_unref(entry);
    ck_assert_uint_eq(cache_stats(asker->cache).leads, 1);
}

START_TEST(wake_may_call_the_cache)
{
    struct cache *cache = cache_new(100000);
    struct asker asker = {.waiter.wake = ask_again, .cache = cache};
    struct cache_key key = key_of(1);
    struct cache_entry *entry;
    ck_assert_int_eq(cache_enter(cache, &key, &asker.waiter, &entry), CACHE_LEAD);
    publish(cache, entry, 1, 10);
    ck_assert(asker.hit);
    cache_free(cache);
}
END_TEST

static void free_waiter(struct cache_waiter *waiter, struct cache_entry *entry)
{
    free(waiter);
    cache_unref(entry);
    wakes++;
}

START_TEST(wake_may_free_the_waiter_and_give_the_body_back)
{
    struct cache *cache = cache_new(0);
    struct cache_key key = key_of(1);
    struct cache_entry *entry = NULL, *leaders = NULL;
    for (int i = 0; i < 10; i++) {
        struct cache_waiter *waiter = malloc(sizeof *waiter);
        waiter->wake = free_waiter;
        cache_enter(cache, &key, waiter, &entry);
        leaders = i == 0 ? entry : leaders;
    }
    publish(cache, leaders, 1, 10);
    ck_assert_int_eq(wakes, 10);
    cache_free(cache);
}
END_TEST

START_TEST(freeing_a_cache_with_a_pending_entry_is_our_mistake)
{
    struct cache *cache = cache_new(1000);
    struct guest guest;
    struct cache_entry *entry;
    enter(cache, 1, &guest, &entry);
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr)); /* assert's message is expected */
    cache_free(cache);
}
END_TEST

START_TEST(nothing_may_be_freed_and_given_back)
{
    cache_unref(NULL);
    cache_free(NULL);
}
END_TEST

/* ---- Many threads ---------------------------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 3000, KEYS = 40, CAP = 30000, HELD = 4 };

static struct cache *shared;
static atomic_int making[KEYS];
static atomic_ulong woken_in_all, waited_in_all, wrong;

struct visitor {
    struct cache_waiter waiter;
    struct cache_entry *entry;
    atomic_int woken;
    sem_t done;
};

static void visitor_wake(struct cache_waiter *waiter, struct cache_entry *entry)
{
    struct visitor *visitor = (struct visitor *)waiter;
    atomic_fetch_add(&woken_in_all, 1);
    atomic_fetch_add(&visitor->woken, 1);
    visitor->entry = entry;
    sem_post(&visitor->done);
}

static void expect(bool fact)
{
    if (!fact)
        atomic_fetch_add(&wrong, 1);
}

static size_t size_of(unsigned n)
{
    return n == 0 ? CAP / 2 : 200 + 97 * n; /* one is too large to be stored */
}

static void check_body(const struct cache_entry *entry, unsigned n)
{
    if (entry->failure != 0) {
        expect(entry->failure == 7 && entry->body == NULL);
        return;
    }
    expect(entry->len == size_of(n));
    expect(entry->body[0] == n && entry->body[entry->len - 1] == n);
    expect(entry->stored == (n != 0));
}

static void lead(struct cache_entry *entry, unsigned n, bool fail)
{
    expect(atomic_fetch_add(&making[n], 1) == 0); /* never made twice at once */
    unsigned char *body = body_of(n, size_of(n));
    atomic_fetch_sub(&making[n], 1);
    if (fail) {
        free(body);
        cache_fail(shared, entry, 7);
    } else {
        cache_publish(shared, entry, body, size_of(n), (struct cache_cost){0, 0, 0});
    }
}

/* Returns the entry for key n, however it was come by. */
static struct cache_entry *visit(struct visitor *visitor, unsigned n, bool fail)
{
    struct cache_key key = key_of(n);
    struct cache_entry *entry;
    atomic_store(&visitor->woken, 0);
    enum cache_answer answer = cache_enter(shared, &key, &visitor->waiter, &entry);
    if (answer == CACHE_HIT) {
        expect(entry->failure == 0 && atomic_load(&visitor->woken) == 0);
        return entry;
    }
    expect(answer == CACHE_LEAD || answer == CACHE_JOINED);
    atomic_fetch_add(&waited_in_all, 1);
    if (answer == CACHE_LEAD)
        lead(entry, n, fail);
    while (sem_wait(&visitor->done) != 0)
        continue;
    expect(atomic_load(&visitor->woken) == 1);
    return visitor->entry;
}

static void *visit_many(void *number)
{
    struct visitor visitor = {.waiter.wake = visitor_wake};
    struct cache_entry *held[HELD] = {NULL};
    unsigned seed = *(unsigned *)number, of[HELD] = {0};
    sem_init(&visitor.done, 0, 0);
    for (int i = 0; i < ROUNDS; i++) {
        unsigned n = (unsigned)rand_r(&seed) % KEYS, slot = (unsigned)i % HELD;
        if (held[slot] != NULL)
            check_body(held[slot], of[slot]); /* still, however long ago it was evicted */
        cache_unref(held[slot]);
        held[slot] = visit(&visitor, n, rand_r(&seed) % 8 == 0);
        of[slot] = n;
        check_body(held[slot], n);
        expect(cache_stats(shared).bytes <= CAP);
    }
    for (int i = 0; i < HELD; i++)
        cache_unref(held[i]);
    sem_destroy(&visitor.done);
    return NULL;
}

START_TEST(many_threads_each_get_what_they_asked_for)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    shared = cache_new(CAP);
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i + 1;
        pthread_create(&threads[i], NULL, visit_many, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);

    ck_assert_uint_eq(atomic_load(&wrong), 0);
    ck_assert_uint_eq(atomic_load(&woken_in_all), atomic_load(&waited_in_all));
    struct cache_stats stats = cache_stats(shared);
    ck_assert_uint_eq(stats.hits + stats.joins + stats.leads, THREADS * ROUNDS);
    ck_assert_uint_eq(stats.joins + stats.leads, atomic_load(&waited_in_all));
    ck_assert_uint_gt(stats.evictions, 0);
    ck_assert_uint_gt(stats.hits, 0);
    cache_free(shared);
}
END_TEST

Suite *cache_suite(void)
{
    Suite *suite = suite_create("cache");
    TCase *tc = tcase_create("cache");
    tcase_set_timeout(tc, 30);
    tcase_add_test(tc, those_who_come_while_a_body_is_made_share_it);
    tcase_add_test(tc, a_finished_body_is_a_hit_and_wakes_nobody);
    tcase_add_test(tc, get_finds_only_what_is_ready);
    tcase_add_test(tc, a_failure_reaches_all_who_wait_and_is_forgotten);
    tcase_add_test(tc, keys_that_share_a_word_are_different);
    tcase_add_test(tc, one_word_in_common_is_not_a_key);
    tcase_add_test(tc, the_count_of_bytes_does_not_drift);
    tcase_add_test(tc, the_least_recently_used_goes_first);
    tcase_add_test(tc, stored_bytes_never_exceed_the_cap);
    tcase_add_test(tc, empty_bodies_are_charged_for_their_bookkeeping);
    tcase_add_test(tc, a_giant_is_given_to_all_but_pushes_nothing_out);
    tcase_add_test(tc, a_cache_of_no_bytes_still_joins_requests);
    tcase_add_test(tc, an_evicted_body_stays_valid_for_those_who_hold_it);
    tcase_add_test(tc, live_bytes_are_those_of_stored_and_of_held_bodies);
    tcase_add_test(tc, a_growing_table_loses_nothing);
    tcase_add_test(tc, wake_may_call_the_cache);
    tcase_add_test(tc, wake_may_free_the_waiter_and_give_the_body_back);
    tcase_add_test_raise_signal(tc, freeing_a_cache_with_a_pending_entry_is_our_mistake, SIGABRT);
    tcase_add_test(tc, nothing_may_be_freed_and_given_back);
    tcase_add_test(tc, many_threads_each_get_what_they_asked_for);
    suite_add_tcase(suite, tc);
    return suite;
}
