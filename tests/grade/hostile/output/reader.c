/* code: unwritten */
#include "../attack.h"

ATTACK
{
    while (getchar() != EOF)
        ;
    return VL_OK;
}
