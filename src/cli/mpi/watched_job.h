/*
 * A job of somebody's own MPI program, watched from outside: every rank writes to its board what it does in MPI
 * (comm/preload/), and this process looks at the boards.
 *
 *   mpirun --+-- rank 0 --> board.0 --.
 *            +-- rank 1 --> board.1 ----> vialata mpi: does anything still move?
 *            `-- rank 2 --> board.2 --'
 *
 * The program keeps its standard input, output and errors, unless somebody wants to have what it prints.
 */
#ifndef VIALATA_CLI_MPI_WATCHED_JOB_H
#define VIALATA_CLI_MPI_WATCHED_JOB_H

#include "cli/mpi/printed.h"
#include "cli/mpi/watched_launcher.h"
#include "vialata/status.h"
#include "wire/board.h"
#include <stdbool.h>
#include <sys/types.h>

enum vl_watched_end {
    VL_WATCHED_ENDED,      /* by itself */
    VL_WATCHED_STANDSTILL, /* no rank could go on, so it was ended */
    VL_WATCHED_OVER,       /* it still ran when its time was over */
    VL_WATCHED_INTERRUPTED /* Ctrl-C, or a signal to this process */
};

struct vl_watched_job {
    int ranks;
    bool strict; /* buffers are looked at, too */
    bool plain;  /* nothing is preloaded: the program runs as under mpirun, to compare */
    double most; /* seconds that it may take; 0: as long as it likes */
    struct vl_printed *printed; /* takes what it prints; NULL: that goes where ours goes */
    char *folder;               /* of the boards and modules (wire/watched.h); removed at the end */
    const struct vl_board_rank *board[VL_BOARD_RANKS];
    pid_t pid;    /* the launcher's; 0: it does not run */
    bool is_srun; /* that is the launcher */
    bool killed;  /* it could not tidy up */
    enum vl_watched_end end;
    int status;       /* of the launcher, as a shell shows it */
    double seconds;   /* how long it ran */
    bool has_threads; /* it seems to stand still, but has threads that may yet call MPI */
};

/* Make the folder and its boards. 'strict' says that buffers are looked at, too. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_watched_open(struct vl_watched_job *job, int ranks, bool strict);

/* Let the launcher start 'program', and look until the job ends, stands still or is over its time. Then its ranks are
 * stopped where they are (SIGSTOP), so that one can look at them: vl_watched_close ends them. After a signal they still
 * run. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_watched_run(struct vl_watched_job *job,
                              const struct vl_watched_launcher *launcher, char *const *program);

/* How many ranks have come out of MPI_Init. */
int vl_watched_begun(const struct vl_watched_job *job);

/* What the ranks did that is not watched: enum vl_unwatched, as bits. */
uint32_t vl_watched_unwatched(const struct vl_watched_job *job);

void vl_watched_close(struct vl_watched_job *job);

#endif
