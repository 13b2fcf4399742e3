/*
 * The sub-commands, run as a user runs them: exit statuses, where messages go, and that `render`
 * writes the server's bytes or nothing. Options themselves are tested in tests/unit/test_config.c.
 */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/noisetile.h"
#include "tests/e2e/checks.h"
#include "tests/suites.h"

/* ---- Judging outcomes ------------------------------------------------------------------------ */

static const char *const commands[] = {"serve",  "render", "verify", "healthcheck",
                                       "config", "params", "version"};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void check_silent_success(const struct outcome *outcome, const char *what)
{
    ck_assert_msg(outcome->status == 0, "%s: %d, %s", what, outcome->status, outcome->err);
    ck_assert_msg(outcome->err[0] == '\0', "%s complains: %s", what, outcome->err);
}

/* One line for people on standard error, nothing for programs on standard output. */
static void check_failure(const struct outcome *outcome, int status, const char *what)
{
    size_t len = strlen(outcome->err);

    ck_assert_msg(outcome->status == status, "%s: %d, not %d: %s", what, outcome->status, status,
                  outcome->err);
    ck_assert_msg(strncmp(outcome->err, "noisetile: ", 11) == 0, "%s: %s", what, outcome->err);
    ck_assert_msg(len > 12 && strchr(outcome->err, '\n') == outcome->err + len - 1,
                  "%s: not one line: %s", what, outcome->err);
    ck_assert_msg(outcome->out_len == 0, "%s: printed %s", what, outcome->out);
}

/* ---- A directory of its own ------------------------------------------------------------------ */

static char folder[64];

static void folder_make(void)
{
    snprintf(folder, sizeof folder, "/tmp/noisetile-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* Removes what is in it, too; returns how many files there were. */
static int folder_remove(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int files = 0;

    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2) {
            ck_assert_int_eq(unlinkat(dirfd(dir), entry->d_name, 0), 0);
            files++;
        }
    closedir(dir);
    ck_assert_int_eq(rmdir(folder), 0);
    return files;
}

static const char *in_folder(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "re");
    struct stat status;
    char *bytes;

    ck_assert_msg(file != NULL, "there is no %s", path);
    ck_assert_int_eq(fstat(fileno(file), &status), 0);
    *len = (size_t)status.st_size;
    bytes = malloc(*len + 1);
    ck_assert_uint_eq(fread(bytes, 1, *len, file), *len);
    bytes[*len] = '\0';
    fclose(file);
    return bytes;
}

/* ---- Help, version, usage -------------------------------------------------------------------- */

START_TEST(help_is_everywhere_and_succeeds)
{
    struct outcome outcome = command_run("--help", NULL);

    check_silent_success(&outcome, "--help");
    for (int i = 0; i < COMMANDS; i++) {
        ck_assert_msg(strstr(outcome.out, commands[i]) != NULL, "--help hides %s", commands[i]);

        struct outcome own = command_run(commands[i], "--help", NULL);
        check_silent_success(&own, commands[i]);
        ck_assert_ptr_nonnull(strstr(own.out, commands[i]));
        outcome_free(&own);
    }
    outcome_free(&outcome);
}
END_TEST

START_TEST(help_is_made_from_the_tables)
{
    struct outcome serve = command_run("serve", "--help", NULL);
    struct outcome render = command_run("render", "--help", NULL);
    struct nt_param_info info;

    ck_assert_ptr_nonnull(strstr(serve.out, "--queue-wait"));
    for (size_t i = 0; i < nt_param_count(); i++) {
        nt_param_describe(i, &info);
        bool told = strstr(render.out, info.help) != NULL;
        ck_assert_msg(told == (info.group != NT_GROUP_SAMPLE), "%s: told is %d", info.name, told);
    }
    outcome_free(&serve);
    outcome_free(&render);
}
END_TEST

START_TEST(version_tells_release_engine_and_level)
{
    static const char *const spellings[] = {"version", "--version"};
    char start[64];

    snprintf(start, sizeof start, "noisetile %s, engine version %d, ", NT_RELEASE,
             NT_ENGINE_VERSION);
    for (int i = 0; i < 2; i++) {
        struct outcome outcome = command_run(spellings[i], NULL);

        check_silent_success(&outcome, spellings[i]);
        ck_assert_msg(strncmp(outcome.out, start, strlen(start)) == 0, "%s", outcome.out);
        outcome_free(&outcome);
    }
}
END_TEST

