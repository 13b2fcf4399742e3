/*
 * documents.h - the JSON documents that the server writes about itself. Each function returns
 * malloc'ed JSON, or NULL if out of memory. Errors are problem.h's, tiles' JSON is core's.
 */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include "server/render.h"
#include "server/verify.h"

#include <stdbool.h>
#include <stddef.h>

/* /params: the parameter table and the engine version, made from core's table. */
char *documents_params(size_t *len);

/* /verify: the digests, and the instruction level that computed them. */
char *documents_verify(const struct verify *verify, size_t *len);

/* /health/ready: the reason (NULL = ready) and what is going on. */
struct documents_state {
    const char *trouble; /* "draining", "queue full" */
    unsigned in_flight, suspended;
    struct render_stats render;
};
char *documents_ready(const struct documents_state *state, size_t *len);

#endif
