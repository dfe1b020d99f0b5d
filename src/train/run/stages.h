/*
 * The pipeline of a run: its schedule, and the layers that each virtual stage has.
 */
#ifndef VIALATA_TRAIN_RUN_STAGES_H
#define VIALATA_TRAIN_RUN_STAGES_H

#include "train/log/problem.h"
#include "train/options/options.h"
#include "vialata/schedule.h"

struct vl_stages {
    struct vl_schedule schedule; /* without tasks where there is one stage */
    size_t *borders;             /* (stages chunks + 1): virtual stage k has layers borders[k] ..
                                  * borders[k+1] - 1. NULL where there is one stage */
    double live;                 /* micro-batches alive at once, mean over the stages */
};

/* Make and check the schedule, reading its file if it has one, and set in *options what the file
 * decides. VL_OK: free it later. Otherwise nothing is to be freed, and *problem says why. Local. */
enum vl_status vl_stages_create(struct vl_stages *stages, struct vl_options *options,
                                struct vl_problem *problem);
void vl_stages_free(struct vl_stages *stages);

#endif
