/*
 * allocations.h - counts what this thread allocates, in our own code and in what is linked
 * statically: the linker sends calls of malloc and its kin here (-Wl,--wrap in the Makefile).
 * Libraries loaded at run time are not seen.
 */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stddef.h>

/* Calls so far. */
size_t allocations(void);

#endif
