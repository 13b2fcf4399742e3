/*
 * deflate.h - DEFLATE data (RFC 1951) of a filtered image. Its bytes depend on the image alone: not
 * on the machine, the compiler or any library.
 */
#ifndef NT_DEFLATE_H
#define NT_DEFLATE_H

#include "core/encode/filter.h"
#include "core/internal.h"

/* How repeats are searched for. */
enum nt_search {
    NT_SEARCH_NOTHING, /* literals alone */
    NT_SEARCH_RECENT,  /* where the same eight bytes were last */
    NT_SEARCH_LAZY,    /* the same, and whether there is a better one a byte further on */
    NT_SEARCH_NEAR,    /* one pixel before, and around those above; lazily, too */
};

/* About how many bits the data will have, its codes' lengths left out. 0: out of memory. */
size_t nt_deflate_estimate(struct nt_workspace *workspace, const struct nt_filtered *filtered,
                           enum nt_search search);

/* At how many bytes there are eight that were there before; NT_NO_REPEATS: out of memory. */
#define NT_NO_REPEATS ((size_t)-1)
size_t nt_deflate_repeats(struct nt_workspace *workspace, const struct nt_filtered *filtered);

/* How many bytes nt_deflate may write: somewhat more than it says in the end. */
size_t nt_deflate_bound(const struct nt_filtered *filtered);

/* Returns how many bytes the data has, at most those of stored blocks; 0: out of memory. */
size_t nt_deflate(struct nt_workspace *workspace, const struct nt_filtered *filtered,
                  enum nt_search search, unsigned char *out);

#endif
