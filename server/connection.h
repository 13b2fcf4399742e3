/*
 * connection.h - what is kept for an open connection beside libmicrohttpd's own record: its place
 * under the deadline watch, and whether it was answered or refused. One thread at a time.
 */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "server/deadline.h"
#include "server/drain.h"

#include <stdbool.h>
#include <stddef.h>

struct connection {
    struct deadline_entry *deadline;
    struct drain *drain;
    int fd;
    bool refused; /* set it when the client may still be sending a body that nobody reads */
    bool fresh;   /* no answer yet; counted in drain */
};

/* NULL if out of memory. */
struct connection *connection_open(struct deadline *deadline, struct drain *drain, int fd);

/* Before fd is closed. NULL is fine. */
void connection_close(struct connection *connection);

/* A whole request head of so many bytes has come; its answer is out. */
void connection_busy(struct connection *connection, size_t head_bytes);
void connection_waiting(struct connection *connection);

/* An answer of so many bytes is handed over for sending. */
void connection_sending(struct connection *connection, size_t bytes, uint64_t now_ns);

#endif
