/*
 * Inputs of lab 08's cases. Ranks have different numbers of tokens; among three or more, one has
 * none. One expert is usually not chosen at all. Scores are far enough apart that float32 and
 * float64 make the same choices, except where scores are equal to the last bit.
 */
#include "base/random.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include <math.h>

#define GAP 1e-4 /* least between two scores: relative to the larger one, absolute with a bias */

/* Arrays of one shape, (rows, cols). */
static void add_alike(struct vl_maker *m, const char *const *names, size_t rows, size_t cols)
{
    for (; *names != NULL; names++)
        vl_maker_normal(m, *names, rows, cols, 1);
}

/* ---- the router ---- */

static struct vl_oracle_routing add_routing(struct vl_maker *m, int variant)
{
    struct vl_oracle_routing r = {.scale = variant & VL_EXPERT_SCALED ? 2.5 : 1};
    if (!(variant & VL_EXPERT_NONE))
        r.tokens = variant & VL_EXPERT_WIDE ? vl_maker_wide(m) : vl_maker_between(m, 3, 9);
    r.experts = variant & VL_EXPERT_WIDE ? vl_maker_wide(m) : 2 + vl_maker_prime(m, 3);
    if (variant & VL_EXPERT_BAD)
        r.chosen = vl_maker_between(m, 0, 1) ? 0 : r.experts + 1;
    else if (variant & (VL_EXPERT_EVERY | VL_EXPERT_FIRST))
        r.chosen = variant & VL_EXPERT_EVERY ? r.experts : 1;
    else
        r.chosen = vl_maker_between(m, 2, 4);
    vl_maker_sizes(m, {"tokens", r.tokens}, {"experts", r.experts}, {"chosen", r.chosen});
    vl_maker_real(m, "scale", r.scale);
    return r;
}

static double score(const float *logits, const float *bias, size_t e)
{
    return 1 / (1 + exp(-(double)logits[e])) + (bias != NULL ? (double)bias[e] : 0);
}

/* Are two scores of a token so close that rounding might swap them? */
static int too_close(const float *logits, const float *bias, size_t experts)
{
    for (size_t a = 0; a < experts; a++)
        for (size_t b = 0; b < a; b++) {
            double one = score(logits, bias, a), other = score(logits, bias, b);
            if (fabs(one - other) < GAP * (bias != NULL ? 1 : fmax(one, other)))
                return 1;
        }
    return 0;
}

static void draw_apart(struct vl_maker *m, float *logits, size_t experts, const float *bias,
                       int is_far)
{
    do {
        vl_random_fill_normal(logits, experts, is_far ? 3 : 1.5f, m->numbers, m->stream++, 0);
        for (size_t e = 0; is_far && e < experts; e++)
            logits[e] -= 70;
    } while (too_close(logits, bias, experts));
}

