/*
 * A timed step of a real model, for every lab that times one. The step before the clock starts
 * touches all memory, on another batch; what is compared are loss, norm and how far the weights
 * moved, since an update left out does not show in the loss.
 */
#ifndef VIALATA_RUNNER_TIMED_MODEL_H
#define VIALATA_RUNNER_TIMED_MODEL_H

#include "engine/model/model.h"
#include "wire/bag.h"

/* The lab's step on rows of tokens and targets; steps count from 1. */
typedef enum vl_status (*vl_timed_step)(struct vl_model *model, const int32_t *tokens,
                                        const int32_t *targets, size_t rows, uint64_t step,
                                        struct vl_step_result *result);

/* vl_training_step on one device. */
enum vl_status vl_timed_model_alone(struct vl_model *model, const int32_t *tokens,
                                    const int32_t *targets, size_t rows, uint64_t step,
                                    struct vl_step_result *result);

/* A fresh model and two batches from seed and stream (ranks differ in it), and one step done. */
enum vl_status vl_timed_model_prepare(void **work, const struct vl_shape *shape, size_t rows,
                                      enum vl_recompute mode, uint64_t seed, uint64_t stream,
                                      vl_timed_step step);
/* The same for a rank's part of a model. */
enum vl_status vl_timed_model_prepare_part(void **work, const struct vl_model_plan *plan,
                                           uint64_t seed, uint64_t stream, vl_timed_step step);
enum vl_status vl_timed_model_turn(void *work);
enum vl_status vl_timed_model_finish(struct vl_bag *outputs, void *work);
void vl_timed_model_release(void *work);

#endif
