#include "engine/mesh/whole_state.h"

#include "engine/check.h"
#include "engine/model/layout.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE ((size_t)1 << 28) /* most elements in one message: MPI counts in int */

/* ---- what a rank has ---- */

static bool is_sharded(const struct vl_replicated *part, enum vl_state_kind kind)
{
    return part->how.zero >= (kind == VL_STATE_WEIGHTS ? 3 : 1);
}

/* This rank's array of a kind, for one of its shares. */
static float *array_of(const struct vl_replicated *part, size_t share, enum vl_state_kind kind)
{
    const struct vl_learner *learner = vl_model_learner(part->model);
    const struct vl_zero *zero = &part->shares[share].zero;
    float *const whole[] = {learner->weights, learner->m, learner->v};
    float *const shards[] = {zero->weights, zero->m, zero->v};
    return is_sharded(part, kind) ? shards[kind] : whole[kind] + part->shares[share].first;
}

/* A share of a slice: its dense units, or the experts'. */
struct range {
    size_t first, count, unit_count;
    const size_t *units; /* counted from 'first' */
};

static struct range range_of(const struct vl_layout *slice, size_t share)
{
    size_t dense = slice->units[slice->dense_units];
    return share == 0 ? (struct range){0, dense, slice->dense_units, slice->units}
                      : (struct range){dense, slice->count - dense,
                                       slice->unit_count - slice->dense_units, slice->expert_units};
}

/* Elements of one replica's shard of it. */
static enum vl_status shard_size(size_t *n, const struct range *range, int zero, int replica,
                                 int replicas)
{
    struct vl_zero_plan plan;
    VL_CHECK(vl_zero_plan(&plan, zero, range->units, range->unit_count, replica, replicas));
    *n = plan.moments;
    return VL_OK;
}

/* Copy between a share (its count of elements) and a replica's shard of it. */
static enum vl_status move_shard(float *whole, float *shard, int to_shard,
                                 const struct range *range, int replica, int replicas)
{
    for (size_t unit = 0; unit < range->unit_count; unit++) {
        struct vl_piece piece;
        VL_CHECK(vl_shard_piece(&piece, range->units, range->unit_count, unit, replica, replicas));
        float *in_whole = whole + piece.first, *in_shard = shard + piece.place;
        memcpy(to_shard ? in_shard : in_whole, to_shard ? in_whole : in_shard,
               piece.count * sizeof *whole);
    }
    return VL_OK;
}

/* ---- gathering ---- */

struct gathering {
    const struct vl_replicated *part;
    struct vl_mesh mesh;
    /* on the first rank only */
    struct vl_layout *slices; /* (pp tp ep): by stage, place and rank in the expert group */
    float *slice;             /* the largest, where there are several */
    float *shard;             /* the largest, where there are shards */
};

static size_t slice_count(const struct gathering *g)
{
    return (size_t)g->mesh.pp * (size_t)g->mesh.tp * (size_t)g->mesh.ep;
}

static enum vl_status lay_slices_out(struct gathering *g)
{
    const struct vl_sharing *how = &g->part->how;
    const size_t places = (size_t)g->mesh.tp, stages = (size_t)g->mesh.pp, ep = (size_t)g->mesh.ep;
    g->slices = calloc(slice_count(g), sizeof *g->slices);
    if (g->slices == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < slice_count(g); i++) {
        const struct vl_slice slice = {.place = i / ep % places,
                                       .places = places,
                                       .stage = i / ep / places,
                                       .stages = stages,
                                       .chunks = stages > 1 ? how->schedule->chunks : 1,
                                       .borders = stages > 1 ? how->borders : NULL,
                                       .expert_place = i % ep,
                                       .expert_places = ep};
        VL_CHECK(vl_layout_create(&g->slices[i], vl_model_shape(g->part->model),
                                  &vl_model_layout(g->part->model)->experts, &slice));
    }
    return VL_OK;
}

/* Replicas that have a share: all, or those with the same experts. */
static int replicas_of(const struct gathering *g, size_t share)
{
    return share == 0 ? g->mesh.dp : g->mesh.dp / g->mesh.ep;
}

static enum vl_status take_buffers(struct gathering *g)
{
    size_t largest = 0, most = 0;
    for (size_t i = 0; i < slice_count(g); i++) {
        largest = g->slices[i].count > largest ? g->slices[i].count : largest;
        for (size_t share = 0; share < g->part->share_count && g->part->how.zero > 0; share++) {
            const struct range range = range_of(&g->slices[i], share);
            size_t shard; /* replica 0 has the longest chunk of every unit */
            VL_CHECK(shard_size(&shard, &range, g->part->how.zero, 0, replicas_of(g, share)));
            most = shard > most ? shard : most;
        }
    }
    if (slice_count(g) > 1)
        g->slice = malloc(largest * sizeof *g->slice);
    if (g->part->how.zero > 0)
        g->shard = malloc((most + 1) * sizeof *g->shard);
    int there =
        (g->slice != NULL || slice_count(g) == 1) && (g->shard != NULL || g->part->how.zero == 0);
    return there ? VL_OK : VL_ENOMEM;
}

