/*
 * Calls of lab 09: counts, bias, auxiliary loss and interference, each alone.
 *
 * Names of the inputs are described in grade/labs/09_expert_balancing/expert_balancing.h.
 */
#include "grade/labs/09_expert_balancing/runner/runs.h"
#include "runner/arrays.h"
#include "runner/call.h"

#include <string.h>

#define CALL(name)                                                                                 \
    static enum vl_status call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

struct vl_routing vl_routing_of(const struct vl_bag *inputs)
{
    return (struct vl_routing){.tokens = vl_input_size(inputs, "tokens"),
                               .experts = vl_input_size(inputs, "experts"),
                               .chosen = vl_input_size(inputs, "chosen"),
                               .scale = 1};
}

/* An output (1, n) that starts as this rank's row of a float64 input. NULL without memory. */
static double *own_doubles(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                           size_t n)
{
    int rank;
    MPI_Comm_rank(vl_case_comm(), &rank);
    double *own = vl_bag_add_f64(outputs, name, 1, n);
    if (own != NULL && n > 0)
        memcpy(own, vl_bag_f64(inputs, name) + (size_t)rank * n, n * sizeof *own);
    return own;
}

static double *real_output(struct vl_bag *outputs, const char *name)
{
    double *number = vl_bag_add_f64(outputs, name, 1, 1);
    if (number != NULL)
        vl_bag_poison(outputs, name);
    return number;
}

/* ---- counting ---- */

CALL(load_add)
{
    const struct vl_routing routing = vl_routing_of(inputs);
    double *counts = own_doubles(outputs, inputs, "counts", routing.experts);
    return counts != NULL ? vl_load_add(counts, vl_bag_i32(inputs, "chosen_by"), &routing)
                          : VL_EINTERNAL;
}

CALL(load_max_violation)
{
    double *violation = real_output(outputs, "violation");
    size_t experts = vl_bag_int(inputs, "bad") ? 0 : vl_input_size(inputs, "experts");
    return violation != NULL
               ? vl_load_max_violation(violation, vl_bag_f64(inputs, "counts"), experts)
               : VL_EINTERNAL;
}

CALL(load_reduce)
{
    size_t experts = vl_bag_int(inputs, "none") ? 0 : vl_input_size(inputs, "experts");
    double *counts = own_doubles(outputs, inputs, "counts", experts);
    return counts != NULL ? vl_load_reduce(vl_case_comm(), counts, experts) : VL_EINTERNAL;
}

/* ---- bias and loss ---- */

CALL(bias_update)
{
    size_t experts = vl_input_size(inputs, "experts");
    float *bias = vl_own_row(outputs, inputs, "bias", "bias", experts);
    return bias != NULL ? vl_balance_bias_update(bias, vl_bag_f64(inputs, "counts"), experts,
                                                 (float)vl_bag_real(inputs, "u"))
                        : VL_EINTERNAL;
}

CALL(shares_add)
{
    const struct vl_routing routing = vl_routing_of(inputs);
    double *shares = own_doubles(outputs, inputs, "shares", routing.experts);
    return shares != NULL ? vl_balance_shares_add(shares, vl_bag_f32(inputs, "affinity"), &routing)
                          : VL_EINTERNAL;
}

CALL(balance_loss)
{
    const struct vl_routing routing = vl_routing_of(inputs);
    double *loss = real_output(outputs, "loss");
    return loss != NULL
               ? vl_balance_loss(loss, vl_bag_f64(inputs, "shares"), vl_bag_f64(inputs, "counts"),
                                 vl_input_size(inputs, "scope_tokens"), &routing,
                                 (float)vl_bag_real(inputs, "alpha"))
               : VL_EINTERNAL;
}

CALL(loss_backward)
{
    const struct vl_routing routing = vl_routing_of(inputs);
    float *dlogits =
        vl_own_row(outputs, inputs, "dlogits", "dlogits", routing.tokens * routing.experts);
    return dlogits != NULL ? vl_balance_loss_backward(dlogits, vl_bag_f32(inputs, "affinity"),
                                                      vl_bag_f64(inputs, "counts"),
                                                      vl_input_size(inputs, "scope_tokens"),
                                                      &routing, (float)vl_bag_real(inputs, "alpha"))
                           : VL_EINTERNAL;
}

CALL(interference)
{
    double *size = real_output(outputs, "size"), *cosine = real_output(outputs, "cosine");
    return size != NULL && cosine != NULL
               ? vl_balance_interference(size, cosine, vl_bag_f32(inputs, "auxiliary"),
                                         vl_bag_f32(inputs, "language_model"),
                                         vl_input_size(inputs, "n"))
               : VL_EINTERNAL;
}

CALL(predict_expert_balancing)
{
    struct vl_balance_prediction prediction = {0};
    enum vl_status status = vl_predict_expert_balancing(&prediction);
    (void)inputs;
    return vl_bag_set_real(outputs, "worst_violation", prediction.worst_violation) &&
                   vl_bag_set_int(outputs, "bias_steps", (int64_t)prediction.bias_steps) &&
                   vl_bag_set_int(outputs, "reduced_bytes", (int64_t)prediction.reduced_bytes)
               ? status
               : VL_EINTERNAL;
}

const struct vl_call vl_calls_expert_balancing[] = {
    {"vl_load_add", call_load_add},
    {"vl_load_max_violation", call_load_max_violation},
    {"vl_load_reduce", call_load_reduce},
    {"load_traffic", call_load_reduce},
    {"vl_balance_bias_update", call_bias_update},
    {"vl_balance_shares_add", call_shares_add},
    {"vl_balance_loss", call_balance_loss},
    {"vl_balance_loss_backward", call_loss_backward},
    {"vl_balance_interference", call_interference},
    {"balance_by_bias", vl_call_balance_by_bias},
    {"balance_by_loss", vl_call_balance_by_loss},
    {"vl_predict_expert_balancing", call_predict_expert_balancing},
    {NULL, NULL},
};
