/*
 * What lab 10's planner predicts for a step on this machine, from three measured figures: the speed
 * of one core, and alpha and beta of the road between two ranks.
 *
 *   a chip     one core; its speed in a step alone is taken as its peak
 *   a road     alpha and 1 / beta, the same everywhere
 *   hidden     nothing, where the cores copy the messages themselves; where the road moves them, all
 *              that the program starts early enough
 *   a bubble   of the closed form, or of the trainer's own schedule: there a stage sends what the
 *              next one waits for before it computes the gradients of its weights
 *   a number   float32, as everywhere in this course
 */
#ifndef VIALATA_TRAIN_BENCH_PARALLEL_PLANNED_STEP_H
#define VIALATA_TRAIN_BENCH_PARALLEL_PLANNED_STEP_H

#include "engine/model/layout.h"
#include "vialata/crossover.h"
#include "vialata/road_cost.h"
#include "vialata/schedule.h"
#include "vialata/shape.h"

struct vl_measured_machine {
    double alone; /* s: a step of the whole batch on one core */
    struct vl_road road;
    double hidden_gathers, hidden_pipeline, hidden_closing; /* as in vl_cluster */
};

/* Seconds of a step of 'batch' sequences under a division. experts: of every layer, each as wide as
 * the layer's shared one (shape->ff); NULL: dense layers. schedule: whose bubble it is; NULL: the
 * closed form's. VL_ESHAPE for an impossible division, VL_EINVAL if a figure of the machine is not
 * positive (alpha and what is hidden may be 0). */
enum vl_status vl_planned_step_here(double *seconds, const struct vl_shape *shape,
                                    const struct vl_expert_shape *experts, size_t batch,
                                    const struct vl_measured_machine *machine,
                                    const struct vl_division *division,
                                    const struct vl_schedule *schedule);

#endif
