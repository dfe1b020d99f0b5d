/*
 * Which processes belong to a watched job: mpirun gives each of its ranks the job's folder in the environment, and
 * what they start has it from them.
 */
#ifndef VIALATA_CLI_MPI_WATCHED_PROCESS_H
#define VIALATA_CLI_MPI_WATCHED_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* Has it ended, even if nobody has waited for it yet? So has 0, a process that nobody has seen. */
bool vl_watched_process_is_gone(pid_t process);

/* How many threads it has; 0 if that is not known. */
int vl_watched_process_threads(pid_t process);

/* Does one that belongs to the folder still run? */
bool vl_watched_process_is_any_of(const char *folder);

/* Stop all of them where they are: they take no time from others then. */
void vl_watched_process_stop_all(const char *folder);

/* Ask all of them to end, stopped or not. */
void vl_watched_process_end_all(const char *folder);

/* Kill all of them, and those that they start meanwhile. */
void vl_watched_process_kill_all(const char *folder);

#endif
