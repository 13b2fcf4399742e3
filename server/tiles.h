/*
 * tiles.h - the answers to /tile/{z}/{x}/{y} and /sample: parse, identify, revalidate, fetch or
 * render, reply. A sample is a tile in all but its address.
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

/* The same for "/sample", whose places stand in the query. */
void tiles_answer_sample(struct http_request *request, struct render *render);

#endif
