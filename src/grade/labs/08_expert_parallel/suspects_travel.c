/*
 * Known wrong answers of lab 08: the four journeys. All ranks are looked at as one: 'slot' is the
 * row where a choice ends up, 'place' where it stands in what its rank sends.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include <string.h>

enum wrong_way {
    NOT_REGROUPED,
    BY_PLACE,
    MODULO,
    WITHOUT_BEFORE,
    LAST_ALONE,
    FIRST_ALONE,
    MEAN,
    UNWEIGHTED,
    WEIGHTED_TWICE,
    WEIGHT_OF_PLACE,
    KEPT_BY_PLACE,
    KEPT_WEIGHTED,
    FROM_DY_ALONE,
    SLOPE_BY_PLACE,
    SLOPE_WEIGHTED
};

struct road {
    struct vl_scope s;
    struct vl_expert_case c;
    size_t *row_of, *slot, *place; /* (N k) */
    size_t w;
};

static size_t *numbers(struct vl_scope *s, const char *name, size_t n)
{
    void *array = vl_bag_add(s->wide, name, VL_I64, 1, &n);
    s->failed |= array == NULL;
    return array;
}

/* Rows as they land: by rank, then by expert. */
static size_t landed(const struct road *r, size_t choice)
{
    const struct vl_expert_case *c = &r->c;
    int to = (int)((size_t)c->choices[choice] / c->own), from = vl_expert_rank_of(c, choice);
    size_t slot = vl_expert_first_row(c, to);
    for (size_t other = 0; other < c->rows; other++) {
        int its = vl_expert_rank_of(c, other);
        if ((int)((size_t)c->choices[other] / c->own) == to)
            slot += its < from || (its == from && r->row_of[other] < r->row_of[choice]);
    }
    return slot;
}

static struct road open_road(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum wrong_way mistake)
{
    struct road r = {.s = vl_scope_begin(wrong, inputs), .c = vl_expert_case_read(inputs)};
    const struct vl_expert_case *c = &r.c;
    r.w = c->width;
    r.row_of = vl_expert_rows(&r.s, c);
    r.slot = numbers(&r.s, "slot", c->rows);
    r.place = numbers(&r.s, "place", c->rows);
    for (size_t i = 0; !r.s.failed && i < c->rows; i++) {
        int rank = vl_expert_rank_of(c, i);
        size_t begin = vl_expert_first_token(c, rank) * c->chosen,
               end = vl_expert_first_token(c, rank + 1) * c->chosen;
        r.slot[i] = mistake == NOT_REGROUPED ? landed(&r, i) : r.row_of[i];
        r.place[i] = begin;
        for (size_t other = begin; other < end; other++)
            r.place[i] += r.row_of[other] < r.row_of[i];
    }
    return r;
}

/* The token that a choice is taken for. */
static size_t token_of(const struct road *r, size_t choice, enum wrong_way mistake)
{
    const struct vl_expert_case *c = &r->c;
    int rank = vl_expert_rank_of(c, choice);
    size_t first = vl_expert_first_token(c, rank);
    if (mistake == BY_PLACE)
        return r->place[choice] / c->chosen;
    if (mistake == MODULO)
        return first + (choice - first * c->chosen) % (size_t)c->own_tokens[rank];
    return choice / c->chosen;
}

/* Is this choice lost, because another of its token is the only one that counts? */
static int is_lost(const struct road *r, size_t choice, enum wrong_way mistake)
{
    size_t k = r->c.chosen, first = choice / k * k;
    if (mistake == FIRST_ALONE)
        return choice != first;
    for (size_t other = first; mistake == LAST_ALONE && other < first + k; other++)
        if (r->place[other] > r->place[choice])
            return 1;
    return 0;
}

/* ---- dispatch ---- */

static enum vl_status there(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum wrong_way mistake)
{
    struct road r = open_road(wrong, inputs, mistake);
    double *rows = vl_scope_work(&r.s, "whole", r.c.rows * r.w);
    for (size_t i = 0; !r.s.failed && i < r.c.rows; i++)
        memcpy(rows + r.slot[i] * r.w, vl_scope_in(&r.s, "x") + token_of(&r, i, mistake) * r.w,
               r.w * sizeof *rows);
    if (!r.s.failed)
        vl_expert_answer(&r.s, &r.c, "rows", rows, r.w, VL_BY_ROW);
    return vl_scope_end(&r.s);
}

static enum vl_status back(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum wrong_way mistake)
{
    struct road r = open_road(wrong, inputs, mistake);
    double *dx = vl_scope_in(&r.s, "dx");
    if (mistake == WITHOUT_BEFORE || mistake == LAST_ALONE)
        memset(dx, 0, r.c.tokens * r.w * sizeof *dx);
    for (size_t i = 0; !r.s.failed && i < r.c.rows * r.w; i++) {
        double one = vl_scope_in(&r.s, "drows")[r.slot[i / r.w] * r.w + i % r.w];
        if (!is_lost(&r, i / r.w, mistake))
            dx[token_of(&r, i / r.w, mistake) * r.w + i % r.w] +=
                mistake == MEAN ? one / (double)r.c.chosen : one;
    }
    if (!r.s.failed)
        vl_expert_answer(&r.s, &r.c, "dx", dx, r.w, VL_BY_TOKEN);
    return vl_scope_end(&r.s);
}

