/*
 * test_log.c - what comes out of the log's descriptor: JSON that is always whole, lines that are
 * never lost silently, and a log that never makes anybody wait. The judges are cJSON and iconv.
 */
#include "server/log.h"
#include "tests/suites.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <fcntl.h>
#include <iconv.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* ---- Reading the log ------------------------------------------------------------------------- */

struct reader {
    int fds[2]; /* read, write */
    pthread_t thread;
    char *text;
    size_t len;
    size_t step; /* how many bytes it reads at once */
};

/* False at the end of the stream. */
static bool read_some(struct reader *reader)
{
    reader->text = realloc(reader->text, reader->len + reader->step);
    ssize_t got = read(reader->fds[0], reader->text + reader->len, reader->step);
    reader->len += got > 0 ? (size_t)got : 0;
    return got > 0;
}

static void *read_all(void *reader)
{
    while (read_some(reader))
        continue;
    return NULL;
}

static void reader_open(struct reader *reader)
{
    *reader = (struct reader){.step = 1 << 14};
    ck_assert_int_eq(pipe2(reader->fds, O_CLOEXEC), 0);
}

static void reader_run(struct reader *reader)
{
    ck_assert_int_eq(pthread_create(&reader->thread, NULL, read_all, reader), 0);
}

static void reader_close(const struct reader *reader)
{
    close(reader->fds[0]);
    close(reader->fds[1]);
}

/* Ends the stream and waits until all of it has been read. */
static void reader_finish(struct reader *reader)
{
    close(reader->fds[1]);
    pthread_join(reader->thread, NULL);
    close(reader->fds[0]);
}

static bool is_utf8(const char *text, size_t len)
{
    static iconv_t to_ucs4; /* one for all lines: opening is slow */
    if (to_ucs4 == NULL)
        to_ucs4 = iconv_open("UCS-4LE", "UTF-8");
    ck_assert_ptr_ne(to_ucs4, (iconv_t)-1);
    iconv(to_ucs4, NULL, NULL, NULL, NULL);
    char *out = malloc(4 * len + 4), *at = out, *in = (char *)(uintptr_t)text;
    size_t room = 4 * len + 4, left = len;
    bool good = iconv(to_ucs4, &in, &left, &at, &room) != (size_t)-1;
    free(out);
    return good;
}

/* The object in one line, which must be whole, printable and no longer than allowed. */
static cJSON *parse(const char *line, size_t len)
{
    const char *end;
    ck_assert_uint_le(len + 1, LOG_LINE_MAX);
    size_t printable = 0; /* one assertion for all: each is a system call */
    while (printable < len && (unsigned char)line[printable] >= 0x20 && line[printable] != 0x7f)
        printable++;
    ck_assert_msg(is_utf8(line, len), "not UTF-8: %.*s", (int)len, line);
    ck_assert_msg(printable == len, "control in %.*s", (int)len, line);
    cJSON *object = cJSON_ParseWithLengthOpts(line, len, &end, false);
    ck_assert_msg(object != NULL && end == line + len, "not JSON: %.*s", (int)len, line);
    return object;
}

static const char *string(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text != NULL ? text : "(no such text)";
}

static double number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : -12345;
}

/* Calls see for each line. */
static void each_line(const struct reader *reader, void (*see)(const cJSON *object, void *context),
                      void *context)
{
    const char *at = reader->text, *end = reader->text + reader->len;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        ck_assert_msg(newline != NULL, "the log ends inside a line");
        cJSON *object = parse(at, (size_t)(newline - at));
        see(object, context);
        cJSON_Delete(object);
        at = newline + 1;
    }
}

