/*
 * What lab 02's functions must give, rank by rank.
 *
 * Bytes that are only moved are compared to the bit (bound 0). So are sums where the case asks for
 * the promised order of the additions ("bits"): then the truth is the float32 sum in that order,
 * which any right implementation gives exactly. Elsewhere it is float64, and the bound 1e-5.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/02_collectives/collectives.h"

#include <math.h>

int vl_road_int(const struct vl_bag *inputs, const char *name)
{
    return (int)vl_bag_int(inputs, name);
}

double *vl_road_out(struct vl_bag *answer, const char *name, int rank, size_t rows, size_t cols)
{
    char ranked[VL_RANKED_NAME];
    return vl_bag_add_f64(answer, vl_ranked(ranked, name, rank), rows, cols);
}

int vl_road_count(struct vl_bag *answer, const char *name, int rank, uint64_t value)
{
    char ranked[VL_RANKED_NAME];
    return vl_bag_set_int(answer, vl_ranked(ranked, name, rank), (int64_t)value);
}

const unsigned char *vl_road_row(const struct vl_bag *inputs, const char *name, int rank)
{
    const struct vl_tensor_entry *entry = vl_bag_find(inputs, name);
    return (const unsigned char *)entry->data + (size_t)rank * entry->shape[1];
}

static const int64_t *counts_of(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "counts")->data;
}

size_t vl_road_piece(const struct vl_bag *inputs, int from, int to)
{
    return (size_t)counts_of(inputs)[from * vl_road_int(inputs, "ranks") + to];
}

size_t vl_road_sent_before(const struct vl_bag *inputs, int from, int to)
{
    size_t before = 0;
    for (int other = 0; other < to; other++)
        before += vl_road_piece(inputs, from, other);
    return before;
}

size_t vl_road_received_before(const struct vl_bag *inputs, int from, int to)
{
    size_t before = 0;
    for (int other = 0; other < from; other++)
        before += vl_road_piece(inputs, other, to);
    return before;
}

static enum vl_status refuse(struct vl_bag *expected, enum vl_status status)
{
    return vl_bag_set_int(expected, "status", status) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(chunk)
{
    size_t n = vl_bag_size(inputs, "n");
    int ranks = vl_road_int(inputs, "ranks");
    if (vl_road_int(inputs, "bad"))
        return refuse(expected, VL_EINVAL);
    size_t shape[] = {1, (size_t)ranks};
    int64_t *first = vl_bag_add(expected, "first", VL_I64, 2, shape);
    int64_t *count = vl_bag_add(expected, "count", VL_I64, 2, shape);
    for (int rank = 0; first != NULL && count != NULL && rank < ranks; rank++) {
        first[rank] = (int64_t)vl_oracle_chunk_first(n, rank, ranks);
        count[rank] = (int64_t)vl_oracle_chunk_count(n, rank, ranks);
    }
    return first != NULL && count != NULL ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(exchange)
{
    size_t n = vl_bag_size(inputs, "n");
    int ranks = vl_road_int(inputs, "ranks");
    for (int rank = 0; rank < ranks; rank++) {
        double *received = vl_road_out(expected, "received", rank, 1, n);
        size_t peer = (size_t)(ranks > 1 ? rank ^ 1 : rank);
        if (received == NULL)
            return VL_ENOMEM;
        for (size_t i = 0; i < n; i++)
            received[i] = (double)vl_bag_f32(inputs, "sent")[peer * n + i];
    }
    return VL_OK;
}

/* Bytes of one row as numbers. */
static int show_row(struct vl_bag *expected, const struct vl_bag *inputs, const char *name,
                    int rank, int from)
{
    size_t n = vl_bag_size(inputs, "n"), bytes = vl_bag_size(inputs, "element_bytes");
    double *out = vl_road_out(expected, name, rank, n, bytes);
    const unsigned char *row = vl_road_row(inputs, name, from);
    for (size_t i = 0; out != NULL && i < n * bytes; i++)
        out[i] = row[i];
    return out != NULL;
}

VL_TRUTH(broadcast)
{
    int root = vl_road_int(inputs, "root"), ranks = vl_road_int(inputs, "ranks");
    if (root >= ranks)
        return refuse(expected, VL_EINVAL);
    for (int rank = 0; rank < ranks; rank++)
        if (!show_row(expected, inputs, "data", rank, root))
            return VL_ENOMEM;
    return VL_OK;
}

/* Each rank's row goes to the next. */
VL_TRUTH(message)
{
    int ranks = vl_road_int(inputs, "ranks");
    for (int rank = 0; rank < ranks; rank++)
        if (!show_row(expected, inputs, "data", rank, (rank + ranks - 1) % ranks))
            return VL_ENOMEM;
    return VL_OK;
}

VL_TRUTH(finish)
{
    return vl_road_int(inputs, "null") ? VL_OK : vl_truth_message(expected, inputs);
}

/* A double at the place of float32 data, in the order promised or as exact as it gets. */
static double sum_of(const struct vl_bag *inputs, size_t i, int chunk)
{
    const float *data = vl_bag_f32(inputs, "data");
    size_t n = vl_bag_size(inputs, "n");
    int ranks = vl_road_int(inputs, "ranks");
    return vl_road_int(inputs, "bits")
               ? (double)vl_oracle_sum_in_order(data, n, i, chunk + 1, ranks)
               : vl_oracle_sum(data, n, i, ranks);
}

