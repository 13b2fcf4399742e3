/* cpus.h - how many CPUs this process may really use: affinity mask and cgroup (v1, v2) quota. */
#ifndef CPUS_H
#define CPUS_H

/* At least 1. root is "" except in tests, which pass a directory that looks like "/". */
int cpus_available(const char *root);

#endif