/* The object that a line, not yet ended, will be; the line itself is written nowhere. */
static cJSON *preview(const struct log_line *line)
{
    char text[LOG_LINE_MAX];
    ck_assert_uint_lt(line->len, LOG_LINE_MAX - 1);
    memcpy(text, line->text, line->len);
    text[line->len] = '}';
    return parse(text, line->len + 1);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

START_TEST(a_line_has_time_level_and_event_first)
{
    struct log_line line;
    time_t before = time(NULL);
    log_begin(&line, LOG_LEVEL_WARNING, "hello");
    time_t after = time(NULL);
    cJSON *object = preview(&line);

    const char *end, *text = string(object, "time");
    struct tm utc = {0};
    end = strptime(text, "%Y-%m-%dT%H:%M:%S", &utc);
    ck_assert_ptr_nonnull(end);
    ck_assert_uint_eq(strspn(end + 1, "0123456789"), 3);
    ck_assert_int_eq(*end, '.');
    ck_assert_str_eq(end + 4, "Z");
    ck_assert_int_ge(timegm(&utc), before);
    ck_assert_int_le(timegm(&utc), after);
    ck_assert_str_eq(string(object, "level"), "warning");
    ck_assert_str_eq(string(object, "event"), "hello");
    ck_assert_int_eq(strncmp(line.text, "{\"time\":\"", 9), 0);
    cJSON_Delete(object);
}
END_TEST

static const struct {
    double value;
    const char *text;
} reals[] = {
    {0, "0.000"},
    {1.0 / 3, "0.333"},
    {-2.5, "-2.500"},
    {123456.789, "123456.789"},
    {(double)NAN, "null"},
    {(double)INFINITY, "null"},
    {-(double)INFINITY, "null"},
    {1e300, "1.0000000000000001e+300"},
};

START_TEST(reals_have_three_decimals_and_are_never_nan)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "x");
    size_t start = line.len;
    log_real(&line, "v", reals[_i].value);
    char expected[64];
    int len = snprintf(expected, sizeof expected, ",\"v\":%s", reals[_i].text);
    ck_assert_uint_eq(line.len - start, (size_t)len);
    ck_assert_mem_eq(line.text + start, expected, line.len - start);
    cJSON_Delete(preview(&line));
}
END_TEST

START_TEST(integers_keep_all_their_digits)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "x");
    log_integer(&line, "low", INT64_MIN);
    log_integer(&line, "high", INT64_MAX);
    line.text[line.len] = '\0';
    ck_assert_ptr_nonnull(strstr(line.text, ",\"low\":-9223372036854775808,"));
    ck_assert_ptr_nonnull(strstr(line.text, ",\"high\":9223372036854775807"));
}
END_TEST

#define FFFD "\xef\xbf\xbd"

static const struct {
    const char *bytes, *text;
} texts[] = {
    {"plain", "plain"},
    {"", ""},
    {"\"quoted\" \\ back/slash", "\"quoted\" \\ back/slash"},
    {"line\nfeed\r\ttab\x01\x1b[31m\x7f", "line\nfeed\r\ttab\x01\x1b[31m\x7f"},
    {"\xc2\x9b"
     "31m \xe2\x80\xa8",
     "\xc2\x9b"
     "31m \xe2\x80\xa8"}, /* C1, line separator */
    {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8d", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8d"},
    {"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf", "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"},
    {"a\xff"
     "b",
     "a" FFFD "b"},
    {"\xc3", FFFD},          /* cut off */
    {"\xe2\x82", FFFD FFFD}, /* cut off */
    {"\xf0\x9f\x8c"
     "x",
     FFFD FFFD FFFD "x"},                      /* interrupted */
    {"\xc0\xaf", FFFD FFFD},                   /* overlong */
    {"\xe0\x9f\xbf", FFFD FFFD FFFD},          /* overlong */
    {"\xf0\x8f\xbf\xbf", FFFD FFFD FFFD FFFD}, /* overlong */
    {"\xed\xa0\x80", FFFD FFFD FFFD},          /* surrogate */
    {"\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD}, /* beyond U+10FFFF */
    {"\x80\xbf", FFFD FFFD},                   /* no beginning */
};

START_TEST(texts_come_back_as_they_were_but_for_what_is_not_utf8)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "x");
    log_text(&line, "t", texts[_i].bytes);
    cJSON *object = preview(&line);
    ck_assert_str_eq(string(object, "t"), texts[_i].text);
    cJSON_Delete(object);
    line.text[line.len] = '\0';
    ck_assert_ptr_null(
        strstr(line.text, "\xc2\x9b")); /* not even C1 controls stand for themselves */
    ck_assert_ptr_null(strstr(line.text, "\xe2\x80\xa8"));
}
END_TEST

