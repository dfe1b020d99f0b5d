/*
 * Lab 02: what a collective costs, by the alpha-beta model.
 *
 * Find the closed forms with a pencil: count the steps, and the bytes of one message in each.
 */
#include "vialata/road_cost.h"

/* include/vialata/road_cost.h: how many rounds until everybody has it? */
enum vl_status vl_broadcast_seconds(double *seconds, const struct vl_road *road, int ranks,
                                    double bytes)
{
    (void)seconds;
    (void)road;
    (void)ranks;
    (void)bytes;
    /* TODO(02): refuse fewer than one rank, and a negative alpha or beta. */
    /* TODO(02): rounds times the cost of a message; count rounds in integers, not with log2(). */
    return VL_TODO;
}

/* include/vialata/road_cost.h: steps of a ring, and what goes in each. */
enum vl_status vl_reduce_scatter_seconds(double *seconds, const struct vl_road *road, int ranks,
                                         double bytes)
{
    (void)seconds;
    (void)road;
    (void)ranks;
    (void)bytes;
    /* TODO(02): the same refusals, in this and the following functions. */
    return VL_TODO;
}

/* include/vialata/road_cost.h: compare its steps with those of the reduce-scatter. */
enum vl_status vl_all_gather_seconds(double *seconds, const struct vl_road *road, int ranks,
                                     double bytes)
{
    (void)seconds;
    (void)road;
    (void)ranks;
    (void)bytes;
    /* TODO(02): is anything different, if adding costs nothing? */
    return VL_TODO;
}

/* include/vialata/road_cost.h: the two halves of an all-reduce. */
enum vl_status vl_all_reduce_seconds(double *seconds, const struct vl_road *road, int ranks,
                                     double bytes)
{
    (void)seconds;
    (void)road;
    (void)ranks;
    (void)bytes;
    /* TODO(02): write it as alpha times a number of messages plus beta times a number of bytes. */
    return VL_TODO;
}

/* include/vialata/road_cost.h: three parts, two of them on the road inside. */
enum vl_status vl_two_level_seconds(double *seconds, const struct vl_road *inside,
                                    const struct vl_road *across, int nodes, int ranks_per_node,
                                    double bytes)
{
    (void)seconds;
    (void)inside;
    (void)across;
    (void)nodes;
    (void)ranks_per_node;
    (void)bytes;
    /* TODO(02): over how many ranks does each part run, and with how many bytes? */
    return VL_TODO;
}
