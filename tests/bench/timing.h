/*
 * timing.h - times several things in turn, because machines are shared: what slows one round slows
 * all of them. The best round of each counts, since nothing ever makes a run faster than it is.
 */
#ifndef TIMING_H
#define TIMING_H

struct contestant {
    void (*run)(void *job);
    void *job;
    double best_us; /* result */
};

/* Rounds of all, for about so many seconds, but at least three and at most a thousand. */
void time_in_turn(struct contestant *contestants, int n, double seconds);

#endif
