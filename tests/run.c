/*
 * run.c - runs every suite, or those of a group: `run unit`, `run e2e`. CK_RUN_SUITE=name runs one,
 * CK_RUN_CASE=name one group of its tests; both are Check's own. NOISETILE_LONG=1 takes ten times
 * the samples.
 */
#include <stdlib.h>
#include <string.h>

#include "core/noisetile.h"
#include "tests/suites.h"

typedef Suite *suite_maker(void);

static suite_maker *const unit[] = {
    number_suite,     spec_suite,           tile_suite,      seams_suite,
    cellular_suite,   noise_suite,          simplices_suite, bounds_suite,
    statistics_suite, smooth_suite,         planet_suite,    places_suite,
    dialects_suite,   drawn_dialects_suite, sample_suite,    encode_suite,
    png_suite,        style_suite,          builds_suite,    config_suite,
    cache_suite,      cpus_suite,           deadline_suite,  log_suite,
    pool_suite,       poller_suite,         recent_suite,    NULL,
};
static suite_maker *const e2e[] = {
    http_suite,         queries_suite,        headers_suite, caching_suite,
    served_tiles_suite, served_samples_suite, verify_suite,  commands_suite,
    hostile_suite,      server_suite,         NULL,
};

static const struct {
    const char *name;
    suite_maker *const *suites;
} groups[] = {{"unit", unit}, {"e2e", e2e}};

int main(int argc, char **argv)
{
    SRunner *runner = srunner_create(NULL);

    if (!nt_init("auto"))
        return EXIT_FAILURE;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        if (argc < 2 || strcmp(argv[1], groups[g].name) == 0)
            for (suite_maker *const *make = groups[g].suites; *make; make++)
                srunner_add_suite(runner, (*make)());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner), run = srunner_ntests_run(runner);
    srunner_free(runner);
    return failed || run == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
