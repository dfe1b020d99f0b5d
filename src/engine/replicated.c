#include "engine/replicated.h"

#include "engine/check.h"
#include "engine/mesh_step.h"

#include <stdlib.h>

static int is_sharded(const struct vl_replicated *part)
{
    return part->how.zero > 0;
}

static float *floats(struct vl_arena *arena, size_t n)
{
    return vl_arena_take(arena, n, sizeof(float));
}

/* ---- creation ---- */

static enum vl_status take_planned(struct vl_replicated *part, const struct vl_zero_plan *plan)
{
    struct vl_zero *zero = &part->zero;
    const size_t counts[] = {plan->weights, plan->gradients,    plan->moments,
                             plan->moments, plan->lent_weights, plan->lent_gradients};
    float **const arrays[] = {&zero->weights, &zero->gradients,    &zero->m,
                              &zero->v,       &zero->lent_weights, &zero->lent_gradients};
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        bytes += vl_arena_size(counts[i], sizeof(float));
    VL_CHECK(vl_arena_create(&part->memory, bytes));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *arrays[i] = floats(&part->memory, counts[i]);
    part->held.weights = plan->weights * sizeof(float);
    part->held.gradients = plan->gradients * sizeof(float);
    part->held.moments = 2 * plan->moments * sizeof(float);
    part->held.lent = (plan->lent_weights + plan->lent_gradients) * sizeof(float);
    return VL_OK;
}

static enum vl_status create_sharded(struct vl_replicated *part)
{
    struct vl_learner *learner = vl_model_learner(part->model);
    struct vl_zero_plan plan;
    part->zero = (struct vl_zero){.comm = part->comm,
                                  .rank = part->rank,
                                  .ranks = part->ranks,
                                  .stage = part->how.zero,
                                  .units = learner->units,
                                  .unit_count = learner->unit_count,
                                  .tensors = learner->tensors,
                                  .tensor_count = learner->tensor_count,
                                  .flight = part->flight};
    VL_CHECK(vl_zero_plan(&plan, part->how.zero, learner->units, learner->unit_count, part->rank,
                          part->ranks));
    VL_CHECK(take_planned(part, &plan));
    /* What is held whole, the model reads and writes where it lies. */
    learner->weights = part->how.zero < 3 ? part->zero.weights : NULL;
    learner->gradients = part->how.zero < 2 ? part->zero.gradients : NULL;
    return VL_OK;
}

static enum vl_status create_model(struct vl_replicated *part, const struct vl_shape *shape,
                                   size_t rows)
{
    const struct vl_sharing *how = &part->how;
    const struct vl_mesh *mesh = how->mesh;
    struct vl_model_plan plan = {.shape = *shape,
                                 .rows = rows,
                                 .kind = is_sharded(part) ? VL_MODEL_LENT : VL_MODEL_LEARNS,
                                 .recompute = how->recompute};
    if (mesh != NULL && mesh->tp > 1)
        plan.tensor =
            (struct vl_tensor_group){mesh->tensor, mesh->place, mesh->tp, how->sequence_parallel};
    if (mesh != NULL && mesh->pp > 1) {
        plan.schedule = how->schedule;
        plan.borders = how->borders;
        plan.stages = mesh->stages;
        plan.stage = (size_t)mesh->stage;
    }
    return vl_model_create_part(&part->model, &plan);
}

enum vl_status vl_replicated_create(struct vl_replicated *part, const struct vl_shape *shape,
                                    size_t rows, const struct vl_sharing *how)
{
    *part = (struct vl_replicated){.how = *how, .comm = MPI_COMM_NULL, .ranks = 1};
    if (how->mesh != NULL) {
        part->comm = how->mesh->replicas;
        part->rank = how->mesh->replica;
        part->ranks = how->mesh->dp;
    }
    if (how->zero < 0 || how->zero > 3 || (how->zero > 0 && how->mesh == NULL))
        return VL_EINVAL;
    if (how->zero > 0 && part->comm == MPI_COMM_NULL) /* a shard of its own: all of it */
        part->comm = MPI_COMM_SELF;
    enum vl_status status = create_model(part, shape, rows);
    if (status == VL_OK) {
        const struct vl_learner *learner = vl_model_learner(part->model);
        size_t bytes = learner->count * sizeof(float);
        part->held = (struct vl_held_bytes){bytes,
                                            bytes,
                                            2 * bytes,
                                            0,
                                            vl_model_activation_bytes(part->model),
                                            vl_model_kept_bytes(part->model)};
        part->flight = calloc(learner->unit_count, sizeof *part->flight);
        status = part->flight != NULL ? VL_OK : VL_ENOMEM;
    }
    if (status == VL_OK && is_sharded(part))
        status = create_sharded(part);
    if (status != VL_OK)
        vl_replicated_free(part);
    return status;
}

void vl_replicated_free(struct vl_replicated *part)
{
    vl_model_free(part->model);
    vl_arena_free(&part->memory);
    free(part->flight);
    *part = (struct vl_replicated){.comm = MPI_COMM_NULL, .ranks = 1};
}

/* ---- weights ---- */

enum vl_status vl_replicated_initialise(struct vl_replicated *part, uint64_t seed)
{
    const struct vl_learner *learner = vl_model_learner(part->model);
    if (part->how.zero == 3) { /* nobody has room for all of them */
        for (size_t unit = 0; unit < learner->unit_count; unit++) {
            struct vl_piece piece;
            VL_CHECK(vl_shard_piece(&piece, learner->units, learner->unit_count, unit, part->rank,
                                    part->ranks));
            vl_model_initial_weights(part->zero.weights + piece.place, part->model, piece.first,
                                     piece.count, seed);
        }
        return VL_OK;
    }
    vl_model_initialise(part->model, seed);
    if (part->comm == MPI_COMM_NULL)
        return VL_OK;
    return vl_replica_equalise(part->comm, learner->weights, learner->count);
}

/* ---- the step ---- */

enum vl_status vl_replicated_step(struct vl_replicated *part, size_t micro_batches,
                                  const struct vl_adamw *settings, float max_norm, uint64_t step,
                                  struct vl_step_result *result)
{
    struct vl_learner *learner = vl_model_learner(part->model);
    const struct vl_mesh *mesh = part->how.mesh;
    if (mesh != NULL && (mesh->tp > 1 || mesh->pp > 1))
        return vl_mesh_step(part, micro_batches, settings, max_norm, step, result);
    if (part->comm == MPI_COMM_NULL)
        return vl_training_step(learner, micro_batches, settings, max_norm, step, result);
    if (is_sharded(part))
        return vl_zero_step(&part->zero, learner, micro_batches, settings, max_norm, step, result);
    const struct vl_replicas replicas = {part->comm, part->how.overlap, part->how.bucket_bytes,
                                         part->flight};
    return vl_replica_step(&replicas, learner, micro_batches, settings, max_norm, step, result);
}
