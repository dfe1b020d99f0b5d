/*
 * A timed step of a real model, for every lab that times one. The step before the clock starts
 * touches all memory, on another batch. The loss, the norm and where the weights moved are
 * compared, since the loss alone would not show that an update was left out.
 */
#ifndef VIALATA_RUNNER_TIMED_MODEL_H
#define VIALATA_RUNNER_TIMED_MODEL_H

#include "engine/model/model.h"
#include "runner/timed_work.h"
#include "wire/bag.h"

struct vl_timed_model;

/* The lab's step on rows of tokens and targets; it fills 'result'. Steps count from 1. */
typedef enum vl_status (*vl_timed_step)(struct vl_timed_model *timed, const int32_t *tokens,
                                        const int32_t *targets, uint64_t step);

/* The work of the calls below; the work of a rank that holds more than a model begins with this. */
struct vl_timed_model {
    struct vl_timed_work kept;
    struct vl_model *model;
    vl_timed_step step;
    size_t rows;
    int32_t *tokens; /* two batches: tokens, targets, tokens, targets */
    struct vl_step_result result;
    const float *weights; /* (count): what this rank trains */
    float *before;        /* the same when the clock starts */
    size_t count;
};

/* vl_training_step on one device. */
enum vl_status vl_timed_model_alone(struct vl_timed_model *timed, const int32_t *tokens,
                                    const int32_t *targets, uint64_t step);

/* A fresh model and two batches from seed and stream (ranks differ in it), and one step done. */
enum vl_status vl_timed_model_prepare(void **work, const struct vl_shape *shape, size_t rows,
                                      enum vl_recompute mode, uint64_t seed, uint64_t stream,
                                      vl_timed_step step);
/* The same for a rank's part of a model. */
enum vl_status vl_timed_model_prepare_part(void **work, const struct vl_model_plan *plan,
                                           uint64_t seed, uint64_t stream, vl_timed_step step);

/* The same in two halves, with the seed of 'kept'. Open makes the model and its batches; start does
 * the step, once this rank's weights (count) have their first values. */
enum vl_status vl_timed_model_open(struct vl_timed_model *timed, const struct vl_model_plan *plan,
                                   uint64_t stream, vl_timed_step step);
enum vl_status vl_timed_model_start(struct vl_timed_model *timed, const float *weights,
                                    size_t count);

enum vl_status vl_timed_model_turn(void *work);
enum vl_status vl_timed_model_finish(struct vl_bag *outputs, void *work);
void vl_timed_model_release(void *work);

/* A row of the lab's table, with prepare_<name>. */
#define VL_TIMED_MODEL(function, name)                                                             \
    {                                                                                              \
        function, prepare_##name, vl_timed_model_turn, vl_timed_model_finish,                      \
            vl_timed_model_release                                                                 \
    }

#endif
