#include "engine/whole_state.h"

#include "engine/check.h"
#include "engine/layout.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGE ((size_t)1 << 28) /* most elements of one: MPI counts in int */

/* ---- what a rank has ---- */

static int is_sharded(const struct vl_replicated *part, enum vl_state_kind kind)
{
    return part->how.zero >= (kind == VL_STATE_WEIGHTS ? 3 : 1);
}

static float *array_of(const struct vl_replicated *part, enum vl_state_kind kind)
{
    const struct vl_learner *learner = vl_model_learner(part->model);
    const struct vl_zero *zero = &part->shares[0].zero;
    float *const whole[] = {learner->weights, learner->m, learner->v};
    float *const shards[] = {zero->weights, zero->m, zero->v};
    return is_sharded(part, kind) ? shards[kind] : whole[kind];
}

/* Elements of a replica's shard of a slice. */
static enum vl_status shard_size(size_t *n, const struct vl_layout *slice, int zero, int replica,
                                 int replicas)
{
    struct vl_zero_plan plan;
    VL_CHECK(vl_zero_plan(&plan, zero, slice->units, slice->unit_count, replica, replicas));
    *n = plan.moments;
    return VL_OK;
}

/* Between a slice (count) and a replica's shard of it. */
static enum vl_status move_shard(float *slice, float *shard, int to_shard,
                                 const struct vl_layout *layout, int replica, int replicas)
{
    for (size_t unit = 0; unit < layout->unit_count; unit++) {
        struct vl_piece piece;
        VL_CHECK(
            vl_shard_piece(&piece, layout->units, layout->unit_count, unit, replica, replicas));
        float *in_slice = slice + piece.first, *in_shard = shard + piece.place;
        memcpy(to_shard ? in_shard : in_slice, to_shard ? in_slice : in_shard,
               piece.count * sizeof *slice);
    }
    return VL_OK;
}

/* ---- gathering ---- */

struct gathering {
    const struct vl_replicated *part;
    struct vl_mesh mesh;
    /* on the first rank alone */
    struct vl_layout *slices; /* (pp tp): of each stage and place */
    float *slice;             /* the largest, where there are several */
    float *shard;             /* the largest, where there are shards */
};

static size_t slice_count(const struct gathering *g)
{
    return (size_t)g->mesh.pp * (size_t)g->mesh.tp;
}

static enum vl_status lay_slices_out(struct gathering *g)
{
    const struct vl_sharing *how = &g->part->how;
    g->slices = calloc(slice_count(g), sizeof *g->slices);
    if (g->slices == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < slice_count(g); i++) {
        const size_t places = (size_t)g->mesh.tp, stages = (size_t)g->mesh.pp;
        const struct vl_slice slice = {.place = i % places,
                                       .places = places,
                                       .stage = i / places,
                                       .stages = stages,
                                       .chunks = stages > 1 ? how->schedule->chunks : 1,
                                       .borders = stages > 1 ? how->borders : NULL};
        VL_CHECK(vl_layout_create(&g->slices[i], vl_model_shape(g->part->model),
                                  &vl_model_layout(g->part->model)->experts, &slice));
    }
    return VL_OK;
}

static enum vl_status take_rooms(struct gathering *g)
{
    size_t largest = 0, most = 0;
    for (size_t i = 0; i < slice_count(g); i++) {
        size_t shard = 0; /* replica 0 has the longest chunk of every unit */
        if (g->part->how.zero > 0)
            VL_CHECK(shard_size(&shard, &g->slices[i], g->part->how.zero, 0, g->mesh.dp));
        largest = g->slices[i].count > largest ? g->slices[i].count : largest;
        most = shard > most ? shard : most;
    }
    if (slice_count(g) > 1)
        g->slice = malloc(largest * sizeof *g->slice);
    if (g->part->how.zero > 0)
        g->shard = malloc((most + 1) * sizeof *g->shard);
    int there =
        (g->slice != NULL || slice_count(g) == 1) && (g->shard != NULL || g->part->how.zero == 0);
    return there ? VL_OK : VL_ENOMEM;
}

static enum vl_status create_whole(struct vl_whole_state *whole, size_t count)
{
    VL_CHECK(vl_arena_create(&whole->memory, VL_STATE_KINDS * vl_arena_size(count, sizeof(float))));
    for (size_t kind = 0; kind < VL_STATE_KINDS; kind++)
        whole->arrays[kind] = vl_arena_take(&whole->memory, count, sizeof(float));
    return VL_OK;
}

static enum vl_status prepare(struct gathering *g, struct vl_whole_state *whole)
{
    if (g->mesh.rank > 0)
        return VL_OK;
    VL_CHECK(lay_slices_out(g));
    VL_CHECK(take_rooms(g));
    return create_whole(whole, vl_layout_parameters(vl_model_shape(g->part->model),
                                                    &vl_model_layout(g->part->model)->experts));
}

