/* suites.h - every test suite; run.c runs them all. A new suite is a line here and a line there. */
#ifndef SUITES_H
#define SUITES_H

#include <check.h>

/* unit: core */
Suite *number_suite(void);
Suite *spec_suite(void);
Suite *tile_suite(void);
Suite *seams_suite(void);
Suite *noise_suite(void);
Suite *simplices_suite(void);
Suite *bounds_suite(void);
Suite *statistics_suite(void);
Suite *smooth_suite(void);
Suite *planet_suite(void);
Suite *places_suite(void);
Suite *dialects_suite(void);
Suite *drawn_dialects_suite(void);
Suite *sample_suite(void);
Suite *encode_suite(void);
Suite *png_suite(void);
Suite *style_suite(void);
Suite *builds_suite(void);
Suite *cellular_suite(void);
/* unit: config and server */
Suite *config_suite(void);
Suite *cache_suite(void);
Suite *cpus_suite(void);
Suite *deadline_suite(void);
Suite *log_suite(void);
Suite *pool_suite(void);
Suite *poller_suite(void);
Suite *recent_suite(void);
/* e2e: the real server and its sub-commands */
Suite *http_suite(void);
Suite *queries_suite(void);
Suite *headers_suite(void);
Suite *caching_suite(void);
Suite *served_tiles_suite(void);
Suite *served_samples_suite(void);
Suite *verify_suite(void);
Suite *commands_suite(void);
Suite *hostile_suite(void);
Suite *server_suite(void);

#endif
