/*
 * test_poller.c - who runs the owner, and that no work is lost. The owner's timeout is for ever, so
 * lost work hangs a test.
 */
#include "server/poller.h"
#include "tests/suites.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MAKERS = 4, ROUNDS = 3000 };

/* What a poller is for: work is made by counting up, and done by noting the count. */
static struct {
    int fd;
    atomic_int inside; /* threads in its functions: at most one */
    atomic_ulong made, done, runs;
    atomic_long eager;  /* so many times it says that there is something to do */
    atomic_long nested; /* so many runs make work themselves */
} owner;
static struct poller *poller;

static void enter(void)
{
    ck_assert_int_eq(atomic_fetch_add(&owner.inside, 1), 0);
}

static void leave(void)
{
    atomic_fetch_sub(&owner.inside, 1);
}

static bool take(atomic_long *count)
{
    bool any = atomic_load(count) > 0;

    if (any)
        atomic_fetch_sub(count, 1);
    return any;
}

static int timeout_ms(void *arg)
{
    bool eager;

    (void)arg;
    enter();
    eager = take(&owner.eager);
    leave();
    return eager ? 0 : -1;
}

static void make_work(void)
{
    atomic_fetch_add(&owner.made, 1);
}

static void run(void *arg)
{
    eventfd_t count;

    (void)arg;
    enter();
    eventfd_read(owner.fd, &count); /* before the work: who makes some makes it before it writes */
    atomic_fetch_add(&owner.runs, 1);
    atomic_store(&owner.done, atomic_load(&owner.made));
    if (take(&owner.nested)) {
        make_work();
        poller_run_here(poller);
    }
    leave();
}

static void wait_until_done(void)
{
    while (atomic_load(&owner.done) != atomic_load(&owner.made))
        sched_yield();
}

static void setup(void)
{
    owner.fd = eventfd(0, EFD_NONBLOCK);
    poller = poller_new(&(struct poller_source){
        .name = "test", .fd = owner.fd, .timeout_ms = timeout_ms, .run = run});
    ck_assert_ptr_nonnull(poller);
}

static void teardown(void)
{
    poller_free(poller);
    close(owner.fd);
}

START_TEST(the_descriptor_wakes_the_thread_each_time)
{
    ck_assert(poller_start(poller));
    for (int i = 0; i < ROUNDS; i++) {
        make_work();
        eventfd_write(owner.fd, 1);
        wait_until_done();
    }
}
END_TEST

START_TEST(a_wake_without_a_descriptor_is_enough)
{
    ck_assert(poller_start(poller));
    for (int i = 0; i < ROUNDS; i++) {
        make_work();
        poller_wake(poller);
        wait_until_done();
    }
}
END_TEST

/* Without the poller's own thread, nobody else can have done it. */
START_TEST(work_is_done_by_the_thread_that_made_it)
{
    for (int i = 0; i < ROUNDS; i++) {
        make_work();
        poller_run_here(poller);
        ck_assert_uint_eq(atomic_load(&owner.done), atomic_load(&owner.made));
    }
}
END_TEST

START_TEST(a_busy_owner_is_left_to_the_thread)
{
    const long eager = 1000;
    unsigned long here;

    atomic_store(&owner.eager, eager);
    poller_run_here(poller);
    here = atomic_load(&owner.runs);
    ck_assert_uint_ge(here, 2);
    ck_assert_uint_lt(here, 20);
    ck_assert(poller_start(poller));
    while (atomic_load(&owner.eager) > 0)
        sched_yield();
}
END_TEST

/* It was woken for what is left, not only by being started. */
START_TEST(the_thread_is_woken_for_what_is_left)
{
    ck_assert(poller_start(poller));
    for (int i = 0; i < ROUNDS / 10; i++) {
        atomic_store(&owner.eager, 50);
        poller_run_here(poller);
        while (atomic_load(&owner.eager) > 0)
            sched_yield();
    }
}
END_TEST

START_TEST(a_run_may_make_work)
{
    ck_assert(poller_start(poller));
    for (int i = 0; i < ROUNDS / 10; i++) {
        atomic_store(&owner.nested, 20);
        make_work();
        poller_run_here(poller);
        while (atomic_load(&owner.nested) > 0)
            sched_yield();
        wait_until_done();
    }
}
END_TEST

START_TEST(the_descriptor_wakes_the_thread_after_others_have_run)
{
    ck_assert(poller_start(poller));
    for (int i = 0; i < ROUNDS; i++) {
        make_work();
        poller_run_here(poller);
        make_work();
        eventfd_write(owner.fd, 1);
        wait_until_done();
    }
}
END_TEST

static void *make_much(void *arg)
{
    const int *kind = arg;

    for (int i = 0; i < ROUNDS; i++) {
        make_work();
        switch ((*kind + i) % 3) {
        case 0:
            poller_run_here(poller);
            break;
        case 1:
            poller_wake(poller);
            break;
        default:
            eventfd_write(owner.fd, 1);
        }
    }
    return NULL;
}

START_TEST(many_make_work_and_none_is_lost)
{
    pthread_t makers[MAKERS];
    int kinds[MAKERS];

    ck_assert(poller_start(poller));
    for (int i = 0; i < MAKERS; i++) {
        kinds[i] = i;
        ck_assert_int_eq(pthread_create(&makers[i], NULL, make_much, &kinds[i]), 0);
    }
    for (int i = 0; i < MAKERS; i++)
        pthread_join(makers[i], NULL);
    wait_until_done();
}
END_TEST

START_TEST(nothing_may_be_freed)
{
    poller_free(NULL);
}
END_TEST

Suite *poller_suite(void)
{
    Suite *suite = suite_create("poller");
    TCase *one = tcase_create("poller");

    tcase_set_timeout(one, 30);
    tcase_add_checked_fixture(one, setup, teardown);
    tcase_add_test(one, the_descriptor_wakes_the_thread_each_time);
    tcase_add_test(one, a_wake_without_a_descriptor_is_enough);
    tcase_add_test(one, work_is_done_by_the_thread_that_made_it);
    tcase_add_test(one, a_busy_owner_is_left_to_the_thread);
    tcase_add_test(one, the_thread_is_woken_for_what_is_left);
    tcase_add_test(one, a_run_may_make_work);
    tcase_add_test(one, the_descriptor_wakes_the_thread_after_others_have_run);
    tcase_add_test(one, many_make_work_and_none_is_lost);
    tcase_add_test(one, nothing_may_be_freed);
    suite_add_tcase(suite, one);
    return suite;
}
