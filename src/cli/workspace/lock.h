/*
 * One command at a time changes a workspace, and what is said if none can.
 */
#ifndef VIALATA_CLI_WORKSPACE_LOCK_H
#define VIALATA_CLI_WORKSPACE_LOCK_H

#include "cli/command.h"
#include "cli/workspace/record.h"

/* Make the folder a workspace and wait until this process alone works on it. A descriptor, whose
 * closing ends that; -1 (errno). */
int vl_workspace_lock(const char *folder);

/* VL_EXIT_LACK, with a sentence about errno; 'shown' is the workspace's name for people. */
enum vl_exit vl_workspace_refuse_write(const char *shown);

/* VL_EXIT_LACK, with a sentence: a newer Vialata made this workspace. */
enum vl_exit vl_workspace_refuse_newer(const struct vl_record *record, const char *shown);

#endif
