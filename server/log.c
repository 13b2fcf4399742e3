/*
 * log.c - makes JSON lines on the caller's stack, queues them in a ring, and writes them from a
 * thread of its own, in batches of whole lines. Who logs what is decided elsewhere.
 *
 * The lock is held for copying a line or a batch, never while writing. Nothing here allocates.
 */
#include "server/log.h"

#include "server/utf8.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Three or four thousand lines: what a busy server logs in the tenth of a second that a collector
 * may need to rotate its file. Pages that were never needed are never touched. */
enum { RING_BYTES = 1 << 20 };

enum {
    LINGER_MS = 5, /* the first line waits so long for others: 200 wake-ups a second, not 40 000 */
    RECHECK_MS = 50, /* how soon a writer that waits for its reader notices log_stop */
    STOP_MS = 1000,  /* how long log_stop waits for a blocked reader */
    STUCK_MS = 200,  /* and then for the thread */
    DIRECT_MS = 100, /* how long a direct line waits */
};

/* Room in a line that only numbers use (a dozen fields), and the "}\n" that must always fit. */
enum { NUMBERS_ROOM = 512, LINE_END = 2 };
enum { NUMBER_LIMIT = LOG_LINE_MAX - LINE_END, TEXT_LIMIT = NUMBER_LIMIT - NUMBERS_ROOM };

_Static_assert((int)LOG_LINE_MAX <= PIPE_BUF, "a batch must go into a pipe in one piece");

static atomic_int level_limit = LOG_LEVEL_INFO;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards ring and queue */
static char ring[RING_BYTES];
static struct {
    size_t start, used;  /* the part of the ring that holds lines */
    uint64_t dropped;    /* lines, since the process began */
    uint64_t unreported; /* of those, not yet told in a log_dropped line */
    int fd;
    bool open;           /* lines go into the ring; else they are written directly */
    bool idle;           /* the writer waits for a line */
    bool broken;         /* the last batch was not taken: no report until a line is */
    bool stopping;       /* log_stop was called */
    bool ended;          /* there is no writer thread */
    pthread_cond_t work; /* a line came while idle, or stopping was set */
    pthread_cond_t end;  /* ended was set */
} queue = {.fd = STDERR_FILENO, .ended = true};

/* When the writer stops waiting for its reader: never, until log_stop. */
static _Atomic uint64_t give_up_ns = UINT64_MAX;

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t after_ms(unsigned ms)
{
    return monotonic_ns() + ms * UINT64_C(1000000);
}

/* ---- Making a line --------------------------------------------------------------------------- */

static bool put(struct log_line *line, size_t limit, const char *bytes, size_t len)
{
    if (line->len + len > limit)
        return false;
    memcpy(line->text + line->len, bytes, len);
    line->len += len;
    return true;
}

/* All of ,"key": if value_len more bytes fit behind it, else nothing. */
static bool put_key(struct log_line *line, size_t limit, const char *key, size_t value_len)
{
    size_t len = strlen(key);
    if (line->len + len + sizeof ",\"\":" - 1 + value_len > limit)
        return false;
    put(line, limit, ",\"", 2);
    put(line, limit, key, len);
    put(line, limit, "\":", 2);
    return true;
}

/* Whether a terminal or log viewer could act on this character: C0, DEL, C1, line and paragraph
 * separator. Then *code is its code point. */
static bool is_control(const unsigned char *text, size_t len, unsigned *code)
{
    if (len == 1)
        *code = text[0];
    else if (len == 2)
        *code = (text[0] & 0x1fu) << 6 | (text[1] & 0x3fu);
    else if (len == 3)
        *code = (text[0] & 0x0fu) << 12 | (text[1] & 0x3fu) << 6 | (text[2] & 0x3fu);
    else
        return false;
    return *code < 0x20 || (*code >= 0x7f && *code < 0xa0) || *code == 0x2028 || *code == 0x2029;
}

struct piece {
    char text[8];
    size_t len;
};

/* What the first character of text is inside a JSON string; returns how many bytes it had. */
static size_t escape(const unsigned char *text, size_t len, struct piece *piece)
{
    static const char hex[] = "0123456789abcdef";
    size_t n = utf8_length(text, len);
    unsigned code = 0;
    if (n == 0) {
        *piece = (struct piece){UTF8_REPLACEMENT, sizeof UTF8_REPLACEMENT - 1};
        return 1;
    }
    if (is_control(text, n, &code)) {
        *piece = (struct piece){
            {'\\', 'u', hex[code >> 12], hex[code >> 8 & 15], hex[code >> 4 & 15], hex[code & 15]},
            6};
        return n;
    }
    piece->len = 0;
    if (text[0] == '"' || text[0] == '\\')
        piece->text[piece->len++] = '\\';
    memcpy(piece->text + piece->len, text, n);
    piece->len += n;
    return n;
}

