#include "simulate/ranks/state.h"

#include <simgrid/actor.h>
#include <stdlib.h>
#include <string.h>

static struct vl_rank_state states[VL_SIMULATE_RANKS];

struct vl_rank_state *vl_rank_state(void)
{
    /* Threads are numbered from 1 in the order of their ranks. */
    size_t number = (size_t)sg_actor_self_get_pid();
    if (number >= VL_SIMULATE_RANKS)
        abort(); /* main refuses so many ranks before any of this */
    return &states[number];
}

void vl_rank_state_reset(void)
{
    struct vl_rank_state *state = vl_rank_state();
    state->busy = 0;
    memset(&state->sent, 0, sizeof state->sent);
}