START_TEST(bytes_beyond_the_length_are_not_looked_at)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "x");
    log_bytes(&line, "t", "ab\xc3\xa9", 3);
    log_bytes(&line, "u", "ab\xc3\xa9", 2);
    cJSON *object = preview(&line);
    ck_assert_str_eq(string(object, "t"), "ab" FFFD);
    ck_assert_str_eq(string(object, "u"), "ab");
    cJSON_Delete(object);
}
END_TEST

START_TEST(no_bytes_at_all_can_break_a_line)
{
    unsigned seed = 5;
    for (int round = 0; round < 2000; round++) {
        char bytes[64];
        size_t len = (size_t)rand_r(&seed) % sizeof bytes;
        for (size_t i = 0; i < len; i++) /* half of them from where UTF-8 is difficult */
            bytes[i] = (char)(rand_r(&seed) % 2 ? rand_r(&seed) : 0x80 | rand_r(&seed) % 0x80);
        struct log_line line;
        log_begin(&line, LOG_LEVEL_INFO, "x");
        log_bytes(&line, "t", bytes, len);
        cJSON *object = preview(&line);
        if (is_utf8(bytes, len) && memchr(bytes, 0, len) == NULL) {
            ck_assert_uint_eq(strlen(string(object, "t")), len);
            ck_assert_mem_eq(string(object, "t"), bytes, len);
        }
        cJSON_Delete(object);
    }
}
END_TEST

START_TEST(a_missing_text_is_null)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "x");
    log_text(&line, "t", NULL);
    cJSON *object = preview(&line);
    ck_assert(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, "t")));
    cJSON_Delete(object);
}
END_TEST

static const char *const characters[] = {"a", "\"", "\n", "\xff", "\xc3\xa9", "\xf0\x9f\x8c\x8d"};

START_TEST(a_long_text_is_cut_between_characters_and_numbers_survive)
{
    const char *character = characters[_i];
    size_t unit = strlen(character);
    for (size_t shift = 0; shift < 8; shift++) {
        char text[3 * LOG_LINE_MAX];
        size_t len = shift;
        memset(text, '-', shift);
        for (; len + unit < sizeof text; len += unit)
            memcpy(text + len, character, unit);
        struct log_line line;
        log_begin(&line, LOG_LEVEL_INFO, "x");
        log_bytes(&line, "t", text, len);
        log_text(&line, "late", "left out");
        log_integer(&line, "status", 200);
        cJSON *object = preview(&line);
        const char *got = string(object, "t");
        ck_assert_uint_ge(strlen(got), LOG_LINE_MAX / 10);
        if (character[0] != '\xff')
            ck_assert_mem_eq(got, text, strlen(got)); /* parse() has seen that it is whole UTF-8 */
        ck_assert(number(object, "status") == 200);
        ck_assert_ptr_null(cJSON_GetObjectItemCaseSensitive(object, "late"));
        cJSON_Delete(object);
    }
}
END_TEST

START_TEST(any_number_of_fields_leaves_the_line_whole)
{
    for (int kinds = 1; kinds < 8; kinds++) {
        struct log_line line;
        log_begin(&line, LOG_LEVEL_INFO, "x");
        for (int i = 0; i < 2000; i++) {
            char key[16];
            snprintf(key, sizeof key, "k%d", i);
            if (kinds & 1)
                log_integer(&line, key, i);
            if (kinds & 2)
                log_text(&line, key, "some \n text");
            if (kinds & 4)
                log_real(&line, key, i * 1e3);
        }
        cJSON_Delete(preview(&line));
    }
}
END_TEST

/* ---- The stream ------------------------------------------------------------------------------ */

static void count_line(const cJSON *object, void *count)
{
    (void)object;
    ++*(int *)count;
}

START_TEST(lines_above_the_level_are_not_written)
{
    struct reader reader;
    struct log_line line;
    int count = 0;
    reader_open(&reader);
    ck_assert(log_start(reader.fds[1], LOG_LEVEL_WARNING));
    log_begin(&line, LOG_LEVEL_INFO, "no");
    ck_assert(!line.wanted);
    log_text(&line, "t", "x");
    log_integer(&line, "i", 1);
    log_real(&line, "r", 1);
    log_end(&line);
    log_event(LOG_LEVEL_DEBUG, "no", "%d", 1);
    log_event(LOG_LEVEL_WARNING, "yes", "%d", 1);
    log_event(LOG_LEVEL_ERROR, "yes", "%d", 1);
    log_stop();
    reader_run(&reader);
    reader_finish(&reader);
    each_line(&reader, count_line, &count);
    ck_assert_int_eq(count, 2);
    free(reader.text);
}
END_TEST

