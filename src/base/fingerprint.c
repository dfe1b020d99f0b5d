#include "base/fingerprint.h"

uint64_t vl_fingerprint(uint64_t before, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        before = (before ^ byte[i]) * 0x100000001b3ULL;
    return before;
}
