/*
 * routes.h - which path is answered by what. The handler that http.h calls.
 */
#ifndef ROUTES_H
#define ROUTES_H

#include "config/config.h"
#include "server/http.h"
#include "server/render.h"

struct routes;

/* Makes the fixed answers. render and config must outlive it. NULL: out of memory. */
struct routes *routes_new(const struct config *config, struct render *render);
void routes_free(struct routes *routes); /* NULL is fine; after http has stopped */

/* For http_config: handler = routes_answer, app = routes. */
void routes_answer(struct http_request *request);

#endif
