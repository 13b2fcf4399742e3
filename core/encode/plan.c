/*
 * plan.c - chooses filter and search by some rows: Paeth's filter and literals alone for noise, what
 * a trial says is cheapest where bytes repeat, a deep search for what is smooth.
 */
#include "core/encode/plan.h"

#include <string.h>

/* Rows are taken at four places: two each to tell noise, four each to choose among the rest. */
enum { PLACES = 4, FEW_ROWS = 2, MORE_ROWS = 4 };

/* What these have unfiltered. */
static size_t sampled_bits(const struct nt_image *image)
{
    int rows = image->height < PLACES * MORE_ROWS ? image->height : PLACES * MORE_ROWS;

    return 8 * nt_filtered_none(image).stride * (size_t)rows;
}

/* About how many bits the sampled rows take; 0: out of memory. */
static size_t try_plan(struct nt_workspace *workspace, const struct nt_image *image,
                       struct nt_png_plan plan, int rows)
{
    struct nt_filtered filtered;

    if (!nt_filter_places(workspace, image, plan.filter, PLACES, rows, &filtered))
        return 0;
    return nt_deflate_estimate(workspace, &filtered, plan.search);
}

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
    size_t bits;
};
enum { ANY = 1 << 30 };

/* Takes a plan if it saves more than one part in `least`. False: out of memory. */
static bool consider(struct nt_workspace *workspace, const struct nt_image *image,
                     struct nt_png_plan plan, size_t least, struct choice *best)
{
    size_t bits = try_plan(workspace, image, plan, MORE_ROWS);

    if (bits && bits < best->bits - best->bits / least)
        *best = (struct choice){plan, bits};
    return bits > 0;
}

/*
 * The best of those that look for where the same eight bytes were last, or literals alone. Short
 * samples have fewer repeats than there are, so all are looked at if they seem up to 1/12 dearer;
 * and one is taken if it seems at least 1/32 cheaper: it takes five times as long as literals.
 */
static bool choose_recent(struct nt_workspace *workspace, const struct nt_image *image,
                          struct choice *best)
{
    static const enum nt_filter filters[] = {NT_FILTER_UP, NT_FILTER_PAETH, NT_FILTER_SUB};
    enum { LOOK = 12, TAKE = 32 };
    struct choice literals = *best;
    size_t few = try_plan(workspace, image, literals.plan, FEW_ROWS);
    size_t few_repeats =
        try_plan(workspace, image, (struct nt_png_plan){NT_FILTER_UP, NT_SEARCH_RECENT}, FEW_ROWS);

    if (!few || !few_repeats)
        return false;
    best->bits = 4 * sampled_bits(image); /* neither smooth nor flat */
    if (few_repeats > few + few / LOOK)
        return true;
    literals.bits = try_plan(workspace, image, literals.plan, MORE_ROWS);
    *best = (struct choice){literals.plan, literals.bits - literals.bits / TAKE};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (!consider(workspace, image, (struct nt_png_plan){filters[i], NT_SEARCH_RECENT}, ANY,
                      best))
            return false;
    return literals.bits > 0;
}

/*
 * Samples are too short to show what a deep search finds in smooth images, where it is always best.
 * Flat ones of one byte a pixel do without it: a third of the time for a tenth more bytes. Elsewhere
 * rows above are worth twice the time if they save something, except behind Up.
 */
bool nt_png_plan_make(struct nt_workspace *workspace, const struct nt_image *image,
                      struct nt_png_plan *plan)
{
    enum { FLAT = 64, SMOOTH = 8, TAKE_ROWS = 100 };
    struct choice best = {{NT_FILTER_PAETH, NT_SEARCH_NOTHING}, 0};
    bool repeats = false, tried = find_repeats(workspace, image, &repeats);

    if (tried && repeats) {
        tried = choose_recent(workspace, image, &best);
        size_t raw = sampled_bits(image);
        bool is_flat = best.bits < raw / FLAT && nt_filtered_none(image).bpp == 1;
        if (best.bits < raw / SMOOTH && !is_flat)
            best.plan = (struct nt_png_plan){NT_FILTER_NONE, NT_SEARCH_DEEP};
        else if (!is_flat && best.plan.search == NT_SEARCH_RECENT &&
                 best.plan.filter != NT_FILTER_UP)
            tried = tried && consider(workspace, image,
                                      (struct nt_png_plan){best.plan.filter, NT_SEARCH_ROWS},
                                      TAKE_ROWS, &best);
    }
    *plan = best.plan;
    return tried;
}
