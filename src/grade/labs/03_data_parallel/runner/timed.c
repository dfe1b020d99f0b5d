/*
 * Timed calls of lab 03, on two ranks: one large sum, and the real step of a real model.
 */
#include "runner/call.h"
#include "runner/timed_model.h"
#include "runner/timed_work.h"

#include "vialata/data_parallel.h"

/* ---- reduce ---- */

enum { SUM = 1 << 20 };

VL_TIMED_PREPARE(reduce, struct vl_timed_work)
{
    vl_timed_result(w, "gradients", vl_timed_keep_floats(w, SUM, 1), SUM);
}

static enum vl_status turn_reduce(void *opaque)
{
    const struct vl_timed_work *work = opaque;
    return vl_replica_reduce(vl_case_comm(), work->arrays[0], SUM);
}

/* ---- the step of a real model, this replica's rows ---- */

enum { LAYERS = 2, RANKS = 2 };

static enum vl_status step_model(struct vl_timed_model *timed, const int32_t *tokens,
                                 const int32_t *targets, uint64_t step)
{
    static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};
    static struct vl_transfer *flight[LAYERS + 2]; /* one step at a time */
    const struct vl_model_batch batch = {.tokens = tokens,
                                         .targets = targets,
                                         .rows = timed->rows,
                                         .micro_batches = 1,
                                         .total_rows = RANKS * timed->rows};
    const struct vl_replicas replicas = {
        .comm = vl_case_comm(), .overlap = 1, .bucket_bytes = 0, .flight = flight};
    enum vl_status status = vl_model_set_part(timed->model, &batch);
    VL_NEXT(status, vl_replica_step(&replicas, vl_model_learner(timed->model), 1, &settings, 1.0f,
                                    step, &timed->result));
    return status;
}

static enum vl_status prepare_step(void **work, uint64_t seed)
{
    static const struct vl_shape shape = {LAYERS, 128, 4, 352, 256, 64};
    int rank;
    MPI_Comm_rank(vl_case_comm(), &rank);
    return vl_timed_model_prepare(work, &shape, 3, VL_RECOMPUTE_NONE, seed, (uint64_t)rank,
                                  step_model);
}

const struct vl_timed_call vl_timed_data_parallel[] = {
    VL_TIMED("vl_replica_reduce", reduce),
    VL_TIMED_MODEL("vl_replica_step", step),
    {NULL, NULL, NULL, NULL, NULL},
};
