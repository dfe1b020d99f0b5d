/*
 * Timed calls of lab 02, on two ranks: a few MiB each, so that the time is spent in the transfers
 * and not in starting them. Inputs are fresh for every turn.
 */
#include "runner/call.h"
#include "runner/timed_work.h"

#include "vialata/collectives.h"

enum { FLOATS = (1 << 20) + 3 }; /* 4 MiB, in chunks of unequal size */
enum { TAG = 7, MOST_RANKS = 16 };

struct work {
    struct vl_timed_work kept;
    float *data;
    float *received; /* all-to-all only */
    size_t counts[MOST_RANKS];
    int rank, ranks;
};

static enum vl_status prepare(void **opaque, uint64_t seed)
{
    struct work *work = vl_timed_begin(opaque, sizeof *work, seed);
    if (work == NULL)
        return VL_ENOMEM;
    MPI_Comm_rank(vl_case_comm(), &work->rank);
    MPI_Comm_size(vl_case_comm(), &work->ranks);
    work->data = vl_timed_keep_floats(&work->kept, FLOATS, 1);
    work->received = vl_timed_keep_floats(&work->kept, FLOATS, 0);
    for (int s = 0; s < work->ranks && s < MOST_RANKS; s++)
        work->counts[s] = FLOATS / (size_t)work->ranks;
    return work->kept.failed ? VL_ENOMEM : VL_OK;
}

static enum vl_status give_all(struct vl_bag *outputs, void *opaque)
{
    const struct work *work = opaque;
    return vl_timed_output(outputs, "data", work->data, FLOATS);
}

static enum vl_status give_own_chunk(struct vl_bag *outputs, void *opaque)
{
    const struct work *work = opaque;
    size_t rank = (size_t)work->rank, ranks = (size_t)work->ranks;
    size_t most = FLOATS % ranks, count = FLOATS / ranks + (rank < most);
    size_t first = rank * (FLOATS / ranks) + (rank < most ? rank : most);
    return vl_timed_output(outputs, "data", work->data + first, count);
}

static enum vl_status give_received(struct vl_bag *outputs, void *opaque)
{
    const struct work *work = opaque;
    size_t ranks = (size_t)work->ranks;
    return vl_timed_output(outputs, "data", work->received, ranks * (FLOATS / ranks));
}

/* 'call' starts 'transfer' on w->data. */
#define TURN(name, call)                                                                           \
    static enum vl_status turn_##name(void *opaque)                                                \
    {                                                                                              \
        struct work *w = opaque;                                                                   \
        struct vl_transfer *transfer = NULL;                                                       \
        enum vl_status status = call;                                                              \
        return status == VL_OK ? vl_transfer_finish(transfer) : status;                            \
    }
TURN(reduce_scatter, vl_reduce_scatter_start(&transfer, vl_case_comm(), w->data, FLOATS, TAG))
TURN(all_gather,
     vl_all_gather_start(&transfer, vl_case_comm(), w->data, FLOATS, sizeof *w->data, TAG))
TURN(all_reduce, vl_all_reduce_start(&transfer, vl_case_comm(), w->data, FLOATS, TAG))

static enum vl_status turn_broadcast(void *opaque)
{
    struct work *w = opaque;
    return vl_broadcast(vl_case_comm(), w->data, FLOATS * sizeof *w->data, 0);
}

static enum vl_status turn_all_to_all(void *opaque)
{
    struct work *w = opaque;
    return vl_all_to_all(vl_case_comm(), w->received, w->counts, w->data, w->counts,
                         sizeof *w->data);
}

const struct vl_timed_call vl_timed_collectives[] = {
    {"vl_broadcast", prepare, turn_broadcast, give_all, vl_timed_release},
    {"vl_reduce_scatter_start", prepare, turn_reduce_scatter, give_own_chunk, vl_timed_release},
    {"vl_all_gather_start", prepare, turn_all_gather, give_all, vl_timed_release},
    {"vl_all_reduce_start", prepare, turn_all_reduce, give_all, vl_timed_release},
    {"vl_all_to_all", prepare, turn_all_to_all, give_received, vl_timed_release},
    {NULL, NULL, NULL, NULL, NULL},
};
