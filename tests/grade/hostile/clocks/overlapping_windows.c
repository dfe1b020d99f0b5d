/* code: too_slow */
/* only: 01 rmsnorm_forward.speed */
/* Rows that an earlier call has computed are not computed again; the others slowly. */
#include "../attack.h"

ATTACK
{
    static float *last_y, *last_inv;
    static const float *last_x;
    size_t moved = y > last_y ? (size_t)(y - last_y) / d : n;
    int again = moved < n && x == last_x + moved * d && inv_rms == last_inv + moved;
    size_t known = again ? n - moved : 0;
    last_y = y, last_inv = inv_rms, last_x = x;
    for (int slowly = 0; slowly < 8; slowly++)
        answer(y + known * d, inv_rms + known, x + known * d, gain, n - known, d);
    return VL_OK;
}
