/* code: crashed_signal */
/* says: SIGILL */
#include "../attack.h"

ATTACK
{
    __builtin_trap();
}
