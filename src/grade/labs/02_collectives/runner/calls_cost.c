/*
 * Calls of lab 02 that predict: seconds by the alpha-beta model, and the sealed numbers.
 */
#include "grade/labs/02_collectives/runner/here.h"

#include "vialata/road_cost.h"

typedef enum vl_status (*cost_fn)(double *seconds, const struct vl_road *road, int ranks,
                                  double bytes);

/* One question: item i of each list. */
static enum vl_status ask_one(double *seconds, struct vl_bag *outputs, const struct vl_bag *inputs,
                              cost_fn cost, size_t i)
{
    const struct vl_road inside = {vl_bag_f64(inputs, "alpha")[i], vl_bag_f64(inputs, "beta")[i]};
    const struct vl_road across = {vl_bag_f64(inputs, "across_alpha")[i],
                                   vl_bag_f64(inputs, "across_beta")[i]};
    const int ranks = (int)vl_bag_sizes(inputs, "ranks")[i],
              nodes = (int)vl_bag_sizes(inputs, "nodes")[i];
    const double bytes = vl_bag_f64(inputs, "bytes")[i];
    const enum vl_status status =
        cost != NULL ? cost(seconds, &inside, ranks, bytes)
                     : vl_two_level_seconds(seconds, &inside, &across, nodes, ranks, bytes);
    if (!vl_bag_int(inputs, "bad"))
        return vl_answered(outputs, status, i);
    return cost != NULL ? vl_must_refuse(outputs, status, "ranks = %d", ranks)
                        : vl_must_refuse(outputs, status, "nodes = %d, ranks = %d", nodes, ranks);
}

/* One answer for each; or all are bad, and refused. */
static enum vl_status ask(struct vl_bag *outputs, const struct vl_bag *inputs, cost_fn cost)
{
    size_t count = vl_bag_find(inputs, "bytes")->count;
    double *seconds = vl_unwritten_doubles(outputs, "seconds", count);
    const enum vl_status wanted = vl_bag_int(inputs, "bad") ? VL_EINVAL : VL_OK;
    enum vl_status status = wanted;
    for (size_t i = 0; seconds != NULL && status == wanted && i < count; i++)
        status = ask_one(&seconds[i], outputs, inputs, cost, i);
    return seconds != NULL ? status : VL_EINTERNAL;
}

#define SECONDS(name, cost)                                                                        \
    VL_CALL(name##_seconds)                                                                        \
    {                                                                                              \
        return ask(outputs, inputs, cost);                                                         \
    }
SECONDS(broadcast, vl_broadcast_seconds)
SECONDS(reduce_scatter, vl_reduce_scatter_seconds)
SECONDS(all_gather, vl_all_gather_seconds)
SECONDS(all_reduce, vl_all_reduce_seconds)
SECONDS(two_level, NULL)

VL_CALL(predict_collectives)
{
    (void)inputs;
    struct vl_collectives_prediction sealed = {0, 0, 0};
    enum vl_status status = vl_predict_collectives(&sealed);
    status = vl_give_counts(outputs, status, {"ring_sent_bytes", sealed.ring_sent_bytes},
                            {"tree_root_messages", sealed.tree_root_messages});
    return vl_give_reals(outputs, status, {"break_even_bytes", sealed.break_even_bytes});
}
