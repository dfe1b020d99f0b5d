/*
 * The beacon, for the program that is watched: where it writes, and when a case begins and ends. What
 * is in a beacon: wire/beacon.h.
 */
#ifndef VIALATA_COMM_BEACON_H
#define VIALATA_COMM_BEACON_H

#include "wire/beacon.h"

/* Write to this beacon from now on (NULL: to a private one). Starts with everything zero. */
void vl_beacon_use(struct vl_beacon *beacon);
struct vl_beacon *vl_beacon_mine(void);

/* Begin and end of a case. 'strict' nonzero: look for buffers touched in flight (reads them twice),
 * send with MPI_Ssend where the program says MPI_Send if 'synchronous'. */
void vl_beacon_begin(int strict, int synchronous);
void vl_beacon_end(int32_t status);

/* Called when MPI found an error, after 'error' and 'error_call' are written; it need not come
 * back. NULL, and at its return: what MPI does by itself, which is to say so and end the job. */
extern void (*vl_beacon_on_error)(void);

#endif
