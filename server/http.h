/*
 * http.h - HTTP/1.1 over libmicrohttpd: a request as a value, suspending and resuming it, answering
 * it. Only http.c, reading.c and response.c know libmicrohttpd; they know no route, tile or JSON.
 *
 * A request's life: its target is copied as it came; when the head is whole it is judged
 * (framing.h); then the handler is called, and must either answer with http_reply or wait with
 * http_suspend. A waiting request is given back by any other thread, with http_resume or, to have
 * it answered by that thread, http_resume_here; then the handler is called again.
 *
 * Each request is bound to one of the HTTP threads. Its handler is called by that thread, or by one
 * in http_resume_here, but never by two at once for requests of the same HTTP thread.
 */
#ifndef HTTP_H
#define HTTP_H

#include "server/drain.h"
#include "server/framing.h"
#include "server/params.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct http;

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_OPTIONS, HTTP_OTHER };

/* A request, from the first line of its head until its answer is sent. */
struct http_request {
    void *app;           /* the configuration's, as is */
    struct drain *drain; /* this, too */
    void *local;         /* what local_new gave to the HTTP thread that this request is bound to */
    enum http_method method;
    struct target target;   /* what the client wrote, split; its host is ignored */
    struct verdict verdict; /* status 0, or the answer that the handler must give */
    char id[REQUEST_ID_MAX + 1];

    /* The handler's own. state lives from one call to the next; state_free, if not NULL, gets it
     * when the request is over. */
    void *state;
    void (*state_free)(void *state);
    const char *cache; /* "hit", "miss": for the log; NULL if no cache was asked */
};

/*
 * An answer. Fields that are NULL are left out; the fields that every answer has (CORS and the
 * like) are added by http_reply. Texts and body must live until http_reply returns; with `release`
 * the body lives until release(owner) is called, once, on any thread, also if the reply fails.
 */
struct http_reply {
    int status;
    const char *media_type, *cache_control;
    const char *etag, *content_location, *content_encoding, *vary;
    const char *cache_status, *server_timing;
    const char *allow, *retry_after, *preflight_methods, *preflight_headers, *preflight_age;
    const void *body;
    size_t len;
    void (*release)(void *owner);
    void *owner;
    bool again; /* equal replies are likely to follow: what is built for this one may be kept */
};

/* Exactly one per request. False if there was no memory for it: the connection is closed then. */
bool http_reply(struct http_request *request, const struct http_reply *reply);

/*
 * From the handler only: makes the request wait after the handler has returned; the caller sees to
 * it that somebody resumes it, which may happen before the handler returns. False if the server is
 * about to stop: then it has to be answered at once.
 */
bool http_suspend(struct http_request *request);

/* One of these exactly once per successful http_suspend; *request may be gone when it returns. */
void http_resume(struct http_request *request); /* any thread */

/* Not from a handler, nor with a lock held: handlers of other requests may be called, too. */
void http_resume_here(struct http_request *request);

/* Calls each for every line of a header field, blanks at the ends cut off. */
void http_each_line(const struct http_request *request, enum field field,
                    void (*each)(void *context, const char *value, size_t len), void *context);

struct http_config {
    int fd;      /* a listening socket, which is http's once http_new has succeeded */
    int threads; /* at least 1 */
    int64_t max_connections;
    int64_t idle_timeout, head_timeout; /* s */
    bool access_log;
    void (*handler)(struct http_request *request);
    void *app;
    void *(*local_new)(void);        /* once for each HTTP thread: what the handler keeps for it; */
    void (*local_free)(void *local); /* NULL if out of memory */
    struct drain *drain;             /* counts what is under way; must outlive http */
};

/* Starts to serve. NULL, with a sentence in the log, if that cannot be done. */
struct http *http_new(const struct http_config *config);

/*
 * Stops listening, waits a moment for those who have connected and were not answered yet, ends the
 * threads. No request may be suspended: see drain.h. NULL is fine.
 */
void http_free(struct http *http);

/* A monotonic clock in ns, the one that all of the server uses. */
uint64_t http_now_ns(void);

#endif
