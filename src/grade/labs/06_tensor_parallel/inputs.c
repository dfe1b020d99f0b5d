/*
 * Inputs of lab 06's cases: sizes that the ranks divide where they must, and that are awkward
 * otherwise. Rows that mean nothing are filled with random numbers, as all others are.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"
#include "grade/shared/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t ranks_of(const struct vl_case *self)
{
    size_t asked = (size_t)VL_ASKED_OF(self->variant), ranks = (size_t)self->ranks;
    if (self->variant & VL_GROUPS)
        return ranks / 2;
    return asked > 0 ? asked : ranks;
}

/* The flag of sequence parallelism: what is not zero says yes. */
static size_t sequence_of(const struct vl_case *self)
{
    size_t yes = self->variant & VL_NONZERO ? 2 : 1;
    return self->variant & VL_SEQUENCE ? yes : 0;
}

/* Where the ranks do not divide N, they divide N D: a chunk of elements would not be whole rows. */
static size_t draw_width(struct vl_maker *m, int variant, size_t n, size_t ranks)
{
    size_t width = variant & VL_WIDE ? vl_maker_wide(m) : vl_maker_prime(m, n);
    if ((variant & VL_RAGGED) && (variant & VL_SEQUENCE))
        width *= ranks;
    return variant & VL_BROAD ? 1024 + width : width;
}

static size_t token_count(struct vl_maker *m, int variant, size_t ranks)
{
    int wide = (variant & VL_WIDE) != 0;
    if (variant & VL_NO_TOKENS)
        return 0;
    if (variant & (VL_SEQUENCE | VL_EVEN)) {
        size_t chunk = wide ? vl_maker_between(m, 17, 29) : vl_maker_between(m, 2, 4);
        return ranks * chunk + (variant & VL_RAGGED ? 1 : 0);
    }
    return wide ? vl_maker_wide(m) : vl_maker_prime(m, 3);
}

/* ranks, shared, n, d, vocabulary and flags: what every case has. */
static struct vl_tensor_case add_sizes(struct vl_maker *m, const struct vl_case *self)
{
    int variant = self->variant;
    size_t ranks = vl_maker_size(m, "ranks", ranks_of(self));
    size_t sequence = vl_maker_size(m, "shared", sequence_of(self));
    if (variant & VL_GROUPS)
        vl_maker_size(m, "groups", (size_t)self->ranks / ranks);
    vl_maker_flag(m, "reversed", variant, VL_REVERSED);
    vl_maker_flag(m, "in_place", variant, VL_IN_PLACE);
    vl_maker_flag(m, "same", variant, VL_SAME_BITS);
    vl_maker_flag(m, "bad", variant, VL_BAD);
    size_t n = vl_maker_size(m, "n", token_count(m, variant, ranks));
    vl_maker_size(m, "d", draw_width(m, variant, n, ranks));
    size_t share = variant & VL_WIDE ? vl_maker_between(m, 11, 17) : vl_maker_between(m, 3, 7);
    size_t over = (variant & VL_RAGGED) && !sequence ? 1 : 0;
    vl_maker_size(m, "vocabulary", ranks * share + over);
    return vl_tensor_case_read(m->bag);
}

/* One block per rank, (t rows, cols); if replicated, the same block t times. */
static void add_blocks(struct vl_maker *m, const char *name, const struct vl_tensor_case *c,
                       size_t rows, size_t cols, int replicated)
{
    size_t block = rows * cols;
    float *blocks = vl_maker_normal(m, name, (size_t)(c->groups * c->ranks) * rows, cols, 1);
    for (size_t rank = 1; blocks && replicated && block > 0 && rank < (size_t)c->ranks; rank++)
        memcpy(blocks + rank * block, blocks, block * sizeof *blocks);
}

/* Numbers below V, with the first and last of every rank's part, and one of them twice. In a bad case
 * two rows of them: one has a number below 0, the other V. */
static void add_choices(struct vl_maker *m, const char *name, const struct vl_tensor_case *c,
                        const struct vl_case *self)
{
    int bad = (self->variant & VL_BAD) != 0;
    int32_t *choices = vl_maker_below(m, name, bad ? 2 : 1, c->n, c->vocabulary);
    if (!choices || c->n == 0)
        return;
    for (size_t i = 0; i < c->n && i < 2 * (size_t)c->ranks; i++) {
        size_t part = (i / 2 + 1) % (size_t)c->ranks;
        choices[i] = (int32_t)(part * c->columns + (i % 2 ? c->columns - 1 : 0));
    }
    choices[c->n - 1] = choices[0];
    if (!bad)
        return;
    memcpy(choices + c->n, choices, c->n * sizeof *choices);
    choices[c->n / 2] = -1;
    choices[c->n + c->n / 2] = (int32_t)c->vocabulary;
}

