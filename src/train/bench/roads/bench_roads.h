/*
 * `vialata bench roads`: how fast the roads between ranks are, and how well they are used.
 *
 *   alpha, beta    from exchanges in which every rank sends and receives: alpha is the time of an
 *                  exchange of 8 bytes, beta the slope between 1 MiB and 8 MiB
 *   ring, library  time of vl_all_reduce and of MPI_Allreduce on the same data, taking turns in one
 *                  run; each figure is the shortest turn, timed by its slowest rank
 *   predicted      vl_all_reduce_seconds with alpha and beta (include/vialata/road_cost.h)
 */
#ifndef VIALATA_TRAIN_BENCH_ROADS_BENCH_ROADS_H
#define VIALATA_TRAIN_BENCH_ROADS_BENCH_ROADS_H

#include "vialata/road_cost.h"
#include "vialata/status.h"
#include <mpi.h>
#include <stddef.h>

enum { VL_ROAD_SIZES = 7 }; /* 1, 2, 4 ... 64 MiB */

struct vl_road_row {
    size_t bytes;
    double ring;      /* s */
    double library;   /* s */
    double predicted; /* s */
};

struct vl_roads {
    struct vl_road road;
    int ranks;
    struct vl_road_row row[VL_ROAD_SIZES];
};

/* Collective over comm, at least 2 ranks; the figures are the same on all. VL_ENOMEM, VL_EINVAL for
 * one rank alone. */
enum vl_status vl_bench_roads(struct vl_roads *roads, MPI_Comm comm);

/* Only alpha and beta. Collective. */
enum vl_status vl_road_measure(struct vl_road *road, MPI_Comm comm);

/* One turn: the slowest rank's time of one call of 'work'. Collective. */
enum vl_status vl_road_turn(double *seconds, MPI_Comm comm, enum vl_status (*work)(void *context),
                            void *context);

/* The shortest of 'turns' turns (at most VL_ROAD_TURNS), after one that does not count: other
 * processes on the machine can only lengthen a turn. Collective. */
enum { VL_ROAD_TURNS = 41 };
enum vl_status vl_road_time(double *seconds, MPI_Comm comm, int turns,
                            enum vl_status (*work)(void *context), void *context);

#endif
