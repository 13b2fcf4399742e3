/*
 * test_config.c - facts about config/. Most hold for every row of the option table and are
 * checked for every row, so a new option is covered as soon as it has one. Files are written to the
 * temporary folder; the shipped example is read from the root of the repository.
 */
#include "config/config.h"
#include "server/log.h"
#include "tests/suites.h"

#include <arpa/inet.h>
#include <cjson/cJSON.h>
#include <ctype.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char shipped[] = "config/noisetile.json";

/* What the last load() gave. */
static struct config got;
static char said[CONFIG_MESSAGE_MAX];
static char path[] = "/tmp/noisetile-test-XXXXXX"; /* the file of the running test */

static void write_bytes(const void *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
    ck_assert_int_eq(fclose(file), 0);
}

static void make_file(void)
{
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void remove_file(void)
{
    unlink(path);
    strcpy(path + strlen(path) - 6, "XXXXXX");
}

/* Any of the three may be NULL. */
static bool load(const char *file_text, const char *variable, const char *flag)
{
    char file_variable[sizeof path + sizeof "NOISETILE_CONFIG="];
    snprintf(file_variable, sizeof file_variable, "NOISETILE_CONFIG=%s", path);
    char *environment[3] = {NULL}, *argv[2] = {(char *)flag, NULL};
    size_t used = 0;
    if (file_text) {
        write_bytes(file_text, strlen(file_text));
        environment[used++] = file_variable;
    }
    environment[used] = (char *)variable;
    strcpy(said, "nothing");
    return config_load(&got, flag ? 1 : 0, argv, environment, NULL, said, sizeof said);
}

static bool load_bytes(const void *bytes, size_t len)
{
    char *argv[] = {"--config", path};
    write_bytes(bytes, len);
    strcpy(said, "nothing");
    return config_load(&got, 2, argv, NULL, NULL, said, sizeof said);
}

/* Spelled once more, so that a slip in option.c shows. */
static const char *variable_of(const struct config_option *option, const char *value)
{
    static char text[512];
    snprintf(text, sizeof text, "NOISETILE_%s=%s", option->key, value);
    for (char *c = text; *c != '='; c++)
        *c = (char)toupper((unsigned char)*c);
    return text;
}

static const char *flag_of(const struct config_option *option, const char *value)
{
    static char text[512];
    snprintf(text, sizeof text, "--%s=%s", option->key, value);
    for (char *c = text; *c != '='; c++)
        *c = *c == '_' ? '-' : *c;
    return text;
}

static const char *file_of(const struct config_option *option, const char *value)
{
    static char text[512];
    bool quoted = option->type == CONFIG_TEXT || option->type == CONFIG_CHOICE;
    snprintf(text, sizeof text, quoted ? "{\"%s\": \"%s\"}" : "{\"%s\": %s}", option->key, value);
    return text;
}

/* Two values that an option can take and that differ (number 0 and 1). */
static const char *sample(const struct config_option *option, int number)
{
    static char text[2][32];
    switch (option->type) {
    case CONFIG_TEXT:
        return number ? "[::1]:81" : "127.0.0.2:80";
    case CONFIG_BOOLEAN:
        return number ? "true" : "false";
    case CONFIG_CHOICE:
        return option->choices[number];
    case CONFIG_INTEGER:
        snprintf(text[number], sizeof text[number], "%" PRId64, number ? option->max : option->min);
    }
    return text[number];
}

/* A value that an option of this type can't take, spelled for all places. */
static const char *bad_sample(const struct config_option *option)
{
    return option->type == CONFIG_INTEGER ? "-7" : option->type == CONFIG_BOOLEAN ? "7" : "seven";
}

static void assert_holds(size_t row, const char *value, enum config_source source)
{
    const struct config_option *option = config_option(row);
    const void *field = (const char *)&got + option->offset;
    char text[CONFIG_TEXT_MAX] = "";
    switch (option->type) {
    case CONFIG_TEXT:
        snprintf(text, sizeof text, "%s", (const char *)field);
        break;
    case CONFIG_BOOLEAN:
        strcpy(text, *(const bool *)field ? "true" : "false");
        break;
    case CONFIG_CHOICE:
        strcpy(text, option->choices[*(const int *)field]);
        break;
    case CONFIG_INTEGER:
        snprintf(text, sizeof text, "%" PRId64, *(const int64_t *)field);
    }
    ck_assert_msg(!strcmp(text, value) && got.source[row] == source,
                  "%s is %s from %d, not %s from %d", option->key, text, (int)got.source[row],
                  value, (int)source);
}

/* Every other option is untouched. */
static void assert_only_changed(size_t changed)
{
    for (size_t row = 0; config_option(row); row++) {
        if (row != changed)
            assert_holds(row, config_option(row)->fallback, CONFIG_DEFAULT);
    }
}

static void assert_says(const char *expected)
{
    ck_assert_str_eq(said, expected);
}

/* "FILE: tail" */
static void assert_file_says(const char *tail)
{
    char expected[CONFIG_MESSAGE_MAX];
    snprintf(expected, sizeof expected, "%s: %s", path, tail);
    ck_assert_str_eq(said, expected);
}

static void assert_one_printable_line(void)
{
    ck_assert_uint_gt(strlen(said), 0);
    for (const char *c = said; *c; c++)
        ck_assert_msg(*c >= 0x20 && *c < 0x7f, "byte %d in: %s", *c, said);
}

/* ---- The table ------------------------------------------------------------------------------- */

START_TEST(every_option_starts_at_its_default)
{
    config_init(&got);
    assert_only_changed(SIZE_MAX);
    ck_assert_str_eq(got.file, "");
    ck_assert_str_eq(got.listen, "127.0.0.1:8080");
    ck_assert_int_eq(got.workers, 0);
    ck_assert_int_eq(got.http_threads, 0);
    ck_assert_int_eq(got.queue, 256);
    ck_assert_int_eq(got.queue_wait, 2000);
    ck_assert_int_eq(got.cache, 256);
    ck_assert_int_eq(got.max_size, 2048);
    ck_assert_int_eq(got.max_connections, 4096);
    ck_assert_int_eq(got.idle_timeout, 75);
    ck_assert_int_eq(got.head_timeout, 8);
    ck_assert_int_eq(got.drain_delay, 0);
    ck_assert_int_eq(got.drain_timeout, 20);
    ck_assert(got.access_log);
    ck_assert_int_eq(got.log_level, LOG_LEVEL_INFO);
    ck_assert_str_eq(config_cpu_name(&got), "auto");
}
END_TEST

START_TEST(keys_are_lower_case_and_distinct)
{
    for (size_t row = 0; config_option(row); row++) {
        const char *key = config_option(row)->key;
        ck_assert_uint_eq(strspn(key, "abcdefghijklmnopqrstuvwxyz_"), strlen(key));
        ck_assert_str_ne(key, "config");
        for (size_t other = 0; other < row; other++)
            ck_assert_str_ne(key, config_option(other)->key);
    }
    ck_assert_ptr_null(config_option(CONFIG_OPTIONS_MAX));
    ck_assert_ptr_null(config_option(SIZE_MAX));
}
END_TEST

START_TEST(log_levels_count_as_the_log_does)
{
    static const char *const names[] = {[LOG_LEVEL_ERROR] = "error",
                                        [LOG_LEVEL_WARNING] = "warning",
                                        [LOG_LEVEL_INFO] = "info",
                                        [LOG_LEVEL_DEBUG] = "debug"};
    for (int level = 0; level < 4; level++) {
        char flag[32];
        snprintf(flag, sizeof flag, "--log-level=%s", names[level]);
        ck_assert(load(NULL, NULL, flag));
        ck_assert_int_eq(got.log_level, level);
    }
}
END_TEST

START_TEST(every_option_is_set_by_file_environment_and_flag)
{
    for (size_t row = 0; config_option(row); row++) {
        const struct config_option *option = config_option(row);
        for (int number = 0; number < 2; number++) {
            const char *value = sample(option, number);
            ck_assert_msg(load(file_of(option, value), NULL, NULL), "%s", said);
            assert_holds(row, value, CONFIG_FILE);
            assert_only_changed(row);
            ck_assert_msg(load(NULL, variable_of(option, value), NULL), "%s", said);
            assert_holds(row, value, CONFIG_ENVIRONMENT);
            assert_only_changed(row);
            ck_assert_msg(load(NULL, NULL, flag_of(option, value)), "%s", said);
            assert_holds(row, value, CONFIG_FLAG);
            assert_only_changed(row);
        }
    }
}
END_TEST

START_TEST(a_flag_may_take_the_next_argument_as_its_value)
{
    for (size_t row = 0; config_option(row); row++) {
        const struct config_option *option = config_option(row);
        char *flag = (char *)flag_of(option, ""), *argv[] = {flag, (char *)sample(option, 1)};
        *strchr(flag, '=') = '\0';
        ck_assert(config_load(&got, 2, argv, NULL, NULL, said, sizeof said));
        assert_holds(row, argv[1], CONFIG_FLAG);
    }
}
END_TEST

START_TEST(flags_win_over_environment_over_file)
{
    for (size_t row = 0; config_option(row); row++) {
        const struct config_option *option = config_option(row);
        for (int number = 0; number < 2; number++) {
            const char *strong = sample(option, number), *weak = sample(option, !number);
            ck_assert(load(file_of(option, weak), variable_of(option, strong), NULL));
            assert_holds(row, strong, CONFIG_ENVIRONMENT);
            ck_assert(load(file_of(option, weak), NULL, flag_of(option, strong)));
            assert_holds(row, strong, CONFIG_FLAG);
            ck_assert(load(NULL, variable_of(option, weak), flag_of(option, strong)));
            assert_holds(row, strong, CONFIG_FLAG);
            ck_assert(
                load(file_of(option, weak), variable_of(option, weak), flag_of(option, strong)));
            assert_holds(row, strong, CONFIG_FLAG);
        }
    }
}
END_TEST

START_TEST(a_bad_value_is_refused_even_if_overridden)
{
    for (size_t row = 0; config_option(row); row++) {
        const struct config_option *option = config_option(row);
        const char *good = sample(option, 0), *bad = bad_sample(option);
        ck_assert(load(file_of(option, good), variable_of(option, good), flag_of(option, good)));
        ck_assert(!load(file_of(option, bad), variable_of(option, good), flag_of(option, good)));
        ck_assert_ptr_nonnull(strstr(said, path));
        ck_assert(!load(file_of(option, good), variable_of(option, bad), flag_of(option, good)));
        ck_assert_int_eq(strncmp(said, "NOISETILE_", 10), 0);
        ck_assert(!load(file_of(option, good), variable_of(option, good), flag_of(option, bad)));
        ck_assert_int_eq(strncmp(said, "--", 2), 0);
    }
}
END_TEST

/* ---- Values ---------------------------------------------------------------------------------- */

static void assert_out_of_range(const struct config_option *option, int64_t value)
{
    char text[32], unit[32] = "", tail[128], expected[256];
    snprintf(text, sizeof text, "%" PRId64, value);
    if (option->unit)
        snprintf(unit, sizeof unit, " (%s)", option->unit);
    snprintf(tail, sizeof tail,
             "is out of range; allowed are whole numbers from %" PRId64 " to %" PRId64 "%s",
             option->min, option->max, unit);

    ck_assert(!load(file_of(option, text), NULL, NULL));
    snprintf(expected, sizeof expected, "%s: %s %s", option->key, text, tail);
    assert_file_says(expected);

    const char *variable = variable_of(option, text), *flag = flag_of(option, text);
    ck_assert(!load(NULL, variable, NULL));
    snprintf(expected, sizeof expected, "%.*s: \"%s\" %s", (int)strcspn(variable, "="), variable,
             text, tail);
    assert_says(expected);

    ck_assert(!load(NULL, NULL, flag));
    snprintf(expected, sizeof expected, "%.*s: \"%s\" %s", (int)strcspn(flag, "="), flag, text,
             tail);
    assert_says(expected);
}

START_TEST(integers_end_where_the_table_says)
{
    int integers = 0;
    for (size_t row = 0; config_option(row); row++) {
        const struct config_option *option = config_option(row);
        if (option->type != CONFIG_INTEGER)
            continue;
        assert_out_of_range(option, option->min - 1);
        assert_out_of_range(option, option->max + 1);
        integers++;
    }
    ck_assert_int_ge(integers, 11);
}
END_TEST

START_TEST(integers_have_one_spelling)
{
    static const char *const wrong[] = {"",      " 1",       "1 ",    "+1",   "01",    "00",
                                        "-0",    "-",        "--1",   "1.0",  "1e3",   "0x10",
                                        "1_000", "1,000",    "\t1",   "1\n",  "ten",   "1 2",
                                        "1-",    "\xd9\xa3", "1\x01", "-007", "2000ms"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char flag[64], variable[64];
        snprintf(flag, sizeof flag, "--queue=%s", wrong[i]);
        snprintf(variable, sizeof variable, "NOISETILE_QUEUE=%s", wrong[i]);
        ck_assert_msg(!load(NULL, NULL, flag), "%s", flag);
        ck_assert_ptr_nonnull(strstr(said, "\" is not a whole number; allowed are whole numbers "));
        assert_one_printable_line();
        ck_assert_msg(!load(NULL, variable, NULL), "%s", variable);
    }
}
END_TEST

START_TEST(huge_integers_are_out_of_range)
{
    static const char *const huge[] = {
        "9223372036854775808",  "99999999999999999999999999999999",
        "-9223372036854775809", "18446744073709551872", /* 2^64 + 256 */
        "4294967552",                                   /* 2^32 + 256 */
    };
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "--queue=%s", huge[i]);
        ck_assert(!load(NULL, NULL, text));
        ck_assert_ptr_nonnull(strstr(said, "is out of range"));
        snprintf(text, sizeof text, "{\"queue\": %s}", huge[i]);
        ck_assert(!load(text, NULL, NULL));
        ck_assert_ptr_nonnull(strstr(said, "is out of range"));
    }
    ck_assert(!load("{\"queue\": 1e400}", NULL, NULL));
    assert_file_says("queue: a huge number is out of range; "
                     "allowed are whole numbers from 1 to 65536");
    ck_assert(!load("{\"queue\": -1e400}", NULL, NULL));
}
END_TEST

