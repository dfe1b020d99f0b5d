/*
 * Calls of lab 08 that need no other rank: router, experts, and the figures on paper. What travels
 * is in calls_travel.c.
 *
 * Names of the inputs are described in ../expert_parallel.h.
 */
#include "grade/labs/08_expert_parallel/runner/expert_site.h"
#include "runner/arrays.h"

#include <limits.h>

/* ---- the router ---- */

static struct vl_routing routing_of(const struct vl_bag *inputs)
{
    return (struct vl_routing){vl_input_size(inputs, "tokens"), vl_input_size(inputs, "experts"),
                               vl_input_size(inputs, "chosen"),
                               (float)vl_bag_real(inputs, "scale")};
}

static struct vl_router_groups groups_of(const struct vl_bag *inputs)
{
    return (struct vl_router_groups){vl_input_size(inputs, "groups"),
                                     vl_input_size(inputs, "limit")};
}

/* Without groups (NULL) vl_router_forward. */
static enum vl_status route(struct vl_bag *outputs, const struct vl_bag *inputs,
                            const struct vl_router_groups *groups)
{
    const struct vl_routing routing = routing_of(inputs);
    size_t n = routing.tokens, choices = n * routing.chosen;
    float *affinity = vl_unwritten_floats(outputs, "affinity", n * routing.experts),
          *weights = vl_unwritten_floats(outputs, "weights", choices);
    int64_t *told = vl_whole_output(outputs, "chosen", choices);
    int32_t *chosen = vl_bag_add_i32(outputs, "choices", 1, choices);
    if (!affinity || !weights || !told || !chosen)
        return VL_EINTERNAL;
    for (size_t i = 0; i < choices; i++)
        chosen[i] = INT_MIN;
    const float *logits = vl_bag_f32(inputs, "logits"), *bias = vl_bag_f32(inputs, "bias");
    enum vl_status status =
        groups != NULL
            ? vl_router_limited(affinity, chosen, weights, logits, bias, &routing, groups)
            : vl_router_forward(affinity, chosen, weights, logits, bias, &routing);
    for (size_t i = 0; i < choices; i++)
        if (chosen[i] != INT_MIN) /* what was never written stays poison */
            told[i] = chosen[i];
    return status;
}

static VL_CALL(router_forward)
{
    return route(outputs, inputs, NULL);
}

static VL_CALL(router_limited)
{
    const struct vl_router_groups groups = groups_of(inputs);
    return route(outputs, inputs, &groups);
}

static VL_CALL(router_node_rows)
{
    const struct vl_routing routing = routing_of(inputs);
    const struct vl_router_groups groups = groups_of(inputs);
    struct vl_node_rows rows = {VL_UNWRITTEN_COUNT, VL_UNWRITTEN_COUNT};
    enum vl_status status = vl_router_node_rows(&rows, vl_bag_i32(inputs, "choices"),
                                                vl_input_size(inputs, "home"), &routing, &groups);
    return vl_give_counts(outputs, status, {"each", rows.each}, {"once", rows.once});
}

static VL_CALL(router_backward)
{
    const struct vl_routing routing = routing_of(inputs);
    float *dlogits = vl_unwritten_floats(outputs, "dlogits", routing.tokens * routing.experts);
    return dlogits != NULL ? vl_router_backward(dlogits, vl_bag_f32(inputs, "dweights"),
                                                vl_bag_f32(inputs, "affinity"),
                                                vl_bag_i32(inputs, "choices"), &routing)
                           : VL_EINTERNAL;
}

/* ---- experts ---- */

static struct vl_experts experts_of(const struct vl_bag *inputs)
{
    const struct vl_tensor_entry *rows_of = vl_bag_find(inputs, "rows_of");
    return (struct vl_experts){.count = vl_input_size(inputs, "count"),
                               .rows_of = (const size_t *)rows_of->data,
                               .width = vl_input_size(inputs, "width"),
                               .ff = vl_input_size(inputs, "ff"),
                               .gate_up = vl_bag_f32(inputs, "gate_up"),
                               .down = vl_bag_f32(inputs, "down")};
}

