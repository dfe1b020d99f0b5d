/*
 * Resuming a run: it continues as it began, or says why it cannot.
 */
#ifndef VIALATA_TRAIN_RUN_RESUME_H
#define VIALATA_TRAIN_RUN_RESUME_H

#include "engine/checkpoint/checkpoint.h"
#include "train/log/problem.h"
#include "train/options/options.h"

/* Options that were not given come from the checkpoint. Those that were given must agree with it: a
 * run whose batch or rate changes halfway could not be repeated. */
enum vl_status vl_resume_merge(struct vl_options *options, const struct vl_checkpoint *checkpoint,
                               struct vl_problem *problem);

/* To continue on another text is fine if --data was given, and a mistake otherwise. */
enum vl_status vl_resume_check_text(const struct vl_options *options,
                                    const struct vl_training_state *state, uint64_t fingerprint,
                                    struct vl_problem *problem);

#endif