MISTAKE(there, NOT_REGROUPED)
MISTAKE(there, BY_PLACE)
MISTAKE(there, MODULO)
MISTAKE(back, NOT_REGROUPED)
MISTAKE(back, BY_PLACE)
MISTAKE(back, MODULO)
MISTAKE(back, WITHOUT_BEFORE)
MISTAKE(back, LAST_ALONE)
MISTAKE(back, FIRST_ALONE)
MISTAKE(back, MEAN)

#define LEFT_BY_RANK                                                                               \
    N_("Rows were left as they landed, by rank and then by expert. An expert's rows must lie "     \
       "together: by expert, then by rank.")
#define SENT_BY_RANK                                                                               \
    N_("Rows went back as they lay, by expert and then by rank. What goes to one rank must lie "   \
       "together: by rank, then by expert.")
#define AS_THEY_CAME                                                                               \
    N_("What came back was taken in the order in which it came, sorted by expert; order[place] "   \
       "says which choice it belongs to.")
#define MODULO_TOKENS                                                                              \
    N_("The token of a choice was taken as its remainder by N; choice j of token i is i k + j, "   \
       "so "                                                                                       \
       "its token is the choice divided by k.")
#define ADDED_TO N_("What stood there before is gone: the result is added to it.")
#define ONE_CHOICE                                                                                 \
    N_("Only one of a token's choices counts; the others were overwritten. All of them are added " \
       "up.")

