/*
 * The tasks of a schedule, computed: F, B and W of one micro-batch on one stretch of a model.
 */
#ifndef VIALATA_ENGINE_PIPELINE_STRETCH_H
#define VIALATA_ENGINE_PIPELINE_STRETCH_H

#include "engine/model/inside.h"
#include "vialata/schedule.h"

/* A batch begins: all buffers are free, and every unit waits for all micro-batches. */
void vl_stretches_begin(struct vl_model *model, size_t micro_batches);

/* Compute a task; 'every' as in vl_pipeline_run. */
enum vl_status vl_stretch_compute(struct vl_model *model, const struct vl_task *task, int every);

/* Where a task's input is received, or its output to be sent is, and how many elements it has.
 * Under sequence parallelism these are this rank's own tokens only. */
enum vl_status vl_stretch_input(float **values, size_t *count, struct vl_model *model,
                                const struct vl_task *task);
enum vl_status vl_stretch_output(float **values, size_t *count, struct vl_model *model,
                                 const struct vl_task *task);

#endif
