/* tiles.h - the answer to /tile/{z}/{x}/{y}: parse, identify, revalidate, fetch or render, reply.
 */
#ifndef TILES_H
#define TILES_H

#include "core/noisetile.h"
#include "server/http.h"
#include "server/render.h"

/*
 * Answers, or suspends and is called again when the bytes are there. `place` is what follows
 * "/tile/" in the request's path. Renders through render, within limits.
 */
void tiles_answer(struct http_request *request, struct render *render,
                  const struct nt_limits *limits, const char *place, size_t place_len);

#endif
