/*
 * The self-check, as /verify and as `noisetile verify`: both are tests/golden/verify.txt, whatever
 * the instruction level, and each of its lines is what the server sends for that URL.
 */
#include <check.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/noisetile.h"
#include "tests/e2e/checks.h"
#include "tests/suites.h"

#define GOLDEN "tests/golden/verify.txt"

static const char new_list[] =
    "If bits were meant to change, raise NT_ENGINE_VERSION in core/noisetile.h; then, or if only "
    "references were added, build, put the digests of the lines `overall` and `png` of `noisetile "
    "verify` into server/verify.c, and run: build/noisetile verify | grep -v '^level ' >" GOLDEN;

/* ---- The golden list ------------------------------------------------------------------------- */

enum { LINES_MAX = 1000 };

/* A list of references: its lines, then its name and digest. */
struct list {
    size_t count;
    const char *sha256[LINES_MAX], *url[LINES_MAX];
    const char *overall;
};

enum { SAMPLES_LIST, PNG_LIST, LISTS };
static const char *const names[LISTS] = {"overall", "png"};

static struct {
    char *text;
    struct list list[LISTS];
    int engine;
} golden;

static char *read_golden(void)
{
    FILE *file = fopen(GOLDEN, "re");
    char *text = calloc(1, 1 << 18);

    ck_assert_msg(file != NULL, "no %s (run from the repository's root)", GOLDEN);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_gt(fread(text, 1, (1 << 18) - 1, file), 0);
    fclose(file);
    return text;
}

static void list_load(struct list *list, const char *name, char **rest)
{
    size_t len = strlen(name);
    char *line;

    list->count = 0;
    list->overall = NULL;
    while (list->overall == NULL && (line = strtok_r(NULL, "\n", rest)) != NULL) {
        if (strncmp(line, name, len) == 0 && line[len] == ' ') {
            list->overall = line + len + 1;
            continue;
        }
        ck_assert_msg(strlen(line) > 66 && strncmp(line + 64, "  ", 2) == 0, "%s", line);
        ck_assert_uint_lt(list->count, LINES_MAX);
        line[64] = '\0';
        list->sha256[list->count] = line;
        list->url[list->count++] = line + 66;
    }
    ck_assert_msg(list->overall != NULL, "no line %s", name);
}

static void golden_load(void)
{
    char *line, *rest;

    golden.text = read_golden();
    line = strtok_r(golden.text, "\n", &rest);
    ck_assert_msg(line != NULL && sscanf(line, "engine %d", &golden.engine) == 1,
                  "its first line does not name the engine version");
    for (int i = 0; i < LISTS; i++)
        list_load(&golden.list[i], names[i], &rest);
    line = strtok_r(NULL, "\n", &rest);
    ck_assert_msg(line == NULL, "a line after the last digest: %s", line);
}

static void golden_free(void)
{
    free(golden.text);
}

static void hex_of(struct sha256_ctx *sha, char hex[65])
{
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_digest(sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

START_TEST(the_golden_list_is_of_this_engine_version)
{
    ck_assert_msg(golden.engine == NT_ENGINE_VERSION, "%s is of engine version %d, this is %d. %s",
                  GOLDEN, golden.engine, NT_ENGINE_VERSION, new_list);
}
END_TEST

START_TEST(the_overall_digests_are_of_the_lines)
{
    const struct list *list = &golden.list[_i];
    struct sha256_ctx sha;
    char line[512], hex[65];

    sha256_init(&sha);
    for (size_t i = 0; i < list->count; i++) {
        int len = snprintf(line, sizeof line, "%s  %s\n", list->sha256[i], list->url[i]);

        sha256_update(&sha, (size_t)len, (const uint8_t *)line);
    }
    hex_of(&sha, hex);
    ck_assert_str_eq(hex, list->overall);
}
END_TEST

static bool is_in(const struct list *list, const char *pair)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *at = strstr(list->url[i], pair);
        char end = at != NULL ? at[strlen(pair)] : 'x';

        if (end == '\0' || end == '&')
            return true;
    }
    return false;
}

