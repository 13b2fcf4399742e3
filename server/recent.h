/*
 * recent.h - what the targets of late were found to mean, so that one that comes again is not
 * parsed, checked, written in canonical form and digested again. That takes longer than to answer
 * from the cache. A target's meaning never changes while the program runs, so nothing here can be
 * out of date; whether the bytes are still in the cache is asked for every request.
 */
#ifndef RECENT_H
#define RECENT_H

#include "server/render.h"

#include <stdbool.h>
#include <stddef.h>

/* What the header fields of a tile's or sample's answer are made of, but for its URL. */
struct face {
    struct render_identity identity;
    const char *media_type; /* static text */
    bool gzip;
    bool negotiated; /* the format has a gzip form, so the answer depends on the client */
    bool pinned;     /* to an engine version: good for ever */
};

enum { RECENT_TEXT_MAX = 256 }; /* longer targets and URLs are not kept */

struct known {
    struct face face;
    char location[RECENT_TEXT_MAX]; /* canonical URL */
};

struct recent; /* one HTTP thread's; used by one thread at a time: no function takes a lock */

struct recent *recent_new(void); /* NULL if out of memory */
void recent_free(struct recent *recent);

/* NULL if it is not known. Valid until the next recent_add. */
const struct known *recent_find(const struct recent *recent, const char *target, size_t len);

/* May push out another target; does nothing if one of the texts is too long. */
void recent_add(struct recent *recent, const char *target, size_t len, const struct face *face,
                const char *location);

#endif
