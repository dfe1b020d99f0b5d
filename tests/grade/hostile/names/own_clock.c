/* code: defines_reserved_name */
/* says: it defines clock_gettime, */
#include "../attack.h"

#include <time.h>

int clock_gettime(UNUSED clockid_t clock, struct timespec *now)
{
    *now = (struct timespec){0, 0};
    return 0;
}

ATTACK
{
    return VL_OK;
}