void log_bytes(struct log_line *line, const char *key, const char *text, size_t len)
{
    if (!line->wanted || !put_key(line, TEXT_LIMIT, key, sizeof "\"\"" - 1))
        return;
    put(line, TEXT_LIMIT, "\"", 1);
    struct piece piece;
    for (size_t at = 0; at < len;) {
        at += escape((const unsigned char *)text + at, len - at, &piece);
        if (!put(line, TEXT_LIMIT - 1, piece.text, piece.len))
            break;
    }
    put(line, TEXT_LIMIT, "\"", 1);
}

/* A value that is whole or not there at all. */
static void put_value(struct log_line *line, const char *key, const char *value, size_t len)
{
    if (line->wanted && put_key(line, NUMBER_LIMIT, key, len))
        put(line, NUMBER_LIMIT, value, len);
}

void log_text(struct log_line *line, const char *key, const char *text)
{
    if (text != NULL)
        log_bytes(line, key, text, strlen(text));
    else
        put_value(line, key, "null", 4);
}

void log_integer(struct log_line *line, const char *key, int64_t value)
{
    char text[32];
    int len = snprintf(text, sizeof text, "%lld", (long long)value);
    put_value(line, key, text, (size_t)len);
}

void log_real(struct log_line *line, const char *key, double value)
{
    char text[64];
    int len;
    if (!isfinite(value))
        len = snprintf(text, sizeof text, "null");
    else if (fabs(value) < 0x1p53)
        len = snprintf(text, sizeof text, "%.3f", value);
    else /* no decimals up there, but "%.3f" would give up to 309 digits */
        len = snprintf(text, sizeof text, "%.17g", value);
    put_value(line, key, text, (size_t)len);
}

/* Seconds are formatted once per thread and second: gmtime_r takes a lock of the C library. */
static void put_time(struct log_line *line)
{
    static _Thread_local struct {
        time_t second;
        size_t len;
        char text[32];
    } last;
    struct timespec now;
    struct tm utc;
    char text[64];

    clock_gettime(CLOCK_REALTIME, &now);
    if (last.len == 0 || last.second != now.tv_sec) {
        last.second = now.tv_sec;
        gmtime_r(&now.tv_sec, &utc);
        last.len = strftime(last.text, sizeof last.text, "%Y-%m-%dT%H:%M:%S", &utc);
    }
    int len =
        snprintf(text, sizeof text, "{\"time\":\"%s.%03ldZ\"", last.text, now.tv_nsec / 1000000);
    put(line, TEXT_LIMIT, text, (size_t)len);
}

/* A line whatever its level. */
static void begin(struct log_line *line, enum log_level level, const char *event)
{
    static const char *const names[] = {
        [LOG_LEVEL_ERROR] = "error",
        [LOG_LEVEL_WARNING] = "warning",
        [LOG_LEVEL_INFO] = "info",
        [LOG_LEVEL_DEBUG] = "debug",
    };
    line->wanted = true;
    line->len = 0;
    put_time(line);
    log_text(line, "level", names[level]);
    log_text(line, "event", event);
}

static void finish(struct log_line *line)
{
    line->wanted = false;
    put(line, LOG_LINE_MAX, "}\n", LINE_END);
}

void log_begin(struct log_line *line, enum log_level level, const char *event)
{
    line->wanted = (int)level <= atomic_load_explicit(&level_limit, memory_order_relaxed);
    if (line->wanted)
        begin(line, level, event);
}

void log_event(enum log_level level, const char *event, const char *format, ...)
{
    struct log_line line;
    log_begin(&line, level, event);
    if (!line.wanted)
        return;
    /* As large as a line, so that it is the line that cuts, and between characters. */
    char detail[LOG_LINE_MAX];
    va_list values;
    va_start(values, format);
    int len = vsnprintf(detail, sizeof detail, format, values);
    va_end(values);
    log_text(&line, "detail", len >= 0 ? detail : NULL);
    log_end(&line);
}

/* ---- The ring; all of it needs the lock ------------------------------------------------------ */

static void count_dropped(uint64_t lines)
{
    queue.dropped += lines;
    queue.unreported += lines;
}

