/*
 * What lab 02's functions must give, rank by rank.
 *
 * Bytes that are only moved are compared to the bit (bound 0). So are sums in cases that ask for
 * the promised order of the additions ("bits"): there the truth is the float32 sum in that order,
 * which any correct implementation gives exactly. Elsewhere it is float64, and the bound is 1e-5.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/02_collectives/collectives.h"

#include <math.h>

struct vl_collective vl_collective_of(const struct vl_bag *inputs)
{
    return (struct vl_collective){.inputs = inputs,
                                  .n = vl_bag_size(inputs, "n"),
                                  .element_bytes = vl_bag_size(inputs, "element_bytes"),
                                  .ranks = (int)vl_bag_int(inputs, "ranks"),
                                  .root = (int)vl_bag_int(inputs, "root"),
                                  .per_node = (int)vl_bag_int(inputs, "ranks_per_node")};
}

size_t vl_piece_count(const struct vl_collective *c, int from, int to)
{
    return vl_bag_sizes(c->inputs, "counts")[from * c->ranks + to];
}

void vl_each_rank(struct vl_scope *s, vl_rank_fn *fill)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    for (int rank = 0; rank < c.ranks; rank++)
        fill(s, &c, rank);
}

/* Row 'rank' of bytes. */
static const unsigned char *row_of(const struct vl_collective *c, const char *name, int rank)
{
    const struct vl_tensor_entry *entry = vl_bag_find(c->inputs, name);
    return (const unsigned char *)entry->data + (size_t)rank * entry->shape[1];
}

VL_SCOPED_TRUTH(chunk)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    if (vl_scope_bad(s))
        return;
    int64_t *first = vl_scope_whole(s, "first", 1, (size_t)c.ranks);
    int64_t *count = vl_scope_whole(s, "count", 1, (size_t)c.ranks);
    for (int rank = 0; !s->failed && rank < c.ranks; rank++) {
        first[rank] = (int64_t)vl_oracle_chunk_first(c.n, rank, c.ranks);
        count[rank] = (int64_t)vl_oracle_chunk_count(c.n, rank, c.ranks);
    }
}

VL_EACH_RANK(exchange)
{
    double *received = vl_ranked_out(s, "received", rank, 1, c->n);
    size_t peer = (size_t)(c->ranks > 1 ? rank ^ (int)vl_scope_size(s, "apart") : rank);
    for (size_t i = 0; received != NULL && i < c->n; i++)
        received[i] = (double)vl_bag_f32(c->inputs, "sent")[peer * c->n + i];
}

/* ---- moved ---- */

/* What rank 'rank' must have: the bytes of the row of rank 'from', as numbers. */
static void show_row(struct vl_scope *s, const struct vl_collective *c, int rank, int from)
{
    double *out = vl_ranked_out(s, "data", rank, c->n, c->element_bytes);
    const unsigned char *row = row_of(c, "data", from);
    for (size_t i = 0; out != NULL && i < c->n * c->element_bytes; i++)
        out[i] = row[i];
}

VL_SCOPED_TRUTH(broadcast)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    if (vl_scope_refused(s, c.root >= c.ranks, VL_EINVAL))
        return;
    for (int rank = 0; rank < c.ranks; rank++)
        show_row(s, &c, rank, c.root);
}

/* Each rank's row goes to the next, if there is a transfer. */
VL_EACH_RANK(message)
{
    if (!vl_bag_int(c->inputs, "null"))
        show_row(s, c, rank, (rank + c->ranks - 1) % c->ranks);
}

/* On every rank, chunk r comes from the row of rank r. */
static void show_gathered(struct vl_scope *s, const struct vl_collective *c, const char *name,
                          int rank)
{
    double *out = vl_ranked_out(s, name, rank, c->n, c->element_bytes);
    size_t i = 0;
    for (int chunk = 0; out != NULL && chunk < c->ranks; chunk++) {
        size_t end = i + vl_oracle_chunk_count(c->n, chunk, c->ranks) * c->element_bytes;
        const unsigned char *row = row_of(c, name, chunk);
        for (; i < end; i++)
            out[i] = row[i];
    }
}

