/*
 * The transfers that this case has finished. Their memory has been given back, so whoever polls or finishes
 * one again reads what may belong to somebody else by now.
 */
#ifndef VIALATA_COMM_INTERCEPT_ENDED_H
#define VIALATA_COMM_INTERCEPT_ENDED_H

#include "vialata/collectives.h"
#include "wire/beacon.h"

/* It was finished; 'began' is the call that had started it. Of many, the latest are known. */
void vl_ended_note(const struct vl_transfer *transfer, const struct vl_beacon_call *began);

/* Its memory is in use again: a new transfer lies there. */
void vl_ended_forget(const struct vl_transfer *transfer);

/* It is polled or finished by a call at this place: note a race if it has ended. */
void vl_ended_look(const struct vl_transfer *transfer, enum vl_operation operation,
                   const void *address);

#endif
