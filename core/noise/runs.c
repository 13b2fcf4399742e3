/* runs.c - the table that runs.h counts with. */
#include "core/noise/runs.h"

#define BELOW(m, k) __builtin_popcount((m) & ((1 << (k)) - 1))
#define ROW(m)                                                                           \
    {                                                                                    \
        0, BELOW(m, 1), BELOW(m, 2), BELOW(m, 3), BELOW(m, 4), BELOW(m, 5), BELOW(m, 6), \
            BELOW(m, 7)                                                                  \
    }
#define ROWS_4(m)  ROW(m), ROW((m) + 1), ROW((m) + 2), ROW((m) + 3)
#define ROWS_16(m) ROWS_4(m), ROWS_4((m) + 4), ROWS_4((m) + 8), ROWS_4((m) + 12)
#define ROWS_64(m) ROWS_16(m), ROWS_16((m) + 16), ROWS_16((m) + 32), ROWS_16((m) + 48)

const int32_t nt_run_steps[128][NT_LANES] = {ROWS_64(0), ROWS_64(64)};
