/*
 * One stage of a pipeline inside a model: its schedule, and its tasks and messages in order.
 *
 * Any sound schedule can be run, a student's too. Layers may be shared out unevenly.
 */
#ifndef VIALATA_ENGINE_PIPELINE_PIPELINE_H
#define VIALATA_ENGINE_PIPELINE_PIPELINE_H

#include "engine/model/model.h"
#include "engine/schedule/schedule.h"
#include "vialata/pipeline.h"
#include <mpi.h>

struct vl_pipeline {
    MPI_Comm comm; /* rank = stage */
    size_t stage;
    struct vl_schedule schedule;
    struct vl_action *actions;
    size_t action_count;
    struct vl_stage_send *sends; /* (action_count or more) */
    size_t *slots, *slot_counts; /* (v, m), (v): memory for gradients to be sent */
};

/* Check and copy 'schedule': VL_ESHAPE if it is not sound (vl_schedule_check says why). VL_EINVAL,
 * VL_ENOMEM. Local. */
enum vl_status vl_pipeline_create(struct vl_pipeline **pipeline, MPI_Comm comm, size_t stage,
                                  const struct vl_schedule *schedule);
void vl_pipeline_free(struct vl_pipeline *pipeline);

/* How many buffers a chunk needs at once. Forward buffers: micro-batches between their forward and
 * the end of their weight part. Backward buffers: those of them whose input part has begun. */
void vl_pipeline_live(size_t *forward_buffers, size_t *backward_buffers,
                      const struct vl_pipeline *pipeline, size_t chunk);

/*
 * Forward and backward of all micro-batches on this stage, in the order of its schedule; gradients
 * are added to. *loss is the sum over this rank's micro-batches on the last stage, and 0 on the
 * others. The learner's hooks are told of a unit once its last micro-batch has added to it, last
 * unit first; with 'every', after each micro-batch. Collective over the stages.
 */
struct vl_pipeline_settings {
    int every;
    enum vl_status (*turn)(void *context); /* called before the first backward; may be NULL */
    void *context;
};
enum vl_status vl_pipeline_run(struct vl_model *model, const struct vl_pipeline_settings *settings,
                               double *loss);

#endif
