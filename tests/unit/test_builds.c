/* Promise 1: every compiler, optimisation and instruction level computes the same bits. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"

/* First line that a command prints. */
static void first_line(const char *command, char *line, size_t size)
{
    FILE *pipe = popen(command, "r");

    ck_assert_ptr_nonnull(pipe);
    line[0] = '\0';
    if (fgets(line, (int)size, pipe))
        line[strcspn(line, "\n")] = '\0';
    ck_assert_msg(pclose(pipe) == 0, "%s failed", command);
}

START_TEST(every_build_gives_the_same_bits)
{
    static const char *const levels[] = {"baseline", "auto"};
    char golden[128], command[4096 + 64], line[128];
    glob_t builds;

    first_line("cat tests/golden/tiles.sha256", golden, sizeof golden);
    ck_assert_uint_eq(strlen(golden), 64);
    ck_assert_int_eq(glob(NOISETILE_BUILD "/variants/*/hash_tiles", 0, NULL, &builds), 0);
    ck_assert_msg(builds.gl_pathc >= 8, "only %zu builds", builds.gl_pathc);
    for (size_t i = 0; i < builds.gl_pathc; i++)
        for (int level = 0; level < 2; level++) {
            snprintf(command, sizeof command, "'%s' %s", builds.gl_pathv[i], levels[level]);
            first_line(command, line, sizeof line);
            ck_assert_msg(strcmp(line, golden) == 0, "%s: %s, not %s", command, line, golden);
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
