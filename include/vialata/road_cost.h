/*
 * What a collective costs: the alpha-beta model.
 *
 *   time of one message = alpha + beta * bytes      alpha: seconds to get going (latency)
 *                                                   beta:  seconds per byte (1 / bandwidth)
 *
 * A step in which every rank sends one message and receives one costs as much as one message.
 * `vialata bench roads` measures alpha and beta of this machine and prints these predictions next
 * to its measurements. The closed forms are yours to find. Adding is assumed to cost nothing,
 * chunks are bytes / P even where P does not divide, and P = 1 costs nothing. Serial.
 *
 * Source: Hockney 1994, "The communication challenge for MPP".
 */
#ifndef VIALATA_ROAD_COST_H
#define VIALATA_ROAD_COST_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

struct vl_road {
    double alpha; /* seconds per message */
    double beta;  /* seconds per byte */
};

/* The time in seconds of vl_broadcast, vl_reduce_scatter, vl_all_gather and vl_all_reduce over
 * 'ranks' ranks. VL_EINVAL for ranks < 1 or a negative alpha or beta. */
enum vl_status vl_broadcast_seconds(double *seconds, const struct vl_road *road, int ranks,
                                    double bytes);
enum vl_status vl_reduce_scatter_seconds(double *seconds, const struct vl_road *road, int ranks,
                                         double bytes);
enum vl_status vl_all_gather_seconds(double *seconds, const struct vl_road *road, int ranks,
                                     double bytes);
enum vl_status vl_all_reduce_seconds(double *seconds, const struct vl_road *road, int ranks,
                                     double bytes);

/* vl_all_reduce_two_level over 'nodes' nodes of ranks_per_node ranks. Each rank has a road of its
 * own to the rank at the same place in the next node ('across'). */
enum vl_status vl_two_level_seconds(double *seconds, const struct vl_road *inside,
                                    const struct vl_road *across, int nodes, int ranks_per_node,
                                    double bytes);

/*
 * Numbers written down before measuring, for the case that the lab's text gives. Zero means "not
 * sealed yet".
 */
struct vl_collectives_prediction {
    uint64_t ring_sent_bytes;    /* by one rank in one ring all-reduce */
    uint64_t tree_root_messages; /* sent by the root of one broadcast */
    double break_even_bytes; /* size above which a ring all-reduce beats reducing and broadcasting
                              * along a binomial tree */
};

/* Fill in numbers, not formulas: work them out with pencil and paper. */
enum vl_status vl_predict_collectives(struct vl_collectives_prediction *prediction);

#endif
