/* code: no_output full */
#include "../attack.h"

/* Behind the wall it cannot be made. */
ATTACK
{
    ANSWER;
    unlink("results.0");
    mkdir("results.0", 0700);
    return VL_OK;
}
