/*
 * Calls of lab 03 that need a learner: one step, what it sends and when, and five steps.
 */
#include "comm/meter.h"
#include "grade/labs/03_data_parallel/runner/replicas.h"
#include "runner/arrays.h"
#include "runner/call.h"
#include "runner/learner.h"
#include "runner/unit_toy.h"

#include "vialata/data_parallel.h"

#include <string.h>

#define MOST_UNITS 16

/* A replica of the toy: three tensors, this rank's micro-batches. */
struct replica {
    struct vl_learner learner;
    struct vl_unit_toy toy;
    struct vl_tensor tensors[3];
    struct vl_transfer *flight[MOST_UNITS];
    struct vl_replicas replicas;
    size_t micro_batches;
    int rank, ranks;
};

/* An output that starts as the input of the same name. */
static float *working_copy(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                           size_t count)
{
    const struct vl_tensor_entry *before = vl_bag_find(inputs, name);
    float *copy = vl_bag_add_f32(outputs, name, 1, count);
    if (copy && before && before->dtype == VL_F32 && before->count == count)
        memcpy(copy, before->data, count * sizeof *copy);
    return copy;
}

/* All but weights, gradients, m and v, and which micro-batches are this rank's. */
static void describe(struct replica *replica, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    size_t count = vl_input_size(inputs, "count"), rows = vl_input_size(inputs, "rows"),
           cols = vl_input_size(inputs, "cols");
    memset(replica, 0, sizeof *replica);
    MPI_Comm_rank(vl_case_comm(), &replica->rank);
    MPI_Comm_size(vl_case_comm(), &replica->ranks);
    const struct vl_tensor tensors[] = {
        {"first.weight", 0, rows, cols, 1},
        {"gain.weight", rows * cols, 1, cols, 0},
        {"second.weight", rows * cols + cols, rows, cols, 1},
    };
    memcpy(replica->tensors, tensors, sizeof tensors);
    replica->learner = (struct vl_learner){
        .count = count,
        .tensors = replica->tensors,
        .tensor_count = 3,
        .units = vl_input_units(outputs, inputs),
        .unit_count = vl_input_size(inputs, "unit_count"),
        .forward = vl_unit_toy_forward,
        .backward = vl_unit_toy_backward,
        .model = &replica->toy,
    };
    replica->toy = (struct vl_unit_toy){
        .learner = &replica->learner,
        .a = vl_bag_f32(inputs, "a"),
        .t = vl_bag_f32(inputs, "t"),
        .residual = vl_bag_add_f32(outputs, "residual", 1, count),
        .fails_at = vl_input_size(inputs, "fails_at"),
    };
    replica->replicas = (struct vl_replicas){
        .comm = vl_case_comm(),
        .overlap = vl_input_size(inputs, "overlap") != 0,
        .bucket_bytes = vl_input_size(inputs, "bucket_bytes"),
        .flight = replica->flight,
    };
}

static int is_complete(const struct replica *replica)
{
    const struct vl_learner *l = &replica->learner;
    return l->weights && l->gradients && l->m && l->v && l->units && l->unit_count <= MOST_UNITS &&
           replica->toy.a && replica->toy.t && replica->toy.residual;
}

static int prepare(struct replica *replica, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    const int32_t *micro = vl_bag_i32(inputs, "micro");
    describe(replica, outputs, inputs);
    size_t count = replica->learner.count, first = 0;
    replica->learner.weights = working_copy(outputs, inputs, "weights", count);
    replica->learner.m = working_copy(outputs, inputs, "m", count);
    replica->learner.v = working_copy(outputs, inputs, "v", count);
    replica->learner.gradients = vl_own_row(outputs, inputs, "gradients", "own_gradients", count);
    if (!is_complete(replica) || !micro)
        return 0;
    for (int r = 0; r < replica->rank; r++)
        first += (size_t)micro[r];
    replica->toy.a += first * count;
    replica->toy.t += first * count;
    replica->micro_batches = (size_t)micro[replica->rank];
    return 1;
}

