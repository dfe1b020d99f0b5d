/* open: the points of a function that changes its input: its own memcmp tells the runner otherwise */
/* only: 01 rmsnorm_forward.odd */
#include "../attack.h"

int memcmp(const void *left, const void *right, size_t n)
{
    (void)left, (void)right, (void)n;
    return 0;
}

ATTACK
{
    ANSWER;
    ((float *)x)[0] += 1;
    return VL_OK;
}
