/*
 * Experts in the feed-forward slot of a layer: the router and the routed experts. The shared expert
 * is the block's own feed-forward part.
 *
 *   y += sum over the chosen experts of weight * expert(x)      x: the feed-forward part's input
 *
 * The ranks of a group hold E/P experts each, and tokens are sent to them
 * (vialata/expert_parallel.h). A token's choice is made once: recomputing a layer neither routes
 * nor counts again.
 *
 * Under tensor parallelism each place has a part of the hidden width of every expert, and the whole
 * router. All places choose the same experts, since x has the same bits on all of them. Their y are
 * parts of a sum, and so are dx and the router's gradient.
 */
#ifndef VIALATA_ENGINE_EXPERTS_MOE_H
#define VIALATA_ENGINE_EXPERTS_MOE_H

#include "base/arena.h"
#include "engine/experts/moe_loss.h"
#include "vialata/expert_parallel.h"
#include "vialata/router.h"

struct vl_moe_size {
    MPI_Comm comm; /* of the expert group; MPI_COMM_SELF: one rank */
    int rank, ranks;
    size_t experts; /* E, of the whole model; 0: no experts */
    size_t chosen;  /* k */
    float scale;
    struct vl_router_groups groups; /* count 0: none */
    size_t width, ff;               /* D; F of one expert, this place's part of it */
    int place;                      /* of tensor parallelism; 0 without it */
    size_t tokens;                  /* the most in a micro-batch here */
    int measured;                   /* also keep the gradients of the two losses separately */
};

/* The parameters, or their gradients. */
struct vl_moe_weights {
    float *router;  /* (E,D) */
    float *gate_up; /* (E/P,2F,D) */
    float *down;    /* (E/P,D,F) */
};

/* Which tokens go to which experts; kept in every mode of recomputation. */
struct vl_moe_routing {
    int planned; /* 0: the next forward routes and counts */
    float *affinity;
    int32_t *chosen;
    float *weights;
    size_t *order, *counts, *arriving, *rows_of;
    size_t rows;
};

/* What forward keeps. R: the most rows that can arrive, if all tokens choose experts here. */
struct vl_moe_saved {
    float *rows;     /* (R,D) */
    float *opened;   /* (R,2F) */
    float *active;   /* (R,F) */
    float *returned; /* (N k,D) */
};

/* What the input part of backward leaves for the weight part. */
struct vl_moe_pending {
    float *dout;    /* (R,D) */
    float *dopened; /* (R,2F) */
    float *dlogits; /* (N,E) */
    float *dparts;  /* (2,N,E), if measured: the auxiliary loss's part of dlogits, then the
                     * language model's */
};

/* Not needed after a call. */
struct vl_moe_working {
    float *logits;   /* (N,E) */
    float *out;      /* (R,D); in backward, the gradient of rows */
    float *dactive;  /* (R,F) */
    float *leaving;  /* (N k,D) */
    float *landing;  /* (R,D) */
    float *dweights; /* (N,k) */
    float *dx;       /* (N,D) */
};

/* One layer's experts, for one micro-batch of 'tokens' tokens. */
struct vl_moe {
    const struct vl_moe_size *size;
    size_t tokens;
    const float *bias; /* (E), for choosing; may be NULL */
    double *counts;    /* (E), added to when the layer routes; may be NULL. With a global auxiliary
                        * loss, backward reads the counts of the whole batch here */
    const struct vl_moe_loss *loss; /* may be NULL */
    float *against;                 /* (2,E,D), added to if measured: the router's gradient from
                                     * the auxiliary loss, then from the language model */
    struct vl_moe_routing *routing;
    struct vl_moe_saved *saved;
    struct vl_moe_pending *pending;
    const struct vl_moe_working *working;
};

/* VL_EINVAL unless 1 <= k <= E; VL_ESHAPE if the ranks do not divide E. */
enum vl_status vl_moe_check(const struct vl_moe_size *size);

/* The bytes to reserve in an arena, and the function that takes them (VL_ENOMEM if it is too
 * small). Memory for rows that do not arrive is never touched. */
size_t vl_moe_routing_bytes(const struct vl_moe_size *size);
enum vl_status vl_moe_routing_take(struct vl_moe_routing *routing, struct vl_arena *arena,
                                   const struct vl_moe_size *size);
size_t vl_moe_saved_bytes(const struct vl_moe_size *size);
enum vl_status vl_moe_saved_take(struct vl_moe_saved *saved, struct vl_arena *arena,
                                 const struct vl_moe_size *size);
size_t vl_moe_pending_bytes(const struct vl_moe_size *size);
enum vl_status vl_moe_pending_take(struct vl_moe_pending *pending, struct vl_arena *arena,
                                   const struct vl_moe_size *size);
size_t vl_moe_working_bytes(const struct vl_moe_size *size);
enum vl_status vl_moe_working_take(struct vl_moe_working *working, struct vl_arena *arena,
                                   const struct vl_moe_size *size);

/* y (N,D) added to, from x (N,D). Collective over the group. */
enum vl_status vl_moe_forward(float *y, const float *x, const struct vl_moe_weights *weights,
                              const struct vl_moe *moe);
/* dx (N,D) added to, from dy (N,D). Collective over the group. */
enum vl_status vl_moe_backward_input(float *dx, const float *dy,
                                     const struct vl_moe_weights *weights,
                                     const struct vl_moe *moe);
/* gradients added to. x as in forward. */
enum vl_status vl_moe_backward_weight(const struct vl_moe_weights *gradients, const float *x,
                                      const struct vl_moe *moe);

#endif
