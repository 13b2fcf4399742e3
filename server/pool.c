/*
 * pool.c - one list of waiting jobs, one mutex, and workers that take the oldest job. Rendering,
 * replying and deciding what a full queue means are left to the caller.
 */
#include "server/pool.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* With all workers busy there are more runnable threads than CPUs; a step of 5 lets the scheduler
 * prefer the threads that answer probes and cached tiles (about 3 to 1), without starving anyone.
 */
enum { NICE_STEP = 5 };

struct worker {
    struct pool *pool;
    void *state;
    pthread_t thread;
};

struct pool {
    struct pool_config config; /* never changes */

    pthread_mutex_t lock; /* guards all down to full_since_ns */
    pthread_cond_t work;  /* a job was queued, or stopping was set */
    struct pool_job *first, *last;
    size_t waiting, running;
    bool stopping;
    uint64_t full_since_ns;

    /* Only for pool_new and pool_free. */
    int states, threads; /* so many workers have their state, their thread */
    struct worker workers[];
};

bool pool_submit(struct pool *pool, struct pool_job *job)
{
    assert(job->run != NULL);
    uint64_t now = pool->config.now_ns();

    pthread_mutex_lock(&pool->lock);
    bool taken = !pool->stopping && pool->waiting < pool->config.capacity;
    if (taken) {
        job->submitted_ns = now;
        job->next = NULL;
        if (pool->last != NULL)
            pool->last->next = job;
        else
            pool->first = job;
        pool->last = job;
        pool->waiting++;
        if (pool->waiting == pool->config.capacity && pool->full_since_ns == 0)
            pool->full_since_ns = now > 0 ? now : 1; /* 0 means not full */
        /* Under the lock, so that a pool_free that comes next cannot destroy the condition first.
         */
        pthread_cond_signal(&pool->work);
    }
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

/* The oldest job, as soon as there is one; NULL when stopping and none is left. Needs the lock. */
static struct pool_job *take(struct pool *pool)
{
    while (pool->first == NULL && !pool->stopping)
        pthread_cond_wait(&pool->work, &pool->lock);
    struct pool_job *job = pool->first;
    if (job == NULL)
        return NULL;
    pool->first = job->next;
    if (pool->first == NULL)
        pool->last = NULL;
    pool->waiting--;
    /* Under a steady overload one place is free for moments; that is not yet relief. */
    if (pool->waiting <= pool->config.capacity / 2)
        pool->full_since_ns = 0;
    return job;
}

static void run(const struct worker *worker, struct pool_job *job)
{
    uint64_t now = worker->pool->config.now_ns();
    uint64_t waited = now > job->submitted_ns ? now - job->submitted_ns : 0;
    job->run(job, worker->state, waited);
}

/* Best effort. On Linux the nice value is a thread's own and 0 is the calling thread; -1 is also a
 * legal answer, hence errno. */
static void lower_priority(void)
{
    errno = 0;
    int nice_now = getpriority(PRIO_PROCESS, 0);
    if (errno == 0)
        (void)setpriority(PRIO_PROCESS, 0, nice_now + NICE_STEP);
}

static void *worker_main(void *argument)
{
    const struct worker *worker = argument;
    struct pool *pool = worker->pool;
    struct pool_job *job;

    lower_priority();
    pthread_mutex_lock(&pool->lock);
    while ((job = take(pool)) != NULL) {
        pool->running++;
        pthread_mutex_unlock(&pool->lock);
        run(worker, job);
        pthread_mutex_lock(&pool->lock);
        pool->running--;
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Every signal but those a thread raises by its own fault: blocked, they would end the process
 * without the report of a sanitizer or crash handler. */
static void signals_of_others(sigset_t *set)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    sigfillset(set);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(set, faults[i]);
}

/* Kernels need some 100 KB of it (frames of 87 KB at -O3), sanitizers several times as much. C
 * libraries differ in what a thread gets by itself: musl gives 128 KiB, too near to that. */
enum { STACK_BYTES = 1 << 20 };

/* Names are for top -H and debuggers: "worker-0", at most 15 characters. */
static bool start_thread(struct worker *worker, int number)
{
    char name[16];
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                   pthread_create(&worker->thread, &attributes, worker_main, worker) == 0;
    pthread_attr_destroy(&attributes);
    if (!started)
        return false;
    snprintf(name, sizeof name, "worker-%u", (unsigned)number % 100000000u);
    (void)pthread_setname_np(worker->thread, name);
    return true;
}

/* A new thread inherits the signal mask, so no worker runs even briefly with signals open. */
static bool start_threads(struct pool *pool)
{
    sigset_t block, before;
    signals_of_others(&block);
    pthread_sigmask(SIG_BLOCK, &block, &before);
    while (pool->threads < pool->config.workers &&
           start_thread(&pool->workers[pool->threads], pool->threads))
        pool->threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool->threads == pool->config.workers;
}

static bool make_states(struct pool *pool)
{
    while (pool->states < pool->config.workers) {
        struct worker *worker = &pool->workers[pool->states];
        worker->pool = pool;
        worker->state = pool->config.worker_new();
        if (worker->state == NULL)
            return false;
        pool->states++;
    }
    return true;
}

struct pool *pool_new(const struct pool_config *config)
{
    assert(config->workers >= 1 && config->capacity >= 1);
    assert(config->worker_new != NULL && config->worker_free != NULL && config->now_ns != NULL);

    size_t count = (size_t)config->workers;
    struct pool *pool = calloc(1, sizeof *pool + count * sizeof pool->workers[0]);
    if (pool == NULL)
        return NULL;
    pool->config = *config;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);

    if (!make_states(pool) || !start_threads(pool)) {
        pool_free(pool);
        return NULL;
    }
    return pool;
}

struct pool_stats pool_stats(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct pool_stats stats = {pool->waiting, pool->running, pool->full_since_ns};
    pthread_mutex_unlock(&pool->lock);
    return stats;
}

void pool_free(struct pool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);

    for (int i = 0; i < pool->threads; i++)
        pthread_join(pool->workers[i].thread, NULL);
    assert(pool->first == NULL && pool->running == 0);
    for (int i = 0; i < pool->states; i++)
        pool->config.worker_free(pool->workers[i].state);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
