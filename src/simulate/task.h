/*
 * What is to be simulated, as `vialata simulate` says it to the simulator: one JSON object.
 *
 * The model and the rates are scaled already (simulate/scale.h), so the simulator knows nothing of
 * the machine but the ranks that share a domain and how fast one chip is.
 */
#ifndef VIALATA_SIMULATE_TASK_H
#define VIALATA_SIMULATE_TASK_H

#include "engine/model/layout.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include <jansson.h>

struct vl_simulate_task {
    struct vl_shape shape;
    struct vl_expert_shape experts;
    int data, expert, tensor, pipeline; /* as in vialata/blueprint.h */
    size_t chunks, micro_batches;
    int zero, recompute, overlap, sequence_parallel;
    size_t batch; /* sequences */
    size_t bucket_bytes;
    int node_replicas;    /* as in engine/mesh/replicated.h */
    double flops, memory; /* of one chip, per second */
    double element_bytes, state_bytes;
    double slower;     /* than the real links; what is not scaled is charged this much less. 0: 1 */
    int in_order;      /* pieces of a collective go to a peer one after the other; 0: together */
    int domain;        /* ranks */
    const char *trace; /* a path, or NULL; it belongs to the JSON object */
};

/* The ranks of its layout. */
static inline int vl_simulate_ranks(const struct vl_simulate_task *task)
{
    return task->data * task->expert * task->tensor * task->pipeline;
}

/* NULL without memory; the caller's. */
json_t *vl_simulate_task_json(const struct vl_simulate_task *task);

/* VL_EFORMAT for anything that vl_simulate_task_json does not write. The texts of *task live as
 * long as 'object'. */
enum vl_status vl_simulate_task_read(struct vl_simulate_task *task, const json_t *object);

#endif
