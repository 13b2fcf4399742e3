/*
 * poller.h - a thread that waits for a file descriptor and lets its owner work it off, in turn with
 * other threads that have made work for the owner. Knows nothing of HTTP; http.c has one for each
 * of its libmicrohttpd daemons.
 */
#ifndef POLLER_H
#define POLLER_H

#include <stdbool.h>

struct poller;

/* No two threads are ever in the owner's functions at once. */
struct poller_source {
    const char *name;               /* of the thread, for top -H and debuggers: static text */
    int fd;                         /* readable when there is something to do: an epoll set */
    int (*timeout_ms)(void *owner); /* how long to wait at most; 0 = there is something to do */
    void (*run)(void *owner);       /* works off all that is there, without waiting */
    void *owner;
};

/* NULL if there is no memory or descriptor for it. */
struct poller *poller_new(const struct poller_source *source);

/* Starts the thread, once the owner knows its poller. False if there is none to be had. */
bool poller_start(struct poller *poller);

/* Makes the thread call run soon, from any thread: for work that shows in no descriptor. */
void poller_wake(struct poller *poller);

/*
 * The same, but the calling thread does it if nobody is in the owner's functions: for threads that
 * have made the work and hold no lock. What it finds beyond that work it leaves after a few runs.
 */
void poller_run_here(struct poller *poller);

/* Ends the thread after its present run. NULL is fine. */
void poller_free(struct poller *poller);

#endif
