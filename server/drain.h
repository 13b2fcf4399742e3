/*
 * drain.h - stopping without losing an answer: what is under way, counted, and three flags that are
 * set one after the other. Plain atomics, all functions from any thread; knows nothing of HTTP.
 *
 * Who counts itself in does so before it reads the flag, who stops sets the flag before it reads
 * the count (all sequentially consistent), so nobody is missed: once a count is 0 it stays 0.
 */
#ifndef DRAIN_H
#define DRAIN_H

#include <stdatomic.h>
#include <stdbool.h>

/* Zeroed to begin with. The members are drain.c's own. */
struct drain {
    atomic_bool announced, refusing, waking;
    atomic_uint requests[2]; /* that began before and after drain_refuse */
    atomic_uint suspended;   /* requests that wait for a tile */
    atomic_uint fresh;       /* connections that have not had an answer yet */
};

/* The steps. */
void drain_announce(struct drain *drain); /* readiness says no; all else goes on */
void drain_refuse(struct drain *drain);   /* no new renders; connections close after their answer */
void drain_wake(struct drain *drain);     /* no request may start to wait any more */

bool drain_is_announced(const struct drain *drain);
bool drain_is_refusing(const struct drain *drain);

/* A request begins; its result is to be given back when it ends. */
int drain_enter(struct drain *drain);
void drain_leave(struct drain *drain, int generation);

/* A request is about to be suspended: false if it must not. Otherwise drain_resumed is due. */
bool drain_suspend(struct drain *drain);
void drain_resumed(struct drain *drain);

/* A connection has been opened; it has been answered for the first time, or closed before. */
void drain_connected(struct drain *drain);
void drain_answered(struct drain *drain);

unsigned drain_requests(const struct drain *drain);     /* all that are not over */
unsigned drain_old_requests(const struct drain *drain); /* begun before drain_refuse */
unsigned drain_suspended(const struct drain *drain);
unsigned drain_fresh(const struct drain *drain);

#endif