START_TEST(params_prints_the_table)
{
    struct outcome plain = command_run("params", NULL);
    struct outcome table = command_run("params", "--markdown", NULL);
    struct nt_param_info info;

    check_silent_success(&plain, "params");
    check_silent_success(&table, "params --markdown");
    for (size_t i = 0; i < nt_param_count(); i++) {
        char row[64];

        nt_param_describe(i, &info);
        snprintf(row, sizeof row, "\n| `%s`", info.name);
        ck_assert_msg(strstr(table.out, row) != NULL, "no row of %s", info.name);
        ck_assert_msg(strstr(plain.out, info.name) != NULL, "no line of %s", info.name);
    }
    outcome_free(&plain);
    outcome_free(&table);
}
END_TEST

START_TEST(config_tells_values_and_where_they_came_from)
{
    struct outcome outcome;

    folder_make();
    write_file(in_folder("c.json"), "{\"queue\": 77, \"workers\": 5, \"cache\": 9}");
    outcome = command_run("NOISETILE_WORKERS=4", "NOISETILE_CACHE=8", "config", "--config",
                          in_folder("c.json"), "--workers", "3", NULL);
    check_silent_success(&outcome, "config");
    for (char *line = strtok(outcome.out, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strstr(line, "workers") == line)
            ck_assert_msg(strstr(line, "3") && strstr(line, "--workers"), "%s", line);
        if (strstr(line, "cache") == line)
            ck_assert_msg(strstr(line, "8") && strstr(line, "NOISETILE_CACHE"), "%s", line);
        if (strstr(line, "queue ") == line)
            ck_assert_msg(strstr(line, "77") && strstr(line, "c.json"), "%s", line);
    }
    outcome_free(&outcome);
    folder_remove();
}
END_TEST

START_TEST(a_usage_error_is_one_line_and_status_2)
{
    static const char *const wrong[][5] = {
        {NULL},
        {""},
        {"nope"},
        {"SERVE"},
        {"serve", "--nope"},
        {"serve", "--nope", "1"},
        {"serve", "nope"},
        {"serve", "--workers"},
        {"serve", "--workers", "x"},
        {"serve", "--workers", "-1"},
        {"serve", "--workers", "99999999999999999999"},
        {"serve", "--workers=1", "--workers=2"},
        {"serve", "--listen", "nowhere"},
        {"serve", "--listen", "127.0.0.1:65536"},
        {"serve", "--log-level", "loud"},
        {"serve", "--config", "/nonexistent/noisetile.json"},
        {"serve", "--config", "/"},
        {"NOISETILE_NOPE=1", "serve"},
        {"NOISETILE_QUEUE=0", "serve"},
        {"healthcheck", "--nope"},
        {"healthcheck", "nope"},
        {"config", "--nope"},
        {"config", "nope"},
        {"config", "--markdown", "nope"},
        {"params", "nope"},
        {"verify", "nope"},
        {"verify", "--nope"},
        {"verify", "--cpu", "nope"},
        {"version", "nope"},
        {"render"},
        {"render", "0/0/0"},
        {"render", "-o", "/dev/null"},
        {"render", "0/0/0", "-o"},
    };
    char what[256];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct outcome outcome =
            command_run(wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3], NULL);

        snprintf(what, sizeof what, "%s %s %s", wrong[i][0] ? wrong[i][0] : "(nothing)",
                 wrong[i][0] && wrong[i][1] ? wrong[i][1] : "",
                 wrong[i][0] && wrong[i][1] && wrong[i][2] ? wrong[i][2] : "");
        check_failure(&outcome, 2, what);
        outcome_free(&outcome);
    }
}
END_TEST

START_TEST(a_wrong_configuration_file_is_status_2_and_names_file_and_key)
{
    static const struct {
        const char *text, *named;
    } wrong[] = {
        {"{\"wokers\": 1}", "wokers"},
        {"{\"workers\": \"1\"}", "workers"},
        {"{\"workers\": 1.5}", "workers"},
        {"{\"workers\": 9999}", "workers"},
        {"{\"access_log\": 1}", "access_log"},
        {"{\"workers\": 1", "line 1"},
        {"", "c.json"},
        {"[]", "c.json"},
    };

    folder_make();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct outcome outcome;

        write_file(in_folder("c.json"), wrong[i].text);
        outcome = command_run("serve", "--config", in_folder("c.json"), NULL);
        check_failure(&outcome, 2, wrong[i].text);
        ck_assert_msg(strstr(outcome.err, "c.json") && strstr(outcome.err, wrong[i].named),
                      "%s: %s", wrong[i].text, outcome.err);
        outcome_free(&outcome);
    }
    folder_remove();
}
END_TEST

