/*
 * option.c - the option table, and the one way from text or JSON to a field of struct config.
 * What an option does is its user's business; here it only has a name, a type and limits. Which
 * place wins, and what is said of a bad value: load.c.
 */
#include "config/option.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table ------------------------------------------------------------------------------- */

static bool valid_listen(const char *text);

static const char *const log_levels[] = {"error", "warning", "info", "debug", NULL};
static const char *const cpu_caps[] = {"auto", "baseline", "avx2", NULL};

/* The key is the field's name, and the field's C type decides the option's type. */
/* clang-format off */
#define TYPE_OF(field) \
    _Generic(field, char *: CONFIG_TEXT, int64_t: CONFIG_INTEGER, bool: CONFIG_BOOLEAN, \
             int: CONFIG_CHOICE)
#define FIELD(name) \
    .key = #name, .offset = offsetof(struct config, name), \
    .type = TYPE_OF(((struct config *)0)->name)

static const struct config_option options[] = {
    {FIELD(listen), .valid = valid_listen,
     .form = "IPv4:PORT, [IPv6]:PORT, localhost:PORT, PORT from 0 to 65535",
     .fallback = "127.0.0.1:8080",
     .help = "address and port to serve on; port 0 takes a free one"},
    {FIELD(workers), .min = 0, .max = 1024, .fallback = "0",
     .help = "rendering threads; 0 = as many as CPUs may be used"},
    {FIELD(http_threads), .min = 0, .max = 64, .fallback = "0",
     .help = "threads that speak HTTP; 0 = chosen from the CPUs"},
    {FIELD(queue), .min = 1, .max = 65536, .fallback = "256",
     .help = "tiles that may wait for a worker; beyond that 503"},
    {FIELD(queue_wait), .unit = "ms", .min = 1, .max = 600000, .fallback = "2000",
     .help = "how long a tile may wait for a worker before it is given up with 503"},
    {FIELD(cache), .unit = "MiB", .min = 0, .max = 1048576, .fallback = "256",
     .help = "memory for finished answers; 0 keeps none"},
    {FIELD(sending), .unit = "MiB", .min = 1, .max = 1048576, .fallback = "256",
     .help = "memory for answers on their way that the cache does not keep; beyond that 503"},
    {FIELD(max_size), .unit = "px", .min = 1, .max = 4096, .fallback = "2048",
     .help = "largest tile side, size times @n"},
    {FIELD(max_connections), .min = 1, .max = 1000000, .fallback = "4096",
     .help = "connections open at a time"},
    {FIELD(idle_timeout), .unit = "s", .min = 1, .max = 3600, .fallback = "75",
     .help = "how long a kept-alive connection may be silent"},
    {FIELD(head_timeout), .unit = "s", .min = 1, .max = 60, .fallback = "8",
     .help = "how long a request's head may take, first byte to last"},
    {FIELD(drain_delay), .unit = "s", .min = 0, .max = 600, .fallback = "0",
     .help = "from SIGTERM, when readiness turns 503, to refusing new tiles"},
    {FIELD(drain_timeout), .unit = "s", .min = 1, .max = 3600, .fallback = "20",
     .help = "how long requests in flight get to finish when stopping"},
    {FIELD(access_log), .fallback = "true",
     .help = "a log line for every request"},
    {FIELD(log_level), .choices = log_levels, .fallback = "info",
     .help = "least urgent event that is logged"},
    {FIELD(cpu), .choices = cpu_caps, .fallback = "auto",
     .help = "highest instruction level to use; the pixels are the same with all"},
};
/* clang-format on */

enum { OPTIONS = sizeof options / sizeof options[0] };
_Static_assert((int)OPTIONS <= (int)CONFIG_OPTIONS_MAX, "struct config's source[] is too short");

const char config_file_key[] = "config";
const char config_file_help[] = "JSON file to read options from (keys as flags, with _ for -)";
const char config_prefix[] = "NOISETILE_";

static const char *const booleans[] = {"false", "true", NULL};

const struct config_option *config_option(size_t row)
{
    return row < OPTIONS ? &options[row] : NULL;
}

/* The names of a choice or a boolean, by the value they stand for. */
static const char *const *names_of(const struct config_option *option)
{
    return option->type == CONFIG_BOOLEAN ? booleans : option->choices;
}

