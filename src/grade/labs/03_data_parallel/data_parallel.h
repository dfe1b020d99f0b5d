/*
 * Lab 03 inside the grader: makers of inputs, and truths.
 *
 * What differs between ranks has a row per rank, which only that rank gets: "own_weights",
 * "own_gradients" (ranks, n). Scalars: n, count, unit_count, bucket_bytes, step, max_norm, the
 * optimizer's settings; "units" (unit_count + 1) I64. The toy learner has the micro-batches of all
 * ranks, rank after rank, in "a" and "t" (total, count); "micro" (ranks) says how many each has,
 * "first_micro" (ranks) where they begin.
 * Switches: "reversed" (see runner/call.h), "overlap", "disorder" (units out of order first), "alone"
 * (rank 0 goes first), "unsorted" (the gain is listed before the matrices). "ended" says which buckets
 * have ended before the call, 1: the first is finished and freed; 2: all but the last are done.
 */
#ifndef VIALATA_GRADE_LABS_03_DATA_PARALLEL_DATA_PARALLEL_H
#define VIALATA_GRADE_LABS_03_DATA_PARALLEL_DATA_PARALLEL_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"
#include "grade/shared/model.h"

/* What is special about a case: switches that may be combined. */
enum vl_replicas_variant {
    VL_R_SHORT = 1,        /* fewer elements than ranks; units with fewer elements than ranks */
    VL_R_EMPTY = 2,        /* nothing */
    VL_R_REVERSED = 4,     /* the communicator numbers the ranks in reverse */
    VL_R_BUCKETS = 8,      /* some units per bucket; one bucket is exactly full */
    VL_R_ONE = 16,         /* one bucket for all */
    VL_R_DISORDER = 32,    /* units out of order are refused */
    VL_R_OVERLAP = 64,     /* the step uses buckets */
    VL_R_ACCUMULATE = 128, /* several micro-batches per rank, the same number on each */
    VL_R_UNEVEN = 256,     /* ranks have different numbers of micro-batches */
    VL_R_IDLE = 512,       /* some ranks have none */
    VL_R_CLIPPED = 1024,   /* the norm is above max_norm */
    VL_R_FAILS = 2048,     /* a forward fails */
    VL_R_LARGE = 4096,     /* so many elements that the bytes of a loss are negligible */
    VL_R_BACK = 8192,      /* a backward fails */
    VL_R_NO_STEP = 16384,  /* step 0, which AdamW refuses */
    VL_R_UNREADY = 65536,  /* finish is called before the last unit was ready */
    VL_R_ENDED = 262144,   /* the first bucket is finished before the others are polled */
    VL_R_BULKY = 131072,   /* a unit in the middle is larger than a bucket */
    VL_R_SCALES = 32768,   /* the order of sums decides over many bits of the norm */
    VL_R_BELOW = 524288,   /* there is a max_norm, and the norm is below it */
    VL_R_DONE = 1048576,   /* all buckets but the last are done, and not freed yet */
    VL_R_ALONE = 2097152,  /* rank 0 calls before the others do anything */
    VL_R_MIXED = 4194304   /* the tensors are not listed in the order of the arrays */
};

vl_make_function vl_make_replica_rows, vl_make_replica_sum, vl_make_chunked_norm,
    vl_make_replica_equalise, vl_make_replica_reduce, vl_make_buckets, vl_make_replica_step,
    vl_make_replicas_train;

vl_part_function vl_part_data_parallel;

vl_truth_function vl_truth_replica_rows, vl_truth_replica_sum, vl_truth_chunked_norm,
    vl_truth_replica_equalise, vl_truth_replica_reduce, vl_truth_buckets_begin,
    vl_truth_buckets_ready, vl_truth_buckets_disorder, vl_truth_buckets_poll,
    vl_truth_buckets_finish, vl_truth_replica_step, vl_truth_replica_bits, vl_truth_replica_norm,
    vl_truth_replicas_train, vl_truth_reduce_traffic, vl_truth_accumulation_traffic,
    vl_truth_overlap, vl_truth_flat, vl_truth_bucket_traffic, vl_truth_predict_sent,
    vl_truth_predict_accumulated, vl_truth_predict_hidden;

/* ---- shared by the truths ---- */

/* How many ranks the case has. */
int vl_replicas_of(const struct vl_scope *scope);

/* Where buckets of bucket_bytes close, as vl_oracle_buckets says, and how many there are. */
enum { VL_MOST_REPLICA_UNITS = 8 };
struct vl_bucket_trace {
    size_t started[VL_MOST_REPLICA_UNITS], open_end[VL_MOST_REPLICA_UNITS], buckets;
};
struct vl_bucket_trace vl_trace_buckets(const struct vl_scope *scope, size_t bucket_bytes);

#endif
