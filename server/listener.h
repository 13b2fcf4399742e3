/*
 * listener.h - the socket that listens, and addresses as people read them. Knows nothing of HTTP.
 * Used by http.c and serve.c and, for the address, by healthcheck.c.
 */
#ifndef LISTENER_H
#define LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct address {
    struct sockaddr_storage addr;
    socklen_t len;
};

enum { ADDRESS_TEXT_MAX = 80 };

/* "127.0.0.1:8080", "[::1]:8080"; with_port false: "127.0.0.1", "::1", and an IPv4 client of an
 * IPv6 socket by its IPv4 address. */
void address_text(const struct sockaddr *addr, bool with_port, char *text, size_t cap);

/* The address that reaches a server listening on it: the loopback one for "any". */
void address_make_reachable(struct address *address);

/*
 * A listening TCP socket, not blocking, or -1 with a sentence in message. *address becomes the real
 * one (a port of 0 is replaced by the one that was taken).
 */
int listener_open(struct address *address, char *message, size_t message_size);

/*
 * Makes the kernel drop new connection attempts, while those already made can still be accepted:
 * whoever knocks later tries again after a second, and is refused then.
 */
void listener_mute(int fd);

/* Connections that are made but not yet accepted. */
unsigned listener_backlog(int fd);

/* Raises the limit of open files as far as needed for so many connections and as allowed. */
void listener_raise_limit(int64_t connections);

#endif
