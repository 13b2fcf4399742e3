/*
 * deadline.c - a thread walks over all connections four times a second. A head has begun when the
 * kernel has received more bytes (TCP_INFO) than the heads that were taken: silent connections are
 * asked once a second only, so thousands of them cost next to nothing.
 * Next: http.c, which tells when a connection opens, is busy, waits and closes.
 */
#include "server/deadline.h"

#include <linux/tcp.h> /* glibc's struct tcp_info ends before tcpi_bytes_received */
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum {
    SHARDS = 16,   /* so that a walk never holds up more than a part of the connections */
    TICK_MS = 250, /* how late a cut may be */
    SEND_GRACE_S = 30,
    SEND_RATE = 16 * 1024, /* bytes a second that a client must take */
    TICKS_PER_LOOK = 4,    /* silent connections are asked for new bytes once a second */
};

struct shard {
    pthread_mutex_t lock; /* guards the list and what is marked below */
    struct deadline_entry *first;
};

struct deadline_entry {
    struct shard *shard;
    struct deadline_entry *next, **link; /* lock */
    int fd;                              /* open while the entry is in the list */
    /* Written by the connection's thread. */
    atomic_uint turn;             /* even: waits for a head; odd: busy */
    atomic_uint_fast64_t sent_by; /* when the present answer must be out, in ns; 0 = none */
    atomic_uint_fast64_t taken;   /* bytes of the heads so far */

    /* The watch thread's own. */
    unsigned seen;  /* the turn that the rest is about */
    bool begun;     /* a byte of the head has come */
    uint64_t since; /* begun: when, in ns */
};

struct deadline {
    uint64_t timeout_ns;
    uint64_t (*now_ns)(void);
    struct shard shard[SHARDS];
    atomic_uint turn; /* which shard takes the next connection */
    pthread_t thread;
    pthread_mutex_t lock; /* guards stop */
    pthread_cond_t wake;
    bool stop;
};

static uint64_t bytes_received(int fd)
{
    struct tcp_info info = {0};
    socklen_t len = sizeof info;

    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 ? info.tcpi_bytes_received : 0;
}

static bool has_begun(const struct deadline_entry *entry)
{
    return bytes_received(entry->fd) > atomic_load_explicit(&entry->taken, memory_order_relaxed);
}

static void look_at(const struct deadline *deadline, struct deadline_entry *entry, uint64_t now,
                    bool ask_kernel)
{
    unsigned turn = atomic_load_explicit(&entry->turn, memory_order_relaxed);

    uint64_t sent_by = atomic_load_explicit(&entry->sent_by, memory_order_relaxed);

    if (turn % 2 != 0) {
        if (sent_by != 0 && now > sent_by)
            shutdown(entry->fd, SHUT_RDWR);
        return;
    }
    if (turn != entry->seen) {
        entry->seen = turn;
        entry->begun = false;
    }
    if (entry->begun) {
        if (now - entry->since >= deadline->timeout_ns)
            shutdown(entry->fd, SHUT_RDWR); /* wakes libmicrohttpd, which closes it */
    } else if (ask_kernel && has_begun(entry)) {
        entry->begun = true;
        entry->since = now;
    }
}

static void walk(struct deadline *deadline, bool ask_kernel)
{
    for (int i = 0; i < SHARDS; i++) {
        struct shard *shard = &deadline->shard[i];
        uint64_t now = deadline->now_ns();

        pthread_mutex_lock(&shard->lock);
        for (struct deadline_entry *entry = shard->first; entry != NULL; entry = entry->next)
            look_at(deadline, entry, now, ask_kernel);
        pthread_mutex_unlock(&shard->lock);
    }
}

static bool sleep_a_tick(struct deadline *deadline)
{
    struct timespec until;
    bool stop;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_mutex_lock(&deadline->lock);
    while (!deadline->stop && pthread_cond_timedwait(&deadline->wake, &deadline->lock, &until) == 0)
        ;
    stop = deadline->stop;
    pthread_mutex_unlock(&deadline->lock);
    return !stop;
}

