/*
 * http.c - speaks to libmicrohttpd 0.9.75: daemon, connections, request life. What is answered is
 * the handler's; how it is said, response.c's; a head is put together by reading.c and refused by
 * framing.c; slow heads are cut by deadline.c; what is under way is counted by drain.c.
 *
 * Facts about libmicrohttpd, read in its source, that shape this file:
 *   - It calls the access handler once when the head has come and again when the body has. A reply
 *     queued in the first call closes the connection, one queued in the second keeps it alive.
 *   - The result of the URI log callback is the request's pointer from then on.
 *   - Its own polling threads wait again after a full batch of 128 events before they work it off:
 *     128 clients at once can wait for the next event after them. Polled from outside (poller.c) it
 *     never waits, so each thread here has a daemon and a poll of its own.
 *   - MHD_quiesce_daemon races with the threads of its pool for the removal of the listening socket
 *     from their epoll sets, and the loser aborts the process; so it is never called here.
 *   - The closed notification comes before the socket is closed.
 *
 * Next: routes.c, the handler.
 */
#include "server/http.h"

#include "server/connection.h"
#include "server/deadline.h"
#include "server/listener.h"
#include "server/log.h"
#include "server/poller.h"
#include "server/reading.h"
#include "server/response.h"

#include <fcntl.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    /*
     * Memory of one connection. libmicrohttpd clears all of it, and half of it twice, for every
     * request on a kept-alive connection (with 64 KiB, a fifth of a cached tile's time), so a byte
     * too many costs time and resident memory. Too little and a legal head (8 KiB of target, 16 KiB
     * and 100 lines of fields, 64 bytes of bookkeeping a line) would not fit beside the answer's
     * head, whose longest Content-Location takes 4 KiB. Above 32 KiB, it is mapped and so zeroed at
     * first, too, which reading.c needs.
     */
    CONNECTION_MEMORY = 36 * 1024,
    CACHE_LINE = 64,
    STOP_WAIT_MS = 1000, /* http_free waits so long for requests that came late */
    QUIET_MS = 100,      /* and stops after so long without any */
    POLL_MS = 5,
    TURN_MS = 500,
    NS_PER_MS = 1000000,
    SPEAKER_FILES = 4, /* listening socket, libmicrohttpd's epoll set, the poller's, its event */
};

/* One of those that speak HTTP: a daemon, the thread that polls it, and what is touched only by
 * whoever runs the daemon (poller.h): one thread at a time. */
struct speaker {
    _Alignas(CACHE_LINE) struct http *http;
    struct MHD_Daemon *daemon;
    struct poller *poller;
    struct responses *responses;
    void *local; /* the handler's */
    uint64_t id_next;
};

struct http {
    struct speaker *speakers; /* [threads_max] */
    int threads_max, threads; /* configured; started */
    struct deadline *deadline;
    int fd;
    void (*handler)(struct http_request *request);
    void *app;
    void (*local_free)(void *local);
    struct drain *drain;
    bool access_log;
    uint64_t id_seed;
};

struct request {
    struct http_request base; /* first: the handler's pointer is ours */
    struct http *http;
    struct speaker *speaker;
    struct MHD_Connection *mhd;
    struct connection *connection; /* NULL if there was no memory for it */
    uint64_t begun_ns;
    struct reading reading;
    bool judged;
    bool failed; /* no memory for a reply */
    int status;  /* of the reply; 0 until there is one */
    size_t bytes;
    int generation;               /* for drain_leave */
    void (*release)(void *owner); /* of the reply's body */
    void *owner;
    char raw[]; /* the target as it came (reading.h) */
};

uint64_t http_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- Connections ----------------------------------------------------------------------------- */

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct http *http = cls;
    int fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        connection_close(*context);
        return;
    }
    *context = connection_open(http->deadline, http->drain, fd);
    if (*context == NULL)
        shutdown(fd, SHUT_RDWR); /* nothing would watch it */
}

/* ---- A request's beginning ------------------------------------------------------------------- */

/*
 * splitmix64 (Steele, Lea, Flood 2014): distinct counts give distinct, unordered ids. The threads
 * take turns in counting, each by itself, so that they share nothing.
 */
