/*
 * The timeline of a watched job: a trace that `vialata timeline` draws, whatever way the job ended.
 *
 *   rank 0   compute | wait in MPI_Recv |  compute  | ...
 *   rank 1        compute       | wait |  compute    ...
 *
 * A rank computes whenever it is not inside a call that waits.
 */
#ifndef VIALATA_CLI_MPI_WATCHED_TRACE_H
#define VIALATA_CLI_MPI_WATCHED_TRACE_H

#include "cli/mpi/watched_job.h"
#include "vialata/status.h"

/* Let the ranks record: between vl_watched_open and vl_watched_run. VL_EIO (errno). */
enum vl_status vl_watched_record(const struct vl_watched_job *job);

/* The trace as a text, fresh; *lost says how many spans there was no room for. VL_ENOMEM. */
enum vl_status vl_watched_trace(char **text, uint64_t *lost, const struct vl_watched_job *job);

#endif
