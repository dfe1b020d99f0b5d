/* code: wrong_protocol */
/* only: 01 rmsnorm_forward.speed */
/* It computes what is looked at, and nothing else. */
#include "../attack.h"
#include "../timed.h"

static void order_came(void)
{
    if (order.verb == FINISH && order.first < count)
        answer(calls[order.first].y, calls[order.first].inv_rms, calls[order.first].x,
               calls[order.first].gain, calls[order.first].n, calls[order.first].d);
}

static int answer_leaves(void)
{
    return 1;
}

ATTACK
{
    REMEMBER;
    pause_a_little();
    return VL_OK;
}
