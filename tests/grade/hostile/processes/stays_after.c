/* code: full */
#include "../attack.h"

/* A right answer, and a destructor that never ends. */
__attribute__((destructor)) static void last(void)
{
    for (;;)
        pause();
}

ATTACK
{
    ANSWER;
    return VL_OK;
}
