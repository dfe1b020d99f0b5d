/* code: full */
#include "../attack.h"

ATTACK
{
    ANSWER;
    return VL_OK;
}
