/*
 * server.h - end-to-end tests' way to a real server: starts the binary on a free port of 127.0.0.1
 * and ends it by its process id; speaks to it through libcurl (answers taken apart) or a raw socket
 * (bytes as they are). Every wait is bounded; whatever goes wrong fails the test with the server's
 * log.
 */
#ifndef TEST_SERVER_H
#define TEST_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- The process --------------------------------------------------------------------------------
 */

struct server {
    pid_t pid;
    int port;
    int out, err;  /* pipes: its standard output behind the first line, its log */
    char base[64]; /* "http://127.0.0.1:PORT" */
};

/*
 * Starts `noisetile serve --listen 127.0.0.1:0 ARGUMENTS...` (flags, NULL at the end) and waits for
 * its first line. The environment has no NOISETILE_ names but those given as "NAME=value" before
 * the flags.
 */
struct server server_start(const char *first, ...) __attribute__((sentinel));
/* SIGTERM, then waits at most 30 s: returns the exit status (128 + n for signal n). */
int server_stop(struct server *server);
/* Sends a signal; server_wait then waits at most `seconds` for the end, -1 if it has not come. */
void server_signal(const struct server *server, int signal);
int server_wait(struct server *server, double seconds);
/* Whether it still runs. */
bool server_alive(const struct server *server);
/* All that it has logged so far (malloc'ed text). */
char *server_log(struct server *server);

/* ---- Requests through libcurl
 * ------------------------------------------------------------------------ */

struct answer {
    long status;
    char *head;          /* all header lines of the final answer, CRLF between them */
    unsigned char *body; /* with a NUL behind it */
    size_t len;
    double seconds;
};

/*
 * One request. headers: "Name: value" lines, NULL at the end of the list (headers itself may be
 * NULL). method NULL means GET. Fails the test if there is no answer within 30 s.
 */
struct answer request(const struct server *server, const char *method, const char *path,
                      const char *const *headers);
struct answer get(const struct server *server, const char *path_format, ...)
    __attribute__((format(printf, 2, 3)));
/* Value of a header (static buffer, valid until eight calls later), or NULL. */
const char *header(const struct answer *answer, const char *name);
void answer_free(struct answer *answer);

/* A field of /health/ready's document, by dotted path: "cache.bytes", "renders". */
double server_figure(const struct server *server, const char *path);

/* ---- Raw sockets --------------------------------------------------------------------------------
 */

int raw_connect(const struct server *server);
/* Sends all bytes; false if the peer has closed. */
bool raw_send(int fd, const void *bytes, size_t len);
/* Reads until the peer closes, `seconds` have passed or cap - 1 bytes are there; NUL-terminated.
 * *closed tells the first. */
size_t raw_read(int fd, char *buffer, size_t cap, double seconds, bool *closed);
/* One whole exchange on a new connection: sends, reads until close or silence for `seconds`.
 * malloc'ed, NUL-terminated. */
char *raw_exchange(const struct server *server, const void *bytes, size_t len, double seconds,
                   bool *closed);
/* How many answers (status lines "HTTP/1.") a raw text holds, and the status of the first (0 =
 * none). */
int raw_count(const char *text);
int raw_status(const char *text);

double seconds_now(void); /* monotonic */

#endif