VL_SCOPED_MAKE(tensor_part)
{
    add_sizes(m, self);
}

VL_SCOPED_MAKE(tensor_rows)
{
    struct vl_tensor_case c = add_sizes(m, self);
    add_blocks(m, "x", &c, c.n, c.d, (self->variant & VL_REPLICATED) && !c.sequence);
}

VL_SCOPED_MAKE(tensor_input)
{
    struct vl_tensor_case c = add_sizes(m, self);
    size_t rows = c.sequence ? c.n / (size_t)c.ranks : c.n;
    add_blocks(m, "x", &c, c.n, c.d, 0);
    add_blocks(m, "kept", &c, rows, c.d, !c.sequence);
}

VL_SCOPED_MAKE(tensor_gain)
{
    struct vl_tensor_case c = add_sizes(m, self);
    add_blocks(m, "dgain", &c, 1, c.d, !c.sequence);
}

VL_SCOPED_MAKE(tensor_tokens)
{
    struct vl_tensor_case c = add_sizes(m, self);
    add_choices(m, "tokens", &c, self);
    vl_maker_normal(m, "table", c.vocabulary, c.d, 1);
    vl_maker_normal(m, "dtable", c.vocabulary, c.d, 1);
    add_blocks(m, "dx", &c, c.n, c.d, !c.sequence);
}

/* Where the logits of a token lie, if they are large. */
static float level_of(size_t token)
{
    if (token == 1)
        return -30000;
    return token % 2 == 0 ? 100 : -1000;
}

VL_SCOPED_MAKE(tensor_logits)
{
    struct vl_tensor_case c = add_sizes(m, self);
    size_t ranks = (size_t)c.ranks;
    add_choices(m, "targets", &c, self);
    float *logits = vl_maker_normal(m, "logits", (size_t)c.groups * ranks * c.n, c.columns, 2);
    /* Far apart on different ranks: exp(100) is more than a float holds, exp(-100) is zero. Of every other
     * token all are far below zero, of one very far, so the largest must not begin at zero or at some
     * number that is low as a rule. (Further down a float would not hold the loss.) */
    for (size_t rank = 0; logits && (self->variant & VL_LARGE) && rank < ranks; rank++)
        for (size_t i = 0; i < c.n; i++)
            for (size_t j = 0; j < c.columns; j++)
                logits[(rank * c.n + i) * c.columns + j] +=
                    level_of(i) + 100 * (float)((rank + i) % ranks);
}

VL_SCOPED_MAKE(tensor_probs)
{
    struct vl_tensor_case c = add_sizes(m, self);
    add_choices(m, "targets", &c, self);
    float *probs = vl_maker_normal(m, "probs", (size_t)c.ranks * c.n, c.columns, 0.25f);
    for (size_t i = 0; probs && i < (size_t)c.ranks * c.n * c.columns; i++)
        probs[i] = fminf(fabsf(probs[i]) + 0x1p-6f, 1);
    vl_maker_real(m, "scale", 0.046875);
}

/* The ranks divide heads, F, V and T, and so the tokens of a micro-batch. */
VL_SCOPED_MAKE(tensor_model)
{
    size_t ranks = vl_maker_size(m, "ranks", ranks_of(self));
    vl_maker_size(m, "shared", sequence_of(self));
    vl_maker_flag(m, "reversed", self->variant, VL_REVERSED);
    vl_maker_size(m, "layers", 2);
    size_t heads = vl_maker_size(m, "heads", ranks * vl_maker_between(m, 1, 2));
    vl_maker_size(m, "width", heads * 2 * vl_maker_between(m, 1, 3));
    vl_maker_size(m, "ff", ranks * vl_maker_prime(m, 3));
    vl_maker_size(m, "vocabulary", ranks * (3 + vl_maker_prime(m, 0)));
    vl_maker_size(m, "sequence", ranks * vl_maker_between(m, 2, 3));
    size_t per_micro = vl_maker_size(m, "rows_per_micro", vl_maker_between(m, 1, 3));
    vl_maker_transformer(m, per_micro * vl_maker_size(m, "micro_batches", 2));
}