/* Every name of a parameter's choices occurs: a new kind, fractal or style needs references, too. */
static void check_choices(const struct list *list, const char *name)
{
    struct nt_param_info info = {0};
    char *rest, *word;

    for (size_t i = 0; info.name == NULL || strcmp(info.name, name) != 0; i++) {
        ck_assert_uint_lt(i, nt_param_count());
        nt_param_describe(i, &info);
    }
    for (word = strtok_r(info.allowed, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        char pair[64];

        snprintf(pair, sizeof pair, "%s=%s", info.name, word);
        ck_assert_msg(strcmp(word, info.default_text) == 0 || is_in(list, pair),
                      "no reference has %s", pair);
    }
}

START_TEST(every_choice_is_in_a_list)
{
    static const char *const of_samples[] = {"noise", "fractal", "domain",
                                             "cell",  "lod",     "sampling"};
    static const char *const of_png[] = {"style", "bits"};

    for (size_t i = 0; i < sizeof of_samples / sizeof *of_samples; i++)
        check_choices(&golden.list[SAMPLES_LIST], of_samples[i]);
    for (size_t i = 0; i < sizeof of_png / sizeof *of_png; i++)
        check_choices(&golden.list[PNG_LIST], of_png[i]);
}
END_TEST

/* ---- The command ----------------------------------------------------------------------------- */

static char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');

    ck_assert_msg(end != NULL, "a line is missing or not ended: %s", line);
    *end = '\0';
    *text = end + 1;
    return line;
}

static void check_command(const char *cpu)
{
    struct outcome outcome = command_run("verify", "--cpu", cpu, NULL);
    char *text = outcome.out, expected[512];

    snprintf(expected, sizeof expected, "engine %d", golden.engine);
    ck_assert_str_eq(next_line(&text), expected);
    ck_assert_int_eq(strncmp(next_line(&text), "level ", 6), 0);
    for (int l = 0; l < LISTS; l++) {
        const struct list *list = &golden.list[l];

        for (size_t i = 0; i < list->count; i++) {
            const char *line = next_line(&text);

            snprintf(expected, sizeof expected, "%s  %s", list->sha256[i], list->url[i]);
            ck_assert_msg(strcmp(line, expected) == 0,
                          "--cpu %s computes other bits:\n%s, not\n%s\n%s", cpu, line, expected,
                          new_list);
        }
        snprintf(expected, sizeof expected, "%s %s", names[l], list->overall);
        ck_assert_str_eq(next_line(&text), expected);
    }
    ck_assert_str_eq(text, "");
    ck_assert_msg(outcome.status == 0, "status %d: %s%s", outcome.status, outcome.err, new_list);
    ck_assert_str_eq(outcome.err, "");
    outcome_free(&outcome);
}

START_TEST(the_command_prints_the_golden_list_at_every_level)
{
    check_command("baseline");
    check_command("auto");
}
END_TEST

/* ---- The document ---------------------------------------------------------------------------- */

static const char *text_in(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

    ck_assert_msg(text != NULL, "no text %s", key);
    return text;
}

static void check_references(const cJSON *object, const struct list *list)
{
    const cJSON *tiles = cJSON_GetObjectItem(object, "tiles"), *tile;
    size_t i = 0;

    ck_assert_str_eq(text_in(object, "sha256"), list->overall);
    ck_assert_uint_eq((size_t)cJSON_GetArraySize(tiles), list->count);
    cJSON_ArrayForEach(tile, tiles)
    {
        ck_assert_str_eq(text_in(tile, "url"), list->url[i]);
        ck_assert_str_eq(text_in(tile, "sha256"), list->sha256[i]);
        i++;
    }
}

static void check_document(const struct answer *answer, const char *level)
{
    cJSON *document = json_of(answer);

    ck_assert_int_eq(cJSON_GetObjectItem(document, "version")->valueint, golden.engine);
    if (level != NULL)
        ck_assert_str_eq(text_in(document, "level"), level);
    check_references(document, &golden.list[SAMPLES_LIST]);
    check_references(cJSON_GetObjectItem(document, "png"), &golden.list[PNG_LIST]);
    cJSON_Delete(document);
}

