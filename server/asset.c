/* asset.c - both codings of a fixed answer and their tags. Which answers there are: routes.c. */
#include "server/asset.h"

#include <stdlib.h>
#include <string.h>

static void set_form(struct asset_form *form, const unsigned char *data, size_t len)
{
    const struct digest_part part = {data, len};
    struct digest digest = digest_parts(&part, 1);

    form->data = data;
    form->len = len;
    digest_etag(&digest, form->etag);
}

static void add_gzip(struct asset *asset, struct nt_workspace *workspace)
{
    struct nt_bytes from = {asset->plain.data, asset->plain.len}, to;

    if (nt_gzip(workspace, from, &to) != NT_OK || to.len >= from.len)
        return;
    asset->gzip_owned = malloc(to.len);
    if (asset->gzip_owned == NULL)
        return;
    memcpy(asset->gzip_owned, to.data, to.len);
    set_form(&asset->gzip, asset->gzip_owned, to.len);
}

void asset_init(struct asset *asset, const char *media_type, const void *data, size_t len,
                bool owned, struct nt_workspace *workspace)
{
    *asset = (struct asset){.media_type = media_type};
    if (owned)
        asset->owned = (unsigned char *)(uintptr_t)data;
    set_form(&asset->plain, data, len);
    if (workspace != NULL)
        add_gzip(asset, workspace);
}

void asset_release(struct asset *asset)
{
    free(asset->owned);
    free(asset->gzip_owned);
    *asset = (struct asset){0};
}
