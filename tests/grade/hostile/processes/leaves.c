/* code: exited_early */
#include "../attack.h"

ATTACK
{
    exit(0);
}
