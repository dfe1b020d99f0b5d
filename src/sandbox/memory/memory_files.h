/*
 * Files in memory: how many lie behind a program's walls, in the folders that the wall makes (wall.h).
 *
 *   /tmp   /dev/shm   the folder it starts in       one set behind each wall
 *
 * Their bytes have a limit of their own. But the kernel keeps about 1.2 KiB of its memory for each file,
 * also for an empty one, and that counts neither as the file's bytes nor as any process's memory.
 */
#ifndef VIALATA_SANDBOX_MEMORY_MEMORY_FILES_H
#define VIALATA_SANDBOX_MEMORY_MEMORY_FILES_H

#include "sandbox/process.h"

/* What a program may have behind all its walls together, about 60 MiB: MPI makes a few dozen. */
#define VL_MEMORY_FILES 50000

/*
 * Files, folders and links there now, removed ones included that are still open. What is not a folder
 * in memory of its own, or cannot be looked at, counts as empty; so without a wall this is 0.
 */
size_t vl_memory_files(const struct vl_process *process, const struct vl_sandbox *sandbox);

#endif
