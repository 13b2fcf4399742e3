/*
 * log.h - one JSON line per event on a file descriptor. Lines are put into a bounded buffer and
 * written by a thread of their own, so a slow or blocked reader never delays a request: lines that
 * find no room are dropped and counted, and the count is logged when there is room again.
 */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

enum { LOG_LINE_MAX = 4096 }; /* a longer line's last text fields are cut, never its JSON syntax */

/* A line being built, on the caller's stack. */
struct log_line {
    char text[LOG_LINE_MAX];
    size_t len;
    bool wanted; /* false: below the level, every call on it does nothing */
};

/* Starts the writer thread. Before this, and after log_stop, lines are written directly. */
bool log_start(int fd, enum log_level level);
/* Writes out what is buffered (for at most a second if the reader is blocked) and ends the thread.
 */
void log_stop(void);

/* {"time":"2026-01-31T12:00:00.123Z","level":"info","event":"..." */
void log_begin(struct log_line *line, enum log_level level, const char *event);
/* Any bytes: quotes, backslashes and control characters are escaped, bytes that are not UTF-8
 * replaced. */
void log_text(struct log_line *line, const char *key, const char *text);
void log_bytes(struct log_line *line, const char *key, const char *text, size_t len);
void log_integer(struct log_line *line, const char *key, int64_t value);
void log_real(struct log_line *line, const char *key, double value); /* three decimals */
void log_end(struct log_line *line);

/* The whole of a simple line: an event with one text field "detail", made like printf does. */
void log_event(enum log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

uint64_t log_dropped(void);

#endif