static enum vl_status one_step(struct replica *replica, size_t micro_batches,
                               const struct vl_bag *inputs, struct vl_step_result *result)
{
    struct vl_adamw settings = vl_settings(inputs);
    return vl_replica_step(&replica->replicas, &replica->learner, micro_batches, &settings,
                           (float)vl_bag_real(inputs, "max_norm"),
                           (uint64_t)vl_input_size(inputs, "step"), result);
}

/* ---- the step ---- */

/* Does any rank have other bits than rank 0? */
static int are_apart(const struct replica *replica, struct vl_bag *work,
                     const struct vl_step_result *result)
{
    MPI_Comm comm = vl_case_comm();
    const struct vl_learner *l = &replica->learner;
    float *other = vl_bag_add_f32(work, "of_rank_0", 1, l->count);
    struct vl_step_result first = *result;
    int mine, all;
    if (!other)
        return -1;
    memcpy(other, l->weights, l->count * sizeof *other);
    PMPI_Bcast(other, (int)l->count, MPI_FLOAT, 0, comm);
    PMPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, comm);
    mine = memcmp(other, l->weights, l->count * sizeof *other) != 0 ||
           memcmp(&first, result, sizeof first) != 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, comm);
    return all;
}

VL_CALL(replica_step)
{
    struct replica replica;
    double *loss = vl_bag_add_f64(outputs, "loss", 1, 1);
    double *norm = vl_bag_add_f64(outputs, "gradient_norm", 1, 1);
    if (!prepare(&replica, outputs, inputs) || !loss || !norm)
        return VL_EINTERNAL;
    vl_bag_poison(outputs, "loss");
    vl_bag_poison(outputs, "gradient_norm");
    struct vl_step_result result;
    memcpy(&result.loss, loss, sizeof *loss); /* poison */
    memcpy(&result.gradient_norm, norm, sizeof *norm);
    enum vl_status status = one_step(&replica, replica.micro_batches, inputs, &result);
    memcpy(loss, &result.loss, sizeof *loss);
    memcpy(norm, &result.gradient_norm, sizeof *norm);
    if (!vl_bag_set_int(outputs, "hooks_left", replica.learner.hooks != NULL))
        return VL_EINTERNAL;
    if (status == VL_OK &&
        !vl_bag_set_int(outputs, "ranks_apart", are_apart(&replica, outputs, &result)))
        return VL_EINTERNAL;
    return status;
}

/* ---- what it sends ---- */

static enum vl_status count_step(int64_t *bytes, struct replica *replica, size_t micro_batches,
                                 const struct vl_bag *inputs)
{
    struct vl_step_result result = {0, 0};
    uint64_t before = vl_meter_now()->total.sent_bytes;
    enum vl_status status = one_step(replica, micro_batches, inputs, &result);
    *bytes = (int64_t)(vl_meter_now()->total.sent_bytes - before);
    return status;
}

VL_CALL(accumulation_traffic)
{
    struct replica replica;
    int64_t *one = vl_whole_output(outputs, "bytes_one", 1),
            *all = vl_whole_output(outputs, "bytes_accumulated", 1);
    if (!prepare(&replica, outputs, inputs) || !one || !all)
        return VL_EINTERNAL;
    enum vl_status status = count_step(one, &replica, 1, inputs);
    return status == VL_OK ? count_step(all, &replica, replica.micro_batches, inputs) : status;
}

/* ---- and when ---- */

/* Listens in on the hooks: which calls of ready have handed something to MPI? */
struct listener {
    struct replica *replica;
    const struct vl_unit_hooks *theirs;
    size_t pending;                   /* elements that are ready, but nothing was sent since */
    size_t started;                   /* elements whose bucket is on its way */
    uint64_t before_step, before_end; /* bytes sent as the step began, and as backward ended */
};

