/*
 * The learning rate of every step: it rises linearly to its peak, then falls along half a cosine to
 * a tenth of it.
 *
 *   peak            _____
 *                  /     \__
 *                 /         \__
 *   peak / 10    /             \_____________
 *               1  warmup     horizon          step
 *
 * The horizon is set independently of where a run stops (--steps), which changes no rate. So a run
 * that stops and is resumed has the same rates as one that never stopped.
 */
#ifndef VIALATA_TRAIN_RUN_SCHEDULE_H
#define VIALATA_TRAIN_RUN_SCHEDULE_H

#include <stdint.h>

#define VL_SCHEDULE_FLOOR 0.1 /* of the peak, at the horizon and after it */

struct vl_rate_schedule {
    double peak;
    uint64_t warmup;  /* steps; zero starts at the peak */
    uint64_t horizon; /* steps */
};

/* The rate of step 1, 2, ... */
double vl_schedule_rate(const struct vl_rate_schedule *schedule, uint64_t step);

#endif
