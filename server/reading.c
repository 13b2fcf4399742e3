/*
 * reading.c - takes a head from libmicrohttpd 0.9.75; by which rules it is judged is framing.c's.
 * Facts read in its source:
 *   - It hands over the target decoded ("%00" truncates it), so the raw one is taken in the URI log
 *     callback, before it looks at it.
 *   - The request line and the fields stay in one piece of the connection's memory, with NULs for
 *     the borders it has found, until the request is over.
 *   - That memory is zeroed before a request is read into it: it is mapped, and cleared after each.
 */
#include "server/reading.h"

#include <microhttpd.h>
#include <string.h>

/* ---- Target ---------------------------------------------------------------------------------- */

size_t reading_uri_size(const char *uri)
{
    size_t size = strlen(uri) + 1;

    return size < READING_URI_CAP ? size : READING_URI_CAP;
}

/*
 * libmicrohttpd would now parse the query into one record per parameter. Nobody reads them, and a
 * target of a thousand parameters could use up the connection's memory, so it is shown an empty
 * query: it looks for '?' before this callback and reads behind it afterwards.
 */
static void hide_query(char *uri)
{
    char *mark = strchr(uri, '?');

    if (mark != NULL)
        mark[1] = '\0';
}

/*
 * The lines behind the request line, before libmicrohttpd takes them apart: it drops a field that
 * the next line continues, and takes a line without a name for the end of the head, and either
 * could hide a Content-Length. What has not come yet is zeroed memory, so looking stops there. A
 * target so long that the head could reach the memory's end is refused anyway.
 */
static enum lines raw_lines(const char *uri, size_t uri_len)
{
    static const char version[] = "HTTP/1.1"; /* or 1.0: as long */
    const char *behind = uri + uri_len + 1 + sizeof version - 1;

    if (uri_len > FRAMING_URI_MAX || behind[0] != '\0' || behind[1] != '\0')
        return LINES_UNSEEN; /* CR and LF are NULs by now */
    return lines_judge(behind + 2, FRAMING_HEAD_MAX);
}

void reading_begin(struct reading *reading, char *uri, char *copy)
{
    size_t size = reading_uri_size(uri);

    reading->uri = uri;
    reading->uri_len = strlen(uri);
    reading->lines = raw_lines(uri, reading->uri_len);
    memcpy(copy, uri, size - 1);
    copy[size - 1] = '\0';
    hide_query(uri);
}

/* ---- Head ------------------------------------------------------------------------------------ */

static enum MHD_Result add_field(void *cls, enum MHD_ValueKind kind, const char *name,
                                 size_t name_len, const char *value, size_t value_len)
{
    (void)kind;
    head_add(cls, name, name_len, value != NULL ? value : "", value_len);
    return MHD_YES;
}

static size_t head_bytes(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);

    return info != NULL ? info->header_size : 0;
}

static enum http_method method_find(const char *name)
{
    static const struct {
        const char *name;
        enum http_method method;
    } methods[] = {{"GET", HTTP_GET}, {"HEAD", HTTP_HEAD}, {"OPTIONS", HTTP_OPTIONS}};

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0)
            return methods[i].method;
    return HTTP_OTHER;
}

/*
 * True if the request line was method, one space, target, one space, version: it is kept in one
 * piece, so the distances tell what was skipped.
 */
static bool line_is_whole(const struct reading *reading, const char *url, const char *method,
                          const char *version)
{
    return url == reading->uri && method + strlen(method) + 1 == url &&
           url + reading->uri_len + 1 == version;
}

struct verdict reading_judge(struct reading *reading, struct MHD_Connection *connection,
                             const char *url, const char *method, const char *version,
                             const char *copy, struct target *target)
{
    struct head *head = &reading->head;
    struct verdict verdict;
    const char *fault;

    reading->method = method_find(method);
    reading->head_bytes = head_bytes(connection);
    head->method_known = reading->method != HTTP_OTHER;
    head->http11 = strcmp(version, MHD_HTTP_VERSION_1_0) != 0;
    head->uri_len = reading->uri_len;
    head->uri_whole = line_is_whole(reading, url, method, version);
    head->malformed = reading->lines == LINES_BROKEN;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, add_field, head);
    verdict = head_judge(head);
    fault = target_split(target, copy, strlen(copy));
    if (verdict.status == 0 && fault != NULL)
        verdict = (struct verdict){400, false, fault};
    return verdict;
}

/* ---- Lines of a field ------------------------------------------------------------------------ */

struct each_line {
    enum field field;
    void (*each)(void *context, const char *value, size_t len);
    void *context;
};

static enum MHD_Result visit_line(void *cls, enum MHD_ValueKind kind, const char *name,
                                  size_t name_len, const char *value, size_t value_len)
{
    const struct each_line *line = cls;

    (void)kind;
    if (value == NULL || field_find(name, name_len) != line->field)
        return MHD_YES;
    field_trim(&value, &value_len);
    line->each(line->context, value, value_len);
    return MHD_YES;
}

void reading_each_line(const struct reading *reading, struct MHD_Connection *connection,
                       enum field field, void (*each)(void *context, const char *value, size_t len),
                       void *context)
{
    const struct field_value *value = &reading->head.field[field];
    struct each_line line = {field, each, context};

    if (value->lines == 1)
        each(context, value->text, value->len);
    else if (value->lines > 1)
        MHD_get_connection_values_n(connection, MHD_HEADER_KIND, visit_line, &line);
}
