/*
 * routes.c - the route table, and the small handlers. Adding a route is adding a row. Tiles and
 * samples have a file of their own, tiles.c, and so has the self-check, verifier.c; answers that
 * never change are assets, made here at the start.
 */
#include "server/routes.h"

#include "server/asset.h"
#include "server/documents.h"
#include "server/recent.h"
#include "server/reply.h"
#include "server/tiles.h"
#include "server/verifier.h"
#include "server/web.h"

#include <stdlib.h>
#include <string.h>

#define FULL_FOR_NS_MAX UINT64_C(5000000000) /* the queue may be full for so long */

struct routes {
    struct render *render;
    struct nt_limits limits;
    struct asset page, icon, robots, params;
    struct verifier *verifier;
};

enum query_rule {
    QUERY_IGNORED, /* probes and pages: whatever is appended, the answer is the same */
    QUERY_REFUSED, /* no parameters: an unknown one would only be a way around caches */
    QUERY_READ,    /* by the handler */
};

struct route {
    const char *path;
    bool is_prefix; /* all paths that begin so; rest is what follows */
    enum query_rule query;
    void (*answer)(struct http_request *request, struct routes *routes, const char *rest,
                   size_t rest_len);
};

/* ---- Handlers -------------------------------------------------------------------------------- */

static void answer_tile(struct http_request *request, struct routes *routes, const char *rest,
                        size_t rest_len)
{
    tiles_answer(request, routes->render, &routes->limits, rest, rest_len);
}

static void answer_sample(struct http_request *request, struct routes *routes, const char *rest,
                          size_t rest_len)
{
    (void)rest;
    (void)rest_len;
    tiles_answer_sample(request, routes->render);
}

static void answer_verify(struct http_request *request, struct routes *routes, const char *rest,
                          size_t rest_len)
{
    (void)rest;
    (void)rest_len;
    verifier_answer(request, routes->verifier);
}

#define ASSET_HANDLER(name)                                                        \
    static void answer_##name(struct http_request *request, struct routes *routes, \
                              const char *rest, size_t rest_len)                   \
    {                                                                              \
        (void)rest;                                                                \
        (void)rest_len;                                                            \
        reply_asset(request, &routes->name);                                       \
    }
ASSET_HANDLER(page)
ASSET_HANDLER(icon)
ASSET_HANDLER(robots)
ASSET_HANDLER(params)
#undef ASSET_HANDLER

static void reply_health(struct http_request *request, int status, const char *json, size_t len)
{
    const struct http_reply reply = {
        .status = status,
        .media_type = "application/json",
        .cache_control = REPLY_NO_STORE,
        .retry_after = status == 503 ? "1" : NULL,
        .body = json,
        .len = len,
    };

    http_reply(request, &reply);
}

static void answer_live(struct http_request *request, struct routes *routes, const char *rest,
                        size_t rest_len)
{
    static const char json[] = "{\"status\":\"live\"}";

    (void)routes;
    (void)rest;
    (void)rest_len;
    reply_health(request, 200, json, sizeof json - 1);
}

static const char *trouble(const struct http_request *request, const struct render_stats *stats)
{
    uint64_t full_since = stats->pool.full_since_ns;

    if (drain_is_announced(request->drain))
        return "draining";
    if (full_since != 0 && http_now_ns() - full_since > FULL_FOR_NS_MAX)
        return "queue full";
    return NULL;
}