static void make_id(struct speaker *speaker, char id[REQUEST_ID_MAX + 1])
{
    static const char hex[] = "0123456789abcdef";
    const struct http *http = speaker->http;
    uint64_t x = http->id_seed + speaker->id_next * UINT64_C(0x9e3779b97f4a7c15);

    speaker->id_next += (uint64_t)http->threads_max;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    for (int i = 0; i < 16; i++)
        id[i] = hex[(x >> (60 - 4 * i)) & 15];
    id[16] = '\0';
}

static void *on_target(void *cls, const char *uri, struct MHD_Connection *mhd)
{
    struct speaker *speaker = cls;
    struct http *http = speaker->http;
    /* uri is NULL only for lines without a version, which never come here. */
    struct request *request = malloc(sizeof *request + reading_uri_size(uri));

    if (request == NULL)
        return NULL;
    memset(request, 0, sizeof *request);
    request->base.app = http->app;
    request->base.drain = http->drain;
    request->base.local = speaker->local;
    request->http = http;
    request->speaker = speaker;
    request->mhd = mhd;
    request->connection =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    request->begun_ns = http_now_ns();
    reading_begin(&request->reading, (char *)(uintptr_t)uri, request->raw);
    request->generation = drain_enter(http->drain);
    return request;
}

static void take_id(struct request *request)
{
    const struct field_value *id = &request->reading.head.field[FIELD_REQUEST_ID];

    if (id->lines != 1 || !request_id_is_harmless(id->text, id->len)) {
        make_id(request->speaker, request->base.id);
        return;
    }
    memcpy(request->base.id, id->text, id->len);
    request->base.id[id->len] = '\0';
}

static void judge(struct request *request, const char *url, const char *method, const char *version)
{
    struct http_request *base = &request->base;
    struct reading *reading = &request->reading;

    request->judged = true;
    base->verdict =
        reading_judge(reading, request->mhd, url, method, version, request->raw, &base->target);
    base->method = reading->method;
    take_id(request);
    if (request->connection != NULL) {
        connection_busy(request->connection, reading->head_bytes);
        request->connection->refused = base->verdict.close;
    }
}

void http_each_line(const struct http_request *base, enum field field,
                    void (*each)(void *context, const char *value, size_t len), void *context)
{
    const struct request *request = (const struct request *)base;

    reading_each_line(&request->reading, request->mhd, field, each, context);
}

/* ---- The access handler ---------------------------------------------------------------------- */

static enum MHD_Result on_call(void *cls, struct MHD_Connection *mhd, const char *url,
                               const char *method, const char *version, const char *upload_data,
                               size_t *upload_size, void **context)
{
    struct request *request = *context;

    (void)mhd;
    (void)cls;
    if (request == NULL)
        return MHD_NO; /* out of memory in on_target */
    if (upload_data != NULL) {
        *upload_size = 0; /* only an "Expect" without a body comes here: nothing to take */
        return MHD_YES;
    }
    if (!request->judged) {
        judge(request, url, method, version);
        if (!request->base.verdict.close)
            return MHD_YES; /* the second call comes at once */
    }
    request->http->handler(&request->base);
    return request->failed ? MHD_NO : MHD_YES;
}

bool http_suspend(struct http_request *base)
{
    if (!drain_suspend(base->drain))
        return false;
    MHD_suspend_connection(((struct request *)base)->mhd);
    return true;
}

/* A daemon that is polled from outside does not notice by itself. */
static void resume(struct http_request *base, void (*notice)(struct poller *poller))
{
    struct request *request = (struct request *)base;
    struct poller *poller = request->speaker->poller; /* the request may be over after this: */
    struct drain *drain = base->drain;

    MHD_resume_connection(request->mhd);
    notice(poller);
    drain_resumed(drain);
}

void http_resume(struct http_request *request)
{
    resume(request, poller_wake);
}

void http_resume_here(struct http_request *request)
{
    resume(request, poller_run_here);
}

/* ---- Replies --------------------------------------------------------------------------------- */