START_TEST(output_that_cannot_be_written_is_status_1)
{
    struct outcome outcome = command_run("render", "0/0/0", "-o", "/nonexistent/tile.png", NULL);

    check_failure(&outcome, 1, "a directory that is not there");
    ck_assert_ptr_nonnull(strstr(outcome.err, "/nonexistent/tile.png"));
    outcome_free(&outcome);
    outcome = command_run("render", "0/0/0", "-o", "/dev/full", NULL);
    check_failure(&outcome, 1, "a device that is full");
    outcome_free(&outcome);
}
END_TEST

/* ---- Beside a server ------------------------------------------------------------------------- */

START_TEST(a_port_in_use_is_status_1_and_named)
{
    char address[64];
    struct outcome outcome;

    snprintf(address, sizeof address, "127.0.0.1:%d", served.port);
    outcome = command_run("serve", "--listen", address, NULL);
    check_failure(&outcome, 1, "a port in use");
    ck_assert_msg(strstr(outcome.err, address) != NULL, "%s", outcome.err);
    outcome_free(&outcome);
    ck_assert(server_alive(&served));
}
END_TEST

START_TEST(healthcheck_asks_the_server_of_its_configuration)
{
    char flag[64], variable[80];
    struct outcome outcome;

    snprintf(flag, sizeof flag, "--listen=127.0.0.1:%d", served.port);
    snprintf(variable, sizeof variable, "NOISETILE_LISTEN=0.0.0.0:%d", served.port);
    outcome = command_run("healthcheck", flag, NULL);
    check_silent_success(&outcome, flag);
    outcome_free(&outcome);
    outcome = command_run(variable, "healthcheck", NULL);
    check_silent_success(&outcome, variable);
    outcome_free(&outcome);
    outcome = command_run("healthcheck", "--listen=127.0.0.1:1", NULL);
    check_failure(&outcome, 1, "no server there");
    outcome_free(&outcome);
}
END_TEST

START_TEST(healthcheck_fails_while_draining)
{
    struct server server = server_start("--drain-delay", "30", NULL);
    double end = seconds_now() + 10;
    struct outcome outcome;
    char flag[64];

    snprintf(flag, sizeof flag, "--listen=127.0.0.1:%d", server.port);
    server_signal(&server, SIGTERM);
    outcome = command_run("healthcheck", flag, NULL);
    while (outcome.status == 0 && seconds_now() < end) {
        outcome_free(&outcome);
        outcome = command_run("healthcheck", flag, NULL);
    }
    check_failure(&outcome, 1, "a draining server");
    outcome_free(&outcome);
    server_signal(&server, SIGKILL);
    server_wait(&server, 10);
}
END_TEST

/* ---- render ---------------------------------------------------------------------------------- */

START_TEST(render_writes_the_servers_bytes)
{
    static const struct {
        const char *place, *query;
    } tiles[] = {
        {"3/2/5", ""},
        {"3/2/5@2x", "size=100&seed=-7"},
        {"12/4095/0", "?noise=value&gain=0.25&sampling=point&buffer=2&size=31"},
        {"5/-3/40@3x", "domain=plane&size=9&min=-0.5&max=0.5"},
    };
    static const char *const formats[] = {"png", "json", "bin", "npy", "r16"};

    folder_make();
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles * 5; i++) {
        const char *place = tiles[i / 5].place, *query = tiles[i / 5].query;
        const char *format = formats[i % 5];
        char name[32];
        size_t len;

        snprintf(name, sizeof name, "tile.%s", format);
        struct outcome outcome = command_run("render", place, query, "-o", in_folder(name), NULL);
        check_silent_success(&outcome, place);
        ck_assert_uint_eq(outcome.out_len, 0);
        char *bytes = read_file(in_folder(name), &len);
        struct answer answer =
            get(&served, "/tile/%s.%s?%s", place, format, *query == '?' ? query + 1 : query);
        ck_assert_int_eq(answer.status, 200);
        ck_assert_uint_eq(len, answer.len);
        ck_assert_mem_eq(bytes, answer.body, len);
        free(bytes);
        answer_free(&answer);
        outcome_free(&outcome);
    }
    ck_assert_int_eq(folder_remove(), 5); /* nothing was left beside them */
}
END_TEST