/* Nobody sends before the first rank has room: who gave up would be waited for for ever. */
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

static void send(const float *from, size_t n, MPI_Comm comm)
{
    for (size_t at = 0; at < n; at += MESSAGE)
        PMPI_Send(from + at, (int)(n - at < MESSAGE ? n - at : MESSAGE), MPI_FLOAT, 0, 0, comm);
}

/* One array of slice i, put together in 'to' (its count) on the first rank. */
static enum vl_status collect(float *to, const struct gathering *g, enum vl_state_kind kind,
                              size_t i)
{
    const struct vl_mesh *mesh = &g->mesh;
    const struct vl_layout *slice = &g->slices[i];
    int stage = (int)i / mesh->tp, place = (int)i % mesh->tp;
    if (!is_sharded(g->part, kind)) { /* every replica has it: that of replica 0 */
        int rank = vl_mesh_rank(mesh, 0, stage, place);
        if (rank == mesh->rank)
            memcpy(to, array_of(g->part, kind), slice->count * sizeof *to);
        else
            receive(to, slice->count, rank, mesh->world);
        return VL_OK;
    }
    for (int replica = 0; replica < mesh->dp; replica++) {
        int rank = vl_mesh_rank(mesh, replica, stage, place);
        float *shard = rank == mesh->rank ? array_of(g->part, kind) : g->shard;
        size_t n;
        VL_CHECK(shard_size(&n, slice, g->part->how.zero, replica, mesh->dp));
        if (rank != mesh->rank)
            receive(shard, n, rank, mesh->world);
        VL_CHECK(move_shard(to, shard, 0, slice, replica, mesh->dp));
    }
    return VL_OK;
}

static enum vl_status collect_all(struct vl_whole_state *whole, const struct gathering *g,
                                  enum vl_state_kind kind)
{
    for (size_t i = 0; i < slice_count(g); i++) {
        VL_CHECK(collect(g->slice != NULL ? g->slice : whole->arrays[kind], g, kind, i));
        if (g->slice != NULL)
            vl_layout_paste(whole->arrays[kind], &g->slices[i], g->slice);
    }
    return VL_OK;
}

/* What the first rank asks this one for, in its order. */
static enum vl_status hand_over(const struct gathering *g, enum vl_state_kind kind)
{
    const struct vl_layout *slice = vl_model_layout(g->part->model);
    size_t n = slice->count;
    if (is_sharded(g->part, kind))
        VL_CHECK(shard_size(&n, slice, g->part->how.zero, g->mesh.replica, g->mesh.dp));
    else if (g->mesh.replica > 0)
        return VL_OK;
    send(array_of(g->part, kind), n, g->mesh.world);
    return VL_OK;
}

static void free_rooms(struct gathering *g)
{
    for (size_t i = 0; g->slices != NULL && i < slice_count(g); i++)
        vl_layout_free(&g->slices[i]);
    free(g->slices);
    free(g->slice);
    free(g->shard);
}

enum vl_status vl_whole_state_gather(struct vl_whole_state *whole, const struct vl_replicated *part)
{
    struct gathering g = {.part = part};
    *whole = (struct vl_whole_state){.arrays = {NULL}};
    if (part->how.mesh != NULL)
        g.mesh = *part->how.mesh;
    else
        VL_CHECK(vl_mesh_create(&g.mesh, MPI_COMM_NULL, 1, 1, 1));
    enum vl_status status = all_are_ready(&g, prepare(&g, whole));
    for (int kind = 0; status == VL_OK && kind < VL_STATE_KINDS; kind++)
        status = g.mesh.rank == 0 ? collect_all(whole, &g, (enum vl_state_kind)kind)
                                  : hand_over(&g, (enum vl_state_kind)kind);
    free_rooms(&g);
    if (status != VL_OK)
        vl_whole_state_free(whole);
    return status;
}

void vl_whole_state_free(struct vl_whole_state *whole)
{
    vl_arena_free(&whole->memory);
    *whole = (struct vl_whole_state){.arrays = {NULL}};
}

/* ---- loading ---- */

static enum vl_status load_sharded(struct vl_replicated *part,
                                   const struct vl_checkpoint *checkpoint, enum vl_state_kind kind)
{
    const struct vl_layout *slice = vl_model_layout(part->model);
    float *room = malloc(slice->count * sizeof *room);
    enum vl_status status =
        room != NULL ? vl_checkpoint_load_array(room, checkpoint, kind, slice) : VL_ENOMEM;
    if (status == VL_OK)
        status = move_shard(room, array_of(part, kind), 1, slice, part->shares[0].rank,
                            part->shares[0].ranks);
    free(room);
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
            VL_CHECK(vl_checkpoint_load_array(array_of(part, kind), checkpoint, kind,
                                              vl_model_layout(part->model)));
    }
    return VL_OK;
}
