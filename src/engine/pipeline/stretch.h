/*
 * The tasks of a schedule, computed: F, B and W of one micro-batch on one stretch of a model.
 */
#ifndef VIALATA_ENGINE_PIPELINE_STRETCH_H
#define VIALATA_ENGINE_PIPELINE_STRETCH_H

#include "engine/model/inside.h"
#include "vialata/schedule.h"

/* Everything is free, every unit waits for all micro-batches. */
void vl_stretches_begin(struct vl_model *model, size_t micro_batches);

/* Compute a task; 'every' as in vl_pipeline_run. */
enum vl_status vl_stretch_compute(struct vl_model *model, const struct vl_task *task, int every);

/* The memory of what arrives for a task (its input), or of what a task leaves to be sent, and its
 * elements: of own tokens only, under sequence parallelism. */
enum vl_status vl_stretch_input(float **values, size_t *count, struct vl_model *model,
                                const struct vl_task *task);
enum vl_status vl_stretch_output(float **values, size_t *count, struct vl_model *model,
                                 const struct vl_task *task);

#endif
