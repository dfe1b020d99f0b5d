#include "simulate/ranks/state.h"

#include <simgrid/actor.h>
#include <string.h>

static struct vl_rank_state states[VL_SIMULATE_RANKS];
static int world;

enum vl_status vl_rank_state_begin(int ranks)
{
    if (ranks >= VL_SIMULATE_RANKS)
        return VL_EINVAL;
    world = ranks;
    vl_speaker()->rank = vl_rank_state();
    return VL_OK;
}

/* Threads of ranks are numbered from 1 in the order of their ranks. Those that come later are told
 * for whom they speak when they are started. */
struct vl_speaker *vl_speaker(void)
{
    aid_t number = sg_actor_self_get_pid();
    return number <= world ? &states[number].speaker : sg_actor_self_get_data();
}

struct vl_rank_state *vl_rank_state(void)
{
    aid_t number = sg_actor_self_get_pid();
    return number <= world ? &states[number] : vl_speaker()->rank;
}

int vl_rank_number(const struct vl_rank_state *state)
{
    return (int)(state - states) - 1;
}

void vl_rank_state_reset(void)
{
    struct vl_rank_state *state = vl_rank_state();
    state->busy = 0;
    memset(&state->sent, 0, sizeof state->sent);
}

/* ---- what is sent ---- */

static int domain = 1;
static double slower = 1;

void vl_domain_set(int ranks)
{
    domain = ranks;
}

void vl_slower_set(double times)
{
    slower = times;
}

double vl_sent_count(int from, int to, size_t bytes, int is_scaled)
{
    struct vl_sent *sent = &vl_rank_state()->sent;
    double counted = is_scaled ? (double)bytes : (double)bytes / slower;
    sent->messages++;
    *(from / domain == to / domain ? &sent->inner_bytes : &sent->outer_bytes) += counted;
    return counted;
}
