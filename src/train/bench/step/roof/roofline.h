/*
 * The roofline: what a machine could do at most with a given piece of work.
 *
 *   FLOP/s
 *     peak |           ___________    enough FLOPs per byte: compute is the limit
 *          |         /
 *          |       /                  few FLOPs per byte: memory is the limit,
 *          |     /                    FLOP/s = intensity * bandwidth
 *          +---------+-----------
 *                  ridge             intensity = FLOPs / bytes
 *
 * The same said in time: the work takes at least as long as its FLOPs at the peak, and at least as
 * long as its bytes at the memory's bandwidth. So it takes at least the larger of the two, which also
 * holds for work without any FLOPs.
 *
 * Source: Williams, Waterman, Patterson 2009, Communications of the ACM 52(4).
 */
#ifndef VIALATA_TRAIN_BENCH_ROOFLINE_H
#define VIALATA_TRAIN_BENCH_ROOFLINE_H

#include "train/bench/step/roof/work.h"

struct vl_roof {
    double flops_per_second; /* of a large sgemm */
    double bytes_per_second; /* of the memory (stream.h) */
};

/* FLOPs per byte; 0 for work without bytes. */
double vl_roof_intensity(struct vl_work work);
/* FLOP/s under the roof at an intensity. */
double vl_roof_height(const struct vl_roof *roof, double intensity);
/* The least seconds that the work takes. */
double vl_roof_seconds(const struct vl_roof *roof, struct vl_work work);
/* Least seconds / seconds; 0 where no time was measured. */
double vl_roof_share(const struct vl_roof *roof, struct vl_work work, double seconds);

#endif