void config_spell(char out[CONFIG_SPELLED_MAX], enum config_source place, const char *key)
{
    size_t used = 0;
    const char *start = place == CONFIG_ENVIRONMENT ? config_prefix
                        : place == CONFIG_FLAG      ? "--"
                                                    : "";
    for (; *start; start++)
        out[used++] = *start;
    for (; *key; key++) {
        assert(used + 1 < CONFIG_SPELLED_MAX);
        out[used] = *key;
        if (place == CONFIG_ENVIRONMENT && *key != '_')
            out[used] = (char)(*key - 'a' + 'A'); /* toupper() would ask the locale */
        if (place == CONFIG_FLAG && *key == '_')
            out[used] = '-';
        used++;
    }
    out[used] = '\0';
}

bool config_is_spelled(const char *name, size_t len, enum config_source place, const char *key)
{
    char spelled[CONFIG_SPELLED_MAX];
    config_spell(spelled, place, key);
    return strlen(spelled) == len && !memcmp(spelled, name, len);
}

size_t config_find_row(const char *name, size_t len, enum config_source place)
{
    size_t row = 0;
    while (row < OPTIONS && !config_is_spelled(name, len, place, options[row].key))
        row++;
    return row < OPTIONS ? row : CONFIG_NO_ROW;
}

void config_describe_allowed(char out[CONFIG_ALLOWED_MAX], const struct config_option *option)
{
    if (option->type == CONFIG_INTEGER) {
        snprintf(out, CONFIG_ALLOWED_MAX, "%" PRId64 " to %" PRId64 "%s%s%s", option->min,
                 option->max, option->unit ? " (" : "", option->unit ? option->unit : "",
                 option->unit ? ")" : "");
        return;
    }
    if (option->type == CONFIG_TEXT) {
        snprintf(out, CONFIG_ALLOWED_MAX, "%s", option->form ? option->form : "any text");
        return;
    }
    const char *const *names = names_of(option);
    size_t used = 0;
    for (size_t i = 0; names[i] && used < CONFIG_ALLOWED_MAX; i++)
        used += (size_t)snprintf(out + used, CONFIG_ALLOWED_MAX - used, "%s%s", i ? ", " : "",
                                 names[i]);
}

void config_show(char *out, size_t size, const char *text, size_t len)
{
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)text[i];
        bool plain = byte >= 0x20 && byte < 0x7f && byte != '\\';
        if (used + 4 + 4 > size) { /* the longest piece, then "..." and NUL */
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        if (plain)
            out[used++] = (char)byte;
        else
            used += (size_t)snprintf(out + used, size - used, "\\x%02x", byte);
    }
    out[used] = '\0';
}

/* ---- Values: from text or JSON to a field, and back ------------------------------------------ */

/* 0|-?[1-9][0-9]*, so that every number has one spelling. */
static enum config_verdict parse_integer(const char *text, int64_t *value)
{
    const char *digits = text + (text[0] == '-');
    size_t len = strspn(digits, "0123456789");
    if (len == 0 || digits[len] || (digits[0] == '0' && (len > 1 || digits != text)))
        return CONFIG_MALFORMED;
    errno = 0;
    long long parsed = strtoll(text, NULL, 10);
    if (errno == ERANGE)
        return CONFIG_OUT_OF_RANGE;
    *value = parsed;
    return CONFIG_FINE;
}

static enum config_verdict parse_name(const char *const *names, const char *text, int64_t *value)
{
    for (int64_t i = 0; names[i]; i++) {
        if (!strcmp(names[i], text)) {
            *value = i;
            return CONFIG_FINE;
        }
    }
    return CONFIG_MALFORMED;
}

enum config_verdict config_parse_text(const struct config_option *option, const char *text,
                                      struct config_value *value)
{
    if (option->type == CONFIG_INTEGER) {
        enum config_verdict verdict = parse_integer(text, &value->integer);
        if (verdict == CONFIG_FINE &&
            (value->integer < option->min || value->integer > option->max))
            verdict = CONFIG_OUT_OF_RANGE;
        return verdict;
    }
    if (option->type != CONFIG_TEXT)
        return parse_name(names_of(option), text, &value->integer);
    value->text = text;
    if (strlen(text) >= CONFIG_TEXT_MAX)
        return CONFIG_TOO_LONG;
    return option->valid && !option->valid(text) ? CONFIG_MALFORMED : CONFIG_FINE;
}

