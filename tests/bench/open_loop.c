/*
 * open_loop.c - load that does not wait: requests fall due at a constant rate, whatever becomes of
 * the earlier ones, as those of many clients do. A latency counts from when its request was due, not
 * from when a connection was free to send it, so a stalled server can't hide what it did to those in
 * the queue (G. Tene, "coordinated omission", 2013). Bounded: so many seconds, connections, and a
 * few seconds at the end for what is still on its way.
 *
 * Usage: open_loop PORT RATE SECONDS PATH [FIRST]
 * With FIRST, requests are for PATH FIRST, FIRST + 1 ... Prints "what number" lines; times in us.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 900, HEAD_MAX = 8192, REQUESTS_MAX = 1000000 };

static const double patience = 5e6; /* us, after the last request fell due */

struct connection {
    int fd; /* -1: not open */
    bool connected, busy;
    double due;  /* of the request it carries */
    size_t head; /* bytes of the answer's head so far; then body bytes still to come */
    size_t body;
    bool in_body, closes;
    int status;
    char text[HEAD_MAX + 1];
};

struct load {
    struct sockaddr_in address;
    const char *path;
    long first; /* negative: the path is all */
    double start, interval;
    long total, sent; /* requests */
    int epoll;
    struct connection all[CONNECTIONS_MAX], *idle[CONNECTIONS_MAX];
    int idles, open, connecting;
    /* Results. */
    double *latency; /* of the 200s */
    double late;     /* the longest that a request waited here for a connection */
    long ok, refused, other, errors, advised, answered;
};

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void give_up(const char *what)
{
    fprintf(stderr, "open_loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- Connections ----------------------------------------------------------------------------- */

static void watch(const struct load *load, struct connection *c, int operation, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = c};

    if (epoll_ctl(load->epoll, operation, c->fd, &event) != 0)
        give_up("epoll_ctl");
}

static void connection_open(struct load *load)
{
    struct connection *c = load->all;
    const int yes = 1;

    while (c->fd >= 0)
        c++;
    if ((c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) < 0)
        give_up("socket");
    c->connected = c->busy = false;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(c->fd, (struct sockaddr *)&load->address, sizeof load->address) != 0 &&
        errno != EINPROGRESS)
        give_up("connect");
    watch(load, c, EPOLL_CTL_ADD, EPOLLOUT);
    load->open++;
    load->connecting++;
}

/* Also for one that waits among the idle. */
static void connection_close(struct load *load, struct connection *c)
{
    for (int i = 0; i < load->idles; i++)
        if (load->idle[i] == c)
            load->idle[i--] = load->idle[--load->idles];
    close(c->fd);
    c->fd = -1;
    load->open--;
}

static void connection_fail(struct load *load, struct connection *c)
{
    if (c->busy) {
        load->errors++;
        load->answered++;
    }
    connection_close(load, c);
}

/* ---- Requests -------------------------------------------------------------------------------- */

static void send_request(struct load *load, struct connection *c, long number)
{
    char text[1024], suffix[24] = "";
    int len;

    if (load->first >= 0)
        snprintf(suffix, sizeof suffix, "%ld", load->first + number);
    len = snprintf(text, sizeof text, "GET %s%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", load->path,
                   suffix);
    c->busy = true;
    c->in_body = false;
    c->head = 0;
    c->due = load->start + (double)number * load->interval;
    if (send(c->fd, text, (size_t)len, MSG_NOSIGNAL) != len)
        connection_fail(load, c);
}

/* Sends what is due as far as there are connections, and opens more for the rest. */
static void send_due(struct load *load, double now)
{
    long due = (long)((now - load->start) / load->interval) + 1;

    due = due < load->total ? due : load->total;
    while (load->sent < due && load->idles > 0) {
        double late = now - (load->start + (double)load->sent * load->interval);
        load->late = late > load->late ? late : load->late;
        send_request(load, load->idle[--load->idles], load->sent++);
    }
    while (load->connecting < due - load->sent && load->open < CONNECTIONS_MAX)
        connection_open(load);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Value of a header field in a complete head, or NULL. */
static const char *field(const char *head, const char *name)
{
    const char *at = strcasestr(head, name);

    return at != NULL ? at + strlen(name) : NULL;
}

static void finish(struct load *load, struct connection *c)
{
    if (c->status == 200)
        load->latency[load->ok++] = now_us() - c->due;
    else if (c->status == 503)
        load->refused++;
    else
        load->other++;
    load->answered++;
    c->busy = false;
    if (c->closes)
        connection_close(load, c);
    else
        load->idle[load->idles++] = c;
}

/* A head is complete: false if it says nothing about its body. */
static bool read_head(struct load *load, struct connection *c)
{
    char *end = strstr(c->text, "\r\n\r\n");
    const char *length, *connection;
    size_t got = c->head - (size_t)(end + 4 - c->text), all;

    *end = '\0';
    length = field(c->text, "\r\nContent-Length:");
    if (strncmp(c->text, "HTTP/1.1 ", 9) != 0 || length == NULL)
        return false;
    connection = field(c->text, "\r\nConnection:");
    c->closes = connection != NULL && strncasecmp(connection, " close", 6) == 0;
    c->status = atoi(c->text + 9);
    if (c->status == 503 && field(c->text, "\r\nRetry-After:") != NULL)
        load->advised++;
    all = (size_t)strtoul(length, NULL, 10);
    if (got > all)
        return false;
    c->body = all - got;
    c->in_body = true;
    return true;
}

static ssize_t receive(struct connection *c)
{
    static char bin[1 << 18];
    ssize_t n;

    if (c->in_body) {
        n = recv(c->fd, bin, c->body < sizeof bin ? c->body : sizeof bin, 0);
        c->body -= n > 0 ? (size_t)n : 0;
    } else {
        n = recv(c->fd, c->text + c->head, HEAD_MAX - c->head, 0);
        c->head += n > 0 ? (size_t)n : 0;
        c->text[c->head] = '\0';
    }
    return n;
}

static void read_answer(struct load *load, struct connection *c)
{
    for (;;) {
        ssize_t n = receive(c);
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0 || !c->busy ||
            (!c->in_body && strstr(c->text, "\r\n\r\n") != NULL && !read_head(load, c))) {
            connection_fail(load, c);
            return;
        }
        if (c->in_body && c->body == 0) {
            finish(load, c);
            return;
        }
    }
}

