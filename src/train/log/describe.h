/*
 * The lines of a run's log: the first one, which says what runs, on how many ranks, and what each
 * of them holds; and the line of a step.
 */
#ifndef VIALATA_TRAIN_LOG_DESCRIBE_H
#define VIALATA_TRAIN_LOG_DESCRIBE_H

#include "engine/checkpoint/checkpoint.h"
#include "engine/mesh/mesh.h"
#include "engine/mesh/replicated.h"
#include "train/options/options.h"
#include "train/run/peak.h"
#include "train/run/stages.h"
#include <jansson.h>

/* {"run": {...}}, the caller's to free; NULL if there is no memory. Collective over the mesh: the
 * bytes that every rank holds are gathered on the first. */
json_t *vl_describe_run(const struct vl_options *options, const struct vl_training_state *state,
                        const struct vl_mesh *mesh, const struct vl_stages *stages,
                        const struct vl_replicated *part, const struct vl_peak *peak);

/* The line of the step that led to 'state', as in log.h; the caller's to free, NULL if there is no
 * memory. With --meter collective over the mesh: the bytes that every rank sent are gathered on the
 * first. */
json_t *vl_describe_step(const struct vl_options *options, const struct vl_training_state *state,
                         const struct vl_mesh *mesh, const struct vl_replicated *part,
                         const struct vl_peak *peak, const struct vl_step_result *result,
                         double rate, double seconds);

#endif