/* Arrays that fill whole cache lines, so that rounding up in the engine's arena adds nothing. */
VL_SCOPED_MAKE(tensor_memory)
{
    size_t ranks = vl_maker_size(m, "ranks", ranks_of(self));
    vl_maker_size(m, "layers", vl_maker_between(m, 3, 6));
    size_t heads = vl_maker_size(m, "heads", ranks * vl_maker_between(m, 1, 2));
    vl_maker_size(m, "width", heads * 2 * vl_maker_between(m, 1, 3));
    vl_maker_size(m, "ff", ranks * vl_maker_prime(m, 3));
    vl_maker_size(m, "vocabulary", ranks * 7);
    vl_maker_size(m, "sequence", 16 * ranks * vl_maker_between(m, 1, 2));
    vl_maker_size(m, "rows", vl_maker_between(m, 1, 3));
}

/* T, and rows of it. The ranks divide T; or, if that is asked for, N = rows T alone: they share out
 * all tokens of a micro-batch, not those of each row. Ragged, they do not even divide N. */
static void add_tokens(struct vl_maker *m, int variant, size_t ranks)
{
    const size_t unit = variant & VL_LARGE ? 512 : 1;
    size_t whole = ranks * vl_maker_between(m, 3, variant & VL_LARGE ? 5 : 17);
    int cut = (variant & VL_EVEN) != 0 && ranks > 1, ragged = (variant & VL_RAGGED) != 0;
    vl_maker_size(m, "sequence",
                  unit * (cut || ragged ? whole + vl_maker_between(m, 1, ranks - 1) : whole));
    vl_maker_size(m, "rows",
                  cut      ? ranks * (variant & VL_LARGE ? 3 : 2)
                  : ragged ? ranks * 2 + 1
                           : vl_maker_prime(m, ranks));
}

/* The ranks divide whatever they must; nothing else is round. Large cases have another number of ranks, and other
 * rows for each rank, so that a mistake of a share of the ranks does not look like one of a plain factor. */
VL_SCOPED_MAKE(tensor_cost)
{
    size_t drawn = vl_maker_prime(m, self->variant & VL_LARGE ? 7 : 3);
    size_t ranks = vl_maker_size(m, "ranks", self->variant & VL_ALONE ? 1 : drawn);
    int32_t *layers = vl_maker_below(m, "layers", 1, VL_TENSOR_FIGURES, 5);
    for (size_t i = 0; layers && i < VL_TENSOR_FIGURES; i++)
        layers[i] += (int32_t)(1 + 7 * i);
    const size_t unit = self->variant & VL_LARGE ? 512 : 1; /* as in the world: beyond 2^31 */
    size_t heads = vl_maker_size(m, "heads", ranks * vl_maker_between(m, 2, 3));
    vl_maker_size(m, "width", unit * 2 * heads * vl_maker_between(m, 2, 8));
    vl_maker_size(m, "ff", ranks * vl_maker_between(m, 21, 59));
    vl_maker_size(m, "vocabulary", ranks * vl_maker_between(m, 61, 99));
    add_tokens(m, self->variant, ranks);
    vl_maker_flag(m, "bad", self->variant, VL_BAD);
}

/* ---- who has what ---- */

/* Of a matrix whose columns are shared out: this rank's. */
static void give_columns(const struct vl_part *p, const struct vl_oracle_tensor *t)
{
    size_t cols = t->cols / p->ranks;
    vl_part_withhold(p, t->name);
    for (size_t row = 0; row < t->rows; row++)
        vl_part_give(p, t->name, row * t->cols + p->rank * cols, cols);
}

/* All ranks have the gains. */
static void give_weights(const struct vl_part *p)
{
    struct vl_oracle_shape shape = vl_shape_read(p->inputs);
    size_t count = 0;
    struct vl_oracle_tensor *tensors = vl_oracle_layout(&count, &shape);
    for (size_t i = 0; tensors != NULL && i < count; i++)
        if (vl_tensor_by_columns(&tensors[i]))
            give_columns(p, &tensors[i]);
        else if (tensors[i].decays)
            vl_part_share(p, tensors[i].name);
    free(tensors);
}

VL_PART(tensor_parallel)
{
    static const char *const shared[] = {"x",     "kept",   "dx",     "dgain",
                                         "table", "dtable", "logits", "probs"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        vl_part_share(p, shared[i]);
    if (vl_bag_find(p->inputs, "tokens") != NULL && vl_bag_find(p->inputs, "layers") != NULL)
        give_weights(p);
}
