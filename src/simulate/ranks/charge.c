#include "simulate/kernels/charge.h"

#include "simulate/ranks/state.h"

#include <simgrid/actor.h>

static struct vl_charge_rates rates;

void vl_charge_set(const struct vl_charge_rates *set)
{
    rates = *set;
}

/* A poll may finish a phase and start the next, so the list can change while it is walked. */
static enum vl_status poll_all(struct vl_rank_state *state)
{
    enum vl_status status = VL_OK;
    state->polls = 1;
    for (size_t i = 0; i < state->open_count && status == VL_OK; i++) {
        int done;
        status = vl_transfer_poll(state->open[i], &done);
    }
    state->polls = 0;
    return status;
}

static enum vl_status spend(double seconds)
{
    struct vl_rank_state *state = vl_rank_state();
    size_t slices = state->open_count > 0 && !state->polls ? rates.slices : 1;
    state->busy += seconds;
    for (size_t i = 0; i < slices; i++) {
        sg_actor_sleep_for(seconds / (double)slices);
        enum vl_status status = slices > 1 ? poll_all(state) : VL_OK;
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}

enum vl_status vl_charge(double flops, double elements)
{
    double computing = flops / rates.flops, moving = elements * rates.element_bytes / rates.memory;
    return spend(computing > moving ? computing : moving);
}

enum vl_status vl_charge_update(size_t n)
{
    return spend((double)n * rates.state_bytes / rates.memory);
}
