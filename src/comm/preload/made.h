/*
 * Only for comm/preload/: the groups, types and operators that a program has made and not freed.
 *
 *   MPI_Type_vector -----> vl_made            MPI_Type_free -----> vl_freed
 *                             `--> beacon: how many are left, and the latest <--'
 *
 * MPI gives one handle to several: MPI_Comm_group of the same communicator is the same group each time, and each
 * must be freed. So a thing is known by its handle and the variable that holds it. If the handle was copied
 * elsewhere, it is found by the handle alone, the latest first.
 *
 * All are followed, but only what the program's own code makes is counted (own_code.h). Nothing is lost for want of
 * room, except without memory; then it is not counted.
 */
#ifndef VIALATA_COMM_PRELOAD_MADE_H
#define VIALATA_COMM_PRELOAD_MADE_H

#include "wire/beacon.h"

#include <stdint.h>

/* 'operation' (VL_OP_TYPE_VECTOR ...), called from 'address', has made 'handle' and stored it in *variable. */
void vl_made(enum vl_made_kind kind, uintptr_t handle, const void *variable, uint32_t operation,
             const void *address);
void vl_freed(enum vl_made_kind kind, uintptr_t handle, const void *variable);

#endif
