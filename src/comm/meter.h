/*
 * The meter: what this rank sent and received since the last reset, counted by wrappers around
 * MPI's calls (PMPI), whoever the caller is. A collective of MPI counts the bytes of the elements
 * that the caller gave it, and no messages, however the library sends them. A message counts as
 * sent when it is posted, and as received when its completion is seen. One to this rank itself
 * counts like any other; one to or from MPI_PROC_NULL does not count.
 *
 * What leaves this rank for others is counted apart, since the kernel can be asked about it. What a
 * collective makes of its bytes is the library's choice, so there are two bounds. What MPI adds to a
 * message is known to a few bytes: so a message without data leaves no room for other data. The
 * number of messages in a collective has only an upper bound. What MPI adds to them is allowed for in 512 calls
 * (VL_METER_COLLECTIVES), far more than a lab makes (the references: 150).
 *
 * Costs a few additions per call; nothing is allocated. Not thread-safe: one thread per rank
 * communicates.
 */
#ifndef VIALATA_COMM_METER_H
#define VIALATA_COMM_METER_H

#include "comm/beacon.h"
#include <stddef.h>
#include <stdint.h>

#define VL_METER_ROWS 64 /* (communicator, operation); beyond them only the totals count */

struct vl_meter_row {
    uint32_t communicator; /* as in the beacon */
    uint32_t operation;    /* enum vl_operation: MPI's calls */
    uint64_t calls;
    uint64_t sent_messages;
    uint64_t sent_bytes;
    uint64_t received_messages; /* that were completed */
    uint64_t received_bytes;
};

#define VL_METER_COLLECTIVES 512 /* calls in one case to which MPI may add something */

struct vl_meter_wire {
    uint64_t least;       /* bytes: of messages to other ranks */
    uint64_t most;        /* bytes: if collectives send all they are given to every rank as well */
    uint64_t messages;    /* at most: of collectives as well */
    uint64_t added;       /* bytes that MPI adds to them, at most */
    uint64_t collectives; /* calls */
};

struct vl_meter {
    struct vl_meter_row total; /* of all rows */
    struct vl_meter_wire wire;
    size_t row_count;
    struct vl_meter_row row[VL_METER_ROWS];
};

void vl_meter_reset(void);
#ifndef vialata_mpi_EXPORTS /* count.h */
/* This rank gives this many bytes to a collective of this many ranks: for 'wire' alone. A caller
 * that bypasses the wrappers, so that nothing else counts them, says so itself. */
void vl_meter_collective(uint64_t bytes, int ranks);
#endif
/* The counts so far; the pointer stays valid, and the counts change with every call. */
const struct vl_meter *vl_meter_now(void);

#endif