static void expect_detail(const cJSON *object, void *detail)
{
    ck_assert_str_eq(string(object, "event"), "e");
    ck_assert_str_eq(string(object, "detail"), detail);
}

START_TEST(an_event_is_formatted_like_printf_and_hostile_text_is_only_text)
{
    struct reader reader;
    char detail[] = "7 %n%s \"}\n{\"event\":\"forged\"";
    reader_open(&reader);
    log_start(reader.fds[1], LOG_LEVEL_INFO);
    log_event(LOG_LEVEL_INFO, "e", "%d %s", 7, detail + 2);
    log_stop();
    reader_run(&reader);
    reader_finish(&reader);
    each_line(&reader, expect_detail, detail);
    free(reader.text);
}
END_TEST

START_TEST(before_start_and_after_stop_lines_are_written_at_once)
{
    struct reader reader, early;
    char text[LOG_LINE_MAX];
    reader_open(&early);
    reader_open(&reader);
    int saved = dup(STDERR_FILENO);
    dup2(early.fds[1], STDERR_FILENO);
    log_event(LOG_LEVEL_INFO, "early", "x");
    dup2(saved, STDERR_FILENO);
    close(saved);
    ck_assert_int_gt(read(early.fds[0], text, sizeof text), 0);
    ck_assert_ptr_nonnull(strstr(text, "\"event\":\"early\""));

    log_start(reader.fds[1], LOG_LEVEL_INFO);
    log_stop();
    log_stop();
    log_event(LOG_LEVEL_INFO, "late", "x");
    ck_assert_int_gt(read(reader.fds[0], text, sizeof text), 0);
    ck_assert_ptr_nonnull(strstr(text, "\"event\":\"late\""));
    ck_assert_uint_eq(log_dropped(), 0);
    reader_close(&early);
    reader_close(&reader);
}
END_TEST

START_TEST(the_log_can_be_started_again)
{
    struct reader reader;
    int count = 0;
    reader_open(&reader);
    for (int i = 0; i < 20; i++) {
        ck_assert(log_start(reader.fds[1], LOG_LEVEL_INFO));
        log_event(LOG_LEVEL_INFO, "e", "%d", i);
        log_stop();
    }
    reader_run(&reader);
    reader_finish(&reader);
    each_line(&reader, count_line, &count);
    ck_assert_int_eq(count, 20);
    free(reader.text);
}
END_TEST

enum { WRITERS = 6, LINES = 500 };

static void *write_lines(void *number)
{
    for (int i = 0; i < LINES; i++) {
        struct log_line line;
        log_begin(&line, LOG_LEVEL_INFO, "line");
        log_integer(&line, "writer", *(int *)number);
        log_integer(&line, "i", i);
        log_text(&line, "filler", &"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"[i % 36]);
        log_end(&line);
    }
    return NULL;
}

static void expect_next(const cJSON *object, void *next)
{
    int *expected = (int *)next + (int)number(object, "writer");
    ck_assert(number(object, "i") == *expected);
    ++*expected;
}

/* Through each kind of descriptor: blocking pipe, non-blocking pipe, non-blocking socket whose
 * short writes cut lines. */
START_TEST(lines_of_many_threads_arrive_whole_in_order_and_all)
{
    struct reader reader;
    pthread_t threads[WRITERS];
    int numbers[WRITERS], next[WRITERS] = {0};
    reader_open(&reader);
    if (_i == 2) {
        int small = 4096;
        reader_close(&reader);
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, reader.fds), 0);
        setsockopt(reader.fds[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    }
    if (_i > 0)
        fcntl(reader.fds[1], F_SETFL, O_NONBLOCK);
    reader.step = 1000;
    reader_run(&reader);
    log_start(reader.fds[1], LOG_LEVEL_INFO);
    for (int i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, write_lines, &numbers[i]);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    log_stop();
    reader_finish(&reader);
    each_line(&reader, expect_next, next);
    for (int i = 0; i < WRITERS; i++)
        ck_assert_int_eq(next[i], LINES);
    ck_assert_uint_eq(log_dropped(), 0);
    free(reader.text);
}
END_TEST

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Far more than ring and pipe hold. */
enum { FLOOD = 10000 };

