/*
 * healthcheck.c - `noisetile healthcheck`: asks the server that has the same configuration whether
 * it is ready, for a container's HEALTHCHECK, where there may be no curl. A bare socket and one
 * request; only the status line is read.
 */
#include "server/cli.h"
#include "server/listener.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { TIMEOUT_S = 2 };

static const char request[] = "GET /health/ready HTTP/1.0\r\n\r\n";

static int connect_to(const struct address *address)
{
    const struct timeval timeout = {TIMEOUT_S, 0};
    int fd = socket(address->addr.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) == 0 &&
        connect(fd, (const struct sockaddr *)&address->addr, address->len) == 0)
        return fd;
    close(fd);
    return -1;
}

/* The status line's code, 0 if there was no answer (errno says why). */
static int ask(int fd)
{
    char answer[16] = "";
    size_t have = 0;
    ssize_t n = send(fd, request, sizeof request - 1, MSG_NOSIGNAL);
    int status = 0;

    while (n > 0 && have < sizeof answer - 1) {
        n = recv(fd, answer + have, sizeof answer - 1 - have, 0);
        if (n > 0)
            have += (size_t)n;
    }
    if (sscanf(answer, "HTTP/1.%*1[01] %3d", &status) != 1)
        return 0;
    return status;
}

int healthcheck_command(int argc, char **argv)
{
    struct address address = {0};
    struct config config;
    char text[ADDRESS_TEXT_MAX];
    int fd, answer, status = cli_config(&config, argc, argv, NULL);

    if (status != CLI_OK)
        return status;
    if (!config_listen_address(config.listen, &address.addr, &address.len))
        return cli_fail(CLI_FAILED, "cannot understand the address %s", config.listen);
    address_make_reachable(&address);
    address_text((const struct sockaddr *)&address.addr, true, text, sizeof text);
    fd = connect_to(&address);
    if (fd < 0)
        return cli_fail(CLI_FAILED, "no server at %s: %s", text, strerror(errno));
    answer = ask(fd);
    close(fd);
    if (answer == 200)
        return CLI_OK;
    if (answer == 0)
        return cli_fail(CLI_FAILED, "no answer from %s within %d s", text, TIMEOUT_S);
    return cli_fail(CLI_FAILED, "the server at %s is not ready (status %d)", text, answer);
}
