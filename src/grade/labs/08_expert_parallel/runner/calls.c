/*
 * Calls of lab 08 that need no other rank: router, experts, and the figures on paper. What travels
 * is in calls_travel.c.
 *
 * Names of the inputs are described in ../expert_parallel.h.
 */
#include "grade/labs/08_expert_parallel/runner/expert_site.h"
#include "runner/arrays.h"

#include <limits.h>
#include <stdbool.h>

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

/* The same, but with another k. */
static struct vl_routing with_chosen(const struct vl_bag *inputs, size_t chosen)
{
    struct vl_routing routing = routing_of(inputs);
    routing.chosen = chosen;
    return routing;
}

/* What a router writes. */
struct routed {
    float *affinity, *weights;
    int32_t *chosen;
};

static bool open_routed(struct routed *to, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    const struct vl_routing routing = routing_of(inputs);
    size_t n = routing.tokens, choices = n * routing.chosen;
    to->affinity = vl_unwritten_floats(outputs, "affinity", n * routing.experts);
    to->weights = vl_unwritten_floats(outputs, "weights", choices);
    to->chosen = vl_bag_add_i32(outputs, "choices", 1, choices);
    for (size_t i = 0; to->chosen != NULL && i < choices; i++)
        to->chosen[i] = INT_MIN;
    return to->affinity && to->weights && to->chosen;
}

/* Without groups (NULL) vl_router_forward. */
static enum vl_status ask_router(const struct routed *to, const struct vl_bag *inputs,
                                 const struct vl_routing *routing,
                                 const struct vl_router_groups *groups)
{
    const float *logits = vl_bag_f32(inputs, "logits"), *bias = vl_bag_f32(inputs, "bias");
    return groups != NULL
               ? vl_router_limited(to->affinity, to->chosen, to->weights, logits, bias, routing,
                                   groups)
               : vl_router_forward(to->affinity, to->chosen, to->weights, logits, bias, routing);
}

static enum vl_status route(struct vl_bag *outputs, const struct vl_bag *inputs,
                            const struct vl_router_groups *groups)
{
    const struct vl_routing routing = routing_of(inputs);
    size_t choices = routing.tokens * routing.chosen;
    struct routed to;
    int64_t *told = vl_whole_output(outputs, "chosen", choices);
    if (!open_routed(&to, outputs, inputs) || told == NULL)
        return VL_EINTERNAL;
    enum vl_status status = ask_router(&to, inputs, &routing, groups);
    for (size_t i = 0; i < choices; i++)
        if (to.chosen[i] != INT_MIN) /* what was never written stays poison */
            told[i] = to.chosen[i];
    return status;
}

static enum vl_status forward_refused(struct vl_bag *outputs, const struct vl_bag *inputs)
{
    struct routed to;
    if (!open_routed(&to, outputs, inputs))
        return VL_EINTERNAL;
    const struct vl_routing many = routing_of(inputs), none = with_chosen(inputs, 0);
    return vl_first_unrefused(outputs, {"k = 0", ask_router(&to, inputs, &none, NULL)},
                              {"k = E + 1", ask_router(&to, inputs, &many, NULL)});
}

static VL_CALL(router_forward)
{
    return vl_input_size(inputs, "bad") ? forward_refused(outputs, inputs)
                                        : route(outputs, inputs, NULL);
}

/* ---- the router, with groups ---- */

/* No choice at all, no open group, more open groups than there are. */
static enum vl_status limited_refused(struct vl_bag *outputs, const struct routed *to,
                                      const struct vl_bag *inputs)
{
    const struct vl_routing routing = routing_of(inputs), none = with_chosen(inputs, 0);
    const struct vl_router_groups groups = groups_of(inputs), closed = {groups.count, 0},
                                  beyond = {groups.count, groups.count + 1};
    return vl_first_unrefused(outputs, {"k = 0", ask_router(to, inputs, &none, &groups)},
                              {"G = 0", ask_router(to, inputs, &routing, &closed)},
                              {"G = n + 1", ask_router(to, inputs, &routing, &beyond)});
}

static bool are_uneven(const struct vl_bag *inputs)
{
    return vl_input_size(inputs, "experts") % vl_input_size(inputs, "groups") != 0;
}

/* The status of two calls, one with groups that do not divide the experts, one without groups: both must
 * be refused in the same way. */
