/*
 * Known wrong answers of lab 06: the cross-entropy of logits whose columns are shared.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"

#include <math.h>

/* ---- forward ---- */

enum loss_mistake {
    OWN_MAXIMUM,
    NO_MAXIMUM,
    MAXIMUM_LOST,
    OWN_SUM,
    OWN_SUM_LOSS,
    OWN_TARGET,
    OWN_TARGET_SHIFTED,
    NO_OFFSET,
    NO_OFFSET_SHIFTED,
    SUMMED_TWICE,
    TARGET_OVERWRITTEN
};

/* A token's logits on all ranks. */
struct token {
    const struct vl_tensor_case *c;
    const double *z; /* (V) */
    size_t target;
    double largest; /* of all */
};

static double largest_of(const struct token *t, int rank)
{
    double largest = -(double)INFINITY;
    for (size_t j = 0; j < t->c->columns; j++)
        largest = fmax(largest, t->z[(size_t)rank * t->c->columns + j]);
    return largest;
}

/* exp(z - m), with the maximum that this rank takes. As a float has it: it may be infinite. */
static double power(const struct token *t, int rank, size_t j, enum loss_mistake mistake)
{
    double m = mistake == OWN_MAXIMUM  ? largest_of(t, rank)
               : mistake == NO_MAXIMUM ? 0
                                       : t->largest;
    return (double)expf((float)(t->z[(size_t)rank * t->c->columns + j] - m));
}

static double part_sum(const struct token *t, int rank, enum loss_mistake mistake)
{
    double sum = 0;
    for (size_t j = 0; j < t->c->columns; j++)
        sum += power(t, rank, j, mistake);
    return sum;
}

static double sum_of(const struct token *t, int rank, enum loss_mistake mistake)
{
    double sum = 0;
    for (int from = 0; from < t->c->ranks; from++)
        if ((mistake != OWN_SUM && mistake != OWN_SUM_LOSS) || from == rank)
            sum += part_sum(t, from, mistake);
    return mistake == SUMMED_TWICE ? sum * t->c->ranks : sum;
}

/* z_target - m, as this rank believes. */
static double wanted(const struct token *t, int rank, enum loss_mistake mistake)
{
    double z = t->z[t->target], m = t->largest, sum = 0;
    size_t columns = t->c->columns;
    int own = t->target / columns == (size_t)rank;
    switch (mistake) {
    case MAXIMUM_LOST:
        return z;
    case OWN_TARGET: /* zero, where the target is not */
        return own ? z - m : -m;
    case OWN_TARGET_SHIFTED:
        return own ? z - m : 0;
    case NO_OFFSET:
    case NO_OFFSET_SHIFTED: /* every rank looks into its own columns at the target's number */
        for (size_t from = 0; t->target < columns && from < (size_t)t->c->ranks; from++)
            sum += t->z[from * columns + t->target] - (mistake == NO_OFFSET_SHIFTED ? m : 0);
        return mistake == NO_OFFSET ? sum - m : sum;
    case TARGET_OVERWRITTEN:
        return exp(z - m) - m;
    case NO_MAXIMUM:
    case OWN_MAXIMUM:
    case OWN_SUM:
    case OWN_SUM_LOSS:
    case SUMMED_TWICE:
        break;
    }
    return z - (mistake == NO_MAXIMUM ? 0 : m);
}

static void answer_token(double *probs, double *loss, const struct token *t, int rank,
                         enum loss_mistake mistake)
{
    double sum = sum_of(t, rank, mistake);
    for (size_t j = 0; probs != NULL && j < t->c->columns; j++)
        probs[j] = power(t, rank, j, mistake) / sum;
    if (loss != NULL)
        *loss = log(sum) - wanted(t, rank, mistake);
}

/* Which of the two results this mistake is sure of: the other depends on how it was made. */
static int decides_probs(enum loss_mistake mistake)
{
    return mistake == OWN_MAXIMUM || mistake == NO_MAXIMUM || mistake == OWN_SUM ||
           mistake == SUMMED_TWICE;
}

static enum vl_status forward(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum loss_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    if (vl_tensor_refusal(inputs, &c) != VL_OK)
        return vl_scope_end(&s);
    const double *whole = vl_tensor_whole(&s, &c, "logits");
    int of_probs = decides_probs(mistake), of_losses = mistake != OWN_MAXIMUM && mistake != OWN_SUM;
    for (int rank = 0; !s.failed && rank < c.ranks; rank++) {
        double *probs = of_probs ? vl_ranked_out(&s, "probs", rank, c.n, c.columns) : NULL;
        double *losses = of_losses ? vl_ranked_out(&s, "losses", rank, 1, c.n) : NULL;
        for (size_t i = 0; !s.failed && i < c.n; i++) {
            struct token t = {&c, whole + i * c.vocabulary,
                              (size_t)vl_bag_i32(inputs, "targets")[i], 0};
            t.largest = largest_of(&t, 0);
            for (int from = 1; from < c.ranks; from++)
                t.largest = fmax(t.largest, largest_of(&t, from));
            answer_token(probs ? probs + i * c.columns : NULL, losses ? losses + i : NULL, &t, rank,
                         mistake);
        }
    }
    return vl_scope_end(&s);
}

