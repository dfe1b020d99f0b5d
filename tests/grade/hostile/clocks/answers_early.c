/* code: worked_out_of_turn used_threads */
/* only: 01 rmsnorm_forward.speed */
/* It answers by itself and computes then. */
#include "../attack.h"
#include "../timed.h"

static void order_came(void)
{
    uint64_t said[34] = {order.number};
    pause_a_little();
    if (order.verb == TURN)
        syscall(SYS_write, answers, said, sizeof said);
}

static int answer_leaves(void)
{
    return order.verb != TURN;
}

ATTACK
{
    compute(REMEMBER);
    return VL_OK;
}