static enum vl_status of_uneven(enum vl_status uneven, enum vl_status none)
{
    return uneven != VL_ESHAPE ? uneven : none;
}

static VL_CALL(router_limited)
{
    const struct vl_routing routing = routing_of(inputs);
    const struct vl_router_groups groups = groups_of(inputs), none = {0, groups.limit};
    struct routed to;
    if (!vl_input_size(inputs, "bad") && !are_uneven(inputs))
        return route(outputs, inputs, &groups);
    if (!open_routed(&to, outputs, inputs))
        return VL_EINTERNAL;
    return are_uneven(inputs) ? of_uneven(ask_router(&to, inputs, &routing, &groups),
                                          ask_router(&to, inputs, &routing, &none))
                              : limited_refused(outputs, &to, inputs);
}

static enum vl_status count_rows(struct vl_node_rows *rows, const struct vl_bag *inputs,
                                 const char *choices, size_t home, size_t groups)
{
    const struct vl_routing routing = routing_of(inputs);
    const struct vl_router_groups all = {groups, vl_input_size(inputs, "limit")};
    return vl_router_node_rows(rows, vl_bag_i32(inputs, choices), home, &routing, &all);
}

static VL_CALL(router_node_rows)
{
    size_t home = vl_input_size(inputs, "home"), n = vl_input_size(inputs, "groups");
    struct vl_node_rows rows = {VL_UNWRITTEN_COUNT, VL_UNWRITTEN_COUNT};
    if (vl_input_size(inputs, "bad"))
        return vl_first_unrefused(outputs, {"home = n", count_rows(&rows, inputs, "choices", n, n)},
                                  {"chosen[i] = E", count_rows(&rows, inputs, "beyond", home, n)},
                                  {"chosen[i] = -1", count_rows(&rows, inputs, "below", home, n)});
    if (are_uneven(inputs))
        return of_uneven(count_rows(&rows, inputs, "choices", home, n),
                         count_rows(&rows, inputs, "choices", home, 0));
    enum vl_status status = count_rows(&rows, inputs, "choices", home, n);
    return vl_give_counts(outputs, status, {"each", rows.each}, {"once", rows.once});
}

/* ---- the router, backward ---- */

static enum vl_status ask_backward(float *dlogits, const struct vl_bag *inputs, size_t chosen)
{
    const struct vl_routing routing = with_chosen(inputs, chosen);
    return vl_router_backward(dlogits, vl_bag_f32(inputs, "dweights"),
                              vl_bag_f32(inputs, "affinity"), vl_bag_i32(inputs, "choices"),
                              &routing);
}

static VL_CALL(router_backward)
{
    const struct vl_routing routing = routing_of(inputs);
    float *dlogits = vl_unwritten_floats(outputs, "dlogits", routing.tokens * routing.experts);
    if (dlogits == NULL)
        return VL_EINTERNAL;
    return vl_input_size(inputs, "bad")
               ? vl_first_unrefused(outputs, {"k = 0", ask_backward(dlogits, inputs, 0)},
                                    {"k = E + 1", ask_backward(dlogits, inputs, routing.chosen)})
               : ask_backward(dlogits, inputs, routing.chosen);
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

static enum vl_status ask_bytes(double *bytes, const struct vl_bag *inputs, int32_t tokens,
                                int ranks)
{
    return vl_expert_sent_bytes(bytes, (size_t)tokens, vl_input_size(inputs, "width"),
                                vl_input_size(inputs, "chosen"), vl_input_size(inputs, "experts"),
                                ranks);
}

static VL_CALL(expert_sent_bytes)
{
    const int32_t *tokens = vl_bag_i32(inputs, "tokens_of");
    size_t figures = vl_bag_find(inputs, "tokens_of")->count;
    double *bytes = vl_unwritten_doubles(outputs, "bytes", figures);
    int ranks = (int)vl_bag_int(inputs, "ranks");
    enum vl_status status = bytes != NULL ? VL_OK : VL_EINTERNAL;
    if (status == VL_OK && vl_bag_int(inputs, "bad"))
        return vl_first_unrefused(outputs, {"ranks = 0", ask_bytes(bytes, inputs, tokens[0], 0)},
                                  {"ranks = -1", ask_bytes(bytes, inputs, tokens[0], -1)});
    for (size_t i = 0; status == VL_OK && i < figures; i++)
        status = vl_answered(outputs, ask_bytes(&bytes[i], inputs, tokens[i], ranks), i);
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
