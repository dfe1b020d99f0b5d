/*
 * Calls of lab 03 that need a learner: one step, what it sends and when, and five steps.
 */
#include "comm/meter.h"
#include "grade/labs/03_data_parallel/runner/replicas.h"
#include "runner/arrays.h"
#include "runner/learner.h"
#include "runner/unit_toy.h"

#include <string.h>

/* A replica of the toy: three tensors, this rank's micro-batches. The toy comes first, so that the
 * learner's model is the replica too. */
struct replica {
    struct vl_unit_toy toy;
    struct vl_learner learner;
    struct vl_tensor tensors[VL_TOY_TENSORS];
    struct vl_transfer *flight[VL_MOST_UNITS];
    struct vl_replicas replicas;
    size_t micro_batches;
    int rank, ranks, has_toy;
};

/* All but weights, gradients, m and v, and which micro-batches are this rank's. */
static void describe(struct replica *replica, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    memset(replica, 0, sizeof *replica);
    MPI_Comm_rank(vl_case_comm(), &replica->rank);
    MPI_Comm_size(vl_case_comm(), &replica->ranks);
    vl_toy_tensors(replica->tensors, inputs);
    replica->learner = (struct vl_learner){
        .count = vl_input_size(inputs, "count"),
        .tensors = replica->tensors,
        .tensor_count = VL_TOY_TENSORS,
        .units = vl_input_units(outputs, inputs),
        .unit_count = vl_input_size(inputs, "unit_count"),
    };
    replica->has_toy = vl_unit_toy_open(&replica->toy, &replica->learner, outputs, inputs);
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
    return l->weights && l->gradients && l->m && l->v && l->units &&
           l->unit_count <= VL_MOST_UNITS && replica->has_toy;
}

static int prepare(struct replica *replica, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    const int32_t *micro = vl_bag_i32(inputs, "micro");
    describe(replica, outputs, inputs);
    size_t count = replica->learner.count, first = 0;
    replica->learner.weights = vl_begun_floats(outputs, inputs, "weights", 0, count);
    replica->learner.m = vl_begun_floats(outputs, inputs, "m", 0, count);
    replica->learner.v = vl_begun_floats(outputs, inputs, "v", 0, count);
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
static int are_apart(const struct replica *replica, const struct vl_step_result *result)
{
    _Static_assert(sizeof *result % sizeof(float) == 0, "bits of a result, as if they were floats");
    float bits[sizeof *result / sizeof(float)];
    memcpy(bits, result, sizeof bits);
    int64_t weights = vl_same_everywhere(replica->learner.weights, replica->learner.count),
            results = vl_same_everywhere(bits, sizeof bits / sizeof *bits);
    return !weights || !results;
}

VL_CALL(replica_step)
{
    struct replica replica;
    struct vl_step_report report;
    if (!vl_step_report_begin(&report, outputs) || !prepare(&replica, outputs, inputs))
        return VL_EINTERNAL;
    enum vl_status status = one_step(&replica, replica.micro_batches, inputs, &report.result);
    vl_step_report_end(&report);
    if (!vl_bag_set_int(outputs, "hooks_left", replica.learner.hooks != NULL) ||
        (status == VL_OK &&
         !vl_bag_set_int(outputs, "ranks_apart", are_apart(&replica, &report.result))))
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

/* Stands between backward and the hooks: which calls of ready handed something to MPI? */
struct listener {
    struct replica replica; /* first: the learner's model is the listener too */
    const struct vl_unit_hooks *theirs;
    size_t pending;                   /* elements that are ready, but nothing was sent since */
    size_t started;                   /* elements whose bucket is on its way */
    uint64_t before_step, before_end; /* bytes sent as the step began, and as backward ended */
};

static enum vl_status heard_ready(void *context, size_t unit)
{
    struct listener *listener = context;
    const struct vl_learner *learner = &listener->replica.learner;
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

static enum vl_status heard_backward(void *model, size_t micro_batch)
{
    struct listener *listener = model;
    struct vl_learner *learner = &listener->replica.learner;
    const struct vl_unit_hooks ours = {
        .context = listener, .ready = heard_ready, .poll = heard_poll};
    listener->theirs = learner->hooks;
    if (listener->theirs != NULL)
        learner->hooks = &ours;
    enum vl_status status = vl_unit_toy_backward(&listener->replica.toy, micro_batch);
    learner->hooks = listener->theirs;
    listener->before_end = vl_meter_now()->total.sent_bytes - listener->before_step;
    return status;
}

VL_CALL(overlap)
{
    struct listener listener = {.before_step = vl_meter_now()->total.sent_bytes};
    struct replica *replica = &listener.replica;
    struct vl_step_result result = {0, 0};
    if (!prepare(replica, outputs, inputs))
        return VL_EINTERNAL;
    replica->learner.backward = heard_backward;
    enum vl_status status = one_step(replica, replica->micro_batches, inputs, &result);
    double share = (double)listener.started / (double)replica->learner.count;
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
    double *losses = vl_unwritten_doubles(outputs, "losses", steps);
    describe(&replica, outputs, inputs);
    struct vl_learner *l = &replica.learner;
    l->weights = vl_own_row(outputs, inputs, "weights", "own_weights", l->count);
    l->gradients = vl_bag_add_f32(outputs, "gradients", 1, l->count);
    l->m = vl_bag_add_f32(outputs, "m", 1, l->count);
    l->v = vl_bag_add_f32(outputs, "v", 1, l->count);
    if (!losses || !is_complete(&replica))
        return VL_EINTERNAL;
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
        replica.replicas.overlap = step % 2 == 0; /* both ways must give the same */
        status = vl_replica_step(&replica.replicas, l, rows, &settings,
                                 (float)vl_bag_real(inputs, "max_norm"), step + 1, &result);
        losses[step] = result.loss;
    }
    return status;
}
