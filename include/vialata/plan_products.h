/*
 * A planner: how much of its peak a chip reaches while it waits for nothing.
 *
 *   a product (rows x inner) (inner x columns), cut into tiles that the processors take in waves
 *
 *   +----+----+----+----+--+     4.4 x 2.5 tiles make 5 x 3 = 15 of them, and with 8 processors
 *   |  1 |  2 |  3 |  4 | 5|     2 waves. The chip is busy for 2 x 8 tiles' time with the work
 *   +----+----+----+----+--+     of 11.
 *   |  6 |  7 |  8 |  9 |10|
 *   +----+----+----+----+--+     The more tiles there are, the less is lost. So large matrices
 *   | 11 | 12 | 13 | 14 |15|     are faster, and cutting them (tensor parallelism) makes them
 *   +----+----+----+----+--+     slower.
 *
 * What is not a product computes hardly anything, but it reads and writes memory: norms, sums,
 * activations, rotations. That time grows with D, and products grow with D^2. So in a wide model
 * the products have a larger share of the time, and here too large matrices win.
 *
 * Elements that forward reads and writes per token and layer:
 *
 *   both norms (in and out), both sums of the residual (two in, one out)   10 D
 *   queries, keys, values: rotated, or laid out by heads                   in and out
 *   latents: normed                                                        in and out
 *   activation                                        gate and up (or up alone) in, active out
 *   rows sent to experts, and what comes back                              k D each, in and out
 *   scores of attention, where it is not fused                             score_passes T H
 *
 * The first line is divided by 'tensor' only if the machine's software has sequence parallelism;
 * all other lines always are. Backward reads and writes twice as much, and what is computed again
 * once more. Sources: NVIDIA, "Matrix Multiplication Background User's Guide" (tiles and waves);
 * Korthikanti et al. 2022, arXiv:2205.05198 (what sequence parallelism divides); Dao et al. 2022,
 * arXiv:2205.14135 (fused attention). Left out: attention's own two products, the router, head and
 * embedding, and the update of the optimizer.
 */
#ifndef VIALATA_PLAN_PRODUCTS_H
#define VIALATA_PLAN_PRODUCTS_H

#include "vialata/planner.h"

/* The share of the peak that a chip reaches in this division: cluster.efficiency, less what tiles
 * and waves waste, less the time for memory. Without processors and memory_bandwidth in the cluster
 * it is cluster.efficiency itself. work: that of the setting's model, with the division's 'keep'.
 * VL_EINVAL for a null pointer. [given] */
enum vl_status vl_planned_efficiency(double *efficiency, const struct vl_work *work,
                                     const struct vl_setting *setting,
                                     const struct vl_division *division);

#endif
