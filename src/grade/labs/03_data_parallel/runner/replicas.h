/*
 * Lab 03's calls, which are in several files.
 *
 * Where a function of the lab is graded alone, the runner does what its neighbours would do, with
 * the collectives of lab 02: it starts or finishes buckets.
 */
#ifndef VIALATA_GRADE_LABS_03_DATA_PARALLEL_RUNNER_REPLICAS_H
#define VIALATA_GRADE_LABS_03_DATA_PARALLEL_RUNNER_REPLICAS_H

#include "runner/call.h"
#include "vialata/data_parallel.h"
#include "wire/bag.h"
#include <stddef.h>
#include <stdint.h>

vl_call_function vl_call_buckets_begin, vl_call_buckets_ready, vl_call_buckets_poll,
    vl_call_buckets_finish, vl_call_bucket_traffic, vl_call_replica_step,
    vl_call_accumulation_traffic, vl_call_overlap, vl_call_replicas_train;

#endif