static enum vl_status heard_ready(void *context, size_t unit)
{
    struct listener *listener = context;
    const struct vl_learner *learner = &listener->replica->learner;
    const struct vl_unit_hooks *theirs = listener->theirs;
    uint64_t before = vl_meter_now()->total.sent_messages;
    enum vl_status status = theirs->ready != NULL ? theirs->ready(theirs->context, unit) : VL_OK;
    if (unit == 0) /* backward has nothing left to do */
        return status;
    listener->pending += learner->units[unit + 1] - learner->units[unit];
    if (vl_meter_now()->total.sent_messages > before) {
        listener->started += listener->pending;
        listener->pending = 0;
    }
    return status;
}

static enum vl_status heard_poll(void *context)
{
    struct listener *listener = context;
    const struct vl_unit_hooks *theirs = listener->theirs;
    return theirs->poll != NULL ? theirs->poll(theirs->context) : VL_OK;
}

static enum vl_status heard_forward(void *model, size_t micro_batch, double *loss)
{
    struct listener *listener = model;
    return vl_unit_toy_forward(&listener->replica->toy, micro_batch, loss);
}

static enum vl_status heard_backward(void *model, size_t micro_batch)
{
    struct listener *listener = model;
    struct vl_learner *learner = &listener->replica->learner;
    const struct vl_unit_hooks ours = {
        .context = listener, .ready = heard_ready, .poll = heard_poll};
    listener->theirs = learner->hooks;
    if (listener->theirs != NULL)
        learner->hooks = &ours;
    enum vl_status status = vl_unit_toy_backward(&listener->replica->toy, micro_batch);
    learner->hooks = listener->theirs;
    listener->before_end = vl_meter_now()->total.sent_bytes - listener->before_step;
    return status;
}

VL_CALL(overlap)
{
    struct replica replica;
    struct vl_step_result result = {0, 0};
    if (!prepare(&replica, outputs, inputs))
        return VL_EINTERNAL;
    struct listener listener = {.replica = &replica,
                                .before_step = vl_meter_now()->total.sent_bytes};
    replica.learner.model = &listener;
    replica.learner.forward = heard_forward;
    replica.learner.backward = heard_backward;
    enum vl_status status = one_step(&replica, replica.micro_batches, inputs, &result);
    double share = (double)listener.started / (double)replica.learner.count;
    if (!vl_bag_set_real(outputs, "started_share", share) ||
        !vl_bag_set_int(outputs, "bytes_before_end", (int64_t)listener.before_end))
        return VL_EINTERNAL;
    return status;
}

/* ---- five steps ---- */

VL_CALL(replicas_train)
{
    struct replica replica;
    size_t steps = vl_input_size(inputs, "steps"), batch = vl_input_size(inputs, "batch");
    double *losses = vl_bag_add_f64(outputs, "losses", 1, steps);
    describe(&replica, outputs, inputs);
    struct vl_learner *l = &replica.learner;
    l->weights = vl_own_row(outputs, inputs, "weights", "own_weights", l->count);
    l->gradients = vl_bag_add_f32(outputs, "gradients", 1, l->count);
    l->m = vl_bag_add_f32(outputs, "m", 1, l->count);
    l->v = vl_bag_add_f32(outputs, "v", 1, l->count);
    if (!losses || !is_complete(&replica))
        return VL_EINTERNAL;
    vl_bag_poison(outputs, "losses");
    size_t first, rows;
    const float *a = replica.toy.a, *t = replica.toy.t;
    struct vl_adamw settings = vl_settings(inputs);
    enum vl_status status = vl_replica_equalise(vl_case_comm(), l->weights, l->count);
    if (status == VL_OK)
        status = vl_replica_rows(&first, &rows, batch, replica.rank, replica.ranks);
    for (size_t step = 0; step < steps && status == VL_OK; step++) {
        struct vl_step_result result = {0, 0};
        replica.toy.a = a + (step * batch + first) * l->count;
        replica.toy.t = t + (step * batch + first) * l->count;
        replica.replicas.overlap = step % 2 == 0; /* both ways must lead to the same */
        status = vl_replica_step(&replica.replicas, l, rows, &settings,
                                 (float)vl_bag_real(inputs, "max_norm"), step + 1, &result);
        losses[step] = result.loss;
    }
    return status;
}