static enum vl_status create_whole(struct vl_whole_state *state, const struct vl_model *model)
{
    struct vl_whole_arrays *whole = &state->whole;
    whole->shape = *vl_model_shape(model);
    whole->experts = vl_model_layout(model)->experts;
    size_t count = vl_layout_parameters(&whole->shape, &whole->experts);
    size_t bias = whole->shape.layers * whole->experts.experts;
    VL_CHECK(vl_arena_create(&state->memory, VL_STATE_KINDS * vl_arena_size(count, sizeof(float)) +
                                                 vl_arena_size(bias, sizeof(float))));
    for (size_t kind = 0; kind < VL_STATE_KINDS; kind++)
        whole->arrays[kind] = vl_arena_take(&state->memory, count, sizeof(float));
    whole->bias = bias > 0 ? vl_arena_take(&state->memory, bias, sizeof(float)) : NULL;
    return VL_OK;
}

static enum vl_status prepare(struct gathering *g, struct vl_whole_state *state)
{
    if (g->mesh.rank > 0)
        return VL_OK;
    VL_CHECK(lay_slices_out(g));
    VL_CHECK(take_buffers(g));
    return create_whole(state, g->part->model);
}

/* No rank sends before the first has its buffers: if it gave up, the others would wait forever. */
static enum vl_status all_are_ready(const struct gathering *g, enum vl_status here)
{
    int ready = here == VL_OK, everywhere = ready;
    if (g->mesh.world != MPI_COMM_NULL)
        PMPI_Allreduce(&ready, &everywhere, 1, MPI_INT, MPI_MIN, g->mesh.world);
    return everywhere ? VL_OK : here != VL_OK ? here : VL_ENOMEM;
}

static void receive(float *to, size_t n, int rank, MPI_Comm comm)
{
    for (size_t at = 0; at < n; at += MESSAGE)
        PMPI_Recv(to + at, (int)(n - at < MESSAGE ? n - at : MESSAGE), MPI_FLOAT, rank, 0, comm,
                  MPI_STATUS_IGNORE);
}

static void send_floats(const float *from, size_t n, MPI_Comm comm)
{
    for (size_t at = 0; at < n; at += MESSAGE)
        PMPI_Send(from + at, (int)(n - at < MESSAGE ? n - at : MESSAGE), MPI_FLOAT, 0, 0, comm);
}

/* Collect one share of an array of slice i into 'to' on the first rank. */
static enum vl_status collect(float *to, const struct gathering *g, enum vl_state_kind kind,
                              size_t i, size_t share)
{
    const struct vl_mesh *mesh = &g->mesh;
    const struct range range = range_of(&g->slices[i], share);
    int ep = mesh->ep, stage = (int)i / ep / mesh->tp, place = (int)i / ep % mesh->tp;
    int first = share == 0 ? 0 : (int)i % ep, apart = share == 0 ? 1 : ep;
    if (!is_sharded(g->part, kind)) { /* every replica has it: take the first one's */
        int rank = vl_mesh_rank(mesh, first, stage, place);
        if (rank == mesh->rank)
            memcpy(to, array_of(g->part, share, kind), range.count * sizeof *to);
        else
            receive(to, range.count, rank, mesh->world);
        return VL_OK;
    }
    for (int r = 0; r < replicas_of(g, share); r++) {
        int rank = vl_mesh_rank(mesh, first + r * apart, stage, place);
        float *shard = rank == mesh->rank ? array_of(g->part, share, kind) : g->shard;
        size_t n;
        VL_CHECK(shard_size(&n, &range, g->part->how.zero, r, replicas_of(g, share)));
        if (rank != mesh->rank)
            receive(shard, n, rank, mesh->world);
        VL_CHECK(move_shard(to, shard, 0, &range, r, replicas_of(g, share)));
    }
    return VL_OK;
}

/* Slices that differ only in their experts have the same dense units. These are collected once and
 * stay in the buffer, where the next slice's experts are put after them. */
static enum vl_status collect_all(struct vl_whole_arrays *whole, const struct gathering *g,
                                  enum vl_state_kind kind)
{
    for (size_t i = 0; i < slice_count(g); i++) {
        float *to = g->slice != NULL ? g->slice : whole->arrays[kind];
        for (size_t share = 0; share < g->part->share_count; share++)
            if (share > 0 || i % (size_t)g->mesh.ep == 0)
                VL_CHECK(collect(to + range_of(&g->slices[i], share).first, g, kind, i, share));
        if (g->slice != NULL)
            vl_layout_paste(whole->arrays[kind], &g->slices[i], g->slice);
    }
    return VL_OK;
}

