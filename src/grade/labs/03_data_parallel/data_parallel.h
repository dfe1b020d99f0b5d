/*
 * Lab 03 inside the grader: makers of inputs, truths and suspects.
 *
 * Inputs are one bag for all ranks. What differs between ranks is a row a rank: "own_weights",
 * "own_gradients" (ranks, n). Scalars: n, count, unit_count, bucket_bytes, step, max_norm, the
 * optimizer's settings; "units" (unit_count + 1). The toy learner has the micro-batches of all
 * ranks one behind the other in "a" and "t" (total, count); "micro" (ranks) says how many each has.
 * Switches: "reversed" (see runner/call.h), "overlap", "disorder" (units out of order first).
 */
#ifndef VIALATA_GRADE_LABS_03_DATA_PARALLEL_DATA_PARALLEL_H
#define VIALATA_GRADE_LABS_03_DATA_PARALLEL_DATA_PARALLEL_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"
#include "grade/shared/model.h"

/* What is special about a case: switches that may stand together. */
enum vl_replicas_variant {
    VL_R_SHORT = 1,        /* fewer elements than ranks; units with fewer elements than ranks */
    VL_R_EMPTY = 2,        /* nothing */
    VL_R_REVERSED = 4,     /* the communicator's ranks are not those of the world */
    VL_R_BUCKETS = 8,      /* some units a bucket; one bucket is exactly full */
    VL_R_ONE = 16,         /* one bucket for all */
    VL_R_DISORDER = 32,    /* units out of order are refused */
    VL_R_OVERLAP = 64,     /* the step uses buckets */
    VL_R_ACCUMULATE = 128, /* several micro-batches a rank, the same number on each */
    VL_R_UNEVEN = 256,     /* ranks have different numbers of micro-batches */
    VL_R_IDLE = 512,       /* some ranks have none */
    VL_R_CLIPPED = 1024,   /* the norm is above max_norm */
    VL_R_FAILS = 2048,     /* a forward fails */
    VL_R_LARGE = 4096      /* so many elements that a loss beside them does not weigh */
};

VL_MAKE(replica_rows);
VL_MAKE(replica_sum);
VL_MAKE(chunked_norm);
VL_MAKE(replica_equalise);
VL_MAKE(replica_reduce);
VL_MAKE(buckets);
VL_MAKE(replica_step);
VL_MAKE(replicas_train);
VL_MAKE(predict_data_parallel);

VL_TRUTH(replica_rows);
VL_TRUTH(replica_sum);
VL_TRUTH(chunked_norm);
VL_TRUTH(replica_equalise);
VL_TRUTH(replica_reduce);
VL_TRUTH(buckets_begin);
VL_TRUTH(buckets_ready);
VL_TRUTH(buckets_disorder);
VL_TRUTH(buckets_poll);
VL_TRUTH(buckets_finish);
VL_TRUTH(replica_step);
VL_TRUTH(replica_bits);
VL_TRUTH(replicas_train);
VL_TRUTH(reduce_traffic);
VL_TRUTH(accumulation_traffic);
VL_TRUTH(overlap);
VL_TRUTH(flat);
VL_TRUTH(bucket_traffic);
VL_TRUTH(predict_sent);
VL_TRUTH(predict_accumulated);
VL_TRUTH(predict_hidden);

/* ---- shared by truths and suspects ---- */

/* How many ranks the case has, from its inputs. */
int vl_replicas_of(const struct vl_bag *inputs);

/* The units of the inputs as the contract has them; freed by the caller. NULL without memory. */
size_t *vl_units_of(const struct vl_bag *inputs);

/* Bytes a rank sends for the gradients of one step: flat, or bucket by bucket. */
size_t vl_step_bytes(const struct vl_bag *inputs, int rank);
/* How many elements the last bucket has: those that are never ready before backward ends. */
size_t vl_last_bucket(const struct vl_bag *inputs);
/* The bucket sizes that bucket_traffic tries: every unit, some units, everything. */
enum { VL_BUCKET_SIZES = 3 };
size_t vl_bucket_size(const struct vl_bag *inputs, size_t which);
/* Messages of one backward with that size. */
size_t vl_bucket_messages(const struct vl_bag *inputs, size_t which);

/* The model and the ranks of the prediction: parameters, those of the embedding, ranks. */
struct vl_predicted {
    double all, embedding, ranks, units, micro_batches;
};
enum vl_status vl_predicted_case(struct vl_predicted *predicted, const struct vl_bag *inputs);

extern const struct vl_suspect vl_suspects_replica_equalise[];
extern const struct vl_suspect vl_suspects_replica_reduce[];
extern const struct vl_suspect vl_suspects_buckets_begin[];
extern const struct vl_suspect vl_suspects_buckets_ready[];
extern const struct vl_suspect vl_suspects_buckets_disorder[];
extern const struct vl_suspect vl_suspects_buckets_poll[];
extern const struct vl_suspect vl_suspects_buckets_finish[];
extern const struct vl_suspect vl_suspects_replica_step[];
extern const struct vl_suspect vl_suspects_replica_bits[];
extern const struct vl_suspect vl_suspects_reduce_traffic[];
extern const struct vl_suspect vl_suspects_accumulation_traffic[];
extern const struct vl_suspect vl_suspects_overlap[];
extern const struct vl_suspect vl_suspects_flat[];
extern const struct vl_suspect vl_suspects_bucket_traffic[];
extern const struct vl_suspect vl_suspects_predict_sent[];
extern const struct vl_suspect vl_suspects_predict_accumulated[];
extern const struct vl_suspect vl_suspects_predict_hidden[];

extern const struct vl_lab_cases vl_cases_data_parallel;

#endif