START_TEST(the_document_is_the_golden_list)
{
    struct answer answer = get(&served, "/verify");

    ck_assert_int_eq(answer.status, 200);
    check_header(&answer, "Content-Type", "application/json");
    check_header(&answer, "Cache-Control", "public, max-age=300");
    check_document(&answer, nt_level());
    answer_free(&answer);
}
END_TEST

START_TEST(the_document_of_the_baseline_tells_its_level)
{
    struct server server = server_start("--cpu", "baseline", "--cache", "0", NULL);
    struct answer answer = get(&server, "/verify");

    check_document(&answer, "baseline");
    answer_free(&answer);
    ck_assert_int_eq(server_stop(&server), 0);
}
END_TEST

START_TEST(the_document_is_kept_and_revalidated)
{
    struct answer first = get(&served, "/verify"), again = get(&served, "/verify");
    struct answer zipped = get_with("/verify", "Accept-Encoding: gzip"), known;
    unsigned char *plain;
    char line[128];
    size_t len;

    ck_assert(same_body(&first, &again) && same_header(&first, &again, "ETag"));
    check_header(&first, "Vary", "Accept-Encoding");
    check_header(&zipped, "Content-Encoding", "gzip");
    ck_assert(!same_header(&first, &zipped, "ETag"));
    plain = gunzip(zipped.body, zipped.len, &len);
    ck_assert(len == first.len && memcmp(plain, first.body, len) == 0);
    snprintf(line, sizeof line, "If-None-Match: %s", header(&first, "ETag"));
    known = get_with("/verify", line);
    ck_assert_int_eq(known.status, 304);
    check_refused("/verify?a=1", 400, NULL);
    check_accepted("/verify?");
    check_refused("/verify/", 404, NULL);
    free(plain);
    answer_free(&first);
    answer_free(&again);
    answer_free(&zipped);
    answer_free(&known);
}
END_TEST

enum { CROWD = 16 };

struct crowd {
    struct server server;
    struct answer answers[CROWD];
};

static void ask(size_t i, void *context)
{
    struct crowd *crowd = context;
    static const char *const methods[] = {"GET", "HEAD"};

    crowd->answers[i] = request(&crowd->server, methods[i % 2], "/verify", NULL);
}

START_TEST(many_who_ask_at_once_get_one_document)
{
    struct crowd crowd = {.server = server_start("--workers", "1", NULL)};

    in_parallel(CROWD, ask, &crowd);
    for (int i = 0; i < CROWD; i++) {
        ck_assert_int_eq(crowd.answers[i].status, 200);
        ck_assert(same_header(&crowd.answers[0], &crowd.answers[i], "ETag"));
        ck_assert(same_header(&crowd.answers[0], &crowd.answers[i], "Content-Length"));
        ck_assert((crowd.answers[i].len == 0) == (i % 2 == 1));
    }
    check_document(&crowd.answers[0], NULL);
    for (int i = 0; i < CROWD; i++)
        answer_free(&crowd.answers[i]);
    ck_assert_int_eq(server_stop(&crowd.server), 0);
}
END_TEST

/* The last of the crowd asks for the document when worker and queue have been taken by tiles. */
static void ask_late(size_t i, void *context)
{
    struct crowd *crowd = context;

    if (i < CROWD - 1) {
        crowd->answers[i] =
            get(&crowd->server,
                "/tile/0/0/0@2x.png?size=1024&octaves=32&lod=off&lacunarity=1.01&seed=%d", (int)i);
        return;
    }
    for (double end = seconds_now() + 10; seconds_now() < end;)
        if (server_figure(&crowd->server, "queue.waiting") > 0)
            break;
    crowd->answers[i] = get(&crowd->server, "/verify");
}