enum config_verdict config_parse_json(const struct config_option *option, const cJSON *item,
                                      struct config_value *value)
{
    if (option->type == CONFIG_BOOLEAN) {
        value->integer = cJSON_IsTrue(item) != 0;
        return cJSON_IsBool(item) ? CONFIG_FINE : CONFIG_MALFORMED;
    }
    if (option->type != CONFIG_INTEGER)
        return cJSON_IsString(item) ? config_parse_text(option, item->valuestring, value)
                                    : CONFIG_MALFORMED;
    if (!cJSON_IsNumber(item))
        return CONFIG_MALFORMED;
    /* valueint saturates at an int's ends, so the double is what counts; limits are below 2^53. */
    double number = item->valuedouble;
    if (number < (double)option->min || number > (double)option->max)
        return CONFIG_OUT_OF_RANGE;
    value->integer = (int64_t)number;
    return (double)value->integer < number || (double)value->integer > number ? CONFIG_MALFORMED
                                                                              : CONFIG_FINE;
}

void config_store(struct config *config, const struct config_option *option,
                  struct config_value value)
{
    void *field = (char *)config + option->offset;
    switch (option->type) {
    case CONFIG_TEXT:
        assert(value.text); /* a text that was found CONFIG_FINE */
        memcpy(field, value.text, strlen(value.text) + 1);
        break;
    case CONFIG_INTEGER:
        *(int64_t *)field = value.integer;
        break;
    case CONFIG_BOOLEAN:
        *(bool *)field = value.integer != 0;
        break;
    case CONFIG_CHOICE:
        *(int *)field = (int)value.integer;
        break;
    }
}

void config_format(char out[CONFIG_TEXT_MAX], const struct config *config,
                   const struct config_option *option)
{
    const void *field = (const char *)config + option->offset;
    if (option->type == CONFIG_INTEGER)
        snprintf(out, CONFIG_TEXT_MAX, "%" PRId64, *(const int64_t *)field);
    else if (option->type == CONFIG_TEXT)
        snprintf(out, CONFIG_TEXT_MAX, "%s", (const char *)field);
    else
        snprintf(out, CONFIG_TEXT_MAX, "%s",
                 names_of(option)[option->type == CONFIG_BOOLEAN ? *(const bool *)field
                                                                 : *(const int *)field]);
}

bool config_listen_address(const char *listen, struct sockaddr_storage *address, socklen_t *len)
{
    const char *colon = strrchr(listen, ':');
    int64_t port;
    if (!colon || parse_integer(colon + 1, &port) != CONFIG_FINE || port < 0 || port > 65535)
        return false;

    bool bracketed = listen[0] == '[' && colon[-1] == ']';
    size_t host_len = (size_t)(colon - listen) - (bracketed ? 2 : 0);
    char host[INET6_ADDRSTRLEN]; /* the longest numeric address and its NUL */
    if (host_len >= sizeof host)
        return false;
    memcpy(host, listen + bracketed, host_len);
    host[host_len] = '\0';

    memset(address, 0, sizeof *address);
    if (bracketed) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons((uint16_t)port);
        *len = sizeof *v6;
        return inet_pton(AF_INET6, host, &v6->sin6_addr) == 1;
    }
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    v4->sin_family = AF_INET;
    v4->sin_port = htons((uint16_t)port);
    *len = sizeof *v4;
    return inet_pton(AF_INET, strcmp(host, "localhost") ? host : "127.0.0.1", &v4->sin_addr) == 1;
}

static bool valid_listen(const char *text)
{
    struct sockaddr_storage address;
    socklen_t len;
    return config_listen_address(text, &address, &len);
}

void config_init(struct config *config)
{
    memset(config, 0, sizeof *config);
    for (size_t row = 0; row < OPTIONS; row++) {
        struct config_value value = {0};
        enum config_verdict verdict =
            config_parse_text(&options[row], options[row].fallback, &value);
        assert(verdict == CONFIG_FINE);
        (void)verdict;
        config_store(config, &options[row], value);
    }
}

const char *config_cpu_name(const struct config *config)
{
    return cpu_caps[config->cpu];
}