static void handle(struct load *load, struct connection *c, uint32_t events)
{
    if (c->connected) {
        read_answer(load, c);
        return;
    }
    load->connecting--;
    if (events & (EPOLLERR | EPOLLHUP)) {
        connection_close(load, c);
        load->errors++;
        if (load->sent < load->total) { /* the request that it was opened for fails with it */
            load->sent++;
            load->answered++;
        }
    } else {
        c->connected = true;
        watch(load, c, EPOLL_CTL_MOD, EPOLLIN);
        load->idle[load->idles++] = c;
    }
}

/* ---- The run --------------------------------------------------------------------------------- */

/* A timer that ticks at the rate: what wakes the loop when nothing arrives. */
static int start_timer(const struct load *load)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    long ns = (long)(load->interval * 1e3);
    struct timespec tick = {ns / 1000000000, ns % 1000000000};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};

    if (fd < 0 || timerfd_settime(fd, 0, &(struct itimerspec){tick, tick}, NULL) != 0 ||
        epoll_ctl(load->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        give_up("timerfd");
    return fd;
}

static void run(struct load *load)
{
    double end;
    int timer = start_timer(load);

    load->start = now_us();
    end = load->start + (double)load->total * load->interval + patience;
    while (load->answered < load->total && now_us() < end) {
        struct epoll_event events[256];
        int n;

        send_due(load, now_us());
        n = epoll_wait(load->epoll, events, 256, 100);
        for (int i = 0; i < n; i++) {
            uint64_t ticks;
            if (events[i].data.ptr != NULL)
                handle(load, events[i].data.ptr, events[i].events);
            else if (read(timer, &ticks, sizeof ticks) < 0 && errno != EAGAIN)
                give_up("timerfd");
        }
    }
    close(timer);
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        if (load->all[i].fd >= 0)
            close(load->all[i].fd);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double percentile(const double *sorted, long n, double share)
{
    return n > 0 ? sorted[(long)((double)(n - 1) * share)] : 0;
}

static double cpu_us(void)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    return 1e6 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void report(struct load *load)
{
    qsort(load->latency, (size_t)load->ok, sizeof *load->latency, by_size);
    printf("due %ld\nok %ld\nrefused %ld\nadvised %ld\nother %ld\nerrors %ld\nunanswered %ld\n",
           load->total, load->ok, load->refused, load->advised, load->other, load->errors,
           load->total - load->answered);
    printf("p50 %.0f\np99 %.0f\nlongest %.0f\nlate %.0f\ncpu %.0f\n",
           percentile(load->latency, load->ok, 0.5), percentile(load->latency, load->ok, 0.99),
           percentile(load->latency, load->ok, 1.0), load->late, cpu_us());
}

int main(int argc, char **argv)
{
    static struct load load = {.first = -1};

    if (argc < 5 || argc > 6) {
        fprintf(stderr, "usage: open_loop PORT RATE SECONDS PATH [FIRST]\n");
        return 2;
    }
    load.address = (struct sockaddr_in){.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)atoi(argv[1])),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    load.interval = 1e6 / atof(argv[2]);
    load.total = (long)(atof(argv[2]) * atof(argv[3]));
    load.path = argv[4];
    if (argc == 6)
        load.first = atol(argv[5]);
    if (!(load.interval > 1) || load.total < 1 || load.total > REQUESTS_MAX) {
        fprintf(stderr, "open_loop: the rate or the time is out of range\n");
        return 2;
    }
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        load.all[i].fd = -1;
    load.latency = malloc((size_t)load.total * sizeof *load.latency);
    load.epoll = epoll_create1(0);
    if (load.latency == NULL || load.epoll < 0)
        give_up("start");
    run(&load);
    report(&load);
    free(load.latency);
    return 0;
}
