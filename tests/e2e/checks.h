/*
 * checks.h - what the end-to-end tests of the HTTP contract share: the server of a test case, and
 * judgements about answers that are stricter than a client needs (JSON by RFC 8259's letter).
 */
#ifndef CHECKS_H
#define CHECKS_H

#include <check.h>
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/support/server.h"

/*
 * A group of tests that share one server, started before Check forks them. A stop that is not clean
 * (a sanitizer's report, a hang) ends the whole run.
 */
extern struct server served;
TCase *served_group(const char *name);

enum { SERVED_TIMEOUT_S = 120 }; /* of one test: under sanitizers on a busy machine */

/* ---- Requests -------------------------------------------------------------------------------- */

/* GET with one header line ("Name: value"). */
struct answer get_with(const char *path, const char *line);
/* The same header value, or absent from both; an absent one and NULL are equal, too. */
bool same_header(const struct answer *a, const struct answer *b, const char *name);
bool same_body(const struct answer *a, const struct answer *b);
/* Fails the test unless the header is there exactly once with that value; NULL: is not there. */
void check_header(const struct answer *answer, const char *name, const char *value);
/* Calls work(i, context) for i below n, all at once, each on a thread of its own. */
void in_parallel(size_t n, void (*work)(size_t i, void *context), void *context);

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* Whether text[0..len), with a NUL behind it, is one JSON value by RFC 8259, in UTF-8 by RFC 3629.
 */
bool json_is_strict(const char *text, size_t len);
/* The document of an answer, for cJSON_Delete; fails the test unless it is strict JSON. */
cJSON *json_of(const struct answer *answer);
/* Fails the test unless the answer is a whole problem document (RFC 9457) with this status that
 * names this parameter (NULL: any or none) and has no markup in it. `what` is for the message. */
void check_problem(const struct answer *answer, int status, const char *parameter,
                   const char *what);
/* GETs the path and judges as check_problem does. */
void check_refused(const char *path, int status, const char *parameter);
/* GETs the path: 200. */
void check_accepted(const char *path);
/* GETs both paths: the same tile, under the same tag and canonical address. */
void check_equal(const char *path, const char *other);
/* "allowed" of a problem holds all these words (NULL at the end). */
void check_allowed(const struct answer *answer, const char *const *words);
/* Decompresses a gzip body with zlib; malloc'ed. */
unsigned char *gunzip(const unsigned char *bytes, size_t len, size_t *out_len);

#endif
