/*
 * What is remembered of a user, not of a workspace (cli/workspace/standing.h): in $VIALATA_STATE, else
 * $XDG_STATE_HOME/vialata, else ~/.local/state/vialata.
 */
#ifndef VIALATA_CLI_SHARED_STATE_H
#define VIALATA_CLI_SHARED_STATE_H

/* The path of a file in the state folder, which is made if need be. The caller frees it; NULL if
 * the folder cannot be made (errno). */
char *vl_state_path(const char *name);

/* The same path, whether the folder is there or not: for reading. */
char *vl_state_file(const char *name);

#endif
