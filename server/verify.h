/*
 * verify.h - the self-check: does this build, on this machine, compute the bits that its engine
 * version promises? SHA-256 of each reference's bytes (references.h) and of each list as a whole,
 * for `noisetile verify` and /verify. Knows nothing of HTTP.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "server/references.h"

#include <stdbool.h>
#include <stddef.h>

enum { VERIFY_HEX_MAX = 64 + 1 };

struct verify_line {
    const char *url; /* static */
    char sha256[VERIFY_HEX_MAX];
};

struct verify_list {
    size_t count;
    struct verify_line *lines;
    char sha256[VERIFY_HEX_MAX]; /* of all lines, each "sha256  url\n", as sha256sum prints them */
};

struct verify {
    struct verify_list list[REFERENCES_LISTS];
};

/*
 * Computes all of it (some 40 ms) at the instruction level in use. False: out of memory, and there
 * is nothing to release.
 */
bool verify_make(struct verify *verify, struct nt_workspace *workspace);
void verify_release(struct verify *verify);

/* What engine version NT_ENGINE_VERSION has as a list's sha256. */
const char *verify_promised(enum references list);

/* Whether all lists have what is promised. */
bool verify_is_promised(const struct verify *verify);

#endif
