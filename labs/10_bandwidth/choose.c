/*
 * Lab 10, station 6: choosing among divisions.
 *
 * The contract is in include/vialata/divisions.h. Everything you need is there already:
 * vl_forecast_make and your own vl_crossover.
 */
#include "vialata/divisions.h"

/* include/vialata/divisions.h: the fastest first. */
enum vl_status vl_divisions_order(size_t *order, const struct vl_setting *setting,
                                  const struct vl_division *divisions, size_t count)
{
    (void)order;
    (void)setting;
    (void)divisions;
    (void)count;
    /* TODO(10): refuse null pointers. */
    /* TODO(10): for each division, find how many come before it; that is its place. The seconds are
     * step.seconds of its forecast. */
    return VL_TODO;
}

/* include/vialata/divisions.h: the bandwidth above which 'simple' is at least as fast. */
enum vl_status vl_divisions_crossover(double *bandwidth, double low, double high,
                                      const struct vl_setting *setting,
                                      const struct vl_division *simple,
                                      const struct vl_division *other)
{
    (void)bandwidth;
    (void)low;
    (void)high;
    (void)setting;
    (void)simple;
    (void)other;
    /* TODO(10): refuse null pointers. */
    /* TODO(10): a structure with a copy of the setting and the two divisions, and a function of the
     * form that struct vl_rivals asks for: it puts the bandwidth into the copy and makes both
     * forecasts. */
    /* TODO(10): hand both to vl_crossover, without slack. */
    return VL_TODO;
}
