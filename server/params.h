/*
 * params.h - what a request says, as values: the target split into path and query, and the few
 * header fields that change the answer. What path and query of a tile mean is core's: see
 * nt_request_parse. Pure parsers: they read (bytes, length), touch nothing else and may be called
 * by any thread or fuzzer.
 */
#ifndef PARAMS_H
#define PARAMS_H

#include <stdbool.h>
#include <stddef.h>

/* Parts of a request target; they point into the bytes that were split. */
struct target {
    const char *path;
    size_t path_len;
    const char *query; /* behind the '?' */
    size_t query_len;  /* 0 for a '?' alone, too */
};

/*
 * Splits a raw target: origin form ("/path?query"), absolute form ("http://host/path", whose host
 * is ignored) or "*". Returns NULL, or what is wrong with it in words that repeat no byte of it.
 */
const char *target_split(struct target *target, const char *raw, size_t len);

/*
 * Accept-Encoding (RFC 9110, 12.5.3), which may come in several header lines: init, add each, ask.
 * Weights are in thousandths; -1 = not mentioned. Malformed members count as absent.
 */
struct accept_coding {
    int gzip, identity, any;
};
void accept_coding_init(struct accept_coding *accept);
void accept_coding_add(struct accept_coding *accept, const char *value, size_t len);
/* True if gzip may be used and is at least as welcome as identity. */
bool accept_coding_gzip(const struct accept_coding *accept);

/*
 * If-None-Match (RFC 9110, 13.1.2): does the list hold etag (quoted, strong), compared weakly, or
 * is it "*"? Junk between the members is skipped.
 */
bool etag_matches(const char *value, size_t len, const char *etag);

/* ^[A-Za-z0-9._-]{1,64}$: a client's request id that may go into a header and a log line. */
bool request_id_is_harmless(const char *text, size_t len);
enum { REQUEST_ID_MAX = 64 };

#endif
