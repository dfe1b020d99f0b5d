/*
 * One of the two jobs of a pace: started, given orders, waited for.
 */
#ifndef VIALATA_GRADE_PACE_SIDE_H
#define VIALATA_GRADE_PACE_SIDE_H

#include "grade/pace.h"

/* Start it unless it runs. */
enum vl_status vl_pace_side_start(struct vl_pace_side *side, int ranks);

/* End it and all it started. */
void vl_pace_side_stop(struct vl_pace_side *side);

/* Give one order to every rank. */
void vl_pace_side_order(const struct vl_pace_side *side, int ranks, const struct vl_order *order);

/* Wait until every rank has answered that order. *status is the worst of their answers. */
enum vl_pace_end vl_pace_side_await(struct vl_pace_side *side, int ranks, enum vl_verb verb,
                                    double seconds, enum vl_status *status);

#endif
