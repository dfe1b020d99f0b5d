/*
 * Inputs of lab 08's cases. Ranks have different numbers of tokens, one of several has none, and
 * an expert is nobody's choice. Scores keep so far from one another that float32 and float64 choose
 * alike, except where they are equal to the last bit.
 */
#include "base/random.h"
#include "grade/catalogue/maker.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include <math.h>

#define GAP 1e-4 /* between scores, of the largest that can be */

/* Arrays of one shape, (rows, cols). */
static void add_alike(struct vl_maker *m, const char *const *names, size_t rows, size_t cols)
{
    for (; *names != NULL; names++)
        vl_maker_normal(m, *names, rows, cols, 1);
}

/* ---- the router ---- */

static size_t routed_tokens(struct vl_maker *m, int variant)
{
    if (variant & VL_EXPERT_NONE)
        return 0;
    return variant & VL_EXPERT_WIDE ? vl_maker_wide(m) : vl_maker_between(m, 3, 9);
}

static size_t routed_chosen(struct vl_maker *m, int variant, size_t experts)
{
    if (variant & VL_EXPERT_BAD)
        return vl_maker_between(m, 0, 1) ? 0 : experts + 1;
    if (variant & VL_EXPERT_EVERY)
        return experts;
    return variant & VL_EXPERT_FIRST ? 1 : vl_maker_between(m, 2, 4);
}

static struct vl_oracle_routing add_routing(struct vl_maker *m, int variant)
{
    size_t tokens = vl_maker_size(m, "tokens", routed_tokens(m, variant));
    size_t experts = vl_maker_size(
        m, "experts", variant & VL_EXPERT_WIDE ? vl_maker_wide(m) : 2 + vl_maker_prime(m, 3));
    size_t chosen = vl_maker_size(m, "chosen", routed_chosen(m, variant, experts));
    double scale = variant & VL_EXPERT_SCALED ? 2.5 : 1;
    vl_maker_real(m, "scale", scale);
    return (struct vl_oracle_routing){tokens, experts, chosen, scale};
}

/* Are two scores of a token so close that rounding might change places? */
static int too_close(const float *logits, const float *bias, size_t experts)
{
    for (size_t a = 0; a < experts; a++)
        for (size_t b = 0; b < a; b++) {
            double of_a = 1 / (1 + exp(-(double)logits[a])),
                   of_b = 1 / (1 + exp(-(double)logits[b])), largest = fmax(of_a, of_b);
            if (bias != NULL) {
                of_a += (double)bias[a];
                of_b += (double)bias[b];
                largest = 1;
            }
            if (fabs(of_a - of_b) < GAP * largest)
                return 1;
        }
    return 0;
}

static void draw(struct vl_maker *m, float *logits, size_t experts, int variant)
{
    int far = (variant & VL_EXPERT_FAR) != 0;
    vl_random_fill_normal(logits, experts, far ? 3 : 1.5f, m->seed, m->stream++, 0);
    for (size_t e = 0; far && e < experts; e++)
        logits[e] -= 70;
}

static float *add_logits(struct vl_maker *m, size_t tokens, size_t experts, const float *bias,
                         int variant)
{
    float *logits = vl_maker_normal(m, "logits", tokens, experts, 1);
    int ties = (variant & VL_EXPERT_TIES) != 0;
    for (size_t t = 0; logits && t < tokens; t++) {
        float *own = logits + t * experts;
        int zero = variant & VL_EXPERT_ZERO && t % 2 == 1;
        for (size_t e = 0; (ties || zero) && e < experts; e++)
            own[e] = zero ? -1000 : 0.75f * (float)vl_maker_between(m, 0, 2) - 0.5f;
        if (ties || zero)
            continue;
        do
            draw(m, own, experts, variant);
        while (too_close(own, bias, experts));
    }
    return logits;
}

VL_SCOPED_MAKE(router)
{
    struct vl_oracle_routing r = add_routing(m, self->variant);
    const float *bias = NULL;
    if (self->variant & VL_EXPERT_BIAS)
        bias = vl_maker_normal(m, "bias", 1, r.experts, 0.3f);
    float *logits = add_logits(m, r.tokens, r.experts, bias, self->variant);
    if (logits && self->variant & VL_EXPERT_NAN)
        logits[r.tokens / 2 * r.experts + r.experts / 2] = NAN;
}

