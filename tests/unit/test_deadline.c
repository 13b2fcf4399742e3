/* The watch over connections, with a clock of the test's own; only its ticks take real time. */
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/deadline.h"
#include "tests/suites.h"

enum { SECOND = 1000000000, TICKS_MS = 1500 /* more than the watch needs to look at everything */ };

static atomic_uint_fast64_t clock_ns;
static struct deadline *watch;
static struct deadline_entry *entry;
static int ends[2]; /* the watched socket, and its peer */

static uint64_t now_ns(void)
{
    return atomic_load(&clock_ns);
}

static void advance(unsigned seconds)
{
    atomic_fetch_add(&clock_ns, (uint64_t)seconds * SECOND);
}

static void setup(void)
{
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    atomic_store(&clock_ns, SECOND);
    watch = deadline_new(8ULL * SECOND, now_ns);
    entry = deadline_open(watch, ends[0]);
    ck_assert_ptr_nonnull(entry);
}

static void teardown(void)
{
    deadline_close(entry);
    deadline_free(watch);
    close(ends[0]);
    close(ends[1]);
}

/* Whether the peer sees the end of the connection within some ticks. */
static bool is_cut(void)
{
    struct pollfd peer = {ends[1], POLLIN, 0};

    return poll(&peer, 1, TICKS_MS) == 1;
}

START_TEST(a_head_that_does_not_come_is_cut)
{
    advance(7);
    ck_assert(!is_cut());
    advance(1);
    ck_assert(is_cut());
}
END_TEST

START_TEST(a_request_that_waits_for_its_tile_is_not_cut)
{
    deadline_busy(entry, 100);
    advance(3600);
    ck_assert(!is_cut());
}
END_TEST

START_TEST(an_answer_that_is_hardly_taken_is_cut)
{
    deadline_busy(entry, 100);
    deadline_sending(entry, 16 * 1024 * 60, now_ns()); /* a minute's worth, and half a minute */
    advance(89);
    ck_assert(!is_cut());
    advance(2);
    ck_assert(is_cut());
}
END_TEST

START_TEST(an_answer_that_is_out_leaves_no_clock_behind)
{
    deadline_busy(entry, 100);
    deadline_sending(entry, 1, now_ns());
    deadline_waiting(entry);
    deadline_busy(entry, 100);
    advance(3600);
    ck_assert(!is_cut());
}
END_TEST

Suite *deadline_suite(void)
{
    Suite *suite = suite_create("deadline");
    TCase *tc = tcase_create("deadline");

    tcase_set_timeout(tc, 30);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_head_that_does_not_come_is_cut);
    tcase_add_test(tc, a_request_that_waits_for_its_tile_is_not_cut);
    tcase_add_test(tc, an_answer_that_is_hardly_taken_is_cut);
    tcase_add_test(tc, an_answer_that_is_out_leaves_no_clock_behind);
    suite_add_tcase(suite, tc);
    return suite;
}
