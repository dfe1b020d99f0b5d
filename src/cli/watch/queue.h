/*
 * What is to be graded next: first what was just edited, then what was written and not right before, each in the
 * order of the lab; until one of them is not right.
 */
#ifndef VIALATA_CLI_WATCH_QUEUE_H
#define VIALATA_CLI_WATCH_QUEUE_H

#include "cli/watch/sources.h"
#include "cli/workspace/standing.h"

struct vl_queue {
    bool edited[VL_SOURCES_FUNCTIONS];
    bool written[VL_SOURCES_FUNCTIONS]; /* others are left alone */
    bool done[VL_SOURCES_FUNCTIONS];    /* graded since the last save */
};

/* After a save. */
void vl_queue_fill(struct vl_queue *queue, const bool edited[VL_SOURCES_FUNCTIONS],
                   const bool written[VL_SOURCES_FUNCTIONS]);

/* The next one, which counts as graded then; NULL if nothing is left. */
const struct vl_lab_function *vl_queue_take(struct vl_queue *queue,
                                            const struct vl_standing *standing);

#endif
