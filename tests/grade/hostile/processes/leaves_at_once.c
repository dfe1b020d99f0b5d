/* code: exited_early */
#include "../attack.h"

ATTACK
{
    _exit(0);
}
