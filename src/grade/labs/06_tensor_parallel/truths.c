/*
 * What lab 06 must give: operators, embedding, cross-entropy and a model on every rank. Where a
 * contract says that a row means nothing, the truth has NaN there: it is not judged. What is
 * counted is in truths_counts.c.
 */
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"
#include "grade/shared/model.h"
#include "oracle/kernels.h"
#include "oracle/tensor.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- who has what ---- */

struct vl_tensor_case vl_tensor_case_read(const struct vl_bag *inputs)
{
    struct vl_tensor_case c = {.ranks = (int)vl_bag_int(inputs, "ranks"),
                               .sequence = (int)vl_bag_int(inputs, "shared"),
                               .n = vl_bag_size(inputs, "n"),
                               .d = vl_bag_size(inputs, "d"),
                               .vocabulary = vl_bag_size(inputs, "vocabulary"),
                               .groups = 1};
    if (vl_bag_int(inputs, "groups") > 1)
        c.groups = (int)vl_bag_int(inputs, "groups");
    c.columns = c.vocabulary / (size_t)c.ranks;
    return c;
}

/* The status that every rank must return; VL_OK if the sizes and arguments are right. */
static enum vl_status refusal(const struct vl_scope *s, const struct vl_tensor_case *c)
{
    size_t ranks = (size_t)c->ranks;
    if ((c->sequence && c->n % ranks != 0) || c->vocabulary % ranks != 0)
        return VL_ESHAPE;
    return vl_bag_int(s->inputs, "bad") ? VL_EINVAL : VL_OK;
}

/* A truth on all ranks: the body written below it, for each group, unless every rank must refuse. In
 * the body a rank's number is that in its group. */
#define TRUTH(name)                                                                                \
    static void name(struct vl_scope *s, const struct vl_tensor_case *c);                          \
    VL_SCOPED_TRUTH(tensor_##name)                                                                 \
    {                                                                                              \
        struct vl_tensor_case c = vl_tensor_case_read(s->inputs);                                  \
        enum vl_status status = refusal(s, &c);                                                    \
        if (vl_scope_refused(s, status != VL_OK, status))                                          \
            return;                                                                                \
        for (; c.first < c.groups * c.ranks; c.first += c.ranks)                                   \
            name(s, &c);                                                                           \
    }                                                                                              \
    static void name(struct vl_scope *s, const struct vl_tensor_case *c)

/* An array of which each rank has a block: those of the group. */
static const double *blocks_of(const struct vl_scope *s, const struct vl_tensor_case *c,
                               const char *name)
{
    size_t all = vl_bag_find(s->wide, name)->count;
    return vl_scope_in(s, name) + all / (size_t)(c->groups * c->ranks) * (size_t)c->first;
}

/* Working memory of a group. */
static double *work(struct vl_scope *s, const struct vl_tensor_case *c, const char *name,
                    size_t count)
{
    return vl_scope_work(s, VL_RANKED(name, c->first), count);
}

/* What a rank has in row i, column k, worked out from an array with the numbers of all ranks. */
typedef double element_fn(const struct vl_tensor_case *c, const double *from, int rank, size_t i,
                          size_t k);

/* Answer an array (n, cols) of one rank, element by element. */
static void answer(struct vl_scope *s, const struct vl_tensor_case *c, int rank, const char *name,
                   size_t cols, element_fn *element, const double *from)
{
    double *own = vl_ranked_out(s, name, c->first + rank, c->n, cols);
    for (size_t i = 0; own != NULL && i < c->n * cols; i++)
        own[i] = element(c, from, rank, i / cols, i % cols);
}

/* ---- parts ---- */

TRUTH(part)
{
    size_t ranks = (size_t)c->ranks;
    int64_t *first = vl_scope_whole(s, "first", 1, ranks),
            *count = vl_scope_whole(s, "count", 1, ranks);
    for (size_t rank = 0; !s->failed && rank < ranks; rank++) {
        first[rank] = (int64_t)(rank * c->columns);
        count[rank] = (int64_t)c->columns;
    }
}

/* ---- operators ---- */

/* Whose chunk is row i in? */
static int owner_of(const struct vl_tensor_case *c, size_t i)
{
    return (int)(i / (c->n / (size_t)c->ranks));
}

/* A rank's row of its own block; under sequence parallelism a row comes from its owner. */
static double gathered(const struct vl_tensor_case *c, const double *blocks, int rank, size_t i,
                       size_t k)
{
    size_t from = (size_t)(c->sequence ? owner_of(c, i) : rank);
    return blocks[(from * c->n + i) * c->d + k];
}

/* How many rows of an input a rank keeps. */
static size_t rows_kept(const struct vl_tensor_case *c)
{
    return c->sequence ? c->n / (size_t)c->ranks : c->n;
}

/* Row i of the input that the ranks have kept, in blocks of these rows. */
static double kept_again(const struct vl_tensor_case *c, const double *blocks, int rank, size_t i,
                         size_t k)
{
    return blocks[((c->sequence ? 0 : (size_t)rank * c->n) + i) * c->d + k];
}

/* Row i of (n,D), which all ranks have; NaN for a row that means nothing outside a layer. */
static double kept(const struct vl_tensor_case *c, const double *whole, int rank, size_t i,
                   size_t k)
{
    return !c->sequence || owner_of(c, i) == rank ? whole[i * c->d + k] : (double)NAN;
}

/* The sum of all ranks' blocks of 'count' elements, as working memory. */
static const double *sum_of_blocks(struct vl_scope *s, const struct vl_tensor_case *c,
                                   const char *name, size_t count)
{
    const double *blocks = blocks_of(s, c, name);
    double *sum = work(s, c, "sum", count);
    for (size_t i = 0; sum != NULL && i < (size_t)c->ranks * count; i++)
        sum[i % count] += blocks[i];
    return sum;
}

TRUTH(gather)
{
    for (int rank = 0; !s->failed && rank < c->ranks; rank++)
        answer(s, c, rank, "x", c->d, gathered, blocks_of(s, c, "x"));
}

TRUTH(sum)
{
    const double *sum = sum_of_blocks(s, c, "x", c->n * c->d);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++)
        answer(s, c, rank, "x", c->d, kept, sum);
}

