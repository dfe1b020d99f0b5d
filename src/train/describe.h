/*
 * The first line of a run's log: what runs, on how many ranks, and what each of them holds.
 */
#ifndef VIALATA_TRAIN_DESCRIBE_H
#define VIALATA_TRAIN_DESCRIBE_H

#include "engine/checkpoint.h"
#include "engine/mesh.h"
#include "engine/replicated.h"
#include "train/options.h"
#include "train/stages.h"
#include <jansson.h>

/* {"run": {...}}, the caller's; NULL without memory. Collective over the mesh: the bytes that every
 * rank holds are gathered on the first. */
json_t *vl_describe_run(const struct vl_options *options, const struct vl_training_state *state,
                        const struct vl_mesh *mesh, const struct vl_stages *stages,
                        const struct vl_replicated *part);

#endif