const struct vl_suspect vl_suspects_dispatch_forward[] = {
    {"not_regrouped", LEFT_BY_RANK, there_NOT_REGROUPED},
    {"not_sorted",
     N_("Tokens were sent in their own order, not sorted by expert: order[place] says which choice "
        "stands at each place."),
     there_BY_PLACE},
    {"token_by_remainder", MODULO_TOKENS, there_MODULO},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_dispatch_backward[] = {
    {"not_regrouped", SENT_BY_RANK, back_NOT_REGROUPED},
    {"returned_in_wrong_order", AS_THEY_CAME, back_BY_PLACE},
    {"token_by_remainder", MODULO_TOKENS, back_MODULO},
    {"overwritten", ADDED_TO, back_WITHOUT_BEFORE},
    {"one_choice_only", ONE_CHOICE, back_LAST_ALONE},
    {"one_choice_only", ONE_CHOICE, back_FIRST_ALONE},
    {"mean_of_choices",
     N_("The gradients of a token's choices were averaged; they are added up. What each counts is "
        "in them already."),
     back_MEAN},
    NO_MORE_SUSPECTS};

/* ---- combine ---- */

static double weight_of(const struct road *r, size_t choice, enum wrong_way mistake)
{
    const double *weights = vl_scope_in(&r->s, "weights");
    int moved = mistake == WEIGHT_OF_PLACE || mistake == BY_PLACE;
    double one = weights[moved ? r->place[choice] : choice];
    return mistake == UNWEIGHTED ? 1 : mistake == WEIGHTED_TWICE ? one * one : one;
}

/* What is kept for backward, and where. */
static void keep(const struct road *r, double *returned, size_t choice, enum wrong_way mistake)
{
    const double *out = vl_scope_in(&r->s, "out") + r->slot[choice] * r->w;
    int moved = mistake == BY_PLACE || mistake == KEPT_BY_PLACE;
    double *own = returned + (moved ? r->place[choice] : choice) * r->w;
    for (size_t i = 0; i < r->w; i++)
        own[i] = out[i] * (mistake == KEPT_WEIGHTED ? weight_of(r, choice, mistake) : 1);
}

static enum vl_status combined(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum wrong_way mistake)
{
    struct road r = open_road(wrong, inputs, mistake);
    double *y = vl_scope_in(&r.s, "y"), *returned = vl_scope_work(&r.s, "back", r.c.rows * r.w);
    if (mistake == WITHOUT_BEFORE || mistake == LAST_ALONE)
        memset(y, 0, r.c.tokens * r.w * sizeof *y);
    for (size_t i = 0; !r.s.failed && i < r.c.rows * r.w; i++) {
        size_t choice = i / r.w;
        double one = vl_scope_in(&r.s, "out")[r.slot[choice] * r.w + i % r.w];
        if (!is_lost(&r, choice, mistake))
            y[token_of(&r, choice, mistake) * r.w + i % r.w] +=
                weight_of(&r, choice, mistake) * one;
    }
    for (size_t i = 0; !r.s.failed && i < r.c.rows; i++)
        keep(&r, returned, i, mistake);
    if (!r.s.failed) {
        vl_expert_answer(&r.s, &r.c, "y", y, r.w, VL_BY_TOKEN);
        vl_expert_answer(&r.s, &r.c, "returned", returned, r.w, VL_BY_CHOICE);
    }
    return vl_scope_end(&r.s);
}

static enum vl_status apart(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum wrong_way mistake)
{
    struct road r = open_road(wrong, inputs, mistake);
    double *dout = vl_scope_work(&r.s, "whole", r.c.rows * r.w),
           *dweights = vl_scope_work(&r.s, "slopes", r.c.rows);
    for (size_t i = 0; !r.s.failed && i < r.c.rows * r.w; i++) {
        size_t choice = i / r.w, to = mistake == SLOPE_BY_PLACE ? r.place[choice] : choice;
        const double *dy = vl_scope_in(&r.s, "dy");
        double kept = vl_scope_in(&r.s, "returned")[i], weight = weight_of(&r, choice, mistake);
        dout[r.slot[choice] * r.w + i % r.w] =
            weight * dy[token_of(&r, choice, mistake) * r.w + i % r.w];
        dweights[to] += (mistake == FROM_DY_ALONE ? 1 : kept) *
                        dy[choice / r.c.chosen * r.w + i % r.w] *
                        (mistake == SLOPE_WEIGHTED ? weight : 1);
    }
    if (!r.s.failed) {
        vl_expert_answer(&r.s, &r.c, "dout", dout, r.w, VL_BY_ROW);
        vl_expert_answer(&r.s, &r.c, "dweights", dweights, 1, VL_BY_CHOICE);
    }
    return vl_scope_end(&r.s);
}

MISTAKE(combined, NOT_REGROUPED)
MISTAKE(combined, BY_PLACE)
MISTAKE(combined, WITHOUT_BEFORE)
MISTAKE(combined, LAST_ALONE)
MISTAKE(combined, FIRST_ALONE)
MISTAKE(combined, UNWEIGHTED)
MISTAKE(combined, WEIGHTED_TWICE)
MISTAKE(combined, WEIGHT_OF_PLACE)
MISTAKE(combined, KEPT_BY_PLACE)
MISTAKE(combined, KEPT_WEIGHTED)
MISTAKE(apart, NOT_REGROUPED)
MISTAKE(apart, BY_PLACE)
MISTAKE(apart, MODULO)
MISTAKE(apart, UNWEIGHTED)
MISTAKE(apart, WEIGHTED_TWICE)
MISTAKE(apart, WEIGHT_OF_PLACE)
MISTAKE(apart, FROM_DY_ALONE)
MISTAKE(apart, SLOPE_BY_PLACE)
MISTAKE(apart, SLOPE_WEIGHTED)

#define NO_WEIGHT                                                                                  \
    N_("The weights are missing: each choice counts by its weight, forward and backward.")
#define TWO_WEIGHTS N_("The weights were applied twice.")
#define OTHERS_WEIGHT                                                                              \
    N_("Weights were taken in the order of what is sent; they stand choice by choice, so the one " \
       "at a place is weights[order[place]].")

const struct vl_suspect vl_suspects_combine_forward[] = {
    {"not_regrouped", SENT_BY_RANK, combined_NOT_REGROUPED},
    {"returned_in_wrong_order", AS_THEY_CAME, combined_BY_PLACE},
    {"overwritten", ADDED_TO, combined_WITHOUT_BEFORE},
    {"one_choice_only", ONE_CHOICE, combined_LAST_ALONE},
    {"one_choice_only", ONE_CHOICE, combined_FIRST_ALONE},
    {"weights_missing", NO_WEIGHT, combined_UNWEIGHTED},
    {"weights_twice", TWO_WEIGHTS, combined_WEIGHTED_TWICE},
    {"weight_of_another", OTHERS_WEIGHT, combined_WEIGHT_OF_PLACE},
    {"kept_in_wrong_order",
     N_("'returned' holds what came back in the order in which it came; it is kept choice by "
        "choice, at order[place]."),
     combined_KEPT_BY_PLACE},
    {"kept_weighted",
     N_("'returned' holds what came back times its weight; backward needs it as it came."),
     combined_KEPT_WEIGHTED},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_combine_backward[] = {
    {"not_regrouped", LEFT_BY_RANK, apart_NOT_REGROUPED},
    {"not_sorted",
     N_("Gradients were sent in the order of the tokens, not sorted by expert: order[place] says "
        "which choice stands at each place."),
     apart_BY_PLACE},
    {"token_by_remainder", MODULO_TOKENS, apart_MODULO},
    {"weights_missing", NO_WEIGHT, apart_UNWEIGHTED},
    {"weights_twice", TWO_WEIGHTS, apart_WEIGHTED_TWICE},
    {"weight_of_another", OTHERS_WEIGHT, apart_WEIGHT_OF_PLACE},
    {"output_missing_in_dweights",
     N_("The gradient of a weight is dy alone, added up; it is the product of dy and what the "
        "expert returned."),
     apart_FROM_DY_ALONE},
    {"dweights_in_wrong_order",
     N_("Gradients of weights stand in the order of what is sent; they belong choice by choice, as "
        "the weights do."),
     apart_SLOPE_BY_PLACE},
    {"weight_in_its_own_gradient",
     N_("The gradient of a weight has the weight itself in it: that of w out is out."),
     apart_SLOPE_WEIGHTED},
    NO_MORE_SUSPECTS};
