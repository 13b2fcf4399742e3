/*
 * test_pool.c - order, bounds, overload clock and shutdown of the worker pool. Jobs meet the test
 * at semaphores and barriers; the clock is a variable.
 */
#include "server/pool.h"
#include "tests/suites.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static _Atomic uint64_t clock_ns = 1000;
static atomic_int made, freed, make_at_most = 1000;

static uint64_t now_ns(void)
{
    return atomic_load(&clock_ns);
}

static void *worker_new(void)
{
    if (atomic_load(&made) == atomic_load(&make_at_most))
        return NULL;
    atomic_fetch_add(&made, 1);
    return calloc(1, sizeof(int));
}

static void worker_free(void *worker)
{
    atomic_fetch_add(&freed, 1);
    free(worker);
}

static struct pool *make(int workers, size_t capacity)
{
    struct pool_config config = {workers, capacity, worker_new, worker_free, now_ns};
    return pool_new(&config);
}

static void wait_sem(sem_t *sem)
{
    while (sem_wait(sem) != 0)
        ck_assert_int_eq(errno, EINTR);
}

/* A job that says that it has begun, and then waits to be let go. */
struct gate {
    struct pool_job job;
    sem_t begun, go;
};

static void gate_run(struct pool_job *job, void *worker, uint64_t waited_ns)
{
    struct gate *gate = (struct gate *)job;
    (void)worker;
    (void)waited_ns;
    sem_post(&gate->begun);
    wait_sem(&gate->go);
}

static void gate_enter(struct gate *gate, struct pool *pool)
{
    gate->job.run = gate_run;
    sem_init(&gate->begun, 0, 0);
    sem_init(&gate->go, 0, 0);
    ck_assert(pool_submit(pool, &gate->job));
    wait_sem(&gate->begun);
}

enum { ORDERED = 100 };

struct numbered {
    struct pool_job job;
    int number;
    uint64_t waited_ns;
};

static int order[ORDERED], ran; /* with one worker only */

static void note_order(struct pool_job *job, void *worker, uint64_t waited_ns)
{
    struct numbered *n = (struct numbered *)job;
    (void)worker;
    n->waited_ns = waited_ns;
    order[ran++] = n->number;
}

START_TEST(jobs_run_in_the_order_of_submission)
{
    static struct numbered jobs[ORDERED];
    static struct gate gate;
    struct pool *pool = make(1, ORDERED);
    gate_enter(&gate, pool);
    for (int i = 0; i < ORDERED; i++) {
        jobs[i] = (struct numbered){.job.run = note_order, .number = i};
        ck_assert(pool_submit(pool, &jobs[i].job));
    }
    sem_post(&gate.go);
    pool_free(pool);
    ck_assert_int_eq(ran, ORDERED);
    for (int i = 0; i < ORDERED; i++)
        ck_assert_int_eq(order[i], i);
}
END_TEST

START_TEST(a_job_is_told_how_long_it_waited)
{
    static struct gate gate;
    static struct numbered early = {.job.run = note_order}, late = {.job.run = note_order};
    struct pool *pool = make(1, 2);
    gate_enter(&gate, pool);
    pool_submit(pool, &early.job);
    atomic_store(&clock_ns, 1300);
    pool_submit(pool, &late.job);
    atomic_store(&clock_ns, 1750);
    sem_post(&gate.go);
    pool_free(pool);
    ck_assert_uint_eq(early.waited_ns, 750);
    ck_assert_uint_eq(late.waited_ns, 450);
}
END_TEST

START_TEST(a_full_queue_refuses_at_once_and_running_jobs_do_not_count)
{
    static struct gate gate;
    static struct numbered jobs[4];
    struct pool *pool = make(1, 3);
    gate_enter(&gate, pool);
    for (int i = 0; i < 4; i++) {
        jobs[i] = (struct numbered){.job.run = note_order, .number = i};
        ck_assert_int_eq(pool_submit(pool, &jobs[i].job), i < 3);
        ck_assert_int_eq(pool_stats(pool).full_since_ns != 0, i >= 2);
    }
    struct pool_stats stats = pool_stats(pool);
    ck_assert_uint_eq(stats.waiting, 3);
    ck_assert_uint_eq(stats.running, 1);
    sem_post(&gate.go);
    pool_free(pool);
    ck_assert_int_eq(ran, 3);
}
END_TEST

