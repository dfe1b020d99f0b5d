/*
 * The auxiliary loss of one layer's experts (vialata/expert_balance.h), while a model learns.
 *
 *   scope          counts and shares are of           backward can begin
 *   global         the whole batch of all replicas    after the last forward of all
 *   micro-batch    one micro-batch of one replica     at once
 *   sequence       one sequence                       at once
 *
 * The loss of a smaller scope is weighted by its tokens, so all scopes together weigh as one batch.
 */
#ifndef VIALATA_ENGINE_EXPERTS_MOE_LOSS_H
#define VIALATA_ENGINE_EXPERTS_MOE_LOSS_H

#include "vialata/router.h"
#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

enum vl_balance_scope { VL_BALANCE_GLOBAL, VL_BALANCE_MICRO_BATCH, VL_BALANCE_SEQUENCE };

/* The setting for a whole model. */
struct vl_auxiliary {
    float alpha; /* 0: no auxiliary loss */
    enum vl_balance_scope scope;
    int interference; /* compare its gradient with the language model's, even if alpha is 0 */
};

/* What one layer's visit works on. */
struct vl_moe_loss {
    struct vl_auxiliary how;
    size_t sequence;     /* tokens in a sequence */
    size_t batch_tokens; /* in the global batch */
    double *scratch;     /* (2,E) */
    double *shares;      /* (E), added to with global scope */
    double *sum;         /* one number: the losses of smaller scopes are added to it */
};

/* Called right after routing: affinity (N,E), chosen (N,k). Serial. */
enum vl_status vl_moe_loss_forward(const struct vl_moe_loss *loss, const float *affinity,
                                   const int32_t *chosen, const struct vl_routing *routing);

/* dlogits (N,E) added to. counts (E): those of the whole batch, read with global scope. Serial. */
enum vl_status vl_moe_loss_backward(float *dlogits, const struct vl_moe_loss *loss,
                                    const float *affinity, const int32_t *chosen,
                                    const double *counts, const struct vl_routing *routing);

#endif
