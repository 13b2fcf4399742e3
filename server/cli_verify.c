/*
 * cli_verify.c - `noisetile verify`: prints the digests of the references, and whether they are
 * those that the engine version promises. What it prints but for the level is
 * tests/golden/verify.txt.
 */
#include "server/cli.h"
#include "server/verify.h"

#include <stdio.h>
#include <string.h>

static int tell(const struct verify *verify)
{
    printf("engine %d\nlevel %s\n", NT_ENGINE_VERSION, nt_level());
    for (size_t i = 0; i < verify->count; i++)
        printf("%s  %s\n", verify->lines[i].sha256, verify->lines[i].url);
    printf("overall %s\n", verify->sha256);
    if (strcmp(verify->sha256, verify_promised()) == 0)
        return CLI_OK;
    return cli_fail(CLI_FAILED,
                    "verify: this build does not compute the bits that engine version %d promises: "
                    "overall is not %s",
                    NT_ENGINE_VERSION, verify_promised());
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
