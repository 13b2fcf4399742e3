/*
 * config.c - the option table, and the one way from text or JSON to a field of struct config.
 * What an option does is its user's business; here it only has a name, a type and limits. Read the
 * table first, then config_load at the end; config.h is the manual.
 */
#include "config/config.h"

#include <arpa/inet.h>
#include <assert.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <netinet/in.h>
#include <stdarg.h>
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

/* Not a row: it names the place that rows are read from, so it can't stand in there itself. */
static const char file_key[] = "config";
static const char file_help[] = "JSON file to read options from (keys as flags, with _ for -)";

static const char prefix[] = "NOISETILE_";

enum {
    FILE_MAX = 1 << 20, /* bytes; the whole table takes less than one thousandth of it */
    SPELLED_MAX = 64,   /* bytes of an option's name in any spelling */
    SHOWN_MAX = 80,     /* bytes of a foreign value or name repeated in a message */
    PATH_SHOWN_MAX = 400,
    ALLOWED_MAX = 256
};

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

/* How a key is spelled in each place: queue_wait, NOISETILE_QUEUE_WAIT, --queue-wait. */
static void spell(char out[SPELLED_MAX], enum config_source place, const char *key)
{
    size_t used = 0;
    const char *start = place == CONFIG_ENVIRONMENT ? prefix : place == CONFIG_FLAG ? "--" : "";
    for (; *start; start++)
        out[used++] = *start;
    for (; *key; key++) {
        assert(used + 1 < SPELLED_MAX);
        out[used] = *key;
        if (place == CONFIG_ENVIRONMENT && *key != '_')
            out[used] = (char)(*key - 'a' + 'A'); /* toupper() would ask the locale */
        if (place == CONFIG_FLAG && *key == '_')
            out[used] = '-';
        used++;
    }
    out[used] = '\0';
}

static bool is_spelled(const char *name, size_t len, enum config_source place, const char *key)
{
    char spelled[SPELLED_MAX];
    spell(spelled, place, key);
    return strlen(spelled) == len && !memcmp(spelled, name, len);
}

/* OPTIONS if there is none. */
static size_t find_row(const char *name, size_t len, enum config_source place)
{
    size_t row = 0;
    while (row < OPTIONS && !is_spelled(name, len, place, options[row].key))
        row++;
    return row;
}

/* What an option takes, for people: "1 to 600000 (ms)", "auto, baseline, avx2". */
static void describe_allowed(char out[ALLOWED_MAX], const struct config_option *option)
{
    if (option->type == CONFIG_INTEGER) {
        snprintf(out, ALLOWED_MAX, "%" PRId64 " to %" PRId64 "%s%s%s", option->min, option->max,
                 option->unit ? " (" : "", option->unit ? option->unit : "",
                 option->unit ? ")" : "");
        return;
    }
    if (option->type == CONFIG_TEXT) {
        snprintf(out, ALLOWED_MAX, "%s", option->form ? option->form : "any text");
        return;
    }
    const char *const *names = names_of(option);
    size_t used = 0;
    for (size_t i = 0; names[i] && used < ALLOWED_MAX; i++)
        used += (size_t)snprintf(out + used, ALLOWED_MAX - used, "%s%s", i ? ", " : "", names[i]);
}

/* ---- Values: from text or JSON to a field, and back ------------------------------------------ */

enum verdict { FINE, MALFORMED, OUT_OF_RANGE, TOO_LONG };

static const char *const malformed[] = {[CONFIG_TEXT] = "is not understood",
                                        [CONFIG_INTEGER] = "is not a whole number",
                                        [CONFIG_BOOLEAN] = "is not a boolean",
                                        [CONFIG_CHOICE] = "is not a choice"};

/* A value that was read but not stored yet. */
struct value {
    int64_t integer;  /* or index of the name */
    const char *text; /* of a text option, borrowed */
};

