/* code: wrong_protocol */
/* only: 01 rmsnorm_forward.speed */
/* It computes what is looked at, and nothing else. */
#include "../attack.h"
#include "../timed.h"

static void order_came(void)
{
    if (order.verb == FINISH && order.first < count)
        compute(&calls[order.first]);
}

static int answer_leaves(void)
{
    return 1;
}

ATTACK
{
    REMEMBER;
    return VL_OK;
}
