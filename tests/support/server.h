/*
 * server.h - end-to-end tests' way to a real server: starts the binary on a free port of 127.0.0.1
 * and ends it by its process id; speaks to it through libcurl (answers taken apart) or a raw socket
 * (bytes as they are); and runs the other sub-commands. Every wait is bounded; whatever goes wrong
 * fails the test with the server's log.
 *
 * A server may be started by an unchecked fixture, in the process that Check forks its tests from:
 * all functions but server_stop and server_wait work in the forked tests, too. They may be called
 * from several threads at once.
 */
#ifndef TEST_SERVER_H
#define TEST_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- The process ----------------------------------------------------------------------------- */

struct server {
    pid_t pid;  /* 0 once its end has been seen */
    int status; /* its exit status then */
    int port;
    int out, err;  /* files without a name: its standard output and its log; it never blocks */
    char base[64]; /* "http://127.0.0.1:PORT" */
};

/*
 * Starts `noisetile serve --listen 127.0.0.1:0 ARGUMENTS...` (flags, NULL at the end; no arguments:
 * server_start(NULL, NULL)) and waits for its first line. The environment has no NOISETILE_ names
 * but those given as "NAME=value" before the flags. It dies with the thread that started it.
 */
struct server server_start(const char *first, ...) __attribute__((sentinel));
/* SIGTERM, then waits at most 30 s: returns the exit status (128 + n for signal n). Its log can
 * still be read. */
int server_stop(struct server *server);
/* Sends a signal; server_wait then waits at most `seconds` for the end, -1 if it has not come. */
void server_signal(const struct server *server, int signal);
int server_wait(struct server *server, double seconds);
/* Whether it still runs. */
bool server_alive(const struct server *server);
/* All that it has logged so far (malloc'ed text). */
char *server_log(struct server *server);
/* Waits at most 10 s for a whole log line that holds `text`, and returns the first (malloc'ed, no
 * newline), or NULL: log lines are written after the answer that they are about. */
char *server_log_line(struct server *server, const char *text);

/* ---- Other sub-commands ---------------------------------------------------------------------- */

struct outcome {
    int status; /* exit status, 128 + n for signal n */
    char *out;  /* standard output, out_len bytes and a NUL */
    size_t out_len;
    char *err; /* standard error */
};

/* Runs `noisetile ARGUMENTS...` to its end, at most 30 s; "NAME=value" first, as in server_start.
 * Standard input is empty. */
struct outcome command_run(const char *first, ...) __attribute__((sentinel));
void outcome_free(struct outcome *outcome);

/* ---- Requests through libcurl ---------------------------------------------------------------- */

struct answer {
    long status;
    char *head; /* status line and all header lines of the final answer, CRLF behind each */
    unsigned char *body; /* with a NUL behind it */
    size_t len;
    double seconds;
    bool reused; /* came over the connection of this thread's last answer */
};

/*
 * One request; connections are kept alive, one for each thread. path is sent as it is, whatever
 * bytes it has. headers: "Name: value" lines ("Name;" for an empty value), NULL at the end of the
 * list (headers itself may be NULL). method NULL means GET. Fails the test if there is no answer
 * within 30 s.
 */
struct answer request(const struct server *server, const char *method, const char *path,
                      const char *const *headers);
struct answer get(const struct server *server, const char *path_format, ...)
    __attribute__((format(printf, 2, 3)));
/* Value of a header (static buffer, valid until eight calls later by this thread), or NULL. The
 * first if there are several lines: header_count tells. */
const char *header(const struct answer *answer, const char *name);
int header_count(const struct answer *answer, const char *name);
void answer_free(struct answer *answer);

/* A field of /health/ready's document, by dotted path: "cache.bytes", "renders". */
double server_figure(const struct server *server, const char *path);

/* ---- Raw sockets ----------------------------------------------------------------------------- */

/* -1 if the server takes no connection. */
int raw_connect(const struct server *server);
/* Sends all bytes; false if the peer has closed. */
bool raw_send(int fd, const void *bytes, size_t len);
/* Reads until the peer closes, `seconds` have passed or cap - 1 bytes are there; NUL-terminated.
 * *closed tells the first (may be NULL). */
size_t raw_read(int fd, char *buffer, size_t cap, double seconds, bool *closed);
/* One whole exchange on a new connection: sends, reads until close or silence for `seconds`.
 * malloc'ed, NUL-terminated; NUL bytes in it become '?', so that it is one text. */
char *raw_exchange(const struct server *server, const void *bytes, size_t len, double seconds,
                   bool *closed);
/* How many answers (status lines "HTTP/1.x nnn") a raw text holds, and the status of the first (0 =
 * none). */
int raw_count(const char *text);
int raw_status(const char *text);

double seconds_now(void); /* monotonic */

#endif
