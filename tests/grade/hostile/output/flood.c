/* code: too_much_output */
#include "../attack.h"

ATTACK
{
    for (;;)
        puts("all work and no play makes a long line of output, again and again and again");
}