START_TEST(numbers_of_the_file_may_be_spelled_as_json_likes)
{
    ck_assert(load("{\"queue\": 1.5e3}", NULL, NULL));
    ck_assert_int_eq(got.queue, 1500);
    ck_assert(load("{\"queue\": 2.0}", NULL, NULL));
    ck_assert_int_eq(got.queue, 2);
    ck_assert(load("{\"workers\": -0}", NULL, NULL));
    ck_assert_int_eq(got.workers, 0);
    ck_assert(!load("{\"queue\": 1.5}", NULL, NULL));
    assert_file_says("queue: 1.5 is not a whole number; "
                     "allowed are whole numbers from 1 to 65536");
    ck_assert(!load("{\"queue\": 256.0000000001}", NULL, NULL));
    ck_assert(!load("{\"queue\": 255.99999999999997}", NULL, NULL));
    assert_file_says("queue: 255.99999999999997 is not a whole number; "
                     "allowed are whole numbers from 1 to 65536");
    ck_assert(!load("{\"workers\": 1e-300}", NULL, NULL));
}
END_TEST

START_TEST(booleans_are_true_or_false)
{
    static const char *const wrong[] = {"", "1", "0", "yes", "on", "off", "TRUE", "True", "true "};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--access-log=%s", wrong[i]);
        ck_assert_msg(!load(NULL, NULL, flag), "%s", flag);
    }
    ck_assert(!load(NULL, NULL, "--access-log=yes"));
    assert_says("--access-log: \"yes\" is not a boolean; allowed are false, true");
    ck_assert(!load("{\"access_log\": \"true\"}", NULL, NULL));
    assert_file_says("access_log: \"true\" is not a boolean; allowed are false, true");
    ck_assert(!load("{\"access_log\": 1}", NULL, NULL));
}
END_TEST

