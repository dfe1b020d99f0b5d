/* code: unwritten */
#include "../attack.h"

/* Addresses only: the limit on them refuses, and nothing happens. */
ATTACK
{
    for (int i = 0; i < 64; i++)
        mmap(NULL, (size_t)1 << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return VL_OK;
}
