/*
 * workspace.c - the memory one thread renders in: buffers that grow to what was needed and are
 * kept, so a tile allocates nothing once the workspace is warm.
 */
#include <stdlib.h>

#include "core/internal.h"

enum {
    ALIGNMENT = 64, /* a cache line; two of the widest vectors used */
    KEEP_BYTES =
        2 << 20, /* a 512-pixel tile's field is 1 MiB: keep that with room, give back more */
};

void *nt_reserve(struct nt_workspace *workspace, enum nt_use use, size_t size)
{
    struct nt_buffer *buffer = &workspace->buffer[use];

    if (size <= buffer->cap && buffer->data)
        return buffer->data;
    size += size == 0; /* nothing is no reason to return NULL */
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    free(buffer->data);
    buffer->data = aligned_alloc(ALIGNMENT, size);
    buffer->cap = buffer->data ? size : 0;
    return buffer->data;
}

static void release_above(struct nt_workspace *workspace, size_t keep)
{
    for (int use = 0; use < NT_USES; use++) {
        struct nt_buffer *buffer = &workspace->buffer[use];
        if (buffer->cap <= keep)
            continue;
        free(buffer->data);
        *buffer = (struct nt_buffer){0};
    }
}

struct nt_workspace *nt_workspace_new(void)
{
    return calloc(1, sizeof(struct nt_workspace));
}

void nt_workspace_free(struct nt_workspace *workspace)
{
    if (!workspace)
        return;
    nt_gzip_release(workspace);
    nt_frame_release(workspace);
    release_above(workspace, 0);
    free(workspace);
}

void nt_workspace_trim(struct nt_workspace *workspace)
{
    release_above(workspace, KEEP_BYTES);
}

unsigned char *nt_bytes_take(struct nt_workspace *workspace, struct nt_bytes bytes)
{
    for (int use = 0; use < NT_USES; use++) {
        struct nt_buffer *buffer = &workspace->buffer[use];
        void *taken = buffer->data;
        if (!taken || taken != bytes.data)
            continue;
        void *shrunk = realloc(taken, bytes.len + !bytes.len); /* 0 would free it */
        *buffer = (struct nt_buffer){0};
        return shrunk ? shrunk : taken; /* too long is no harm */
    }
    return NULL; /* not the workspace's */
}

const float *nt_field(const struct nt_workspace *workspace)
{
    return workspace->buffer[NT_USE_FIELD].data;
}
