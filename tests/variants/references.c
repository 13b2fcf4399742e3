/*
 * references.c - writes the samples of every reference to a file of its own, named by its number,
 * in the folder that the first argument names, and prints their URLs in order. It needs no library,
 * so that tests/variants/cross.sh can build it for other machines; the digests are made outside.
 */
#include "server/references.h"

#include <stdio.h>
#include <stdlib.h>

struct nt_workspace;

/* In place of core/encode/, which needs libdeflate: nothing is compressed here. */
void nt_gzip_release(struct nt_workspace *workspace);
void nt_gzip_release(struct nt_workspace *workspace)
{
    (void)workspace;
}

static bool write_samples(const char *folder, size_t i, struct nt_workspace *workspace)
{
    char path[4096];
    size_t len = 0;
    unsigned char *bytes = references_samples(i, workspace, &len);
    FILE *file;
    bool written;

    snprintf(path, sizeof path, "%s/%zu", folder, i);
    file = fopen(path, "wb");
    written = bytes != NULL && file != NULL && fwrite(bytes, 1, len, file) == len;
    if (file != NULL)
        written &= fclose(file) == 0;
    free(bytes);
    return written;
}

int main(int argc, char **argv)
{
    struct nt_workspace *workspace = nt_workspace_new();
    bool good = argc == 2 && workspace != NULL && nt_init(NULL);

    for (size_t i = 0; good && i < references_count(); i++) {
        good = write_samples(argv[1], i, workspace);
        puts(references_url(i));
    }
    nt_workspace_free(workspace);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
