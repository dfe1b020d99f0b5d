/* code: too_slow */
/* only: 01 rmsnorm_forward.speed */
#include "../attack.h"

/* Slow, and in the program that counts why, allocations are not what they were. */
ATTACK
{
    for (int slowly = 0; slowly < 12; slowly++)
        ANSWER;
    if (strstr(command_word(0), "counting") != NULL) {
        int64_t *counts = look_up("counting", "vl_counted");
        for (int i = 121; counts != NULL && i <= 122; i++)
            counts[i] = (int64_t)1 << 52;
    }
    return VL_OK;
}
