/*
 * Timed calls of lab 02, on two ranks: a few MiB each, so that the time is in the transfers and not
 * in getting going. Inputs are fresh for every turn.
 */
#include "runner/call.h"

#include "base/random.h"
#include "vialata/collectives.h"

#include <stdlib.h>
#include <string.h>

enum { FLOATS = (1 << 20) + 3 }; /* 4 MiB, in chunks of unequal size */
enum { TAG = 7, MOST_RANKS = 16 };

struct work {
    float *data;
    float *received; /* all-to-all only */
    size_t counts[MOST_RANKS];
    int rank, ranks;
    struct vl_bag *bag; /* owns the arrays */
};

static void release(void *opaque)
{
    struct work *work = opaque;
    if (work != NULL)
        vl_bag_free(work->bag);
    free(work);
}

/* Two uniform numbers in (-1, 1) from 64 bits: filling must not take longer than the turn. */
static void fill(float *array, size_t n, uint64_t seed, uint64_t stream)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = vl_random_bits(seed, stream, i / 2) >> (i % 2 ? 40 : 8);
        array[i] = (float)(bits & 0xffffff) * 0x1p-23f - 1.0f;
    }
}

static enum vl_status prepare_data(void **opaque, uint64_t seed)
{
    struct work *work = calloc(1, sizeof *work);
    *opaque = work;
    if (work == NULL)
        return VL_ENOMEM;
    MPI_Comm_rank(vl_case_comm(), &work->rank);
    MPI_Comm_size(vl_case_comm(), &work->ranks);
    work->bag = vl_bag_create();
    work->data = vl_bag_add_f32(work->bag, "data", 1, FLOATS);
    if (work->data == NULL)
        return VL_ENOMEM;
    fill(work->data, FLOATS, seed, (uint64_t)work->rank);
    return VL_OK;
}

static enum vl_status prepare_pieces(void **opaque, uint64_t seed)
{
    enum vl_status status = prepare_data(opaque, seed);
    if (status != VL_OK)
        return status;
    struct work *work = *opaque;
    work->received = vl_bag_add_f32(work->bag, "received", 1, FLOATS);
    vl_bag_poison(work->bag, "received");
    for (int s = 0; s < work->ranks && s < MOST_RANKS; s++)
        work->counts[s] = FLOATS / (size_t)work->ranks;
    return work->received != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status give(struct vl_bag *outputs, const float *array, size_t count)
{
    float *copy = vl_bag_add_f32(outputs, "data", 1, count);
    if (copy != NULL && count > 0)
        memcpy(copy, array, count * sizeof *copy);
    return copy != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status give_all(struct vl_bag *outputs, void *opaque)
{
    const struct work *work = opaque;
    return give(outputs, work->data, FLOATS);
}

static enum vl_status give_own_chunk(struct vl_bag *outputs, void *opaque)
{
    const struct work *work = opaque;
    size_t rank = (size_t)work->rank, ranks = (size_t)work->ranks;
    size_t most = FLOATS % ranks, count = FLOATS / ranks + (rank < most);
    size_t first = rank * (FLOATS / ranks) + (rank < most ? rank : most);
    return give(outputs, work->data + first, count);
}

static enum vl_status give_received(struct vl_bag *outputs, void *opaque)
{
    const struct work *work = opaque;
    size_t ranks = (size_t)work->ranks;
    return give(outputs, work->received, ranks * (FLOATS / ranks));
}

#define TURN(name) static enum vl_status turn_##name(void *opaque)

TURN(broadcast)
{
    struct work *work = opaque;
    return vl_broadcast(vl_case_comm(), work->data, FLOATS * sizeof *work->data, 0);
}

static enum vl_status finished(struct vl_transfer *transfer, enum vl_status started)
{
    return started == VL_OK ? vl_transfer_finish(transfer) : started;
}

TURN(reduce_scatter)
{
    struct work *work = opaque;
    struct vl_transfer *transfer = NULL;
    enum vl_status status =
        vl_reduce_scatter_start(&transfer, vl_case_comm(), work->data, FLOATS, TAG);
    return finished(transfer, status);
}

TURN(all_gather)
{
    struct work *work = opaque;
    struct vl_transfer *transfer = NULL;
    enum vl_status status =
        vl_all_gather_start(&transfer, vl_case_comm(), work->data, FLOATS, sizeof *work->data, TAG);
    return finished(transfer, status);
}

TURN(all_reduce)
{
    struct work *work = opaque;
    struct vl_transfer *transfer = NULL;
    enum vl_status status = vl_all_reduce_start(&transfer, vl_case_comm(), work->data, FLOATS, TAG);
    return finished(transfer, status);
}

TURN(all_to_all)
{
    struct work *work = opaque;
    return vl_all_to_all(vl_case_comm(), work->received, work->counts, work->data, work->counts,
                         sizeof *work->data);
}

const struct vl_timed_call vl_timed_collectives[] = {
    {"vl_broadcast", prepare_data, turn_broadcast, give_all, release},
    {"vl_reduce_scatter_start", prepare_data, turn_reduce_scatter, give_own_chunk, release},
    {"vl_all_gather_start", prepare_data, turn_all_gather, give_all, release},
    {"vl_all_reduce_start", prepare_data, turn_all_reduce, give_all, release},
    {"vl_all_to_all", prepare_pieces, turn_all_to_all, give_received, release},
    {NULL, NULL, NULL, NULL, NULL},
};
