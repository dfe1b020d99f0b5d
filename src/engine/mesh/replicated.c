#include "engine/mesh/replicated.h"

#include "engine/check.h"
#include "engine/mesh/mesh_step.h"
#include "vialata/collectives.h"

#include <stdlib.h>

static float *floats(struct vl_arena *arena, size_t n)
{
    return vl_arena_take(arena, n, sizeof(float));
}

/* ---- shares ---- */

static const struct vl_levels no_levels = {.inside = MPI_COMM_NULL, .across = MPI_COMM_NULL};

static enum vl_status create_flight(struct vl_share *share)
{
    share->flight = calloc(share->unit_count, sizeof(struct vl_transfer *));
    return share->flight != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status share_dense(struct vl_replicated *part)
{
    const struct vl_learner *learner = vl_model_learner(part->model);
    const struct vl_layout *layout = vl_model_layout(part->model);
    const struct vl_mesh *mesh = part->how.mesh;
    struct vl_share *share = &part->shares[0];
    *share = (struct vl_share){.comm = MPI_COMM_NULL,
                               .levels = no_levels,
                               .ranks = 1,
                               .unit_count = layout->dense_units,
                               .count = layout->units[layout->dense_units],
                               .units = learner->units,
                               .tensors = learner->tensors,
                               .rectangles = layout->rectangles};
    if (mesh != NULL) {
        share->comm = mesh->replicas;
        share->rank = mesh->replica;
        share->ranks = mesh->dp;
    }
    while (share->tensor_count < learner->tensor_count &&
           learner->tensors[share->tensor_count].offset < share->count)
        share->tensor_count++;
    part->share_count = 1;
    return create_flight(share);
}

/* The experts' units and tensors, with offsets that start at 0 again. */
static enum vl_status share_experts(struct vl_replicated *part)
{
    const struct vl_learner *learner = vl_model_learner(part->model);
    const struct vl_layout *layout = vl_model_layout(part->model);
    const struct vl_mesh *mesh = part->how.mesh;
    const struct vl_share *dense = &part->shares[0];
    struct vl_share *share = &part->shares[1];
    size_t units = learner->unit_count - dense->unit_count;
    size_t tensors = learner->tensor_count - dense->tensor_count;
    if (units == 0)
        return VL_OK;
    if (mesh != NULL && mesh->dp > mesh->ep && mesh->expert_replicas == MPI_COMM_NULL)
        return VL_EINVAL; /* vl_mesh_share_experts was not called */
    part->own_tensors = calloc(tensors, sizeof *part->own_tensors);
    if (part->own_tensors == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < tensors; i++) {
        part->own_tensors[i] = learner->tensors[dense->tensor_count + i];
        part->own_tensors[i].offset -= dense->count;
    }
    *share = (struct vl_share){.comm = MPI_COMM_NULL,
                               .levels = no_levels,
                               .ranks = 1,
                               .first_unit = dense->unit_count,
                               .unit_count = units,
                               .first = dense->count,
                               .count = learner->count - dense->count,
                               .units = layout->expert_units,
                               .tensors = part->own_tensors,
                               .rectangles = layout->rectangles + dense->tensor_count,
                               .tensor_count = tensors};
    if (mesh != NULL) {
        share->comm = mesh->expert_replicas;
        share->rank = mesh->replica / mesh->ep;
        share->ranks = mesh->dp / mesh->ep;
    }
    part->share_count = 2;
    return create_flight(share);
}

/* How many replicas of a share are on a node, where neighbours are on the same one; 0: they sum in
 * one ring. Every ep-th replica has the same experts. */
static int on_a_node(const struct vl_replicated *part, size_t share)
{
    int all = part->how.node_replicas, apart = share > 0 ? part->how.mesh->ep : 1;
    return share == 0 ? all : all % apart == 0 && all > apart ? all / apart : 0;
}

static enum vl_status create_levels(struct vl_replicated *part)
{
    if (part->how.node_replicas == 0)
        return VL_OK;
    if (part->how.zero > 0 || part->how.overlap)
        return VL_EINVAL;
    for (size_t i = 0; i < part->share_count; i++) {
        struct vl_share *share = &part->shares[i];
        if (share->comm != MPI_COMM_NULL && on_a_node(part, i) > 0)
            VL_CHECK(vl_levels_create(&share->levels, share->comm, on_a_node(part, i)));
    }
    return VL_OK;
}

/* ---- sharded state ---- */

/* Whole arrays are common to all shares; sharded ones are separate for each share. */
static enum vl_status plan_shares(struct vl_zero_plan plans[2], size_t *bytes,
                                  const struct vl_replicated *part)
{
    size_t count = vl_model_learner(part->model)->count;
    int stage = part->how.zero;
    *bytes = (stage < 3 ? vl_arena_size(count, sizeof(float)) : 0) +
             (stage < 2 ? vl_arena_size(count, sizeof(float)) : 0);
    for (size_t i = 0; i < part->share_count; i++) {
        const struct vl_share *s = &part->shares[i];
        struct vl_zero_plan *p = &plans[i];
        VL_CHECK(vl_zero_plan(p, stage, s->units, s->unit_count, s->rank, s->ranks));
        *bytes += (stage < 3 ? 0 : vl_arena_size(p->weights, sizeof(float))) +
                  (stage < 2 ? 0 : vl_arena_size(p->gradients, sizeof(float))) +
                  2 * vl_arena_size(p->moments, sizeof(float)) +
                  vl_arena_size(p->lent_weights, sizeof(float)) +
                  vl_arena_size(p->lent_gradients, sizeof(float));
    }
    return VL_OK;
}

static void take_share(struct vl_replicated *part, struct vl_share *s,
                       const struct vl_zero_plan *plan)
{
    const struct vl_learner *learner = vl_model_learner(part->model);
    struct vl_arena *memory = &part->memory;
    int stage = part->how.zero;
    s->zero = (struct vl_zero){.comm = s->comm,
                               .rank = s->rank,
                               .ranks = s->ranks,
                               .stage = stage,
                               .units = s->units,
                               .unit_count = s->unit_count,
                               .tensors = s->tensors,
                               .tensor_count = s->tensor_count,
                               .flight = s->flight};
    s->zero.weights = stage < 3 ? learner->weights + s->first : floats(memory, plan->weights);
    s->zero.gradients = stage < 2 ? learner->gradients + s->first : floats(memory, plan->gradients);
    s->zero.m = floats(memory, plan->moments);
    s->zero.v = floats(memory, plan->moments);
    s->zero.lent_weights = floats(memory, plan->lent_weights);
    s->zero.lent_gradients = floats(memory, plan->lent_gradients);
    part->held.weights += plan->weights * sizeof(float);
    part->held.gradients += plan->gradients * sizeof(float);
    part->held.moments += 2 * plan->moments * sizeof(float);
    part->held.lent += (plan->lent_weights + plan->lent_gradients) * sizeof(float);
}

static enum vl_status create_sharded(struct vl_replicated *part)
{
    struct vl_learner *learner = vl_model_learner(part->model);
    struct vl_zero_plan plans[2];
    size_t bytes;
    for (size_t i = 0; i < part->share_count; i++)
        if (part->shares[i].comm == MPI_COMM_NULL) /* one replica: its shard is everything */
            part->shares[i].comm = MPI_COMM_SELF;
    VL_CHECK(plan_shares(plans, &bytes, part));
    VL_CHECK(vl_arena_create(&part->memory, bytes));
    /* The model reads and writes whole arrays in place. */
    learner->weights = part->how.zero < 3 ? floats(&part->memory, learner->count) : NULL;
    learner->gradients = part->how.zero < 2 ? floats(&part->memory, learner->count) : NULL;
    part->held.weights = part->held.gradients = part->held.moments = 0;
    for (size_t i = 0; i < part->share_count; i++)
        take_share(part, &part->shares[i], &plans[i]);
    return VL_OK;
}

/* ---- creation ---- */

static enum vl_status create_model(struct vl_replicated *part, const struct vl_shape *shape,
                                   size_t rows)
{
    const struct vl_sharing *how = &part->how;
    const struct vl_mesh *mesh = how->mesh;
    struct vl_model_plan plan = {.shape = *shape,
                                 .rows = rows,
                                 .kind = how->zero > 0 ? VL_MODEL_LENT : VL_MODEL_LEARNS,
                                 .recompute = how->recompute,
                                 .experts = how->experts,
                                 .auxiliary = how->auxiliary};
    if (mesh != NULL && mesh->tp > 1)
        plan.tensor =
            (struct vl_tensor_group){mesh->tensor, mesh->place, mesh->tp, how->sequence_parallel};
    if (mesh != NULL && mesh->ep > 1) {
        plan.expert_comm = mesh->experts;
        plan.expert_rank = mesh->replica % mesh->ep;
        plan.expert_ranks = mesh->ep;
    }
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
    *part = (struct vl_replicated){.how = *how};
    if (how->zero < 0 || how->zero > 3 || (how->zero > 0 && how->mesh == NULL))
        return VL_EINVAL;
    enum vl_status status = create_model(part, shape, rows);
    if (status == VL_OK) {
        size_t bytes = vl_model_learner(part->model)->count * sizeof(float);
        part->held = (struct vl_held_bytes){bytes,
                                            bytes,
                                            2 * bytes,
                                            0,
                                            vl_model_activation_bytes(part->model),
                                            vl_model_kept_bytes(part->model)};
        status = share_dense(part);
    }
    if (status == VL_OK)
        status = share_experts(part);
    if (status == VL_OK)
        status = create_levels(part);
    if (status == VL_OK && how->zero > 0)
        status = create_sharded(part);
    if (status != VL_OK)
        vl_replicated_free(part);
    return status;
}

void vl_replicated_free(struct vl_replicated *part)
{
    vl_model_free(part->model);
    vl_arena_free(&part->memory);
    for (size_t i = 0; i < part->share_count; i++)
        vl_levels_free(&part->shares[i].levels);
    for (size_t i = 0; i < sizeof part->shares / sizeof *part->shares; i++)
        free(part->shares[i].flight);
    free(part->own_tensors);
    *part = (struct vl_replicated){.share_count = 0};
}

/* ---- weights ---- */

/* No rank holds all weights, so each initialises its own pieces. */
static enum vl_status initialise_shard(const struct vl_replicated *part, const struct vl_share *s,
                                       uint64_t seed)
{
    for (size_t unit = 0; unit < s->unit_count; unit++) {
        struct vl_piece piece;
        VL_CHECK(vl_shard_piece(&piece, s->units, s->unit_count, unit, s->rank, s->ranks));
        vl_model_initial_weights(s->zero.weights + piece.place, part->model, s->first + piece.first,
                                 piece.count, seed);
    }
    return VL_OK;
}

enum vl_status vl_replicated_initialise(struct vl_replicated *part, uint64_t seed)
{
    const struct vl_learner *learner = vl_model_learner(part->model);
    if (part->how.zero < 3)
        vl_model_initialise(part->model, seed);
    for (size_t i = 0; i < part->share_count; i++) {
        const struct vl_share *s = &part->shares[i];
        if (part->how.zero == 3)
            VL_CHECK(initialise_shard(part, s, seed));
        else if (s->comm != MPI_COMM_NULL)
            VL_CHECK(vl_replica_equalise(s->comm, learner->weights + s->first, s->count));
    }
    return VL_OK;
}

/* ---- the step ---- */

enum vl_status vl_replicated_step(struct vl_replicated *part, size_t micro_batches,
                                  const struct vl_adamw *settings, float max_norm, uint64_t step,
                                  struct vl_step_result *result)
{
    struct vl_learner *learner = vl_model_learner(part->model);
    const struct vl_mesh *mesh = part->how.mesh;
    struct vl_share *all = &part->shares[0];
    if ((mesh != NULL && (mesh->tp > 1 || mesh->pp > 1)) || part->share_count > 1 ||
        all->levels.inside != MPI_COMM_NULL)
        return vl_mesh_step(part, micro_batches, settings, max_norm, step, result);
    if (all->comm == MPI_COMM_NULL)
        return vl_training_step(learner, micro_batches, settings, max_norm, step, result);
    if (part->how.zero > 0)
        return vl_zero_step(&all->zero, learner, micro_batches, settings, max_norm, step, result);
    const struct vl_replicas replicas = {all->comm, part->how.overlap, part->how.bucket_bytes,
                                         all->flight};
    return vl_replica_step(&replicas, learner, micro_batches, settings, max_norm, step, result);
}
