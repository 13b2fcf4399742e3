/*
 * reading.h - a request's head as libmicrohttpd hands it over: first the target, later the fields.
 * Put together here into what framing.h judges and params.h splits. No answer is given here, and
 * nothing allocated: the caller keeps the copy of the target.
 */
#ifndef READING_H
#define READING_H

#include "server/framing.h"
#include "server/http.h"
#include "server/params.h"

#include <stdbool.h>
#include <stddef.h>

struct MHD_Connection;

struct reading {
    const char *uri; /* where libmicrohttpd keeps the target */
    size_t uri_len;
    enum lines lines; /* of the head, as far as they had come with the target */
    struct head head; /* set by reading_judge, as are these two */
    enum http_method method;
    size_t head_bytes; /* from the method to the empty line */
};

enum { READING_URI_CAP = FRAMING_URI_MAX + 2 }; /* a longer target is cut behind what shows that */

/* Bytes that the copy of a target takes, with its NUL. */
size_t reading_uri_size(const char *uri);

/* In the URI log callback: copies the target as it came, and looks at the lines behind it. */
void reading_begin(struct reading *reading, char *uri, char *copy);

/* In the access handler's first call. *target refers to the copy. */
struct verdict reading_judge(struct reading *reading, struct MHD_Connection *connection,
                             const char *url, const char *method, const char *version,
                             const char *copy, struct target *target);

/* Calls each for every line of a header field, blanks at the ends cut off. */
void reading_each_line(const struct reading *reading, struct MHD_Connection *connection,
                       enum field field, void (*each)(void *context, const char *value, size_t len),
                       void *context);

#endif
