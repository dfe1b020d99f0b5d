/*
 * The beacon, for the program that is watched: where it writes, and when a case begins and ends.
 * wire/beacon.h says what is in it.
 */
#ifndef VIALATA_COMM_BEACON_H
#define VIALATA_COMM_BEACON_H

#include "wire/beacon.h"

/* From now on write to this beacon (NULL: to a private one), which is cleared first. */
void vl_beacon_use(struct vl_beacon *beacon);
struct vl_beacon *vl_beacon_mine(void);

/* This rank does something that is not watched (enum vl_unwatched). From any thread. */
void vl_beacon_note_unwatched(uint32_t kind);

/* Begin and end of a case. strict: find send buffers that change in flight (reads them twice).
 * synchronous: MPI_Send is done as MPI_Ssend; if it is 2, MPI_Isend is also done as MPI_Issend. */
void vl_beacon_begin(int strict, int synchronous);
void vl_beacon_end(int32_t status);

/* Called when MPI finds an error, after 'error' and 'error_call' are written; it need not return.
 * If it is NULL or returns, MPI does its default: it prints the error and ends the job. */
extern void (*vl_beacon_on_error)(void);

/* Called before MPI_Init, unless it is NULL. */
extern void (*vl_beacon_before_init)(void);

/* Called once MPI_Init is done. If it is not NULL, a whole program is watched, and no function that a runner
 * calls: then MPI_Finalize is how a rank ends well (VL_BEACON_FINALIZED). */
extern void (*vl_beacon_on_init)(void);

#endif
