/*
 * What is said of a watched job: for a person on a terminal, and as JSON.
 */
#ifndef VIALATA_CLI_MPI_WATCHED_REPORT_H
#define VIALATA_CLI_MPI_WATCHED_REPORT_H

#include "cli/mpi/program_places.h"
#include "cli/mpi/watched_job.h"
#include "ranks/hang/hang.h"
#include "report/draw/terminal.h"

#include <jansson.h>

/* Look at the boards as they are now: 'finding' is to be freed. If ranks could still go on when somebody ended
 * them, it has no code, and its detail says where they were. VL_ENOMEM. */
enum vl_status vl_watched_find(struct vl_finding *finding, struct vl_program_places *places,
                               const struct vl_watched_job *job);

/* Say why a job could not be started or looked at. VL_EXIT_LACK. */
enum vl_exit vl_watched_refuse(enum vl_status status);

/* Say that it was ended, and after how many seconds; false, and nothing said, if it came to its end. */
bool vl_watched_tell_stop(const struct vl_terminal *terminal, enum vl_watched_end end,
                          double after);

/* To standard error; nothing if there is nothing to say. */
void vl_watched_tell(const struct vl_watched_job *job, const struct vl_finding *finding,
                     const struct vl_program_places *places);

/* Who waits for whom, as SVG, fresh; *svg is NULL if nobody waits. VL_ENOMEM. */
enum vl_status vl_watched_picture(char **svg, const struct vl_watched_job *job,
                                  const struct vl_finding *finding);

/* {"schema": "vialata.mpi/1", "end", "status", "seconds", "ranks", "watched", "finding": null or {"code", "message",
 * "detail"}, "unwatched": [...]}; NULL without memory. */
json_t *vl_watched_json(const struct vl_watched_job *job, const struct vl_finding *finding);

#endif
