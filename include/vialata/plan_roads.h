/*
 * A planner, second half: what the roads cost, and what a step takes.
 *
 * The members of a group are 'stride' chips apart. As many as fit share a domain, and every domain
 * has the same number of them:
 *
 *   domain of 8, stride 2, 8 members:   inside 4, across 2
 *   [ 0 . 2 . 4 . 6 . ][ 8 . 10 . 12 . 14 . ]
 *
 *   reduce-scatter   first inside, the whole array; then across, each member its part of it
 *   all-gather       the way back: as long
 *   all-to-all       both roads at the same time
 *
 * Every chip has its own way out of the domain. Rings, as in vialata/road_cost.h: chunks are
 * bytes / ranks, adding costs nothing, one member costs nothing.
 *
 * A torus (inner road): a group has as many axes as the number of times 'inside' can be halved,
 * rounding down; at most all axes of the torus, at least one. A reduce-scatter runs over all axes
 * at once, so their bandwidths add up. A side of the torus is inside^(1/axes) chips long; in an
 * all-to-all, bytes pass on average through a quarter of a side on each axis before they arrive.
 * This is the scaling book's model (jax-ml.github.io/scaling-book), kind to the torus: groups that
 * cross each other need not share links.
 */
#ifndef VIALATA_PLAN_ROADS_H
#define VIALATA_PLAN_ROADS_H

#include "vialata/planner.h"

/* Where the members of a group are. */
struct vl_group {
    size_t inside; /* members in one domain */
    size_t across; /* domains */
};

/* inside is the largest divisor of 'members' that fits. VL_EINVAL for a 0. [worked] */
enum vl_status vl_group_of(struct vl_group *group, size_t members, size_t stride,
                           const struct vl_cluster *cluster);

/* One all-to-all, in which each member sends inside_bytes within its own domain and across_bytes to
 * other domains: one message to each other member inside, and one to each other domain, where it is
 * handed on. [worked] */
enum vl_status vl_group_exchange_seconds(double *seconds, const struct vl_group *group,
                                         const struct vl_cluster *cluster, double inside_bytes,
                                         double across_bytes);

/* One reduce-scatter, or one all-gather, of an array of 'bytes'. VL_EINVAL for a group without
 * members. */
enum vl_status vl_group_gather_seconds(double *seconds, const struct vl_group *group,
                                       const struct vl_cluster *cluster, double bytes);

/* ---- what travels ---- */

/*
 * In how many of 'across' domains a token's experts are, on average over all choices. Every domain
 * holds the same number of neighbouring experts. A token first takes groups_met of the groups, then
 * its experts among all that are in these, each with the same probability:
 *
 *   16 experts in 4 groups, 2 groups met, 4 domains:   [0..3][4..7][8..11][12..15]   at most 2
 *   the same on 8 domains:                             [0,1][2,3] ...                at most 4
 *
 * Where neither the domains nor the groups are a multiple of the other, groups do not count.
 * VL_EINVAL for a null pointer, and unless 'across' divides the experts. [worked]
 */
enum vl_status vl_domains_met(double *domains, const struct vl_blueprint *model, size_t across);

/* Of one chip, for one step. */
struct vl_trips {
    double scatters, gathers; /* reduce-scatters of gradients; all-gathers */
};
struct vl_traffic {
    double reduced_bytes;   /* tensor: the size of the array in one all-reduce */
    double reductions;      /* how many all-reduces */
    double inside_elements; /* experts: sent one way in one exchange, to the same domain */
    double across_elements; /* and to others */
    double exchanges;       /* ways there; there are as many back */
    double boundary_bytes;  /* pipeline: one message to the next stage, or back */
    double boundaries;      /* how many messages this chip sends */
    struct vl_trips each;   /* data: in each micro-batch, */
    struct vl_trips once;   /* and once a step */
};

/*
 * Two all-reduces per layer in forward and two in backward, each of all that the micro-batch has
 * between layers. Each token of a chip's share (1/tensor of the micro-batch) is sent to its experts
 * and back in forward, and its gradient in backward. Its experts are in as many different domains
 * as vl_domains_met says; its own domain is as likely to be among them as any. A token is sent once
 * to a domain and handed on there. Only the handing on uses the inner road, once for each choice. A
 * micro-batch crosses the v boundaries after a stage forward and backward; a chip sends its share
 * (1/tensor). The trips of 'data' are as in lab 04: the gathers are of weights, but at stage 0 of
 * gradients. What is not needed is 0. group: where the tensor * expert chips that share the experts
 * are.
 */
enum vl_status vl_planned_traffic(struct vl_traffic *traffic, const struct vl_chip *chip,
                                  const struct vl_group *group, const struct vl_setting *setting,
                                  const struct vl_division *division);

/* ---- a step ---- */

/* What travels in each micro-batch: to experts, between stages, and weights and gradients. */
struct vl_flowing {
    double experts, pipeline, data;
};

/* Seconds of one chip in one step, each as if there were nothing else. */
struct vl_loads {
    double arithmetic;
    double tensor; /* always waited for: the next product needs the result */
    struct vl_flowing flowing;
    double closing; /* data that travels once a step, when gradients are complete */
};

static inline double vl_flowing_seconds(const struct vl_flowing *flowing)
{
    return flowing->experts + flowing->pipeline + flowing->data;
}

/* And how they come together. */
struct vl_step_plan {
    double exposed; /* of flowing: each kind hides behind its own share of the arithmetic, as far as
                     * it lasts; all kinds together hide no longer than all of the arithmetic */
    double bubble;  /* of arithmetic, tensor and exposed: waiting for other stages */
    double left;    /* of closing: what its share of the last micro-batch's backward (two thirds of
                     * its arithmetic) does not hide */
    double seconds; /* of the step: arithmetic, tensor and these three */
    double tokens_per_second;
    double mfu; /* of useful FLOPs alone, */
    double hfu; /* and with those of computing again: 'hardware' FLOPs */
};
enum vl_status vl_planned_step(struct vl_step_plan *step, const struct vl_loads *loads,
                               const struct vl_work *work, const struct vl_setting *setting,
                               const struct vl_division *division);

#endif