bool http_reply(struct http_request *base, const struct http_reply *reply)
{
    struct request *request = (struct request *)base;
    bool close = drain_is_refusing(request->http->drain) || request->reading.lines == LINES_UNSEEN;

    request->release = reply->release;
    request->owner = reply->owner;
    request->failed =
        !responses_queue(request->speaker->responses, request->mhd, reply, base->id, close);
    request->status = reply->status;
    request->bytes = base->method == HTTP_HEAD || reply->status == 304 ? 0 : reply->len;
    if (request->connection != NULL)
        connection_sending(request->connection, request->bytes, http_now_ns());
    return !request->failed;
}

/* ---- A request's end ------------------------------------------------------------------------- */

static void log_request(const struct request *request, bool complete)
{
    const struct http_request *base = &request->base;
    static const char *const methods[] = {"GET", "HEAD", "OPTIONS", "other"};
    const struct sockaddr *client =
        MHD_get_connection_info(request->mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    char address[ADDRESS_TEXT_MAX];
    struct log_line line;

    log_begin(&line, LOG_LEVEL_INFO, "request");
    if (!line.wanted)
        return;
    address_text(client, false, address, sizeof address);
    log_text(&line, "id", base->id);
    log_text(&line, "client", address);
    log_text(&line, "method", methods[base->method]);
    log_integer(&line, "status", request->status);
    log_integer(&line, "bytes", (int64_t)request->bytes);
    log_real(&line, "ms", (double)(http_now_ns() - request->begun_ns) / NS_PER_MS);
    if (base->cache != NULL)
        log_text(&line, "cache", base->cache);
    if (!complete)
        log_text(&line, "end", "aborted");
    log_text(&line, "path", request->raw);
    log_end(&line);
}

static void on_completed(void *cls, struct MHD_Connection *mhd, void **context,
                         enum MHD_RequestTerminationCode code)
{
    struct http *http = cls;
    struct request *request = *context;

    (void)mhd;
    if (request == NULL)
        return;
    if (http->access_log)
        log_request(request, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    if (request->connection != NULL)
        connection_waiting(request->connection);
    if (request->base.state_free != NULL)
        request->base.state_free(request->base.state);
    if (request->release != NULL)
        request->release(request->owner);
    drain_leave(http->drain, request->generation);
    free(request);
    *context = NULL;
}

/* ---- Daemon ---------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 0))) static void on_log(void *cls, const char *format,
                                                         va_list arguments)
{
    char text[512];

    (void)cls;
    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\r\n")] = '\0';
    log_event(LOG_LEVEL_DEBUG, "libmicrohttpd", "%s", text);
}

static void on_panic(void *cls, const char *file, unsigned line, const char *reason)
{
    (void)cls;
    log_event(LOG_LEVEL_ERROR, "libmicrohttpd_panic", "%s:%u: %s", file, line,
              reason != NULL ? reason : "no reason given");
    log_stop();
    abort();
}

static struct MHD_Daemon *start(struct speaker *speaker, const struct http_config *config, int fd)
{
    struct http *http = speaker->http;
    unsigned share = (unsigned)((config->max_connections + config->threads - 1) / config->threads);

    /* clang-format off */
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG,
        0, NULL, NULL, on_call, http,
        MHD_OPTION_EXTERNAL_LOGGER, on_log, NULL, /* first, so that it hears of all the others */
        MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_CONNECTION_LIMIT, share,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)config->idle_timeout,
        MHD_OPTION_STRICT_FOR_CLIENT, 0, /* 1 closes without an answer; framing.c is strict */
        MHD_OPTION_URI_LOG_CALLBACK, on_target, speaker,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, http,
        MHD_OPTION_END);
    /* clang-format on */
}

/*
 * Not for ever: a daemon that was full listens again only in the turn after the one that closed a
 * connection, and nothing else might bring that turn.
 */
static int speaker_timeout_ms(void *owner)
{
    MHD_UNSIGNED_LONG_LONG ms;

    if (MHD_get_timeout(owner, &ms) != MHD_YES || ms > TURN_MS)
        return TURN_MS;
    return (int)ms;
}

