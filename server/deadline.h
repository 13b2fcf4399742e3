/*
 * deadline.h - cuts connections whose next request head takes too long to come, or whose answer
 * takes too long to be taken. libmicrohttpd's own timeout restarts with every byte, so a client
 * that drips one byte a second would hold its slot for ever; here the clock runs from the first
 * byte, whatever comes after it.
 *
 * A connection that has just been opened counts as one whose head has begun. One that has answered
 * a request may be silent (libmicrohttpd's idle timeout ends it) until a byte of the next head
 * arrives. A request that waits for its tile is not watched; an answer is, from its first byte on.
 *
 * deadline_open and deadline_close take a lock, once per connection; the others, once per request,
 * are atomic stores.
 */
#ifndef DEADLINE_H
#define DEADLINE_H

#include <stddef.h>
#include <stdint.h>

struct deadline;       /* the watch: a thread and what it looks at */
struct deadline_entry; /* one connection */

/* NULL if out of memory or threads. */
struct deadline *deadline_new(uint64_t head_timeout_ns, uint64_t (*now_ns)(void));
/* Ends the thread. Entries that are left are freed, their sockets untouched. NULL is fine. */
void deadline_free(struct deadline *deadline);

/* NULL if out of memory. fd must stay open until deadline_close has returned. */
struct deadline_entry *deadline_open(struct deadline *deadline, int fd);
void deadline_close(struct deadline_entry *entry); /* NULL is fine */

/* A whole head of so many bytes has come. */
void deadline_busy(struct deadline_entry *entry, size_t head_bytes);

/*
 * An answer of so many bytes begins: it is cut if it is not taken within half a minute and a time
 * for each byte, at a rate that every usable line has.
 */
void deadline_sending(struct deadline_entry *entry, size_t bytes, uint64_t now_ns);

void deadline_waiting(struct deadline_entry *entry); /* the answer is out */

#endif
