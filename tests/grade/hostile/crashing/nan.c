/* code: not_a_number */
#include "../attack.h"

ATTACK
{
    for (size_t i = 0; i < n * d; i++)
        y[i] = NAN;
    for (size_t i = 0; i < n; i++)
        inv_rms[i] = NAN;
    return VL_OK;
}
