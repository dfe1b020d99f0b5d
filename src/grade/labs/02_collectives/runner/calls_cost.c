/*
 * Calls of lab 02 that predict: seconds by the alpha-beta model, and the sealed numbers.
 */
#include "grade/labs/02_collectives/runner/here.h"

#include "vialata/road_cost.h"

typedef enum vl_status (*cost_fn)(double *seconds, const struct vl_road *road, int ranks,
                                  double bytes);

/* One answer for each item of the lists. */
static enum vl_status ask(struct vl_bag *outputs, const struct vl_bag *inputs, cost_fn cost)
{
    const size_t *ranks = vl_bag_sizes(inputs, "ranks"), *nodes = vl_bag_sizes(inputs, "nodes");
    const double *bytes = vl_bag_f64(inputs, "bytes");
    size_t count = vl_bag_find(inputs, "bytes")->count;
    struct vl_road road = {vl_bag_real(inputs, "alpha"), vl_bag_real(inputs, "beta")};
    struct vl_road across = {vl_bag_real(inputs, "across_alpha"),
                             vl_bag_real(inputs, "across_beta")};
    double *seconds = vl_unwritten_doubles(outputs, "seconds", count);
    enum vl_status status = seconds != NULL ? VL_OK : VL_EINTERNAL;
    for (size_t i = 0; status == VL_OK && i < count; i++)
        status =
            vl_answered(outputs,
                        cost != NULL ? cost(&seconds[i], &road, (int)ranks[i], bytes[i])
                                     : vl_two_level_seconds(&seconds[i], &road, &across,
                                                            (int)nodes[i], (int)ranks[i], bytes[i]),
                        i);
    return status;
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
