/*
 * cli.h - what the sub-commands share. Each is a function from its arguments (program name and
 * sub-command taken off) to the program's exit status; main.c holds their table.
 */
#ifndef CLI_H
#define CLI_H

#include "config/config.h"

/* Exit statuses: fine; the world failed us; the command line is wrong. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

int serve_command(int argc, char **argv);       /* serve.c */
int render_command(int argc, char **argv);      /* cli_render.c */
int verify_command(int argc, char **argv);      /* cli_verify.c */
int healthcheck_command(int argc, char **argv); /* healthcheck.c */

/* One line "noisetile: ..." on standard error; returns the status given. */
int cli_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Options of the command line, environment and file. *rest gets how many leading arguments were
 * options; NULL means that nothing else may follow. Returns CLI_OK or, after a message, CLI_USAGE.
 */
int cli_config(struct config *config, int argc, char **argv, int *rest);

#endif
