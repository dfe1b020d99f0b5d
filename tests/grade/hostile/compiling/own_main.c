/* code: defines_main */
/* says: own_main.c was left out: it defines main */
#include "../attack.h"

int main(void)
{
    return 0;
}

ATTACK
{
    return VL_OK;
}
