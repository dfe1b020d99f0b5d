/*
 * Lab 02: what a collective costs, by the alpha-beta model.
 */
#include "vialata/road_cost.h"

static int is_road(const struct vl_road *road)
{
    return road != NULL && road->alpha >= 0 && road->beta >= 0; /* a NaN is not >= 0 either */
}

static enum vl_status check(const double *seconds, const struct vl_road *road, int ranks,
                            double bytes)
{
    return seconds != NULL && is_road(road) && ranks >= 1 && bytes >= 0 ? VL_OK : VL_EINVAL;
}

static double message(const struct vl_road *road, double bytes)
{
    return road->alpha + road->beta * bytes;
}

/* The holders double each round: the least number of rounds with 2^rounds >= ranks. */
enum vl_status vl_broadcast_seconds(double *seconds, const struct vl_road *road, int ranks,
                                    double bytes)
{
    if (check(seconds, road, ranks, bytes) != VL_OK)
        return VL_EINVAL;
    int rounds = 0;
    while (1LL << rounds < ranks)
        rounds++;
    *seconds = rounds * message(road, bytes);
    return VL_OK;
}

/* P - 1 steps of one chunk each. */
enum vl_status vl_reduce_scatter_seconds(double *seconds, const struct vl_road *road, int ranks,
                                         double bytes)
{
    if (check(seconds, road, ranks, bytes) != VL_OK)
        return VL_EINVAL;
    *seconds = (ranks - 1) * message(road, bytes / ranks);
    return VL_OK;
}

/* The same steps: each hands a chunk on instead of adding to it. */
enum vl_status vl_all_gather_seconds(double *seconds, const struct vl_road *road, int ranks,
                                     double bytes)
{
    return vl_reduce_scatter_seconds(seconds, road, ranks, bytes);
}

enum vl_status vl_all_reduce_seconds(double *seconds, const struct vl_road *road, int ranks,
                                     double bytes)
{
    if (check(seconds, road, ranks, bytes) != VL_OK)
        return VL_EINVAL;
    *seconds = 2.0 * (ranks - 1) * message(road, bytes / ranks);
    return VL_OK;
}

enum vl_status vl_two_level_seconds(double *seconds, const struct vl_road *inside,
                                    const struct vl_road *across, int nodes, int ranks_per_node,
                                    double bytes)
{
    double scatter, all, gather;
    if (seconds == NULL ||
        vl_reduce_scatter_seconds(&scatter, inside, ranks_per_node, bytes) != VL_OK ||
        vl_all_reduce_seconds(&all, across, nodes, bytes / ranks_per_node) != VL_OK ||
        vl_all_gather_seconds(&gather, inside, ranks_per_node, bytes) != VL_OK)
        return VL_EINVAL;
    *seconds = scatter + all + gather;
    return VL_OK;
}
