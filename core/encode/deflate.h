/* deflate.h - deflated data in a workspace. nt_gzip and nt_codec_version are public: noisetile.h.
 */
#ifndef NT_DEFLATE_H
#define NT_DEFLATE_H

#include "core/internal.h"

/* zlib (RFC 1950) of any bytes; the result is in NT_USE_ZIPPED. NT_OK or NT_NO_MEMORY. */
enum nt_status nt_zlib(struct nt_workspace *workspace, struct nt_bytes from, struct nt_bytes *to);

#endif
