/*
 * One of the two jobs of a throughput: started, given orders, waited for.
 */
#ifndef VIALATA_GRADE_JOB_THROUGHPUT_SIDE_H
#define VIALATA_GRADE_JOB_THROUGHPUT_SIDE_H

#include "grade/job/throughput.h"

/* Start it unless it runs. */
enum vl_status vl_throughput_side_start(struct vl_throughput_side *side);

/* End it and all it started. */
void vl_throughput_side_stop(struct vl_throughput_side *side);

/* Give one order to every rank. */
void vl_throughput_side_order(const struct vl_throughput_side *side, const struct vl_order *order);

/* Wait until every rank has answered that order. *status is the worst of their answers. */
enum vl_throughput_end vl_throughput_side_await(struct vl_throughput_side *side, uint32_t verb,
                                                double seconds, enum vl_status *status);

#endif
