/* code: crashed_signal */
/* says: SIGFPE */
#include "../attack.h"

static volatile int nine = 9, zero;

ATTACK
{
    return (enum vl_status)(nine / zero);
}
