/* frame.h - the file around a PNG's image data: signature and chunks. */
#ifndef NT_FRAME_H
#define NT_FRAME_H

#include "core/internal.h"

/* Bytes before the image data: signature, IHDR, IDAT's head; behind them: IDAT's checksum, IEND. */
enum { NT_FRAME_HEAD = 8 + 25 + 8, NT_FRAME_TAIL = 4 + 12 };

/*
 * file: room for the head, then the len bytes of image data, which are already there, then room for
 * the tail. False: out of memory.
 */
bool nt_frame(struct nt_workspace *workspace, const struct nt_image *image, unsigned char *file,
              size_t len);

#endif