static void speaker_run(void *owner)
{
    MHD_run(owner);
}

static void speaker_stop(struct speaker *speaker)
{
    poller_free(speaker->poller);
    if (speaker->daemon != NULL)
        MHD_stop_daemon(speaker->daemon); /* closes its copy of the listening socket, too */
    responses_free(speaker->responses);
    if (speaker->local != NULL)
        speaker->http->local_free(speaker->local);
}

static bool speaker_start(struct speaker *speaker, struct http *http,
                          const struct http_config *config)
{
    int fd = fcntl(config->fd, F_DUPFD_CLOEXEC, 0); /* each daemon closes the one it was given */
    struct poller_source source = {"http", -1, speaker_timeout_ms, speaker_run, NULL};

    if (fd < 0)
        return false;
    speaker->http = http;
    speaker->id_next = (uint64_t)(speaker - http->speakers);
    speaker->responses = responses_new();
    speaker->local = config->local_new();
    if (speaker->responses != NULL && speaker->local != NULL)
        speaker->daemon = start(speaker, config, fd);
    if (speaker->daemon == NULL) {
        close(fd);
        return false;
    }
    source.fd = MHD_get_daemon_info(speaker->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    source.owner = speaker->daemon;
    speaker->poller = poller_new(&source);
    return speaker->poller != NULL && poller_start(speaker->poller);
}

static bool start_speakers(struct http *http, const struct http_config *config)
{
    size_t bytes = (size_t)config->threads * sizeof *http->speakers;

    http->speakers = aligned_alloc(CACHE_LINE, bytes);
    if (http->speakers == NULL)
        return false;
    memset(http->speakers, 0, bytes);
    MHD_set_panic_func(on_panic, NULL);
    for (http->threads = 0; http->threads < config->threads; http->threads++)
        if (!speaker_start(&http->speakers[http->threads], http, config)) {
            http->threads++; /* what of it did start is stopped with the others */
            return false;
        }
    return true;
}

static void stop_speakers(struct http *http)
{
    for (int i = 0; i < http->threads; i++)
        speaker_stop(&http->speakers[i]);
    free(http->speakers);
}

struct http *http_new(const struct http_config *config)
{
    struct http *http = calloc(1, sizeof *http);

    if (http == NULL)
        return NULL;
    http->fd = config->fd;
    http->threads_max = config->threads;
    http->handler = config->handler;
    http->app = config->app;
    http->local_free = config->local_free;
    http->drain = config->drain;
    http->access_log = config->access_log;
    if (getrandom(&http->id_seed, sizeof http->id_seed, 0) != sizeof http->id_seed)
        http->id_seed = http_now_ns();
    listener_raise_limit(config->max_connections + (int64_t)SPEAKER_FILES * config->threads);
    http->deadline = deadline_new((uint64_t)config->head_timeout * 1000000000u, http_now_ns);
    if (http->deadline != NULL && start_speakers(http, config))
        return http;
    log_event(LOG_LEVEL_ERROR, "start", "no memory or threads for HTTP");
    stop_speakers(http);
    deadline_free(http->deadline);
    free(http);
    return NULL;
}

/* ---- Stopping -------------------------------------------------------------------------------- */

/* Somebody who has connected and has not been answered. */
static bool is_expected(const struct http *http)
{
    return listener_backlog(http->fd) > 0 || drain_fresh(http->drain) > 0 ||
           drain_requests(http->drain) > 0;
}

/* Requests that were sent before the listening socket was muted may still be in the sockets. */
static void wait_for_quiet(const struct http *http)
{
    const struct timespec pause = {0, POLL_MS * NS_PER_MS};

    for (int ms = 0, quiet = 0; ms < STOP_WAIT_MS && quiet < QUIET_MS; ms += POLL_MS) {
        quiet = is_expected(http) ? 0 : quiet + POLL_MS;
        nanosleep(&pause, NULL);
    }
}

void http_free(struct http *http)
{
    if (http == NULL)
        return;
    listener_mute(http->fd);
    wait_for_quiet(http);
    stop_speakers(http);
    close(http->fd);
    deadline_free(http->deadline);
    free(http);
}
