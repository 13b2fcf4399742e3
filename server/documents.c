/*
 * documents.c - data of core and server as JSON, through cJSON. When they are asked for is
 * routes.c's. A new document is a new function here and a row there.
 */
#include "server/documents.h"

#include "server/json.h"

/* ---- /params --------------------------------------------------------------------------------- */

static void add_default(cJSON *object, const struct nt_param_info *info)
{
    if (*info->default_text == '\0')
        cJSON_AddNullToObject(object, "default");
    else if (info->type == NT_INTEGER || info->type == NT_REAL)
        cJSON_AddRawToObject(object, "default", info->default_text);
    else
        cJSON_AddStringToObject(object, "default", info->default_text);
}

static cJSON *describe(size_t i)
{
    cJSON *param = cJSON_CreateObject();
    struct nt_param_info info;

    nt_param_describe(i, &info);
    cJSON_AddStringToObject(param, "name", info.name);
    if (info.alias != NULL)
        cJSON_AddStringToObject(param, "alias", info.alias);
    cJSON_AddStringToObject(param, "group", nt_group_name(info.group));
    cJSON_AddStringToObject(param, "type", nt_type_name(info.type));
    add_default(param, &info);
    json_add_number(param, "min", info.min);
    json_add_number(param, "max", info.max);
    if (info.min_excluded)
        cJSON_AddTrueToObject(param, "min_excluded");
    json_add_words(param, "allowed", info.allowed);
    cJSON_AddStringToObject(param, "help", info.help);
    return param;
}

char *documents_params(size_t *len)
{
    cJSON *document = cJSON_CreateObject();
    cJSON *params;

    cJSON_AddNumberToObject(document, "version", NT_ENGINE_VERSION);
    cJSON_AddStringToObject(document, "release", NT_RELEASE);
    params = cJSON_AddArrayToObject(document, "params");
    for (size_t i = 0; i < nt_param_count(); i++)
        cJSON_AddItemToArray(params, describe(i));
    return json_print(document, len);
}

/* ---- /verify --------------------------------------------------------------------------------- */

/* The digest and the references of a list, as members of object. */
static void add_references(cJSON *object, const struct verify_list *list)
{
    cJSON *tiles;

    cJSON_AddStringToObject(object, "sha256", list->sha256);
    tiles = cJSON_AddArrayToObject(object, "tiles");
    for (size_t i = 0; i < list->count; i++) {
        cJSON *tile = cJSON_CreateObject();

        cJSON_AddStringToObject(tile, "url", list->lines[i].url);
        cJSON_AddStringToObject(tile, "sha256", list->lines[i].sha256);
        cJSON_AddItemToArray(tiles, tile);
    }
}

char *documents_verify(const struct verify *verify, size_t *len)
{
    cJSON *document = cJSON_CreateObject();

    cJSON_AddNumberToObject(document, "version", NT_ENGINE_VERSION);
    cJSON_AddStringToObject(document, "level", nt_level());
    add_references(document, &verify->list[REFERENCES_SAMPLES]);
    add_references(cJSON_AddObjectToObject(document, "png"), &verify->list[REFERENCES_PNG]);
    return json_print(document, len);
}

/* ---- /health/ready --------------------------------------------------------------------------- */

/* Counts stay below 2^53, where doubles are exact. */
static void add_count(cJSON *object, const char *key, uint64_t count)
{
    cJSON_AddNumberToObject(object, key, (double)count);
}

char *documents_ready(const struct documents_state *state, size_t *len)
{
    const struct render_stats *render = &state->render;
    cJSON *document = cJSON_CreateObject();
    cJSON *queue, *cache, *requests;

    cJSON_AddStringToObject(document, "status", state->trouble == NULL ? "ready" : "not ready");
    if (state->trouble != NULL)
        cJSON_AddStringToObject(document, "reason", state->trouble);
    add_count(document, "renders", render->renders);
    queue = cJSON_AddObjectToObject(document, "queue");
    add_count(queue, "waiting", render->pool.waiting);
    add_count(queue, "running", render->pool.running);
    add_count(queue, "capacity", render->queue_capacity);
    cache = cJSON_AddObjectToObject(document, "cache");
    add_count(cache, "bytes", render->cache.bytes);
    add_count(cache, "live_bytes", render->live_bytes);
    add_count(cache, "entries", render->cache.entries);
    add_count(cache, "hits", render->cache.hits);
    add_count(cache, "joins", render->cache.joins);
    add_count(cache, "leads", render->cache.leads);
    add_count(cache, "evictions", render->cache.evictions);
    requests = cJSON_AddObjectToObject(document, "requests");
    add_count(requests, "in_flight", state->in_flight);
    add_count(requests, "suspended", state->suspended);
    return json_print(document, len);
}
