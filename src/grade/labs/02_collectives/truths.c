/*
 * What lab 02's functions must give, rank by rank.
 *
 * Bytes that are only moved are compared to the bit (bound 0). So are sums in cases that ask for
 * the promised order of the additions ("bits"): there the truth is the float32 sum in that order,
 * which any correct implementation gives exactly. Elsewhere it is float64, and the bound is 1e-5.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/02_collectives/collectives.h"

#include <limits.h>
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

/* Is one message of so many elements refused? */
static int is_too_long(size_t elements, size_t element_bytes)
{
    return elements > INT_MAX / element_bytes;
}

/* Of n elements, the largest chunk: no loop over them, of which there may be more than in any memory. */
static size_t largest_chunk(size_t n, int ranks)
{
    return (n + (size_t)ranks - 1) / (size_t)ranks;
}

/* Is a chunk of a ring, which then leaves no transfer? Returns 1 if the answer is complete: on one rank
 * nothing is sent, so nothing is refused, but nothing changes either. */
static int answer_too_long_ring(struct vl_scope *s)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    size_t bytes = c.element_bytes > 0 ? c.element_bytes : sizeof(float);
    if (!is_too_long(largest_chunk(c.n, c.ranks), bytes))
        return 0;
    for (int rank = 0; c.ranks > 1 && rank < c.ranks; rank++)
        vl_ranked_int(s, "transfer_null", rank, 1);
    vl_scope_status(s, c.ranks > 1 ? VL_EINVAL : VL_OK);
    return 1;
}

/* Truths of rings, rank by rank. */
#define EACH_RANK_OF_RING(name)                                                                    \
    static void name##_of(struct vl_scope *s, const struct vl_collective *c, int rank);            \
    VL_SCOPED_TRUTH(name)                                                                          \
    {                                                                                              \
        if (!answer_too_long_ring(s))                                                              \
            vl_each_rank(s, name##_of);                                                            \
    }                                                                                              \
    static void name##_of(struct vl_scope *s, const struct vl_collective *c, int rank)

static void show_received(struct vl_scope *s, const struct vl_collective *c, int rank)
{
    double *received = vl_ranked_out(s, "received", rank, 1, c->n);
    size_t peer = (size_t)(c->ranks > 1 ? rank ^ (int)vl_scope_size(s, "apart") : rank);
    for (size_t i = 0; received != NULL && i < c->n; i++)
        received[i] = (double)vl_bag_f32(c->inputs, "sent")[peer * c->n + i];
}

VL_SCOPED_TRUTH(exchange)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    if (!vl_scope_refused(s, is_too_long(c.n, sizeof(float)), VL_EINVAL))
        vl_each_rank(s, show_received);
}

/* ---- moved ---- */

/* What rank 'rank' must have: the bytes of the row of rank 'from', as numbers. */
static void show_row(struct vl_scope *s, const struct vl_collective *c, const char *name, int rank,
                     int from)
{
    double *out = vl_ranked_out(s, name, rank, c->n, c->element_bytes);
    const unsigned char *row = row_of(c, name, from);
    for (size_t i = 0; out != NULL && i < c->n * c->element_bytes; i++)
        out[i] = row[i];
}

VL_SCOPED_TRUTH(broadcast)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    int refused = c.root >= c.ranks || is_too_long(c.n, c.element_bytes);
    if (vl_scope_refused(s, refused, VL_EINVAL))
        return;
    for (int rank = 0; rank < c.ranks; rank++) {
        show_row(s, &c, "data", rank, c.root);
        if (vl_bag_int(s->inputs, "late"))
            show_row(s, &c, "other", rank, (c.root + 1) % c.ranks);
    }
}

/* Each rank's row goes to the next, if there is a transfer. */
VL_EACH_RANK(message)
{
    if (!vl_bag_int(c->inputs, "null"))
        show_row(s, c, "data", rank, (rank + c->ranks - 1) % c->ranks);
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

EACH_RANK_OF_RING(all_gather)
{
    show_gathered(s, c, "data", rank);
}

/* Two all-gathers driven by poll alone, or one that ranks poll before the last begins; a message that rank 0
 * polls before rank 1 receives it; or none. */
VL_EACH_RANK(poll)
{
    int alone = vl_bag_int(c->inputs, "alone") != 0, sent = vl_bag_int(c->inputs, "late") != 0;
    int early = alone || sent, none = sent || vl_bag_int(c->inputs, "null") != 0;
    vl_ranked_int(s, "done", rank, 1);
    if (sent && rank == 1)
        show_row(s, c, "data", 1, 0);
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
static void show_pieces(struct vl_scope *s, const struct vl_collective *c, int rank)
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

VL_SCOPED_TRUTH(all_to_all)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    if (!vl_scope_refused(s, is_too_long(c.n, c.element_bytes), VL_EINVAL))
        vl_each_rank(s, show_pieces);
}

/* ---- added ---- */

/* The sum of element i of n: in float32, in the order promised for its chunk, or in float64. */
static double sum_of(const struct vl_collective *c, const float *data, size_t n, size_t i,
                     int chunk, bool bits)
{
    return bits ? (double)vl_oracle_sum_in_order(data, n, i, chunk + 1, c->ranks)
                : vl_oracle_sum(data, n, i, c->ranks);
}

/* The output 'name': the sums of the input 'of'. */
static void show_sums_as(struct vl_scope *s, const struct vl_collective *c, const char *name,
                         const char *of, int rank, int own_chunk_only)
{
    const struct vl_tensor_entry *data = vl_bag_find(c->inputs, of);
    size_t n = data->shape[1], i = 0;
    const bool bits = vl_bag_int(c->inputs, "bits") != 0;
    double *out = vl_ranked_out(s, name, rank, 1, n);
    for (int chunk = 0; out != NULL && chunk < c->ranks; chunk++)
        for (size_t left = vl_oracle_chunk_count(n, chunk, c->ranks); left > 0; left--, i++)
            out[i] = own_chunk_only && chunk != rank ? (double)NAN
                                                     : sum_of(c, data->data, n, i, chunk, bits);
}

static void show_sums(struct vl_scope *s, const struct vl_collective *c, const char *name, int rank,
                      int own_chunk_only)
{
    show_sums_as(s, c, name, name, rank, own_chunk_only);
}

EACH_RANK_OF_RING(reduce_scatter)
{
    show_sums(s, c, "data", rank, 1);
}

static void show_all_sums(struct vl_scope *s, const struct vl_collective *c, int rank)
{
    show_sums(s, c, "data", rank, 0);
    if (vl_bag_int(c->inputs, "crowded"))
        show_sums(s, c, "other", rank, 0);
}

/* What one of the three rings of two levels refuses is refused, but they leave no transfer. */
VL_SCOPED_TRUTH(all_reduce)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    int levels = c.per_node > 0;
    size_t chunk = levels ? largest_chunk(c.n, c.per_node) : 0;
    if (vl_scope_refused(s, is_too_long(chunk, sizeof(float)), VL_EINVAL))
        return;
    if (levels || !answer_too_long_ring(s))
        vl_each_rank(s, show_all_sums);
}

/* Polled until it is done; and then once more, which changes nothing. */
VL_EACH_RANK(poll_sum)
{
    vl_ranked_int(s, "done", rank, 1);
    vl_ranked_int(s, "done_again", rank, 1);
    show_sums(s, c, "data", rank, 1);
    show_sums_as(s, c, "polled_again", "data", rank, 1);
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
