#include "base/machine/memory.h"

#include <limits.h>
#include <malloc.h>

void vl_memory_keep(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the largest there is */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 64 << 20);
}
