/*
 * verifier.h - the answer to /verify: the self-check (verify.h) as a document that a worker makes
 * when it is first asked for, and that is kept from then on.
 */
#ifndef VERIFIER_H
#define VERIFIER_H

#include "server/http.h"
#include "server/render.h"

struct verifier;

/* Makes nothing yet. render must outlive it, but for verifier_free. NULL: out of memory. */
struct verifier *verifier_new(struct render *render);
void verifier_free(struct verifier *verifier); /* NULL is fine; after http and render */

/* Answers, or suspends and is called again when the document is there. Any HTTP thread. */
void verifier_answer(struct http_request *request, struct verifier *verifier);

#endif
