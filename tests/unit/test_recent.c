/* test_recent.c - what is remembered of targets is never another target's, nor an older one. */
#include "server/recent.h"
#include "tests/suites.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS = 3000, STEPS = 200000 };

static uint64_t state = 81;

/* xorshift64* (Vigna 2016) */
static uint64_t draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Many are each other's beginnings, or differ in one byte, first or last. */
static size_t write_target(char text[RECENT_TEXT_MAX + 1], unsigned i)
{
    if (i % 3 == 0)
        return (size_t)snprintf(text, RECENT_TEXT_MAX + 1, "%c/tile%0*u", 'a' + (int)(i / 3 % 7),
                                (int)(i / 21 % 240), 1);
    return (size_t)snprintf(text, RECENT_TEXT_MAX + 1, "/tile/9/%u/%u.png?seed=%u", i % 30, i / 30,
                            i % 3);
}

static struct face face_of(unsigned i, unsigned round)
{
    struct face face = {.gzip = i % 2 == 0, .pinned = i % 5 == 0, .media_type = "image/png"};

    face.identity.key = (struct cache_key){{i, round}};
    snprintf(face.identity.etag, sizeof face.identity.etag, "\"%u.%u\"", i, round);
    return face;
}

static void check(const struct known *known, unsigned i, unsigned round)
{
    struct face face = face_of(i, round);
    char location[32];

    snprintf(location, sizeof location, "/%u/%u", i, round);
    ck_assert_uint_eq(known->face.identity.key.word[0], i);
    ck_assert_uint_eq(known->face.identity.key.word[1], round);
    ck_assert_str_eq(known->face.identity.etag, face.identity.etag);
    ck_assert_int_eq(known->face.gzip, face.gzip);
    ck_assert_int_eq(known->face.pinned, face.pinned);
    ck_assert_str_eq(known->location, location);
}

/* rounds[i]: when i was added last; 0 = never. Targets with one text are one target. */
START_TEST(what_is_found_is_what_was_added_last)
{
    static unsigned rounds[TARGETS], first[TARGETS];
    struct recent *recent = recent_new();
    char text[RECENT_TEXT_MAX + 1], other[RECENT_TEXT_MAX + 1], location[32];
    unsigned found = 0;

    for (unsigned i = 0; i < TARGETS; i++) {
        size_t len = write_target(text, i);

        for (first[i] = 0; first[i] < i; first[i]++)
            if (write_target(other, first[i]) == len && memcmp(text, other, len) == 0)
                break;
    }
    for (unsigned step = 1; step <= STEPS; step++) {
        /* A few are asked for far more often, as in life. */
        unsigned i = first[draw() % (draw() % 4 == 0 ? TARGETS : 200)];
        size_t len = write_target(text, i);
        const struct known *known = recent_find(recent, text, len);

        if (known != NULL) {
            ck_assert_uint_gt(rounds[i], 0);
            check(known, i, rounds[i]);
            found++;
        }
        if (known == NULL || draw() % 8 == 0) {
            struct face face = face_of(i, step);

            snprintf(location, sizeof location, "/%u/%u", i, step);
            recent_add(recent, text, len, &face, location);
            rounds[i] = step;
            known = recent_find(recent, text, len);
            ck_assert_ptr_nonnull(known);
            check(known, i, step);
        }
    }
    ck_assert_uint_gt(found, STEPS / 4);
    recent_free(recent);
}
END_TEST

START_TEST(what_is_too_long_is_not_kept)
{
    struct recent *recent = recent_new();
    struct face face = face_of(1, 1);
    char text[RECENT_TEXT_MAX + 2];

    memset(text, 'a', sizeof text);
    text[RECENT_TEXT_MAX + 1] = '\0';
    recent_add(recent, text, RECENT_TEXT_MAX + 1, &face, "/");
    ck_assert_ptr_null(recent_find(recent, text, RECENT_TEXT_MAX + 1));
    ck_assert_ptr_null(recent_find(recent, text, RECENT_TEXT_MAX));
    recent_add(recent, "/short", 6, &face, text + 1); /* RECENT_TEXT_MAX bytes and a NUL */
    ck_assert_ptr_null(recent_find(recent, "/short", 6));
    recent_add(recent, "", 0, &face, "/");
    ck_assert_ptr_null(recent_find(recent, "", 0));
    recent_add(recent, text, RECENT_TEXT_MAX, &face, text + 2);
    ck_assert_ptr_nonnull(recent_find(recent, text, RECENT_TEXT_MAX));
    ck_assert_str_eq(recent_find(recent, text, RECENT_TEXT_MAX)->location, text + 2);
    recent_free(recent);
}
END_TEST

Suite *recent_suite(void)
{
    Suite *suite = suite_create("recent");
    TCase *tcase = tcase_create("recent");

    tcase_add_test(tcase, what_is_found_is_what_was_added_last);
    tcase_add_test(tcase, what_is_too_long_is_not_kept);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return suite;
}
