/*
 * One stage of a pipeline inside a model: its schedule, what it does in which order, and with whom.
 *
 * Any schedule that holds is run, a student's too. Layers may be shared out unevenly.
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
    struct vl_stage_send *sends; /* (action_count) */
    size_t *slots, *slot_counts; /* (v, m), (v): memory of gradients that are sent */
};

/* A copy of 'schedule', checked: VL_ESHAPE if it does not hold (vl_schedule_check says why).
 * VL_EINVAL, VL_ENOMEM. Local. */
enum vl_status vl_pipeline_create(struct vl_pipeline **pipeline, MPI_Comm comm, size_t stage,
                                  const struct vl_schedule *schedule);
void vl_pipeline_free(struct vl_pipeline *pipeline);

/* How many forward and backward buffers a chunk needs at once: micro-batches between forward and the
 * end of the weight part, and those of them whose input part has begun. */
void vl_pipeline_live(size_t *forward_buffers, size_t *backward_buffers,
                      const struct vl_pipeline *pipeline, size_t chunk);

/*
 * Forward and backward of the whole batch of a model that is a stage, in the order of its schedule;
 * gradients are added to. *loss is that of the own micro-batches on the last stage, 0 on the
 * others. Hooks in the learner hear of a unit when its last micro-batch has added to it, last unit
 * first; with 'every' after each micro-batch. Collective over the stages.
 */
struct vl_pipeline_settings {
    int every;
    enum vl_status (*turn)(void *context); /* called before the first backward; NULL: nobody */
    void *context;
};
enum vl_status vl_pipeline_run(struct vl_model *model, const struct vl_pipeline_settings *settings,
                               double *loss);

#endif
