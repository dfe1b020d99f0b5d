/*
 * What lab 08 must give, on every rank: router, plan, what travels, and experts. A whole layer is
 * in truths_layer.c, what is counted in truths_counts.c.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include <stdbool.h>

/* ---- who has what ---- */

struct vl_expert_case vl_expert_case_read(const struct vl_bag *inputs)
{
    struct vl_expert_case c = {.ranks = (int)vl_bag_int(inputs, "ranks"),
                               .experts = vl_bag_size(inputs, "experts"),
                               .chosen = vl_bag_size(inputs, "chosen"),
                               .width = vl_bag_size(inputs, "width"),
                               .own_tokens = vl_bag_i32(inputs, "own_tokens"),
                               .choices = vl_bag_i32(inputs, "choices")};
    c.own = c.experts / (size_t)c.ranks;
    for (int rank = 0; rank < c.ranks; rank++)
        c.first_token[rank + 1] = c.first_token[rank] + (size_t)c.own_tokens[rank];
    c.tokens = c.first_token[c.ranks];
    c.rows = c.tokens * c.chosen;
    for (size_t i = 0; c.choices != NULL && i < c.rows; i++)
        for (int rank = 1; rank <= c.ranks; rank++)
            c.first_row[rank] += (size_t)c.choices[i] < (size_t)rank * c.own;
    return c;
}

int vl_expert_rank_of(const struct vl_expert_case *c, size_t choice)
{
    int rank = 0;
    while (choice / c->chosen >= c->first_token[rank + 1])
        rank++;
    return rank;
}

/* A rank's choices are ordered as their rows are: by expert, then by token. */
void vl_expert_plan(int64_t *order, int64_t *counts, int64_t *arriving, int64_t *rows_of,
                    const struct vl_expert_case *c, int rank)
{
    size_t begin = c->first_token[rank] * c->chosen, end = c->first_token[rank + 1] * c->chosen;
    for (size_t i = begin; i < end; i++) {
        size_t place = 0;
        for (size_t other = begin; other < end; other++)
            place += c->choices[other] < c->choices[i] ||
                     (c->choices[other] == c->choices[i] && other < i);
        order[place] = (int64_t)(i - begin);
        counts[c->choices[i]]++;
    }
    for (size_t i = 0; i < c->rows; i++) {
        size_t e = (size_t)c->choices[i] - (size_t)rank * c->own;
        if (e < c->own) {
            arriving[(size_t)vl_expert_rank_of(c, i) * c->own + e]++;
            rows_of[e]++;
        }
    }
}

/* ---- answers ---- */

void vl_expert_answer(struct vl_scope *scope, const struct vl_expert_case *c, const char *name,
                      const double *whole, size_t cols, enum vl_expert_layout layout)
{
    const size_t *first = layout == VL_BY_ROW ? c->first_row : c->first_token;
    size_t each = layout == VL_BY_CHOICE ? c->chosen : 1;
    for (int rank = 0; !scope->failed && rank < c->ranks; rank++)
        vl_ranked_copy(scope, name, rank, whole + first[rank] * each * cols,
                       (first[rank + 1] - first[rank]) * each, cols);
}

/* ---- the router ---- */

struct vl_oracle_routing vl_expert_routing(const struct vl_bag *inputs)
{
    return (struct vl_oracle_routing){vl_bag_size(inputs, "tokens"), vl_bag_size(inputs, "experts"),
                                      vl_bag_size(inputs, "chosen"), vl_bag_real(inputs, "scale")};
}

static bool is_sound(const struct vl_bag *inputs, const struct vl_oracle_routing *r)
{
    const float *logits = vl_bag_f32(inputs, "logits");
    for (size_t i = 0; logits != NULL && i < r->tokens * r->experts; i++)
        if (logits[i] != logits[i])
            return false;
    return r->chosen >= 1 && r->chosen <= r->experts;
}

VL_SCOPED_TRUTH(router_forward)
{
    struct vl_oracle_routing r = vl_expert_routing(s->inputs);
    if (vl_scope_refused(s, !is_sound(s->inputs, &r), VL_EINVAL))
        return;
    double *affinity = vl_scope_out(s, "affinity", r.tokens, r.experts, 0),
           *weights = vl_scope_out(s, "weights", r.tokens, r.chosen, 0);
    int64_t *chosen = vl_scope_whole(s, "chosen", r.tokens, r.chosen);
    int32_t *narrow = vl_bag_add_i32(s->wide, "narrow", r.tokens, r.chosen);
    s->failed |= narrow == NULL;
    if (s->failed)
        return;
    vl_oracle_router(affinity, narrow, weights, vl_scope_in(s, "logits"), vl_scope_in(s, "bias"),
                     &r);
    for (size_t i = 0; i < r.tokens * r.chosen; i++)
        chosen[i] = narrow[i];
}