static float *add_logits(struct vl_maker *m, size_t tokens, size_t experts, const float *bias,
                         int variant)
{
    float *logits = vl_maker_normal(m, "logits", tokens, experts, 1);
    for (size_t t = 0; logits != NULL && t < tokens; t++) {
        float *own = logits + t * experts;
        int is_zero = variant & VL_EXPERT_ZERO && t % 2 == 1;
        if (!is_zero && !(variant & VL_EXPERT_TIES))
            draw_apart(m, own, experts, bias, variant & VL_EXPERT_FAR);
        else
            for (size_t e = 0; e < experts; e++)
                own[e] = is_zero ? -1000 : 0.75f * (float)vl_maker_between(m, 0, 2) - 0.5f;
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

/* Groups of experts, and how many of them a token may use: fewer than all, unless they are OPEN. */
static struct vl_oracle_routing add_groups(struct vl_maker *m, int variant)
{
    struct vl_oracle_routing r = {.scale = variant & VL_EXPERT_SCALED ? 2.5 : 1};
    size_t groups = variant & VL_EXPERT_WIDE ? 8 : vl_maker_between(m, 3, 5),
           each = variant & VL_EXPERT_FIRST ? 1 : vl_maker_between(m, 3, 5),
           drawn = variant & VL_EXPERT_OPEN ? groups : vl_maker_between(m, 2, groups - 1),
           limit = variant & VL_EXPERT_ONE_GROUP ? 1 : drawn;
    r.tokens = variant & VL_EXPERT_NONE ? 0 : vl_maker_between(m, 17, 31);
    r.experts = groups * each + (variant & VL_EXPERT_RAGGED ? 1 : 0);
    r.chosen = variant & VL_EXPERT_BAD ? limit * each + 1 : limit * each < 4 ? limit * each : 4;
    vl_maker_sizes(m, {"tokens", r.tokens}, {"experts", r.experts}, {"chosen", r.chosen},
                   {"groups", groups}, {"limit", limit});
    vl_maker_real(m, "scale", r.scale);
    return r;
}

/* Are two groups of a token so close that rounding might swap them? */
static int groups_too_close(const float *logits, const float *bias, size_t groups, size_t each)
{
    double value[8]; /* add_groups makes no more */
    for (size_t g = 0; g < groups; g++) {
        double best = -INFINITY, next = -INFINITY;
        for (size_t e = g * each; e < (g + 1) * each; e++) {
            double own = score(logits, bias, e);
            next = fmax(next, fmin(best, own));
            best = fmax(best, own);
        }
        value[g] = each > 1 ? best + next : best;
        for (size_t other = 0; other < g; other++)
            if (fabs(value[g] - value[other]) < GAP)
                return 1;
    }
    return 0;
}

VL_SCOPED_MAKE(router_limited)
{
    struct vl_oracle_routing r = add_groups(m, self->variant);
    size_t groups = vl_bag_size(m->bag, "groups"), each = r.experts / groups;
    int ties = self->variant & VL_EXPERT_TIES;
    float *bias =
        self->variant & VL_EXPERT_BIAS ? vl_maker_normal(m, "bias", 1, r.experts, 0.3f) : NULL;
    /* Where there are many groups, no score is above 0: what is left out must not win with 0. */
    for (size_t e = 0; bias != NULL && self->variant & VL_EXPERT_WIDE && e < r.experts; e++)
        bias[e] -= 2;
    float *logits = add_logits(m, r.tokens, r.experts, bias, self->variant);
    for (size_t t = 0; logits != NULL && !ties && t < r.tokens; t++)
        while (groups_too_close(logits + t * r.experts, bias, groups, each))
            draw_apart(m, logits + t * r.experts, r.experts, bias, 0);
}

/* For every token k different experts, in any order. 'sole' is always the first; 'idle' is never
 * one of them, unless it is 'sole'. Either may be -1: none. */
static int32_t *add_chosen(struct vl_maker *m, size_t tokens, size_t k, size_t experts,
                           int32_t idle, int32_t sole)
{
    int32_t *choices = vl_maker_below(m, "choices", tokens, k, experts);
    for (size_t i = 0; choices != NULL && i < tokens * k;) {
        size_t first = i / k * k; /* of this token */
        int32_t e = (int32_t)vl_maker_between(m, 0, experts - 1);
        if (i == first && sole >= 0)
            e = sole;
        int taken = e == idle && e != sole;
        for (size_t other = first; other < i; other++)
            taken |= choices[other] == e;
        if (!taken)
            choices[i++] = e;
    }
    return choices;
}

VL_SCOPED_MAKE(node_rows)
{
    struct vl_oracle_routing r = add_groups(m, self->variant);
    vl_maker_size(m, "home", vl_maker_between(m, 0, vl_bag_size(m->bag, "groups") - 1));
    vl_maker_ends_sizes(m);
    add_chosen(m, r.tokens, r.chosen, r.experts, -1, -1);
}

VL_SCOPED_MAKE(router_back)
{
    struct vl_oracle_routing r = add_routing(m, self->variant);
    size_t k = self->variant & VL_EXPERT_BAD ? 2 : r.chosen;
    float *affinity = vl_maker_normal(m, "affinity", r.tokens, r.experts, 1.5f);
    for (size_t i = 0; affinity && i < r.tokens * r.experts; i++)
        affinity[i] = 1 / (1 + expf(-affinity[i]));
    add_chosen(m, r.tokens, k, r.experts, -1, -1);
    vl_maker_normal(m, "dweights", r.tokens, k, 1);
}

/* ---- what travels ---- */

/* Ranks, experts, k, width, and the tokens of every rank. */
static struct vl_expert_case add_sizes(struct vl_maker *m, const struct vl_case *self)
{
    int variant = self->variant;
    size_t ranks = vl_maker_size(m, "ranks", (size_t)self->ranks);
    size_t own = ranks == 1 ? vl_maker_between(m, 4, 6) : vl_maker_between(m, 2, 3);
    size_t experts = ranks * own + (variant & VL_EXPERT_RAGGED ? 1 : 0);
    size_t chosen = vl_maker_between(m, 2, 3);
    if (variant & (VL_EXPERT_EVERY | VL_EXPERT_FIRST))
        chosen = variant & VL_EXPERT_EVERY ? experts : 1;
    size_t width = variant & VL_EXPERT_WIDE ? vl_maker_wide(m) : vl_maker_prime(m, 3);
    vl_maker_sizes(m, {"experts", experts}, {"chosen", chosen}, {"width", width});
    vl_maker_flag(m, "reversed", variant, VL_EXPERT_REVERSED);
    vl_maker_flag(m, "bad", variant, VL_EXPERT_BAD);
    size_t idle = ranks > 2 ? vl_maker_between(m, 0, ranks - 1) : ranks;
    int32_t *tokens = vl_maker_below(m, "own_tokens", 1, ranks, 1),
            *first = vl_maker_whole(m, "first_token", 1, ranks);
    for (size_t rank = 0; tokens != NULL && first != NULL && rank < ranks; rank++) {
        if (rank != idle || variant & VL_EXPERT_BAD)
            tokens[rank] = (int32_t)(variant & VL_EXPERT_WIDE ? vl_maker_between(m, 17, 29)
                                                              : vl_maker_between(m, 3, 7));
        if (rank + 1 < ranks)
            first[rank + 1] = first[rank] + tokens[rank];
    }
    return vl_expert_case_read(m->bag);
}

static struct vl_expert_case add_choices(struct vl_maker *m, const struct vl_case *self)
{
    struct vl_expert_case c = vl_expert_case_read(m->bag);
    int variant = self->variant;
    int32_t idle = variant & VL_EXPERT_EVERY ? 0 : (int32_t)vl_maker_between(m, 1, c.experts);
    int32_t sole = (int32_t)vl_maker_between(m, 0, c.experts - 1);
    int32_t *choices = add_chosen(m, c.tokens, c.chosen, c.experts, idle - 1,
                                  variant & VL_EXPERT_SOLE ? sole : -1);
    if (choices != NULL && variant & VL_EXPERT_BAD) /* the last choice of each rank */
        for (int rank = 1; rank <= c.ranks; rank++)
            choices[c.first_token[rank] * c.chosen - 1] =
                vl_maker_between(m, 0, 1) ? -1 : (int32_t)c.experts;
    return vl_expert_case_read(m->bag);
}

/* Memory for up to 3 rows more than arrive; in a crowded case one rank has too little. */
static void add_room(struct vl_maker *m, const struct vl_expert_case *c, int variant)
{
    int32_t *room = vl_maker_below(m, "room", 1, (size_t)c->ranks, 4);
    size_t most = 0;
    int fullest = 0, crowded = (variant & VL_EXPERT_CROWDED) != 0;
    for (int rank = 0; room != NULL && rank < c->ranks; rank++) {
        size_t rows = c->first_row[rank + 1] - c->first_row[rank];
        if (variant & (VL_EXPERT_BAD | VL_EXPERT_RAGGED))
            room[rank] = (int32_t)c->rows;
        else
            room[rank] += (int32_t)rows;
        fullest = rows > most ? rank : fullest;
        most = rows > most ? rows : most;
    }
    if (room != NULL && crowded)
        room[fullest] = variant & VL_EXPERT_NO_ROOM ? 0 : (int32_t)most - 1;
    vl_maker_size(m, "crowded", crowded ? 1 + (size_t)fullest : 0);
}

VL_SCOPED_MAKE(expert_choices)
{
    add_sizes(m, self);
    vl_maker_ends_sizes(m);
    struct vl_expert_case c = add_choices(m, self);
    if (!m->failed)
        add_room(m, &c, self->variant);
}

static void add_plan(struct vl_maker *m, const struct vl_expert_case *c)
{
    size_t ranks = (size_t)c->ranks;
    int64_t *order = vl_maker_long(m, "order", 1, c->rows),
            *counts = vl_maker_long(m, "counts", ranks, c->experts),
            *arriving = vl_maker_long(m, "arriving", ranks, c->experts),
            *rows_of = vl_maker_long(m, "rows_of", 1, c->experts);
    int32_t *own_rows = vl_maker_whole(m, "own_rows", 1, ranks),
            *first_row = vl_maker_whole(m, "first_row", 1, ranks);
    for (int rank = 0; !m->failed && rank < c->ranks; rank++) {
        size_t r = (size_t)rank;
        vl_expert_plan(order + c->first_token[rank] * c->chosen, counts + r * c->experts,
                       arriving + r * c->experts, rows_of + r * c->own, c, rank);
        first_row[rank] = (int32_t)c->first_row[rank];
        own_rows[rank] = (int32_t)(c->first_row[rank + 1] - c->first_row[rank]);
    }
}

/* Here the choices say how many rows travel, so they are sizes. */
VL_SCOPED_MAKE(expert_travel)
{
    add_sizes(m, self);
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

/* Idle: two experts have no rows, one of the first two and a later one. None: no expert has any. */
VL_SCOPED_MAKE(expert_rows)
{
    size_t count = self->variant & VL_EXPERT_FIRST ? 1 : vl_maker_between(m, 5, 6), rows = 0;
    vl_maker_size(m, "count", count);
    size_t d = vl_maker_size(m, "width", vl_maker_prime(m, 3));
    size_t ff = vl_maker_size(m, "ff", vl_maker_prime(m, d));
    size_t first = vl_maker_between(m, 0, 1), later = vl_maker_between(m, 2, 4);
    int64_t *rows_of = vl_maker_long(m, "rows_of", 1, count);
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
    struct vl_expert_case c = add_sizes(m, self);
    size_t ff = vl_maker_size(m, "ff", vl_maker_prime(m, c.width));
    size_t idle = vl_maker_between(m, 0, c.experts - 1);
    size_t sole = (idle + vl_maker_between(m, 1, c.experts - 1)) % c.experts;
    vl_maker_size(m, "tokens", c.tokens);
    vl_maker_real(m, "scale", 1.5);
    float *bias = vl_maker_normal(m, "bias", 1, c.experts, 0.1f);
    if (bias) {
        bias[idle] = -5;
        if (self->variant & VL_EXPERT_SOLE)
            bias[sole] = 5;
    }
    add_logits(m, c.tokens, c.experts, bias, 0);
    add_experts(m, c.experts, c.width, ff);
    add_alike(m, (const char *[]){"x", "y", "dy", "dx", NULL}, c.tokens, c.width);
}

/* ---- on paper ---- */

VL_SCOPED_MAKE(expert_cost)
{
    enum { FIGURES = 3 }; /* numbers of tokens that one case asks about */
    size_t ranks =
        vl_maker_size(m, "ranks", self->variant & VL_EXPERT_EVERY ? 2 : vl_maker_prime(m, 0));
    int32_t *tokens = vl_maker_below(m, "tokens_of", 1, FIGURES, 100);
    for (size_t i = 0; tokens && i < FIGURES; i++)
        tokens[i] += (int32_t)(i * 1000); /* the first ones may be zero */
    vl_maker_size(m, "experts", ranks * vl_maker_between(m, 2, 9));
    /* Odd, so that forgetting k is not mistaken for forgetting an exchange, or the 4 bytes. */
    vl_maker_size(m, "chosen", 3 + 2 * vl_maker_between(m, 0, 1));
    vl_maker_size(m, "width", vl_maker_between(m, 33, 299));
    vl_maker_flag(m, "bad", self->variant, VL_EXPERT_BAD);
}

/* ---- who has what ---- */

/* Of an array with 'rows' rows for each of a rank's tokens (or of its rows), rank after rank. */
static void give_run(const struct vl_part *p, const char *name, const size_t *first, size_t rows)
{
    vl_part_withhold(p, name);
    vl_part_give_rows(p, name, first[p->rank] * rows, (first[p->rank + 1] - first[p->rank]) * rows);
}

VL_PART(expert_parallel)
{
    static const char *const shares[] = {"own_tokens", "first_token", "room",     "own_rows",
                                         "first_row",  "counts",      "arriving", "rows_of",
                                         "gate_up",    "down",        "dgate_up", "ddown"};
    static const char *const by_token[] = {"choices", "weights", "logits", "x", "y", "dx", "dy"};
    static const char *const by_row[] = {"out", "drows"};
    const struct vl_expert_case c = vl_expert_case_read(p->inputs);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        vl_part_share(p, shares[i]);
    for (size_t i = 0; i < sizeof by_token / sizeof *by_token; i++)
        give_run(p, by_token[i], c.first_token, 1);
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++)
        give_run(p, by_row[i], c.first_row, 1);
    give_run(p, "returned", c.first_token, c.chosen);
    vl_part_withhold(p, "order");
    vl_part_give(p, "order", c.first_token[p->rank] * c.chosen,
                 (c.first_token[p->rank + 1] - c.first_token[p->rank]) * c.chosen);
    vl_part_withhold(p, "crowded");
}
