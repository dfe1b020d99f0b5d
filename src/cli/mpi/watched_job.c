#include "cli/mpi/watched_job.h"

#include "base/path.h"
#include "base/place.h"
#include "base/words.h"
#include "cli/mpi/shared_segments.h"
#include "cli/mpi/watched_process.h"
#include "ranks/hang/standstill.h"
#include "sandbox/interrupt.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"
#include "wire/watched.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NANOSECONDS 50000000 /* between two looks */
#define LAST_SECONDS     3.0      /* for mpirun or srun to end its ranks, before it is killed */
#define FIRST_SECONDS    0.2      /* for it to know that it is to end, before its ranks do */
#define GONE_SECONDS     0.3      /* for it to end when they are gone: Open MPI's may hang there */
#define SRUN_SECONDS     1.5      /* ... for srun */
#define ROUSE_SECONDS    0.1      /* between two attempts to wake mpirun up */
#define FINALIZE_SECONDS 10       /* for MPI_Finalize, if collective calls before it did not fit */
#define MISFIT_SECONDS   2        /* for a collective under way that does not fit another rank's */
#define ALONE_SECONDS    5        /* for mpirun to end after its ranks: Open MPI's may hang there */

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

/* By a name in the job's folder: the loader would take a path apart that has a space or a colon in it. */
static char *linked_library(const struct vl_watched_job *job)
{
    char *library = vl_place_path("preload", NULL);
    char *link = vl_path_join(job->folder, "watched.so");
    if (library == NULL || link == NULL || symlink(library, link) != 0) {
        free(link);
        link = NULL;
    }
    free(library);
    return link;
}

/* Our library, and those that the program is to have anyway. */
static char *preloaded(const struct vl_watched_job *job)
{
    const char *others = getenv("LD_PRELOAD");
    char *library = linked_library(job), *all = NULL;
    if (library == NULL || others == NULL)
        return library;
    if (asprintf(&all, "%s:%s", library, others) < 0)
        all = NULL;
    free(library);
    return all;
}

static void put_command(struct vl_words *words, const struct vl_watched_job *job,
                        const struct vl_watched_launcher *launcher, char *const *program)
{
    char *libraries = job->plain ? NULL : preloaded(job);
    words->failed |= libraries == NULL && !job->plain;
    vl_words_add_all(words, (const char *const *)launcher->words.list);
    vl_watched_launcher_export(launcher, words, VL_WATCHED_FOLDER, job->folder);
    if (job->strict)
        vl_watched_launcher_export(launcher, words, VL_WATCHED_STRICT, "1");
    if (libraries != NULL)
        vl_watched_launcher_export(launcher, words, "LD_PRELOAD", libraries);
    vl_words_add_all(words, (const char *const *)program);
    free(libraries);
}

/* In the launcher's process, before it is the launcher: there is nothing to read. */
static bool put_output(const struct vl_printed *printed)
{
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return dup2(in, STDIN_FILENO) >= 0 && dup2(printed->out, STDOUT_FILENO) >= 0 &&
           dup2(printed->out, STDERR_FILENO) >= 0;
}