START_TEST(the_moment_the_queue_became_full_is_kept_until_it_is_not)
{
    static struct gate first, second;
    static struct numbered job = {.job.run = note_order};
    struct pool *pool = make(1, 1);
    ck_assert_uint_eq(pool_stats(pool).full_since_ns, 0);
    gate_enter(&first, pool);
    ck_assert_uint_eq(pool_stats(pool).full_since_ns, 0);

    second.job.run = gate_run;
    sem_init(&second.begun, 0, 0);
    sem_init(&second.go, 0, 0);
    atomic_store(&clock_ns, 5000);
    ck_assert(pool_submit(pool, &second.job));
    atomic_store(&clock_ns, 6000);
    ck_assert(!pool_submit(pool, &job.job));
    ck_assert_uint_eq(pool_stats(pool).full_since_ns, 5000);

    sem_post(&first.go);
    wait_sem(&second.begun);
    ck_assert_uint_eq(pool_stats(pool).full_since_ns, 0);
    atomic_store(&clock_ns, 7000);
    ck_assert(pool_submit(pool, &job.job));
    ck_assert_uint_eq(pool_stats(pool).full_since_ns, 7000);
    sem_post(&second.go);
    pool_free(pool);
}
END_TEST

START_TEST(a_full_queue_counts_as_full_until_half_of_it_is_free)
{
    static struct gate gates[5];
    struct pool *pool = make(1, 4);
    gate_enter(&gates[0], pool);
    atomic_store(&clock_ns, 9000);
    for (int i = 1; i < 5; i++) {
        gates[i].job.run = gate_run;
        sem_init(&gates[i].begun, 0, 0);
        sem_init(&gates[i].go, 0, 0);
        ck_assert(pool_submit(pool, &gates[i].job));
    }
    for (int i = 0; i < 3; i++) { /* with 4, 3 and 2 waiting */
        ck_assert_uint_eq(pool_stats(pool).full_since_ns, i < 2 ? 9000 : 0);
        sem_post(&gates[i].go);
        wait_sem(&gates[i + 1].begun);
    }
    sem_post(&gates[3].go);
    sem_post(&gates[4].go);
    pool_free(pool);
}
END_TEST

enum { TOGETHER = 4 };
static pthread_barrier_t barrier;

static void meet(struct pool_job *job, void *worker, uint64_t waited_ns)
{
    (void)job;
    (void)waited_ns;
    ++*(int *)worker; /* a race, if two workers shared a state */
    pthread_barrier_wait(&barrier);
}

START_TEST(workers_run_together_each_with_its_own_state)
{
    static struct pool_job jobs[TOGETHER];
    pthread_barrier_init(&barrier, NULL, TOGETHER);
    struct pool *pool = make(TOGETHER, TOGETHER);
    for (int i = 0; i < TOGETHER; i++) {
        jobs[i].run = meet; /* ends only if all four run at the same time */
        ck_assert(pool_submit(pool, &jobs[i]));
    }
    pool_free(pool);
    ck_assert_int_eq(atomic_load(&made), TOGETHER);
    ck_assert_int_eq(atomic_load(&freed), TOGETHER);
    pthread_barrier_destroy(&barrier);
}
END_TEST

START_TEST(a_worker_that_cannot_be_made_leaves_nothing_behind)
{
    atomic_store(&make_at_most, _i);
    ck_assert_ptr_null(make(5, 1));
    ck_assert_int_eq(atomic_load(&made), _i);
    ck_assert_int_eq(atomic_load(&freed), _i);
}
END_TEST

struct thread_facts {
    struct pool_job job;
    sigset_t blocked;
    int nice;
    char name[16];
};

static void note_thread(struct pool_job *job, void *worker, uint64_t waited_ns)
{
    struct thread_facts *facts = (struct thread_facts *)job;
    (void)worker;
    (void)waited_ns;
    pthread_sigmask(SIG_BLOCK, NULL, &facts->blocked);
    facts->nice = getpriority(PRIO_PROCESS, 0);
    pthread_getname_np(pthread_self(), facts->name, sizeof facts->name);
}

