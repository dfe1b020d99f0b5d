/* code: too_slow */
/* only: 01 rmsnorm_forward.speed */
/* In its first turn it does the second one's work, which is then short. */
#include "../attack.h"
#include "../timed.h"

static void order_came(void)
{
    if (order.verb == TURN && order.first == 0)
        for (size_t i = 0; i < 2 * order.count && repeated >= 2 * order.count; i++)
            compute(&calls[i]);
}

static int answer_leaves(void)
{
    return 1;
}

ATTACK
{
    struct call *c = REMEMBER;
    if (!c->done)
        compute(c);
    return VL_OK;
}