static enum vl_status start(struct vl_watched_job *job, const struct vl_watched_launcher *launcher,
                            char *const *program)
{
    struct vl_words words = {0};
    put_command(&words, job, launcher, program);
    enum vl_status status = words.failed ? VL_ENOMEM : VL_OK;
    pid_t parent = getpid();
    if (status == VL_OK && (job->pid = fork()) == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (launcher->is_srun) /* mpirun does so itself for more ranks than processors */
            setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
        setenv("PMIX_MCA_gds", "hash", 0); /* its files in shared memory have crashed at the end */
        setenv("OMPI_MCA_orte_tmpdir_base", job->folder, 0); /* its files go with ours */
        if (getppid() == parent && (job->printed == NULL || put_output(job->printed)))
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
    if (job->pid == 0)
        return true;
    pid_t who = waitpid(job->pid, &status, WNOHANG);
    if (who == job->pid)
        ended(job, status);
    else if (who < 0 && errno != EINTR) /* whoever started us lets the kernel take its children */
        job->pid = 0;
    return job->pid == 0;
}

int vl_watched_begun(const struct vl_watched_job *job)
{
    int begun = 0;
    for (int rank = 0; rank < job->ranks; rank++)
        begun += __atomic_load_n(&job->board[rank]->started, __ATOMIC_ACQUIRE) != 0;
    return begun;
}

uint32_t vl_watched_unwatched(const struct vl_watched_job *job)
{
    uint32_t kinds = 0;
    for (int rank = 0; rank < job->ranks; rank++)
        kinds |= __atomic_load_n(&job->board[rank]->beacon.unwatched, __ATOMIC_RELAXED);
    return kinds;
}

/* Does a rank have threads besides those that are known not to call MPI? One may do so yet. Where they cannot be
 * counted, there may be some. */
static bool others_may_call(const struct vl_watched_job *job)
{
    for (int rank = 0; rank < job->ranks; rank++) {
        uint32_t known = job->board[rank]->threads;
        int all = known > 0 ? vl_watched_process_threads(job->board[rank]->process) : 0;
        if (known > 0 && (all <= 0 || (uint32_t)all > known))
            return true;
    }
    return false;
}

static bool stands_still(struct vl_watched_job *job, struct vl_standstill *still,
                         struct vl_board *seen)
{
    if (vl_watched_begun(job) < job->ranks ||
        (vl_watched_unwatched(job) & VL_UNWATCHED_THREADS) != 0)
        return false;
    for (int rank = 0; rank < job->ranks; rank++)
        seen->rank[rank] = *job->board[rank];
    bool is_still = vl_standstill_seen(still, seen, job->ranks, 0, 0);
    job->has_threads = is_still && others_may_call(job);
    return is_still && !job->has_threads;
}

/* Are all ranks gone, and whatever was started with them? Some may have been ended before they were out of
 * MPI_Init; but none is out of it before all have started. */
static bool is_alone(const struct vl_watched_job *job)
{
    if (vl_watched_begun(job) == 0)
        return false;
    for (int rank = 0; rank < job->ranks; rank++)
        if (!vl_watched_process_is_gone(job->board[rank]->process))
            return false;
    return !vl_watched_process_is_any_of(job->folder);
}

/* Were collective calls of ranks not the same? */
static bool is_mismatched(const struct vl_watched_job *job)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS];
    const struct vl_hang_places program = {.program = true};
    struct vl_finding finding;
    for (int rank = 0; rank < job->ranks; rank++)
        beacons[rank] = &job->board[rank]->beacon;
    bool found = vl_hang_find(&finding, beacons, &program, job->ranks, VL_FINISHED, 0) == VL_OK &&
                 finding.code != NULL &&
                 strncmp(finding.code, "collective_", strlen("collective_")) == 0;
    vl_finding_free(&finding);
    return found;
}

/* Does a rank ask for a collective that will never be done? MPI may be about to finish one that differs in its
 * counts alone, so it has to be so twice. */
static bool is_misfit(const struct vl_watched_job *job)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS];
    if (vl_watched_begun(job) < job->ranks || vl_watched_unwatched(job) != 0 ||
        others_may_call(job))
        return false;
    for (int rank = 0; rank < job->ranks; rank++)
        beacons[rank] = &job->board[rank]->beacon;
    return vl_hang_is_misfit(beacons, job->ranks);
}

/* Are all ranks in MPI_Finalize, and some of them not out of it? What a program does there itself may last; but a
 * rank that is still in an earlier collective call of another one never gets out. */
static bool is_finalizing(const struct vl_watched_job *job)
{
    int inside = 0;
    for (int rank = 0; rank < job->ranks; rank++) {
        const struct vl_beacon *beacon = &job->board[rank]->beacon;
        if (beacon->phase != VL_PHASE_RETURNED || job->board[rank]->threads != 0)
            return false;
        inside += __atomic_load_n(&beacon->is_out, __ATOMIC_ACQUIRE) == 0 &&
                  !vl_watched_process_is_gone(job->board[rank]->process);
    }
    return inside > 0 && is_mismatched(job);
}

static void kill_launcher(struct vl_watched_job *job)
{
    kill(job->pid, SIGKILL);
    waitpid(job->pid, NULL, 0);
    job->pid = 0;
    job->killed = true;
}

/* What mpirun would have returned: 0 if every rank came to its MPI_Finalize. */
static void end_alone(struct vl_watched_job *job)
{
    int status = 0;
    for (int rank = 0; rank < job->ranks; rank++)
        status |= job->board[rank]->beacon.phase != VL_PHASE_RETURNED;
    kill_launcher(job);
    job->status = status;
}

