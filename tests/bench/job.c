/* job.c - see job.h. */
#include "tests/bench/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_init(struct job *job, const char *path, const char *query)
{
    const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};
    struct nt_error err;

    memset(job, 0, sizeof *job);
    job->workspace = nt_workspace_new();
    if (job->workspace == NULL ||
        nt_request_parse(&job->tile, &job->spec, &limits, path, strlen(path), query, strlen(query),
                         &err) ||
        nt_fill(job->workspace, &job->spec, &job->tile)) {
        fprintf(stderr, "bench: cannot render %s?%s\n", path, query);
        exit(1);
    }
}

void job_release(struct job *job)
{
    nt_workspace_free(job->workspace);
}

void job_fill(void *job)
{
    struct job *j = job;

    nt_fill(j->workspace, &j->spec, &j->tile);
}

void job_encode(void *job)
{
    struct job *j = job;
    struct nt_bytes bytes;

    nt_encode(j->workspace, &j->spec, &j->tile, &bytes);
    j->bytes = bytes.len;
}

void job_render(void *job)
{
    job_fill(job);
    job_encode(job);
}