static uint64_t count_lines(const char *text, size_t len)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    return lines;
}

static void ring_add(const char *text, size_t len)
{
    if (len > RING_BYTES - queue.used) {
        count_dropped(1);
        return;
    }
    size_t end = (queue.start + queue.used) % RING_BYTES;
    size_t before_wrap = len < RING_BYTES - end ? len : RING_BYTES - end;
    memcpy(ring + end, text, before_wrap);
    memcpy(ring, text + before_wrap, len - before_wrap);
    queue.used += len;
}

/* Takes as many whole lines as fit into LOG_LINE_MAX bytes. */
static size_t ring_take(char *text)
{
    size_t len = queue.used < LOG_LINE_MAX ? queue.used : LOG_LINE_MAX;
    size_t before_wrap = len < RING_BYTES - queue.start ? len : RING_BYTES - queue.start;
    memcpy(text, ring + queue.start, before_wrap);
    memcpy(text + before_wrap, ring, len - before_wrap);

    const char *newline = len > 0 ? memrchr(text, '\n', len) : NULL;
    len = newline != NULL ? (size_t)(newline - text) + 1 : 0;
    queue.used -= len;
    queue.start = queue.used > 0 ? (queue.start + len) % RING_BYTES : 0;
    return len;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* At most RECHECK_MS, 0 once the moment is over. */
static int ms_until(uint64_t when)
{
    uint64_t now = monotonic_ns();
    uint64_t ms = when > now ? (when - now) / 1000000u + 1 : 0;
    return ms < RECHECK_MS ? (int)ms : RECHECK_MS;
}

/*
 * Returns how much was written before fd failed or *give_up, which may change meanwhile, was over.
 * Waiting in poll rather than in write lets us give up; what is no longer than PIPE_BUF then goes
 * into a pipe without blocking, whether or not that is a non-blocking one (pipe(7)).
 */
static size_t write_until(int fd, const char *text, size_t len, const _Atomic uint64_t *give_up)
{
    size_t done = 0;
    while (done < len) {
        struct pollfd writable = {.fd = fd, .events = POLLOUT};
        int patience = ms_until(atomic_load(give_up));
        int ready = poll(&writable, 1, patience);
        ssize_t wrote = ready > 0 ? write(fd, text + done, len - done) : -1;
        if (wrote > 0) {
            done += (size_t)wrote;
            continue;
        }
        bool blocked = ready == 0 || (wrote < 0 && (errno == EINTR || errno == EAGAIN));
        if (!blocked || patience == 0)
            break;
    }
    return done;
}

static void write_directly(int fd, const char *text, size_t len)
{
    const _Atomic uint64_t give_up = after_ms(DIRECT_MS);
    if (write_until(fd, text, len, &give_up) == len)
        return;
    pthread_mutex_lock(&lock);
    count_dropped(1);
    pthread_mutex_unlock(&lock);
}

struct batch {
    char text[LOG_LINE_MAX];
    size_t len;
    uint64_t reports; /* how many dropped lines it tells of, if it does */
};

static void report_drops(struct batch *batch)
{
    struct log_line line;
    begin(&line, LOG_LEVEL_WARNING, "log_dropped");
    log_integer(&line, "count", (int64_t)queue.unreported);
    finish(&line);
    memcpy(batch->text, line.text, line.len);
    batch->len = line.len;
    batch->reports = queue.unreported;
    queue.unreported = 0;
}

/* Half a ring of room before drops are told, so that there is one line for a whole jam; and a
 * reader that takes lines again, lest a report that fails is tried for ever. */
static bool report_is_due(void)
{
    return queue.unreported > 0 && queue.used <= RING_BYTES / 2 && !queue.broken;
}

static void wait_until(pthread_cond_t *cond, uint64_t when, const bool *done)
{
    struct timespec time = {.tv_sec = (time_t)(when / 1000000000u),
                            .tv_nsec = (long)(when % 1000000000u)};
    while (!*done && pthread_cond_timedwait(cond, &lock, &time) != ETIMEDOUT)
        continue;
}

static void wait_for_lines(void)
{
    if (queue.used > 0 || report_is_due() || queue.stopping)
        return;
    while (queue.used == 0 && !queue.stopping) {
        queue.idle = true;
        pthread_cond_wait(&queue.work, &lock);
    }
    queue.idle = false;
    wait_until(&queue.work, after_ms(LINGER_MS), &queue.stopping);
}

/* False when stopping and nothing is left; then the queue is closed in the same moment, so no line
 * can come too late. */
static bool next_batch(struct batch *batch)
{
    pthread_mutex_lock(&lock);
    wait_for_lines();
    batch->reports = 0;
    if (report_is_due())
        report_drops(batch);
    else
        batch->len = ring_take(batch->text);
    bool more = batch->len > 0;
    if (!more) {
        queue.open = false;
        queue.ended = true;
        pthread_cond_signal(&queue.end);
    }
    pthread_mutex_unlock(&lock);
    return more;
}

/* What of a batch was not written counts as dropped; a report is still to be made. */
static void settle(const struct batch *batch, size_t written)
{
    pthread_mutex_lock(&lock);
    queue.broken = written < batch->len;
    if (queue.broken && batch->reports > 0)
        queue.unreported += batch->reports;
    else if (queue.broken)
        count_dropped(count_lines(batch->text + written, batch->len - written));
    pthread_mutex_unlock(&lock);
}

static void *writer_main(void *argument)
{
    const int fd = (int)(intptr_t)argument;
    struct batch batch;
    bool torn = false; /* the last batch ended inside a line */

    while (next_batch(&batch)) {
        if (torn && write_until(fd, "\n", 1, &give_up_ns) == 1)
            torn = false;
        size_t written = torn ? 0 : write_until(fd, batch.text, batch.len, &give_up_ns);
        torn = torn || (written > 0 && batch.text[written - 1] != '\n');
        settle(&batch, written);
    }
    return NULL;
}

/* ---- The log --------------------------------------------------------------------------------- */

static pthread_t writer; /* only for log_start and log_stop */

static void init_conditions(void)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&queue.work, &monotonic);
    pthread_cond_init(&queue.end, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* A new thread inherits the mask, so the writer never takes a signal from those who wait for it. */
static bool start_writer(int fd)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&writer, NULL, writer_main, (void *)(intptr_t)fd) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        (void)pthread_setname_np(writer, "log");
    return started;
}

