/*
 * Lab 10, station 3: what travels, and how long it takes.
 *
 * The contracts are in include/vialata/plan_roads.h. vl_all_gather_seconds of lab 02 is there for
 * you (include/vialata/road_cost.h).
 */
#include "vialata/plan_roads.h"
#include "vialata/road_cost.h"

/* include/vialata/plan_roads.h: one reduce-scatter, or one all-gather. */
enum vl_status vl_group_gather_seconds(double *seconds, const struct vl_group *group,
                                       const struct vl_cluster *cluster, double bytes)
{
    (void)seconds;
    (void)group;
    (void)cluster;
    (void)bytes;
    /* TODO(10): refuse null pointers and a group without members. */
    /* TODO(10): on a torus, how many axes does the group reach inside? Their bandwidths add up. */
    /* TODO(10): the ring inside, with all bytes; the ring across, with one member's part. */
    return VL_TODO;
}

/* include/vialata/plan_roads.h: everything that one chip sends in one step. */
enum vl_status vl_planned_traffic(struct vl_traffic *traffic, const struct vl_chip *chip,
                                  const struct vl_group *group, const struct vl_setting *setting,
                                  const struct vl_division *division)
{
    (void)traffic;
    (void)chip;
    (void)group;
    (void)setting;
    (void)division;
    /* TODO(10): refuse null pointers; everything is 0 to begin with. */
    /* TODO(10): tensor: which array, and how many all-reduces in all layers and micro-batches? */
    /* TODO(10): experts: inside, the choices of a token that are on another chip; across, the
     * domains met (vl_domains_met of worked.c) that are not its own. How many times a step? */
    /* TODO(10): pipeline: a share of the micro-batch, over each boundary there and back. */
    /* TODO(10): data: a table of the four stages, as in lab 04; what travels in each micro-batch,
     * and what once a step? */
    return VL_TODO;
}
