/*
 * For comm/intercept/ alone: how strictly the present case is watched (vl_beacon_begin).
 */
#ifndef VIALATA_COMM_STRICT_H
#define VIALATA_COMM_STRICT_H

int vl_strict_looks_twice(void); /* is the buffer the same when the send completes? */
int vl_strict_waits(void);       /* MPI_Send is MPI_Ssend */

#endif
