/* code: too_much_output */
#include "../attack.h"

ATTACK
{
    for (;;)
        fputs("....................................................................", stderr);
}
