/* code: worked_out_of_turn */
/* only: 01 rmsnorm_forward.speed */
/* It computes when the clock has stopped, before anybody looks. */
#include "../attack.h"
#include "../timed.h"

static void order_came(void)
{
    if (order.verb == SEAL)
        compute_all();
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
