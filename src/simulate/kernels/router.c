/*
 * A phantom router. Its logits would all be zero, and then every token would choose the same
 * experts. So it deals the choices out like cards: every expert gets as many, give or take one.
 */
#include "vialata/router.h"
#include "simulate/kernels/charge.h"

static enum vl_status look_at_all(const struct vl_routing *routing)
{
    double elements = 2 * (double)routing->tokens * (double)routing->experts;
    return vl_charge(elements, elements);
}

enum vl_status vl_router_forward(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing)
{
    (void)affinity, (void)weights, (void)logits, (void)bias;
    size_t experts = routing->experts, k = routing->chosen;
    if (k < 1 || k > experts)
        return VL_EINVAL;
    for (size_t i = 0; i < routing->tokens * k; i++)
        chosen[i] = (int32_t)(i % experts); /* k neighbours in a row: all different */
    return look_at_all(routing);
}

/* The same, dealt out over as many groups as a token may use: neighbours, another first one for each
 * token. */
enum vl_status vl_router_limited(float *affinity, int32_t *chosen, float *weights,
                                 const float *logits, const float *bias,
                                 const struct vl_routing *routing,
                                 const struct vl_router_groups *groups)
{
    (void)affinity, (void)weights, (void)logits, (void)bias;
    size_t k = routing->chosen, n = groups->count, limit = groups->limit;
    if (n == 0 || routing->experts % n != 0)
        return VL_ESHAPE;
    size_t size = routing->experts / n;
    if (limit < 1 || limit > n || k < 1 || k > limit * size)
        return VL_EINVAL;
    for (size_t token = 0; token < routing->tokens; token++)
        for (size_t j = 0; j < k; j++) {
            size_t group = (token + j % limit) % n, place = (token / n * k + j / limit) % size;
            chosen[token * k + j] = (int32_t)(group * size + place);
        }
    return look_at_all(routing);
}

enum vl_status vl_router_backward(float *dlogits, const float *dweights, const float *affinity,
                                  const int32_t *chosen, const struct vl_routing *routing)
{
    (void)dlogits, (void)dweights, (void)affinity, (void)chosen;
    return look_at_all(routing);
}
