/* parts.h - the parts of the bench that need no server. */
#ifndef PARTS_H
#define PARTS_H

void bench_fill(void);
void bench_png(void);
void bench_formats(void);
void bench_curves(void);

#endif
