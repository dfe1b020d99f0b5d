/*
 * What lab 06 must give: operators, embedding and cross-entropy on every rank. Where a contract
 * says that a row means nothing, the truth has NaN there: it is not judged. What is counted is in
 * truths_counts.c.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"
#include "oracle/kernels.h"

#include <math.h>

/* ---- who has what ---- */

struct vl_tensor_case vl_tensor_case_read(const struct vl_bag *inputs)
{
    struct vl_tensor_case c = {.ranks = (int)vl_bag_int(inputs, "ranks"),
                               .sequence = (int)vl_bag_int(inputs, "shared"),
                               .n = vl_bag_size(inputs, "n"),
                               .d = vl_bag_size(inputs, "d"),
                               .vocabulary = vl_bag_size(inputs, "vocabulary")};
    c.columns = c.vocabulary / (size_t)c.ranks;
    return c;
}

/* Whose chunk is row i in? */
static int owner_of(const struct vl_tensor_case *c, size_t i)
{
    return (int)(i / (c->n / (size_t)c->ranks));
}

/* Does row i of this rank mean anything outside of enter ... leave? */
static int means(const struct vl_tensor_case *c, int rank, size_t i)
{
    return !c->sequence || owner_of(c, i) == rank;
}

/* Element k of row i in the block of a rank. */
static double at(const struct vl_tensor_case *c, const double *blocks, int rank, size_t i, size_t k)
{
    return blocks[((size_t)rank * c->n + i) * c->d + k];
}

/* The same after a gather: under sequence parallelism a row comes from its owner. */
static double gathered(const struct vl_tensor_case *c, const double *blocks, int rank, size_t i,
                       size_t k)
{
    return at(c, blocks, c->sequence ? owner_of(c, i) : rank, i, k);
}

/* A rank's columns, (n,V/t), of whole (n,V). */
static void answer_columns(struct vl_scope *scope, const struct vl_tensor_case *c, const char *name,
                           int rank, const double *whole)
{
    double *own = vl_ranked_out(scope, name, rank, c->n, c->columns);
    for (size_t i = 0; own != NULL && i < c->n; i++)
        for (size_t j = 0; j < c->columns; j++)
            own[i * c->columns + j] = whole[i * c->vocabulary + (size_t)rank * c->columns + j];
}

/* whole (n,V) from blocks (t n, V/t), as working memory. NULL if that failed. */
static double *whole_of(struct vl_scope *scope, const struct vl_tensor_case *c, const char *blocks)
{
    const double *from = vl_scope_in(scope, blocks);
    double *whole = vl_scope_work(scope, "whole", c->n * c->vocabulary);
    for (size_t i = 0; whole != NULL && i < c->n; i++)
        for (size_t v = 0; v < c->vocabulary; v++)
            whole[i * c->vocabulary + v] =
                from[(v / c->columns * c->n + i) * c->columns + v % c->columns];
    return whole;
}

/* What every rank must answer where something does not fit; VL_OK: it fits. */
static enum vl_status refusal(const struct vl_bag *inputs, const struct vl_tensor_case *c)
{
    size_t ranks = (size_t)c->ranks;
    if ((c->sequence && c->n % ranks != 0) || c->vocabulary % ranks != 0)
        return VL_ESHAPE;
    return vl_bag_int(inputs, "bad") ? VL_EINVAL : VL_OK;
}

/* A truth on all ranks: the work written below it, unless every rank must refuse. */
static enum vl_status answer(struct vl_bag *expected, const struct vl_bag *inputs,
                             void (*work)(struct vl_scope *s, const struct vl_tensor_case *c))
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    enum vl_status refused = refusal(inputs, &c);
    if (refused != VL_OK)
        return vl_scope_refuse(&s, refused);
    work(&s, &c);
    return vl_scope_end(&s);
}