/* Are these groups, this k, or these logits refused? */
static bool groups_refused(struct vl_scope *s, const struct vl_oracle_routing *r)
{
    size_t groups = vl_scope_size(s, "groups"), limit = vl_scope_size(s, "limit");
    return vl_scope_bad(s) || vl_scope_refused(s, r->experts % groups != 0, VL_ESHAPE) ||
           vl_scope_refused(s, r->chosen > limit * (r->experts / groups), VL_EINVAL) ||
           vl_scope_refused(s, !is_sound(s->inputs, r), VL_EINVAL);
}

VL_SCOPED_TRUTH(router_limited)
{
    struct vl_oracle_routing r = vl_expert_routing(s->inputs);
    if (groups_refused(s, &r))
        return;
    double *affinity = vl_scope_out(s, "affinity", r.tokens, r.experts, 0),
           *weights = vl_scope_out(s, "weights", r.tokens, r.chosen, 0);
    int64_t *chosen = vl_scope_whole(s, "chosen", r.tokens, r.chosen);
    int32_t *narrow = vl_bag_add_i32(s->wide, "narrow", r.tokens, r.chosen);
    s->failed |= narrow == NULL;
    if (s->failed)
        return;
    vl_oracle_router_limited(affinity, narrow, weights, vl_scope_in(s, "logits"),
                             vl_scope_in(s, "bias"), &r, vl_scope_size(s, "groups"),
                             vl_scope_size(s, "limit"));
    for (size_t i = 0; i < r.tokens * r.chosen; i++)
        chosen[i] = narrow[i];
}

/* Node by node: how many choices of a token are there, and is there any? */
VL_SCOPED_TRUTH(router_node_rows)
{
    struct vl_oracle_routing r = vl_expert_routing(s->inputs);
    size_t groups = vl_scope_size(s, "groups"), home = vl_scope_size(s, "home");
    const int32_t *choices = vl_bag_i32(s->inputs, "choices");
    uint64_t each = 0, once = 0;
    if (vl_scope_bad(s) || vl_scope_refused(s, r.experts % groups != 0, VL_ESHAPE))
        return;
    for (size_t t = 0; t < r.tokens; t++)
        for (size_t node = 0; node < groups; node++) {
            uint64_t there = 0;
            for (size_t j = 0; j < r.chosen; j++)
                there += (size_t)choices[t * r.chosen + j] * groups / r.experts == node;
            each += node != home ? there : 0;
            once += node != home && there > 0;
        }
    vl_scope_give_int(s, "each", each);
    vl_scope_give_int(s, "once", once);
}

VL_SCOPED_TRUTH(router_backward)
{
    struct vl_oracle_routing r = vl_expert_routing(s->inputs);
    if (vl_scope_refused(s, !is_sound(s->inputs, &r), VL_EINVAL))
        return;
    double *dlogits = vl_scope_out(s, "dlogits", r.tokens, r.experts, 0);
    if (dlogits != NULL)
        vl_oracle_router_input(dlogits, vl_scope_in(s, "dweights"), vl_scope_in(s, "affinity"),
                               vl_bag_i32(s->inputs, "choices"), &r);
}

/* ---- the plan ---- */

VL_SCOPED_TRUTH(dispatch_plan)
{
    struct vl_expert_case c = vl_expert_case_read(s->wide);
    if (vl_scope_refused(s, c.experts % (size_t)c.ranks != 0, VL_ESHAPE))
        return;
    if (vl_scope_bad(s)) { /* before anything is sent */
        for (int rank = 0; rank < c.ranks; rank++)
            vl_ranked_int(s, "sent_bytes", rank, 0);
        return;
    }
    for (int rank = 0; !s->failed && rank < c.ranks; rank++) {
        if (rank + 1 == (int)vl_bag_int(s->inputs, "crowded")) {
            vl_ranked_int(s, "status", rank, VL_ENOMEM);
            vl_ranked_int(s, "rows", rank, c.first_row[rank + 1] - c.first_row[rank]);
            continue;
        }
        int64_t *order = vl_ranked_whole(s, "order", rank, (size_t)c.own_tokens[rank], c.chosen),
                *counts = vl_ranked_whole(s, "counts", rank, 1, c.experts),
                *arriving = vl_ranked_whole(s, "arriving", rank, (size_t)c.ranks, c.own),
                *rows_of = vl_ranked_whole(s, "rows_of", rank, 1, c.own);
        vl_ranked_int(s, "rows", rank, c.first_row[rank + 1] - c.first_row[rank]);
        if (!s->failed)
            vl_expert_plan(order, counts, arriving, rows_of, &c, rank);
    }
}

/* ---- there and back: choices and rows are the same things in two orders ---- */

struct trip {
    struct vl_expert_case c;
    size_t *row_of; /* of each choice */
    size_t numbers; /* of all choices, (N k,D) */
};

static struct trip trip_begin(struct vl_scope *s)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "rows are kept as I64");
    struct trip t = {.c = vl_expert_case_read(s->wide)};
    t.row_of = vl_bag_add(s->wide, "row_of", VL_I64, 1, &t.c.rows);
    s->failed |= t.row_of == NULL;
    if (!s->failed) {
        vl_oracle_rows(t.row_of, t.c.choices, t.c.rows, t.c.experts);
        t.numbers = t.c.rows * t.c.width;
    }
    return t;
}