START_TEST(choices_are_exact_names)
{
    static const char *const wrong[] = {"", "Info", "inf", "infox", "2", "info "};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--log-level=%s", wrong[i]);
        ck_assert_msg(!load(NULL, NULL, flag), "%s", flag);
    }
    ck_assert(!load(NULL, "NOISETILE_LOG_LEVEL=loud", NULL));
    assert_says("NOISETILE_LOG_LEVEL: \"loud\" is not a choice; "
                "allowed are error, warning, info, debug");
    ck_assert(!load("{\"log_level\": 2}", NULL, NULL));
    assert_file_says("log_level: 2 is not a choice; allowed are error, warning, info, debug");
    ck_assert(load(NULL, NULL, "--cpu=baseline"));
    ck_assert_str_eq(config_cpu_name(&got), "baseline");
    ck_assert(load(NULL, NULL, "--cpu=avx2"));
    ck_assert_str_eq(config_cpu_name(&got), "avx2");
}
END_TEST

START_TEST(the_file_refuses_values_of_another_type)
{
    static const struct {
        const char *value, *shown;
        bool for_text, for_integer, for_boolean;
    } values[] = {
        {"null", "null", false, false, false},
        {"[1]", "an array", false, false, false},
        {"{\"a\": 1}", "an object", false, false, false},
        {"\"256\"", "\"256\"", true, false, false},
        {"1", "1", false, true, false},
        {"true", "true", false, false, true},
        {"false", "false", false, false, true},
    };
    for (size_t row = 0; config_option(row); row++) {
        const struct config_option *option = config_option(row);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            if ((option->type == CONFIG_INTEGER && values[i].for_integer) ||
                (option->type == CONFIG_BOOLEAN && values[i].for_boolean))
                continue;
            char text[128], expected[128];
            snprintf(text, sizeof text, "{\"%s\": %s}", option->key, values[i].value);
            snprintf(expected, sizeof expected, "%s: %s is not ", option->key, values[i].shown);
            ck_assert_msg(!load(text, NULL, NULL), "%s", text);
            ck_assert_msg(strstr(said, expected) != NULL, "%s: %s", text, said);
        }
    }
}
END_TEST

