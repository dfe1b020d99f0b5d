/*
 * Inputs of vl_crossover's cases: how long the two rivals take, and the range that is searched.
 *
 *   between   low ..x.......................... high      x: it comes to hold; high is 1e6 low,
 *   fits      low ..........................x.. high         the widest range that is promised
 *
 * so whoever goes there in steps from the other end needs too many calls.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

#include <math.h>
#include <stdbool.h>

#define WIDEST 1e6
#define CLOSE  1.001 /* the ends, when a search may end */
#define COARSE 1.002 /* a step earlier */

typedef double mean(double low, double high);

static double geometric(double low, double high)
{
    return sqrt(low * high);
}

static double arithmetic(double low, double high)
{
    return (low + high) / 2;
}

/* Halve the range, at one mean or the other, until its ends are close enough. Does it hold in the
 * middle of what is left? Then the middle is a right answer by chance. And if one step fewer gives an
 * end that is good enough, that is by chance as well. */
static bool is_right_by_chance(const struct vl_plan_crossover *c, mean *middle)
{
    double low = c->low, high = c->high, coarse = 0;
    while (high > CLOSE * low) {
        *(vl_plan_holds(c, middle(low, high)) ? &high : &low) = middle(low, high);
        if (coarse == 0 && high <= COARSE * low)
            coarse = high;
    }
    return vl_plan_holds(c, middle(low, high)) || !vl_plan_holds(c, coarse / CLOSE);
}

/* What is special about a case, and about its rows; it would begin to hold at 'from'. */
static void fix_crossover(struct vl_maker *m, struct vl_plan_crossover *c, double from, int variant,
                          size_t row)
{
    if (variant == VL_BANDWIDTH_FITS) {
        c->low = vl_draw_amount(m, 1.1, 1.9) * from / WIDEST;
        c->needed = c->slack * from / 2;
        c->fits_from = from;
    }
    if (variant == VL_BANDWIDTH_BETWEEN || variant == VL_BANDWIDTH_FITS)
        c->high = WIDEST * c->low;
    if (variant == VL_BANDWIDTH_AT_LOW)
        c->low = 1.5 * from;
    if (variant == VL_BANDWIDTH_EQUAL)
        c->slack = c->needed = 0;
    if (variant == VL_BANDWIDTH_NEVER)
        c->needed = 1.1 * c->slack * c->high;
    if (variant == VL_BANDWIDTH_POINT) /* where it holds, and where it does not */
        c->low = c->high = row == 0 ? c->high : c->low;
    if (variant == VL_BANDWIDTH_FAILS) /* at either end, and between them */
        c->fails_at = row < 3 ? (int64_t)row + 1 : (int64_t)vl_maker_between(m, 4, 5);
}

static void draw_crossover(struct vl_maker *m, struct vl_plan_crossover *c, int variant, size_t row)
{
    /* Large enough that a share of the longer time, by mistake, ends far from here. */
    c->slack = vl_draw_amount(m, 0.12, 0.2);
    double from = vl_draw_amount(m, 1e10, 1e11);
    c->low = vl_draw_amount(m, 0.01, 0.5) * from;
    c->high = vl_draw_amount(m, 5, 1e4) * from;
    c->least = vl_draw_amount(m, 2, 9);
    c->volume = vl_draw_amount(m, 1e9, 1e11);
    c->needed = c->slack * from;
    c->fits_from = c->low / 3;
    fix_crossover(m, c, from, variant, row);
}

static size_t rows_of(int variant)
{
    return variant == VL_BANDWIDTH_FAILS ? 4 : variant == VL_BANDWIDTH_POINT ? 2 : 1;
}

VL_SCOPED_MAKE(plan_crossover)
{
    size_t rows = rows_of(self->variant);
    struct vl_plan_crossover *c =
        vl_bag_add(m->bag, "crossover", VL_U8, 2, (size_t[]){rows, sizeof *c});
    bool searched = self->variant == VL_BANDWIDTH_BETWEEN || self->variant == VL_BANDWIDTH_FITS;
    vl_maker_size(m, "bad", self->variant == VL_BANDWIDTH_BAD);
    m->failed |= c == NULL;
    for (size_t row = 0; !m->failed && row < rows; row++)
        do
            draw_crossover(m, &c[row], self->variant, row);
        while (searched &&
               (is_right_by_chance(&c[row], geometric) || is_right_by_chance(&c[row], arithmetic)));
}
