#include "cli/run/job.h"

#include "base/machine/blas_kernels.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

char *vl_job_mpirun(void)
{
    char *built_with = vl_path_program(vl_place_text("mpiexec"));
    return built_with != NULL ? built_with : vl_path_program("mpirun");
}

enum vl_exit vl_job_refuse_mpirun(void)
{
    return vl_say(VL_EXIT_LACK, _("mpirun was not found, and a run needs it: install Open MPI, or "
                                  "let `./vialata` do it."));
}

/* ---- signals: counted here, acted on in the loop ---- */

static volatile sig_atomic_t signals_seen;
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
#define ENDS (sizeof ends / sizeof *ends)

static void count_signal(int number)
{
    (void)number;
    signals_seen++;
}

struct signals {
    struct sigaction before[ENDS];
    sigset_t mask; /* before */
};

/* They are delivered only inside ppoll, so none is missed between a check and the wait. */
static void catch_signals(struct signals *signals)
{
    struct sigaction action = {.sa_handler = count_signal};
    sigset_t blocked;
    signals_seen = 0;
    sigemptyset(&blocked);
    for (size_t i = 0; i < ENDS; i++)
        sigaddset(&blocked, ends[i]);
    sigprocmask(SIG_BLOCK, &blocked, &signals->mask);
    for (size_t i = 0; i < ENDS; i++)
        sigaction(ends[i], &action, &signals->before[i]);
}

static void release_signals(const struct signals *signals)
{
    for (size_t i = 0; i < ENDS; i++)
        sigaction(ends[i], &signals->before[i], NULL);
    sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

/* ---- the job ---- */

#define ENDED_BY_SIGNAL ((enum vl_exit)(128 + SIGINT))

struct watch {
    const struct vl_job *job;
    pid_t pid;     /* 0 before it begins and after its end */
    int fd;        /* its standard output; -1 once that is closed */
    char *pending; /* a line that is not whole yet */
    size_t length, capacity;
    int heard;    /* it has told something, so its ranks listen to signals */
    int answered; /* signals acted on */
    int failed;   /* it told an error */
    int unwanted; /* another one failed, so this one was ended */
};

static size_t put_all(const char **words, size_t n, const char *const *more)
{
    for (; more != NULL && *more != NULL; more++)
        words[n++] = *more;
    return n;
}

static size_t length_of(const char *const *words)
{
    size_t n = 0;
    while (words != NULL && words[n] != NULL)
        n++;
    return n;
}

static const char **command_line(const struct vl_job *job, const char *mpirun, const char *trainer,
                                 const char *ranks)
{
    const char *const usual[] = {mpirun, "-n", ranks, "--oversubscribe", "--bind-to", "none",
                                 /* no message about an exit status: ours explains it better */
                                 "--quiet", geteuid() == 0 ? "--allow-run-as-root" : NULL, NULL};
    const char *const program[] = {trainer, job->command, job->plain ? NULL : "--events", NULL};
    size_t given = length_of(job->before) + length_of(job->launcher) + length_of(job->options);
    const char **words = calloc((size_t)job->count + given + 16, sizeof *words);
    if (words == NULL)
        return NULL;
    size_t n = put_all(words, 0, job->before);
    n = put_all(words, n, job->launcher != NULL ? job->launcher : usual);
    n = put_all(words, n, job->options);
    n = put_all(words, n, program);
    for (int i = 0; i < job->count; i++)
        words[n++] = job->words[i];
    return words;
}

/* One machine: neither networks nor graphics are looked for. Four ranks then start in two thirds of the time. */
static void look_for_nothing(void)
{
    setenv("OMPI_MCA_pml", "ob1", 0);
    setenv("HWLOC_COMPONENTS", "linux,stop", 0);
    setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 0);
}

/* In the child. Its own session keeps the terminal's Ctrl-C from it: that goes through us. */
static void become(const char **words, int out, const struct signals *signals, pid_t parent,
                   const char *kernels, bool here)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    release_signals(signals);
    dup2(out, STDOUT_FILENO);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    /* libevent in mpirun waits by poll: by epoll it prints warnings if a rank leaves at once */
    setenv("EVENT_NOEPOLL", "1", 0);
    if (kernels != NULL)
        setenv("OPENBLAS_CORETYPE", kernels, 1);
    if (here)
        look_for_nothing();
    execv(words[0], (char *const *)words);
    _exit(127);
}