START_TEST(listen_takes_numeric_addresses_and_localhost)
{
    static const struct {
        const char *text, *host;
        int family, port;
    } good[] = {
        {"127.0.0.1:8080", "127.0.0.1", AF_INET, 8080},
        {"0.0.0.0:0", "0.0.0.0", AF_INET, 0},
        {"255.255.255.255:65535", "255.255.255.255", AF_INET, 65535},
        {"localhost:1", "127.0.0.1", AF_INET, 1},
        {"[::]:80", "::", AF_INET6, 80},
        {"[::1]:0", "::1", AF_INET6, 0},
        {"[2001:DB8::a]:443", "2001:db8::a", AF_INET6, 443},
        {"[::ffff:10.0.0.1]:9", "::ffff:10.0.0.1", AF_INET6, 9},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct sockaddr_storage address;
        socklen_t len;
        ck_assert_msg(config_listen_address(good[i].text, &address, &len), "%s", good[i].text);
        ck_assert_int_eq(address.ss_family, good[i].family);
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address;
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address;
        bool is_v4 = good[i].family == AF_INET;
        ck_assert_uint_eq(len, is_v4 ? sizeof *v4 : sizeof *v6);
        ck_assert_int_eq(ntohs(is_v4 ? v4->sin_port : v6->sin6_port), good[i].port);
        char host[INET6_ADDRSTRLEN];
        inet_ntop(good[i].family,
                  is_v4 ? (const void *)&v4->sin_addr : (const void *)&v6->sin6_addr, host,
                  sizeof host);
        ck_assert_str_eq(host, good[i].host);
    }
}
END_TEST

START_TEST(listen_refuses_everything_else)
{
    static const char *const bad[] = {
        "",
        ":",
        ":8080",
        "8080",
        "127.0.0.1",
        "127.0.0.1:",
        "127.0.0.1: 80",
        "127.0.0.1:080",
        "127.0.0.1:+80",
        "127.0.0.1:-0",
        "127.0.0.1:-1",
        "127.0.0.1:65536",
        "127.0.0.1:99999999999999999999",
        "127.0.0.1:http",
        "127.0.0.1:80 ",
        " 127.0.0.1:80",
        "127.0.0.01:80",
        "127.1:80",
        "256.0.0.1:80",
        "1.2.3.4.5:80",
        "[127.0.0.1]:80",
        "::1:80",
        "::1",
        "[::1]",
        "[::1]80",
        "[::1:80",
        "::1]:80",
        "[]:80",
        "[:80",
        "]:80",
        "[[::1]]:80",
        "[::1%lo]:80",
        "[localhost]:80",
        "LOCALHOST:80",
        "localhost.:80",
        "example.org:80",
        "*:80",
        "http://127.0.0.1:80",
        "127.0.0.1:80/",
        "/run/noisetile.sock",
        "[1111:2222:3333:4444:5555:6666:7777:8888:9999]:80",
        "[0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000]:80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char flag[128];
        struct sockaddr_storage address;
        socklen_t len;
        snprintf(flag, sizeof flag, "--listen=%s", bad[i]);
        ck_assert_msg(!load(NULL, NULL, flag), "%s", flag);
        ck_assert_msg(!config_listen_address(bad[i], &address, &len), "%s", bad[i]);
    }
    ck_assert(!load(NULL, NULL, "--listen=example.org:80"));
    assert_says("--listen: \"example.org:80\" is not understood; "
                "allowed are IPv4:PORT, [IPv6]:PORT, localhost:PORT, PORT from 0 to 65535");
}
END_TEST

START_TEST(text_longer_than_its_field_is_refused)
{
    char flag[CONFIG_TEXT_MAX + 64] = "--listen=";
    size_t used = strlen(flag);
    memset(flag + used, '1', CONFIG_TEXT_MAX);
    flag[used + CONFIG_TEXT_MAX] = '\0';
    ck_assert(!load(NULL, NULL, flag));
    ck_assert_ptr_nonnull(strstr(said, "1111...\" is too long; allowed are IPv4:PORT"));
    flag[used + CONFIG_TEXT_MAX - 1] = '\0';
    ck_assert(!load(NULL, NULL, flag));
    ck_assert_ptr_nonnull(strstr(said, "1111...\" is not understood"));
}
END_TEST

START_TEST(listen_refuses_hosts_of_any_length)
{
    for (int len = 0; len < 200; len++) {
        char text[256];
        struct sockaddr_storage address;
        socklen_t size;
        snprintf(text, sizeof text, "%0*d:80", len, 1);
        ck_assert(!config_listen_address(text, &address, &size));
        snprintf(text, sizeof text, "[%0*d]:80", len, 1);
        ck_assert(!config_listen_address(text, &address, &size));
    }
}
END_TEST

/* ---- Flags and environment ------------------------------------------------------------------- */

