#include "grade/cost/sum.h"

#include <string.h>

#define MOST (INT64_C(1) << 52) /* of any number: sums of a few ranks stay exact */

/* No part takes longer than the turn, and nothing happens more often than once in a nanosecond. What is taken
 * off for the clock makes both inexact. */
static bool fits_its_turn(const struct vl_counts *c)
{
    const int64_t most[] = {c->product_ns,  c->vector_ns, c->allocation_ns, c->copy_ns,
                            c->sleep_ns,    c->mpi_ns,    c->products,      c->vectors,
                            c->allocations, c->sleeps,    c->transfers,     c->barriers};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        if (most[i] / 2 > c->turn_ns)
            return false;
    return true;
}

static bool is_possible(const struct vl_counts *counts)
{
    int64_t number[VL_COUNTS_NUMBERS];
    memcpy(number, counts, sizeof number);
    for (size_t i = 0; i < VL_COUNTS_NUMBERS; i++)
        if (number[i] < 0 || number[i] > MOST)
            return false;
    return counts->shapes <= VL_COUNTS_SHAPES && counts->turn_ns > 0 && fits_its_turn(counts);
}

static void add_shape(struct vl_counts *sum, const struct vl_counted_product *shape)
{
    for (int64_t i = 0; i < sum->shapes; i++) {
        struct vl_counted_product *p = &sum->shape[i];
        if (p->m == shape->m && p->n == shape->n && p->k == shape->k) {
            p->calls += shape->calls;
            return;
        }
    }
    if (sum->shapes < VL_COUNTS_SHAPES)
        sum->shape[sum->shapes++] = *shape;
}

static void add(struct vl_counts *sum, const struct vl_counts *counts)
{
    struct vl_counts before = *sum;
    int64_t total[VL_COUNTS_NUMBERS], one[VL_COUNTS_NUMBERS];
    memcpy(total, sum, sizeof total);
    memcpy(one, counts, sizeof one);
    for (size_t i = 0; i < VL_COUNTS_NUMBERS; i++)
        total[i] += one[i];
    memcpy(sum, total, sizeof total);
    sum->most_open = before.most_open > counts->most_open ? before.most_open : counts->most_open;
    sum->shapes = before.shapes;
    memcpy(sum->shape, before.shape, sizeof sum->shape);
    for (int64_t i = 0; i < counts->shapes; i++)
        add_shape(sum, &counts->shape[i]);
}

bool vl_counts_take(struct vl_counts *sum, const struct vl_bag *bag)
{
    const struct vl_tensor_entry *entry = bag != NULL ? vl_bag_find(bag, VL_COUNTS_ARRAY) : NULL;
    struct vl_counts counts;
    if (entry == NULL || entry->dtype != VL_I64 || entry->count != VL_COUNTS_NUMBERS)
        return false;
    memcpy(&counts, entry->data, sizeof counts);
    if (!is_possible(&counts))
        return false;
    add(sum, &counts);
    return true;
}

int64_t vl_counts_math_ns(const struct vl_counts *counts)
{
    int64_t sum = 0;
    for (int i = 0; i < VL_MATH_FUNCTIONS; i++)
        sum += counts->math_ns[i];
    return sum;
}

int64_t vl_counts_known_ns(const struct vl_counts *counts)
{
    return counts->product_ns + counts->vector_ns + vl_counts_math_ns(counts) +
           counts->allocation_ns + counts->copy_ns + counts->sleep_ns + counts->mpi_ns;
}
