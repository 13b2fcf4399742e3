/*
 * log.h - one JSON line per event on a file descriptor. Lines are put into a bounded buffer and
 * written by a thread of their own, so a slow or blocked reader never delays a request: lines that
 * find no room are dropped and counted, and the count is logged when there is room again:
 *     {"time":...,"level":"warning","event":"log_dropped","count":12}
 *
 * One log per process. Lines may be made and ended on any thread; log_start and log_stop are for
 * the main thread. The program must ignore SIGPIPE, since lines written directly meet it.
 */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/*
 * With the newline; also what a pipe takes in one piece, so lines of several processes never mix.
 * Texts that do not fit are cut between characters, or left out, never the JSON syntax. The last
 * 512 bytes are kept for numbers, so a long text does not cost a line the numbers after it; it may
 * cost it other texts, so put the long ones last.
 */
enum { LOG_LINE_MAX = 4096 };

/* A line being built, on the caller's stack. */
struct log_line {
    char text[LOG_LINE_MAX];
    size_t len;
    bool wanted; /* false: below the level, every call on it does nothing */
};

/*
 * Starts the writer thread, which blocks all signals. fd stays the caller's; it may be
 * non-blocking. Before this (to standard error, from level info on) and after log_stop, or if this
 * fails, lines are written directly, and dropped if fd does not take them within a tenth of a
 * second.
 */
bool log_start(int fd, enum log_level level);
/* Writes out what is buffered (for at most about a second if the reader is blocked) and ends the
 * thread. Harmless if it does not run. */
void log_stop(void);

/* Keys and events are literals of ours: plain ASCII that JSON need not escape, each key once.
 * {"time":"2026-01-31T12:00:00.123Z","level":"info","event":"..." (UTC) */
void log_begin(struct log_line *line, enum log_level level, const char *event);
/* Any bytes: quotes, backslashes and control characters (C1 and line separators too) are escaped,
 * each byte that is not UTF-8 becomes U+FFFD. NULL is null. */
void log_text(struct log_line *line, const char *key, const char *text);
void log_bytes(struct log_line *line, const char *key, const char *text, size_t len);
void log_integer(struct log_line *line, const char *key, int64_t value);
/* Three decimals; not a number and infinity are null. */
void log_real(struct log_line *line, const char *key, double value);
/* Queues the line and never waits. */
void log_end(struct log_line *line);

/* The whole of a simple line: an event with one text field "detail", made like printf does. */
void log_event(enum log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Lines lost since the process began: no room, or a reader that is gone or blocked for too long. */
uint64_t log_dropped(void);

#endif
