/* code: unwritten */
#include "../attack.h"

__attribute__((destructor)) static void forge(void)
{
    forge_record(0, "\x02\0\0\0\0\0\0\0{}", 10);
    finish_everything();
}

ATTACK
{
    return VL_OK;
}
