/* poller.c - poll(2) on the owner's descriptor and on an event of its own. Next: http.c. */
#include "server/poller.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct poller {
    struct poller_source source;
    pthread_t thread;
    int event; /* an eventfd: there is work, or stop has been set */
    bool started;
    atomic_bool stop;
};

static void *loop(void *arg)
{
    struct poller *poller = arg;
    const struct poller_source *source = &poller->source;
    struct pollfd fds[] = {{source->fd, POLLIN, 0}, {poller->event, POLLIN, 0}};
    eventfd_t count;

    while (!atomic_load(&poller->stop)) {
        poll(fds, 2, source->timeout_ms(source->owner)); /* interrupted: just another turn */
        if (fds[1].revents != 0)
            eventfd_read(poller->event, &count); /* before run, so that no later event is lost */
        source->run(source->owner);
    }
    return NULL;
}

struct poller *poller_new(const struct poller_source *source)
{
    struct poller *poller = calloc(1, sizeof *poller);

    if (poller == NULL)
        return NULL;
    poller->source = *source;
    poller->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (poller->event >= 0)
        return poller;
    free(poller);
    return NULL;
}

bool poller_start(struct poller *poller)
{
    poller->started = pthread_create(&poller->thread, NULL, loop, poller) == 0;
    if (poller->started)
        (void)pthread_setname_np(poller->thread, poller->source.name);
    return poller->started;
}

/* A full counter (2^64 - 2 unread events) is as good as one more. */
void poller_wake(struct poller *poller)
{
    eventfd_write(poller->event, 1);
}

void poller_free(struct poller *poller)
{
    if (poller == NULL)
        return;
    atomic_store(&poller->stop, true);
    poller_wake(poller);
    if (poller->started)
        pthread_join(poller->thread, NULL);
    close(poller->event);
    free(poller);
}
