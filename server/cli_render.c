/*
 * cli_render.c - `noisetile render`: one tile to a file, through the steps that a worker of the
 * server takes, so the bytes are the same. A file is written beside its name and renamed when it is
 * whole: nothing is left half-written.
 */
#include "core/noisetile.h"
#include "server/cli.h"
#include "server/http.h"
#include "server/render.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_TEXT_MAX = 4096 };

struct arguments {
    const char *place, *query, *file;
    char path[256]; /* place with the file's ending */
};

/* ---- Arguments ------------------------------------------------------------------------------- */

static int split_arguments(struct arguments *arguments, int argc, char **argv)
{
    const char **free_places[] = {&arguments->place, &arguments->query};
    size_t used = 0;

    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0) {
            if (i + 1 == argc || arguments->file != NULL)
                return cli_fail(CLI_USAGE,
                                "render: -o takes one file name, '-' for standard output");
            arguments->file = argv[++i];
        } else if (argv[i][0] == '-' && argv[i][1] == '-') {
            return cli_fail(CLI_USAGE, "render: option %.40s must stand before Z/X/Y", argv[i]);
        } else if (used < 2) {
            *free_places[used++] = argv[i];
        } else {
            return cli_fail(CLI_USAGE,
                            "render: unexpected argument '%.40s'; allowed are Z/X/Y, a "
                            "query and -o FILE",
                            argv[i]);
        }
    }
    if (arguments->place == NULL || arguments->file == NULL)
        return cli_fail(CLI_USAGE, "render: a place Z/X/Y and -o FILE are needed");
    if (arguments->query == NULL)
        arguments->query = "";
    if (*arguments->query == '?')
        arguments->query++;
    return CLI_OK;
}

/* What follows the last dot of the file's last part; "" if there is none. */
static const char *ending(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(name, '.');

    return dot != NULL && dot != name ? dot + 1 : "";
}

/* Adds the file's ending to the place, unless that has one. Core judges the result. */
static int join_path(struct arguments *arguments)
{
    const char *format = strcmp(arguments->file, "-") == 0 ? "" : ending(arguments->file);
    const char *dot = strchr(arguments->place, '.');
    int n;

    if (*format != '\0' && nt_format_find(format, strlen(format)) < 0)
        return cli_fail(CLI_USAGE, "render: '.%.20s' is no format; allowed are %s %s %s %s %s",
                        format, nt_format_name(NT_PNG), nt_format_name(NT_JSON),
                        nt_format_name(NT_BIN), nt_format_name(NT_NPY), nt_format_name(NT_R16));
    if (dot != NULL && *format != '\0' && strcmp(dot + 1, format) != 0)
        return cli_fail(CLI_USAGE, "render: the place ends in '%.20s' and the file in '.%s'", dot,
                        format);
    n = snprintf(arguments->path, sizeof arguments->path, "%s%s%s", arguments->place,
                 dot == NULL && *format != '\0' ? "." : "", dot == NULL ? format : "");
    if (n < 0 || (size_t)n >= sizeof arguments->path)
        return cli_fail(CLI_USAGE, "render: the place is too long; allowed is Z/X/Y[@Nx]");
    return CLI_OK;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static bool write_all(int fd, struct nt_bytes bytes)
{
    while (bytes.len > 0) {
        ssize_t n = write(fd, bytes.data, bytes.len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes.data += n;
        bytes.len -= (size_t)n;
    }
    return true;
}

/* Devices and pipes cannot be replaced by renaming. */
static bool is_special(const char *file)
{
    struct stat status;

    return stat(file, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool write_directly(const char *file, struct nt_bytes bytes)
{
    int fd = strcmp(file, "-") == 0 ? STDOUT_FILENO : open(file, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write_all(fd, bytes);

    if (fd >= 0 && fd != STDOUT_FILENO)
        written &= close(fd) == 0;
    return written;
}

/* mkstemp makes files for their owner alone; this one gets the mode that open would have given. */
static bool adopt_mode(int fd)
{
    mode_t mask = umask(0);

    umask(mask);
    return fchmod(fd, 0666 & ~mask) == 0;
}

static bool write_and_rename(const char *file, struct nt_bytes bytes)
{
    char part[PATH_TEXT_MAX];
    int n = snprintf(part, sizeof part, "%s.XXXXXX", file), fd;
    bool written;

    if (n < 0 || (size_t)n >= sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    fd = mkstemp(part);
    if (fd < 0)
        return false;
    written = write_all(fd, bytes) && adopt_mode(fd);
    written &= close(fd) == 0;
    if (written && rename(part, file) == 0)
        return true;
    n = errno;
    unlink(part);
    errno = n;
    return false;
}

static int put(const char *file, struct nt_bytes bytes)
{
    bool written = strcmp(file, "-") == 0 || is_special(file) ? write_directly(file, bytes)
                                                              : write_and_rename(file, bytes);

    if (written)
        return CLI_OK;
    return cli_fail(CLI_FAILED, "cannot write %s: %s", file, strerror(errno));
}

/* ---- The command ----------------------------------------------------------------------------- */

static int render_to(const char *file, const struct render_order *order)
{
    struct nt_workspace *workspace = nt_workspace_new();
    struct render_times times;
    struct nt_bytes bytes;
    int status;

    if (workspace != NULL && render_bytes(workspace, order, http_now_ns, &bytes, &times) == NT_OK)
        status = put(file, bytes);
    else
        status = cli_fail(CLI_FAILED, "not enough memory for this tile");
    nt_workspace_free(workspace);
    return status;
}

int render_command(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct render_order order = {0};
    struct config config;
    struct nt_limits limits;
    struct nt_error err;
    int rest, status = cli_config(&config, argc, argv, &rest);

    if (status == CLI_OK)
        status = split_arguments(&arguments, argc - rest, argv + rest);
    if (status != CLI_OK)
        return status;
    assert(arguments.place != NULL && arguments.query != NULL && arguments.file != NULL);
    status = join_path(&arguments);
    if (status != CLI_OK)
        return status;
    limits.max_size = config.max_size;
    if (!nt_init(config_cpu_name(&config)))
        return cli_fail(CLI_FAILED, "this CPU has no level %s", config_cpu_name(&config));
    if (nt_request_parse(&order.tile, &order.spec, &limits, arguments.path, strlen(arguments.path),
                         arguments.query, strlen(arguments.query), &err) != NT_OK)
        return cli_fail(CLI_USAGE, "%s", err.detail);
    return render_to(arguments.file, &order);
}
