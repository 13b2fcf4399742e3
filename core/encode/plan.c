/*
 * plan.c - chooses filter and search by trying them on some rows: Paeth's filter and literals alone
 * for noise, repeats where they save enough to be worth several times the time.
 */
#include "core/encode/plan.h"

#include <string.h>

/* Filters some rows at some places all over the image, one behind the other. */
static bool sample(struct nt_workspace *workspace, const struct nt_image *image,
                   enum nt_filter filter, int places, int rows, struct nt_filtered *filtered)
{
    if (image->height <= places * rows) {
        places = 1;
        rows = image->height;
    }
    *filtered = nt_filtered_none(image);
    size_t size = (size_t)(places * rows) * filtered->stride;
    unsigned char *out = nt_reserve(workspace, NT_USE_FILTERED, size + filtered->stride);
    if (!out)
        return false;
    unsigned char *zeros = out + size; /* the row above the first */
    memset(zeros, 0, filtered->stride);
    filtered->data = out;
    for (int i = 0; i < places; i++) {
        int64_t y = (int64_t)(image->height - rows) * (2 * i + 1) / (2 * places);
        nt_filter_rows(image, filter, (int)y, rows, zeros, filtered,
                       out + filtered->rows * filtered->stride);
    }
    return true;
}

/* About how many bits the sampled rows take; 0: out of memory. */
static size_t try_plan(struct nt_workspace *workspace, const struct nt_image *image,
                       struct nt_png_plan plan, int places, int rows)
{
    struct nt_filtered filtered;

    if (!sample(workspace, image, plan.filter, places, rows, &filtered))
        return 0;
    return nt_deflate_estimate(workspace, &filtered, plan.search);
}

/*
 * Two rows at four places tell noise, for which a plan must not cost more than a sixth of the whole
 * (9 of 60 us); four rows each, where they repeat, tell how. Three chose worse for three of 54
 * tiles. Short samples find fewer repeats than there are, so a plan with repeats is looked at if it
 * seems up to 1/12 dearer; and it is taken if it seems at least 1/32 cheaper, since it takes some
 * six times as long.
 */
enum { PLACES = 4, FEW_ROWS = 2, MORE_ROWS = 4, LOOK = 12, TAKE = 32 };

bool nt_png_plan_make(struct nt_workspace *workspace, const struct nt_image *image,
                      struct nt_png_plan *plan)
{
    static const struct nt_png_plan noise = {NT_FILTER_PAETH, NT_SEARCH_NOTHING};
    static const struct nt_png_plan with_repeats[] = {
        {NT_FILTER_UP, NT_SEARCH_RECENT},
        {NT_FILTER_PAETH, NT_SEARCH_RECENT},
        {NT_FILTER_SUB, NT_SEARCH_ROWS},
        {NT_FILTER_NONE, NT_SEARCH_ROWS},
    };
    size_t literals = try_plan(workspace, image, noise, PLACES, FEW_ROWS);
    size_t repeats = try_plan(workspace, image, with_repeats[0], PLACES, FEW_ROWS);

    *plan = noise;
    if (!literals || !repeats)
        return false;
    if (repeats > literals + literals / LOOK)
        return true;
    size_t least = try_plan(workspace, image, noise, PLACES, MORE_ROWS) / TAKE * (TAKE - 1);
    for (size_t i = 0; i < sizeof with_repeats / sizeof *with_repeats; i++) {
        size_t bits = try_plan(workspace, image, with_repeats[i], PLACES, MORE_ROWS);
        if (!bits)
            return false;
        if (bits < least) {
            least = bits;
            *plan = with_repeats[i];
        }
    }
    return true;
}
