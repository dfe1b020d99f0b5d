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
};

VL_TIMED_PREPARE(all, struct work)
{
    w->data = vl_timed_keep_floats(&w->kept, FLOATS, 1);
    vl_timed_result(&w->kept, "data", w->data, FLOATS);
}

VL_TIMED_PREPARE(own_chunk, struct work)
{
    int rank, ranks;
    MPI_Comm_rank(vl_case_comm(), &rank);
    MPI_Comm_size(vl_case_comm(), &ranks);
    size_t place = (size_t)rank, each = FLOATS / (size_t)ranks, rest = FLOATS % (size_t)ranks;
    size_t first = place * each + (place < rest ? place : rest);
    w->data = vl_timed_keep_floats(&w->kept, FLOATS, 1);
    vl_timed_result(&w->kept, "data", w->data + first, each + (place < rest));
}

VL_TIMED_PREPARE(pieces, struct work)
{
    int ranks;
    MPI_Comm_size(vl_case_comm(), &ranks);
    size_t each = FLOATS / (size_t)ranks;
    w->data = vl_timed_keep_floats(&w->kept, FLOATS, 1);
    w->received = vl_timed_keep_floats(&w->kept, FLOATS, 0);
    for (int s = 0; s < ranks && s < MOST_RANKS; s++)
        w->counts[s] = each;
    vl_timed_result(&w->kept, "data", w->received, each * (size_t)ranks);
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
    {"vl_broadcast", prepare_all, turn_broadcast, vl_timed_give, vl_timed_release},
    {"vl_reduce_scatter_start", prepare_own_chunk, turn_reduce_scatter, vl_timed_give,
     vl_timed_release},
    {"vl_all_gather_start", prepare_all, turn_all_gather, vl_timed_give, vl_timed_release},
    {"vl_all_reduce_start", prepare_all, turn_all_reduce, vl_timed_give, vl_timed_release},
    {"vl_all_to_all", prepare_pieces, turn_all_to_all, vl_timed_give, vl_timed_release},
    {NULL, NULL, NULL, NULL, NULL},
};
