/*
 * A run's checkpoint, written by the first rank from what all ranks hold.
 */
#ifndef VIALATA_TRAIN_RUN_KEEP_H
#define VIALATA_TRAIN_RUN_KEEP_H

#include "base/file_lock.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/mesh/replicated.h"
#include "train/log/problem.h"
#include "train/options/options.h"
#include <stdio.h>

/* While a run has these, no other run writes to the same --save or --log. */
struct vl_keep_locks {
    struct vl_file_lock save, log;
};

/* Before the first step: find out at once, not after an hour, that a file cannot be written, is not
 * a model of ours, or is in use. Writes config.json. Warnings go to 'events', or to standard error
 * if that is NULL. First rank only; vl_keep_release afterwards, also after an error. */
enum vl_status vl_keep_prepare(struct vl_keep_locks *locks, const struct vl_options *options,
                               FILE *events, struct vl_problem *problem);
void vl_keep_release(struct vl_keep_locks *locks);

/* Write options->save. Collective over the mesh: slices and shards are gathered. */
enum vl_status vl_keep_save(const struct vl_options *options, const struct vl_replicated *part,
                            const struct vl_training_state *state, struct vl_problem *problem);

/* Fill this rank's part from a checkpoint. Local. */
enum vl_status vl_keep_load(struct vl_replicated *part, const struct vl_checkpoint *checkpoint,
                            const char *path, struct vl_problem *problem);

#endif
