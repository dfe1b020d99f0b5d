/* code: defines_main */
#include "../attack.h"

__attribute__((weak)) int main(void)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
