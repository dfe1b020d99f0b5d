/*
 * Many divisions of one machine, on different numbers of chips, to be put in order; or none. That was
 * not simulated: the truth is the order of the oracle's planner, so no two of them are so close that
 * rounding could decide.
 *
 *   number    0        1              2 ..               last
 *             second   the same       any others         the fastest
 *
 * Whoever swaps the last one to the first place moves number 0 behind its copy.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/10_bandwidth/bandwidth.h"
#include "grade/labs/10_bandwidth/choice_bag.h"
#include "grade/labs/10_bandwidth/simulated/sets.h"

#include <string.h>

enum { MANY = 40, LAST = MANY - 1 };

#define APART 1.0001 /* a factor: rounding is far smaller */
#define LEAST 1.002  /* factors by which two are nearly as fast */
#define MOST  1.01

struct order {
    const struct vl_setting *setting;
    struct vl_division divisions[MANY];
    double seconds[MANY], mfu[MANY];
};

static void forecast(struct order *o, size_t i)
{
    struct vl_oracle_forecast f;
    vl_oracle_plan_forecast(&f, o->setting, &o->divisions[i]);
    o->seconds[i] = f.step[3];
    o->mfu[i] = f.step[5];
}

/* ---- inputs ---- */

static void draw_division(struct vl_maker *m, struct vl_division *d)
{
    d->tensor = vl_maker_between(m, 1, 8);
    d->expert = 1;
    d->data = vl_maker_between(m, 1, 8);
    d->pipeline = vl_maker_between(m, 1, 4);
    d->chunks = vl_maker_between(m, 1, 2);
    d->micro_batches = vl_maker_between(m, 1, 8);
    d->zero = vl_maker_between(m, 0, 3);
    d->keep = (enum vl_keep)vl_maker_between(m, VL_KEEP_ALL, VL_KEEP_INPUT);
}

/* Is number i possible, and apart from those before it? */
static bool is_another(struct order *o, size_t i)
{
    const struct vl_plan plan = {*o->setting, o->divisions[i]};
    if (!vl_plan_can_be(&plan))
        return false;
    forecast(o, i);
    for (size_t k = 0; k < i; k++)
        if (o->seconds[i] < APART * o->seconds[k] && o->seconds[k] < APART * o->seconds[i])
            return false;
    return true;
}

static void swap(struct order *o, size_t one, size_t other)
{
    const struct vl_division kept = o->divisions[one];
    o->divisions[one] = o->divisions[other];
    o->divisions[other] = kept;
    forecast(o, one);
    forecast(o, other);
}

static size_t fastest(const struct order *o, size_t first, size_t end)
{
    size_t best = first;
    for (size_t i = first; i < end; i++)
        best = o->seconds[i] < o->seconds[best] ? i : best;
    return best;
}

static void draw_all(struct vl_maker *m, struct order *o)
{
    for (size_t i = 0; i < MANY; i++)
        do
            draw_division(m, &o->divisions[i]);
        while (!is_another(o, i));
    swap(o, fastest(o, 0, MANY), LAST);
    swap(o, fastest(o, 0, LAST), 0);
    o->divisions[VL_CHOICE_COPY] = o->divisions[0];
    forecast(o, VL_CHOICE_COPY);
}

/* A slower one before one that is nearly as fast; and a faster one with less MFU. */
static bool asks_enough(const struct order *o)
{
    bool near = false, less_used = false;
    for (size_t i = 0; i < MANY; i++)
        for (size_t k = 0; k < MANY; k++) {
            double factor = o->seconds[i] / o->seconds[k];
            near |= i < k && factor > LEAST && factor < MOST;
            less_used |= factor > 1 && o->mfu[i] > o->mfu[k];
        }
    return near && less_used;
}

VL_SCOPED_MAKE(choices_many)
{
    struct vl_setting *setting =
        vl_bag_add(m->bag, "setting", VL_U8, 2, (size_t[]){1, sizeof *setting});
    struct vl_division *divisions =
        vl_bag_add(m->bag, "divisions", VL_U8, 2, (size_t[]){MANY, sizeof *divisions});
    vl_maker_sizes(m, {"bad", 0}, {"count", self->variant == VL_BANDWIDTH_NONE ? 0 : MANY});
    struct order order = {.setting = setting};
    m->failed |= setting == NULL || divisions == NULL;
    if (m->failed)
        return;
    do {
        *setting = vl_simulated_set(vl_maker_between(m, 0, vl_simulated_count() - 1)).setting;
        draw_all(m, &order);
    } while (!asks_enough(&order));
    memcpy(divisions, order.divisions, sizeof order.divisions);
}

/* ---- truth ---- */

static size_t place_of(const struct order *o, size_t i)
{
    size_t place = 0;
    for (size_t k = 0; k < MANY; k++)
        place += o->seconds[k] < o->seconds[i] || (o->seconds[k] == o->seconds[i] && k < i);
    return place;
}

static void give_order(struct vl_scope *s, struct order *order)
{
    int64_t *right = vl_scope_whole(s, "order", 1, MANY);
    for (size_t i = 0; i < MANY; i++)
        forecast(order, i);
    for (size_t i = 0; right != NULL && i < MANY; i++)
        right[place_of(order, i)] = (int64_t)i;
}

VL_SCOPED_TRUTH(divisions_many)
{
    struct order order = {.setting = vl_bag_find(s->inputs, "setting")->data};
    memcpy(order.divisions, vl_bag_find(s->inputs, "divisions")->data, sizeof order.divisions);
    if (vl_scope_size(s, "count") == 0)
        vl_scope_give_int(s, "order", (uint64_t)VL_CHOICE_UNTOUCHED);
    else
        give_order(s, &order);
}