bool log_start(int fd, enum log_level level)
{
    atomic_store_explicit(&level_limit, (int)level, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    assert(!queue.open);
    queue.fd = fd;
    if (queue.ended) { /* else log_stop left behind one that is stuck in a write */
        init_conditions();
        queue.stopping = queue.broken = queue.idle = false;
        atomic_store(&give_up_ns, UINT64_MAX);
        queue.open = start_writer(fd);
        queue.ended = !queue.open;
    }
    bool started = queue.open;
    pthread_mutex_unlock(&lock);
    return started;
}

/*
 * True if the writer has ended. One that sits in a write that blocks in spite of poll (a stopped
 * terminal) is left behind: it holds no lock, and what it has not taken is dropped. Needs the lock.
 */
static bool stop_writer(void)
{
    uint64_t give_up = after_ms(STOP_MS);
    atomic_store(&give_up_ns, give_up);
    queue.stopping = true;
    pthread_cond_signal(&queue.work);
    wait_until(&queue.end, give_up + STUCK_MS * UINT64_C(1000000), &queue.ended);
    if (queue.ended)
        return true;

    char text[LOG_LINE_MAX];
    for (size_t len; (len = ring_take(text)) > 0;)
        count_dropped(count_lines(text, len));
    queue.open = false;
    return false;
}

void log_stop(void)
{
    pthread_mutex_lock(&lock);
    bool was_open = queue.open;
    bool ended = was_open && stop_writer();
    pthread_mutex_unlock(&lock);

    if (ended) {
        pthread_join(writer, NULL);
        pthread_cond_destroy(&queue.work);
        pthread_cond_destroy(&queue.end);
    } else if (was_open) {
        pthread_detach(writer);
    }
}

void log_end(struct log_line *line)
{
    if (!line->wanted)
        return;
    finish(line);

    pthread_mutex_lock(&lock);
    int fd = queue.fd;
    bool queued = queue.open;
    if (queued)
        ring_add(line->text, line->len);
    bool wake = queued && queue.idle;
    if (wake) {
        queue.idle = false; /* one wake-up is enough */
        pthread_cond_signal(&queue.work);
    }
    pthread_mutex_unlock(&lock);
    if (!queued)
        write_directly(fd, line->text, line->len);
}

uint64_t log_dropped(void)
{
    pthread_mutex_lock(&lock);
    uint64_t dropped = queue.dropped;
    pthread_mutex_unlock(&lock);
    return dropped;
}
