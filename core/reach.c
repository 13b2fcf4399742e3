/*
 * reach.c - how far out a specification can be computed: cell numbers must stay small enough for a
 * smooth fraction, and each dialect has a limit of its own.
 */
#include <math.h>
#include <string.h>

#include "core/dialects/dialect.h"
#include "core/number.h"

static enum nt_status refuse(const char *parameter, double value, const char *why,
                             struct nt_error *err)
{
    char text[NT_NUMBER_TEXT_MAX];

    nt_double_text(value, text);
    return nt_fail(err, NT_BAD_PARAMETER, parameter, text, strlen(text), "%s %s", parameter, why);
}

static enum nt_status check_octave(const struct nt_spec *spec, const struct nt_octave *octave,
                                   double reach, double warp, struct nt_error *err)
{
    static const char limit[] = "is too much for so many octaves: each must stay within 2^40 cells";

    if (fabs(octave->axis[2].offset) > NT_CELLS_MAX)
        return spec->t_period > 0 ? refuse("t_period", (double)spec->t_period, limit, err)
                                  : refuse("t", spec->t, limit, err);
    if (reach + warp <= 2.0 || octave->frequency * (reach + warp) <= NT_CELLS_MAX)
        return NT_OK; /* no octave has more cells per world than that */
    if (reach < warp)
        return refuse("warp", spec->warp, limit, err);
    return refuse("frequency", spec->frequency,
                  "is too high this far out: octaves must stay within 2^40 cells of the origin",
                  err);
}

/* warp: how far a place may be displaced, in worlds; a sphere has no far out. */
static enum nt_status check_plan(const struct nt_spec *spec, enum nt_plan_field field, double reach,
                                 double warp, double step, struct nt_error *err)
{
    struct nt_plan plan;

    nt_plan_make(&plan, spec, field);
    for (int o = 0; o < plan.count; o++) {
        bool heard = spec->domain == NT_DOMAIN_PLANET ||
                     nt_octave_gain(&plan, &plan.octave[o], step) != 0.0f;
        enum nt_status status =
            heard ? check_octave(spec, &plan.octave[o], reach, warp, err) : NT_OK;
        if (status)
            return status;
    }
    return NT_OK;
}

static enum nt_status check_dialect(const struct nt_spec *spec, double reach, struct nt_error *err)
{
    const char *fault = nt_kinds[spec->noise].dialect->fault(spec, reach);

    if (!fault)
        return NT_OK;
    if (strcmp(fault, "amplitude") == 0)
        return refuse(fault, spec->amplitude, "is 0, by which this kind's sum would be divided",
                      err);
    if (strcmp(fault, "persistence") == 0)
        return refuse(fault, spec->persistence,
                      "makes the weights sum to 0, by which they are divided", err);
    return refuse(fault, spec->frequency,
                  "is too high this far out for this kind's 32-bit cell numbers", err);
}

enum nt_status nt_reach_check(const struct nt_spec *spec, double reach, double step,
                              struct nt_error *err)
{
    enum nt_status status;
    double warp = 0.0;

    if (nt_kinds[spec->noise].dialect)
        return check_dialect(spec, reach, err);
    if (nt_mapping_of(spec) != NT_MAP_SPHERE)
        warp = spec->warp / nt_first_frequency(spec);
    status = check_plan(spec, NT_PLAN_NOISE, reach, warp, step, err);
    if (!status && spec->warp != 0.0)
        status = check_plan(spec, NT_PLAN_WARP_U, reach, 0.0, step, err);
    return status;
}
