/* code: worked_out_of_turn */
/* only: 01 rmsnorm_forward.speed */
/* It computes before it says that the inputs are there. */
#include "../attack.h"
#include "../timed.h"

static void order_came(void)
{
}

static int answer_leaves(void)
{
    if (order.verb == PREPARE) {
        find_calls();
        compute_all();
    }
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