/* k experts that differ, in any order; 'idle' is never one, 'sole' always. */
static void choose(struct vl_maker *m, int32_t *choices, size_t k, size_t experts, int64_t idle,
                   int64_t sole)
{
    for (size_t j = 0; j < k;) {
        int32_t e = (int32_t)vl_maker_between(m, 0, experts - 1);
        int taken = e == idle;
        if (j == 0 && sole >= 0)
            e = (int32_t)sole;
        for (size_t i = 0; i < j; i++)
            taken |= choices[i] == e;
        if (!taken || (j == 0 && sole >= 0))
            choices[j++] = e;
    }
}

VL_SCOPED_MAKE(router_back)
{
    struct vl_oracle_routing r = add_routing(m, self->variant);
    size_t k = self->variant & VL_EXPERT_BAD ? 2 : r.chosen;
    float *affinity = vl_maker_normal(m, "affinity", r.tokens, r.experts, 1.5f);
    for (size_t i = 0; affinity && i < r.tokens * r.experts; i++)
        affinity[i] = 1 / (1 + expf(-affinity[i]));
    int32_t *choices = vl_maker_below(m, "choices", r.tokens, k, r.experts);
    for (size_t t = 0; choices && t < r.tokens; t++)
        choose(m, choices + t * k, k, r.experts, -1, -1);
    vl_maker_normal(m, "dweights", r.tokens, k, 1);
}

/* ---- what travels ---- */

static size_t tokens_of(struct vl_maker *m, const struct vl_case *self, int rank, int idle_rank)
{
    if (rank == idle_rank && !(self->variant & VL_EXPERT_BAD))
        return 0;
    return self->variant & VL_EXPERT_WIDE ? vl_maker_between(m, 17, 29) : vl_maker_between(m, 3, 7);
}

/* Ranks, experts, k, width, and the tokens of every rank. Returns the number of all tokens. */
static size_t add_sizes(struct vl_maker *m, const struct vl_case *self)
{
    size_t ranks = vl_maker_size(m, "ranks", (size_t)self->ranks), all = 0;
    size_t own = self->ranks == 1 ? vl_maker_between(m, 4, 6) : vl_maker_between(m, 2, 3);
    size_t experts = ranks * own + (self->variant & VL_EXPERT_RAGGED ? 1 : 0);
    vl_maker_flag(m, "reversed", self->variant, VL_EXPERT_REVERSED);
    vl_maker_flag(m, "bad", self->variant, VL_EXPERT_BAD);
    vl_maker_size(m, "experts", experts);
    size_t chosen = vl_maker_between(m, 2, 3);
    vl_maker_size(m, "chosen",
                  self->variant & VL_EXPERT_EVERY   ? experts
                  : self->variant & VL_EXPERT_FIRST ? 1
                                                    : chosen);
    vl_maker_size(m, "width",
                  self->variant & VL_EXPERT_WIDE ? vl_maker_wide(m) : vl_maker_prime(m, 3));
    int idle = self->ranks > 2 ? (int)vl_maker_between(m, 0, ranks - 1) : -1;
    int32_t *tokens = vl_maker_below(m, "own_tokens", 1, ranks, 1);
    for (int rank = 0; tokens && rank < self->ranks; rank++) {
        tokens[rank] = (int32_t)tokens_of(m, self, rank, idle);
        all += (size_t)tokens[rank];
    }
    return all;
}

static void spoil_choices(struct vl_maker *m, int32_t *choices)
{
    struct vl_expert_case c = vl_expert_case_read(m->bag);
    for (int rank = 0; rank < c.ranks; rank++) {
        size_t last = vl_expert_first_token(&c, rank + 1) * c.chosen - 1;
        choices[last] = vl_maker_between(m, 0, 1) ? -1 : (int32_t)c.experts;
    }
}

