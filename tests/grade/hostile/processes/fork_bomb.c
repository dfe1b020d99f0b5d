/* code: hung too_much_memory */
#include "../attack.h"

ATTACK
{
    for (;;)
        (void)!fork();
}
