/*
 * framing.c - the checks that come before a request is looked at: one reading of the message's
 * borders, and sizes. The rules are rows of a table, in the order in which they are asked.
 * Next: reading.c collects the head; params.c reads the target.
 */
#include "server/framing.h"

#include <string.h>
#include <strings.h>

#define FIELD_NAME(text)       \
    {                          \
        text, sizeof(text) - 1 \
    }
static const struct {
    const char *text;
    size_t len;
} field_names[FIELDS] = {
    [FIELD_HOST] = FIELD_NAME("Host"),
    [FIELD_CONTENT_LENGTH] = FIELD_NAME("Content-Length"),
    [FIELD_TRANSFER_ENCODING] = FIELD_NAME("Transfer-Encoding"),
    [FIELD_IF_NONE_MATCH] = FIELD_NAME("If-None-Match"),
    [FIELD_ACCEPT_ENCODING] = FIELD_NAME("Accept-Encoding"),
    [FIELD_REQUEST_ID] = FIELD_NAME("X-Request-Id"),
};
#undef FIELD_NAME

enum field field_find(const char *name, size_t len)
{
    for (int i = 0; i < FIELDS; i++)
        if (field_names[i].len == len && strncasecmp(field_names[i].text, name, len) == 0)
            return (enum field)i;
    return FIELDS;
}

void field_trim(const char **text, size_t *len)
{
    while (*len > 0 && (**text == ' ' || **text == '\t')) {
        (*text)++;
        (*len)--;
    }
    while (*len > 0 && ((*text)[*len - 1] == ' ' || (*text)[*len - 1] == '\t'))
        (*len)--;
}

enum { IN_NAME = 1, IN_VALUE = 2, IN_HOST = 4 };

/*
 * Where a byte may stand. A name is visible ASCII without separators (RFC 9110, 5.6.2): a blank
 * before the colon is the classic trick. A value has no control characters but tab; a lone CR is
 * one. A host's name is letters, digits, dots and hyphens. Every byte of every head is looked up
 * here twice, so it is a table.
 */
/* clang-format off */
static const unsigned char byte_class[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 3, 2, 3, 3, 3, 3, 3, 2, 2, 3, 3, 2, 7, 7, 2,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2, 2, 2, 2, 2, 2,
    2, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2, 2, 2, 3, 3,
    3, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2, 3, 2, 3, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
};
/* clang-format on */

/* Bytes from text on that may stand there. */
static size_t class_span(const char *text, size_t len, unsigned char class)
{
    size_t n = 0;

    while (n < len && (byte_class[(unsigned char)text[n]] & class) != 0)
        n++;
    return n;
}

static bool name_is_valid(const char *name, size_t len)
{
    return len > 0 && class_span(name, len, IN_NAME) == len;
}

static bool value_is_valid(const char *value, size_t len)
{
    return class_span(value, len, IN_VALUE) == len;
}

