/*
 * The auxiliary loss of one layer's experts (vialata/expert_balance.h), while a model learns.
 *
 *   scope          counts and shares are of           its gradient can begin
 *   global         the whole batch of all replicas    after the last forward of all
 *   micro-batch    one micro-batch of one replica     at once
 *   sequence       one sequence                       at once
 *
 * The loss of a smaller scope counts by its tokens: together the scopes weigh as one batch.
 */
#ifndef VIALATA_ENGINE_EXPERTS_MOE_LOSS_H
#define VIALATA_ENGINE_EXPERTS_MOE_LOSS_H

#include "vialata/router.h"
#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

enum vl_balance_scope { VL_BALANCE_GLOBAL, VL_BALANCE_MICRO_BATCH, VL_BALANCE_SEQUENCE };

/* What a whole model is set to. */
struct vl_auxiliary {
    float alpha; /* 0: no such loss */
    enum vl_balance_scope scope;
    int interference; /* measure how its gradient stands to the language model's, loss or no loss */
};

/* What one layer's visit works on. */
struct vl_moe_loss {
    struct vl_auxiliary how;
    size_t sequence;     /* tokens in one */
    size_t batch_tokens; /* of the whole global batch */
    double *scratch;     /* (2,E) */
    double *shares;      /* (E), added to: global scope */
    double *sum;         /* added to: the losses of smaller scopes */
};

/* A choice has just been made: affinity (N,E), chosen (N,k). Serial. */
enum vl_status vl_moe_loss_forward(const struct vl_moe_loss *loss, const float *affinity,
                                   const int32_t *chosen, const struct vl_routing *routing);

/* dlogits (N,E) added to. counts (E): of the global scope, which is known by then. Serial. */
enum vl_status vl_moe_loss_backward(float *dlogits, const struct vl_moe_loss *loss,
                                    const float *affinity, const int32_t *chosen,
                                    const double *counts, const struct vl_routing *routing);

#endif
