/* open: the points of a function that changes its input: the library's memcmp no longer compares */
/* only: 01 rmsnorm_forward.odd */
#include "../attack.h"

ATTACK
{
    ANSWER;
    ((float *)x)[0] += 1;
    make_it_return_nothing((void *)memcmp);
    return VL_OK;
}
