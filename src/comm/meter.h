/*
 * The meter: what this rank sent and received since the last reset, counted at MPI's own door
 * (PMPI), whoever called. Collectives of MPI count the elements the caller gave them, not what the
 * library makes of them: bytes, and no messages. A message counts as sent when it is posted, as
 * received when its completion was seen; one to this rank itself like any other, one to or from
 * MPI_PROC_NULL not at all.
 *
 * Costs a few additions a call; nothing is allocated. Not thread-safe: one thread a rank talks.
 */
#ifndef VIALATA_COMM_METER_H
#define VIALATA_COMM_METER_H

#include "comm/beacon.h"
#include <stddef.h>
#include <stdint.h>

#define VL_METER_ROWS 64 /* (communicator, operation); what comes later is in the totals only */

struct vl_meter_row {
    uint32_t communicator; /* as in the beacon */
    uint32_t operation;    /* enum vl_operation: MPI's calls */
    uint64_t calls;
    uint64_t sent_messages;
    uint64_t sent_bytes;
    uint64_t received_messages; /* that were completed */
    uint64_t received_bytes;
};

struct vl_meter {
    struct vl_meter_row total; /* of all rows */
    size_t row_count;
    struct vl_meter_row row[VL_METER_ROWS];
};

void vl_meter_reset(void);
/* The counts so far; valid until the process ends, changing as it talks. */
const struct vl_meter *vl_meter_now(void);

#endif
