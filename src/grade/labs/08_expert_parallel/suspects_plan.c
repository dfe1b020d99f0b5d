/*
 * Known wrong answers of lab 08: the plan.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

enum misplan {
    TOKENS_FOR_CHOICES,
    UNSORTED,
    UNSTABLE,
    INVERSE,
    TRANSPOSED,
    NOT_EXCHANGED,
    OWN_FOR_ALL,
    OWN_ROWS_ALONE,
    CHOICES_FOR_ROWS
};

/* ---- order ---- */

/* Which choice a rank puts at a place, out of the right order. */
static int64_t misplaced(const int64_t *order, const int64_t *counts, size_t place,
                         const struct vl_expert_case *c, size_t n, enum misplan mistake)
{
    size_t begin = 0, e = 0;
    if (mistake == TOKENS_FOR_CHOICES)
        return order[place] / (int64_t)c->chosen;
    if (mistake == UNSORTED)
        return (int64_t)place;
    for (size_t other = 0; mistake == INVERSE && other < n; other++)
        if (order[other] == (int64_t)place)
            return (int64_t)other;
    /* The expert's choices, the last one first. */
    while (place >= begin + (size_t)counts[e])
        begin += (size_t)counts[e++];
    return order[2 * begin + (size_t)counts[e] - 1 - place];
}

static enum vl_status order(struct vl_bag *wrong, const struct vl_bag *inputs, enum misplan mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_expert_case c = vl_expert_case_read(inputs);
    if (vl_expert_refusal(inputs, &c) != VL_OK)
        return vl_scope_end(&s);
    for (int rank = 0; !s.failed && rank < c.ranks; rank++) {
        char name[VL_RANKED_NAME];
        size_t n = (size_t)c.own_tokens[rank] * c.chosen,
               every[] = {n, c.experts, c.experts, c.own};
        int64_t *right[4];
        for (size_t i = 0; i < 4; i++) { /* working memory under names that are nobody's */
            static const char *const names[] = {"order", "counts", "arriving", "rows_of"};
            right[i] = vl_bag_add(s.wide, vl_ranked(name, names[i], rank), VL_I64, 1, &every[i]);
            s.failed |= right[i] == NULL;
        }
        int64_t *own = vl_ranked_whole(&s, "order", rank, (size_t)c.own_tokens[rank], c.chosen);
        s.failed |= s.failed || !vl_expert_plan(right[0], right[1], right[2], right[3], &c, rank);
        for (size_t place = 0; !s.failed && place < n; place++)
            own[place] = misplaced(right[0], right[1], place, &c, n, mistake);
    }
    return vl_scope_end(&s);
}

MISTAKE(order, TOKENS_FOR_CHOICES)
MISTAKE(order, UNSORTED)
MISTAKE(order, UNSTABLE)
MISTAKE(order, INVERSE)

/* ---- counts ---- */

/* Choices of a rank for an expert. */
static int64_t count_of(const struct vl_expert_case *c, int rank, size_t expert)
{
    int64_t count = 0;
    for (size_t i = 0; i < c->rows; i++)
        count += (size_t)c->choices[i] == expert && vl_expert_rank_of(c, i) == rank;
    return count;
}

static int64_t arriving_of(const struct vl_expert_case *c, int rank, size_t at,
                           enum misplan mistake)
{
    size_t from = at / c->own, e = at % c->own, first = (size_t)rank * c->own;
    if (mistake == TRANSPOSED) {
        from = at % (size_t)c->ranks;
        e = at / (size_t)c->ranks;
    }
    if (mistake == NOT_EXCHANGED)
        return count_of(c, rank, at);
    return count_of(c, mistake == OWN_FOR_ALL ? rank : (int)from, first + e);
}

