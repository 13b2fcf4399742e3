/*
 * params.c - strict reading of targets and of the negotiating header fields. The grammar of tiles
 * and parameters is core's; header fields that decide where a message ends are framing.c's.
 * Next: tiles.c, which turns these values into an answer.
 */
#include "server/params.h"

#include <string.h>
#include <strings.h>

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* tchar of RFC 9110, 5.6.2 */
static bool is_token_char(char c)
{
    return is_alpha(c) || is_digit(c) || (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

/* ---- Target ---------------------------------------------------------------------------------- */

/* Bytes of "http://authority" at the start of an absolute-form target, or 0. */
static size_t authority_end(const char *raw, size_t len)
{
    static const char *const schemes[] = {"http://", "https://"};

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t end = strlen(schemes[i]);

        if (len <= end || strncasecmp(raw, schemes[i], end) != 0)
            continue;
        while (end < len && raw[end] != '/' && raw[end] != '?')
            end++;
        return end;
    }
    return 0;
}

static const char *bytes_fault(const char *raw, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (raw[i] < 0x21 || raw[i] > 0x7e) /* plain char: bytes above 0x7f are negative or large */
            return "The request target holds a byte that a URI may not hold: space, control "
                   "character or not ASCII. Percent-encode it.";
        if (raw[i] == '#')
            return "The request target holds a fragment ('#'), which is never sent to a server.";
    }
    return NULL;
}

const char *target_split(struct target *target, const char *raw, size_t len)
{
    const char *fault = bytes_fault(raw, len);
    size_t start = authority_end(raw, len);
    const char *mark = memchr(raw, '?', len);

    *target = (struct target){raw + start, len - start, raw + len, 0};
    if (fault != NULL)
        return fault;
    if (mark != NULL) {
        target->path_len = (size_t)(mark - raw) - start;
        target->query = mark + 1;
        target->query_len = len - (size_t)(mark + 1 - raw);
    }
    if (start > 0 && target->path_len == 0) {
        target->path = "/";
        target->path_len = 1;
    }
    if (len == 1 && *raw == '*')
        return NULL;
    if (target->path_len == 0 || *target->path != '/')
        return "The request target must be a path that begins with '/'.";
    if (memchr(target->path, '%', target->path_len) != NULL)
        return "The path holds a '%': no path of this server needs a percent escape.";
    return NULL;
}

/* ---- Accept-Encoding ------------------------------------------------------------------------- */

/* A cursor over the bytes of a field value. */
struct scan {
    const char *at, *end;
};

static void skip_blank(struct scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
        scan->at++;
}

static bool skip_char(struct scan *scan, char c)
{
    if (scan->at == scan->end || *scan->at != c)
        return false;
    scan->at++;
    return true;
}

static size_t skip_token(struct scan *scan)
{
    const char *start = scan->at;

    while (scan->at < scan->end && is_token_char(*scan->at))
        scan->at++;
    return (size_t)(scan->at - start);
}

/* qvalue: "0" or "1" with up to three decimals, not above 1. In thousandths, or -1. */
static int scan_weight(struct scan *scan)
{
    int weight, unit = 100;

    if (scan->at == scan->end || (*scan->at != '0' && *scan->at != '1'))
        return -1;
    weight = (*scan->at++ - '0') * 1000;
    if (!skip_char(scan, '.'))
        return weight;
    for (; unit > 0 && scan->at < scan->end && is_digit(*scan->at); unit /= 10)
        weight += (*scan->at++ - '0') * unit;
    return weight <= 1000 ? weight : -1;
}

/* What may follow a coding: nothing, or ";q=" and a weight. In thousandths, or -1. */
static int scan_parameters(struct scan *scan)
{
    int weight;

    skip_blank(scan);
    if (scan->at == scan->end)
        return 1000;
    if (!skip_char(scan, ';'))
        return -1;
    skip_blank(scan);
    if (!skip_char(scan, 'q') && !skip_char(scan, 'Q'))
        return -1;
    if (!skip_char(scan, '='))
        return -1;
    weight = scan_weight(scan);
    skip_blank(scan);
    return scan->at == scan->end ? weight : -1;
}

static void add_member(struct accept_coding *accept, struct scan member)
{
    const struct {
        const char *name;
        int *weight;
    } codings[] = {
        {"gzip", &accept->gzip},
        {"x-gzip", &accept->gzip}, /* RFC 9110, 8.4.1.3: the same coding */
        {"identity", &accept->identity},
        {"*", &accept->any},
    };
    const char *name;
    size_t len;
    int weight;

    skip_blank(&member);
    name = member.at;
    len = skip_token(&member);
    weight = scan_parameters(&member);
    if (len == 0 || weight < 0)
        return;
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++)
        if (strlen(codings[i].name) == len && strncasecmp(codings[i].name, name, len) == 0)
            *codings[i].weight = weight;
}

void accept_coding_init(struct accept_coding *accept)
{
    *accept = (struct accept_coding){-1, -1, -1};
}

void accept_coding_add(struct accept_coding *accept, const char *value, size_t len)
{
    const char *end = value + len;

    for (;;) {
        const char *comma = memchr(value, ',', (size_t)(end - value));

        add_member(accept, (struct scan){value, comma != NULL ? comma : end});
        if (comma == NULL)
            return;
        value = comma + 1;
    }
}

bool accept_coding_gzip(const struct accept_coding *accept)
{
    int gzip = accept->gzip >= 0 ? accept->gzip : accept->any;

    return gzip > 0 && gzip >= accept->identity;
}

/* ---- If-None-Match --------------------------------------------------------------------------- */

static bool is_etag_char(char c)
{
    return c == 0x21 || (c >= 0x23 && c <= 0x7e) || (unsigned char)c >= 0x80;
}

bool etag_matches(const char *value, size_t len, const char *etag)
{
    struct scan scan = {value, value + len};
    size_t etag_len = strlen(etag);

    skip_blank(&scan);
    if (skip_char(&scan, '*')) {
        skip_blank(&scan);
        return scan.at == scan.end;
    }
    while (scan.at < scan.end) {
        const char *start = scan.at;

        if (!skip_char(&scan, '"')) {
            scan.at++; /* "W/", commas, blanks, and junk that no quote belongs to */
            continue;
        }
        while (scan.at < scan.end && is_etag_char(*scan.at))
            scan.at++;
        if (skip_char(&scan, '"') && (size_t)(scan.at - start) == etag_len &&
            memcmp(start, etag, etag_len) == 0)
            return true;
    }
    return false;
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

bool request_id_is_harmless(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!is_alpha(text[i]) && !is_digit(text[i]) && text[i] != '.' && text[i] != '_' &&
            text[i] != '-')
            return false;
    return len >= 1 && len <= REQUEST_ID_MAX;
}
