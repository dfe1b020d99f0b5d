/*
 * For comm/intercept/ alone: which case this is, and how strictly it is watched (vl_beacon_begin).
 */
#ifndef VIALATA_COMM_STRICT_H
#define VIALATA_COMM_STRICT_H

#include <stdint.h>

int vl_strict_looks_twice(void); /* is the buffer the same when the send completes? */
int vl_strict_waits(void);       /* MPI_Send is MPI_Ssend */

/* Changes with every beacon that is begun or used; never 0. What the wrappers remember of an
 * earlier one has no place in the present one. */
uint32_t vl_case_number(void);

#endif
