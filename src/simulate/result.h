/*
 * What a simulated step came to, from what every rank told (simulate/ranks/tell.h).
 */
#ifndef VIALATA_SIMULATE_RESULT_H
#define VIALATA_SIMULATE_RESULT_H

#include "vialata/blueprint.h"
#include "vialata/status.h"
#include <jansson.h>

#define VL_SIMULATE_STAGES 256

/* Of one kind of link: what a chip sends on its own. Bytes of the real model. */
struct vl_link_load {
    double mean, most;
};

struct vl_simulate_result {
    double seconds; /* of the step: until the last chip is done */
    double idle;    /* mean share of it in which a chip does not compute */
    double least_idle, most_idle;
    double stage_idle[VL_SIMULATE_STAGES]; /* mean over the stage's chips */
    size_t stages;
    struct vl_link_load inner, outer;
    double messages; /* of all chips */
};

/* VL_EFORMAT if 'told' is not what the simulator writes for this many chips. */
enum vl_status vl_simulate_result_read(struct vl_simulate_result *result, const json_t *told,
                                       const struct vl_division *division,
                                       const struct vl_recipe *recipe, size_t scale);

#endif
