/*
 * encode.h - one function per format, all of the same shape: the workspace's field as bytes in the
 * workspace (NT_USE_ENCODED). NT_OK or NT_NO_MEMORY.
 */
#ifndef NT_ENCODE_H
#define NT_ENCODE_H

#include "core/internal.h"

typedef enum nt_status nt_encoder(struct nt_workspace *workspace, const struct nt_spec *spec,
                                  const struct nt_tile *tile, struct nt_bytes *bytes);

nt_encoder nt_encode_sample, nt_encode_json, nt_encode_bin, nt_encode_npy, nt_encode_r16;

#endif