START_TEST(render_writes_to_standard_output)
{
    struct outcome outcome = command_run("render", "3/2/5.json", "size=4", "-o", "-", NULL);
    struct answer answer = get(&served, "/tile/3/2/5.json?size=4");

    check_silent_success(&outcome, "-o -");
    ck_assert_uint_eq(outcome.out_len, answer.len);
    ck_assert_mem_eq(outcome.out, answer.body, answer.len);
    outcome_free(&outcome);
    answer_free(&answer);
}
END_TEST

START_TEST(a_refused_tile_leaves_no_file)
{
    static const struct {
        const char *place, *query, *file;
    } wrong[] = {
        {"3/8/0", "", "a.png"},
        {"31/0/0", "", "a.png"},
        {"3/2", "", "a.png"},
        {"3/2/05", "", "a.png"},
        {"3/2/5@5x", "", "a.png"},
        {"3/2/5", "seed=x", "a.png"},
        {"3/2/5", "nope=1", "a.png"},
        {"3/2/5", "seed=1&", "a.png"},
        {"3/2/5", "v=2", "a.png"},
        {"3/2/5", "size=2000", "a.png"},
        {"3/2/5", "format=json", "a.png"},
        {"3/2/5", "", "a.jpg"},
        {"3/2/5.json", "", "a.png"},
        {"3/2/5.jpg", "", "a"},
        {"3/2/5", "seed=\xff\n\x1b", "a.png"},
    };

    folder_make();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct outcome outcome = command_run("render", wrong[i].place, wrong[i].query, "-o",
                                             in_folder(wrong[i].file), NULL);

        check_failure(&outcome, 2, wrong[i].place);
        ck_assert_msg(strpbrk(outcome.err, "\x1b\x07") == NULL, "control characters");
        outcome_free(&outcome);
    }
    ck_assert_int_eq(folder_remove(), 0);
}
END_TEST

START_TEST(a_refused_tile_leaves_the_old_file_as_it_was)
{
    struct outcome outcome;
    size_t len;
    char *text;

    folder_make();
    write_file(in_folder("a.png"), "old");
    outcome = command_run("render", "3/8/0", "-o", in_folder("a.png"), NULL);
    check_failure(&outcome, 2, "outside the grid");
    outcome_free(&outcome);
    text = read_file(in_folder("a.png"), &len);
    ck_assert_str_eq(text, "old");
    free(text);
    outcome = command_run("render", "3/7/0", "-o", in_folder("a.png"), NULL);
    check_silent_success(&outcome, "inside the grid");
    outcome_free(&outcome);
    text = read_file(in_folder("a.png"), &len);
    ck_assert_mem_eq(text, "\x89PNG", 4);
    free(text);
    ck_assert_int_eq(folder_remove(), 1);
}
END_TEST

Suite *commands_suite(void)
{
    Suite *suite = suite_create("commands");
    TCase *usage = tcase_create("usage"), *beside = served_group("beside a server");

    tcase_set_timeout(usage, SERVED_TIMEOUT_S);
    tcase_add_test(usage, help_is_everywhere_and_succeeds);
    tcase_add_test(usage, help_is_made_from_the_tables);
    tcase_add_test(usage, version_tells_release_engine_and_level);
    tcase_add_test(usage, params_prints_the_table);
    tcase_add_test(usage, config_tells_values_and_where_they_came_from);
    tcase_add_test(usage, a_usage_error_is_one_line_and_status_2);
    tcase_add_test(usage, a_wrong_configuration_file_is_status_2_and_names_file_and_key);
    tcase_add_test(usage, output_that_cannot_be_written_is_status_1);
    tcase_add_test(beside, a_port_in_use_is_status_1_and_named);
    tcase_add_test(beside, healthcheck_asks_the_server_of_its_configuration);
    tcase_add_test(beside, healthcheck_fails_while_draining);
    tcase_add_test(beside, render_writes_the_servers_bytes);
    tcase_add_test(beside, render_writes_to_standard_output);
    tcase_add_test(beside, a_refused_tile_leaves_no_file);
    tcase_add_test(beside, a_refused_tile_leaves_the_old_file_as_it_was);
    suite_add_tcase(suite, usage);
    suite_add_tcase(suite, beside);
    return suite;
}