static enum vl_status sums(struct vl_bag *expected, const struct vl_bag *inputs, int own_chunk_only)
{
    size_t n = vl_bag_size(inputs, "n"), i = 0;
    int ranks = vl_road_int(inputs, "ranks");
    for (int rank = 0; rank < ranks; rank++) {
        double *out = vl_road_out(expected, "data", rank, 1, n);
        if (out == NULL)
            return VL_ENOMEM;
        i = 0;
        for (int chunk = 0; chunk < ranks; chunk++)
            for (size_t left = vl_oracle_chunk_count(n, chunk, ranks); left > 0; left--, i++)
                out[i] = own_chunk_only && chunk != rank ? (double)NAN : sum_of(inputs, i, chunk);
    }
    return VL_OK;
}

VL_TRUTH(reduce_scatter)
{
    return sums(expected, inputs, 1);
}

VL_TRUTH(all_reduce)
{
    return sums(expected, inputs, 0);
}

static enum vl_status gathered(struct vl_bag *expected, const struct vl_bag *inputs,
                               const char *name)
{
    size_t n = vl_bag_size(inputs, "n"), bytes = vl_bag_size(inputs, "element_bytes");
    int ranks = vl_road_int(inputs, "ranks");
    for (int rank = 0; rank < ranks; rank++) {
        double *out = vl_road_out(expected, name, rank, n, bytes);
        size_t i = 0;
        if (out == NULL)
            return VL_ENOMEM;
        for (int chunk = 0; chunk < ranks; chunk++)
            for (size_t left = vl_oracle_chunk_count(n, chunk, ranks) * bytes; left > 0;
                 left--, i++)
                out[i] = vl_road_row(inputs, name, chunk)[i];
    }
    return VL_OK;
}

VL_TRUTH(all_gather)
{
    return gathered(expected, inputs, "data");
}

/* Two all-gathers driven by poll alone; or one that rank 0 polls before rank 1 has begun; or none.
 */
VL_TRUTH(poll)
{
    int ranks = vl_road_int(inputs, "ranks");
    enum vl_status status = VL_OK;
    for (int rank = 0; rank < ranks && status == VL_OK; rank++) {
        int counted = vl_road_count(expected, "done", rank, 1);
        if (vl_road_int(inputs, "alone"))
            counted &= vl_road_count(expected, "came_back", rank, 1) &&
                       vl_road_count(expected, "done_early", rank, 0);
        status = counted ? VL_OK : VL_ENOMEM;
    }
    if (status == VL_OK && !vl_road_int(inputs, "null"))
        status = gathered(expected, inputs, "data");
    if (status == VL_OK && !vl_road_int(inputs, "null") && !vl_road_int(inputs, "alone"))
        status = gathered(expected, inputs, "other");
    return status;
}

VL_TRUTH(all_to_all)
{
    size_t bytes = vl_bag_size(inputs, "element_bytes");
    int ranks = vl_road_int(inputs, "ranks");
    for (int rank = 0; rank < ranks; rank++) {
        double *out = vl_road_out(expected, "received", rank,
                                  vl_road_received_before(inputs, ranks, rank), bytes);
        if (out == NULL)
            return VL_ENOMEM;
        for (int from = 0; from < ranks; from++) {
            const unsigned char *piece =
                vl_road_row(inputs, "data", from) + vl_road_sent_before(inputs, from, rank) * bytes;
            for (size_t i = 0; i < vl_road_piece(inputs, from, rank) * bytes; i++)
                *out++ = piece[i];
        }
    }
    return VL_OK;
}

/* The members of one rank's communicator, in order; places that stay empty hold -1. */
static int members(struct vl_bag *expected, const struct vl_bag *inputs, const char *name, int rank,
                   int first, int step, int count)
{
    char ranked[VL_RANKED_NAME];
    int ranks = vl_road_int(inputs, "ranks");
    int64_t *list = vl_bag_add(expected, vl_ranked(ranked, name, rank), VL_I64, 2,
                               (size_t[]){1, (size_t)ranks});
    for (int i = 0; list != NULL && i < ranks; i++)
        list[i] = i < count ? first + i * step : -1;
    return list != NULL;
}

VL_TRUTH(levels)
{
    int ranks = vl_road_int(inputs, "ranks"), per_node = vl_road_int(inputs, "ranks_per_node");
    int refused = per_node < 1 || ranks % per_node != 0;
    for (int rank = 0; rank < ranks; rank++) {
        if (refused && !(vl_road_count(expected, "inside_null", rank, 1) &&
                         vl_road_count(expected, "across_null", rank, 1)))
            return VL_ENOMEM;
        if (!refused &&
            !(members(expected, inputs, "inside", rank, rank - rank % per_node, 1, per_node) &&
              members(expected, inputs, "across", rank, rank % per_node, per_node,
                      ranks / per_node)))
            return VL_ENOMEM;
    }
    if (!refused)
        return VL_OK;
    return refuse(expected, per_node < 1 ? VL_EINVAL : VL_ESHAPE);
}

/* Whether anything is left over, the conduct says. */
VL_TRUTH(levels_free)
{
    (void)inputs;
    return vl_bag_set_int(expected, "status", VL_OK) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(two_level)
{
    return sums(expected, inputs, 0);
}
