/* Promise 1: every compiler, optimisation and instruction level computes the same bits. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"

/* What a command prints: two digests, each on a line. */
static void two_digests(const char *command, char *text, size_t size)
{
    FILE *pipe = popen(command, "r");

    ck_assert_ptr_nonnull(pipe);
    text[fread(text, 1, size - 1, pipe)] = '\0';
    ck_assert_msg(pclose(pipe) == 0, "%s failed", command);
    ck_assert_uint_eq(strlen(text), 2 * 65);
}

START_TEST(every_build_gives_the_same_bits)
{
    static const char *const levels[] = {"baseline", "auto"};
    char golden[256], command[4096 + 64], digests[256];
    glob_t builds;

    two_digests("cat tests/golden/tiles.sha256", golden, sizeof golden);
    ck_assert_int_eq(glob(NOISETILE_BUILD "/variants/*/hash_tiles", 0, NULL, &builds), 0);
    ck_assert_msg(builds.gl_pathc >= 8, "only %zu builds", builds.gl_pathc);
    for (size_t i = 0; i < builds.gl_pathc; i++)
        for (int level = 0; level < 2; level++) {
            snprintf(command, sizeof command, "'%s' %s", builds.gl_pathv[i], levels[level]);
            two_digests(command, digests, sizeof digests);
            ck_assert_msg(strcmp(digests, golden) == 0, "%s: %s, not %s", command, digests, golden);
        }
    globfree(&builds);
}
END_TEST

Suite *builds_suite(void)
{
    Suite *suite = suite_create("builds");
    TCase *tc = tcase_create("builds");

    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, every_build_gives_the_same_bits);
    suite_add_tcase(suite, tc);
    return suite;
}
