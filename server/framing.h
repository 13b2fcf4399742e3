/*
 * framing.h - is this request's head one that every party on the way reads alike? A head that is
 * not is the door to request smuggling, so it is answered and the connection closed. Pure: the
 * caller collects the header fields, this judges them.
 */
#ifndef FRAMING_H
#define FRAMING_H

#include <stdbool.h>
#include <stddef.h>

/* Limits of ours; libmicrohttpd's memory for a connection is the outer limit. */
enum {
    FRAMING_URI_MAX = 8192,   /* bytes of the raw target, as most servers and CDNs */
    FRAMING_HEAD_MAX = 16384, /* bytes of all header fields */
    FRAMING_FIELDS_MAX = 100,
};

/* Header fields that this server reads; a row of the table in framing.c each. */
enum field {
    FIELD_HOST,
    FIELD_CONTENT_LENGTH,
    FIELD_TRANSFER_ENCODING,
    FIELD_IF_NONE_MATCH,
    FIELD_ACCEPT_ENCODING,
    FIELD_REQUEST_ID,
    FIELDS
};

/* First line of a field, without the blanks around its value, and how many lines there were. */
struct field_value {
    const char *text;
    size_t len;
    unsigned lines;
};

/* A request's head. Zeroed, then one head_add per header line; the texts stay the caller's. */
struct head {
    struct field_value field[FIELDS];
    size_t fields, bytes;
    bool malformed;    /* a field name or value with a byte that it may not hold */
    bool http11;       /* HTTP/1.1 or later: Host is needed */
    bool method_known; /* GET, HEAD or OPTIONS */
    size_t uri_len;
    bool uri_whole; /* false: a NUL byte or a second space was in the request line */
};

void head_add(struct head *head, const char *name, size_t name_len, const char *value,
              size_t value_len);

/*
 * Whether lines that stand in memory as they came make a head: name, colon, value and CR LF each,
 * an empty line at the end. Unseen: nothing but NULs follows, or `max` bytes are over, before that
 * is known; whatever follows such a head must not be read as a request.
 */
enum lines { LINES_WHOLE, LINES_BROKEN, LINES_UNSEEN };
enum lines lines_judge(const char *text, size_t max);

/* Row of a field name, or FIELDS. */
enum field field_find(const char *name, size_t len);

/* Cuts blanks (space, tab) off both ends. */
void field_trim(const char **text, size_t *len);

struct verdict {
    int status;         /* 0: go on */
    bool close;         /* the bytes that follow cannot be trusted to be a request */
    const char *detail; /* for the client; repeats none of its bytes */
};

/* In the contract's order: framing 400, 414, 431, 405, 413. */
struct verdict head_judge(const struct head *head);

/* ^[A-Za-z0-9.-]+(:digits)?$ or an [IPv6 address] with an optional port. */
bool host_is_valid(const char *text, size_t len);

#endif