/* Where number i of the choices is among the rows, and where its token is. */
static size_t in_rows(const struct trip *t, size_t i)
{
    return t->row_of[i / t->c.width] * t->c.width + i % t->c.width;
}

static size_t in_tokens(const struct trip *t, size_t i)
{
    return i / t->c.width / t->c.chosen * t->c.width + i % t->c.width;
}

VL_SCOPED_TRUTH(dispatch_forward)
{
    struct trip t = trip_begin(s);
    double *rows = vl_scope_work(s, "whole", t.numbers);
    for (size_t i = 0; !s->failed && i < t.numbers; i++)
        rows[in_rows(&t, i)] = vl_scope_in(s, "x")[in_tokens(&t, i)];
    vl_expert_answer(s, &t.c, "rows", rows, t.c.width, VL_BY_ROW);
}

VL_SCOPED_TRUTH(dispatch_backward)
{
    struct trip t = trip_begin(s);
    double *dx = vl_scope_in(s, "dx");
    for (size_t i = 0; !s->failed && i < t.numbers; i++)
        dx[in_tokens(&t, i)] += vl_scope_in(s, "drows")[in_rows(&t, i)];
    vl_expert_answer(s, &t.c, "dx", dx, t.c.width, VL_BY_TOKEN);
}

VL_SCOPED_TRUTH(combine_forward)
{
    struct trip t = trip_begin(s);
    double *y = vl_scope_in(s, "y"), *returned = vl_scope_work(s, "back", t.numbers);
    for (size_t i = 0; !s->failed && i < t.numbers; i++) {
        returned[i] = vl_scope_in(s, "out")[in_rows(&t, i)];
        y[in_tokens(&t, i)] += vl_scope_in(s, "weights")[i / t.c.width] * returned[i];
    }
    vl_expert_answer(s, &t.c, "y", y, t.c.width, VL_BY_TOKEN);
    vl_expert_answer(s, &t.c, "returned", returned, t.c.width, VL_BY_CHOICE);
}

VL_SCOPED_TRUTH(combine_backward)
{
    struct trip t = trip_begin(s);
    double *dout = vl_scope_work(s, "whole", t.numbers),
           *dweights = vl_scope_work(s, "slopes", t.c.rows);
    for (size_t i = 0; !s->failed && i < t.numbers; i++) {
        double dy = vl_scope_in(s, "dy")[in_tokens(&t, i)];
        dout[in_rows(&t, i)] = vl_scope_in(s, "weights")[i / t.c.width] * dy;
        dweights[i / t.c.width] += vl_scope_in(s, "returned")[i] * dy;
    }
    vl_expert_answer(s, &t.c, "dout", dout, t.c.width, VL_BY_ROW);
    vl_expert_answer(s, &t.c, "dweights", dweights, 1, VL_BY_CHOICE);
}

/* ---- experts alone ---- */

static struct vl_oracle_experts experts_of(const struct vl_scope *s)
{
    return (struct vl_oracle_experts){
        .count = vl_scope_size(s, "count"),
        .rows_of = (const size_t *)vl_bag_find(s->wide, "rows_of")->data,
        .width = vl_scope_size(s, "width"),
        .ff = vl_scope_size(s, "ff"),
        .gate_up = vl_scope_in(s, "gate_up"),
        .down = vl_scope_in(s, "down"),
    };
}

VL_SCOPED_TRUTH(experts_forward)
{
    struct vl_oracle_experts x = experts_of(s);
    size_t rows = vl_scope_size(s, "rows_of_all");
    double *out = vl_scope_out(s, "out", rows, x.width, 0),
           *opened = vl_scope_out(s, "opened", rows, 2 * x.ff, 0),
           *active = vl_scope_out(s, "active", rows, x.ff, 0);
    if (!s->failed)
        vl_oracle_experts(out, opened, active, vl_scope_in(s, "rows"), &x);
}

VL_SCOPED_TRUTH(experts_backward_input)
{
    struct vl_oracle_experts x = experts_of(s);
    size_t rows = vl_scope_size(s, "rows_of_all");
    double *drows = vl_scope_out(s, "drows", rows, x.width, 0),
           *dactive = vl_scope_work(s, "scratch", rows * x.ff),
           *dopened = vl_scope_out(s, "dopened", rows, 2 * x.ff, 0);
    if (!s->failed)
        vl_oracle_experts_input(drows, dopened, dactive, vl_scope_in(s, "dout"),
                                vl_scope_in(s, "opened"), &x);
}

VL_SCOPED_TRUTH(experts_backward_weight)
{
    struct vl_oracle_experts x = experts_of(s);
    double *dgate_up = vl_scope_out(s, "dgate_up", x.count * 2 * x.ff, x.width, 1),
           *ddown = vl_scope_out(s, "ddown", x.count * x.width, x.ff, 1);
    if (!s->failed)
        vl_oracle_experts_weight(dgate_up, ddown, vl_scope_in(s, "dout"), vl_scope_in(s, "dopened"),
                                 vl_scope_in(s, "active"), vl_scope_in(s, "rows"), &x);
}