/* Send what the first rank collects from this one, in the same order. */
static enum vl_status hand_over(const struct gathering *g, enum vl_state_kind kind)
{
    for (size_t i = 0; i < g->part->share_count; i++) {
        const struct vl_share *share = &g->part->shares[i];
        const struct range range = range_of(vl_model_layout(g->part->model), i);
        size_t n = range.count;
        if (is_sharded(g->part, kind))
            VL_CHECK(shard_size(&n, &range, g->part->how.zero, share->rank, share->ranks));
        else if (share->rank > 0)
            continue;
        send_floats(array_of(g->part, i, kind), n, g->mesh.world);
    }
    return VL_OK;
}

/* The bias of each stage's layers, from the stage's first rank: all of them have the same. */
static void collect_bias(struct vl_whole_arrays *whole, const struct gathering *g)
{
    size_t e = whole->experts.experts, ep = (size_t)g->mesh.ep;
    const float *own = vl_model_balance(g->part->model)->bias;
    for (int stage = 0; stage < g->mesh.pp; stage++) {
        const struct vl_layout *slice = &g->slices[(size_t)stage * (size_t)g->mesh.tp * ep];
        int rank = vl_mesh_rank(&g->mesh, 0, stage, 0);
        for (size_t i = 0; i < slice->unit_count - slice->dense_units; i++) {
            float *to = whole->bias + vl_layout_expert_layer(slice, i) * e;
            if (rank == g->mesh.rank)
                memcpy(to, own + i * e, e * sizeof *to);
            else
                receive(to, e, rank, g->mesh.world);
        }
    }
}

static void hand_bias_over(const struct gathering *g)
{
    const struct vl_model_balance *balance = vl_model_balance(g->part->model);
    size_t e = vl_model_layout(g->part->model)->experts.experts;
    if (g->mesh.replica > 0 || g->mesh.place > 0)
        return;
    for (size_t i = 0; i < balance->layers; i++)
        send_floats(balance->bias + i * e, e, g->mesh.world);
}

static void free_buffers(struct gathering *g)
{
    for (size_t i = 0; g->slices != NULL && i < slice_count(g); i++)
        vl_layout_free(&g->slices[i]);
    free(g->slices);
    free(g->slice);
    free(g->shard);
}

static enum vl_status gather_all(struct vl_whole_arrays *whole, const struct gathering *g)
{
    for (int kind = 0; kind < VL_STATE_KINDS; kind++)
        VL_CHECK(g->mesh.rank == 0 ? collect_all(whole, g, (enum vl_state_kind)kind)
                                   : hand_over(g, (enum vl_state_kind)kind));
    if (vl_model_balance(g->part->model) == NULL)
        return VL_OK;
    if (g->mesh.rank == 0)
        collect_bias(whole, g);
    else
        hand_bias_over(g);
    return VL_OK;
}

enum vl_status vl_whole_state_gather(struct vl_whole_state *state, const struct vl_replicated *part)
{
    struct gathering g = {.part = part};
    *state = (struct vl_whole_state){.whole = {.bias = NULL}};
    if (part->how.mesh != NULL)
        g.mesh = *part->how.mesh;
    else
        VL_CHECK(vl_mesh_create(&g.mesh, MPI_COMM_NULL, 1, 1, 1));
    enum vl_status status = all_are_ready(&g, prepare(&g, state));
    if (status == VL_OK)
        status = gather_all(&state->whole, &g);
    free_buffers(&g);
    if (status != VL_OK)
        vl_whole_state_free(state);
    return status;
}

void vl_whole_state_free(struct vl_whole_state *state)
{
    vl_arena_free(&state->memory);
    *state = (struct vl_whole_state){.whole = {.bias = NULL}};
}

/* ---- loading ---- */

static enum vl_status load_sharded(struct vl_replicated *part,
                                   const struct vl_checkpoint *checkpoint, enum vl_state_kind kind)
{
    const struct vl_layout *slice = vl_model_layout(part->model);
    float *buffer = malloc(slice->count * sizeof *buffer);
    enum vl_status status =
        buffer != NULL ? vl_checkpoint_load_array(buffer, checkpoint, kind, slice) : VL_ENOMEM;
    for (size_t i = 0; i < part->share_count && status == VL_OK; i++) {
        const struct range range = range_of(slice, i);
        status = move_shard(buffer + range.first, array_of(part, i, kind), 1, &range,
                            part->shares[i].rank, part->shares[i].ranks);
    }
    free(buffer);
    return status;
}

enum vl_status vl_whole_state_load(struct vl_replicated *part,
                                   const struct vl_checkpoint *checkpoint)
{
    for (int i = 0; i < VL_STATE_KINDS; i++) {
        enum vl_state_kind kind = (enum vl_state_kind)i;
        if (is_sharded(part, kind))
            VL_CHECK(load_sharded(part, checkpoint, kind));
        else
            VL_CHECK(vl_checkpoint_load_array(array_of(part, 0, kind), checkpoint, kind,
                                              vl_model_layout(part->model)));
    }
    return vl_checkpoint_load_bias(part->model, checkpoint);
}