static struct vl_expert_case add_choices(struct vl_maker *m, const struct vl_case *self)
{
    size_t tokens = add_sizes(m, self), k = vl_bag_size(m->bag, "chosen"),
           experts = vl_bag_size(m->bag, "experts");
    int64_t idle = self->variant & VL_EXPERT_EVERY ? -1 : (int64_t)vl_maker_between(m, 1, experts);
    int64_t sole = (int64_t)vl_maker_between(m, 0, experts - 1);
    int32_t *choices = vl_maker_below(m, "choices", tokens, k, experts);
    idle -= idle > 0;
    for (size_t t = 0; choices && t < tokens; t++)
        choose(m, choices + t * k, k, experts, idle, self->variant & VL_EXPERT_SOLE ? sole : -1);
    if (choices && self->variant & VL_EXPERT_BAD)
        spoil_choices(m, choices);
    return vl_expert_case_read(m->bag);
}

/* Memory for a few rows more than there are; in a crowded case one rank has too little. */
static void add_room(struct vl_maker *m, const struct vl_expert_case *c, int variant)
{
    int32_t *room = vl_maker_below(m, "room", 1, (size_t)c->ranks, 4);
    int crowded = 0;
    size_t most = 0;
    for (int rank = 0; room && rank < c->ranks; rank++) {
        size_t rows = vl_expert_first_row(c, rank + 1) - vl_expert_first_row(c, rank);
        room[rank] =
            (int32_t)(variant & (VL_EXPERT_BAD | VL_EXPERT_RAGGED) ? c->rows
                                                                   : rows + (size_t)room[rank]);
        if (rows > most) {
            most = rows;
            crowded = rank;
        }
    }
    if (room && variant & VL_EXPERT_CROWDED)
        room[crowded] = (int32_t)most - 1;
    vl_maker_size(m, "crowded", (variant & VL_EXPERT_CROWDED) != 0 ? 1 + (size_t)crowded : 0);
}

VL_SCOPED_MAKE(expert_choices)
{
    struct vl_expert_case c = add_choices(m, self);
    if (!m->failed)
        add_room(m, &c, self->variant);
}

static void add_plan(struct vl_maker *m, const struct vl_expert_case *c)
{
    size_t ranks = (size_t)c->ranks, every[] = {ranks, c->experts};
    int64_t *order = vl_bag_add(m->bag, "order", VL_I64, 1, &c->rows),
            *counts = vl_bag_add(m->bag, "counts", VL_I64, 2, every),
            *arriving = vl_bag_add(m->bag, "arriving", VL_I64, 2, every),
            *rows_of = vl_bag_add(m->bag, "rows_of", VL_I64, 1, &c->experts);
    int32_t *own_rows = vl_bag_add_i32(m->bag, "own_rows", 1, ranks);
    m->failed |= !order || !counts || !arriving || !rows_of || !own_rows;
    for (int rank = 0; !m->failed && rank < c->ranks; rank++) {
        size_t r = (size_t)rank;
        m->failed |= !vl_expert_plan(order + vl_expert_first_token(c, rank) * c->chosen,
                                     counts + r * c->experts, arriving + r * c->experts,
                                     rows_of + r * c->own, c, rank);
        own_rows[rank] = (int32_t)(vl_expert_first_row(c, rank + 1) - vl_expert_first_row(c, rank));
    }
}

VL_SCOPED_MAKE(expert_travel)
{
    struct vl_expert_case c = add_choices(m, self);
    if (!m->failed) {
        add_room(m, &c, self->variant);
        add_plan(m, &c);
    }
    vl_maker_normal(m, "weights", c.tokens, c.chosen, 1);
    add_alike(m, (const char *[]){"x", "dx", "y", "dy", NULL}, c.tokens, c.width);
    add_alike(m, (const char *[]){"out", "drows", "returned", NULL}, c.rows, c.width);
}

/* ---- the experts ---- */