static void flood(void)
{
    for (int i = 0; i < FLOOD; i++)
        log_event(LOG_LEVEL_INFO, "flood", "%0100d", i);
}

struct tally {
    uint64_t lines, reports, reported;
};

static void tally_line(const cJSON *object, void *context)
{
    struct tally *tally = context;
    if (strcmp(string(object, "event"), "log_dropped") == 0) {
        tally->reports++;
        tally->reported += (uint64_t)number(object, "count");
        ck_assert_str_eq(string(object, "level"), "warning");
    } else {
        tally->lines++;
    }
}

START_TEST(a_blocked_reader_loses_lines_but_never_blocks_and_is_told_once)
{
    struct reader reader;
    struct tally tally = {0};
    reader_open(&reader);
    if (_i == 1)
        fcntl(reader.fds[1], F_SETFL, O_NONBLOCK);
    log_start(reader.fds[1], LOG_LEVEL_INFO);
    flood(); /* nobody reads: this would never end if lines waited */
    uint64_t dropped = log_dropped();
    ck_assert_uint_gt(dropped, 0);
    while (reader.len < 150000) /* more than the pipe holds, so the writer has gone on */
        ck_assert(read_some(&reader));
    flood(); /* the same jam */
    ck_assert_uint_gt(log_dropped(), dropped);
    reader_run(&reader);
    log_stop();
    reader_finish(&reader);
    each_line(&reader, tally_line, &tally);
    ck_assert_uint_eq(tally.reports, 1);
    ck_assert_uint_eq(tally.reported, log_dropped());
    ck_assert_uint_eq(tally.lines + tally.reported, 2 * FLOOD);
    free(reader.text);
}
END_TEST

START_TEST(stopping_gives_up_on_a_blocked_reader_after_a_second)
{
    struct reader reader;
    struct tally tally = {0};
    reader_open(&reader);
    log_start(reader.fds[1], LOG_LEVEL_INFO);
    flood();
    double before = seconds();
    log_stop();
    ck_assert_double_lt(seconds() - before, 2);
    uint64_t dropped = log_dropped();
    reader_run(&reader); /* what the pipe had taken is whole, and the rest was counted */
    reader_finish(&reader);
    each_line(&reader, tally_line, &tally);
    ck_assert_uint_eq(tally.lines + dropped, FLOOD);
    free(reader.text);
}
END_TEST

/* With SIGPIPE's default action, which would end this process. */
START_TEST(a_reader_that_is_gone_costs_lines_and_the_next_one_is_told)
{
    struct reader gone, next;
    struct tally tally = {0};
    reader_open(&gone);
    close(gone.fds[0]);
    double before = seconds();
    log_start(gone.fds[1], LOG_LEVEL_INFO);
    for (int i = 0; i < 100; i++)
        log_event(LOG_LEVEL_INFO, "e", "%d", i);
    log_stop();
    log_start(gone.fds[1], LOG_LEVEL_INFO); /* tells nobody */
    log_stop();
    ck_assert_double_lt(seconds() - before, 1.1); /* nothing to wait for */
    ck_assert_uint_eq(log_dropped(), 100);
    close(gone.fds[1]);

    reader_open(&next);
    log_start(next.fds[1], LOG_LEVEL_INFO);
    log_stop();
    reader_run(&next);
    reader_finish(&next);
    each_line(&next, tally_line, &tally);
    ck_assert_uint_eq(tally.reports, 1);
    ck_assert_uint_eq(tally.reported, 100);
    free(next.text);
}
END_TEST

/* A limit on the size of files stands for the disk: it, too, takes a part of a line and then fails.
 */
