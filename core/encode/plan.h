/* plan.h - how an image is encoded: its filter, and whether repeats are searched for. */
#ifndef NT_PLAN_H
#define NT_PLAN_H

#include "core/encode/deflate.h"
#include "core/encode/filter.h"

struct nt_png_plan {
    enum nt_filter filter;
    enum nt_search search;
};

/* The cheapest for some rows of the image. False: out of memory. */
bool nt_png_plan_make(struct nt_workspace *workspace, const struct nt_image *image,
                      struct nt_png_plan *plan);

#endif