MISTAKE(forward, OWN_MAXIMUM)
MISTAKE(forward, NO_MAXIMUM)
MISTAKE(forward, MAXIMUM_LOST)
MISTAKE(forward, OWN_SUM)
MISTAKE(forward, OWN_SUM_LOSS)
MISTAKE(forward, OWN_TARGET)
MISTAKE(forward, OWN_TARGET_SHIFTED)
MISTAKE(forward, NO_OFFSET)
MISTAKE(forward, NO_OFFSET_SHIFTED)
MISTAKE(forward, SUMMED_TWICE)
MISTAKE(forward, TARGET_OVERWRITTEN)

/* Numbers that are right, but not with the same bits on all ranks. */
static enum vl_status losses_differ(struct vl_bag *wrong, const struct vl_bag *inputs,
                                    const struct vl_bag *expected)
{
    (void)expected;
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    for (int rank = 0; vl_bag_int(inputs, "same") && rank < (int)vl_bag_int(inputs, "ranks");
         rank++)
        vl_ranked_int(&s, "same_losses", rank, 0);
    return vl_scope_end(&s);
}

#define OFFSET                                                                                     \
    N_("The first column of this rank's part was forgotten: its column 0 is not token 0, but "     \
       "token 'first'.")
#define TARGET                                                                                     \
    N_("The target's logit stands on one rank only; the others worked with zero. It must travel, " \
       "as a sum of which one part is not zero.")
#define SUM_UNSHARED                                                                               \
    N_("The sum of the exponentials is that of this rank's columns; the softmax is over the "      \
       "whole "                                                                                    \
       "vocabulary.")

const struct vl_suspect vl_suspects_tensor_cross_entropy[] = {
    {"maximum_not_shared",
     N_("Each rank subtracted the largest of its own logits. Exponentials can only be summed over "
        "the ranks if all have subtracted the same."),
     forward_OWN_MAXIMUM},
    {"no_maximum",
     N_("The exponential of a large logit is infinite: subtract the largest logit of the whole "
        "vocabulary first."),
     forward_NO_MAXIMUM},
    {"maximum_lost",
     N_("The maximum was taken away from the logits under the sum, but not from the target's."),
     forward_MAXIMUM_LOST},
    {"sum_not_shared", SUM_UNSHARED, forward_OWN_SUM},
    {"sum_not_shared", SUM_UNSHARED, forward_OWN_SUM_LOSS},
    {"target_not_shared", TARGET, forward_OWN_TARGET},
    {"target_not_shared", TARGET, forward_OWN_TARGET_SHIFTED},
    {"offset_forgotten", OFFSET, forward_NO_OFFSET},
    {"offset_forgotten", OFFSET, forward_NO_OFFSET_SHIFTED},
    {"summed_twice",
     N_("The sum of the exponentials is too large by the number of ranks: it was summed once more "
        "after it was whole."),
     forward_SUMMED_TWICE},
    {"target_overwritten",
     N_("The target's logit was read after probs had been written; they may be the same memory, so "
        "read it before."),
     forward_TARGET_OVERWRITTEN},
    {"losses_differ",
     N_("The losses are right, but their last bits differ from rank to rank: make them on every "
        "rank from the same numbers in the same order."),
     losses_differ},
    NO_MORE_SUSPECTS};

/* ---- backward ---- */

enum gradient_mistake { ONE_NO_OFFSET, ONE_WRAPPED, NO_ONE, NO_SCALE, ONE_UNSCALED };

static double gradient(const struct vl_tensor_case *c, double prob, double scale, size_t v,
                       size_t target, enum gradient_mistake mistake)
{
    size_t column = v % c->columns;
    int one = v == target;
    if (mistake == ONE_NO_OFFSET)
        one = column == target;
    else if (mistake == ONE_WRAPPED)
        one = column == target % c->columns;
    else if (mistake == NO_ONE)
        one = 0;
    if (mistake == NO_SCALE)
        return prob - one;
    return mistake == ONE_UNSCALED ? scale * prob - one : scale * (prob - one);
}

static enum vl_status backward(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum gradient_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    if (vl_tensor_refusal(inputs, &c) != VL_OK)
        return vl_scope_end(&s);
    double *whole = vl_tensor_whole(&s, &c, "probs");
    for (size_t i = 0; whole != NULL && i < c.n * c.vocabulary; i++)
        whole[i] = gradient(&c, whole[i], vl_scope_real(&s, "scale"), i % c.vocabulary,
                            (size_t)vl_bag_i32(inputs, "targets")[i / c.vocabulary], mistake);
    for (int rank = 0; !s.failed && rank < c.ranks; rank++)
        vl_tensor_answer_columns(&s, &c, "dlogits", rank, whole);
    return vl_scope_end(&s);
}

MISTAKE(backward, ONE_NO_OFFSET)
MISTAKE(backward, ONE_WRAPPED)
MISTAKE(backward, NO_ONE)
MISTAKE(backward, NO_SCALE)
MISTAKE(backward, ONE_UNSCALED)

const struct vl_suspect vl_suspects_tensor_cross_entropy_backward[] = {
    {"offset_forgotten", OFFSET, backward_ONE_NO_OFFSET},
    {"token_wrapped",
     N_("Every rank took one away somewhere; the target stands in the columns of one rank only."),
     backward_ONE_WRAPPED},
    {"target_forgotten", N_("Nothing was taken away at the target: probs minus one there."),
     backward_NO_ONE},
    {"scale_missing", N_("The factor 'scale' is missing."), backward_NO_SCALE},
    {"one_not_scaled",
     N_("The one at the target was taken away after scaling; it is scaled like the rest."),
     backward_ONE_UNSCALED},
    NO_MORE_SUSPECTS};
