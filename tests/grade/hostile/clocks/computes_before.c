/* code: worked_out_of_turn */
/* only: 01 rmsnorm_forward.speed */
/* New inputs lie where the last ones lay: it computes before it says that they are there. */
#include "../attack.h"
#include "../timed.h"

#include <malloc.h>

/* Large arrays, which are not kept in the heap, always get the same places. */
static void order_came(void)
{
    mallopt(M_MMAP_THRESHOLD, 4096);
}

static int answer_leaves(void)
{
    if (order.verb == PREPARE)
        compute_next();
    return 1;
}

ATTACK
{
    struct call *c = REMEMBER;
    if (!c->done)
        compute(c);
    return VL_OK;
}
