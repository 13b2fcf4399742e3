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

/* For http_config: the handler, whose app is the routes, and what it keeps for each thread. */
void routes_answer(struct http_request *request);
void *routes_local_new(void);
void routes_local_free(void *local);

#endif