/* 0|-?[1-9][0-9]*, so that every number has one spelling. */
static enum verdict parse_integer(const char *text, int64_t *value)
{
    const char *digits = text + (text[0] == '-');
    size_t len = strspn(digits, "0123456789");
    if (len == 0 || digits[len] || (digits[0] == '0' && (len > 1 || digits != text)))
        return MALFORMED;
    errno = 0;
    long long parsed = strtoll(text, NULL, 10);
    if (errno == ERANGE)
        return OUT_OF_RANGE;
    *value = parsed;
    return FINE;
}

static enum verdict parse_name(const char *const *names, const char *text, int64_t *value)
{
    for (int64_t i = 0; names[i]; i++) {
        if (!strcmp(names[i], text)) {
            *value = i;
            return FINE;
        }
    }
    return MALFORMED;
}

/* A value as flags, the environment and the table's defaults spell it. */
static enum verdict parse_text(const struct config_option *option, const char *text,
                               struct value *value)
{
    if (option->type == CONFIG_INTEGER) {
        enum verdict verdict = parse_integer(text, &value->integer);
        if (verdict == FINE && (value->integer < option->min || value->integer > option->max))
            verdict = OUT_OF_RANGE;
        return verdict;
    }
    if (option->type != CONFIG_TEXT)
        return parse_name(names_of(option), text, &value->integer);
    value->text = text;
    if (strlen(text) >= CONFIG_TEXT_MAX)
        return TOO_LONG;
    return option->valid && !option->valid(text) ? MALFORMED : FINE;
}

/* A value as the file spells it. */
static enum verdict parse_json(const struct config_option *option, const cJSON *item,
                               struct value *value)
{
    if (option->type == CONFIG_BOOLEAN) {
        value->integer = cJSON_IsTrue(item) != 0;
        return cJSON_IsBool(item) ? FINE : MALFORMED;
    }
    if (option->type != CONFIG_INTEGER)
        return cJSON_IsString(item) ? parse_text(option, item->valuestring, value) : MALFORMED;
    if (!cJSON_IsNumber(item))
        return MALFORMED;
    /* valueint saturates at an int's ends, so the double is what counts; limits are below 2^53. */
    double number = item->valuedouble;
    if (number < (double)option->min || number > (double)option->max)
        return OUT_OF_RANGE;
    value->integer = (int64_t)number;
    return (double)value->integer < number || (double)value->integer > number ? MALFORMED : FINE;
}

