/*
 * Running git, which may be missing: then every call says so, and nothing else is lost.
 */
#ifndef VIALATA_CLI_WORKSPACE_GIT_H
#define VIALATA_CLI_WORKSPACE_GIT_H

#include <stddef.h>

/* `git -C folder word...`, the words ended by NULL, with no question asked and no repository taken
 * from the environment. *out, unless 'out' is NULL, is what it printed, ended by a zero byte, freed
 * by the caller, with its length in *n unless that is NULL. Its exit status; -1 if it could not
 * run. */
int vl_git(char **out, size_t *n, const char *folder, const char *const *words);

#endif
