/*
 * Lab 08, station 1: the router.
 *
 * Begin here. You have done it by hand already; it is serial, and it needs nothing else. Then, in a
 * terminal:
 *
 *     ./vialata grade 08 --only vl_router_forward
 *
 * The contracts are in include/vialata/router.h. Remove a (void) line as soon as you use its
 * argument. Both k and E are small: no clever sort is needed.
 */
#include "vialata/router.h"

/* include/vialata/router.h: which experts, and how much each of them counts. */
enum vl_status vl_router_forward(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing)
{
    (void)affinity;
    (void)chosen;
    (void)weights;
    (void)logits;
    (void)bias;
    (void)routing;
    /* TODO(08): refuse a k that is 0 or larger than E, and logits that are not numbers. */
    /* TODO(08): each affinity is a sigmoid: 1 / (1 + exp(-logit)). */
    /* TODO(08): for each token, the k experts with the largest affinity + bias, in this order. Of
     * equal ones, which comes first? bias may be NULL. */
    /* TODO(08): the weights: whose affinities are added up, and is the bias in them? No division
     * by a sum that is 0. */
    return VL_TODO;
}

/* include/vialata/router.h: through the weights into the logits of the chosen. */
enum vl_status vl_router_backward(float *dlogits, const float *dweights, const float *affinity,
                                  const int32_t *chosen, const struct vl_routing *routing)
{
    (void)dlogits;
    (void)dweights;
    (void)affinity;
    (void)chosen;
    (void)routing;
    /* TODO(08): refuse what forward refuses; zero for every expert that was not chosen. */
    /* TODO(08): for each token, the shares p of the chosen, and the mean of dweights with these
     * shares. The explanation has the formula. */
    return VL_TODO;
}

/* include/vialata/router.h: no token chooses outside its best groups. */
enum vl_status vl_router_limited(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing,
                                 const struct vl_router_groups *groups)
{
    (void)affinity;
    (void)chosen;
    (void)weights;
    (void)logits;
    (void)bias;
    (void)routing;
    (void)groups;
    /* TODO(08): refuse what the contract refuses. */
    /* TODO(08): the score of a group: the sum of its two largest scores. Which groups are ahead of
     * it? If they are fewer than the limit, it is open. */
    /* TODO(08): vl_router_forward, but only experts of open groups take part. Move what both do
     * into a static function. */
    return VL_TODO;
}

/* include/vialata/router.h: what leaves a node, row by row or once for each node. */
enum vl_status vl_router_node_rows(struct vl_node_rows *rows, const int32_t *chosen, size_t home,
                                   const struct vl_routing *routing,
                                   const struct vl_router_groups *groups)
{
    (void)rows;
    (void)chosen;
    (void)home;
    (void)routing;
    (void)groups;
    /* TODO(08): for each choice, the group of its expert. Does its row leave home? And does the
     * same token have an earlier choice in that group? */
    return VL_TODO;
}