START_TEST(a_full_disk_costs_lines_and_the_next_one_begins_afresh)
{
    char text[8192], *at = text;
    struct rlimit before, small;
    FILE *file = tmpfile();
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){.rlim_cur = 4001, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small); /* Check's own files are smaller */
    log_start(fileno(file), LOG_LEVEL_INFO);
    for (int i = 0; i < 10; i++)
        log_event(LOG_LEVEL_INFO, "e", "%0600d", i);
    while (log_dropped() == 0)
        sched_yield();
    setrlimit(RLIMIT_FSIZE, &before);
    log_event(LOG_LEVEL_INFO, "e", "again");
    log_stop();

    rewind(file);
    size_t len = fread(text, 1, sizeof text, file);
    int whole = 0, torn = 0;
    for (char *newline; (newline = memchr(at, '\n', len - (size_t)(at - text))); at = newline + 1) {
        bool is_whole = newline[-1] == '}';
        if (is_whole)
            cJSON_Delete(parse(at, (size_t)(newline - at)));
        whole += is_whole;
        torn += !is_whole;
    }
    ck_assert_ptr_eq(at, text + len);
    ck_assert_int_eq(torn, 1);
    ck_assert_int_eq(whole, 10 - (int)log_dropped() + 2); /* "again", and the report */
    fclose(file);
}
END_TEST

/* The SigBlk line of the thread called "log", as the kernel tells it. */
static unsigned long long blocked_by_writer(void)
{
    unsigned long long mask = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
        char path[300], text[256];
        bool writer = false;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *file = fopen(path, "r");
        while (file != NULL && fgets(text, sizeof text, file) != NULL) {
            writer = writer || strcmp(text, "Name:\tlog\n") == 0;
            if (writer && strncmp(text, "SigBlk:", 7) == 0)
                mask = strtoull(text + 7, NULL, 16);
        }
        if (file != NULL)
            fclose(file);
    }
    closedir(tasks);
    return mask;
}

START_TEST(the_writer_leaves_all_signals_to_others)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGUSR1, SIGALRM, SIGCHLD};
    struct reader reader;
    reader_open(&reader);
    log_start(reader.fds[1], LOG_LEVEL_INFO);
    unsigned long long mask = blocked_by_writer();
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        ck_assert_uint_ne(mask >> (signals[i] - 1) & 1, 0);
    log_stop();
    reader_close(&reader);
}
END_TEST

static void add_line_tests(TCase *tc)
{
    tcase_add_test(tc, a_line_has_time_level_and_event_first);
    tcase_add_loop_test(tc, reals_have_three_decimals_and_are_never_nan, 0,
                        (int)(sizeof reals / sizeof reals[0]));
    tcase_add_test(tc, integers_keep_all_their_digits);
    tcase_add_loop_test(tc, texts_come_back_as_they_were_but_for_what_is_not_utf8, 0,
                        (int)(sizeof texts / sizeof texts[0]));
    tcase_add_test(tc, bytes_beyond_the_length_are_not_looked_at);
    tcase_add_test(tc, no_bytes_at_all_can_break_a_line);
    tcase_add_test(tc, a_missing_text_is_null);
    tcase_add_loop_test(tc, a_long_text_is_cut_between_characters_and_numbers_survive, 0,
                        (int)(sizeof characters / sizeof characters[0]));
    tcase_add_test(tc, any_number_of_fields_leaves_the_line_whole);
}

static void add_stream_tests(TCase *tc)
{
    tcase_add_test(tc, lines_above_the_level_are_not_written);
    tcase_add_test(tc, an_event_is_formatted_like_printf_and_hostile_text_is_only_text);
    tcase_add_test(tc, before_start_and_after_stop_lines_are_written_at_once);
    tcase_add_test(tc, the_log_can_be_started_again);
    tcase_add_loop_test(tc, lines_of_many_threads_arrive_whole_in_order_and_all, 0, 3);
    tcase_add_loop_test(tc, a_blocked_reader_loses_lines_but_never_blocks_and_is_told_once, 0, 2);
    tcase_add_test(tc, stopping_gives_up_on_a_blocked_reader_after_a_second);
    tcase_add_test(tc, a_reader_that_is_gone_costs_lines_and_the_next_one_is_told);
    tcase_add_test(tc, a_full_disk_costs_lines_and_the_next_one_begins_afresh);
    tcase_add_test(tc, the_writer_leaves_all_signals_to_others);
}

Suite *log_suite(void)
{
    Suite *suite = suite_create("log");
    TCase *tc = tcase_create("log");
    tcase_set_timeout(tc, 30);
    add_line_tests(tc);
    add_stream_tests(tc);
    suite_add_tcase(suite, tc);
    return suite;
}
