/* code: unwritten */
#include "../attack.h"

static void forge(void)
{
    forge_record(0, "\x02\0\0\0\0\0\0\0{}", 10);
}

ATTACK
{
    atexit(forge);
    at_quick_exit(forge);
    return VL_OK;
}
