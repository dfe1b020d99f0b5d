/*
 * Only for comm/intercept/: how the wrappers write into the meter. In a program of somebody's own nobody asks for
 * it, so there it counts nothing (CMake defines vialata_mpi_EXPORTS for what is preloaded).
 */
#ifndef VIALATA_COMM_COUNT_H
#define VIALATA_COMM_COUNT_H

#include "comm/meter.h"
#include <stdbool.h>

#ifdef vialata_mpi_EXPORTS

static inline void vl_meter_count(const struct vl_meter_row *more)
{
    (void)more;
}

static inline void vl_meter_message(uint64_t bytes, bool synchronous)
{
    (void)bytes;
    (void)synchronous;
}

static inline void vl_meter_collective(uint64_t bytes, int ranks)
{
    (void)bytes;
    (void)ranks;
}

#else

/* The row of a communicator and operation, made if need be; NULL if the table is full. */
struct vl_meter_row *vl_meter_row(uint32_t communicator, uint32_t operation);

/* Add 'more' to its row and to the totals. */
void vl_meter_count(const struct vl_meter_row *more);

/* A message of this many bytes leaves for another rank. synchronous: it waits for its receive,
 * however short it is. */
void vl_meter_message(uint64_t bytes, bool synchronous);

#endif
#endif
