/*
 * load.c - options from flags, environment and file: who wins, and what is said when one is wrong.
 * config_load is at the end; how a single value is read is option.c's.
 */
#include "config/option.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_MAX = 1 << 20, /* bytes; the whole table takes less than one thousandth of it */
    SHOWN_MAX = 80,     /* bytes of a foreign value or name repeated in a message */
    PATH_SHOWN_MAX = 400
};

/* ---- Messages -------------------------------------------------------------------------------- */

/* What one config_load is at. */
struct loading {
    struct config *config;
    char *message;
    size_t message_size;
    bool seen[CONFIG_FLAG + 1][CONFIG_OPTIONS_MAX]; /* by place: each may give an option once */
    bool file_seen[CONFIG_FLAG + 1];                /* the same for --config and NOISETILE_CONFIG */
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
        config_show(text, sizeof text, item->valuestring, strlen(item->valuestring));
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
enum { PLACE_MAX = PATH_SHOWN_MAX + 2 + CONFIG_SPELLED_MAX };
static void show_place(char out[PLACE_MAX], const struct loading *loading, enum config_source place,
                       const char *key)
{
    char path[PATH_SHOWN_MAX] = "", name[CONFIG_SPELLED_MAX];
    if (place == CONFIG_FILE)
        config_show(path, sizeof path, loading->config->file, strlen(loading->config->file));
    config_spell(name, place, key);
    snprintf(out, PLACE_MAX, "%s%s%s", path, path[0] ? ": " : "", name);
}

static const char *const malformed[] = {[CONFIG_TEXT] = "is not understood",
                                        [CONFIG_INTEGER] = "is not a whole number",
                                        [CONFIG_BOOLEAN] = "is not a boolean",
                                        [CONFIG_CHOICE] = "is not a choice"};

/* The last step for a value from anywhere: keep it, unless it is wrong or a stronger one is there.
 * Places are read from strong to weak. */
static bool settle(struct loading *loading, enum config_source place, size_t row,
                   enum config_verdict verdict, struct config_value value, const char *shown)
{
    const struct config_option *option = config_option(row);
    char where[PLACE_MAX], allowed[CONFIG_ALLOWED_MAX];
    show_place(where, loading, place, option->key);
    config_describe_allowed(allowed, option);

    if (loading->seen[place][row])
        return fail(loading, "%s: given twice; allowed is once", where);
    loading->seen[place][row] = true;
    if (verdict != CONFIG_FINE)
        return fail(loading, "%s: %s %s; allowed are %s%s", where, shown,
                    verdict == CONFIG_OUT_OF_RANGE ? "is out of range"
                    : verdict == CONFIG_TOO_LONG   ? "is too long"
                                                   : malformed[option->type],
                    option->type == CONFIG_INTEGER ? "whole numbers from " : "", allowed);
    if (place > loading->config->source[row]) {
        config_store(loading->config, option, value);
        loading->config->source[row] = place;
    }
    return true;
}

/* ---- Flags and environment ------------------------------------------------------------------- */

static bool take_text(struct loading *loading, enum config_source place, size_t row,
                      const char *text)
{
    struct config_value value = {0};
    enum config_verdict verdict = config_parse_text(config_option(row), text, &value);
    char escaped[SHOWN_MAX - 2], shown[SHOWN_MAX];
    config_show(escaped, sizeof escaped, text, strlen(text));
    snprintf(shown, sizeof shown, "\"%s\"", escaped);
    return settle(loading, place, row, verdict, value, shown);
}

/* --config or NOISETILE_CONFIG. Flags are read first, so a path that is there already is stronger.
 */
static bool take_path(struct loading *loading, enum config_source place, const char *path)
{
    char name[CONFIG_SPELLED_MAX];
    config_spell(name, place, config_file_key);
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
    bool is_path = config_is_spelled(flag, len, CONFIG_FLAG, config_file_key);
    size_t row = config_find_row(flag, len, CONFIG_FLAG);
    char shown[SHOWN_MAX];
    config_show(shown, sizeof shown, flag, len);
    if (row == CONFIG_NO_ROW && !is_path)
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
        config_show(shown, sizeof shown, argv[at], strlen(argv[at]));
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
        if (!name[len] || strncmp(name, config_prefix, strlen(config_prefix)) != 0)
            continue;
        const char *value = name + len + 1;
        bool is_path = config_is_spelled(name, len, CONFIG_ENVIRONMENT, config_file_key);
        size_t row = config_find_row(name, len, CONFIG_ENVIRONMENT);
        bool fine = true;
        if (is_path) {
            fine = take_path(loading, CONFIG_ENVIRONMENT, value);
        } else if (row != CONFIG_NO_ROW) {
            fine = take_text(loading, CONFIG_ENVIRONMENT, row, value);
        } else if (!is_service_link(name, value)) {
            char shown[SHOWN_MAX];
            config_show(shown, sizeof shown, name, len);
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
    config_show(path, sizeof path, loading->config->file, strlen(loading->config->file));
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
    config_show(shown, sizeof shown, key, strlen(key));
    size_t used =
        (size_t)snprintf(complaint, sizeof complaint, "%s: unknown key; allowed are ", shown);
    for (size_t row = 0; config_option(row) && used < sizeof complaint; row++)
        used += (size_t)snprintf(complaint + used, sizeof complaint - used, "%s%s", row ? ", " : "",
                                 config_option(row)->key);
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
        size_t row = config_find_row(item->string, strlen(item->string), CONFIG_FILE);
        if (row == CONFIG_NO_ROW)
            return fail_unknown_key(loading, item->string);
        struct config_value value = {0};
        enum config_verdict verdict = config_parse_json(config_option(row), item, &value);
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