START_TEST(unknown_names_are_refused_and_named)
{
    ck_assert(!load(NULL, NULL, "--colour=red"));
    assert_says("--colour: unknown flag; --help lists what is allowed");
    ck_assert(!load(NULL, NULL, "--queue_wait=5"));
    assert_says("--queue_wait: unknown flag; --help lists what is allowed");
    ck_assert(!load(NULL, NULL, "--Queue=5"));
    ck_assert(!load(NULL, NULL, "--queu=5"));
    ck_assert(!load(NULL, NULL, "--queues=5"));
    ck_assert(!load(NULL, NULL, "--=5"));
    ck_assert(!load(NULL, "NOISETILE_QUEUES=5", NULL));
    assert_says("NOISETILE_QUEUES: unknown variable; --help lists what is allowed");
    ck_assert(!load(NULL, "NOISETILE_=5", NULL));
    ck_assert(!load(NULL, "NOISETILE_queue=5", NULL));
    ck_assert(!load("{\"queue-wait\": 5}", NULL, NULL));
    assert_file_says(
        "queue-wait: unknown key; allowed are listen, workers, http_threads, queue, "
        "queue_wait, cache, sending, max_size, max_connections, idle_timeout, head_timeout, "
        "drain_delay, drain_timeout, access_log, log_level, cpu");
    ck_assert(!load("{\"\": 5}", NULL, NULL));
    ck_assert(!load("{\"config\": \"x.json\"}", NULL, NULL));
}
END_TEST

START_TEST(variables_of_others_do_not_count)
{
    ck_assert(load(NULL, "QUEUE=0", NULL));
    ck_assert(load(NULL, "noisetile_queue=0", NULL));
    ck_assert(load(NULL, "XNOISETILE_QUEUE=0", NULL));
    ck_assert(load(NULL, "NOISETILE=0", NULL));
    ck_assert(load(NULL, "NOISETILE_QUEUE", NULL)); /* no variable: it has no "=" */
    ck_assert(load(NULL, "", NULL));
    assert_only_changed(SIZE_MAX);
}
END_TEST

START_TEST(service_variables_of_kubernetes_do_not_count)
{
    static const char *const links[] = {
        "NOISETILE_SERVICE_HOST=10.0.0.1",
        "NOISETILE_SERVICE_PORT=8080",
        "NOISETILE_SERVICE_PORT_HTTP=8080",
        "NOISETILE_PORT=tcp://10.0.0.1:8080",
        "NOISETILE_PORT_8080_TCP=tcp://10.0.0.1:8080",
        "NOISETILE_PORT_8080_TCP_PROTO=tcp",
        "NOISETILE_PORT_8080_TCP_PORT=8080",
        "NOISETILE_PORT_8080_TCP_ADDR=10.0.0.1",
        "NOISETILE_BLUE_SERVICE_HOST=10.0.0.1",
        "NOISETILE_BLUE_PORT=udp://10.0.0.1:8080",
    };
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        ck_assert_msg(load(NULL, links[i], NULL), "%s", said);
        assert_only_changed(SIZE_MAX);
    }
    /* But an operator's slips do. */
    ck_assert(!load(NULL, "NOISETILE_PORT=8080", NULL));
    ck_assert(!load(NULL, "NOISETILE_PORTS=tcp://10.0.0.1:8080", NULL));
    ck_assert(!load(NULL, "NOISETILE_HOST=_SERVICE_HOST=", NULL));
    ck_assert(!load(NULL, "NOISETILE_HOST=_PORT_80", NULL));
    ck_assert(!load(NULL, "NOISETILE_PORT_=80", NULL));
    ck_assert(!load(NULL, "NOISETILE_URL=tcp://10.0.0.1:8080", NULL));
}
END_TEST

START_TEST(a_flag_without_value_is_refused)
{
    char *last[] = {"--workers", "2", "--queue"};
    ck_assert(!config_load(&got, 3, last, NULL, NULL, said, sizeof said));
    assert_says("--queue: a value is missing; --help lists what is allowed");
    char *followed[] = {"--access-log", "--queue", "5"};
    ck_assert(!config_load(&got, 3, followed, NULL, NULL, said, sizeof said));
    assert_says("--access-log: a value is missing; --help lists what is allowed");
    char *path_less[] = {"--config"};
    ck_assert(!config_load(&got, 1, path_less, NULL, NULL, said, sizeof said));
    char *negative[] = {"--queue", "-5"};
    ck_assert(!config_load(&got, 2, negative, NULL, NULL, said, sizeof said));
    ck_assert_ptr_nonnull(strstr(said, "\"-5\" is out of range"));
}
END_TEST

START_TEST(nothing_may_be_given_twice)
{
    char *flags[] = {"--queue-wait=5", "--queue=5", "--queue-wait", "5"};
    ck_assert(!config_load(&got, 4, flags, NULL, NULL, said, sizeof said));
    assert_says("--queue-wait: given twice; allowed is once");
    char *environment[] = {"NOISETILE_CPU=auto", "A=b", "NOISETILE_CPU=auto", NULL};
    ck_assert(!config_load(&got, 0, NULL, environment, NULL, said, sizeof said));
    assert_says("NOISETILE_CPU: given twice; allowed is once");
    ck_assert(!load("{\"queue\": 5, \"cpu\": \"auto\", \"queue\": 5}", NULL, NULL));
    assert_file_says("queue: given twice; allowed is once");
    char *paths[] = {"--config", path, "--config", path};
    ck_assert(!config_load(&got, 4, paths, NULL, NULL, said, sizeof said));
    assert_says("--config: given twice; allowed is once");
}
END_TEST

START_TEST(parsing_stops_at_the_first_argument_that_is_no_flag)
{
    char *argv[] = {"--queue", "5", "--cpu=auto", "0/0/0", "--workers", "-o"};
    int rest = -1;
    ck_assert(config_load(&got, 6, argv, NULL, &rest, said, sizeof said));
    ck_assert_int_eq(rest, 3);
    ck_assert_int_eq(got.queue, 5);
    ck_assert(!config_load(&got, 6, argv, NULL, NULL, said, sizeof said));
    assert_says("\"0/0/0\": unexpected argument; allowed are flags, --help lists them");
    ck_assert(config_load(&got, 3, argv, NULL, &rest, said, sizeof said));
    ck_assert_int_eq(rest, 3);
    char *closed[] = {"--queue=5", "--", "--workers"};
    ck_assert(config_load(&got, 3, closed, NULL, &rest, said, sizeof said));
    ck_assert_int_eq(rest, 2);
    ck_assert(config_load(&got, 0, NULL, NULL, &rest, said, sizeof said));
    ck_assert_int_eq(rest, 0);
}
END_TEST