void head_add(struct head *head, const char *name, size_t name_len, const char *value,
              size_t value_len)
{
    enum field field = field_find(name, name_len);

    head->fields++;
    head->bytes += name_len + value_len + 4; /* colon, space, CR, LF */
    if (!name_is_valid(name, name_len) || !value_is_valid(value, value_len))
        head->malformed = true;
    if (field == FIELDS || head->field[field].lines++ > 0)
        return;
    field_trim(&value, &value_len);
    head->field[field].text = value;
    head->field[field].len = value_len;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* What has not come yet is zero to the end; a NUL that was sent has something behind it. */
static enum lines judge_nul(const char *text, size_t max)
{
    for (size_t i = 0; i < max; i++)
        if (text[i] != '\0')
            return LINES_BROKEN;
    return LINES_UNSEEN;
}

/* Bytes of a line up to what cannot belong to it; *whole: they are a name, a colon and a value. */
static size_t line_span(const char *line, size_t max, bool *whole)
{
    size_t name = class_span(line, max, IN_NAME);

    *whole = name > 0 && name < max && line[name] == ':';
    if (!*whole)
        return name;
    return name + 1 + class_span(line + name + 1, max - name - 1, IN_VALUE);
}

enum lines lines_judge(const char *text, size_t max)
{
    for (size_t at = 0, end; at < max; at = end + 2) {
        bool whole;

        end = at + line_span(text + at, max - at, &whole);
        if (end + 2 > max)
            return LINES_UNSEEN;
        if (text[end] == '\0')
            return judge_nul(text + end, max - end);
        if (text[end] == '\r' && text[end + 1] == '\0')
            return judge_nul(text + end + 1, max - end - 1);
        if (text[end] != '\r' || text[end + 1] != '\n')
            return LINES_BROKEN;
        if (end == at)
            return LINES_WHOLE;
        if (!whole)
            return LINES_BROKEN;
    }
    return LINES_UNSEEN;
}

/* ---- Host ------------------------------------------------------------------------------------ */

static size_t span(const char *text, size_t len, const char *set)
{
    size_t n = 0;

    while (n < len && text[n] != '\0' && strchr(set, text[n]) != NULL)
        n++;
    return n;
}

bool host_is_valid(const char *text, size_t len)
{
    static const char digits[] = "0123456789";
    size_t n, port;

    if (len > 0 && *text == '[') {
        n = 1 + span(text + 1, len - 1, "0123456789abcdefABCDEF:.");
        if (n < 3 || n == len || text[n++] != ']')
            return false;
    } else {
        n = class_span(text, len, IN_HOST);
    }
    if (n == 0)
        return false;
    if (n == len)
        return true;
    port = text[n] == ':' ? span(text + n + 1, len - n - 1, digits) : 0;
    return port > 0 && n + 1 + port == len;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static bool request_line_is_ambiguous(const struct head *head)
{
    return !head->uri_whole;
}

static bool field_is_malformed(const struct head *head)
{
    return head->malformed;
}

static bool host_is_wrong(const struct head *head)
{
    const struct field_value *host = &head->field[FIELD_HOST];

    if (host->lines == 0)
        return head->http11;
    return host->lines > 1 || !host_is_valid(host->text, host->len);
}

static bool length_is_ambiguous(const struct head *head)
{
    return head->field[FIELD_CONTENT_LENGTH].lines > 1 ||
           (head->field[FIELD_CONTENT_LENGTH].lines > 0 &&
            head->field[FIELD_TRANSFER_ENCODING].lines > 0);
}

/* RFC 9112, 6.1: the one transfer coding that we know, and never from HTTP/1.0. */
static bool coding_is_wrong(const struct head *head)
{
    const struct field_value *coding = &head->field[FIELD_TRANSFER_ENCODING];

    if (coding->lines == 0)
        return false;
    return coding->lines > 1 || !head->http11 || coding->len != strlen("chunked") ||
           strncasecmp(coding->text, "chunked", coding->len) != 0;
}

/* Digits only; a value that is not a number never gets here (libmicrohttpd refuses it). */
static bool has_body(const struct head *head)
{
    const struct field_value *length = &head->field[FIELD_CONTENT_LENGTH];

    return head->field[FIELD_TRANSFER_ENCODING].lines > 0 ||
           (length->lines > 0 && span(length->text, length->len, "0") != length->len);
}

static bool uri_is_too_long(const struct head *head)
{
    return head->uri_len > FRAMING_URI_MAX;
}

static bool head_is_too_large(const struct head *head)
{
    return head->bytes > FRAMING_HEAD_MAX || head->fields > FRAMING_FIELDS_MAX;
}

static bool method_is_not_allowed(const struct head *head)
{
    return !head->method_known;
}

struct verdict head_judge(const struct head *head)
{
    static const struct {
        bool (*broken)(const struct head *head);
        int status;
        bool close;
        const char *detail;
    } rules[] = {
        {request_line_is_ambiguous, 400, true,
         "The request line must be a method, one space, a target, one space and a version."},
        {field_is_malformed, 400, true,
         "Every line of the head must be a name, a colon with no blank before it, a value without "
         "control characters, and CR LF; none may go on in the next line."},
        {host_is_wrong, 400, true,
         "A request needs exactly one Host header field: a name or address, optionally a colon and "
         "a port."},
        {length_is_ambiguous, 400, true,
         "The length of the body is ambiguous: one Content-Length or one Transfer-Encoding, not "
         "more."},
        {coding_is_wrong, 400, true, "The only transfer coding of requests is chunked."},
        {uri_is_too_long, 414, false, "The request target is longer than 8192 bytes."},
        {head_is_too_large, 431, false,
         "The header fields are larger than 16384 bytes or more than 100."},
        {method_is_not_allowed, 405, false, "Only GET, HEAD and OPTIONS are served."},
        {has_body, 413, true, "Requests of this server have no body."},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].broken(head))
            return (struct verdict){rules[i].status, rules[i].close || has_body(head),
                                    rules[i].detail};
    return (struct verdict){0, false, NULL};
}
