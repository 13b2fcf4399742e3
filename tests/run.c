/*
 * run.c - runs every suite. CK_RUN_SUITE=name runs one, CK_RUN_CASE=name one group of it; both are
 * Check's own. NOISETILE_LONG=1 takes ten times the samples.
 */
#include <stdlib.h>

#include "core/noisetile.h"
#include "tests/suites.h"

static Suite *(*const suites[])(void) = {
    number_suite,         spec_suite,       tile_suite,     seams_suite,   noise_suite,
    bounds_suite,         statistics_suite, smooth_suite,   planet_suite,  dialects_suite,
    drawn_dialects_suite, sample_suite,     encode_suite,   style_suite,   builds_suite,
    config_suite,         cache_suite,      cpus_suite,     log_suite,     pool_suite,
    http_suite,           queries_suite,    headers_suite,  caching_suite, served_tiles_suite,
    served_samples_suite, verify_suite,     commands_suite, hostile_suite, server_suite,
};

int main(void)
{
    SRunner *runner = srunner_create(NULL);

    if (!nt_init("auto"))
        return EXIT_FAILURE;
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        srunner_add_suite(runner, suites[i]());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
