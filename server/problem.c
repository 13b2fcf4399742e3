/*
 * problem.c - writes problem+json through cJSON, after making every text valid UTF-8 (cJSON passes
 * bytes through as they are). Which status an error has on the wire stands in one table here.
 * Next: reply.c, which sends them.
 */
#include "server/problem.h"

#include "server/json.h"
#include "server/utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    int status;
    const char *title;
} titles[] = {
    {400, "Bad Request"},           {404, "Not Found"},
    {405, "Method Not Allowed"},    {413, "Content Too Large"},
    {414, "URI Too Long"},          {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"}, {503, "Service Unavailable"},
};

const char *problem_title(int status)
{
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (titles[i].status == status)
            return titles[i].title;
    return "Error";
}

int problem_status(const struct nt_error *err)
{
    static const int statuses[] = {
        [NT_OK] = 500,
        [NT_BAD_PARAMETER] = 400,
        [NT_OUTSIDE_GRID] = 404,
        [NT_UNKNOWN_FORMAT] = 404,
        [NT_UNKNOWN_VERSION] = 404,
        [NT_UNKNOWN_PATH] = 404,
        [NT_NO_MEMORY] = 503,
    };

    return statuses[err->status];
}

/* Copies text, each byte that belongs to no valid sequence replaced by U+FFFD. */
static void to_utf8(char *out, size_t cap, const char *text)
{
    static const char replacement[] = UTF8_REPLACEMENT;
    size_t used = 0;

    while (*text != '\0') {
        size_t len = utf8_length((const unsigned char *)text, strlen(text));
        const char *from = len > 0 ? text : replacement;
        size_t n = len > 0 ? len : sizeof replacement - 1;

        if (used + n >= cap)
            break;
        memcpy(out + used, from, n);
        used += n;
        text += len > 0 ? len : 1;
    }
    out[used] = '\0';
}

static void add_text(cJSON *object, const char *key, const char *text)
{
    char clean[3 * sizeof((struct nt_error *)NULL)->detail]; /* U+FFFD takes three bytes */

    to_utf8(clean, sizeof clean, text);
    cJSON_AddStringToObject(object, key, clean);
}

/* In JSON text <, > and & stand only inside strings, where \u003c means the same. */
static char *escape_markup(const char *json, size_t *len)
{
    char *out = malloc(6 * strlen(json) + 1), *at = out;

    if (out == NULL)
        return NULL;
    for (; *json != '\0'; json++) {
        static const char hex[] = "0123456789abcdef";

        if (*json == '<' || *json == '>' || *json == '&') {
            memcpy(at, "\\u00", 4);
            at[4] = hex[*json >> 4];
            at[5] = hex[*json & 15];
            at += 6;
        } else {
            *at++ = *json;
        }
    }
    *at = '\0';
    *len = (size_t)(at - out);
    return out;
}

static char *print(cJSON *object, size_t *len)
{
    char *json = json_print(object, len);
    char *out = json != NULL ? escape_markup(json, len) : NULL;

    free(json);
    return out;
}

static cJSON *begin(int status, const char *detail)
{
    cJSON *object = cJSON_CreateObject();

    cJSON_AddStringToObject(object, "type", "about:blank");
    cJSON_AddStringToObject(object, "title", problem_title(status));
    cJSON_AddNumberToObject(object, "status", status);
    add_text(object, "detail", detail);
    return object;
}

char *problem_plain(int status, const char *detail, size_t *len)
{
    return print(begin(status, detail), len);
}

char *problem_error(const struct nt_error *err, size_t *len)
{
    cJSON *object = begin(problem_status(err), err->detail);

    if (*err->parameter != '\0')
        add_text(object, "parameter", err->parameter);
    if (err->has_value)
        add_text(object, "value", err->value);
    json_add_number(object, "min", err->min);
    json_add_number(object, "max", err->max);
    json_add_words(object, "allowed", err->allowed);
    return print(object, len);
}