static void *watch(void *arg)
{
    struct deadline *deadline = arg;

    for (unsigned tick = 0; sleep_a_tick(deadline); tick++)
        walk(deadline, tick % TICKS_PER_LOOK == 0);
    return NULL;
}

struct deadline *deadline_new(uint64_t head_timeout_ns, uint64_t (*now_ns)(void))
{
    struct deadline *deadline = calloc(1, sizeof *deadline);
    pthread_condattr_t attr;

    if (deadline == NULL)
        return NULL;
    deadline->timeout_ns = head_timeout_ns;
    deadline->now_ns = now_ns;
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&deadline->shard[i].lock, NULL);
    pthread_mutex_init(&deadline->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&deadline->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&deadline->thread, NULL, watch, deadline) != 0) {
        free(deadline);
        return NULL;
    }
    (void)pthread_setname_np(deadline->thread, "deadline");
    return deadline;
}

void deadline_free(struct deadline *deadline)
{
    if (deadline == NULL)
        return;
    pthread_mutex_lock(&deadline->lock);
    deadline->stop = true;
    pthread_cond_signal(&deadline->wake);
    pthread_mutex_unlock(&deadline->lock);
    pthread_join(deadline->thread, NULL);
    for (int i = 0; i < SHARDS; i++) {
        while (deadline->shard[i].first != NULL)
            deadline_close(deadline->shard[i].first);
        pthread_mutex_destroy(&deadline->shard[i].lock);
    }
    pthread_cond_destroy(&deadline->wake);
    pthread_mutex_destroy(&deadline->lock);
    free(deadline);
}

struct deadline_entry *deadline_open(struct deadline *deadline, int fd)
{
    struct deadline_entry *entry = calloc(1, sizeof *entry);

    if (entry == NULL)
        return NULL;
    entry->fd = fd;
    entry->begun = true;
    entry->since = deadline->now_ns();
    entry->shard = &deadline->shard[atomic_fetch_add(&deadline->turn, 1) % SHARDS];
    pthread_mutex_lock(&entry->shard->lock);
    entry->next = entry->shard->first;
    entry->link = &entry->shard->first;
    if (entry->next != NULL)
        entry->next->link = &entry->next;
    entry->shard->first = entry;
    pthread_mutex_unlock(&entry->shard->lock);
    return entry;
}

void deadline_close(struct deadline_entry *entry)
{
    if (entry == NULL)
        return;
    pthread_mutex_lock(&entry->shard->lock);
    *entry->link = entry->next;
    if (entry->next != NULL)
        entry->next->link = entry->link;
    pthread_mutex_unlock(&entry->shard->lock);
    free(entry);
}

/* Only the connection's own thread writes turn, so a load and a store are enough. */
static void set_turn(struct deadline_entry *entry, unsigned odd)
{
    unsigned turn = atomic_load_explicit(&entry->turn, memory_order_relaxed);

    if (turn % 2 != odd)
        atomic_store_explicit(&entry->turn, turn + 1, memory_order_relaxed);
}

void deadline_busy(struct deadline_entry *entry, size_t head_bytes)
{
    uint64_t taken = atomic_load_explicit(&entry->taken, memory_order_relaxed);

    atomic_store_explicit(&entry->taken, taken + head_bytes, memory_order_relaxed);
    set_turn(entry, 1);
}

void deadline_sending(struct deadline_entry *entry, size_t bytes, uint64_t now_ns)
{
    uint64_t ms = SEND_GRACE_S * UINT64_C(1000) + bytes * UINT64_C(1000) / SEND_RATE;

    atomic_store_explicit(&entry->sent_by, now_ns + ms * 1000000, memory_order_relaxed);
}

void deadline_waiting(struct deadline_entry *entry)
{
    atomic_store_explicit(&entry->sent_by, 0, memory_order_relaxed);
    set_turn(entry, 0);
}
