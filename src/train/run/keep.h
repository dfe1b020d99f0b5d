/*
 * Keeping a run: its checkpoint, written by the first rank from whatever the ranks hold.
 */
#ifndef VIALATA_TRAIN_RUN_KEEP_H
#define VIALATA_TRAIN_RUN_KEEP_H

#include "engine/checkpoint/checkpoint.h"
#include "engine/mesh/replicated.h"
#include "train/log/problem.h"
#include "train/options/options.h"
#include <stdio.h>

/* Before the first step: a place that cannot be written to is known at once and not after an hour.
 * Warnings go to 'events', or to standard error if that is NULL. Local to the first rank. */
enum vl_status vl_keep_prepare(const struct vl_options *options, FILE *events,
                               struct vl_problem *problem);

/* Write options->save. Collective over the mesh: slices and shards are gathered. */
enum vl_status vl_keep_save(const struct vl_options *options, const struct vl_replicated *part,
                            const struct vl_training_state *state, struct vl_problem *problem);

/* Fill this rank's part from a checkpoint. Local. */
enum vl_status vl_keep_load(struct vl_replicated *part, const struct vl_checkpoint *checkpoint,
                            const char *path, struct vl_problem *problem);

#endif