TRUTH(kept_rows)
{
    int64_t *rows = vl_scope_whole(s, "rows", 1, (size_t)c->ranks);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++)
        rows[rank] = (int64_t)rows_kept(c);
}

TRUTH(input_forward)
{
    const double *blocks = vl_scope_in(s, "x");
    size_t rows = rows_kept(c);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        size_t block = (size_t)rank * c->n, first = c->sequence ? (size_t)rank * rows : 0;
        answer(s, c, rank, "x", c->d, gathered, blocks);
        vl_ranked_copy(s, "kept", rank, blocks + (block + first) * c->d, 1, rows * c->d);
    }
}

/* What a rank sends where an input is gathered. */
static size_t gathered_bytes(const struct vl_tensor_case *c, int rank)
{
    return c->sequence ? vl_oracle_gather_half_sent(c->n * c->d, rank, c->ranks) * sizeof(float)
                       : 0;
}

TRUTH(input_backward)
{
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        answer(s, c, rank, "x", c->d, kept_again, vl_scope_in(s, "kept"));
        vl_ranked_int(s, "sent_bytes", rank, gathered_bytes(c, rank));
        vl_ranked_int(s, VL_MOST_MESSAGES, rank, c->sequence ? (size_t)c->ranks - 1 : 0);
    }
}

TRUTH(gain)
{
    const double *sum = sum_of_blocks(s, c, "dgain", c->d), *own = blocks_of(s, c, "dgain");
    for (int rank = 0; !s->failed && rank < c->ranks; rank++)
        vl_ranked_copy(s, "dgain", c->first + rank, c->sequence ? sum : own + (size_t)rank * c->d,
                       1, c->d);
}

/* ---- the vocabulary ---- */

TRUTH(embedding)
{
    double *whole = work(s, c, "whole", c->n * c->d);
    if (!s->failed)
        vl_oracle_embedding(whole, vl_scope_in(s, "table"), vl_bag_i32(s->wide, "tokens"), c->n,
                            c->d);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++)
        answer(s, c, rank, "out", c->d, kept, whole);
}

