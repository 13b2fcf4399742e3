/*
 * plan.c - chooses filter and search by some rows: Paeth's filter and literals alone for noise,
 * what a trial says is cheapest where bytes repeat, what is near for what is smooth.
 */
#include "core/encode/plan.h"

#include <stdint.h>

/* Rows are taken at four places: two each to tell noise, four each to choose among the rest. */
enum { PLACES = 4, FEW_ROWS = 2, MORE_ROWS = 4 };

/*
 * Whether enough bytes are the first of eight that were there before: of grey noise, up to one in
 * eight is; of wider pixels, whose bytes differ more, one in 16 is worth a look. Counting them takes
 * a third of the time of trying one search. False: out of memory.
 */
static bool find_repeats(struct nt_workspace *workspace, const struct nt_image *image,
                         bool *repeats)
{
    struct nt_filtered filtered;

    if (!nt_filter_places(workspace, image, NT_FILTER_UP, PLACES, FEW_ROWS, &filtered))
        return false;
    size_t count = nt_deflate_repeats(workspace, &filtered);
    *repeats = count > filtered.rows * filtered.stride / (filtered.bpp == 1 ? 6 : 16);
    return count != NT_NO_REPEATS;
}

/* A plan and about how many bits the sampled rows take with it. */
struct choice {
    struct nt_png_plan plan;
    size_t bits, raw;
};

/* Takes a plan if it saves more than one part in `least` of the best's. False: out of memory. */
static bool consider(struct nt_workspace *workspace, const struct nt_image *image,
                     struct nt_png_plan plan, size_t least, struct choice *best)
{
    struct nt_filtered filtered;

    if (!nt_filter_places(workspace, image, plan.filter, PLACES, MORE_ROWS, &filtered))
        return false;
    size_t bits = nt_deflate_estimate(workspace, &filtered, plan.search);
    if (bits && bits < best->bits - best->bits / least)
        *best = (struct choice){plan, bits, 8 * filtered.rows * filtered.stride};
    return bits > 0;
}

/*
 * Up is tried first: how much it saves tells what is smooth, where what is near is found sooner,
 * and makes smaller files, than short samples can show. Elsewhere Sub, which pays only lazily and
 * so takes longer, has to save a 33rd. Literals take a fifth of the time, but have to save a 16th:
 * samples have fewer repeats than the image.
 */
static bool choose(struct nt_workspace *workspace, const struct nt_image *image,
                   struct choice *best)
{
    static const struct nt_png_plan up = {NT_FILTER_UP, NT_SEARCH_RECENT},
                                    sub = {NT_FILTER_SUB, NT_SEARCH_LAZY},
                                    literals = {NT_FILTER_PAETH, NT_SEARCH_NOTHING};
    enum { SMOOTH = 14, NEARLY_SMOOTH = 8, SUB_SAVES = 33, LITERALS_SAVE = 16, ANY = 1 << 30 };

    best->bits = SIZE_MAX;
    if (!consider(workspace, image, up, ANY, best))
        return false;
    /* The smoothest repeat the row above as it is; less smooth ones, its steps from pixel to pixel. */
    if (best->bits < best->raw / NEARLY_SMOOTH) {
        enum nt_filter filter = best->bits < best->raw / SMOOTH ? NT_FILTER_NONE : NT_FILTER_SUB;
        best->plan = (struct nt_png_plan){filter, NT_SEARCH_NEAR};
        return true;
    }
    return consider(workspace, image, sub, SUB_SAVES, best) &&
           consider(workspace, image, literals, LITERALS_SAVE, best);
}

bool nt_png_plan_make(struct nt_workspace *workspace, const struct nt_image *image,
                      struct nt_png_plan *plan)
{
    struct choice best = {.plan = {NT_FILTER_PAETH, NT_SEARCH_NOTHING}};
    bool repeats = false, done = find_repeats(workspace, image, &repeats);

    if (done && repeats)
        done = choose(workspace, image, &best);
    *plan = best.plan;
    return done;
}
