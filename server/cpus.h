/*
 * cpus.h - how many CPUs this process may really use: affinity mask and cgroup (v1, v2) quota.
 * Reads a few files under /proc and /sys each time it is asked; call it once, at start.
 */
#ifndef CPUS_H
#define CPUS_H

/* At least 1: the smaller of affinity and quota. root is "" except in tests, which pass a directory
 * that looks like "/" to the cgroup part; the affinity is always the calling thread's real one. */
int cpus_available(const char *root);

/* What the cgroup quota alone allows, rounded up to whole CPUs; 0 if there is no quota. */
int cpus_quota(const char *root);

#endif
