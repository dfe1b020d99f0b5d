/*
 * Inputs of lab 04: units made of tensors of awkward sizes, and the numbers in them.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/labs/04_zero/zero.h"
#include "grade/shared/model.h"

#include <string.h>

/* A tensor: a gain, (1, cols), does not decay; a matrix does. */
enum kind { GAIN, MATRIX };
struct tensor {
    enum kind kind;
    size_t rows, cols; /* 0 rows: the unit has no more tensors */
};
enum { UNITS = 5, UNIT_TENSORS = 4, LAYER = 4, MANY_UNITS = 70 };

/* All tensors as the inputs list them, unit by unit. */
struct plan {
    int32_t begin[MANY_UNITS + 1];
    int32_t tensor[MANY_UNITS * UNIT_TENSORS][4]; /* offset, rows, cols, decays */
    size_t ranks, units, tensors, count;
};

static void add_unit(struct plan *p, const struct tensor unit[UNIT_TENSORS])
{
    for (size_t k = 0; k < UNIT_TENSORS && unit[k].rows > 0; k++) {
        const size_t row[] = {p->count, unit[k].rows, unit[k].cols, unit[k].kind};
        for (size_t i = 0; i < 4; i++)
            p->tensor[p->tensors][i] = (int32_t)row[i];
        p->tensors++;
        p->count += unit[k].rows * unit[k].cols;
    }
    p->begin[++p->units] = (int32_t)p->count;
}

/* Where a gain comes before a matrix, a chunk that begins in the gain ends in the matrix. */
static void add_drawn_unit(struct plan *p, struct vl_maker *m, size_t kind)
{
    static const size_t cols[] = {16, 24, 31, 39};
    const size_t prime = vl_maker_prime(m, 0), wider = kind == LAYER ? 8 : 0; /* than any other */
    const size_t d = prime + wider, e = vl_maker_prime(m, prime) + wider;
    const size_t half = kind == 2 ? cols[vl_maker_between(m, 0, 3)] : 0;
    const struct tensor units[UNITS][UNIT_TENSORS] = {
        {{GAIN, 1, 1}}, /* one element: all ranks but the first have an empty chunk */
        {{MATRIX, 1, p->ranks > 1 ? p->ranks - 1 : 1}}, /* fewer elements than ranks */
        {{GAIN, 1, 5}, {MATRIX, 2, half}},              /* a prime: 37, 53, 67 or 83 */
        /* P divides it; as a rule, the matrix ends inside a chunk */
        {{MATRIX, d, p->ranks}, {GAIN, 1, p->ranks}},
        {{GAIN, 1, d}, {MATRIX, e, d}, {GAIN, 1, e}, {MATRIX, d, e}}, /* a layer */
    };
    add_unit(p, units[kind]);
}

static void add_small_unit(struct plan *p, size_t kind)
{
    const size_t sizes[] = {1, 2, p->ranks, p->ranks > 1 ? p->ranks - 1 : 1, 3};
    add_unit(p, (struct tensor[UNIT_TENSORS]){{kind % 2 == 0 ? GAIN : MATRIX, 1, sizes[kind]}});
}

static void add_long_unit(struct plan *p, struct vl_maker *m)
{
    const size_t rest = vl_maker_between(m, 101, 199), gain = vl_maker_between(m, 31, 61);
    add_unit(p, (struct tensor[UNIT_TENSORS]){{MATRIX, 7, rest}, {GAIN, 1, gain}});
}

/* The list need not have the order of the arrays, and any 'decays' but 0 means yes. */
static void list_backwards(int32_t (*tensors)[4], const struct plan *p)
{
    for (size_t i = 0; i < p->tensors; i++) {
        memcpy(tensors[i], p->tensor[p->tensors - 1 - i], sizeof *tensors);
        tensors[i][3] *= 2;
    }
}

static void write_plan(struct vl_maker *m, const struct plan *p, int variant)
{
    int32_t *units = vl_maker_whole(m, "units", 1, p->units + 1);
    int32_t *tensors = vl_maker_whole(m, "tensors", p->tensors, 4);
    if (units)
        memcpy(units, p->begin, (p->units + 1) * sizeof *units);
    if (tensors)
        memcpy(tensors, p->tensor, p->tensors * sizeof *p->tensor);
    if (tensors && (variant & VL_MIXED))
        list_backwards((int32_t(*)[4])tensors, p);
    vl_maker_size(m, "ranks", p->ranks);
    const int stage = variant & VL_STAGE;
    vl_maker_size(m, "stage", (size_t)(stage == VL_STAGE_MINUS_1 ? -1 : stage));
    vl_maker_flag(m, "reversed", variant, VL_REVERSED);
    vl_maker_flag(m, "turns", variant, VL_TURNS);
    vl_maker_flag(m, "alone", variant, VL_SECOND_ALONE);
    vl_maker_flag(m, "bad", variant, VL_BAD);
    vl_maker_size(m, "micro_batches", variant & VL_THREE ? 3 : variant & VL_TWO ? 2 : 1);
}

/* The kind of the first unit; each further one is two kinds on. */
static size_t first_kind(struct vl_maker *m, int variant)
{
    size_t drawn = vl_maker_between(m, 0, UNITS - 1);
    size_t layer_is_last = (LAYER + 2) % UNITS; /* the next step would lead back to the first */
    return variant & VL_BIG_FIRST ? LAYER : variant & VL_BIG_LAST ? layer_is_last : drawn;
}

static size_t unit_count(int variant)
{
    return variant & VL_MANY       ? MANY_UNITS
           : variant & VL_ONE_UNIT ? 1
           : variant & VL_NO_UNITS ? 0
                                   : UNITS;
}

