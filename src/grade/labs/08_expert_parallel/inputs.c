/*
 * Inputs of lab 08's cases on several ranks, of the experts, and of the figures on paper; those of the
 * router are in inputs_router.c. Ranks have different numbers of tokens; among three or more, one has
 * none. One expert is usually not chosen at all.
 */
#include "grade/labs/08_expert_parallel/inputs.h"
#include "grade/catalogue/part.h"

#include <string.h>

/* Arrays of one shape, (rows, cols). */
static void add_alike(struct vl_maker *m, const char *const *names, size_t rows, size_t cols)
{
    for (; *names != NULL; names++)
        vl_maker_normal(m, *names, rows, cols, 1);
}

/* ---- what travels ---- */

/* Ranks, experts, k, width, and the tokens of every rank. */
static struct vl_expert_case add_sizes(struct vl_maker *m, const struct vl_case *self)
{
    int variant = self->variant;
    size_t ranks = vl_maker_size(m, "ranks", (size_t)self->ranks);
    size_t own = ranks == 1 ? vl_maker_between(m, 4, 6) : vl_maker_between(m, 2, 3);
    if (variant & VL_EXPERT_MANY)
        own = 200 / ranks;
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

/* The last choice of each rank is an expert E, and in a second array an expert -1. */
static void misplace(struct vl_maker *m, int32_t *choices, const struct vl_expert_case *c)
{
    int32_t *below = vl_maker_whole(m, "below", c->tokens, c->chosen);
    if (below == NULL)
        return;
    memcpy(below, choices, c->rows * sizeof *below);
    for (int rank = 1; rank <= c->ranks; rank++) {
        size_t last = c->first_token[rank] * c->chosen - 1;
        choices[last] = (int32_t)c->experts;
        below[last] = -1;
    }
}

static struct vl_expert_case add_choices(struct vl_maker *m, const struct vl_case *self)
{
    struct vl_expert_case c = vl_expert_case_read(m->bag);
    int variant = self->variant;
    /* Of 200 experts every 29th is chosen, so that several tokens choose the same one. */
    size_t apart = variant & VL_EXPERT_MANY ? 29 : 1, met = (c.experts + apart - 1) / apart;
    int32_t idle = variant & VL_EXPERT_EVERY ? 0 : (int32_t)vl_maker_between(m, 1, met);
    int32_t sole = (int32_t)vl_maker_between(m, 0, met - 1);
    int32_t *choices = vl_expert_add_chosen(m, c.tokens, c.chosen, met, idle - 1,
                                            variant & VL_EXPERT_SOLE ? sole : -1);
    for (size_t i = 0; choices != NULL && i < c.tokens * c.chosen; i++)
        choices[i] *= (int32_t)apart;
    c = vl_expert_case_read(m->bag);
    if (choices != NULL && variant & VL_EXPERT_BAD) {
        misplace(m, choices, &c);
        c = vl_expert_case_read(m->bag);
    }
    return c;
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
    float *weights = vl_maker_normal(m, "weights", c.tokens, c.chosen, 1);
    for (int rank = 0; weights != NULL && rank < c.ranks; rank++) /* the last one of each rank */
        if (c.own_tokens[rank] > 0)
            weights[c.first_token[rank + 1] * c.chosen - 1] = 0;
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
    vl_expert_add_logits(m, c.tokens, c.experts, bias, 0);
    add_experts(m, c.experts, c.width, ff);
    add_alike(m, (const char *[]){"x", "y", "dy", "dx", NULL}, c.tokens, c.width);
}

/* ---- on paper ---- */

/* On two ranks the bytes of so many tokens are more than 32 bits can count. */
#define LONG_APART 4000000

VL_SCOPED_MAKE(expert_cost)
{
    enum { FIGURES = 3 }; /* numbers of tokens that one case asks about */
    size_t ranks = self->variant & VL_EXPERT_EVERY   ? 2
                   : self->variant & VL_EXPERT_FIRST ? 1
                                                     : vl_maker_prime(m, 0);
    vl_maker_size(m, "ranks", ranks);
    int32_t *tokens = vl_maker_below(m, "tokens_of", 1, FIGURES, 100);
    size_t apart = self->variant & VL_EXPERT_EVERY ? LONG_APART : 1000;
    for (size_t i = 0; tokens && i < FIGURES; i++)
        tokens[i] += (int32_t)(i * apart); /* the first ones may be zero */
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
    static const char *const by_token[] = {"choices", "below", "weights", "logits",
                                           "x",       "y",     "dx",      "dy"};
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
