/* code: wrong_protocol */
/* only: 01 rmsnorm_forward.speed */
/* Its answer is there before the order. */
#include "../attack.h"
#include "../timed.h"

static void order_came(void)
{
}

static int answer_leaves(void)
{
    uint64_t said[34] = {order.number}, next[34] = {order.number + 1};
    if (order.verb != PREPARE)
        return order.verb != TURN;
    syscall(SYS_write, answers, said, sizeof said);
    syscall(SYS_write, answers, next, sizeof next);
    return 0;
}

ATTACK
{
    compute(REMEMBER);
    return VL_OK;
}