static int start(struct watch *watch, const char **words, const struct signals *signals)
{
    int ends_of_pipe[2];
    pid_t parent = getpid();
    const char *kernels = watch->job->elsewhere ? NULL : vl_blas_kernels();
    if (pipe2(ends_of_pipe, O_CLOEXEC) != 0)
        return 0;
    fflush(NULL);
    watch->pid = fork();
    if (watch->pid == 0) {
        close(ends_of_pipe[0]);
        become(words, ends_of_pipe[1], signals, parent, kernels,
               watch->job->launcher == NULL && watch->job->options == NULL);
    }
    close(ends_of_pipe[1]);
    watch->fd = ends_of_pipe[0];
    if (watch->pid > 0)
        return 1;
    close(watch->fd);
    return 0;
}

/* The first signal asks the job to end, the second insists, the third kills it. */
static void answer_signals(struct watch *watch)
{
    while (watch->answered < signals_seen) {
        watch->answered++;
        if (watch->answered == 1 && watch->job->ends_cleanly && watch->heard) {
            kill(watch->pid, SIGUSR1);
            vl_say(VL_EXIT_OK, "\n%s",
                   _("Ending after this step. Press Ctrl-C once more to end at once."));
        } else {
            kill(watch->pid, watch->answered < 3 ? SIGTERM : SIGKILL);
        }
    }
}

static void take_line(struct watch *watch, const char *line, size_t length)
{
    json_t *event = json_loadb(line, length, 0, NULL);
    const json_t *error = json_object_get(event, "error");
    const json_t *warning = json_object_get(event, "warning");
    const char *message =
        json_string_value(json_object_get(error != NULL ? error : warning, "message"));
    watch->heard = 1;
    if (error != NULL)
        watch->failed = 1;
    if (message != NULL)
        vl_say(VL_EXIT_OK, "%s", message);
    else if (json_is_object(event))
        watch->job->event(watch->job->context, event);
    json_decref(event);
}

/* False at the end of its output, or without memory. */
static bool read_more(struct watch *watch)
{
    if (watch->capacity - watch->length < 4096) {
        char *larger = realloc(watch->pending, watch->capacity + 65536);
        if (larger == NULL)
            return false;
        watch->pending = larger;
        watch->capacity += 65536;
    }
    ssize_t n = read(watch->fd, watch->pending + watch->length, watch->capacity - watch->length);
    if (n <= 0)
        return n < 0 && errno == EINTR;
    watch->length += (size_t)n;
    char *line = watch->pending, *end;
    while ((end = memchr(line, '\n', watch->length - (size_t)(line - watch->pending))) != NULL) {
        take_line(watch, line, (size_t)(end - line));
        line = end + 1;
    }
    watch->length -= (size_t)(line - watch->pending);
    memmove(watch->pending, line, watch->length);
    return true;
}

/* Wait until one of them has written something or has ended, or until a signal came. Nothing wakes
 * us when a job exits that has closed its output already, so then the wait is short. */
static void watch_once(struct watch *watches, size_t count, const struct signals *signals)
{
    struct pollfd outputs[VL_JOB_LANES];
    struct timespec pause = {.tv_nsec = 50000000};
    size_t open = 0;
    int closing = 0;
    for (size_t i = 0; i < count; i++) {
        if (watches[i].pid > 0 && watches[i].fd >= 0)
            outputs[open++] = (struct pollfd){.fd = watches[i].fd, .events = POLLIN};
        closing |= watches[i].pid > 0 && watches[i].fd < 0;
    }
    if (ppoll(outputs, open, closing ? &pause : NULL, &signals->mask) <= 0)
        return;
    open = 0;
    for (size_t i = 0; i < count; i++) {
        struct watch *watch = &watches[i];
        if (watch->pid <= 0 || watch->fd < 0 || outputs[open++].revents == 0 || read_more(watch))
            continue;
        close(watch->fd);
        watch->fd = -1;
    }
}

static enum vl_exit judge_end(const struct watch *watch, int status)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == VL_EXIT_OK || (watch->failed && code >= VL_EXIT_USAGE && code <= VL_EXIT_FAULT))
        return (enum vl_exit)code;
    if (watch->answered > 0 || watch->unwanted) /* ended because the person, or we, said so */
        return ENDED_BY_SIGNAL;
    return vl_say(VL_EXIT_FAULT,
                  _("The run ended on its own with status %d. What it last said is above; `vialata "
                    "doctor` looks at this machine."),
                  code);
}

