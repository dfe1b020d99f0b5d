#include "cli/job.h"

#include "base/place.h"
#include "base/text.h"
#include "cli/say.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- finding programs ---- */

char *vl_job_program(const char *name)
{
    const char *path = getenv("PATH");
    char *found = NULL;
    if (name[0] == '\0')
        return NULL;
    if (strchr(name, '/') != NULL)
        return access(name, X_OK) == 0 ? strdup(name) : NULL;
    for (const char *folder = path != NULL ? path : "/usr/bin:/bin"; *folder != '\0';) {
        size_t length = strcspn(folder, ":");
        if (asprintf(&found, "%.*s/%s", (int)length, folder, name) < 0)
            return NULL;
        if (access(found, X_OK) == 0)
            return found;
        free(found);
        folder += length + (folder[length] == ':');
    }
    return NULL;
}

char *vl_job_mpirun(void)
{
    char *built_with = vl_job_program(vl_place_text("mpiexec"));
    return built_with != NULL ? built_with : vl_job_program("mpirun");
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

/* Delivered only inside ppoll, so none is missed between a look and a wait. */
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

struct watch {
    const struct vl_job *job;
    pid_t pid;
    int fd;        /* its standard output */
    char *pending; /* a line that is not whole yet */
    size_t length, room;
    int heard;    /* it has told something, so its ranks listen to signals */
    int answered; /* signals acted on */
    int failed;   /* it told an error */
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
                                 /* its own words about an exit status that we explain better */
                                 "--quiet", geteuid() == 0 ? "--allow-run-as-root" : NULL, NULL};
    const char *const program[] = {trainer, job->command, "--events", NULL};
    const char **words = calloc(
        (size_t)job->count + length_of(job->before) + length_of(job->options) + 16, sizeof *words);
    if (words == NULL)
        return NULL;
    size_t n = put_all(words, 0, job->before);
    n = put_all(words, n, usual);
    n = put_all(words, n, job->options);
    n = put_all(words, n, program);
    for (int i = 0; i < job->count; i++)
        words[n++] = job->words[i];
    return words;
}

/* In the child. Its own session keeps the terminal's Ctrl-C from it: that goes through us. */
static void become(const char **words, int out, const struct signals *signals, pid_t parent)
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
    execv(words[0], (char *const *)words);
    _exit(127);
}

static int start(struct watch *watch, const char **words, const struct signals *signals)
{
    int ends_of_pipe[2];
    pid_t parent = getpid();
    if (pipe(ends_of_pipe) != 0)
        return 0;
    fflush(NULL);
    watch->pid = fork();
    if (watch->pid == 0) {
        close(ends_of_pipe[0]);
        become(words, ends_of_pipe[1], signals, parent);
    }
    close(ends_of_pipe[1]);
    watch->fd = ends_of_pipe[0];
    if (watch->pid > 0)
        return 1;
    close(watch->fd);
    return 0;
}

/* What a person does twice means it: first ask, then insist, then kill. */
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

/* Zero at the end of its output. */
static int read_more(struct watch *watch)
{
    if (watch->room - watch->length < 4096) {
        char *larger = realloc(watch->pending, watch->room + 65536);
        if (larger == NULL)
            return 0;
        watch->pending = larger;
        watch->room += 65536;
    }
    ssize_t n = read(watch->fd, watch->pending + watch->length, watch->room - watch->length);
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
    return 1;
}

static int watch_it(struct watch *watch, const struct signals *signals)
{
    struct pollfd output = {.fd = watch->fd, .events = POLLIN};
    int open = 1, ended = 0, status = 0;
    while (!ended) {
        struct timespec pause = {.tv_nsec = 50000000};
        if (open && ppoll(&output, 1, NULL, &signals->mask) > 0)
            open = read_more(watch);
        else if (!open)
            ppoll(NULL, 0, &pause, &signals->mask);
        answer_signals(watch);
        ended = !open && waitpid(watch->pid, &status, WNOHANG) == watch->pid;
    }
    return status;
}

static enum vl_exit judge_end(const struct watch *watch, int status)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == VL_EXIT_OK || (watch->failed && code >= VL_EXIT_USAGE && code <= VL_EXIT_FAULT))
        return (enum vl_exit)code;
    if (watch->answered > 0) /* ended because the person said so */
        return (enum vl_exit)(128 + SIGINT);
    return vl_say(VL_EXIT_FAULT,
                  _("The run ended on its own with status %d. What it last said stands above; "
                    "`vialata doctor` looks at this machine."),
                  code);
}

enum vl_exit vl_job_run(const struct vl_job *job)
{
    struct watch watch = {.job = job};
    struct signals signals;
    char ranks[16];
    char *mpirun = vl_job_mpirun();
    char *trainer =
        job->program != NULL ? strdup(job->program) : vl_place_path("bin", "vialata-trainer");
    snprintf(ranks, sizeof ranks, "%d", job->ranks);
    const char **words =
        mpirun != NULL && trainer != NULL ? command_line(job, mpirun, trainer, ranks) : NULL;
    enum vl_exit result;
    if (mpirun == NULL) {
        result = vl_say(VL_EXIT_LACK, _("There is no mpirun here, and a run needs it: install Open "
                                        "MPI, or let `./vialata` do it."));
    } else if (trainer == NULL || access(trainer, X_OK) != 0) {
        result = vl_say(VL_EXIT_LACK, _("vialata-trainer is not built: `./vialata` builds it."));
    } else {
        catch_signals(&signals);
        int started = words != NULL && start(&watch, words, &signals);
        int status = started ? watch_it(&watch, &signals) : 0;
        release_signals(&signals);
        result = started ? judge_end(&watch, status)
                         : vl_say(VL_EXIT_LACK, _("The run could not be started: %m."));
        if (started)
            close(watch.fd);
    }
    free(watch.pending);
    free(words);
    free(trainer);
    free(mpirun);
    return result;
}