START_TEST(workers_block_signals_yield_to_others_and_have_names)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGUSR1, SIGALRM, SIGCHLD};
    static struct thread_facts facts = {.job.run = note_thread};
    sigset_t before, after;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    struct pool *pool = make(1, 1);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    ck_assert(pool_submit(pool, &facts.job));
    pool_free(pool);

    for (int i = 1; i < SIGRTMIN; i++)
        ck_assert_int_eq(sigismember(&before, i), sigismember(&after, i));
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        ck_assert_int_eq(sigismember(&facts.blocked, signals[i]), 1);
    ck_assert_int_eq(sigismember(&facts.blocked, SIGSEGV), 0);
    int own = getpriority(PRIO_PROCESS, 0);
    ck_assert_int_eq(facts.nice, own + 5 < 19 ? own + 5 : 19);
    ck_assert_str_eq(facts.name, "worker-0");
}
END_TEST

/* Submits a job over and over while the queue is empty, so a refusal can only mean stopping. */
struct eager {
    struct pool_job job;
    struct pool *pool;
    struct pool_job extra;
};

static atomic_int extras;

static void count_extra(struct pool_job *job, void *worker, uint64_t waited_ns)
{
    (void)job;
    (void)worker;
    (void)waited_ns;
    atomic_fetch_add(&extras, 1);
}

static void submit_until_refused(struct pool_job *job, void *worker, uint64_t waited_ns)
{
    struct eager *eager = (struct eager *)job;
    (void)worker;
    (void)waited_ns;
    eager->extra.run = count_extra;
    for (int accepted = 0; pool_submit(eager->pool, &eager->extra);) {
        accepted++;
        while (atomic_load(&extras) < accepted)
            sched_yield();
    }
}

START_TEST(a_stopping_pool_refuses_what_its_own_jobs_submit)
{
    static struct eager eager = {.job.run = submit_until_refused};
    eager.pool = make(2, 1);
    ck_assert(pool_submit(eager.pool, &eager.job));
    pool_free(eager.pool);
}
END_TEST

static atomic_int total;

static void count_and_free(struct pool_job *job, void *worker, uint64_t waited_ns)
{
    (void)waited_ns;
    ++*(int *)worker;
    atomic_fetch_add(&total, 1);
    free(job);
}

enum { SUBMITTERS = 4, EACH = 3000 };

static void *submit_many(void *pool)
{
    for (int i = 0; i < EACH; i++) {
        struct pool_job *job = malloc(sizeof *job);
        job->run = count_and_free;
        while (!pool_submit(pool, job))
            sched_yield();
    }
    return NULL;
}

START_TEST(every_accepted_job_runs_once_and_may_free_itself)
{
    pthread_t threads[SUBMITTERS];
    struct pool *pool = make(3, 5);
    for (int i = 0; i < SUBMITTERS; i++)
        pthread_create(&threads[i], NULL, submit_many, pool);
    for (int i = 0; i < SUBMITTERS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_le(pool_stats(pool).waiting, 5);
    pool_free(pool);
    ck_assert_int_eq(atomic_load(&total), SUBMITTERS * EACH);
}
END_TEST

START_TEST(freeing_nothing_is_fine)
{
    pool_free(NULL);
    pool_free(make(2, 1));
    ck_assert_int_eq(atomic_load(&freed), 2);
}
END_TEST

Suite *pool_suite(void)
{
    Suite *suite = suite_create("pool");
    TCase *tc = tcase_create("pool");
    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, jobs_run_in_the_order_of_submission);
    tcase_add_test(tc, a_job_is_told_how_long_it_waited);
    tcase_add_test(tc, a_full_queue_refuses_at_once_and_running_jobs_do_not_count);
    tcase_add_test(tc, the_moment_the_queue_became_full_is_kept_until_it_is_not);
    tcase_add_test(tc, a_full_queue_counts_as_full_until_half_of_it_is_free);
    tcase_add_test(tc, workers_run_together_each_with_its_own_state);
    tcase_add_loop_test(tc, a_worker_that_cannot_be_made_leaves_nothing_behind, 0, 5);
    tcase_add_test(tc, workers_block_signals_yield_to_others_and_have_names);
    tcase_add_test(tc, a_stopping_pool_refuses_what_its_own_jobs_submit);
    tcase_add_test(tc, every_accepted_job_runs_once_and_may_free_itself);
    tcase_add_test(tc, freeing_nothing_is_fine);
    suite_add_tcase(suite, tc);
    return suite;
}
