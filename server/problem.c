/*
 * problem.c - writes problem+json through cJSON, after making every text valid UTF-8 (cJSON passes
 * bytes through as they are). Which status an error has on the wire stands in one table here.
 * Next: reply.c, which sends them.
 */
#include "server/problem.h"

#include <cjson/cJSON.h>
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

/*
 * Length of the valid UTF-8 sequence that text begins with, or 0 (RFC 3629: no overlong forms, no
 * surrogates, nothing above U+10FFFF). text is not empty.
 */
static size_t utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char first_low, first_high; /* lead byte */
        unsigned char next_low, next_high;   /* the byte behind it */
        size_t len;
    } forms[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (text[0] < forms[i].first_low || text[0] > forms[i].first_high)
            continue;
        if (forms[i].len > 1 && (text[1] < forms[i].next_low || text[1] > forms[i].next_high))
            return 0;
        for (size_t k = 2; k < forms[i].len; k++)
            if ((text[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].len;
    }
    return 0;
}

/* Copies text, each byte that belongs to no valid sequence replaced by U+FFFD. */
static void to_utf8(char *out, size_t cap, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t used = 0;

    while (*text != '\0') {
        size_t len = utf8_length((const unsigned char *)text);
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

/* Canonical numbers go in as they are: a double would lose the digits of a 64-bit limit. */
static void add_number(cJSON *object, const char *key, const char *text)
{
    if (*text == '\0')
        return;
    if (strspn(text, "0123456789+-.eE") == strlen(text))
        cJSON_AddRawToObject(object, key, text);
    else
        add_text(object, key, text);
}

static void add_words(cJSON *object, const char *key, const char *words)
{
    char word[sizeof((struct nt_error *)NULL)->allowed];
    cJSON *array;

    if (*words == '\0')
        return;
    array = cJSON_AddArrayToObject(object, key);
    while (*words != '\0') {
        size_t len = strcspn(words, " ");

        memcpy(word, words, len);
        word[len] = '\0';
        cJSON_AddItemToArray(array, cJSON_CreateString(word));
        words += len;
        words += strspn(words, " ");
    }
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

static char *print_and_delete(cJSON *object, size_t *len)
{
    char *json = cJSON_PrintUnformatted(object);
    char *out = json != NULL ? escape_markup(json, len) : NULL;

    cJSON_free(json);
    cJSON_Delete(object);
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
    return print_and_delete(begin(status, detail), len);
}

char *problem_error(const struct nt_error *err, size_t *len)
{
    cJSON *object = begin(problem_status(err), err->detail);

    if (*err->parameter != '\0')
        add_text(object, "parameter", err->parameter);
    if (err->has_value)
        add_text(object, "value", err->value);
    add_number(object, "min", err->min);
    add_number(object, "max", err->max);
    add_words(object, "allowed", err->allowed);
    return print_and_delete(object, len);
}
