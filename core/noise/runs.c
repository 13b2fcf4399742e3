/* runs.c - the tables that runs.h counts with. */
#include "core/noise/runs.h"

#define BELOW(m, k) __builtin_popcount((m) & ((1 << (k)) - 1))
#define STEPS(m)                                                                         \
    {                                                                                    \
        0, BELOW(m, 1), BELOW(m, 2), BELOW(m, 3), BELOW(m, 4), BELOW(m, 5), BELOW(m, 6), \
            BELOW(m, 7)                                                                  \
    }
/* Bit k of those that are set in m, counted from 0, is behind all bits below which there are k. */
#define START(m, k)                                                                              \
    ((BELOW(m, 1) <= (k)) + (BELOW(m, 2) <= (k)) + (BELOW(m, 3) <= (k)) + (BELOW(m, 4) <= (k)) + \
     (BELOW(m, 5) <= (k)) + (BELOW(m, 6) <= (k)) + (BELOW(m, 7) <= (k)))
#define STARTS(m)                                                                                  \
    {                                                                                              \
        START(m, 0), START(m, 1), START(m, 2), START(m, 3), START(m, 4), START(m, 5), START(m, 6), \
            START(m, 7)                                                                            \
    }

#define ROWS_4(row, m) row(m), row((m) + 1), row((m) + 2), row((m) + 3)
#define ROWS_16(row, m) \
    ROWS_4(row, m), ROWS_4(row, (m) + 4), ROWS_4(row, (m) + 8), ROWS_4(row, (m) + 12)
#define ROWS_64(row, m) \
    ROWS_16(row, m), ROWS_16(row, (m) + 16), ROWS_16(row, (m) + 32), ROWS_16(row, (m) + 48)

const int32_t nt_run_steps[128][NT_LANES] = {ROWS_64(STEPS, 0), ROWS_64(STEPS, 64)};

const uint8_t nt_run_starts[256][NT_LANES] = {ROWS_64(STARTS, 0), ROWS_64(STARTS, 64),
                                              ROWS_64(STARTS, 128), ROWS_64(STARTS, 192)};
