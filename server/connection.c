/* connection.c - the life of one connection, told to deadline.c and drain.c. Next: http.c. */
#include "server/connection.h"

#include <stdlib.h>
#include <sys/socket.h>

enum { SWALLOW_MAX = 1 << 20 }; /* bytes of a refused body that are read before closing */

struct connection *connection_open(struct deadline *deadline, struct drain *drain, int fd)
{
    struct connection *connection = calloc(1, sizeof *connection);

    if (connection == NULL)
        return NULL;
    connection->drain = drain;
    connection->fd = fd;
    connection->deadline = deadline_open(deadline, fd);
    if (connection->deadline == NULL) {
        free(connection);
        return NULL;
    }
    connection->fresh = true;
    drain_connected(drain);
    return connection;
}

static void answered(struct connection *connection)
{
    if (!connection->fresh)
        return;
    connection->fresh = false;
    drain_answered(connection->drain);
}

/*
 * Closing a socket that has unread bytes makes the kernel send a reset, which can overtake the
 * answer. So what the client has sent by now is read and dropped.
 */
static void swallow(int fd)
{
    char bytes[16384];
    ssize_t n = 1;

    for (ssize_t sum = 0; n > 0 && sum < SWALLOW_MAX; sum += n)
        n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
}

void connection_close(struct connection *connection)
{
    if (connection == NULL)
        return;
    deadline_close(connection->deadline);
    answered(connection);
    if (connection->refused)
        swallow(connection->fd);
    free(connection);
}

void connection_busy(struct connection *connection, size_t head_bytes)
{
    deadline_busy(connection->deadline, head_bytes);
}

void connection_sending(struct connection *connection, size_t bytes, uint64_t now_ns)
{
    deadline_sending(connection->deadline, bytes, now_ns);
}

void connection_waiting(struct connection *connection)
{
    deadline_waiting(connection->deadline);
    answered(connection);
}
