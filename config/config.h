/*
 * config.h - every option of the program in one table: file key = NOISETILE_KEY = --key.
 * Flags win over the environment, the environment over the file, the file over the defaults.
 * Nothing here reads the clock or the network; the caller passes arguments and environment in.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum config_source { CONFIG_DEFAULT, CONFIG_FILE, CONFIG_ENVIRONMENT, CONFIG_FLAG };

enum { CONFIG_TEXT_MAX = 256 };

/* One field per row of the table in config.c, where unit, range, default and meaning stand. */
struct config {
    char listen[CONFIG_TEXT_MAX]; /* "ADDR:PORT", "[ADDR]:PORT"; port 0 takes a free one */
    int64_t workers;              /* rendering threads; 0 = the CPUs this process may use */
    int64_t http_threads;         /* threads that speak HTTP; 0 = chosen from the CPUs */
    int64_t queue;                /* tiles that may wait for a worker */
    int64_t queue_wait;           /* ms a tile may wait before it is given up with a 503 */
    int64_t cache;                /* MiB of finished answers kept */
    int64_t max_size;             /* pixels per side, size times @n */
    int64_t max_connections;
    int64_t idle_timeout;  /* s a kept-alive connection may be silent */
    int64_t head_timeout;  /* s a request's head may take, first byte to last */
    int64_t drain_delay;   /* s between SIGTERM and refusing new tiles (readiness is 503 at once) */
    int64_t drain_timeout; /* s that requests in flight get to finish */
    bool access_log;       /* a log line for every request */
    int log_level;         /* index: error, warning, info, debug */
    int cpu;               /* index into the cap names: auto, baseline, avx2 */
    enum config_source source[32]; /* row i's value came from here */
    char file[CONFIG_TEXT_MAX];    /* path of the file read, "" if none */
};

/* Every option at its default. */
void config_init(struct config *config);

/*
 * Reads file, environment and flags in that order of strength. argv holds flags only ("--key value"
 * or
 * "--key=value", and "--config FILE"; NOISETILE_CONFIG names the file too); environment is a
 * NULL-terminated list of NAME=value of which only NOISETILE_... counts (an unknown NOISETILE_ name
 * is an error). Returns false with one line in message: the place (file, variable or flag), the
 * key, the value and what is allowed. *rest, if not NULL, gets how many leading arguments were
 * flags: parsing stops at the first argument that does not begin with "--".
 */
bool config_load(struct config *config, int argc, char *const *argv, char *const *environment,
                 int *rest, char *message, size_t message_size);

/* Every option with its value and where it came from, one line each (the `config` sub-command). */
void config_print(const struct config *config, FILE *out);

/* The table as help text: flag, default, range, meaning. */
void config_help(FILE *out);

/* The table as a Markdown table, for the README. */
void config_markdown(FILE *out);

/* Name of the chosen row of a choice option ("auto", "info"). */
const char *config_cpu_name(const struct config *config);

#endif
