/*
 * ZeRO: replicas that do not all keep the same things.
 *
 * P ranks train one model in float32. Every *unit* is cut into P chunks (vl_chunk). A rank's shard
 * is its chunk of each unit, and these chunks follow one another. Rank r keeps (whole = everything,
 * r = its shard):
 *
 *                weights      gradients    m and v
 *   stage 0      whole        whole        whole          plain data parallelism (lab 03)
 *   stage 1      whole        whole        r
 *   stage 2      whole        r            r              + lent: whole units of gradients
 *   stage 3      r            r            r              + lent: whole units of both
 *
 *   unit 0 |0011223| unit 1 |00112233| unit 2 |0123|      P = 4: which rank owns which element
 *   shard of rank 1: |11|11|1|
 *
 * Lent memory: two buffers for whole units of gradients (backward adds to one while the other is
 * sent) and two for whole units of weights, however many units there are. Each buffer is as large
 * as the largest unit.
 *
 * Everything goes unit by unit through vialata/collectives.h, so sums are those of lab 03 with
 * every unit a bucket, bit for bit. An unknown stage is refused; no stage falls back to another.
 * Source: Rajbhandari et al. 2019, "ZeRO", arXiv:1910.02054.
 */
#ifndef VIALATA_ZERO_H
#define VIALATA_ZERO_H

#include "vialata/collectives.h"
#include "vialata/data_parallel.h"
#include "vialata/training_step.h"
#include "vialata/unit_hooks.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* Where a rank's chunk of a unit lies: in the whole arrays (first), in its shard (place), and how
 * long it is (count; may be 0). Serial. */
struct vl_piece {
    size_t first;
    size_t place;
    size_t count;
};
enum vl_status vl_shard_piece(struct vl_piece *piece, const size_t *units, size_t unit_count,
                              size_t unit, int rank, int ranks);

/* How many elements of each kind a rank keeps; the caller allocates just that. */
struct vl_zero_plan {
    size_t weights;
    size_t gradients;
    size_t moments;        /* of m, and as many of v */
    size_t lent_weights;   /* both buffers together */
    size_t lent_gradients; /* both buffers together */
};
/* Serial. VL_EINVAL for a stage other than 1, 2, 3, for no units, or a rank outside 0 .. P-1. */
enum vl_status vl_zero_plan(struct vl_zero_plan *plan, int stage, const size_t *units,
                            size_t unit_count, int rank, int ranks);

/* One rank's part. The caller fills in the members down to 'flight'. */
struct vl_zero {
    MPI_Comm comm;
    int rank, ranks, stage;
    const size_t *units; /* (unit_count + 1) */
    size_t unit_count;
    const struct vl_tensor *tensors;
    size_t tensor_count;

    float *weights;              /* as planned: whole, or the shard */
    float *gradients;            /* whole, or the shard */
    float *m, *v;                /* the shard */
    float *lent_weights;         /* two buffers */
    float *lent_gradients;       /* two buffers */
    struct vl_transfer **flight; /* (unit_count): of each unit; NULL if it is not under way */

    /* Yours, zero at first: which buffers are in use. */
    size_t lent[2];   /* 1 + the unit in each buffer of weights; 0: the buffer is free */
    size_t adding[2]; /* 1 + the unit in each buffer of gradients */
    size_t turn[2];   /* which buffer comes next, of weights and of gradients */

    /* Yours too, zero at first: the unit whose weights are fetched ahead of time. */
    size_t ahead;               /* 1 + the unit, from prefetch until borrow; 0: none */
    struct vl_transfer *coming; /* its gather */
};

/* The functions below that take a 'void *context' are hooks (vialata/unit_hooks.h); the context is
 * a struct vl_zero. */

/* ---- stage 3: parameters, a unit at a time (hooks 'borrow', 'give_back' and 'prefetch') ---- */

/* Gather the weights of a unit into a buffer; *weights then points to them. At stages 1 and 2 it
 * points to where they are anyway, and nothing is sent. VL_EINVAL if both buffers are taken.
 * Collective. */
enum vl_status vl_zero_borrow(void *context, size_t unit, const float **weights);
/* The unit is no longer read: its buffer is free again. VL_EINVAL if it was not lent
 * (or is only being fetched). */
enum vl_status vl_zero_give_back(void *context, size_t unit);

