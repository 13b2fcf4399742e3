/*
 * verifier.c - makes the document of /verify once, on a worker, however many ask meanwhile; a try
 * that fails (queue full, no memory, stopping) is answered by 503, and the next request tries
 * again. Unlike tiles it is kept whatever the cache does, because the list is the same for
 * everybody.
 */
#include "server/verifier.h"

#include "server/asset.h"
#include "server/documents.h"
#include "server/log.h"
#include "server/reply.h"
#include "server/verify.h"

#include <pthread.h>
#include <stdlib.h>

/* A suspended request. */
struct wait {
    struct http_request *request;
    enum render_failure failure; /* set before the request is resumed */
    struct wait *next;
};

enum state { UNKNOWN, BEING_MADE, MADE };

struct verifier {
    struct pool_job job; /* first: the pool's pointer is ours */
    struct render *render;
    struct asset document; /* once MADE, it never changes */

    pthread_mutex_t lock; /* guards the rest */
    enum state state;
    struct wait *waiting;
};

/* ---- Making ---------------------------------------------------------------------------------- */

/* On a worker, or on the thread that could not submit. */
static void finish(struct verifier *verifier, enum render_failure failure)
{
    struct wait *wait, *next;

    pthread_mutex_lock(&verifier->lock);
    verifier->state = failure == RENDER_FINE ? MADE : UNKNOWN;
    wait = verifier->waiting;
    verifier->waiting = NULL;
    pthread_mutex_unlock(&verifier->lock);

    for (; wait != NULL; wait = next) {
        next = wait->next; /* the request may be over as soon as it is resumed */
        wait->failure = failure;
        http_resume(wait->request);
    }
}

static enum render_failure make(struct verifier *verifier, struct nt_workspace *workspace)
{
    struct verify verify;
    size_t len;
    char *json;

    if (!verify_make(&verify, workspace))
        return RENDER_NO_MEMORY;
    if (!verify_is_promised(&verify))
        log_event(LOG_LEVEL_ERROR, "verify",
                  "engine version %d promises other bits than these: %s, png %s", NT_ENGINE_VERSION,
                  verify.list[REFERENCES_SAMPLES].sha256, verify.list[REFERENCES_PNG].sha256);
    json = documents_verify(&verify, &len);
    verify_release(&verify);
    if (json == NULL)
        return RENDER_NO_MEMORY;
    asset_init(&verifier->document, "application/json", json, len, true, workspace);
    return RENDER_FINE;
}

static void run(struct pool_job *job, void *worker, uint64_t waited_ns)
{
    struct verifier *verifier = (struct verifier *)job;

    (void)waited_ns;
    finish(verifier, render_is_aborted(verifier->render) ? RENDER_STOPPED : make(verifier, worker));
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static bool is_made(struct verifier *verifier)
{
    bool made;

    pthread_mutex_lock(&verifier->lock);
    made = verifier->state == MADE;
    pthread_mutex_unlock(&verifier->lock);
    return made;
}

/* Of a suspended request, which is resumed in any case, perhaps before this returns. */
static void join(struct verifier *verifier, struct wait *wait)
{
    enum state before;

    pthread_mutex_lock(&verifier->lock);
    before = verifier->state;
    if (before != MADE) {
        wait->next = verifier->waiting;
        verifier->waiting = wait;
        verifier->state = BEING_MADE;
    }
    pthread_mutex_unlock(&verifier->lock);

    if (before == MADE)
        http_resume(wait->request);
    else if (before == UNKNOWN && !render_submit(verifier->render, &verifier->job))
        finish(verifier, RENDER_OVERLOAD);
}

static void wait_for(struct http_request *request, struct verifier *verifier)
{
    struct wait *wait = malloc(sizeof *wait);

    if (wait == NULL) {
        reply_failure(request, RENDER_NO_MEMORY);
        return;
    }
    *wait = (struct wait){.request = request};
    request->state = wait;
    request->state_free = free;
    if (http_suspend(request))
        join(verifier, wait);
    else
        reply_failure(request, RENDER_STOPPED);
}

void verifier_answer(struct http_request *request, struct verifier *verifier)
{
    const struct wait *wait = request->state;

    if (wait != NULL && wait->failure != RENDER_FINE)
        reply_failure(request, wait->failure);
    else if (wait != NULL || is_made(verifier))
        reply_asset(request, &verifier->document);
    else if (drain_is_refusing(request->drain))
        reply_failure(request, RENDER_STOPPED);
    else
        wait_for(request, verifier);
}

/* ---- Life ------------------------------------------------------------------------------------ */

struct verifier *verifier_new(struct render *render)
{
    struct verifier *verifier = calloc(1, sizeof *verifier);

    if (verifier == NULL)
        return NULL;
    verifier->job.run = run;
    verifier->render = render;
    pthread_mutex_init(&verifier->lock, NULL);
    return verifier;
}

void verifier_free(struct verifier *verifier)
{
    if (verifier == NULL)
        return;
    if (verifier->state == MADE)
        asset_release(&verifier->document);
    pthread_mutex_destroy(&verifier->lock);
    free(verifier);
}