/* The order of the units depends on the seed. */
static struct plan add_layout(struct vl_maker *m, const struct vl_case *self)
{
    int asked = VL_ASKED_OF(self->variant);
    struct plan p = {.ranks = (size_t)(asked > 0 ? asked : self->ranks)};
    const size_t start = first_kind(m, self->variant);
    for (size_t i = 0; i < unit_count(self->variant); i++) {
        size_t kind = (2 * i + start) % UNITS;
        if (self->variant & VL_SMALL)
            add_small_unit(&p, kind);
        else if (self->variant & VL_LONG)
            add_long_unit(&p, m);
        else
            add_drawn_unit(&p, m, kind);
    }
    write_plan(m, &p, self->variant);
    return p;
}

/* What an update works on, except the gradients. */
static void add_state(struct vl_maker *m, int variant, size_t count)
{
    vl_maker_settings(m, 0.015625, 0.5);
    size_t step = vl_maker_between(m, 2, 9);
    vl_maker_size(m, "step", variant & VL_NO_STEP ? 0 : step);
    vl_maker_real(m, "max_norm", variant & VL_CLIPPED ? 1.5 : variant & VL_BELOW ? 4096 : 0);
    vl_maker_rough(m, "weights", 1, count, 1);
    vl_maker_moments(m, count);
}

VL_SCOPED_MAKE(zero_plan)
{
    add_layout(m, self);
}

VL_SCOPED_MAKE(zero_update)
{
    struct plan p = add_layout(m, self);
    add_state(m, self->variant, p.count);
    vl_maker_real(m, "scale", 0.375);
    float *sums = vl_maker_rough(m, "sums", 1, p.count, 1);
    vl_maker_rough(m, "other", p.ranks, p.count, 1);
    /* Half of all draws have the same bits in every order of a sum; another scale changes that. */
    for (int draw = 0; !m->failed && (self->variant & VL_LONG) && draw < 64; draw++) {
        if (vl_zero_orders_differ(m->bag))
            break;
        for (size_t i = 0; i < p.count; i++)
            sums[i] *= 1.03f;
    }
}

VL_SCOPED_MAKE(zero_gradients)
{
    struct plan p = add_layout(m, self);
    vl_maker_rough(m, "gradients", 1, p.count, 1);
    vl_maker_rough(m, "local", vl_bag_size(m->bag, "micro_batches") * p.ranks, p.count, 1);
}

VL_SCOPED_MAKE(zero_parameters)
{
    struct plan p = add_layout(m, self);
    vl_maker_normal(m, "weights", 1, p.count, 1);
}

VL_SCOPED_MAKE(zero_step)
{
    struct plan p = add_layout(m, self);
    size_t micro_batches = vl_bag_size(m->bag, "micro_batches");
    add_state(m, self->variant, p.count);
    vl_maker_rough(m, "gradients", 1, p.count, 2); /* left over: to be cleared */
    float *a = vl_maker_normal(m, "a", p.ranks * micro_batches, p.count, 1);
    for (size_t i = 0; a && i < p.ranks * micro_batches * p.count; i++) {
        size_t rank = i / (micro_batches * p.count);
        a[i] = a[i] > 0.5f ? 0.5f : a[i] > -0.5f ? 0.25f : 0.125f;
        if ((self->variant & VL_IDLE) && p.ranks > 1 && rank % 3 == 1)
            a[i] = 0;
    }
    vl_maker_rough(m, "t", p.ranks * micro_batches, p.count, 1);
    /* 1 + the micro-batch whose forward, or backward, fails on every rank; 0: none. At stages 2 and 3 the first, as
     * nothing is under way then. */
    const size_t fails = (self->variant & VL_STAGE) == VL_STAGE_1 ? 2 : 1;
    vl_maker_size(m, "fails_at", self->variant & VL_FAILS ? fails : 0);
    vl_maker_size(m, "backward_fails_at", self->variant & VL_BACK ? fails : 0);
    vl_maker_size(m, "steps", self->variant & VL_STEPS ? 2 : 1);
}

VL_SCOPED_MAKE(zero_cost)
{
    const int asked = VL_ASKED_OF(self->variant);
    /* P is not a power of two, so that a half or a quarter cannot pass for 1/P. */
    vl_maker_size(m, "ranks", asked > 0 ? (size_t)asked : vl_maker_prime(m, 3));
    /* More than 32 bits can count. */
    vl_maker_real(m, "parameters", (double)(1000000 * vl_maker_between(m, 4301, 9999)));
    vl_maker_flag(m, "bad", self->variant, VL_BAD);
}

/* ---- who has what ---- */

/* This rank's shard: its chunk of every unit. */
static void give_shard(const struct vl_part *p, const struct vl_zero_layout *l, const char *name)
{
    size_t unit;
    vl_part_withhold(p, name);
    for (size_t i = 0; i < l->count; i++)
        if (vl_oracle_owner(&l->units, i, &unit) == (int)p->rank)
            vl_part_give(p, name, i, 1);
}

VL_PART(zero)
{
    struct vl_zero_layout layout;
    vl_zero_layout_read(&layout, p->inputs);
    give_shard(p, &layout, "m");
    give_shard(p, &layout, "v");
    give_shard(p, &layout, "sums");
    if (layout.stage > 1)
        give_shard(p, &layout, "gradients");
    if (layout.stage > 2)
        give_shard(p, &layout, "weights");
    vl_part_share(p, "other");
    vl_part_share(p, "a");
    vl_part_share(p, "t");
    vl_part_withhold(p, "local");
    for (size_t pass = 0; pass < layout.micro_batches; pass++)
        vl_part_give_rows(p, "local", pass * p->ranks + p->rank, 1);
}