/* Weights of 'count' experts, and what their gradients hold before the call. */
static void add_experts(struct vl_maker *m, size_t count, size_t d, size_t ff)
{
    vl_maker_normal(m, "gate_up", count * 2 * ff, d, 0.5f);
    vl_maker_normal(m, "down", count * d, ff, 0.5f);
    vl_maker_normal(m, "dgate_up", count * 2 * ff, d, 1);
    vl_maker_normal(m, "ddown", count * d, ff, 1);
}

/* Two experts may have nothing, the first or the second and one later; without rows, all. */
VL_SCOPED_MAKE(expert_rows)
{
    size_t count = self->variant & VL_EXPERT_FIRST ? 1 : vl_maker_between(m, 5, 6), rows = 0;
    vl_maker_size(m, "count", count);
    size_t d = vl_maker_size(m, "width", vl_maker_prime(m, 3));
    size_t ff = vl_maker_size(m, "ff", vl_maker_prime(m, d));
    size_t first = vl_maker_between(m, 0, 1), later = vl_maker_between(m, 2, 4);
    int64_t *rows_of = vl_bag_add(m->bag, "rows_of", VL_I64, 1, &count);
    m->failed |= !rows_of;
    for (size_t e = 0; rows_of && e < count; e++) {
        int idle = self->variant & VL_EXPERT_IDLE && (e == first || e == later);
        size_t own = vl_maker_between(m, 1, 6);
        rows_of[e] = idle || self->variant & VL_EXPERT_NONE ? 0 : (int64_t)own;
        rows += (size_t)rows_of[e];
    }
    vl_maker_size(m, "rows_of_all", rows);
    add_experts(m, count, d, ff);
    add_alike(m, (const char *[]){"rows", "dout", NULL}, rows, d);
    add_alike(m, (const char *[]){"opened", "dopened", NULL}, rows, 2 * ff);
    vl_maker_normal(m, "active", rows, ff, 1);
}

/* ---- a layer ---- */

VL_SCOPED_MAKE(expert_layer)
{
    size_t tokens = add_sizes(m, self), d = vl_bag_size(m->bag, "width"),
           experts = vl_bag_size(m->bag, "experts");
    size_t ff = vl_maker_size(m, "ff", vl_maker_prime(m, d));
    size_t idle = vl_maker_between(m, 0, experts - 1);
    size_t sole = (idle + vl_maker_between(m, 1, experts - 1)) % experts;
    vl_maker_size(m, "tokens", tokens);
    vl_maker_real(m, "scale", 1.5);
    float *bias = vl_maker_normal(m, "bias", 1, experts, 0.1f);
    if (bias) {
        bias[idle] = -5;
        if (self->variant & VL_EXPERT_SOLE)
            bias[sole] = 5;
    }
    add_logits(m, tokens, experts, bias, 0);
    add_experts(m, experts, d, ff);
    add_alike(m, (const char *[]){"x", "y", "dy", "dx", NULL}, tokens, d);
}

/* ---- on paper ---- */

VL_SCOPED_MAKE(expert_cost)
{
    enum { FIGURES = 3 }; /* numbers of tokens that one case asks about */
    size_t ranks = vl_maker_size(m, "ranks", vl_maker_prime(m, 0));
    int32_t *tokens = vl_maker_below(m, "tokens_of", 1, FIGURES, 100);
    for (size_t i = 0; tokens && i < FIGURES; i++)
        tokens[i] += (int32_t)(i * 1000); /* the first ones may be zero */
    vl_maker_size(m, "experts", ranks * vl_maker_between(m, 2, 9));
    vl_maker_size(m, "chosen", vl_maker_between(m, 2, 5));
    vl_maker_size(m, "width", vl_maker_between(m, 33, 299));
    vl_maker_flag(m, "bad", self->variant, VL_EXPERT_BAD);
}

/* The sealed case, as the lab's text gives it; the runner does not need it. */
VL_SCOPED_MAKE(expert_prediction)
{
    int32_t *tokens = vl_maker_below(m, "tokens_of", 1, 1, 1);
    if (tokens)
        tokens[0] = 512;
    vl_maker_sizes(m, {"ranks", 2}, {"experts", 8}, {"shared", 1}, {"chosen", 2}, {"width", 128},
                   {"ff", 352});
}
