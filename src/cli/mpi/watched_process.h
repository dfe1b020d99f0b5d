/*
 * Which processes belong to a watched job: mpirun gives each of its ranks the job's folder in the environment, and
 * what they start has it from them. One that has ended has no environment any more, even if nobody has waited for
 * it yet.
 */
#ifndef VIALATA_CLI_MPI_WATCHED_PROCESS_H
#define VIALATA_CLI_MPI_WATCHED_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* Is it one of that folder's? Its number may be another process's by now. */
bool vl_watched_process_is_of(pid_t process, const char *folder);

/* Is there any? */
bool vl_watched_process_is_any_of(const char *folder);

#endif
