/* checksum.h - the two checksums of a PNG, as zlib and PNG define them. */
#ifndef NT_CHECKSUM_H
#define NT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* before: 0, or the result for what precedes. */
uint32_t nt_crc32(uint32_t before, const unsigned char *data, size_t len);
uint32_t nt_adler32(const unsigned char *data, size_t len);

#endif
