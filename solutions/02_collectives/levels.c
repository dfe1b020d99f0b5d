/*
 * Lab 02: two levels. Inside a node the road is broad, between nodes it is narrow, so everything
 * that can be done inside is done there: only 1 / ranks_per_node of the data goes across.
 */
#include "vialata/collectives.h"

enum vl_status vl_levels_create(struct vl_levels *levels, MPI_Comm comm, int ranks_per_node)
{
    int rank, ranks;
    if (levels == NULL)
        return VL_EINVAL;
    *levels = (struct vl_levels){.inside = MPI_COMM_NULL, .across = MPI_COMM_NULL};
    if (ranks_per_node < 1)
        return VL_EINVAL;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (ranks % ranks_per_node != 0)
        return VL_ESHAPE;

    int node = rank / ranks_per_node, place = rank % ranks_per_node;
    int code = MPI_Comm_split(comm, node, place, &levels->inside);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_split(comm, place, node, &levels->across);
    if (code == MPI_SUCCESS)
        return VL_OK;
    vl_levels_free(levels);
    return VL_EINVAL;
}

static void free_communicator(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm); /* leaves MPI_COMM_NULL */
}

enum vl_status vl_levels_free(struct vl_levels *levels)
{
    if (levels == NULL)
        return VL_OK;
    free_communicator(&levels->across);
    free_communicator(&levels->inside);
    return VL_OK;
}

/*
 * One segment of the data on its way through the three phases. Each segment goes through them on
 * its own, so that while one crosses the narrow road, another uses the broad one. With three calls
 * for all the data, each road would be idle while the other is in use.
 */
enum { MOST_SEGMENTS = 8, SEGMENT_BYTES = 1 << 20 };
enum phase { SCATTER, ACROSS, GATHER, DONE };

struct segment {
    float *data;
    size_t n;
    int number;
    enum phase phase;
    struct vl_transfer *transfer;
};

static enum vl_status start_phase(struct segment *s, const struct vl_levels *levels)
{
    int place, ranks_per_node;
    size_t first, count;
    switch (s->phase) {
    case SCATTER:
        return vl_reduce_scatter_start(&s->transfer, levels->inside, s->data, s->n, s->number);
    case ACROSS:
        MPI_Comm_rank(levels->inside, &place);
        MPI_Comm_size(levels->inside, &ranks_per_node);
        vl_chunk(&first, &count, s->n, place, ranks_per_node);
        return vl_all_reduce_start(&s->transfer, levels->across, s->data + first, count, s->number);
    case GATHER:
        return vl_all_gather_start(&s->transfer, levels->inside, s->data, s->n, sizeof *s->data,
                                   MOST_SEGMENTS + s->number);
    case DONE:
        break;
    }
    return VL_OK;
}

/* Poll a segment; if its phase is over, start the next. No segment overtakes the one before it: all
 * ranks must start the transfers of a communicator in the same order, and which of two phases ends
 * first differs from rank to rank. */
static enum vl_status drive(struct segment *s, const struct segment *before,
                            const struct vl_levels *levels)
{
    int done;
    enum vl_status status = vl_transfer_poll(s->transfer, &done);
    if (status != VL_OK || !done || (before != NULL && before->phase == s->phase))
        return status;
    status = vl_transfer_finish(s->transfer);
    s->transfer = NULL;
    s->phase++;
    return status == VL_OK ? start_phase(s, levels) : status;
}

static enum vl_status drive_all(struct segment *segments, int count, const struct vl_levels *levels)
{
    int open;
    do {
        open = 0;
        for (int i = 0; i < count; i++) {
            if (segments[i].phase == DONE)
                continue;
            enum vl_status status = drive(&segments[i], i > 0 ? &segments[i - 1] : NULL, levels);
            if (status != VL_OK)
                return status;
            open += segments[i].phase != DONE;
        }
    } while (open > 0);
    return VL_OK;
}

enum vl_status vl_all_reduce_two_level(const struct vl_levels *levels, float *data, size_t n)
{
    if (levels == NULL || (data == NULL && n > 0))
        return VL_EINVAL;
    size_t wanted = n * sizeof *data / SEGMENT_BYTES;
    int count = wanted < 1 ? 1 : wanted > MOST_SEGMENTS ? MOST_SEGMENTS : (int)wanted;
    struct segment segments[MOST_SEGMENTS];
    for (int i = 0; i < count; i++) {
        size_t first;
        segments[i] = (struct segment){.number = i};
        vl_chunk(&first, &segments[i].n, n, i, count);
        segments[i].data = data + first;
        enum vl_status status = start_phase(&segments[i], levels);
        if (status != VL_OK)
            return status;
    }
    return drive_all(segments, count, levels);
}
