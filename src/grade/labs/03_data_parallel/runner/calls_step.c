/*
 * Calls of lab 03 that need a learner: one step, what it sends and when, and five steps.
 */
#include "comm/meter.h"
#include "grade/labs/03_data_parallel/runner/replicas.h"
#include "runner/arrays.h"
#include "runner/learner.h"
#include "runner/unit_toy.h"

#include <stdbool.h>
#include <string.h>

/* A replica of the toy: three tensors, this rank's micro-batches. The toy comes first, so that the
 * learner's model is the replica too. */
struct replica {
    struct vl_unit_toy toy;
    struct vl_learner learner;
    struct vl_tensor tensors[VL_TOY_TENSORS];
    struct vl_replicas replicas;
    size_t micro_batches, step;
    int rank, ranks;
};

/* The toy's tensors; 'unsorted': the gain first, and a matrix whose 'decays' is neither 0 nor 1. */
static void list_tensors(struct vl_tensor tensors[VL_TOY_TENSORS], const struct vl_bag *inputs)
{
    vl_toy_tensors(tensors, inputs);
    if (!vl_bag_int(inputs, "unsorted"))
        return;
    const struct vl_tensor matrix = tensors[0];
    tensors[0] = tensors[1];
    tensors[1] = matrix;
    tensors[2].decays = 2;
}

/* Everything but this rank's choice of micro-batches. */
static bool describe(struct replica *replica, float *weights, float *gradients,
                     struct vl_bag *outputs, const struct vl_bag *inputs)
{
    size_t count = vl_input_size(inputs, "count");
    struct vl_learner *l = &replica->learner;
    memset(replica, 0, sizeof *replica);
    MPI_Comm_rank(vl_case_comm(), &replica->rank);
    MPI_Comm_size(vl_case_comm(), &replica->ranks);
    list_tensors(replica->tensors, inputs);
    *l = (struct vl_learner){
        .weights = weights,
        .gradients = gradients,
        .m = vl_added_output(outputs, inputs, "m", 1, count),
        .v = vl_added_output(outputs, inputs, "v", 1, count),
        .count = count,
        .tensors = replica->tensors,
        .tensor_count = VL_TOY_TENSORS,
        .units = vl_bag_sizes(inputs, "units"),
        .unit_count = vl_input_size(inputs, "unit_count"),
    };
    replica->replicas = (struct vl_replicas){
        .comm = vl_case_comm(),
        .overlap = (int)vl_input_size(inputs, "overlap"),
        .bucket_bytes = vl_input_size(inputs, "bucket_bytes"),
        .flight = vl_lent_flight(outputs, l->unit_count),
    };
    replica->step = vl_input_size(inputs, "step");
    return vl_unit_toy_open(&replica->toy, l, outputs, inputs) && weights && gradients && l->m &&
           l->v && l->units && replica->replicas.flight;
}

static int prepare(struct replica *replica, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    const int32_t *micro = vl_bag_i32(inputs, "micro"),
                  *first_micro = vl_bag_i32(inputs, "first_micro");
    size_t count = vl_input_size(inputs, "count");
    float *weights = vl_begun_floats(outputs, inputs, "weights", 0, count);
    float *gradients = vl_own_row(outputs, inputs, "gradients", "own_gradients", count);
    if (!describe(replica, weights, gradients, outputs, inputs) || !micro || !first_micro)
        return 0;
    size_t first = (size_t)first_micro[replica->rank];
    replica->toy.a += first * count;
    replica->toy.t += first * count;
    replica->micro_batches = (size_t)micro[replica->rank];
    return 1;
}

static enum vl_status one_step(struct replica *replica, const struct vl_bag *inputs,
                               struct vl_step_result *result)
{
    struct vl_adamw settings = vl_settings(inputs);
    return vl_replica_step(&replica->replicas, &replica->learner, replica->micro_batches, &settings,
                           (float)vl_bag_real(inputs, "max_norm"), replica->step, result);
}

/* ---- the step ---- */

/* Do two ranks differ in a bit? Then 1, on every rank. */
static size_t are_apart(const struct replica *replica, const struct vl_step_result *result)
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
    enum vl_status status = one_step(&replica, inputs, &report.result);
    vl_step_report_end(&report);
    status = vl_give_counts(outputs, status, {"hooks_left", replica.learner.hooks != NULL});
    VL_NEXT(status,
            vl_give_counts(outputs, status, {"ranks_apart", are_apart(&replica, &report.result)}));
    return status;
}

/* ---- what it sends ---- */

