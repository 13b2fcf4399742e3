/*
 * serve.c - puts the parts together: configuration, log, render, routes, http; then waits for
 * signals and stops in an order that loses no answer. Each part's own work is in its file.
 */
#include "config/config.h"
#include "core/noisetile.h"
#include "server/cli.h"
#include "server/cpus.h"
#include "server/http.h"
#include "server/listener.h"
#include "server/log.h"
#include "server/render.h"
#include "server/routes.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
    HTTP_THREADS_MAX = 4, /* chosen by itself: each answers 100 000 requests a second */
    TICK_MS = 10,         /* how often a condition is looked at while stopping */
    ABORT_WAIT_S = 30,    /* the longest that a tile in the making can take, with a margin */
    HEAP_SLACK = 1 << 20, /* bytes at a heap's end that are not given back */
};

struct server {
    struct config config;
    struct render *render;
    struct routes *routes;
    struct http *http;
    struct drain drain;
    sigset_t signals; /* that stop us: blocked in all threads, taken by sigtimedwait */
};

/* ---- Start ----------------------------------------------------------------------------------- */

/*
 * Large bodies get mappings of their own, which go back to the system when the cache drops them.
 * glibc by itself raises that limit, up to 32 MiB, to the largest block it has seen freed; then
 * bodies of all sizes lie in one heap and the gaps between them grow: after a million mixed
 * requests, 47 MB beside a cache of 16 MiB instead of 24.
 */
static void settle_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, RENDER_MAPPED_BODY);
    mallopt(M_TRIM_THRESHOLD, HEAP_SLACK); /* no longer derived from what was freed, either */
}

static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigprocmask(SIG_BLOCK, set, NULL); /* before any thread exists: they inherit it */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

static struct render *start_render(const struct config *config, int cpus)
{
    int workers = config->workers > 0 ? (int)config->workers : cpus;

    return render_new(&(struct render_config){
        .workers = workers,
        .workers_answer = workers <= cpus,
        .queue = (size_t)config->queue,
        .queue_wait_ns = (uint64_t)config->queue_wait * 1000000u,
        .cache_bytes = (size_t)config->cache << 20,
        .sending_bytes = (size_t)config->sending << 20,
        .now_ns = http_now_ns,
    });
}

static struct http *start_http(struct server *server, int cpus, int fd)
{
    const struct config *config = &server->config;
    int chosen = cpus < HTTP_THREADS_MAX ? cpus : HTTP_THREADS_MAX;

    return http_new(&(struct http_config){
        .fd = fd,
        .threads = config->http_threads > 0 ? (int)config->http_threads : chosen,
        .max_connections = config->max_connections,
        .idle_timeout = config->idle_timeout,
        .head_timeout = config->head_timeout,
        .access_log = config->access_log,
        .handler = routes_answer,
        .app = server->routes,
        .local_new = routes_local_new,
        .local_free = routes_local_free,
        .drain = &server->drain,
    });
}

/* False after a message; what was started is stopped by release. */
static bool start(struct server *server)
{
    struct address address = {0};
    int cpus = cpus_available("");
    char text[ADDRESS_TEXT_MAX], message[256];
    int fd;

    if (!config_listen_address(server->config.listen, &address.addr, &address.len)) {
        cli_fail(CLI_FAILED, "cannot understand the address %s", server->config.listen);
        return false;
    }
    if ((fd = listener_open(&address, message, sizeof message)) < 0) {
        cli_fail(CLI_FAILED, "%s", message);
        return false;
    }
    server->render = start_render(&server->config, cpus);
    if (server->render != NULL)
        server->routes = routes_new(&server->config, server->render);
    if (server->routes != NULL)
        server->http = start_http(server, cpus, fd);
    if (server->http == NULL) {
        cli_fail(CLI_FAILED, "cannot start: not enough memory or threads");
        close(fd);
        return false;
    }
    address_text((const struct sockaddr *)&address.addr, true, text, sizeof text);
    printf("listening on http://%s\n", text);
    fflush(stdout);
    log_event(LOG_LEVEL_INFO, "start", "noisetile %s, engine %d, level %s, on %s", NT_RELEASE,
              NT_ENGINE_VERSION, nt_level(), text);
    return true;
}

/* http first: its threads call the others. */
static void release(struct server *server)
{
    http_free(server->http);
    render_free(server->render);
    routes_free(server->routes);
}

/* ---- Stop ------------------------------------------------------------------------------------ */

/* Leaves everything as it is: whoever sends a second signal wants no more waiting. */
static void stop_at_once(int status, const char *reason)
{
    log_event(LOG_LEVEL_WARNING, "stop", "%s, stopping at once", reason);
    log_stop();
    _exit(status);
}

static unsigned forever(const struct drain *drain)
{
    (void)drain;
    return 1;
}

/* Waits until count is 0, for at most so many seconds. */
static bool wait_until_none(const struct server *server, unsigned (*count)(const struct drain *),
                            int64_t seconds)
{
    const struct timespec tick = {0, TICK_MS * 1000000L};
    uint64_t end = http_now_ns() + (uint64_t)seconds * 1000000000u;

    while (count(&server->drain) > 0) {
        int signal_number;

        if (http_now_ns() >= end)
            return false;
        signal_number = sigtimedwait(&server->signals, NULL, &tick);
        if (signal_number > 0)
            stop_at_once(128 + signal_number, "second signal");
    }
    return true;
}

/*
 * Readiness says no at once, so that load balancers turn away; after drain_delay new renders are
 * refused; what is in flight gets drain_timeout to finish. What is still queued then fails, because
 * libmicrohttpd must not be stopped while a connection is suspended.
 */
static void stop(struct server *server)
{
    struct drain *drain = &server->drain;

    drain_announce(drain);
    wait_until_none(server, forever, server->config.drain_delay);
    drain_refuse(drain);
    if (!wait_until_none(server, drain_old_requests, server->config.drain_timeout))
        log_event(LOG_LEVEL_WARNING, "stop", "%u requests did not finish in time",
                  drain_old_requests(drain));
    render_abort(server->render);
    drain_wake(drain);
    if (!wait_until_none(server, drain_suspended, ABORT_WAIT_S))
        stop_at_once(CLI_FAILED, "a render does not end");
}

static void wait_for_signal(const struct server *server)
{
    int signal_number;

    while (sigwait(&server->signals, &signal_number) != 0)
        ;
    log_event(LOG_LEVEL_INFO, "stop", "signal %d, %u requests in flight", signal_number,
              drain_requests(&server->drain));
}

int serve_command(int argc, char **argv)
{
    struct server server = {0};
    int status = cli_config(&server.config, argc, argv, NULL);

    if (status != CLI_OK)
        return status;
    if (!nt_init(config_cpu_name(&server.config)))
        return cli_fail(CLI_FAILED, "this CPU has no level %s", config_cpu_name(&server.config));
    block_signals(&server.signals);
    settle_memory();
    log_start(STDERR_FILENO, (enum log_level)server.config.log_level);
    status = CLI_FAILED;
    if (start(&server)) {
        wait_for_signal(&server);
        stop(&server);
        status = CLI_OK;
    }
    release(&server);
    if (status == CLI_OK)
        log_event(LOG_LEVEL_INFO, "stop", "stopped");
    log_stop();
    return status;
}