START_TEST(the_flag_names_the_file_over_the_variable)
{
    write_bytes("{\"queue\": 5}", 12);
    char *argv[] = {"--config", path}, *environment[] = {"NOISETILE_CONFIG=/missing", NULL};
    ck_assert_msg(config_load(&got, 2, argv, environment, NULL, said, sizeof said), "%s", said);
    ck_assert_int_eq(got.queue, 5);
    ck_assert_str_eq(got.file, path);
    ck_assert(!config_load(&got, 0, NULL, environment, NULL, said, sizeof said));
    assert_says("/missing: cannot be read: No such file or directory");
    ck_assert(!load(NULL, "NOISETILE_CONFIG=", NULL));
    assert_says("NOISETILE_CONFIG: the path has 0 bytes; allowed are 1 to 4095");
    ck_assert(!load(NULL, NULL, "--config="));

    char flag[CONFIG_PATH_MAX + 16] = "--config=";
    size_t used = strlen(flag);
    memset(flag + used, '/', CONFIG_PATH_MAX);
    ck_assert(!load(NULL, NULL, flag));
    assert_says("--config: the path has 4096 bytes; allowed are 1 to 4095");
    flag[used + CONFIG_PATH_MAX - 1] = '\0';
    ck_assert(!load(NULL, NULL, flag)); /* it is the root folder, or too long for the kernel */
    ck_assert_ptr_nonnull(strstr(said, "///...: cannot be read: "));
}
END_TEST

/* ---- File ------------------------------------------------------------------------------------ */

/* The shipped example, for the caller to free. */
static char *read_shipped(size_t *len)
{
    char *text = calloc(1, 4096);
    FILE *file = fopen(shipped, "rb");
    ck_assert_msg(file != NULL, "run the tests from the root of the repository");
    *len = fread(text, 1, 4095, file);
    fclose(file);
    return text;
}

START_TEST(the_shipped_file_holds_every_default_in_table_order)
{
    char *argv[] = {"--config", (char *)shipped};
    ck_assert_msg(config_load(&got, 2, argv, NULL, NULL, said, sizeof said), "%s", said);
    size_t len, row = 0;
    char *text = read_shipped(&len);
    cJSON *root = cJSON_Parse(text);
    for (const cJSON *item = root->child; item; item = item->next, row++) {
        ck_assert_ptr_nonnull(config_option(row));
        ck_assert_str_eq(item->string, config_option(row)->key);
        assert_holds(row, config_option(row)->fallback, CONFIG_FILE);
    }
    ck_assert_ptr_null(config_option(row));
    cJSON_Delete(root);
    free(text);
}
END_TEST

START_TEST(a_truncated_file_is_refused_at_every_length)
{
    size_t len;
    char *text = read_shipped(&len);
    size_t whole = (size_t)(strrchr(text, '}') - text) + 1;
    for (size_t cut = 0; cut < whole; cut++) {
        ck_assert_msg(!load_bytes(text, cut), "%zu bytes", cut);
        ck_assert_ptr_nonnull(strstr(said, "not valid JSON"));
    }
    ck_assert(load_bytes(text, whole));
    free(text);
}
END_TEST

