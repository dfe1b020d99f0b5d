/*
 * Known wrong answers of lab 06: operators and the gradient of a gain.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"

#include <math.h>

/* Sum of element k of row i over the ranks 'first', first + 1, ..., last, going round. */
static double round_sum(const struct vl_tensor_case *c, const double *blocks, int first, int last,
                        size_t i, size_t k)
{
    double sum = 0;
    for (int from = first;; from = (from + 1) % c->ranks) {
        sum += vl_tensor_at(c, blocks, from, i, k);
        if (from == last)
            return sum;
    }
}

static double all_sum(const struct vl_tensor_case *c, const double *blocks, size_t i, size_t k)
{
    return round_sum(c, blocks, 0, c->ranks - 1, i, k);
}

/* What a ring reduce-scatter leaves on a rank: its own chunk is summed last, so in chunk r of rank
 * r everything is; other chunks have been added to on their way. */
static double after_scatter(const struct vl_tensor_case *c, const double *blocks, int rank,
                            size_t i, size_t k)
{
    size_t at = i * c->d + k, chunk = 0, ranks = (size_t)c->ranks, n = c->n * c->d;
    for (size_t end = n / ranks + (n % ranks > 0); at >= end && chunk + 1 < ranks; chunk++)
        end += n / ranks + (chunk + 1 < n % ranks);
    return round_sum(c, blocks, (int)((chunk + 1) % ranks), rank, i, k);
}

/* ---- enter and leave ---- */

enum row_mistake { NOTHING_DONE, SUMMED, MEAN, TWICE, SCATTERED, NEXT_CHUNK };

static double mistaken(const struct vl_tensor_case *c, const double *x, int rank, size_t i,
                       size_t k, enum row_mistake mistake)
{
    switch (mistake) {
    case NOTHING_DONE:
        return vl_tensor_at(c, x, rank, i, k);
    case SUMMED:
        return all_sum(c, x, i, k);
    case MEAN:
        return all_sum(c, x, i, k) / c->ranks;
    case TWICE:
        return all_sum(c, x, i, k) * c->ranks;
    case SCATTERED:
        return after_scatter(c, x, rank, i, k);
    case NEXT_CHUNK:
        return vl_tensor_at(c, x, (vl_tensor_owner(c, i) + 1) % c->ranks, i, k);
    }
    return (double)NAN;
}

static enum vl_status rows(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum row_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    if (vl_tensor_refusal(inputs, &c) != VL_OK)
        return vl_scope_end(&s);
    if (mistake == NEXT_CHUNK && !c.sequence) /* there are no chunks */
        return vl_scope_end(&s);
    for (int rank = 0; !s.failed && rank < c.ranks; rank++) {
        double *x = vl_ranked_out(&s, "x", rank, c.n, c.d);
        for (size_t i = 0; x != NULL && i < c.n * c.d; i++)
            x[i] = mistaken(&c, vl_scope_in(&s, "x"), rank, i / c.d, i % c.d, mistake);
    }
    return vl_scope_end(&s);
}

MISTAKE(rows, NOTHING_DONE)
MISTAKE(rows, SUMMED)
MISTAKE(rows, MEAN)
MISTAKE(rows, TWICE)
MISTAKE(rows, SCATTERED)
MISTAKE(rows, NEXT_CHUNK)

/* Nothing is added up in this direction. */
const struct vl_suspect vl_suspects_tensor_gather[] = {
    {"not_gathered",
     N_("Each rank has its own rows only. Inside a layer all tokens are needed: gather the rows of "
        "the others."),
     rows_NOTHING_DONE},
    {"summed_too",
     N_("Here the ranks' arrays were added up. In this direction nothing is summed: the sum "
        "belongs to the other one, and what is passed on here is the same for all ranks."),
     rows_SUMMED},
    {"enter_leave_exchanged",
     N_("This is what the opposite operator does (a reduce-scatter): enter and leave, or forward "
        "and backward, have changed places."),
     rows_SCATTERED},
    {"chunk_of_neighbour",
     N_("The rows come from the wrong rank: chunk r of the tokens is right on rank r only."),
     rows_NEXT_CHUNK},
    NO_MORE_SUSPECTS};

/* Under sequence parallelism only the own chunk is looked at, so that somebody who gathered
 * instead has the same as somebody who did nothing. */
const struct vl_suspect vl_suspects_tensor_sum[] = {
    {"not_summed",
     N_("Each rank still has its own part of the sum. What the ranks have computed must be added "
        "up here."),
     rows_NOTHING_DONE},
    {"divided_by_ranks",
     N_("The sum was divided by the number of ranks. These are parts of one sum, not copies: "
        "nothing is averaged."),
     rows_MEAN},
    {"summed_twice",
     N_("The sum is too large by the number of ranks: it was summed once more after it was whole."),
     rows_TWICE},
    {"half_an_all_reduce",
     N_("Each rank has the sum in its own chunk only. Without sequence parallelism every rank "
        "needs "
        "it whole: both halves of the all-reduce."),
     rows_SCATTERED},
    NO_MORE_SUSPECTS};

/* ---- the gradient of a gain ---- */

static enum vl_status gain(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum row_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    c.n = 1; /* a row a rank */
    for (int rank = 0; !s.failed && rank < c.ranks; rank++) {
        double *dgain = vl_ranked_out(&s, "dgain", rank, 1, c.d);
        for (size_t k = 0; dgain != NULL && k < c.d; k++)
            dgain[k] = mistaken(&c, vl_scope_in(&s, "dgain"), rank, 0, k, mistake);
    }
    return vl_scope_end(&s);
}

MISTAKE(gain, NOTHING_DONE)
MISTAKE(gain, SUMMED) /* the truth, under sequence parallelism */
MISTAKE(gain, MEAN)
MISTAKE(gain, TWICE)
MISTAKE(gain, SCATTERED)

const struct vl_suspect vl_suspects_tensor_gain[] = {
    {"gain_not_summed",
     N_("Under sequence parallelism each rank has seen its own tokens only: the gradient of a gain "
        "must be summed over the ranks."),
     gain_NOTHING_DONE},
    {"gain_summed_without_need",
     N_("Without sequence parallelism every rank has seen all tokens; summing counts them once a "
        "rank."),
     gain_SUMMED},
    {"divided_by_ranks",
     N_("The gradient was divided by the number of ranks. Parts of a sum are added, not averaged."),
     gain_MEAN},
    {"summed_twice",
     N_("The sum is too large by the number of ranks: it was summed once more after it was whole."),
     gain_TWICE},
    {"half_an_all_reduce",
     N_("Each rank has the sum in its own chunk only; every rank keeps the whole gain, so it needs "
        "the whole sum."),
     gain_SCATTERED},
    NO_MORE_SUSPECTS};
