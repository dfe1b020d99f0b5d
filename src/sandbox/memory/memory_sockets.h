/*
 * Memory in sockets: what a program sends and nobody reads waits in the kernel, where it counts for no
 * process.
 */
#ifndef VIALATA_SANDBOX_MEMORY_MEMORY_SOCKETS_H
#define VIALATA_SANDBOX_MEMORY_MEMORY_SOCKETS_H

#include "sandbox/process.h"

/* Bytes that wait in the sockets behind the walls of a process, about: the kernel says how much data
 * waits in each, not how much memory that takes. 0 without a wall, where others have sockets too. */
size_t vl_memory_sockets(const struct vl_process *process);

#endif
