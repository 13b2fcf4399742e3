/*
 * problem.h - errors as RFC 9457 problem documents. What a client sent is only ever repeated inside
 * a JSON string, as valid UTF-8 and with <, > and & escaped, so no reader can take it for markup.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "core/noisetile.h"

#include <stddef.h>

#define PROBLEM_MEDIA_TYPE "application/problem+json"

/* Status that an engine error has on the wire: 400, 404 or 503. */
int problem_status(const struct nt_error *err);

/*
 * Both return malloc'ed JSON, or NULL if out of memory. The first takes title and detail from the
 * status and a sentence; the second adds parameter, value, min, max and allowed where they apply.
 */
char *problem_plain(int status, const char *detail, size_t *len);
char *problem_error(const struct nt_error *err, size_t *len);

/* Reason phrase of a status that this server sends; "Error" for others. */
const char *problem_title(int status);

#endif
