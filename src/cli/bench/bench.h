/*
 * The benchmarks of `vialata bench`, one file each.
 */
#ifndef VIALATA_CLI_BENCH_BENCH_H
#define VIALATA_CLI_BENCH_BENCH_H

#include "cli/shared/arguments.h"

enum vl_exit vl_bench_show_step(const struct vl_arguments *arguments);
enum vl_exit vl_bench_show_operators(const struct vl_arguments *arguments); /* step --operators */
enum vl_exit vl_bench_show_peers(const struct vl_arguments *arguments);
enum vl_exit vl_bench_show_roads(const struct vl_arguments *arguments);
enum vl_exit vl_bench_show_parallel(const struct vl_arguments *arguments);
enum vl_exit vl_bench_show_mpi(const struct vl_arguments *arguments);
enum vl_exit vl_bench_show_hosts(const struct vl_arguments *arguments); /* --two-hosts */

#endif