static enum vl_status counted(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum misplan mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_expert_case c = vl_expert_case_read(inputs);
    if (vl_expert_refusal(inputs, &c) != VL_OK)
        return vl_scope_end(&s);
    for (int rank = 0; !s.failed && rank < c.ranks; rank++) {
        int64_t *counts = vl_ranked_whole(&s, "counts", rank, 1, c.experts),
                *arriving = vl_ranked_whole(&s, "arriving", rank, (size_t)c.ranks, c.own);
        for (size_t e = 0; !s.failed && e < c.experts; e++) {
            counts[e] = count_of(&c, rank, e);
            arriving[e] = arriving_of(&c, rank, e, mistake);
        }
    }
    return vl_scope_end(&s);
}

MISTAKE(counted, TRANSPOSED)
MISTAKE(counted, NOT_EXCHANGED)
MISTAKE(counted, OWN_FOR_ALL)

/* Begins where counts are asked for; what is exchanged may be right all the same. */
static enum vl_status begins(struct vl_bag *wrong, const struct vl_bag *inputs,
                             const struct vl_bag *expected)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_expert_case c = vl_expert_case_read(inputs);
    (void)expected;
    for (int rank = 0; vl_expert_refusal(inputs, &c) == VL_OK && rank < c.ranks; rank++) {
        int64_t *counts = vl_ranked_whole(&s, "counts", rank, 1, c.experts), before = 0;
        for (size_t e = 0; counts != NULL && e < c.experts; e++) {
            counts[e] = before;
            before += count_of(&c, rank, e);
        }
    }
    return vl_scope_end(&s);
}

static enum vl_status totals(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum misplan mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_expert_case c = vl_expert_case_read(inputs);
    for (int rank = 0; vl_expert_refusal(inputs, &c) == VL_OK && rank < c.ranks; rank++) {
        size_t rows = (size_t)c.own_tokens[rank] * c.chosen, sum = 0;
        int64_t *rows_of =
            mistake == OWN_ROWS_ALONE ? vl_ranked_whole(&s, "rows_of", rank, 1, c.own) : NULL;
        for (size_t e = 0; rows_of != NULL && e < c.own; e++)
            sum += (size_t)(rows_of[e] = count_of(&c, rank, (size_t)rank * c.own + e));
        vl_ranked_int(&s, "rows", rank, mistake == OWN_ROWS_ALONE ? sum : rows);
    }
    return vl_scope_end(&s);
}

MISTAKE(totals, OWN_ROWS_ALONE)
MISTAKE(totals, CHOICES_FOR_ROWS)

const struct vl_suspect vl_suspects_dispatch_plan[] = {
    {"tokens_for_choices",
     N_("'order' holds tokens; it holds choices, and choice j of token i is i k + j."),
     order_TOKENS_FOR_CHOICES},
    {"not_sorted", N_("'order' has the choices as they come; sort them by their experts."),
     order_UNSORTED},
    {"not_stable",
     N_("Choices of one expert stand the last token first; they keep the order of their tokens."),
     order_UNSTABLE},
    {"order_inverted",
     N_("'order' says at which place each choice stands; it must say which choice stands at each "
        "place."),
     order_INVERSE},
    {"begins_for_counts",
     N_("'counts' holds where each expert's choices begin, not how many they are."), begins},
    {"arriving_transposed",
     N_("'arriving' stands by expert and then by rank; it is (P, E/P): by rank, then by expert."),
     counted_TRANSPOSED},
    {"counts_not_exchanged",
     N_("'arriving' is what this rank sends, not what it gets: the ranks have to tell each other."),
     counted_NOT_EXCHANGED},
    {"own_counts_for_all",
     N_("'arriving' has this rank's own counts for every rank; each has its own."),
     counted_OWN_FOR_ALL},
    {"own_rows_only",
     N_("Rows were counted from this rank's own tokens only; they come from all ranks."),
     totals_OWN_ROWS_ALONE},
    {"choices_for_rows",
     N_("'rows' is the number of choices that leave; it must be that of the rows that come."),
     totals_CHOICES_FOR_ROWS},
    NO_MORE_SUSPECTS};
