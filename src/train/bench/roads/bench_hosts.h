/*
 * `vialata bench roads --two-hosts`: what overlap and two levels gain on a narrow road.
 *
 * Overlap, one rank per host; three kinds of step take turns on the same model and batch:
 *
 *   alone    nothing is sent: the cost of computing
 *   flat     the gradients are summed after backward, in one all-reduce
 *   overlap  bucket by bucket, while backward runs
 *
 *   hidden = (flat - overlap) / (flat - alone): the share of flat's communication time that
 *            overlapping hides
 *
 * Levels, two ranks per host: vl_all_reduce over all four, compared with vl_all_reduce_two_level.
 */
#ifndef VIALATA_TRAIN_BENCH_ROADS_BENCH_HOSTS_H
#define VIALATA_TRAIN_BENCH_ROADS_BENCH_HOSTS_H

#include "vialata/road_cost.h"
#include "vialata/status.h"
#include <jansson.h>
#include <mpi.h>

struct vl_overlap {
    struct vl_road road;
    double gradient_bytes;
    double alone, flat, overlap; /* s: the shortest step, by its slowest rank */
    double hidden;
    json_t *flat_trace, *overlap_trace; /* of the last step; first rank only, the caller frees */
};

/* Collective over comm, at least 2 ranks. VL_ENOMEM, VL_EINVAL. */
enum vl_status vl_bench_overlap(struct vl_overlap *result, MPI_Comm comm);

struct vl_levels_result {
    double bytes;
    double ring, two_level;               /* s */
    json_t *ring_trace, *two_level_trace; /* as above */
};

/* ranks_per_node divides the ranks. Collective. */
enum vl_status vl_bench_levels(struct vl_levels_result *result, MPI_Comm comm, int ranks_per_node);

#endif
