/*
 * The layout of a run: how model and batch are shared out over the ranks, and why a layout is
 * refused.
 */
#ifndef VIALATA_TRAIN_OPTIONS_OPTIONS_LAYOUT_H
#define VIALATA_TRAIN_OPTIONS_OPTIONS_LAYOUT_H

#include "train/options/options.h"

/* Check what depends on neither model nor batch: VL_EINVAL with a sentence if options need or
 * exclude each other. */
enum vl_status vl_options_check_words(const struct vl_options *options, struct vl_problem *problem);

/*
 * Choose what was left open (micro-batches, schedule), and check that the model and the batch can
 * be shared in this way: VL_EINVAL or VL_ESHAPE with a sentence. Called again after a checkpoint or
 * a schedule's file has filled something in.
 */
enum vl_status vl_options_settle_layout(struct vl_options *options, struct vl_problem *problem);

/* Take these two from a schedule's file; they then count as given. */
void vl_options_take_schedule(struct vl_options *options, size_t chunks, size_t micro_batches);

/* Write how many layers each virtual stage has (stages times chunks numbers, in order). VL_EINVAL
 * or VL_ESHAPE with a sentence if --stage-layers makes no sense. */
enum vl_status vl_options_stage_layers(size_t *layers, const struct vl_options *options,
                                       struct vl_problem *problem);

#endif