START_TEST(a_full_queue_refuses_it_until_there_is_room)
{
    struct crowd crowd = {
        .server = server_start("--workers", "1", "--queue", "1", "--queue-wait", "60000", NULL)};
    struct answer *late = &crowd.answers[CROWD - 1], later;

    in_parallel(CROWD, ask_late, &crowd);
    ck_assert_msg(late->status == 503 || late->status == 200, "status %ld", late->status);
    if (late->status == 503) {
        check_problem(late, 503, NULL, "/verify");
        check_header(late, "Cache-Control", "no-store");
        check_header(late, "Retry-After", "1");
    }
    later = get(&crowd.server, "/verify");
    check_document(&later, NULL);
    answer_free(&later);
    for (int i = 0; i < CROWD; i++)
        answer_free(&crowd.answers[i]);
    ck_assert_int_eq(server_stop(&crowd.server), 0);
}
END_TEST

/* ---- What is digested ------------------------------------------------------------------------ */

static void add_little_endian(struct sha256_ctx *sha, uint64_t bits, size_t bytes)
{
    uint8_t out[8];

    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(bits >> (8 * i));
    sha256_update(sha, bytes, out);
}

/* The numbers of a sample's document, as the bits that the reference digests. */
static void add_values(struct sha256_ctx *sha, const char *text, bool wide)
{
    const char *at = strchr(text, '[');

    ck_assert_ptr_nonnull(at);
    do {
        char *end;
        double value = strtod(at + 1, &end);
        float narrow = strtof(at + 1, NULL);
        uint64_t bits;
        uint32_t narrow_bits;

        memcpy(&bits, &value, sizeof bits);
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        add_little_endian(sha, wide ? bits : narrow_bits, wide ? 8 : 4);
        at = end;
    } while (*at == ',');
    ck_assert_int_eq(*at, ']');
}

static void check_sent(const char *url, const char *sha256)
{
    struct answer answer = request(&served, NULL, url, NULL);
    bool wide = strstr(url, "simplex-splitmix") != NULL;
    struct sha256_ctx sha;
    char hex[65];

    ck_assert_msg(answer.status == 200, "%s: %ld", url, answer.status);
    check_header(&answer, "Content-Location", url);
    sha256_init(&sha);
    if (strncmp(url, "/tile/", 6) == 0)
        sha256_update(&sha, answer.len, answer.body);
    else
        add_values(&sha, (const char *)answer.body, wide);
    hex_of(&sha, hex);
    ck_assert_msg(strcmp(hex, sha256) == 0, "%s is not %s", url, sha256);
    answer_free(&answer);
}

START_TEST(every_reference_is_what_the_server_sends)
{
    for (int l = 0; l < LISTS; l++)
        for (size_t i = 0; i < golden.list[l].count; i++)
            check_sent(golden.list[l].url[i], golden.list[l].sha256[i]);
}
END_TEST

Suite *verify_suite(void)
{
    Suite *suite = suite_create("verify");
    TCase *list = tcase_create("list"), *document = served_group("document");
    TCase *crowds = tcase_create("crowds");

    tcase_add_unchecked_fixture(list, golden_load, golden_free);
    tcase_add_test(list, the_golden_list_is_of_this_engine_version);
    tcase_add_loop_test(list, the_overall_digests_are_of_the_lines, 0, LISTS);
    tcase_add_test(list, every_choice_is_in_a_list);
    tcase_add_test(list, the_command_prints_the_golden_list_at_every_level);
    tcase_set_timeout(list, SERVED_TIMEOUT_S);
    tcase_add_unchecked_fixture(document, golden_load, golden_free);
    tcase_add_test(document, the_document_is_the_golden_list);
    tcase_add_test(document, the_document_is_kept_and_revalidated);
    tcase_add_test(document, every_reference_is_what_the_server_sends);
    tcase_add_unchecked_fixture(crowds, golden_load, golden_free);
    tcase_set_timeout(crowds, SERVED_TIMEOUT_S);
    tcase_add_test(crowds, the_document_of_the_baseline_tells_its_level);
    tcase_add_test(crowds, many_who_ask_at_once_get_one_document);
    tcase_add_test(crowds, a_full_queue_refuses_it_until_there_is_room);
    suite_add_tcase(suite, list);
    suite_add_tcase(suite, document);
    suite_add_tcase(suite, crowds);
    return suite;
}
