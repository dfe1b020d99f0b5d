/*
 * Calls of lab 09: counts, bias, auxiliary loss and interference, each alone.
 *
 * Names of the inputs are described in grade/labs/09_expert_balancing/expert_balancing.h.
 */
#include "grade/labs/09_expert_balancing/runner/runs.h"
#include "runner/arrays.h"

#include <string.h>

#define CALL(name)                                                                                 \
    static enum vl_status call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

/* In a call: sizes, numbers and arrays of the inputs. */
#define SIZE(name) vl_input_size(inputs, name)
#define REAL(name) (float)vl_bag_real(inputs, name)
#define IN(name)   vl_bag_f32(inputs, name)
#define WIDE(name) vl_bag_f64(inputs, name)

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

/* ---- counting ---- */

CALL(load_add)
{
    const struct vl_routing routing = vl_routing_of(inputs);
    double *counts = own_doubles(outputs, inputs, "counts", routing.experts);
    return counts ? vl_load_add(counts, vl_bag_i32(inputs, "chosen_by"), &routing) : VL_EINTERNAL;
}

CALL(load_max_violation)
{
    double *violation = vl_unwritten_real(outputs, "violation");
    size_t experts = SIZE("bad") ? 0 : SIZE("experts");
    return violation ? vl_load_max_violation(violation, WIDE("counts"), experts) : VL_EINTERNAL;
}

CALL(load_reduce)
{
    size_t experts = SIZE("none") ? 0 : SIZE("experts");
    double *counts = own_doubles(outputs, inputs, "counts", experts);
    return counts ? vl_load_reduce(vl_case_comm(), counts, experts) : VL_EINTERNAL;
}

/* ---- bias and loss ---- */

CALL(bias_update)
{
    size_t experts = SIZE("experts");
    float *bias = vl_own_row(outputs, inputs, "bias", "bias", experts);
    return bias ? vl_balance_bias_update(bias, WIDE("counts"), experts, REAL("u")) : VL_EINTERNAL;
}

CALL(shares_add)
{
    const struct vl_routing routing = vl_routing_of(inputs);
    double *shares = own_doubles(outputs, inputs, "shares", routing.experts);
    return shares ? vl_balance_shares_add(shares, IN("affinity"), &routing) : VL_EINTERNAL;
}

CALL(balance_loss)
{
    const struct vl_routing routing = vl_routing_of(inputs);
    double *loss = vl_unwritten_real(outputs, "loss");
    return loss ? vl_balance_loss(loss, WIDE("shares"), WIDE("counts"), SIZE("scope_tokens"),
                                  &routing, REAL("alpha"))
                : VL_EINTERNAL;
}

CALL(loss_backward)
{
    const struct vl_routing routing = vl_routing_of(inputs);
    size_t n = routing.tokens * routing.experts;
    float *dlogits = vl_own_row(outputs, inputs, "dlogits", "dlogits", n);
    return dlogits ? vl_balance_loss_backward(dlogits, IN("affinity"), WIDE("counts"),
                                              SIZE("scope_tokens"), &routing, REAL("alpha"))
                   : VL_EINTERNAL;
}

CALL(interference)
{
    double *size = vl_unwritten_real(outputs, "size");
    double *cosine = vl_unwritten_real(outputs, "cosine");
    return size && cosine ? vl_balance_interference(size, cosine, IN("auxiliary"),
                                                    IN("language_model"), SIZE("n"))
                          : VL_EINTERNAL;
}

CALL(predict_expert_balancing)
{
    (void)inputs;
    struct vl_balance_prediction prediction = {0};
    enum vl_status status = vl_predict_expert_balancing(&prediction);
    status = vl_give_reals(outputs, status, {"worst_violation", prediction.worst_violation});
    return vl_give_counts(outputs, status, {"bias_steps", prediction.bias_steps},
                          {"reduced_bytes", prediction.reduced_bytes});
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