static enum vl_exit begin(struct watch *watch, const char *mpirun, const struct signals *signals)
{
    const struct vl_job *job = watch->job;
    char ranks[16];
    char *trainer =
        job->program != NULL ? strdup(job->program) : vl_place_path("bin", "vialata-trainer");
    enum vl_exit result = VL_EXIT_OK;
    snprintf(ranks, sizeof ranks, "%d", job->ranks);
    const char **words = trainer != NULL ? command_line(job, mpirun, trainer, ranks) : NULL;
    if (trainer == NULL || access(trainer, X_OK) != 0)
        result = vl_say(VL_EXIT_LACK, _("vialata-trainer is not built: `./vialata` builds it."));
    else if (words == NULL || !start(watch, words, signals))
        result = vl_say(VL_EXIT_LACK, _("The run could not be started: %m."));
    free(words);
    free(trainer);
    return result;
}

/* ---- several of them ---- */

struct lanes {
    struct watch *watches;
    size_t count, begun, under_way;
    enum vl_exit result; /* of the first that did not end well */
};

/* A run that failed ends the others, since their results would be of no use. */
static void note_end(struct lanes *lanes, enum vl_exit result)
{
    if (result == VL_EXIT_OK || lanes->result != VL_EXIT_OK)
        return;
    lanes->result = result;
    for (size_t i = 0; i < lanes->begun; i++) {
        if (lanes->watches[i].pid > 0 && lanes->watches[i].answered == 0) {
            lanes->watches[i].unwanted = 1;
            kill(lanes->watches[i].pid, SIGTERM);
        }
    }
}

static void fill(struct lanes *lanes, size_t most, const char *mpirun,
                 const struct signals *signals)
{
    while (lanes->begun < lanes->count && lanes->under_way < most && signals_seen == 0 &&
           lanes->result == VL_EXIT_OK) {
        struct watch *watch = &lanes->watches[lanes->begun++];
        enum vl_exit result = begin(watch, mpirun, signals);
        lanes->under_way += result == VL_EXIT_OK;
        note_end(lanes, result);
    }
}

static void reap(struct lanes *lanes)
{
    for (size_t i = 0; i < lanes->begun; i++) {
        struct watch *watch = &lanes->watches[i];
        int status = 0;
        if (watch->pid <= 0 || watch->fd >= 0 ||
            waitpid(watch->pid, &status, WNOHANG) != watch->pid)
            continue;
        watch->pid = 0;
        lanes->under_way--;
        note_end(lanes, judge_end(watch, status));
    }
}

static enum vl_exit run_all(struct lanes *lanes, size_t most, const char *mpirun)
{
    struct signals signals;
    catch_signals(&signals);
    for (fill(lanes, most, mpirun, &signals); lanes->under_way > 0;
         fill(lanes, most, mpirun, &signals)) {
        watch_once(lanes->watches, lanes->begun, &signals);
        for (size_t i = 0; i < lanes->begun; i++)
            if (lanes->watches[i].pid > 0)
                answer_signals(&lanes->watches[i]);
        reap(lanes);
    }
    if (lanes->result == VL_EXIT_OK && lanes->begun < lanes->count)
        lanes->result = ENDED_BY_SIGNAL;
    release_signals(&signals);
    return lanes->result;
}

enum vl_exit vl_jobs_run(const struct vl_job *jobs, size_t count, size_t most)
{
    struct lanes lanes = {.watches = calloc(count > 0 ? count : 1, sizeof *lanes.watches),
                          .count = count};
    char *mpirun = vl_job_mpirun();
    enum vl_exit result;
    for (size_t i = 0; lanes.watches != NULL && i < count; i++)
        lanes.watches[i] = (struct watch){.job = &jobs[i], .fd = -1};
    if (mpirun == NULL && count > 0 && jobs[0].launcher == NULL)
        result = vl_job_refuse_mpirun();
    else if (lanes.watches == NULL)
        result = vl_say_status(VL_ENOMEM);
    else
        result = run_all(&lanes, most < VL_JOB_LANES ? most : VL_JOB_LANES, mpirun);
    for (size_t i = 0; lanes.watches != NULL && i < count; i++)
        free(lanes.watches[i].pending);
    free(lanes.watches);
    free(mpirun);
    return result;
}

enum vl_exit vl_job_run(const struct vl_job *job)
{
    return vl_jobs_run(job, 1, 1);
}