/*
 * Start to gather the weights of a unit into the free buffer, and return without waiting. From then
 * on vl_zero_poll drives this gather too, and vl_zero_borrow of the unit only waits for the rest of
 * it: nothing is sent twice. So the weights travel while the unit before them computes:
 *
 *   forward    | unit 1         | unit 2         | unit 3         |
 *   buffer 0   [ in use        ][ unit 3 coming   in use         ]
 *   buffer 1   [ unit 2 coming   in use         ][ unit 4 coming  ...
 *
 * Every unit that is fetched is borrowed next, in forward and in backward order. At stages 1 and 2
 * nothing happens. VL_EINVAL, and nothing is sent, if both buffers are taken or another unit is
 * already being fetched. A step without this hook is right too, but slower. Collective.
 */
enum vl_status vl_zero_prefetch(void *context, size_t unit);

/* ---- stage 2: gradients (hooks 'gradients', 'ready', 'poll') ---- */

/* Where backward adds the gradients of a unit. Stage 1: in the whole array. Stages 2 and 3: the
 * buffer whose turn it is, zeroed; if its old contents are still being sent, wait for that first.
 * The buffers take strict turns, so that all ranks wait at the same place. VL_EINVAL if backward is
 * still adding to that buffer. */
enum vl_status vl_zero_gradients(void *context, size_t unit, float **gradients);
/* Start the reduce-scatter of the unit. What comes back is added to this rank's shard (stages 2 and
 * 3) or stays in its chunk of the whole array (stage 1). Never waits, nor does poll, which also
 * drives the gather of weights that are fetched ahead. Collective. */
enum vl_status vl_zero_ready(void *context, size_t unit);
enum vl_status vl_zero_poll(void *context);
/* Wait for everything under way; afterwards this rank's chunks hold the sums. */
enum vl_status vl_zero_finish(struct vl_zero *zero);

/* ---- stage 1: the update on a shard ---- */

/* The global norm from sharded gradients, with the bits that vl_chunked_norm has for whole ones.
 * Collective; every rank contributes one float64 per unit. */
enum vl_status vl_zero_norm(double *norm, const struct vl_zero *zero);

/* AdamW on this rank's chunks: m and v from the shard, decay as each tensor has it (a chunk may cut
 * through tensors). Then, at stages 1 and 2, all-gather the weights of every unit. Collective. */
enum vl_status vl_zero_update(struct vl_zero *zero, const struct vl_adamw *settings, float scale,
                              uint64_t step);

/*
 * One training step, as vl_replica_step: gradients are zeroed, the learner has the hooks while
 * they are needed (stage 1: ready and poll during the last backward; stages 2 and 3: all through
 * every micro-batch; removed again, even if something failed), then norm, clipping, update. So
 * stage 1 reduces once per step, stages 2 and 3 once per micro-batch. micro_batches (at least 1) is
 * the same on every rank: on a rank without rows forward and backward visit the units and add
 * nothing. Loss (vl_replica_sum) and norm are those of the whole batch, the same bits everywhere. A
 * status other than VL_OK from any function called is returned at once; the other ranks wait in
 * vain, so the caller ends the job. Collective over zero->comm.
 */
enum vl_status vl_zero_step(struct vl_zero *zero, struct vl_learner *learner, size_t micro_batches,
                            const struct vl_adamw *settings, float max_norm, uint64_t step,
                            struct vl_step_result *result);

/* ---- on paper ---- */

/* Bytes of weights, gradients and moments on a rank that holds exactly 1/P of every shared kind
 * (without the lent buffers), and the elements that one rank sends in a step of one micro-batch
 * (its share of every ring: P-1 of P parts). Stages 0 to 3; the closed forms are yours. VL_EINVAL
 * otherwise. */
enum vl_status vl_zero_state_bytes(double *bytes, int stage, double parameters, int ranks);
enum vl_status vl_zero_sent_elements(double *elements, int stage, double parameters, int ranks);

/* Written down before measuring, for the case that the lab's text gives; zero: not sealed yet. */
struct vl_zero_prediction {
    uint64_t state_bytes_1, state_bytes_2, state_bytes_3; /* of a rank, without lent buffers */
    uint64_t sent_bytes_3;                                /* by one rank in one step */
};
enum vl_status vl_predict_zero(struct vl_zero_prediction *prediction);

#endif
