/* job.h - a tile to work on, parsed once, with a workspace of its own. */
#ifndef JOB_H
#define JOB_H

#include "core/noisetile.h"

struct job {
    struct nt_workspace *workspace;
    struct nt_spec spec;
    struct nt_tile tile;
    size_t bytes; /* of the last encoding */
};

/* Parsed and filled; the program ends if the request is wrong. */
void job_init(struct job *job, const char *path, const char *query);
void job_release(struct job *job);

/* For time_in_turn; they take a struct job. */
void job_fill(void *job);
void job_encode(void *job);
void job_render(void *job); /* both */

#endif