static enum vl_status count_step(uint64_t *bytes, struct replica *replica,
                                 const struct vl_bag *inputs)
{
    struct vl_step_result result = {0, 0};
    uint64_t before = vl_meter_now()->total.sent_bytes;
    enum vl_status status = one_step(replica, inputs, &result);
    *bytes = vl_meter_now()->total.sent_bytes - before;
    return status;
}

VL_CALL(accumulation_traffic)
{
    struct replica replica;
    uint64_t one = VL_UNWRITTEN_COUNT, all = VL_UNWRITTEN_COUNT;
    if (!prepare(&replica, outputs, inputs))
        return VL_EINTERNAL;
    size_t micro_batches = replica.micro_batches;
    replica.micro_batches = 1;
    enum vl_status status = count_step(&one, &replica, inputs);
    replica.micro_batches = micro_batches;
    VL_NEXT(status, count_step(&all, &replica, inputs));
    return vl_give_counts(outputs, status, {"one_bytes", one}, {"accumulated_bytes", all});
}

/* ---- and when ---- */

/* Called by backward, calls the hooks, and notes which calls of ready sent a bucket on its way. */
struct listener {
    struct replica replica; /* first: the learner's model is the listener too */
    const struct vl_unit_hooks *theirs;
    size_t pending;                   /* elements ready since something was last sent */
    size_t started;                   /* elements whose bucket is on its way */
    size_t too_early;                 /* bytes that the first unit sent, when it was ready */
    size_t polls_left_out;            /* calls of poll that the step has set no hook for */
    uint64_t before_step, before_end; /* bytes sent as the step began, and as backward ended */
};

/* Did it send what the first step of a ring sends, of all that waited? */
static bool is_first_step(const struct vl_meter_row *before, const struct listener *listener)
{
    const struct vl_meter_row *now = &vl_meter_now()->total;
    size_t chunk = listener->pending / (size_t)listener->replica.ranks * sizeof(float);
    return now->sent_messages > before->sent_messages &&
           now->sent_bytes - before->sent_bytes >= chunk;
}

static enum vl_status heard_ready(void *context, size_t unit)
{
    struct listener *listener = context;
    const struct vl_learner *learner = &listener->replica.learner;
    const struct vl_unit_hooks *theirs = listener->theirs;
    const struct vl_meter_row before = vl_meter_now()->total;
    enum vl_status status = theirs->ready != NULL ? theirs->ready(theirs->context, unit) : VL_OK;
    if (unit + 1 == learner->unit_count)
        listener->too_early = vl_meter_now()->total.sent_bytes - before.sent_bytes;
    if (unit == 0) /* backward has nothing left to do */
        return status;
    listener->pending += learner->units[unit + 1] - learner->units[unit];
    if (is_first_step(&before, listener)) {
        listener->started += listener->pending;
        listener->pending = 0;
    }
    return status;
}

static enum vl_status heard_poll(void *context)
{
    struct listener *listener = context;
    const struct vl_unit_hooks *theirs = listener->theirs;
    listener->polls_left_out += theirs->poll == NULL;
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
    enum vl_status status = one_step(replica, inputs, &result);
    double share = (double)listener.started / (double)replica->learner.count;
    status = vl_give_reals(outputs, status, {"started_share", share});
    return vl_give_counts(outputs, status, {"bytes_before_end", listener.before_end},
                          {"sent_too_early", listener.too_early},
                          {"polls_left_out", listener.polls_left_out});
}

/* ---- five steps ---- */

VL_CALL(replicas_train)
{
    struct replica replica;
    size_t steps = vl_input_size(inputs, "steps"), batch = vl_input_size(inputs, "batch");
    size_t count = vl_input_size(inputs, "count"), first;
    double *losses = vl_unwritten_doubles(outputs, "losses", steps);
    float *weights = vl_own_row(outputs, inputs, "weights", "own_weights", count);
    float *gradients = vl_added_output(outputs, inputs, "gradients", 1, count);
    if (!describe(&replica, weights, gradients, outputs, inputs) || !losses)
        return VL_EINTERNAL;
    const float *a = replica.toy.a, *t = replica.toy.t;
    enum vl_status status = vl_replica_equalise(vl_case_comm(), weights, count);
    VL_NEXT(status,
            vl_replica_rows(&first, &replica.micro_batches, batch, replica.rank, replica.ranks));
    for (size_t step = 0; step < steps && status == VL_OK; step++) {
        struct vl_step_result result = {0, 0};
        replica.toy.a = a + (step * batch + first) * count;
        replica.toy.t = t + (step * batch + first) * count;
        replica.replicas.overlap = step % 2 == 0; /* both ways must give the same */
        replica.step = step + 1;
        status = one_step(&replica, inputs, &result);
        losses[step] = result.loss;
    }
    return status;
}
