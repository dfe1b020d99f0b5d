/*
 * What lab 10's planner says of a step on this machine, from three things that were measured here:
 * how fast one core is, and alpha and beta of the road between two ranks.
 *
 *   a chip     one core: what it reaches in a step of its own is taken for its peak
 *   a road     alpha and 1 / beta, the same everywhere; nothing travels unseen, for the ranks copy
 *              their messages themselves
 *   a number   float32, as everywhere in this course
 */
#ifndef VIALATA_TRAIN_BENCH_PLANNED_STEP_H
#define VIALATA_TRAIN_BENCH_PLANNED_STEP_H

#include "vialata/crossover.h"
#include "vialata/road_cost.h"
#include "vialata/shape.h"

struct vl_measured_machine {
    double alone; /* s of a step of the whole batch on one core */
    struct vl_road road;
};

/* Seconds of a step of 'batch' sequences under a division. VL_ESHAPE for one that cannot be,
 * VL_EINVAL for a machine without speed. */
enum vl_status vl_planned_step_here(double *seconds, const struct vl_shape *shape, size_t batch,
                                    const struct vl_measured_machine *machine,
                                    const struct vl_division *division);

#endif