static enum vl_watched_end look(struct vl_watched_job *job, struct vl_board *seen)
{
    struct vl_standstill still = {0};
    const struct timespec pause = {.tv_nsec = LOOK_NANOSECONDS};
    double begin = vl_clock(), second = begin;
    int alone = 0, finalizing = 0, misfit = 0; /* for this many seconds */
    while (!has_ended(job)) {
        if (vl_interrupt_seen())
            return VL_WATCHED_INTERRUPTED;
        if (stands_still(job, &still, seen))
            return VL_WATCHED_STANDSTILL;
        if (job->printed != NULL)
            vl_printed_take(job->printed);
        if (vl_clock() - second > 1) {
            second = vl_clock();
            alone = is_alone(job) ? alone + 1 : 0;
            finalizing = is_finalizing(job) ? finalizing + 1 : 0;
            misfit = is_misfit(job) ? misfit + 1 : 0;
        }
        if (finalizing >= FINALIZE_SECONDS || misfit >= MISFIT_SECONDS)
            return VL_WATCHED_STANDSTILL;
        if (alone >= ALONE_SECONDS)
            end_alone(job);
        if (job->most > 0 && vl_clock() - begin > job->most)
            return VL_WATCHED_OVER;
        nanosleep(&pause, NULL);
    }
    return vl_interrupt_seen() ? VL_WATCHED_INTERRUPTED : VL_WATCHED_ENDED;
}

enum vl_status vl_watched_run(struct vl_watched_job *job,
                              const struct vl_watched_launcher *launcher, char *const *program)
{
    struct vl_board *seen = calloc(1, sizeof *seen);
    job->is_srun = launcher->is_srun;
    enum vl_status status = seen != NULL ? start(job, launcher, program) : VL_ENOMEM;
    double begin = vl_clock();
    if (job->printed != NULL)
        vl_printed_started(job->printed);
    if (status == VL_OK)
        job->end = look(job, seen);
    job->seconds = vl_clock() - begin;
    /* Ranks that wait and ask all the time leave little to whoever has yet to write what was found. */
    if (job->end == VL_WATCHED_STANDSTILL || job->end == VL_WATCHED_OVER)
        vl_watched_process_stop_all(job->folder);
    if (job->printed != NULL)
        vl_printed_take(job->printed);
    free(seen);
    return status;
}

static void await_end(struct vl_watched_job *job, double seconds)
{
    double until = vl_clock() + seconds;
    const struct timespec pause = {.tv_nsec = LOOK_NANOSECONDS};
    while (!has_ended(job) && vl_clock() < until)
        nanosleep(&pause, NULL);
}

/* mpirun may have begun to sleep for a second when the last of its ranks was gone already: the signal that would have
 * woken it is sent again. */
static void rouse(struct vl_watched_job *job)
{
    double until = vl_clock() + (job->is_srun ? SRUN_SECONDS : GONE_SECONDS);
    while (!has_ended(job) && vl_clock() < until) {
        if (!job->is_srun)
            kill(job->pid, SIGCHLD);
        await_end(job, ROUSE_SECONDS);
    }
}

/* Ask the ranks ourselves: none of them can go on, but mpirun would leave them a second more. */
static void end_ranks(struct vl_watched_job *job)
{
    await_end(job, FIRST_SECONDS);
    vl_watched_process_end_all(job->folder);
    double until = vl_clock() + LAST_SECONDS;
    while (!has_ended(job) && vl_clock() < until && !is_alone(job))
        await_end(job, ROUSE_SECONDS);
    rouse(job);
}

/* mpirun ends its ranks if it is asked to once. If it is asked again meanwhile, it leaves them to themselves:
 * a Ctrl-C has reached it, too. */
static void end(struct vl_watched_job *job)
{
    if (vl_interrupt_seen() == SIGINT)
        await_end(job, LAST_SECONDS);
    if (job->pid > 0)
        kill(job->pid, SIGTERM);
    if (job->end == VL_WATCHED_STANDSTILL)
        end_ranks(job);
    else
        await_end(job, LAST_SECONDS);
    if (job->pid > 0)
        kill_launcher(job);
    /* What mpirun has left behind. A program that came to its end may have started something that stays. */
    if (job->end != VL_WATCHED_ENDED || job->most > 0)
        vl_watched_process_kill_all(job->folder);
    for (int rank = 0; rank < job->ranks && job->killed;
         rank++) /* all say the same, if they came so far */
        vl_shared_segments_remove(job->board[rank]->job);
}

void vl_watched_close(struct vl_watched_job *job)
{
    if (job->folder != NULL)
        end(job);
    if (job->folder != NULL)
        vl_scratch_remove(job->folder);
    free(job->folder);
    job->folder = NULL;
}
