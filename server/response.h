/*
 * response.h - replies as libmicrohttpd's responses. Those that will be sent again are kept ready:
 * to build one takes a few dozen allocations, as much time as all else in a cached tile's answer.
 */
#ifndef RESPONSE_H
#define RESPONSE_H

#include "server/http.h"

#include <stdbool.h>

struct MHD_Connection;
struct responses; /* what is kept for one HTTP thread; one thread at a time may use it */

struct responses *responses_new(void); /* NULL if out of memory */
void responses_free(struct responses *responses);

/*
 * Queues the answer, with a request's id, and with "Connection: close" or not. A body with
 * `release` is not copied, and not released: it must live until the request is over. False if out
 * of memory.
 */
bool responses_queue(struct responses *responses, struct MHD_Connection *connection,
                     const struct http_reply *reply, const char *id, bool close);

#endif
