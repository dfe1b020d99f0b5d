#include "simulate/kernels/charge.h"

#include "simulate/ranks/flights.h"
#include "simulate/ranks/state.h"
#include "simulate/ranks/watch.h"

#include <simgrid/actor.h>

static struct vl_charge_rates rates;

void vl_charge_set(const struct vl_charge_rates *set)
{
    rates = *set;
}

/* Its transfers go on meanwhile. */
static enum vl_status spend(double seconds)
{
    struct vl_rank_state *state = vl_rank_state();
    vl_flights_launch();
    vl_watch_progress();
    state->busy += seconds;
    state->polled = state->speaker.refused = 0;
    if (seconds > 0)
        sg_actor_sleep_for(seconds);
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
