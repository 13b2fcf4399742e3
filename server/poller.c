/*
 * poller.c - epoll(7) on the owner's descriptor and on an event of its own. Next: http.c.
 *
 * Why other threads may run the owner: a worker that has finished a tile and wakes the thread is
 * pushed aside by it, and the thread begins with cold caches. Done by the worker, a lone client's
 * tile takes a fifth less time; with many clients a tile costs 5 to 9 % less CPU and a third of the
 * switches to the thread, and the slowest come a tenth earlier. All that with a CPU for each worker:
 * one that has the turn and waits for a CPU holds up its HTTP thread, so more workers than CPUs leave
 * the owner to the thread (render.h, workers_answer).
 */
#include "server/poller.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    TURNS_MAX = 4, /* of another thread in a row; what is left then is the poller's */
    RUNS_MAX = 4,  /* in a turn */
    OWNER = 0,     /* what events of the set are about */
    EVENT = 1,
};

struct poller {
    struct poller_source source;
    pthread_t thread;
    pthread_mutex_t turn; /* held by whoever is in the owner's functions */
    atomic_uint due;      /* 1: work was made, by who relies on the one who has the turn */
    int event;            /* an eventfd: the thread shall not wait */
    int set;              /* an epoll set of the owner's descriptor, while it is armed, and event */
    bool started;
    atomic_bool stop;
};

/* A full counter (2^64 - 2 unread events) is as good as one more. */
void poller_wake(struct poller *poller)
{
    eventfd_write(poller->event, 1);
}

/* ---- With the turn --------------------------------------------------------------------------- */

/* Whether the owner's descriptor wakes the thread, once. It is in the set, so this can't fail. */
static void arm(struct poller *poller, bool armed)
{
    struct epoll_event owner = {.events = armed ? EPOLLIN | EPOLLONESHOT : 0, .data.u32 = OWNER};

    epoll_ctl(poller->set, EPOLL_CTL_MOD, poller->source.fd, &owner);
}

static int timeout_ms(const struct poller *poller)
{
    return poller->source.timeout_ms(poller->source.owner);
}

static void run(struct poller *poller)
{
    atomic_store(&poller->due, 0); /* before, so that what is made meanwhile is seen */
    poller->source.run(poller->source.owner);
}

/*
 * Not armed meanwhile, because the owner's doings can make its descriptor readable: a connection
 * that was answered is put back into the owner's set, and is at once ready to be written. The last
 * run takes note of that, and mostly of the client's next request, too.
 */
static void run_until_idle(struct poller *poller)
{
    int runs = 0;

    arm(poller, false);
    do
        run(poller);
    while (timeout_ms(poller) == 0 && ++runs < RUNS_MAX);
    run(poller);
    if (timeout_ms(poller) == 0)
        poller_wake(poller);
    arm(poller, true);
}

/* ---- Taking turns ---------------------------------------------------------------------------- */

/*
 * Who has made work sets `due` and then tries to get the turn; who has had the turn looks at `due`
 * after giving it back. So one of them sees that there is work and that the turn is free. Both read
 * and write `due` in one step: a load alone, or a lock that is not got, orders nothing by itself.
 */
static bool is_due(struct poller *poller)
{
    return atomic_fetch_or(&poller->due, 0) != 0;
}

void poller_run_here(struct poller *poller)
{
    int turns = 0;

    atomic_exchange(&poller->due, 1);
    while (is_due(poller) && turns++ < TURNS_MAX && pthread_mutex_trylock(&poller->turn) == 0) {
        run_until_idle(poller);
        pthread_mutex_unlock(&poller->turn);
    }
    if (turns > TURNS_MAX)
        poller_wake(poller);
}

static void wait_for_work(struct poller *poller, int ms)
{
    struct epoll_event event;
    eventfd_t count;

    if (epoll_wait(poller->set, &event, 1, ms) > 0 && event.data.u32 == EVENT)
        eventfd_read(poller->event, &count); /* before run, so that no later event is lost */
}

static void *loop(void *arg)
{
    struct poller *poller = arg;
    int ms = 0;

    while (!atomic_load(&poller->stop)) {
        wait_for_work(poller, ms); /* interrupted: just another run */
        pthread_mutex_lock(&poller->turn);
        run(poller);
        ms = timeout_ms(poller);
        if (ms != 0)
            arm(poller, true);
        pthread_mutex_unlock(&poller->turn);
        if (is_due(poller))
            ms = 0;
    }
    return NULL;
}

/* ---- Life ------------------------------------------------------------------------------------ */

static bool make_set(struct poller *poller)
{
    struct epoll_event owner = {.events = 0, .data.u32 = OWNER};
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = EVENT};

    poller->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    poller->set = epoll_create1(EPOLL_CLOEXEC);
    return poller->event >= 0 && poller->set >= 0 &&
           epoll_ctl(poller->set, EPOLL_CTL_ADD, poller->event, &event) == 0 &&
           epoll_ctl(poller->set, EPOLL_CTL_ADD, poller->source.fd, &owner) == 0;
}

struct poller *poller_new(const struct poller_source *source)
{
    struct poller *poller = calloc(1, sizeof *poller);

    if (poller == NULL)
        return NULL;
    poller->source = *source;
    pthread_mutex_init(&poller->turn, NULL);
    if (make_set(poller))
        return poller;
    poller_free(poller);
    return NULL;
}

bool poller_start(struct poller *poller)
{
    poller->started = pthread_create(&poller->thread, NULL, loop, poller) == 0;
    if (poller->started)
        (void)pthread_setname_np(poller->thread, poller->source.name);
    return poller->started;
}

static void close_opened(int fd)
{
    if (fd >= 0)
        close(fd);
}

void poller_free(struct poller *poller)
{
    if (poller == NULL)
        return;
    atomic_store(&poller->stop, true);
    if (poller->started) {
        poller_wake(poller);
        pthread_join(poller->thread, NULL);
    }
    pthread_mutex_destroy(&poller->turn);
    close_opened(poller->set);
    close_opened(poller->event);
    free(poller);
}
