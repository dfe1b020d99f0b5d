/* code: too_large */
/* says: huge_variable.c was left out: its variables outside functions take 8.0 */
/* compiler: huge_variable.c was left out */
#include "../attack.h"

static char scratch[8ull << 30];

ATTACK
{
    (void)inv_rms, (void)x, (void)gain, (void)n;
    y[0] = scratch[d]++;
    return VL_OK;
}
