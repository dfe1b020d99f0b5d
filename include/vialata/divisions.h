/*
 * Choosing among divisions: which of several is the fastest, and how broad the road must be before
 * the simpler one of two is as fast as the other.
 *
 *   number        0      1      2      3      4
 *   seconds     0.31   0.44   0.29   1.20   0.38        order: 2, 0, 4, 1, 3
 *
 * Both ask vl_forecast_make (vialata/crossover.h) and nothing else, and both count the seconds of
 * the whole step. Memory is not their business: a division may be compared even where it does not
 * fit.
 *
 * Serial; neither needs memory of its own. A status other than VL_OK from a forecast is returned at
 * once. VL_EINVAL for a null pointer.
 */
#ifndef VIALATA_DIVISIONS_H
#define VIALATA_DIVISIONS_H

#include "vialata/crossover.h"

/* order (count): the numbers of the divisions (count), the fastest first. Of two that are equally
 * fast the one with the smaller number comes first. With count 0 nothing is written. */
enum vl_status vl_divisions_order(size_t *order, const struct vl_setting *setting,
                                  const struct vl_division *divisions, size_t count);

/* The least bandwidth from low to high (bytes/s of one chip between domains) at which a step of
 * 'simple' takes at most as long as one of 'other'. The machine is that of 'setting' in everything
 * but this bandwidth. Ends, precision and refusals are those of vl_crossover without slack. */
enum vl_status vl_divisions_crossover(double *bandwidth, double low, double high,
                                      const struct vl_setting *setting,
                                      const struct vl_division *simple,
                                      const struct vl_division *other);

#endif