static VL_CALL(experts_forward)
{
    const struct vl_experts experts = experts_of(inputs);
    size_t rows = vl_input_size(inputs, "rows_of_all");
    float *out = vl_unwritten_floats(outputs, "out", rows * experts.width),
          *opened = vl_unwritten_floats(outputs, "opened", rows * 2 * experts.ff),
          *active = vl_unwritten_floats(outputs, "active", rows * experts.ff);
    return out && opened && active
               ? vl_experts_forward(out, opened, active, vl_bag_f32(inputs, "rows"), &experts)
               : VL_EINTERNAL;
}

static VL_CALL(experts_backward_input)
{
    const struct vl_experts experts = experts_of(inputs);
    size_t rows = vl_input_size(inputs, "rows_of_all");
    float *drows = vl_unwritten_floats(outputs, "drows", rows * experts.width),
          *dopened = vl_unwritten_floats(outputs, "dopened", rows * 2 * experts.ff),
          *dactive = vl_unwritten_floats(outputs, "dactive", rows * experts.ff);
    return drows && dopened && dactive
               ? vl_experts_backward_input(drows, dopened, dactive, vl_bag_f32(inputs, "dout"),
                                           vl_bag_f32(inputs, "opened"), &experts)
               : VL_EINTERNAL;
}

static VL_CALL(experts_backward_weight)
{
    const struct vl_experts experts = experts_of(inputs);
    size_t matrix = experts.count * experts.width * experts.ff;
    float *dgate_up = vl_begun_floats(outputs, inputs, "dgate_up", 0, 2 * matrix),
          *ddown = vl_begun_floats(outputs, inputs, "ddown", 0, matrix);
    return dgate_up && ddown
               ? vl_experts_backward_weight(
                     dgate_up, ddown, vl_bag_f32(inputs, "dout"), vl_bag_f32(inputs, "dopened"),
                     vl_bag_f32(inputs, "active"), vl_bag_f32(inputs, "rows"), &experts)
               : VL_EINTERNAL;
}

/* ---- on paper ---- */

static VL_CALL(expert_sent_bytes)
{
    const int32_t *tokens = vl_bag_i32(inputs, "tokens_of");
    size_t figures = vl_bag_find(inputs, "tokens_of")->count;
    double *bytes = vl_unwritten_doubles(outputs, "bytes", figures);
    int ranks = vl_bag_int(inputs, "bad") ? 0 : (int)vl_bag_int(inputs, "ranks");
    enum vl_status status = bytes != NULL ? VL_OK : VL_EINTERNAL;
    for (size_t i = 0; status == VL_OK && i < figures; i++)
        status = vl_answered(outputs,
                             vl_expert_sent_bytes(&bytes[i], (size_t)tokens[i],
                                                  vl_input_size(inputs, "width"),
                                                  vl_input_size(inputs, "chosen"),
                                                  vl_input_size(inputs, "experts"), ranks),
                             i);
    return status;
}

static VL_CALL(predict_expert_parallel)
{
    struct vl_expert_prediction sealed = {0};
    enum vl_status status = vl_predict_expert_parallel(&sealed);
    (void)inputs;
    return vl_give_counts(outputs, status, {"predicted_bytes", sealed.sent_bytes},
                          {"parameters", sealed.parameters},
                          {"active_parameters", sealed.active_parameters});
}

const struct vl_call vl_calls_expert_parallel[] = {
    VL_CALLED(router_forward),
    VL_CALLED(router_limited),
    VL_CALLED(router_node_rows),
    VL_CALLED(router_backward),
    VL_CALLED(dispatch_plan),
    VL_CALLED(dispatch_forward),
    VL_CALLED(dispatch_backward),
    VL_CALLED(combine_forward),
    VL_CALLED(combine_backward),
    VL_CALLED(experts_forward),
    VL_CALLED(experts_backward_input),
    VL_CALLED(experts_backward_weight),
    VL_CALLED(expert_sent_bytes),
    VL_CALLED(predict_expert_parallel),
    {"expert_layer", vl_call_expert_layer},
    {"plan_traffic", vl_call_dispatch_plan},
    {"dispatch_traffic", vl_call_dispatch_traffic},
    {"combine_traffic", vl_call_combine_traffic},
    {NULL, NULL},
};
