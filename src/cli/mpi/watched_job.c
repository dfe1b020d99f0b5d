#include "cli/mpi/watched_job.h"

#include "base/place.h"
#include "base/words.h"
#include "ranks/hang/standstill.h"
#include "sandbox/interrupt.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"
#include "wire/watched.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NANOSECONDS 20000000 /* between two looks */
#define LAST_SECONDS     3.0      /* for mpirun to end its ranks, before it is killed */

enum vl_status vl_watched_open(struct vl_watched_job *job, int ranks, bool strict)
{
    *job = (struct vl_watched_job){.ranks = ranks, .strict = strict};
    enum vl_status status = vl_scratch_create(&job->folder);
    for (int rank = 0; rank < ranks && status == VL_OK; rank++) {
        if (vl_board_make(job->folder, rank))
            job->board[rank] = vl_board_map(job->folder, rank);
        if (job->board[rank] == NULL)
            status = VL_EIO;
    }
    return status;
}

/* The library is for the ranks alone, mpirun goes without. */
static void put_command(struct vl_words *words, const struct vl_watched_job *job,
                        const char *mpirun, char *const *program)
{
    char *library = vl_place_path("preload", NULL);
    words->failed |= library == NULL;
    vl_words_add(words, "%s", mpirun);
    vl_words_add_all(words, (const char *const[]){"--oversubscribe", "--bind-to", "none", NULL});
    if (geteuid() == 0)
        vl_words_add(words, "--allow-run-as-root");
    vl_words_add(words, "-n");
    vl_words_add(words, "%d", job->ranks);
    vl_words_add(words, "-x");
    vl_words_add(words, VL_WATCHED_FOLDER "=%s", job->folder);
    if (job->strict)
        vl_words_add_all(words, (const char *const[]){"-x", VL_WATCHED_STRICT "=1", NULL});
    vl_words_add(words, "-x");
    vl_words_add(words, "LD_PRELOAD=%s", library);
    vl_words_add_all(words, (const char *const *)program);
    free(library);
}

static enum vl_status start(struct vl_watched_job *job, const char *mpirun, char *const *program)
{
    struct vl_words words = {0};
    put_command(&words, job, mpirun, program);
    enum vl_status status = words.failed ? VL_ENOMEM : VL_OK;
    pid_t parent = getpid();
    if (status == VL_OK && (job->pid = fork()) == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() == parent)
            execv(words.list[0], words.list);
        _exit(127);
    }
    if (job->pid < 0) {
        job->pid = 0;
        status = VL_EIO;
    }
    vl_words_free(&words);
    return status;
}

static void ended(struct vl_watched_job *job, int status)
{
    job->pid = 0;
    job->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool has_ended(struct vl_watched_job *job)
{
    int status = 0;
    if (job->pid > 0 && waitpid(job->pid, &status, WNOHANG) == job->pid)
        ended(job, status);
    return job->pid == 0;
}

int vl_watched_begun(const struct vl_watched_job *job)
{
    int begun = 0;
    for (int rank = 0; rank < job->ranks; rank++)
        begun += __atomic_load_n(&job->board[rank]->started, __ATOMIC_ACQUIRE) != 0;
    return begun;
}

static bool stands_still(const struct vl_watched_job *job, struct vl_standstill *still,
                         struct vl_board *seen)
{
    if (vl_watched_begun(job) < job->ranks)
        return false;
    for (int rank = 0; rank < job->ranks; rank++)
        seen->rank[rank] = *job->board[rank];
    return vl_standstill_seen(still, seen, job->ranks, 0, 0);
}

static enum vl_watched_end look(struct vl_watched_job *job, struct vl_board *seen)
{
    struct vl_standstill still = {0};
    const struct timespec pause = {.tv_nsec = LOOK_NANOSECONDS};
    while (!has_ended(job)) {
        if (vl_interrupt_seen())
            return VL_WATCHED_INTERRUPTED;
        if (stands_still(job, &still, seen))
            return VL_WATCHED_STANDSTILL;
        nanosleep(&pause, NULL);
    }
    return vl_interrupt_seen() ? VL_WATCHED_INTERRUPTED : VL_WATCHED_ENDED;
}

enum vl_status vl_watched_run(struct vl_watched_job *job, const char *mpirun, char *const *program)
{
    struct vl_board *seen = calloc(1, sizeof *seen);
    enum vl_status status = seen != NULL ? start(job, mpirun, program) : VL_ENOMEM;
    double begin = vl_clock();
    if (status == VL_OK)
        job->end = look(job, seen);
    job->seconds = vl_clock() - begin;
    free(seen);
    return status;
}

/* mpirun ends its ranks if it is asked to; what is killed leaves them to themselves. */
static void end(struct vl_watched_job *job)
{
    double until = vl_clock() + LAST_SECONDS;
    const struct timespec pause = {.tv_nsec = LOOK_NANOSECONDS};
    if (job->pid > 0)
        kill(job->pid, SIGTERM);
    while (!has_ended(job) && vl_clock() < until)
        nanosleep(&pause, NULL);
    if (job->pid > 0) {
        kill(job->pid, SIGKILL);
        waitpid(job->pid, NULL, 0);
        job->pid = 0;
    }
}

void vl_watched_close(struct vl_watched_job *job)
{
    end(job);
    if (job->folder != NULL)
        vl_scratch_remove(job->folder);
    free(job->folder);
    job->folder = NULL;
}
