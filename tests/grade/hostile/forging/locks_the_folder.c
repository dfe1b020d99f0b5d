/* code: no_output full */
#include "../attack.h"

ATTACK
{
    ANSWER;
    chmod(".", 0500);
    return VL_OK;
}
