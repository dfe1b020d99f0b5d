/* code: defines_main */
/* compiler: main */
#include "../attack.h"

int main = 195;

ATTACK
{
    return VL_OK;
}
