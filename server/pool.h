/*
 * pool.h - worker threads fed by a bounded queue. Knows nothing of tiles or HTTP.
 * Next: render.h, which submits the jobs.
 */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Embedded in the caller's own structure, which must live until run has returned. */
struct pool_job {
    /* Called on a worker with that worker's own state and the time the job has waited. */
    void (*run)(struct pool_job *job, void *worker, uint64_t waited_ns);
    uint64_t submitted_ns; /* set by the pool */
    struct pool_job *next; /* the pool's while queued */
};

struct pool_config {
    int workers;               /* at least 1 */
    size_t capacity;           /* jobs that may wait; at least 1 */
    void *(*worker_new)(void); /* state of one worker; NULL result = out of memory */
    void (*worker_free)(void *worker);
    uint64_t (*now_ns)(void); /* monotonic clock */
};

struct pool;

/* NULL if threads or memory cannot be had (then nothing is left behind). */
struct pool *pool_new(const struct pool_config *config);

/* False, at once, if the queue is full or the pool is stopping; then the job was not taken. */
bool pool_submit(struct pool *pool, struct pool_job *job);

struct pool_stats {
    size_t waiting, running;
    uint64_t
        full_since_ns; /* since when the queue has been full without a break; 0 if it is not full */
};
struct pool_stats pool_stats(struct pool *pool);

/* Takes no more jobs, runs all that are queued, joins the threads, frees everything. NULL is fine.
 */
void pool_free(struct pool *pool);

#endif