#define TRUTH(name)                                                                                \
    static void name(struct vl_scope *s, const struct vl_tensor_case *c);                          \
    VL_TRUTH(tensor_##name)                                                                        \
    {                                                                                              \
        return answer(expected, inputs, name);                                                     \
    }                                                                                              \
    static void name(struct vl_scope *s, const struct vl_tensor_case *c)

/* ---- parts ---- */

VL_TRUTH(tensor_part)
{
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    size_t ranks = (size_t)c.ranks;
    if (c.vocabulary % ranks != 0)
        return vl_answer_int(expected, "status", VL_ESHAPE);
    int64_t *first = vl_bag_add(expected, "first", VL_I64, 1, &ranks),
            *count = vl_bag_add(expected, "count", VL_I64, 1, &ranks);
    for (size_t rank = 0; first && count && rank < ranks; rank++) {
        first[rank] = rank > 0 ? first[rank - 1] + (int64_t)c.columns : 0;
        count[rank] = (int64_t)c.columns;
    }
    return first && count ? VL_OK : VL_ENOMEM;
}

/* ---- operators ---- */

TRUTH(gather)
{
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        double *x = vl_ranked_out(s, "x", rank, c->n, c->d);
        for (size_t i = 0; x != NULL && i < c->n * c->d; i++)
            x[i] = gathered(c, vl_scope_in(s, "x"), rank, i / c->d, i % c->d);
    }
}

TRUTH(sum)
{
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        double *x = vl_ranked_out(s, "x", rank, c->n, c->d);
        for (size_t i = 0; x != NULL && i < c->n * c->d; i++) {
            x[i] = means(c, rank, i / c->d) ? 0 : (double)NAN;
            for (int from = 0; from < c->ranks; from++)
                x[i] += at(c, vl_scope_in(s, "x"), from, i / c->d, i % c->d);
        }
    }
}

TRUTH(gain)
{
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        double *sum = vl_ranked_out(s, "dgain", rank, 1, c->d);
        const double *dgain = vl_scope_in(s, "dgain");
        for (size_t k = 0; sum != NULL && k < c->d; k++)
            for (int from = 0; from < c->ranks; from++)
                if (c->sequence || from == rank)
                    sum[k] += dgain[(size_t)from * c->d + k];
    }
}

/* ---- the vocabulary ---- */

TRUTH(embedding)
{
    double *whole = vl_scope_work(s, "whole", c->n * c->d);
    if (!s->failed)
        vl_oracle_embedding(whole, vl_scope_in(s, "table"), vl_bag_i32(s->wide, "tokens"), c->n,
                            c->d);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        double *out = vl_ranked_out(s, "out", rank, c->n, c->d);
        for (size_t i = 0; out != NULL && i < c->n * c->d; i++)
            out[i] = means(c, rank, i / c->d) ? whole[i] : (double)NAN;
    }
}

TRUTH(embedding_backward)
{
    double *dx = vl_scope_work(s, "whole", c->n * c->d), *dtable = vl_scope_in(s, "dtable");
    for (size_t i = 0; dx != NULL && i < c->n * c->d; i++)
        dx[i] = gathered(c, vl_scope_in(s, "dx"), 0, i / c->d, i % c->d);
    if (!s->failed)
        vl_oracle_embedding_weight(dtable, dx, vl_bag_i32(s->wide, "tokens"), c->n, c->d);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++)
        vl_ranked_copy(s, "dtable", rank, dtable + (size_t)rank * c->columns * c->d, c->columns,
                       c->d);
}

TRUTH(cross_entropy)
{
    double *logits = whole_of(s, c, "logits");
    double *probs = vl_scope_work(s, "all", c->n * c->vocabulary);
    double *losses = vl_scope_work(s, "lost", c->n);
    if (!s->failed)
        vl_oracle_cross_entropy(losses, probs, logits, vl_bag_i32(s->wide, "targets"), c->n,
                                c->vocabulary);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        answer_columns(s, c, "probs", rank, probs);
        vl_ranked_copy(s, "losses", rank, losses, 1, c->n);
        if (vl_bag_int(s->wide, "same"))
            vl_ranked_int(s, "same_losses", rank, 1);
    }
}

TRUTH(cross_entropy_backward)
{
    double *probs = whole_of(s, c, "probs");
    double *dlogits = vl_scope_work(s, "all", c->n * c->vocabulary);
    if (!s->failed)
        vl_oracle_cross_entropy_input(dlogits, probs, vl_bag_i32(s->wide, "targets"),
                                      vl_scope_real(s, "scale"), c->n, c->vocabulary);
    for (int rank = 0; !s->failed && rank < c->ranks; rank++) {
        answer_columns(s, c, "dlogits", rank, dlogits);
        vl_ranked_int(s, "sent_bytes", rank, 0);
    }
}