START_TEST(syntax_errors_name_line_and_column)
{
    static const struct {
        const char *text, *says;
    } files[] = {
        {"", "line 1, column 1: not valid JSON"},
        {"{\"queue\": }", "line 1, column 11: not valid JSON"},
        {"{\n  \"queue\": 5,\n  oops\n}\n", "line 3, column 4: not valid JSON"},
        {"{\"queue\": 5} x", "line 1, column 14: not valid JSON"},
        {"{\"queue\": 5}\n{}", "line 2, column 1: not valid JSON"},
        {"{\"queue\": 5,}", "line 1, column 14: not valid JSON"},
        {"{\"queue\": 1-2}", "line 1, column 12: not valid JSON"},
        {"{\"cpu\\u0000x\": 1}", "line 1, column 6: NUL is not allowed"},
        {"{\"cpu\": \"auto\\u0000x\"}", "line 1, column 14: NUL is not allowed"},
        {"[]", "is not a JSON object; allowed is one, {\"key\": value, ...}"},
        {"null", "is not a JSON object; allowed is one, {\"key\": value, ...}"},
        {"\"listen\"", "is not a JSON object; allowed is one, {\"key\": value, ...}"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        ck_assert_msg(!load(files[i].text, NULL, NULL), "%s", files[i].text);
        assert_file_says(files[i].says);
    }
    ck_assert(!load_bytes("{\n\"queue\": 5}\0{}", 16));
    assert_file_says("line 2, column 12: NUL is not allowed");
    ck_assert(!load_bytes("{}\n\0", 4));
    ck_assert(load("\xef\xbb\xbf { } \r\n\t", NULL, NULL)); /* byte order mark and space */
}
END_TEST

START_TEST(a_file_may_have_one_mebibyte_and_no_byte_more)
{
    size_t size = 1 << 20;
    char *text = malloc(size + 1);
    memset(text, ' ', size + 1);
    memcpy(text, "{\"queue\":5", 10);
    text[size - 1] = '}';
    ck_assert_msg(load_bytes(text, size), "%s", said);
    ck_assert_int_eq(got.queue, 5);
    ck_assert(!load_bytes(text, size + 1));
    assert_file_says("is too large; allowed are files of up to 1 MiB");
    free(text);
    ck_assert(!load(NULL, NULL, "--config=/dev/zero"));
    assert_says("/dev/zero: is too large; allowed are files of up to 1 MiB");
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_refused)
{
    ck_assert(!load(NULL, NULL, "--config=/tmp"));
    assert_says("/tmp: cannot be read: Is a directory");
    ck_assert(!load(NULL, NULL, "--config=/nowhere/at all\x1b[2J"));
    assert_says("/nowhere/at all\\x1b[2J: cannot be read: No such file or directory");
}
END_TEST

/* The lowest free descriptor stays the same. */
START_TEST(no_file_stays_open)
{
    int before = dup(0), after;
    close(before);
    ck_assert(load("{}", NULL, NULL));
    ck_assert(!load("{", NULL, NULL));
    ck_assert(!load(NULL, NULL, "--config=/tmp"));
    ck_assert(!load(NULL, NULL, "--config=/dev/zero"));
    after = dup(0);
    close(after);
    ck_assert_int_eq(before, after);
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
    enum { DEPTH = 200000 };
    char *text = malloc(DEPTH);
    memset(text, '[', DEPTH);
    ck_assert(!load_bytes(text, DEPTH));
    assert_one_printable_line();
    for (size_t i = 0; i + 5 < DEPTH; i += 5)
        memcpy(text + i, "{\"a\":", 5);
    ck_assert(!load_bytes(text, DEPTH));
    assert_one_printable_line();
    free(text);

    char below_limit[2048] = "{\"queue\": ";
    size_t used = strlen(below_limit);
    memset(below_limit + used, '[', 900);
    memset(below_limit + used + 900, ']', 900);
    strcpy(below_limit + used + 1800, "}");
    ck_assert(!load(below_limit, NULL, NULL));
    assert_file_says("queue: an array is not a whole number; "
                     "allowed are whole numbers from 1 to 65536");
}
END_TEST

/* A fixed sequence (Marsaglia's xorshift, 2003), so that a failure comes back. */
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

START_TEST(random_bytes_are_refused)
{
    uint32_t state = 1;
    for (int round = 0; round < 1000; round++) {
        unsigned char bytes[256];
        size_t len = 1 + next_random(&state) % sizeof bytes;
        for (size_t i = 0; i < len; i++)
            bytes[i] = (unsigned char)(next_random(&state) >> 24);
        ck_assert(!load_bytes(bytes, len));
        assert_one_printable_line();
    }
}
END_TEST

/* A damaged file is refused with a message or still means allowed values, never anything else. */
START_TEST(damaged_files_do_no_harm)
{
    uint32_t state = 2;
    size_t len;
    char *text = read_shipped(&len);
    int refused = 0, read = 0;
    for (int round = 0; round < 2000; round++) {
        char damaged[4096];
        memcpy(damaged, text, len);
        for (uint32_t left = 1 + next_random(&state) % 3; left; left--)
            damaged[next_random(&state) % len] =
                "\"\\{}[],:0123456789.eE+-tfn\xff\x01 u"[next_random(&state) % 31];
        if (!load_bytes(damaged, len)) {
            assert_one_printable_line();
            refused++;
            continue;
        }
        read++;
        for (size_t row = 0; config_option(row); row++) {
            const struct config_option *option = config_option(row);
            const void *field = (const char *)&got + option->offset;
            if (option->type == CONFIG_INTEGER) {
                ck_assert_int_ge(*(const int64_t *)field, option->min);
                ck_assert_int_le(*(const int64_t *)field, option->max);
            } else if (option->type == CONFIG_TEXT) {
                ck_assert(option->valid(field));
            }
        }
    }
    ck_assert_int_gt(refused, 500);
    ck_assert_int_gt(read, 20);
    free(text);
}
END_TEST

/* ---- Messages -------------------------------------------------------------------------------- */

START_TEST(foreign_text_is_escaped_and_cut)
{
    ck_assert(!load(NULL, NULL, "--queue=\x1b[31m\n\xc3\xa4\\"));
    assert_says("--queue: \"\\x1b[31m\\x0a\\xc3\\xa4\\x5c\" is not a whole number; "
                "allowed are whole numbers from 1 to 65536");
    ck_assert(!load("{\"a\\nb\": 1}", NULL, NULL));
    ck_assert_ptr_nonnull(strstr(said, ": a\\x0ab: unknown key; "));
    ck_assert(!load(NULL, "NOISETILE_\r\n=1", NULL));
    assert_says("NOISETILE_\\x0d\\x0a: unknown variable; --help lists what is allowed");

    char flag[1000];
    for (size_t len = 60; len < 100; len++) {
        memset(flag, '\t', sizeof flag);
        memcpy(flag, "--queue=", 8);
        flag[len] = '\0';
        ck_assert(!load(NULL, NULL, flag));
        ck_assert_ptr_nonnull(strstr(said, "\\x09...\" is not a whole number; allowed are "));
        ck_assert_uint_lt(strlen(said), 180);
        memset(flag, 'x', len);
        memcpy(flag, "--", 2);
        ck_assert(!load(NULL, NULL, flag));
        ck_assert_ptr_nonnull(strstr(said, "x: unknown") ? strstr(said, "x: unknown")
                                                         : strstr(said, "...: unknown"));
    }
}
END_TEST

START_TEST(the_longest_message_still_says_what_is_allowed)
{
    /* A path that exists, is long, and holds bytes that grow when escaped. */
    char folder[] = "/tmp/noisetile-test-XXXXXX", file[600], name[240];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    memset(name, '\n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *out = fopen(file, "wb");
    ck_assert_ptr_nonnull(out);
    fprintf(out, "{\"%s%s\": 1}", "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk",
            "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk");
    fclose(out);
    char *argv[] = {"--config", file};
    ck_assert(!config_load(&got, 2, argv, NULL, NULL, said, sizeof said));
    unlink(file);
    rmdir(folder);
    assert_one_printable_line();
    ck_assert_ptr_nonnull(strstr(said, "\\x0a...: kkkk"));
    ck_assert_ptr_nonnull(strstr(said, "k...: unknown key; allowed are listen, "));
    ck_assert_str_eq(said + strlen(said) - 16, ", log_level, cpu");
}
END_TEST

START_TEST(a_small_message_buffer_is_not_overrun)
{
    for (size_t size = 0; size < 40; size++) {
        char small[64], *argv[] = {"--queue=x"};
        memset(small, '#', sizeof small);
        ck_assert(!config_load(&got, 1, argv, NULL, NULL, small, size));
        for (size_t i = size; i < sizeof small; i++)
            ck_assert_int_eq(small[i], '#');
        if (size)
            ck_assert_uint_eq(strlen(small), size - 1);
    }
}
END_TEST

/* ---- For people ------------------------------------------------------------------------------ */

/* What print wrote, until the next call; NULL = config_print. */
static const char *printed(void (*print)(FILE *))
{
    static char text[8192];
    FILE *out = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(out);
    if (print)
        print(out);
    else
        config_print(&got, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static size_t count_rows(void)
{
    size_t rows = 0;
    while (config_option(rows))
        rows++;
    return rows;
}

START_TEST(print_shows_values_and_sources_aligned)
{
    ck_assert(load("{\"queue\": 1, \"access_log\": false, \"cpu\": \"avx2\"}",
                   "NOISETILE_QUEUE_WAIT=2", "--drain-timeout=3"));
    const char *text = printed(NULL);
    char file_lines[512];
    ck_assert_uint_eq(count_lines(text), count_rows());
    ck_assert_ptr_eq(strstr(text, "listen          = 127.0.0.1:8080   (default)\n"), text);
    snprintf(file_lines, sizeof file_lines, "\nqueue           = 1                (file %s)\n",
             path);
    ck_assert_ptr_nonnull(strstr(text, file_lines));
    ck_assert_ptr_nonnull(
        strstr(text, "\nqueue_wait      = 2                (environment NOISETILE_QUEUE_WAIT)\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "\ndrain_timeout   = 3                (flag --drain-timeout)\n"));
    snprintf(file_lines, sizeof file_lines,
             "\naccess_log      = false            (file %s)\n"
             "log_level       = info             (default)\n"
             "cpu             = avx2             (file %s)\n",
             path, path);
    ck_assert_ptr_nonnull(strstr(text, file_lines));
}
END_TEST

START_TEST(help_lists_every_flag_aligned)
{
    const char *text = printed(config_help);
    const char *meaning = strstr(text, "meaning\n");
    ck_assert_ptr_nonnull(meaning);
    for (size_t row = 0; config_option(row); row++) {
        const struct config_option *option = config_option(row);
        const char *flag = flag_of(option, "");
        char start[64];
        snprintf(start, sizeof start, "\n  %.*s ", (int)strcspn(flag, "="), flag);
        const char *line = strstr(text, start);
        ck_assert_msg(line != NULL, "%s", start);
        const char *help = strstr(line, option->help);
        ck_assert_ptr_nonnull(help);
        ck_assert_int_eq(help - line - 1, meaning - text);
        ck_assert_ptr_nonnull(strstr(line, option->fallback));
        ck_assert(strstr(line, option->fallback) < help);
    }
    ck_assert_ptr_nonnull(strstr(text, "  1 to 600000 (ms) "));
    ck_assert_ptr_nonnull(strstr(text, "  auto, baseline, avx2 "));
    ck_assert_ptr_nonnull(strstr(text, "\n  --config "));
}
END_TEST

START_TEST(markdown_has_six_columns_for_every_option)
{
    const char *text = printed(config_markdown);
    ck_assert_uint_eq(count_lines(text), count_rows() + 3); /* two of head, one for --config */
    size_t bars = 0;
    for (const char *c = text; *c; c++) {
        bars += *c == '|';
        if (*c == '\n') {
            ck_assert_uint_eq(bars, 7);
            bars = 0;
        }
    }
    ck_assert_ptr_nonnull(strstr(text, "\n| `queue_wait` | `NOISETILE_QUEUE_WAIT` | "
                                       "`--queue-wait` | `2000` | 1 to 600000 (ms) | how long"));
    ck_assert_ptr_nonnull(strstr(text, "\n| | `NOISETILE_CONFIG` | `--config` | no file | "));
}
END_TEST

Suite *config_suite(void)
{
    const TTest *const tests[] = {
        /* Check's tests are variables, so not static */
        every_option_starts_at_its_default,
        keys_are_lower_case_and_distinct,
        log_levels_count_as_the_log_does,
        every_option_is_set_by_file_environment_and_flag,
        a_flag_may_take_the_next_argument_as_its_value,
        flags_win_over_environment_over_file,
        a_bad_value_is_refused_even_if_overridden,
        integers_end_where_the_table_says,
        integers_have_one_spelling,
        huge_integers_are_out_of_range,
        numbers_of_the_file_may_be_spelled_as_json_likes,
        booleans_are_true_or_false,
        choices_are_exact_names,
        the_file_refuses_values_of_another_type,
        listen_takes_numeric_addresses_and_localhost,
        listen_refuses_everything_else,
        text_longer_than_its_field_is_refused,
        listen_refuses_hosts_of_any_length,
        unknown_names_are_refused_and_named,
        variables_of_others_do_not_count,
        service_variables_of_kubernetes_do_not_count,
        a_flag_without_value_is_refused,
        nothing_may_be_given_twice,
        parsing_stops_at_the_first_argument_that_is_no_flag,
        the_flag_names_the_file_over_the_variable,
        the_shipped_file_holds_every_default_in_table_order,
        a_truncated_file_is_refused_at_every_length,
        syntax_errors_name_line_and_column,
        a_file_may_have_one_mebibyte_and_no_byte_more,
        a_file_that_cannot_be_read_is_refused,
        no_file_stays_open,
        deep_nesting_is_refused,
        random_bytes_are_refused,
        damaged_files_do_no_harm,
        foreign_text_is_escaped_and_cut,
        the_longest_message_still_says_what_is_allowed,
        a_small_message_buffer_is_not_overrun,
        print_shows_values_and_sources_aligned,
        help_lists_every_flag_aligned,
        markdown_has_six_columns_for_every_option,
    };
    Suite *suite = suite_create("config");
    TCase *facts = tcase_create("facts");
    tcase_set_timeout(facts, 60); /* s; sanitizers on a loaded machine are slow */
    tcase_add_checked_fixture(facts, make_file, remove_file);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(facts, tests[i]);
    suite_add_tcase(suite, facts);
    return suite;
}
