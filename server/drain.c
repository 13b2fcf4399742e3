/* drain.c - the counters and flags of drain.h. The order of the steps is serve.c's. */
#include "server/drain.h"

void drain_announce(struct drain *drain)
{
    atomic_store(&drain->announced, true);
}

void drain_refuse(struct drain *drain)
{
    atomic_store(&drain->refusing, true);
}

void drain_wake(struct drain *drain)
{
    atomic_store(&drain->waking, true);
}

bool drain_is_announced(const struct drain *drain)
{
    return atomic_load(&drain->announced);
}

bool drain_is_refusing(const struct drain *drain)
{
    return atomic_load(&drain->refusing);
}

int drain_enter(struct drain *drain)
{
    /* Old at first: moved once it is certain that it is not. */
    atomic_fetch_add(&drain->requests[0], 1);
    if (!atomic_load(&drain->refusing))
        return 0;
    atomic_fetch_add(&drain->requests[1], 1);
    atomic_fetch_sub(&drain->requests[0], 1);
    return 1;
}

void drain_leave(struct drain *drain, int generation)
{
    atomic_fetch_sub(&drain->requests[generation], 1);
}

bool drain_suspend(struct drain *drain)
{
    atomic_fetch_add(&drain->suspended, 1);
    if (!atomic_load(&drain->waking))
        return true;
    atomic_fetch_sub(&drain->suspended, 1);
    return false;
}

void drain_resumed(struct drain *drain)
{
    atomic_fetch_sub(&drain->suspended, 1);
}

void drain_connected(struct drain *drain)
{
    atomic_fetch_add(&drain->fresh, 1);
}

void drain_answered(struct drain *drain)
{
    atomic_fetch_sub(&drain->fresh, 1);
}

unsigned drain_requests(const struct drain *drain)
{
    return atomic_load(&drain->requests[0]) + atomic_load(&drain->requests[1]);
}

unsigned drain_old_requests(const struct drain *drain)
{
    return atomic_load(&drain->requests[0]);
}

unsigned drain_suspended(const struct drain *drain)
{
    return atomic_load(&drain->suspended);
}

unsigned drain_fresh(const struct drain *drain)
{
    return atomic_load(&drain->fresh);
}
