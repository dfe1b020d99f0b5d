/*
 * Data parallelism: P replicas of one model, each with its own rows of the batch.
 *
 *                   rows 0 1 2    rows 3 4    rows 5 6
 *                    replica 0    replica 1   replica 2      R = 7 rows, P = 3
 *   weights             w            w           w           the same everywhere, always
 *   gradients          g0           g1          g2           of own rows, scaled by 1 / all tokens
 *                        \___________|__________/
 *   after summing       g            g           g           = one device with the whole batch
 *   m, v, update       same         same        same         each replica for itself
 *
 * Losses and gradients are divided by the tokens of the *whole* batch before they are summed. So a
 * replica with fewer rows has less weight, and no averages are averaged.
 *
 * All functions communicate through vialata/collectives.h only.
 * Sources: Li et al. 2020, "PyTorch Distributed", arXiv:2006.15704.
 */
#ifndef VIALATA_DATA_PARALLEL_H
#define VIALATA_DATA_PARALLEL_H

#include "vialata/collectives.h"
#include "vialata/training_step.h"
#include "vialata/unit_hooks.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* The rows of one replica: cut like chunks. A replica may have none. Serial. VL_EINVAL unless
 * 0 <= replica < replicas. */
enum vl_status vl_replica_rows(size_t *first, size_t *count, size_t rows, int replica,
                               int replicas);

/* Before the first step: everybody gets the weights (n) of replica 0, bit for bit. Collective. */
enum vl_status vl_replica_equalise(MPI_Comm comm, float *weights, size_t n);

/* value = the sum of 'value' over all replicas, added in rank order, so that all have the same
 * bits. Collective. */
enum vl_status vl_replica_sum(MPI_Comm comm, double *value);

/* The flat way: after backward, sum gradients (n) over all replicas, in place, in one all-reduce.
 * Collective. */
enum vl_status vl_replica_reduce(MPI_Comm comm, float *gradients, size_t n);

/*
 * The overlapping way: buckets. A bucket is a run of neighbouring units; it is closed, last unit
 * first, as soon as it holds at least bucket_bytes (0: every unit is a bucket of its own), and its
 * all-reduce starts the moment its last unit is ready - while backward works on the units below.
 *
 *   backward    | head | layer 2 | layer 1 | embedding |
 *   on the way         [ bucket 0 ........]
 *                                [ bucket 1 ........]
 *                                          ...
 */
struct vl_buckets {
    MPI_Comm comm;
    float *gradients;    /* (units[unit_count]) */
    const size_t *units; /* (unit_count + 1): where each unit begins, then the end */
    size_t unit_count;
    size_t bucket_bytes;
    size_t waiting;              /* units not ready yet: the next must be waiting - 1 */
    size_t open_end;             /* first element after the bucket that is being filled */
    size_t started;              /* buckets under way or done, in order; the tag of the next */
    struct vl_transfer **flight; /* (unit_count): of each bucket; NULL before its start, and once
                                  * it is finished and freed */
};

/* Ready for one backward. flight is the caller's memory, (unit_count) pointers, set to NULL here.
 * Serial. */
enum vl_status vl_buckets_begin(struct vl_buckets *buckets, MPI_Comm comm, float *gradients,
                                const size_t *units, size_t unit_count, size_t bucket_bytes,
                                struct vl_transfer **flight);

/* Unit 'unit' is ready. Called for every unit, last unit first; unit 0 closes the last bucket,
 * whatever it holds. VL_EINVAL out of order. Starts, never waits. */
enum vl_status vl_buckets_ready(struct vl_buckets *buckets, size_t unit);

/* Drive every bucket that is under way. Never waits. */
enum vl_status vl_buckets_poll(struct vl_buckets *buckets);

/* Wait until all buckets are done; then gradients hold the sums. VL_EINVAL, after waiting, if some
 * unit was never ready. Collective. */
enum vl_status vl_buckets_finish(struct vl_buckets *buckets);

/*
 * The norm of gradients that every replica holds whole, added up as if each rank held only its
 * chunk of each unit: sums of squares in float64, one per unit and chunk (from its first element to
 * its last), added unit by unit and in each unit chunk by chunk. Lab 04 shares the chunks out and
 * must get the same bits. Serial.
 */
enum vl_status vl_chunked_norm(double *norm, const float *gradients, const size_t *units,
                               size_t unit_count, int ranks);

/* How a replica's step sends its gradients. */
struct vl_replicas {
    MPI_Comm comm;
    int overlap; /* nonzero: buckets; zero: the flat way after backward */
    size_t bucket_bytes;
    struct vl_transfer **flight; /* (unit_count of the learner) */
};

/*
 * One training step of a replica (compare vl_training_step): its own micro_batches (which may be
 * 0: it has no rows and still takes part), *one* reduction per step however many micro-batches
 * there are, then the chunked norm, clipping and AdamW, the same on all replicas. With overlap the
 * hooks (ready, poll) are set in the learner for the last backward only, and removed after it, even
 * if it failed.
 * result: loss and norm of the whole batch, the same bits on every rank. A status other than VL_OK
 * from any function called is returned at once, and then weights, m and v are untouched; the other
 * replicas wait in vain, so the caller ends the job. Collective over replicas->comm.
 */
enum vl_status vl_replica_step(const struct vl_replicas *replicas, struct vl_learner *learner,
                               size_t micro_batches, const struct vl_adamw *settings,
                               float max_norm, uint64_t step, struct vl_step_result *result);

/* Written down before measuring, for the case that the lab's text gives; zero: not sealed yet. */
struct vl_data_parallel_prediction {
    uint64_t sent_bytes;  /* by one rank in one step */
    uint64_t accumulated; /* the same with micro-batches: by one rank in one step */
    double hidden_share;  /* of the gradient bytes: what may be sent before backward ends */
};
enum vl_status vl_predict_data_parallel(struct vl_data_parallel_prediction *prediction);

#endif
