/*
 * What a job array of Slurm runs: a shell script with one command for each task.
 *
 *   FOLDER/I.status   the exit status of command I, once it has ended: it appears whole, so who
 *                     sees it knows that the command's files are there
 *
 * When a node dies, Slurm runs its tasks again on another one. A task whose status is there already
 * does nothing then.
 */
#ifndef VIALATA_CLI_CLASS_SLURM_SLURM_SCRIPT_H
#define VIALATA_CLI_CLASS_SLURM_SLURM_SCRIPT_H

#include "cli/class/workers.h"
#include <stdbool.h>

/* Write the script at 'path' for commands first to first + count - 1; 'folder' is absolute. VL_EIO
 * (errno), VL_ENOMEM. */
enum vl_status vl_slurm_script_write(const char *path, const char *folder,
                                     const struct vl_workers *workers, size_t first, size_t count);

/* The exit status in FOLDER/NAME, a name that a folder's listing gave; false if it is none. */
bool vl_slurm_status_read(size_t *i, int *exit_status, const char *folder, const char *name);

#endif
