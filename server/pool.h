/*
 * pool.h - worker threads fed by a bounded queue, first in first out. Knows nothing of tiles or
 * HTTP. Next: render.h, which submits the jobs.
 *
 * Workers block all signals (but those of a fault), so signals go to the threads that wait for
 * them, and run at a slightly lower priority than the thread that made the pool.
 */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Embedded in the caller's own structure, which must live until run is called. The pool does not
 * touch a job again once it has called run, so run may free it, or hand it to a thread that does.
 */
struct pool_job {
    /* Called on a worker, under no lock, with that worker's own state and the time the job has
     * waited. May submit jobs. */
    void (*run)(struct pool_job *job, void *worker, uint64_t waited_ns);
    uint64_t submitted_ns; /* set by the pool */
    struct pool_job *next; /* the pool's while queued */
};

/* Copied by pool_new. All functions are needed. */
struct pool_config {
    int workers;               /* at least 1 */
    size_t capacity;           /* jobs that may wait, not counting those that run; at least 1 */
    void *(*worker_new)(void); /* state of one worker; NULL result = out of memory */
    void (*worker_free)(void *worker); /* both are called on the threads of pool_new, pool_free */
    uint64_t (*now_ns)(void);          /* monotonic clock; any thread */
};

struct pool;

/* NULL if threads or memory cannot be had (then nothing is left behind). */
struct pool *pool_new(const struct pool_config *config);

/* False, at once, if the queue is full or the pool is stopping; then the job was not taken. Any
 * thread; the job may have run before this returns. */
bool pool_submit(struct pool *pool, struct pool_job *job);

struct pool_stats {
    size_t waiting, running;
    /* Since when the queue has been full; 0 = it is not. It counts as full until half of it is
     * free. */
    uint64_t full_since_ns;
};
struct pool_stats pool_stats(struct pool *pool); /* any thread */

/*
 * Takes no more jobs, runs all that are queued, joins the threads, frees everything. NULL is fine.
 * Jobs that are still running may submit, and are refused; other threads must have ended their
 * calls by the time this returns. Not to be called from a job.
 */
void pool_free(struct pool *pool);

#endif