VL_EACH_RANK(all_gather)
{
    show_gathered(s, c, "data", rank);
}

/* Two all-gathers driven by poll alone, or one that rank 0 polls before rank 1 begins, or none. */
VL_EACH_RANK(poll)
{
    int early = vl_bag_int(c->inputs, "alone") != 0, none = vl_bag_int(c->inputs, "null") != 0;
    vl_ranked_int(s, "done", rank, 1);
    if (early) {
        vl_ranked_int(s, "came_back", rank, 1);
        vl_ranked_int(s, "done_early", rank, 0);
    }
    if (!none)
        show_gathered(s, c, "data", rank);
    if (!none && !early)
        show_gathered(s, c, "other", rank);
}

/* The pieces lie in the order of the ranks they come from. */
VL_EACH_RANK(all_to_all)
{
    size_t elements = 0;
    for (int from = 0; from < c->ranks; from++)
        elements += vl_piece_count(c, from, rank);
    double *out = vl_ranked_out(s, "received", rank, elements, c->element_bytes);
    for (int from = 0; out != NULL && from < c->ranks; from++) {
        size_t before = 0;
        for (int other = 0; other < rank; other++)
            before += vl_piece_count(c, from, other);
        const unsigned char *piece = row_of(c, "data", from) + before * c->element_bytes;
        for (size_t i = 0; i < vl_piece_count(c, from, rank) * c->element_bytes; i++)
            *out++ = piece[i];
    }
}

/* ---- added ---- */

/* The sum of element i: in float32, in the order promised for its chunk, or in float64. */
static double sum_of(const struct vl_collective *c, size_t i, int chunk)
{
    const float *data = vl_bag_f32(c->inputs, "data");
    return vl_bag_int(c->inputs, "bits")
               ? (double)vl_oracle_sum_in_order(data, c->n, i, chunk + 1, c->ranks)
               : vl_oracle_sum(data, c->n, i, c->ranks);
}

static void show_sums(struct vl_scope *s, const struct vl_collective *c, int rank,
                      int own_chunk_only)
{
    double *out = vl_ranked_out(s, "data", rank, 1, c->n);
    size_t i = 0;
    for (int chunk = 0; out != NULL && chunk < c->ranks; chunk++)
        for (size_t left = vl_oracle_chunk_count(c->n, chunk, c->ranks); left > 0; left--, i++)
            out[i] = own_chunk_only && chunk != rank ? (double)NAN : sum_of(c, i, chunk);
}

VL_EACH_RANK(reduce_scatter)
{
    show_sums(s, c, rank, 1);
}

VL_EACH_RANK(all_reduce)
{
    show_sums(s, c, rank, 0);
}

/* ---- two levels ---- */

/* The members of one rank's communicator, in order; then -1 for every rank outside. */
static void list_members(struct vl_scope *s, const struct vl_collective *c, const char *name,
                         int rank, int first, int step, int count)
{
    int64_t *list = vl_ranked_whole(s, name, rank, 1, (size_t)c->ranks);
    for (int i = 0; list != NULL && i < c->ranks; i++)
        list[i] = i < count ? first + i * step : -1;
}

VL_SCOPED_TRUTH(levels)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    int refused = c.per_node < 1 || c.ranks % c.per_node != 0;
    for (int rank = 0; rank < c.ranks; rank++)
        if (refused) {
            vl_ranked_int(s, "inside_null", rank, 1);
            vl_ranked_int(s, "across_null", rank, 1);
        } else {
            int place = rank % c.per_node;
            list_members(s, &c, "inside", rank, rank - place, 1, c.per_node);
            list_members(s, &c, "across", rank, place, c.per_node, c.ranks / c.per_node);
        }
    vl_scope_refused(s, refused, c.per_node < 1 ? VL_EINVAL : VL_ESHAPE);
}

/* Communicators that were not freed are reported by the runner. */
VL_SCOPED_TRUTH(levels_free)
{
    vl_scope_status(s, VL_OK);
}