static void answer_ready(struct http_request *request, struct routes *routes, const char *rest,
                         size_t rest_len)
{
    struct documents_state state = {
        .in_flight = drain_requests(request->drain),
        .suspended = drain_suspended(request->drain),
        .render = render_stats(routes->render),
    };
    size_t len;
    char *json;

    (void)rest;
    (void)rest_len;
    state.trouble = trouble(request, &state.render);
    json = documents_ready(&state, &len);
    reply_health(request, state.trouble == NULL ? 200 : 503, json != NULL ? json : "", len);
    free(json);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct route routes_table[] = {
    {"/tile/", true, QUERY_READ, answer_tile},
    {"/sample", false, QUERY_READ, answer_sample},
    {"/params", false, QUERY_REFUSED, answer_params},
    {"/verify", false, QUERY_REFUSED, answer_verify},
    {"/health/live", false, QUERY_IGNORED, answer_live},
    {"/health/ready", false, QUERY_IGNORED, answer_ready},
    {"/", false, QUERY_IGNORED, answer_page},
    {"/favicon.ico", false, QUERY_REFUSED, answer_icon},
    {"/robots.txt", false, QUERY_REFUSED, answer_robots},
};

static const struct route *find(const struct target *target)
{
    for (size_t i = 0; i < sizeof routes_table / sizeof *routes_table; i++) {
        const struct route *route = &routes_table[i];
        size_t len = strlen(route->path);

        if ((route->is_prefix ? target->path_len >= len : target->path_len == len) &&
            memcmp(target->path, route->path, len) == 0)
            return route;
    }
    return NULL;
}

/* "OPTIONS *" asks about the server as a whole. */
static bool is_asterisk(const struct target *target)
{
    return target->path_len == 1 && *target->path == '*';
}

static void answer(struct http_request *request, struct routes *routes, const struct route *route)
{
    const struct target *target = &request->target;
    size_t len = strlen(route->path);

    if (request->method == HTTP_OPTIONS)
        reply_options(request);
    else if (route->query == QUERY_REFUSED && target->query_len > 0)
        reply_problem(request, 400, "This path takes no query parameters.");
    else
        route->answer(request, routes, target->path + len, target->path_len - len);
}

void routes_answer(struct http_request *request)
{
    const struct route *route;

    if (request->verdict.status != 0)
        reply_problem(request, request->verdict.status, request->verdict.detail);
    else if (request->method == HTTP_OPTIONS && is_asterisk(&request->target))
        reply_options(request);
    else if ((route = find(&request->target)) != NULL)
        answer(request, request->app, route);
    else
        reply_problem(
            request, 404,
            "There is nothing at this path. Tiles are at /tile/{z}/{x}/{y}.png (no double "
            "or trailing slash), single values at /sample, the parameters of both at /params, "
            "a map at /.");
}

/* ---- Life ------------------------------------------------------------------------------------ */

void *routes_local_new(void)
{
    return recent_new();
}

void routes_local_free(void *local)
{
    recent_free(local);
}

static void load(struct asset *asset, const char *name, struct nt_workspace *workspace)
{
    struct web_file file = {0};

    web_find(name, &file);
    asset_init(asset, file.media_type, file.data, file.len, false, workspace);
}

struct routes *routes_new(const struct config *config, struct render *render)
{
    struct nt_workspace *workspace = nt_workspace_new();
    struct routes *routes = calloc(1, sizeof *routes);
    struct verifier *verifier = verifier_new(render);
    size_t len;
    char *params = documents_params(&len);

    if (workspace != NULL && routes != NULL && verifier != NULL && params != NULL) {
        routes->render = render;
        routes->verifier = verifier;
        routes->limits.max_size = config->max_size;
        load(&routes->page, "index.html", workspace);
        load(&routes->icon, "favicon.ico", NULL);
        load(&routes->robots, "robots.txt", NULL);
        asset_init(&routes->params, "application/json", params, len, true, workspace);
    } else {
        free(params);
        free(routes);
        verifier_free(verifier);
        routes = NULL;
    }
    nt_workspace_free(workspace);
    return routes;
}

void routes_free(struct routes *routes)
{
    if (routes == NULL)
        return;
    asset_release(&routes->page);
    asset_release(&routes->icon);
    asset_release(&routes->robots);
    asset_release(&routes->params);
    verifier_free(routes->verifier);
    free(routes);
}
