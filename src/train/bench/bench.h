/*
 * The trainer's benchmarks by name; each prints one JSON object on standard output.
 *
 *   bench-step      {"shapes": [...]}     one rank
 *   bench-peers     {"peers": [...]}      one rank; takes the path of a Python that has PyTorch
 *   bench-operators {"roofline": [...]}   one rank; takes a number of steps, 9 if there is none
 *   bench-roads     {"roads": {...}}      two ranks or more
 *   bench-overlap   {"overlap": {...}}    two ranks or more, best on two hosts
 *   bench-levels    {"levels": {...}}     an even number of ranks, two per host
 *   bench-parallel  {"parallel": [...]}   two ranks
 *   bench-bandwidth {"bandwidth": {...}}  two ranks, best on two hosts; takes a number of turns
 */
#ifndef VIALATA_TRAIN_BENCH_BENCH_H
#define VIALATA_TRAIN_BENCH_BENCH_H

#include "train/log/problem.h"
#include <mpi.h>
#include <stdbool.h>

/* Is there a benchmark of that name? */
bool vl_bench_is_known(const char *name);

/* Run it on all ranks of comm; the first one prints. word: the last of the command line, which only
 * some of them read. Collective. */
enum vl_status vl_bench_run(const char *name, const char *word, MPI_Comm comm,
                            struct vl_problem *problem);

#endif
