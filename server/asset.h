/*
 * asset.h - a fixed answer that is made once: a page, an icon, a document. Where compressing pays,
 * it is kept in both content codings, each with its own entity tag.
 */
#ifndef ASSET_H
#define ASSET_H

#include "core/noisetile.h"
#include "server/digest.h"

#include <stdbool.h>
#include <stddef.h>

/* One coding of it. */
struct asset_form {
    const unsigned char *data;
    size_t len;
    char etag[DIGEST_ETAG_MAX];
};

struct asset {
    const char *media_type;
    struct asset_form plain;
    struct asset_form gzip;            /* data NULL: there is none, and nothing is negotiated */
    unsigned char *owned, *gzip_owned; /* to be freed */
};

/*
 * data stays the caller's and must outlive the asset, unless owned (malloc'ed), when it is the
 * asset's from now on. A workspace means: keep a gzip form, too, if it is smaller.
 */
void asset_init(struct asset *asset, const char *media_type, const void *data, size_t len,
                bool owned, struct nt_workspace *workspace);
void asset_release(struct asset *asset);

#endif
