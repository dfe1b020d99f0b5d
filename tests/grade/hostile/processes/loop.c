/* code: hung */
/* says: loop.c: */
#include "../attack.h"

ATTACK
{
    for (volatile int i = 0;; i = !i)
        ;
}
