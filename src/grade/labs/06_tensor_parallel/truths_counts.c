/*
 * What lab 06 must send, and what its figures on paper must be. Bytes are exact: they are those of
 * the rings of vialata/collectives.h.
 */
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"
#include "grade/shared/model.h"
#include "oracle/tensor.h"

/* ---- metered ---- */

typedef uint64_t (*ring_fn)(size_t n, int rank, int ranks);

static void sends(struct vl_scope *s, const struct vl_tensor_case *c, const char *name,
                  ring_fn ring, size_t n)
{
    for (int rank = 0; rank < c->ranks; rank++) {
        uint64_t elements = ring != NULL ? ring(n, rank, c->ranks) : 0;
        vl_ranked_int(s, name, rank, elements * sizeof(float));
    }
}

static ring_fn gather_of(const struct vl_tensor_case *c)
{
    return c->sequence ? vl_oracle_gather_half_sent : NULL;
}

static ring_fn sum_of(const struct vl_tensor_case *c)
{
    return c->sequence ? vl_oracle_scatter_half_sent : vl_oracle_all_reduce_sent;
}

/* So many rings, of ranks - 1 messages each. */
static void rings(struct vl_scope *s, const struct vl_tensor_case *c, size_t count)
{
    for (int rank = 0; rank < c->ranks; rank++)
        vl_ranked_int(s, VL_MOST_MESSAGES, rank, count * ((size_t)c->ranks - 1));
}

VL_SCOPED_TRUTH(layer_traffic)
{
    struct vl_tensor_case c = vl_tensor_case_read(s->wide);
    sends(s, &c, "enter_forward_bytes", gather_of(&c), c.n * c.d);
    sends(s, &c, "leave_forward_bytes", sum_of(&c), c.n * c.d);
    sends(s, &c, "leave_backward_bytes", gather_of(&c), c.n * c.d);
    sends(s, &c, "enter_backward_bytes", sum_of(&c), c.n * c.d);
    sends(s, &c, "gain_bytes", c.sequence ? vl_oracle_all_reduce_sent : NULL, c.d);
    rings(s, &c, c.sequence ? 6 : 4);
}

VL_SCOPED_TRUTH(embedding_traffic)
{
    struct vl_tensor_case c = vl_tensor_case_read(s->wide);
    sends(s, &c, "forward_bytes", sum_of(&c), c.n * c.d);
    sends(s, &c, "backward_bytes", gather_of(&c), c.n * c.d);
    rings(s, &c, 2);
}

VL_SCOPED_TRUTH(cross_entropy_traffic)
{
    struct vl_tensor_case c = vl_tensor_case_read(s->wide);
    sends(s, &c, "sent_bytes", vl_oracle_cross_entropy_sent, c.n);
    rings(s, &c, 3);
}

/* The shape of the inputs, with so many layers; 'rows' names the size of a micro-batch. */
static struct vl_oracle_tensor_shape shape_of(const struct vl_bag *inputs, size_t layers,
                                              const char *rows)
{
    struct vl_oracle_shape model = vl_shape_read(inputs);
    return (struct vl_oracle_tensor_shape){.layers = layers,
                                           .width = model.width,
                                           .ff = model.ff,
                                           .vocabulary = model.vocabulary,
                                           .heads = model.heads,
                                           .length = model.sequence,
                                           .tokens = vl_bag_size(inputs, rows) * model.sequence,
                                           .ranks = (int)vl_bag_int(inputs, "ranks"),
                                           .shared = vl_bag_int(inputs, "shared") != 0};
}

/* The bytes of all micro-batches, and of the gains once per step. An all-reduce is two rings, with a
 * message per step of each; an input gathered again is one, a cross-entropy is three. */
VL_SCOPED_TRUTH(tensor_model_bytes)
{
    size_t layers = vl_scope_size(s, "layers"), micro_batches = vl_scope_size(s, "micro_batches");
    struct vl_oracle_tensor_shape shape = shape_of(s->inputs, layers, "rows_per_micro");
    size_t gains = shape.shared ? 2 * layers + 1 : 0, again = vl_oracle_tensor_again(&shape);
    size_t rings = micro_batches * (2 * vl_oracle_tensor_sums(layers) + again + 3) + 2 * gains;
    for (int rank = 0; rank < shape.ranks; rank++) {
        uint64_t sent = micro_batches * vl_oracle_tensor_sent(&shape, rank) +
                        gains * vl_oracle_all_reduce_sent(shape.width, rank, shape.ranks);
        vl_ranked_int(s, "sent_bytes", rank, sizeof(float) * sent);
        vl_ranked_int(s, VL_MOST_MESSAGES, rank, rings * ((size_t)shape.ranks - 1));
    }
}

/* ---- memory ---- */

static struct vl_oracle_tensor_shape memory_shape(const struct vl_bag *inputs, bool shared)
{
    struct vl_oracle_tensor_shape shape = shape_of(inputs, vl_bag_size(inputs, "layers"), "rows");
    shape.shared = shared;
    return shape;
}

