/*
 * `vialata study bandwidth`, on one road: a step of one model on each of two hosts alone, and on both
 * together in several ways.
 *
 *   the model    L4 D128 H4 T128 V256, 4 experts in each layer, of which a token chooses 2; a batch
 *                of 16 sequences. It is small, but most of its parameters are experts', as in the
 *                models of lab 10, so it has much to send for what it computes.
 *   alone        each host does the whole batch, both at the same time, and nothing is sent: what is
 *                measured is a core that shares its machine, as it does in all other ways
 *   dp           half of the sequences each, gradients summed after backward
 *   dp overlap   the same, with the gradients summed while backward runs
 *   zero 3       weights, gradients and moments are cut in two: weights travel twice, gradients once
 *   tp           each matrix is cut in two
 *   pp 1f1b      two layers each, 4 micro-batches
 *   ep           two experts of each layer each, half of the sequences each
 *
 * All ways compute the same step of the same batch from the same weights, so their losses agree.
 * They take turns, and the first turn does not count. Each row also has the time that lab 10's
 * planner expects (train/bench/parallel/planned_step.h) from the median step alone, from alpha and beta of
 * this road, and from the pipeline's schedule, where the road moves what is sent early.
 */
#ifndef VIALATA_TRAIN_BENCH_PARALLEL_BENCH_BANDWIDTH_H
#define VIALATA_TRAIN_BENCH_PARALLEL_BENCH_BANDWIDTH_H

#include "train/bench/parallel/team.h"
#include "vialata/road_cost.h"

enum { VL_BENCH_BANDWIDTH_WAYS = 7, VL_BENCH_BANDWIDTH_TURNS = 100 };

struct vl_bandwidth_row {
    const char *way;
    double seconds[VL_BENCH_BANDWIDTH_TURNS];    /* of each turn that counts */
    double losses[VL_BENCH_BANDWIDTH_TURNS + 1]; /* before each step, the first turn's too */
    double planned;                              /* s */
};

struct vl_bandwidth_bench {
    const struct vl_team_model *model;
    size_t parameters; /* of the whole model */
    struct vl_road road;
    int turns;
    struct vl_bandwidth_row rows[VL_BENCH_BANDWIDTH_WAYS];
};

/* On two ranks; VL_ESHAPE on another number of ranks, VL_EINVAL for less than one turn or more than
 * VL_BENCH_BANDWIDTH_TURNS. Sets BLAS to one thread. Collective. */
enum vl_status vl_bench_bandwidth(struct vl_bandwidth_bench *bench, MPI_Comm comm, int turns);

#endif
