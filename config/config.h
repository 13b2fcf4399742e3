/*
 * config.h - every option of the program in one table: file key = NOISETILE_KEY = --key.
 * Flags win over the environment, the environment over the file, the file over the defaults; a bad
 * value is refused even where a stronger place overrides it. Nothing here keeps state, reads the
 * clock or the network, or reads any file but the one named; the caller passes arguments and
 * environment in. All functions may be called by several threads at once.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>

/* In order of strength. */
enum config_source { CONFIG_DEFAULT, CONFIG_FILE, CONFIG_ENVIRONMENT, CONFIG_FLAG };

enum {
    CONFIG_TEXT_MAX = 256,     /* bytes of a text option, its NUL included */
    CONFIG_PATH_MAX = 4096,    /* bytes of the file's path, its NUL included (Linux's PATH_MAX) */
    CONFIG_MESSAGE_MAX = 1024, /* a message buffer of this size never cuts what is allowed */
    CONFIG_OPTIONS_MAX = 32    /* rows the table may grow to; checked when it is compiled */
};

/* One field per row of the table in option.c, where unit, range, default and meaning stand. */
struct config {
    char listen[CONFIG_TEXT_MAX]; /* "ADDR:PORT", "[ADDR]:PORT"; port 0 takes a free one */
    int64_t workers;              /* rendering threads; 0 = the CPUs this process may use */
    int64_t http_threads;         /* threads that speak HTTP; 0 = chosen from the CPUs */
    int64_t queue;                /* tiles that may wait for a worker */
    int64_t queue_wait;           /* ms a tile may wait before it is given up with a 503 */
    int64_t cache;                /* MiB of finished answers kept; 0 keeps none */
    int64_t sending;              /* MiB of answers on their way that the cache does not keep */
    int64_t max_size;             /* pixels per side, size times @n */
    int64_t max_connections;      /* connections open at a time */
    int64_t idle_timeout;         /* s a kept-alive connection may be silent */
    int64_t head_timeout;         /* s a request's head may take, first byte to last */
    int64_t drain_delay;   /* s between SIGTERM and refusing new tiles (readiness is 503 at once) */
    int64_t drain_timeout; /* s that requests in flight get to finish */
    bool access_log;       /* a log line for every request */
    int log_level;         /* index: error, warning, info, debug (as enum log_level counts) */
    int cpu;               /* index into the cap names: auto, baseline, avx2 */
    enum config_source source[CONFIG_OPTIONS_MAX]; /* row i's value came from here */
    char file[CONFIG_PATH_MAX];                    /* path of the file read, "" if none */
};

/* The C type of an option's field: char[CONFIG_TEXT_MAX], int64_t, bool, int (index of a choice).
 */
enum config_type { CONFIG_TEXT, CONFIG_INTEGER, CONFIG_BOOLEAN, CONFIG_CHOICE };

/* A row of the table. */
struct config_option {
    const char *key; /* a-z and _; also the field's name */
    enum config_type type;
    size_t offset;                   /* of the field in struct config */
    int64_t min, max;                /* of an integer, both allowed */
    const char *unit;                /* of an integer; NULL = a count */
    const char *const *choices;      /* of a choice: its names, NULL-terminated */
    bool (*valid)(const char *text); /* of a text; NULL = any text is fine */
    const char *form;                /* of a text: what `valid` accepts, for people */
    const char *fallback;            /* the default, spelled as in the environment */
    const char *help;                /* meaning, in less than a line */
};

/* Row number `row` of the table, NULL behind the last. */
const struct config_option *config_option(size_t row);

/* Every option at its default. */
void config_init(struct config *config);

/*
 * Starts from the defaults and reads flags, environment and file. argv holds flags only, without
 * program name and sub-command: "--key value" or "--key=value", each once, and "--config FILE"
 * (NOISETILE_CONFIG names the file too); the caller looks for --help itself. environment is a
 * NULL-terminated list of NAME=value (NULL = none) of which only NOISETILE_... counts: an unknown
 * one is an error, except those that Kubernetes and Docker links make up for a service called
 * noisetile (NOISETILE_SERVICE_HOST, NOISETILE_PORT=tcp://...). There an option's value is
 *   integer  decimal digits, no spaces, no sign but "-", no leading zero
 *   boolean  true or false            (a flag always takes a value)
 *   choice   one of its names         text  as it is
 * and in the file, one JSON object of at most 1 MiB, a whole number, a JSON boolean or a string.
 *
 * Returns false with one line of printable ASCII in message: the place (file, variable or flag),
 * the key, the value and what is allowed; *config is then of no use. *rest gets how many leading
 * arguments were flags: parsing stops at the first argument that does not begin with "--", or
 * behind a "--". With rest NULL an argument that is no flag is an error.
 */
bool config_load(struct config *config, int argc, char *const *argv, char *const *environment,
                 int *rest, char *message, size_t message_size);

/*
 * The address in a `listen` value: "IPv4:PORT", "[IPv6]:PORT" or "localhost:PORT" (= 127.0.0.1),
 * port 0 to 65535. Numeric, so no name server is asked. Returns false for anything else.
 */
bool config_listen_address(const char *listen, struct sockaddr_storage *address, socklen_t *len);

/* Every option with its value and where it came from, one line each (the `config` sub-command). */
void config_print(const struct config *config, FILE *out);

/* The table as help text: flag, default, range, meaning. */
void config_help(FILE *out);

/* The table as a Markdown table, for the README. */
void config_markdown(FILE *out);

/* Name of the chosen row of a choice option ("auto", "info"). */
const char *config_cpu_name(const struct config *config);

#endif