static void store(struct config *config, const struct config_option *option, struct value value)
{
    void *field = (char *)config + option->offset;
    switch (option->type) {
    case CONFIG_TEXT:
        assert(value.text); /* a text that was found FINE */
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

/* The reverse of parse_text. */
static void format_field(char out[CONFIG_TEXT_MAX], const struct config *config,
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
    if (!colon || parse_integer(colon + 1, &port) != FINE || port < 0 || port > 65535)
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
        struct value value = {0};
        enum verdict verdict = parse_text(&options[row], options[row].fallback, &value);
        assert(verdict == FINE);
        (void)verdict;
        store(config, &options[row], value);
    }
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* What one config_load is at. */
struct loading {
    struct config *config;
    char *message;
    size_t message_size;
    bool seen[CONFIG_FLAG + 1][OPTIONS]; /* by place: each may give an option once */
    bool file_seen[CONFIG_FLAG + 1];     /* the same for --config and NOISETILE_CONFIG */
};

/* Returns false, for `return fail(...)`. */
__attribute__((format(printf, 2, 3))) static bool fail(struct loading *loading, const char *format,
                                                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(loading->message, loading->message_size, format, arguments);
    va_end(arguments);
    return false;
}

/* Foreign text as printable ASCII, bytes of other kinds as \xNN; too long a text ends in "...". */
static void show(char *out, size_t size, const char *text, size_t len)
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

static void show_number(char out[SHOWN_MAX], double number)
{
    if (isinf(number)) {
        snprintf(out, SHOWN_MAX, "a huge number");
        return;
    }
    /* Short where that is exact (0.1), otherwise all digits that a double has. */
    snprintf(out, SHOWN_MAX, "%.15g", number);
    double back = strtod(out, NULL);
    if (back < number || back > number)
        snprintf(out, SHOWN_MAX, "%.17g", number);
}

static void show_json(char out[SHOWN_MAX], const cJSON *item)
{
    if (cJSON_IsNumber(item)) {
        show_number(out, item->valuedouble);
    } else if (cJSON_IsString(item)) {
        char text[SHOWN_MAX - 2];
        show(text, sizeof text, item->valuestring, strlen(item->valuestring));
        snprintf(out, SHOWN_MAX, "\"%s\"", text);
    } else {
        snprintf(out, SHOWN_MAX, "%s",
                 cJSON_IsObject(item)  ? "an object"
                 : cJSON_IsArray(item) ? "an array"
                 : cJSON_IsTrue(item)  ? "true"
                 : cJSON_IsFalse(item) ? "false"
                                       : "null");
    }
}

/* Where a value stands: "FILE: key", "NOISETILE_KEY", "--key". */
enum { PLACE_MAX = PATH_SHOWN_MAX + 2 + SPELLED_MAX };
static void show_place(char out[PLACE_MAX], const struct loading *loading, enum config_source place,
                       const char *key)
{
    char path[PATH_SHOWN_MAX] = "", name[SPELLED_MAX];
    if (place == CONFIG_FILE)
        show(path, sizeof path, loading->config->file, strlen(loading->config->file));
    spell(name, place, key);
    snprintf(out, PLACE_MAX, "%s%s%s", path, path[0] ? ": " : "", name);
}

/* The last step for a value from anywhere: keep it, unless it is wrong or a stronger one is there.
 * Places are read from strong to weak. */
static bool settle(struct loading *loading, enum config_source place, size_t row,
                   enum verdict verdict, struct value value, const char *shown)
{
    const struct config_option *option = &options[row];
    char where[PLACE_MAX], allowed[ALLOWED_MAX];
    show_place(where, loading, place, option->key);
    describe_allowed(allowed, option);

    if (loading->seen[place][row])
        return fail(loading, "%s: given twice; allowed is once", where);
    loading->seen[place][row] = true;
    if (verdict != FINE)
        return fail(loading, "%s: %s %s; allowed are %s%s", where, shown,
                    verdict == OUT_OF_RANGE ? "is out of range"
                    : verdict == TOO_LONG   ? "is too long"
                                            : malformed[option->type],
                    option->type == CONFIG_INTEGER ? "whole numbers from " : "", allowed);
    if (place > loading->config->source[row]) {
        store(loading->config, option, value);
        loading->config->source[row] = place;
    }
    return true;
}

/* ---- Flags and environment ------------------------------------------------------------------- */

static bool take_text(struct loading *loading, enum config_source place, size_t row,
                      const char *text)
{
    struct value value = {0};
    enum verdict verdict = parse_text(&options[row], text, &value);
    char escaped[SHOWN_MAX - 2], shown[SHOWN_MAX];
    show(escaped, sizeof escaped, text, strlen(text));
    snprintf(shown, sizeof shown, "\"%s\"", escaped);
    return settle(loading, place, row, verdict, value, shown);
}

/* --config or NOISETILE_CONFIG. Flags are read first, so a path that is there already is stronger.
 */
static bool take_path(struct loading *loading, enum config_source place, const char *path)
{
    char name[SPELLED_MAX];
    spell(name, place, file_key);
    size_t len = strlen(path);
    if (loading->file_seen[place])
        return fail(loading, "%s: given twice; allowed is once", name);
    loading->file_seen[place] = true;
    if (len == 0 || len >= CONFIG_PATH_MAX)
        return fail(loading, "%s: the path has %zu bytes; allowed are 1 to %d", name, len,
                    CONFIG_PATH_MAX - 1);
    if (!loading->config->file[0])
        memcpy(loading->config->file, path, len + 1);
    return true;
}

/* One flag at argv[*at] (and its value behind it); *at is moved to the last argument used. */
static bool take_flag(struct loading *loading, int argc, char *const *argv, int *at)
{
    const char *flag = argv[*at];
    size_t len = strcspn(flag, "=");
    bool is_path = is_spelled(flag, len, CONFIG_FLAG, file_key);
    size_t row = find_row(flag, len, CONFIG_FLAG);
    char shown[SHOWN_MAX];
    show(shown, sizeof shown, flag, len);
    if (row == OPTIONS && !is_path)
        return fail(loading, "%s: unknown flag; --help lists what is allowed", shown);

    const char *value = flag + len + 1;
    if (!flag[len]) {
        /* A flag there means that the value was forgotten; --key=--value says it was not. */
        if (*at + 1 >= argc || !strncmp(argv[*at + 1], "--", 2))
            return fail(loading, "%s: a value is missing; --help lists what is allowed", shown);
        value = argv[++*at];
    }
    return is_path ? take_path(loading, CONFIG_FLAG, value)
                   : take_text(loading, CONFIG_FLAG, row, value);
}

static bool load_flags(struct loading *loading, int argc, char *const *argv, int *rest)
{
    int at = 0;
    for (; at < argc && !strncmp(argv[at], "--", 2); at++) {
        if (!argv[at][2]) {
            at++;
            break;
        }
        if (!take_flag(loading, argc, argv, &at))
            return false;
    }
    if (rest) {
        *rest = at;
    } else if (at < argc) {
        char shown[SHOWN_MAX];
        show(shown, sizeof shown, argv[at], strlen(argv[at]));
        return fail(loading, "\"%s\": unexpected argument; allowed are flags, --help lists them",
                    shown);
    }
    return true;
}

/*
 * Kubernetes gives every container variables about each service of its namespace: one called
 * noisetile (or noisetile-blue) makes NOISETILE_SERVICE_HOST, NOISETILE_SERVICE_PORT[_NAME],
 * NOISETILE_PORT=tcp://..., NOISETILE_PORT_80_TCP[_ADDR]. They are not the operator's doing, so
 * they must not keep the server from starting.
 */
static bool is_service_link(const char *name, const char *value)
{
    const char *service = strstr(name, "_SERVICE_");
    if (service && service < value)
        return !strncmp(service, "_SERVICE_HOST=", 14) || !strncmp(service, "_SERVICE_PORT", 13);
    const char *port = strstr(name, "_PORT");
    if (!port || port >= value)
        return false;
    if (port[5] == '_')
        return port[6] >= '0' && port[6] <= '9';
    return port + 6 == value && strstr(value, "://");
}

static bool load_environment(struct loading *loading, char *const *environment)
{
    for (; environment && *environment; environment++) {
        const char *name = *environment;
        size_t len = strcspn(name, "=");
        if (!name[len] || strncmp(name, prefix, strlen(prefix)) != 0)
            continue;
        const char *value = name + len + 1;
        bool is_path = is_spelled(name, len, CONFIG_ENVIRONMENT, file_key);
        size_t row = find_row(name, len, CONFIG_ENVIRONMENT);
        bool fine = true;
        if (is_path) {
            fine = take_path(loading, CONFIG_ENVIRONMENT, value);
        } else if (row < OPTIONS) {
            fine = take_text(loading, CONFIG_ENVIRONMENT, row, value);
        } else if (!is_service_link(name, value)) {
            char shown[SHOWN_MAX];
            show(shown, sizeof shown, name, len);
            fine = fail(loading, "%s: unknown variable; --help lists what is allowed", shown);
        }
        if (!fine)
            return false;
    }
    return true;
}

/* ---- File ------------------------------------------------------------------------------------ */

static bool fail_file(struct loading *loading, const char *complaint)
{
    char path[PATH_SHOWN_MAX];
    show(path, sizeof path, loading->config->file, strlen(loading->config->file));
    return fail(loading, "%s: %s", path, complaint);
}

static bool fail_unreadable(struct loading *loading, int error)
{
    char complaint[SHOWN_MAX];
    snprintf(complaint, sizeof complaint, "cannot be read: %s", strerror(error));
    return fail_file(loading, complaint);
}

/* Line and column count from 1, columns in bytes. */
static bool fail_at(struct loading *loading, const char *text, const char *at,
                    const char *complaint)
{
    size_t line = 1;
    const char *start = text;
    for (const char *c = text; c < at; c++) {
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    }
    char where[SHOWN_MAX + SHOWN_MAX];
    snprintf(where, sizeof where, "line %zu, column %zu: %s", line, (size_t)(at - start) + 1,
             complaint);
    return fail_file(loading, where);
}

static bool fail_unknown_key(struct loading *loading, const char *key)
{
    char shown[SHOWN_MAX], complaint[CONFIG_MESSAGE_MAX];
    show(shown, sizeof shown, key, strlen(key));
    size_t used =
        (size_t)snprintf(complaint, sizeof complaint, "%s: unknown key; allowed are ", shown);
    for (size_t row = 0; row < OPTIONS && used < sizeof complaint; row++)
        used += (size_t)snprintf(complaint + used, sizeof complaint - used, "%s%s", row ? ", " : "",
                                 options[row].key);
    return fail_file(loading, complaint);
}

/* The file's bytes and a NUL behind them, for the caller to free; NULL with a message. Needs no
 * size beforehand, so a pipe (--config <(...)) serves as well. */
static char *read_file(struct loading *loading, size_t *len)
{
    char *bytes = NULL, *result = NULL;
    FILE *file = fopen(loading->config->file, "rbe");
    if (!file) {
        fail_unreadable(loading, errno);
        return NULL;
    }
    bytes = malloc(FILE_MAX + 2);
    if (!bytes) {
        fail_unreadable(loading, ENOMEM);
        goto out;
    }
    *len = fread(bytes, 1, FILE_MAX + 1, file);
    if (ferror(file)) {
        fail_unreadable(loading, errno);
        goto out;
    }
    if (*len > FILE_MAX) {
        fail_file(loading, "is too large; allowed are files of up to 1 MiB");
        goto out;
    }
    bytes[*len] = '\0';
    result = bytes;
    bytes = NULL;
out:
    free(bytes);
    fclose(file);
    return result;
}

/* NULL with a message if the text is not one JSON value and nothing else. */
static cJSON *parse_file(struct loading *loading, const char *text, size_t len)
{
    /* cJSON's strings end at a NUL, so a key "queue\u0000x" would pass for "queue". */
    const char *nul = memchr(text, '\0', len);
    if (!nul)
        nul = strstr(text, "\\u0000");
    if (nul) {
        fail_at(loading, text, nul, "NUL is not allowed");
        return NULL;
    }
    /* With the NUL counted in, cJSON itself insists that nothing but space precedes it. */
    const char *end = text;
    cJSON *root = cJSON_ParseWithLengthOpts(text, len + 1, &end, true);
    if (!root) /* cJSON's position is exact, but one too far for a key without its quote */
        fail_at(loading, text, end, "not valid JSON");
    return root;
}

static bool load_object(struct loading *loading, const cJSON *root)
{
    if (!cJSON_IsObject(root))
        return fail_file(loading, "is not a JSON object; allowed is one, {\"key\": value, ...}");
    for (const cJSON *item = root->child; item; item = item->next) {
        size_t row = find_row(item->string, strlen(item->string), CONFIG_FILE);
        if (row == OPTIONS)
            return fail_unknown_key(loading, item->string);
        struct value value = {0};
        enum verdict verdict = parse_json(&options[row], item, &value);
        char shown[SHOWN_MAX];
        show_json(shown, item);
        if (!settle(loading, CONFIG_FILE, row, verdict, value, shown))
            return false;
    }
    return true;
}

static bool load_file(struct loading *loading)
{
    bool fine = false;
    cJSON *root = NULL;
    size_t len;
    char *text = read_file(loading, &len);
    if (!text)
        goto out;
    root = parse_file(loading, text, len);
    if (!root)
        goto out;
    fine = load_object(loading, root);
out:
    cJSON_Delete(root);
    free(text);
    return fine;
}

bool config_load(struct config *config, int argc, char *const *argv, char *const *environment,
                 int *rest, char *message, size_t message_size)
{
    struct loading loading = {.config = config, .message = message, .message_size = message_size};
    config_init(config);
    /* From strong to weak: flags and environment say which file to read. */
    return load_flags(&loading, argc, argv, rest) && load_environment(&loading, environment) &&
           (!config->file[0] || load_file(&loading));
}

/* ---- For people ------------------------------------------------------------------------------ */

static void grow_to(int *width, const char *text)
{
    if ((int)strlen(text) > *width)
        *width = (int)strlen(text);
}

void config_print(const struct config *config, FILE *out)
{
    char value[CONFIG_TEXT_MAX], name[SPELLED_MAX], path[CONFIG_PATH_MAX];
    int key_width = 0, value_width = 0;
    for (size_t row = 0; row < OPTIONS; row++) {
        format_field(value, config, &options[row]);
        grow_to(&key_width, options[row].key);
        grow_to(&value_width, value);
    }
    show(path, sizeof path, config->file, strlen(config->file));
    static const char *const sources[] = {"default", "file ", "environment ", "flag "};
    for (size_t row = 0; row < OPTIONS; row++) {
        enum config_source source = config->source[row];
        format_field(value, config, &options[row]);
        spell(name, source, options[row].key);
        fprintf(out, "%-*s = %-*s   (%s%s)\n", key_width, options[row].key, value_width, value,
                sources[source],
                source == CONFIG_DEFAULT ? ""
                : source == CONFIG_FILE  ? path
                                         : name);
    }
}

void config_help(FILE *out)
{
    char flag[SPELLED_MAX], allowed[ALLOWED_MAX];
    int flag_width = 0, default_width = (int)strlen("default"), allowed_width = 0;
    for (size_t row = 0; row < OPTIONS; row++) {
        spell(flag, CONFIG_FLAG, options[row].key);
        describe_allowed(allowed, &options[row]);
        grow_to(&flag_width, flag);
        grow_to(&default_width, options[row].fallback);
        grow_to(&allowed_width, allowed);
    }
    static const char format[] = "  %-*s  %-*s  %-*s  %s\n";
    fprintf(out, format, flag_width, "flag", default_width, "default", allowed_width, "allowed",
            "meaning");
    for (size_t row = 0; row < OPTIONS; row++) {
        spell(flag, CONFIG_FLAG, options[row].key);
        describe_allowed(allowed, &options[row]);
        fprintf(out, format, flag_width, flag, default_width, options[row].fallback, allowed_width,
                allowed, options[row].help);
    }
    spell(flag, CONFIG_FLAG, file_key);
    fprintf(out, format, flag_width, flag, default_width, "", allowed_width, "PATH", file_help);
    fputs("\nEach is a variable too (NOISETILE_QUEUE_WAIT for --queue-wait, NOISETILE_CONFIG for\n"
          "--config) and a key of the file (queue_wait). Flags win over the environment, the\n"
          "environment over the file.\n",
          out);
}

void config_markdown(FILE *out)
{
    char variable[SPELLED_MAX], flag[SPELLED_MAX], allowed[ALLOWED_MAX];
    fputs("| file key | environment | flag | default | allowed | meaning |\n"
          "|---|---|---|---|---|---|\n",
          out);
    for (size_t row = 0; row < OPTIONS; row++) {
        const struct config_option *option = &options[row];
        spell(variable, CONFIG_ENVIRONMENT, option->key);
        spell(flag, CONFIG_FLAG, option->key);
        describe_allowed(allowed, option);
        fprintf(out, "| `%s` | `%s` | `%s` | `%s` | %s | %s |\n", option->key, variable, flag,
                option->fallback, allowed, option->help);
    }
    spell(variable, CONFIG_ENVIRONMENT, file_key);
    spell(flag, CONFIG_FLAG, file_key);
    fprintf(out, "| | `%s` | `%s` | no file | a path | %s |\n", variable, flag, file_help);
}

const char *config_cpu_name(const struct config *config)
{
    return cpu_caps[config->cpu];
}
