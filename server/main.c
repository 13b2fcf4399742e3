/*
 * main.c - the table of sub-commands, and the small ones. The large ones have files of their own:
 * serve.c, cli_render.c, cli_verify.c, healthcheck.c. Read serve.c next to see how the parts are
 * put
 * together.
 */
#include "config/config.h"
#include "core/noisetile.h"
#include "server/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int config_command(int argc, char **argv);
static int params_command(int argc, char **argv);
static int version_command(int argc, char **argv);

/* What --help of a command prints beyond its own lines. */
enum { TELL_OPTIONS = 1, TELL_PARAMS = 2 };

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *arguments, *summary;
    int tell;
} commands[] = {
    {"serve", serve_command, "[--config FILE] [--option value ...]",
     "answer HTTP requests until SIGTERM or SIGINT; a second signal stops at once", TELL_OPTIONS},
    {"render", render_command, "[--option value ...] Z/X/Y[@Nx] ['query'] -o FILE",
     "write one tile, the same bytes as the server's; its format is the file's ending; '-' is "
     "standard output",
     TELL_PARAMS},
    {"verify", verify_command, "[--option value ...]",
     "print SHA-256 of the samples of reference tiles: exit 1 if they are not those that the "
     "engine "
     "version promises",
     0},
    {"healthcheck", healthcheck_command, "[--config FILE] [--option value ...]",
     "ask the server with the same configuration whether it is ready: exit 0 or 1", 0},
    {"config", config_command, "[--markdown] [--config FILE] [--option value ...]",
     "print every option, its value and where it came from; --markdown: the table of options",
     TELL_OPTIONS},
    {"params", params_command, "[--markdown]",
     "print the parameters of tiles and samples; --markdown: as a Markdown table", 0},
    {"version", version_command, "", "print release, engine version and instruction level", 0},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

/* ---- Parameters ------------------------------------------------------------------------------ */

/* "[1, 32]", "(0, 1048576]" or the choices, with `separator` between them. */
static void print_values(const struct nt_param_info *info, const char *separator)
{
    if (*info->min != '\0')
        printf("%c%s, %s]", info->min_excluded ? '(' : '[', info->min, info->max);
    for (const char *word = info->allowed; *word != '\0';) {
        int len = (int)strcspn(word, " ");

        printf("%.*s", len, word);
        word += len;
        if (*word != '\0') {
            word++;
            fputs(separator, stdout);
        }
    }
}

/* What a group's parameters are for, where that is not all requests. */
static const char *group_remark(enum nt_group group)
{
    static const char *const remarks[] = {
        [NT_GROUP_NOISE] = "",
        [NT_GROUP_PICTURE] = " (tiles only)",
        [NT_GROUP_SAMPLE] = " (/sample only)",
        [NT_GROUP_REQUEST] = "",
    };

    return remarks[group];
}

static void print_params(bool with_samples)
{
    struct nt_param_info info;
    enum nt_group group = NT_GROUP_REQUEST + 1;

    for (size_t i = 0; i < nt_param_count(); i++) {
        nt_param_describe(i, &info);
        if (info.group == NT_GROUP_SAMPLE && !with_samples)
            continue;
        if (info.group != group)
            printf("%s%s parameters%s\n", i > 0 ? "\n" : "", nt_group_name(info.group),
                   with_samples ? group_remark(info.group) : "");
        group = info.group;
        printf("  %-12s %s\n  %-12s   ", info.name, info.help, "");
        print_values(&info, " | ");
        printf(*info.default_text != '\0' ? "; default %s\n" : "%s\n", info.default_text);
    }
}

static void print_params_markdown(void)
{
    struct nt_param_info info;
    enum nt_group group = NT_GROUP_REQUEST + 1;

    puts("| parameter | default | values | meaning |\n|---|---|---|---|");
    for (size_t i = 0; i < nt_param_count(); i++) {
        nt_param_describe(i, &info);
        if (info.group != group)
            printf("| **%s**%s | | | |\n", nt_group_name(info.group), group_remark(info.group));
        group = info.group;
        printf("| `%s`", info.name);
        if (info.alias != NULL)
            printf(" (`%s`)", info.alias);
        printf(*info.default_text != '\0' ? " | `%s` | " : " | %s | ", info.default_text);
        print_values(&info, ", ");
        printf(" | %s |\n", info.help);
    }
}

static int params_command(int argc, char **argv)
{
    if (argc == 1 && strcmp(argv[0], "--markdown") == 0)
        print_params_markdown();
    else if (argc == 0)
        print_params(true);
    else
        return cli_fail(CLI_USAGE, "params: unexpected argument; allowed is --markdown");
    return CLI_OK;
}

/* ---- Small commands -------------------------------------------------------------------------- */

static int config_command(int argc, char **argv)
{
    struct config config;
    int status;

    if (argc > 0 && strcmp(argv[0], "--markdown") == 0) {
        if (argc > 1)
            return cli_fail(CLI_USAGE, "config: nothing may follow --markdown");
        config_markdown(stdout);
        return CLI_OK;
    }
    status = cli_config(&config, argc, argv, NULL);
    if (status == CLI_OK)
        config_print(&config, stdout);
    return status;
}

static int version_command(int argc, char **argv)
{
    (void)argv;
    if (argc > 0)
        return cli_fail(CLI_USAGE, "version: takes no arguments");
    nt_init(NULL);
    printf("noisetile %s, engine version %d, instruction level %s\n", NT_RELEASE, NT_ENGINE_VERSION,
           nt_level());
    return CLI_OK;
}

/* ---- Shared ---------------------------------------------------------------------------------- */

int cli_fail(int status, const char *format, ...)
{
    va_list arguments;

    fputs("noisetile: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return status;
}

int cli_config(struct config *config, int argc, char **argv, int *rest)
{
    char message[CONFIG_MESSAGE_MAX];

    if (config_load(config, argc, argv, environ, rest, message, sizeof message))
        return CLI_OK;
    return cli_fail(CLI_USAGE, "%s", message);
}

/* ---- Help and choice ------------------------------------------------------------------------- */

static void help(void)
{
    puts("noisetile: noise as map tiles, the same bytes for the same URL on every machine\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  noisetile %s%s%s\n      %s\n", commands[i].name,
               *commands[i].arguments ? " " : "", commands[i].arguments, commands[i].summary);
    puts("\n`noisetile COMMAND --help` tells more.");
}

static void help_command(const struct command *command)
{
    printf("usage: noisetile %s %s\n\n%s\n", command->name, command->arguments, command->summary);
    if (command->tell & TELL_OPTIONS) {
        puts("\noptions");
        config_help(stdout);
    }
    if (command->tell & TELL_PARAMS) {
        puts("");
        print_params(false);
    }
}

static const struct command *find(const char *name)
{
    if (strcmp(name, "--version") == 0)
        name = "version";
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

static int unknown(const char *name)
{
    if (name == NULL)
        fputs("noisetile: a command is needed; allowed are", stderr);
    else
        fprintf(stderr, "noisetile: unknown command '%.40s'; allowed are", name);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(stderr, " %s", commands[i].name);
    fputs(" and --help\n", stderr);
    return CLI_USAGE;
}

int main(int argc, char **argv)
{
    const struct command *command = argc > 1 ? find(argv[1]) : NULL;
    int status = CLI_OK;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0))
        help();
    else if (command == NULL)
        return unknown(argc > 1 ? argv[1] : NULL);
    else if (asks_for_help(argc - 2, argv + 2))
        help_command(command);
    else
        status = command->run(argc - 2, argv + 2);
    if (fflush(stdout) != 0 && status == CLI_OK)
        return cli_fail(CLI_FAILED, "cannot write to standard output");
    return status;
}
