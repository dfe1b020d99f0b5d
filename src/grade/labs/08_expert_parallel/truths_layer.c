/*
 * A whole layer with experts, forward and backward, on one device that has all tokens and all
 * experts; and which part of it each rank has.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

/* The layer while it is worked out: choice by choice, so that nothing travels. */
struct layer {
    struct vl_scope *s;
    struct vl_oracle_routing routing;
    size_t d, ff;
    double *weights, *dweights, *work;
    int32_t *chosen;
};

/* One choice: its expert on its token, there and back, weighted. */
static void choose(const struct layer *l, size_t choice)
{
    static const size_t one = 1;
    struct vl_scope *s = l->s;
    size_t d = l->d, ff = l->ff, t = choice / l->routing.chosen, e = (size_t)l->chosen[choice];
    const double *gate_up = vl_scope_in(s, "gate_up") + e * 2 * ff * d,
                 *down = vl_scope_in(s, "down") + e * d * ff;
    const struct vl_oracle_experts x = {1, &one, d, ff, gate_up, down};
    double *out = l->work, *dout = out + d, *drow = dout + d, *opened = drow + d,
           *dopened = opened + 2 * ff, *active = dopened + 2 * ff, *dactive = active + ff;
    const double *row = vl_scope_in(s, "x") + t * d, *dy = vl_scope_in(s, "dy") + t * d;
    vl_oracle_experts(out, opened, active, row, &x);
    for (size_t i = 0; i < d; i++) {
        vl_scope_in(s, "y")[t * d + i] += l->weights[choice] * out[i];
        l->dweights[choice] += out[i] * dy[i];
        dout[i] = l->weights[choice] * dy[i];
    }
    vl_oracle_experts_input(drow, dopened, dactive, dout, opened, &x);
    vl_oracle_experts_weight(vl_scope_in(s, "dgate_up") + e * 2 * ff * d,
                             vl_scope_in(s, "ddown") + e * d * ff, dout, dopened, active, row, &x);
    for (size_t i = 0; i < d; i++)
        vl_scope_in(s, "dx")[t * d + i] += drow[i];
}

/* Each rank's part of an array of all experts; each expert has (rows, cols) of it. */
static void answer_experts(struct vl_scope *s, const struct vl_expert_case *c, const char *name,
                           size_t rows, size_t cols)
{
    const double *whole = vl_scope_in(s, name);
    for (int rank = 0; rank < c->ranks; rank++)
        vl_ranked_copy(s, name, rank, whole + (size_t)rank * c->own * rows * cols, c->own * rows,
                       cols);
}

VL_SCOPED_TRUTH(expert_layer)
{
    struct vl_expert_case c = vl_expert_case_read(s->wide);
    size_t d = c.width, ff = vl_scope_size(s, "ff");
    double *affinity = vl_scope_work(s, "affinity", c.tokens * c.experts),
           *dlogits = vl_scope_work(s, "dlogits", c.tokens * c.experts);
    struct layer l = {.s = s,
                      .routing = vl_expert_routing(s->wide),
                      .d = d,
                      .ff = ff,
                      .weights = vl_scope_work(s, "weights", c.rows),
                      .dweights = vl_scope_work(s, "dweights", c.rows),
                      .work = vl_scope_work(s, "work", 3 * d + 6 * ff),
                      .chosen = vl_bag_add_i32(s->wide, "choices", c.tokens, c.chosen)};
    s->failed |= l.chosen == NULL;
    if (s->failed)
        return;
    vl_oracle_router(affinity, l.chosen, l.weights, vl_scope_in(s, "logits"),
                     vl_scope_in(s, "bias"), &l.routing);
    for (size_t choice = 0; choice < c.rows; choice++)
        choose(&l, choice);
    vl_oracle_router_input(dlogits, l.dweights, affinity, l.chosen, &l.routing);
    vl_expert_answer(s, &c, "y", vl_scope_in(s, "y"), d, VL_BY_TOKEN);
    vl_expert_answer(s, &c, "dx", vl_scope_in(s, "dx"), d, VL_BY_TOKEN);
    vl_expert_answer(s, &c, "dlogits", dlogits, c.experts, VL_BY_TOKEN);
    answer_experts(s, &c, "dgate_up", 2 * ff, d);
    answer_experts(s, &c, "ddown", d, ff);
}
