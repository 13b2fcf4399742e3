/*
 * cli_verify.c - `noisetile verify`: prints the digests of the references, and whether they are
 * those that the engine version promises. What it prints but for the level is
 * tests/golden/verify.txt.
 */
#include "server/cli.h"
#include "server/verify.h"

#include <stdio.h>

/* The list's lines, then its name and digest. */
static void print_list(const struct verify_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        printf("%s  %s\n", list->lines[i].sha256, list->lines[i].url);
    printf("%s %s\n", name, list->sha256);
}

static int tell(const struct verify *verify)
{
    static const char *const names[REFERENCES_LISTS] = {"overall", "png"};

    printf("engine %d\nlevel %s\n", NT_ENGINE_VERSION, nt_level());
    for (int i = 0; i < REFERENCES_LISTS; i++)
        print_list(&verify->list[i], names[i]);
    if (verify_is_promised(verify))
        return CLI_OK;
    return cli_fail(CLI_FAILED,
                    "verify: this build does not compute the bits that engine version %d promises: "
                    "overall %s, png %s",
                    NT_ENGINE_VERSION, verify_promised(REFERENCES_SAMPLES),
                    verify_promised(REFERENCES_PNG));
}

int verify_command(int argc, char **argv)
{
    struct nt_workspace *workspace;
    struct config config;
    struct verify verify;
    int status = cli_config(&config, argc, argv, NULL);

    if (status != CLI_OK)
        return status;
    if (!nt_init(config_cpu_name(&config)))
        return cli_fail(CLI_FAILED, "this CPU has no level %s", config_cpu_name(&config));
    workspace = nt_workspace_new();
    if (workspace == NULL || !verify_make(&verify, workspace)) {
        nt_workspace_free(workspace);
        return cli_fail(CLI_FAILED, "verify: not enough memory");
    }
    status = tell(&verify);
    verify_release(&verify);
    nt_workspace_free(workspace);
    return status;
}
