/* open: the points of a function that writes too far: it takes the runner's check out of memory */
/* only: 01 rmsnorm_forward.odd */
#include "../attack.h"

ATTACK
{
    ANSWER;
    y[n * d] = 1;
    make_it_return_nothing(look_up("/runner", "vl_bag_damaged"));
    return VL_OK;
}