TRUTH(embedding_backward)
{
    double *dx = work(s, c, "whole", c->n * c->d), *dtable = vl_scope_in(s, "dtable");
    for (size_t i = 0; dx != NULL && i < c->n * c->d; i++)
        dx[i] = gathered(c, vl_scope_in(s, "dx"), 0, i / c->d, i % c->d);
    if (!s->failed)
        vl_oracle_embedding_weight(dtable, dx, vl_bag_i32(s->wide, "tokens"), c->n, c->d);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++)
        vl_ranked_copy(s, "dtable", rank, dtable + (size_t)rank * c->columns * c->d, c->columns,
                       c->d);
}

/* whole (n,V) from blocks (t n, V/t), as working memory. NULL if that failed. */
static double *whole_of(struct vl_scope *s, const struct vl_tensor_case *c, const char *blocks)
{
    const double *from = blocks_of(s, c, blocks);
    double *whole = work(s, c, "whole", c->n * c->vocabulary);
    for (size_t i = 0; whole != NULL && i < c->n; i++)
        for (size_t v = 0; v < c->vocabulary; v++)
            whole[i * c->vocabulary + v] =
                from[(v / c->columns * c->n + i) * c->columns + v % c->columns];
    return whole;
}

/* A rank's columns, (n,V/t), of whole (n,V). */
static double column(const struct vl_tensor_case *c, const double *whole, int rank, size_t i,
                     size_t k)
{
    return whole[i * c->vocabulary + (size_t)rank * c->columns + k];
}

TRUTH(cross_entropy)
{
    double *logits = whole_of(s, c, "logits");
    double *probs = work(s, c, "all", c->n * c->vocabulary);
    double *losses = work(s, c, "lost", c->n);
    if (!s->failed)
        vl_oracle_cross_entropy(losses, probs, logits, vl_bag_i32(s->wide, "targets"), c->n,
                                c->vocabulary);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        answer(s, c, rank, "probs", c->columns, column, probs);
        vl_ranked_copy(s, "losses", c->first + rank, losses, 1, c->n);
        if (vl_bag_int(s->wide, "same"))
            vl_ranked_int(s, "same_losses", rank, 1);
    }
}

TRUTH(cross_entropy_backward)
{
    double *probs = whole_of(s, c, "probs");
    double *dlogits = work(s, c, "all", c->n * c->vocabulary);
    if (!s->failed)
        vl_oracle_cross_entropy_input(dlogits, probs, vl_bag_i32(s->wide, "targets"),
                                      vl_scope_real(s, "scale"), c->n, c->vocabulary);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        answer(s, c, rank, "dlogits", c->columns, column, dlogits);
        vl_ranked_int(s, "sent_bytes", rank, 0);
    }
}

/* ---- a whole model: every rank has its part of what one device would have ---- */

bool vl_tensor_by_columns(const struct vl_oracle_tensor *t)
{
    return strstr(t->name, "o_proj") != NULL || strstr(t->name, "down_proj") != NULL;
}

/* Gains stay whole. */
static void answer_part(struct vl_scope *s, const struct vl_oracle_tensor *t, const double *whole,
                        int rank, int ranks)
{
    size_t share = (size_t)ranks, place = (size_t)rank;
    size_t rows = t->decays && !vl_tensor_by_columns(t) ? t->rows / share : t->rows;
    size_t cols = t->decays && vl_tensor_by_columns(t) ? t->cols / share : t->cols;
    size_t first_row = rows < t->rows ? place * rows : 0;
    size_t first_col = cols < t->cols ? place * cols : 0;
    double *part = vl_ranked_out(s, t->name, rank, rows, cols);
    for (size_t i = 0; part != NULL && i < rows * cols; i++)
        part[i] = whole[t->offset + (first_row + i / cols) * t->cols + first_col + i % cols];
}

VL_SCOPED_TRUTH(tensor_model)
{
    struct vl_oracle_transformer model;
    int ranks = (int)vl_bag_int(s->inputs, "ranks");
    double loss;
    s->failed |= vl_transformer_pass(&loss, &model, s->inputs) != VL_OK;
    if (s->failed)
        return;
    for (int rank = 0; rank < ranks; rank++) {
        vl_ranked_real(s, "loss", rank, loss);
        for (size_t i = 0; i < model.tensor_count; i++)
            answer_part(s, &model.tensors[i], model.gradients, rank, ranks);
    }
    vl_oracle_transformer_free(&model);
}
