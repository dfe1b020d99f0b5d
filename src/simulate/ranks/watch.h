/*
 * Ends in which no step is: told as JSON lines on standard output, for `vialata simulate`.
 *
 *   {"stuck": {"rank": 3, "peer": 4, "tag": 7, "receives": true}}
 *       one for each rank that waits when nothing moves any more: SimGrid notices, and ends them
 *       all. No peer: it waits for something else than a message of ours.
 *   {"hung": {"rank": 3}}
 *       this process has computed for long, and no rank has received a message or called a kernel
 *       meanwhile; the rank ran last. The process ends.
 */
#ifndef VIALATA_SIMULATE_RANKS_WATCH_H
#define VIALATA_SIMULATE_RANKS_WATCH_H

#include "vialata/status.h"

/* Watch this rank, once its state is there (state.h). VL_ENOMEM, VL_EIO. */
enum vl_status vl_watch_begin(void);

/* Something has happened that brings the step to its end. */
void vl_watch_progress(void);

#endif