VL_SCOPED_TRUTH(memory_kept)
{
    const struct vl_oracle_tensor_shape shape = memory_shape(s->inputs, true);
    for (int rank = 0; rank < shape.ranks; rank++)
        vl_ranked_int(s, "kept_bytes", rank, vl_oracle_tensor_kept(&shape) * sizeof(float));
}

/* The two ways differ in what the layers keep, and in what is outside, after the last of them:
 * its output, the head's input and 1/rms. The array in which inputs are gathered is taken off. */
VL_SCOPED_TRUTH(memory_arena)
{
    const struct vl_oracle_tensor_shape whole = memory_shape(s->inputs, false),
                                        shared = memory_shape(s->inputs, true);
    size_t own = shared.tokens / (size_t)shared.ranks;
    size_t head = (shared.tokens - own) * (2 * shared.width + 1);
    size_t saved = vl_oracle_tensor_kept(&whole) - vl_oracle_tensor_kept(&shared) + head -
                   shared.tokens * shared.width;
    for (int rank = 0; rank < shared.ranks; rank++)
        vl_ranked_int(s, "bytes_saved", rank, saved * sizeof(float));
}

/* ---- on paper ---- */

static struct vl_oracle_tensor_shape figure(const struct vl_bag *inputs, size_t i)
{
    return shape_of(inputs, (size_t)vl_bag_i32(inputs, "layers")[i], "rows");
}

VL_SCOPED_TRUTH(tensor_all_reduces)
{
    int64_t *counts = vl_scope_whole(s, "counts", 1, VL_TENSOR_FIGURES);
    for (size_t i = 0; counts != NULL && i < VL_TENSOR_FIGURES; i++)
        counts[i] = (int64_t)vl_oracle_tensor_sums(figure(s->inputs, i).layers);
}

VL_SCOPED_TRUTH(tensor_sent_bytes)
{
    if (vl_scope_refused(s, vl_bag_int(s->inputs, "bad") != 0, VL_EINVAL))
        return;
    double *bytes = vl_scope_out(s, "bytes", 1, VL_TENSOR_FIGURES, 0);
    for (size_t i = 0; bytes != NULL && i < VL_TENSOR_FIGURES; i++) {
        struct vl_oracle_tensor_shape shape = figure(s->inputs, i);
        bytes[i] = (double)(vl_oracle_tensor_sent(&shape, 0) * sizeof(float));
    }
}

VL_SCOPED_TRUTH(tensor_again_bytes)
{
    if (vl_scope_refused(s, vl_bag_int(s->inputs, "bad") != 0, VL_EINVAL))
        return;
    int64_t *bytes = vl_scope_whole(s, "bytes", 1, VL_TENSOR_FIGURES);
    for (size_t i = 0; bytes != NULL && i < VL_TENSOR_FIGURES; i++) {
        struct vl_oracle_tensor_shape whole = figure(s->inputs, i), shared = whole;
        shared.shared = true;
        bytes[i] =
            (int64_t)((vl_oracle_tensor_sent(&shared, 0) - vl_oracle_tensor_sent(&whole, 0)) *
                      sizeof(float));
    }
}

VL_SCOPED_TRUTH(tensor_kept_bytes)
{
    if (vl_scope_refused(s, vl_bag_int(s->inputs, "bad") != 0, VL_EINVAL))
        return;
    struct vl_oracle_tensor_shape any = figure(s->inputs, 0);
    size_t ways =
        any.tokens % (size_t)any.ranks == 0 ? 2 : 1; /* sequence parallelism shares them out */
    int64_t *bytes = vl_scope_whole(s, "bytes", ways, VL_TENSOR_FIGURES);
    for (size_t i = 0; bytes != NULL && i < ways * VL_TENSOR_FIGURES; i++) {
        struct vl_oracle_tensor_shape shape = figure(s->inputs, i % VL_TENSOR_FIGURES);
        shape.shared = i >= VL_TENSOR_FIGURES;
        bytes[i] = (int64_t)(vl_oracle_tensor_kept(&shape) * sizeof(float));
    }
}

/* A sealed number, worked out from the 'shape' of the sealed case. */
#define SEALED(question, name, number)                                                             \
    VL_TRUTH(question)                                                                             \
    {                                                                                              \
        size_t layers = vl_bag_size(inputs, "layers");                                             \
        struct vl_oracle_tensor_shape shape = shape_of(inputs, layers, "rows");                    \
        return vl_answer_int(expected, name, (int64_t)(number));                                   \
    }

SEALED(predict_all_reduces, "all_reduces", vl_oracle_tensor_sums(shape.layers))
SEALED(predict_tensor_bytes, "predicted_bytes", sizeof(float) * vl_oracle_tensor_sent(&shape, 0))
SEALED(predict_weights_bytes, "weights_bytes", sizeof(float) * vl_oracle_tensor_weights(&shape))
