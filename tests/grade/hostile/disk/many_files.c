/* code: not_started */
#include "../attack.h"

ATTACK
{
    for (int i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d", i);
        close(open(name, O_CREAT | O_WRONLY, 0));
    }
    return VL_TODO;
}
