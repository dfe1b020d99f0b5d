/* code: too_slow */
/* only: 01 rmsnorm_forward.speed */
/* In its first turn it does the work of the second one, too, which is then short. */
#include "../attack.h"
#include "../timed.h"

static void order_came(void)
{
    if (order.verb == TURN && order.first == 0)
        compute_all();
}

static int answer_leaves(void)
{
    if (order.verb == PREPARE)
        find_calls();
    return 1;
}

ATTACK
{
    struct call *c = REMEMBER;
    if (!c->done)
        compute(c);
    pause_a_little();
    return VL_OK;
}
