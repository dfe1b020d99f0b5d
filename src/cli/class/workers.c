#include "cli/class/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct running {
    pid_t pid; /* 0: free */
    size_t i;
};

static void watched_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
}

/* In the child. Its own group keeps the terminal's Ctrl-C from it: that goes through us. */
static void become(char *const *words, const char *output, const sigset_t *before, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int nothing = open("/dev/null", O_RDONLY);
    int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (getppid() != parent || nothing < 0 || file < 0)
        _exit(127);
    dup2(nothing, STDIN_FILENO);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    sigprocmask(SIG_SETMASK, before, NULL);
    execv(words[0], words);
    _exit(127);
}

static enum vl_status start(const struct vl_workers *workers, struct running *running, size_t i,
                            const sigset_t *before)
{
    struct vl_words words = {0};
    char *output = NULL;
    pid_t parent = getpid();
    enum vl_status status = workers->begin(workers->context, i, &words, &output);
    if (status == VL_OK && words.failed)
        status = VL_ENOMEM;
    if (status == VL_OK) {
        *running = (struct running){fork(), i};
        if (running->pid == 0)
            become(words.list, output, before, parent);
        if (running->pid < 0) {
            running->pid = 0;
            status = VL_EIO;
        }
    }
    vl_words_free(&words);
    free(output);
    return status;
}

/* Take those that have ended; returns how many. */
static size_t reap(const struct vl_workers *workers, struct running *running)
{
    size_t ended = 0;
    for (size_t k = 0; k < workers->at_once; k++) {
        int how;
        if (running[k].pid == 0 || waitpid(running[k].pid, &how, WNOHANG) != running[k].pid)
            continue;
        running[k].pid = 0;
        ended++;
        workers->ended(workers->context, running[k].i,
                       WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how));
    }
    return ended;
}

static void tell_all(const struct vl_workers *workers, const struct running *running)
{
    for (size_t k = 0; k < workers->at_once; k++)
        if (running[k].pid > 0)
            kill(running[k].pid, SIGTERM);
}

static enum vl_status fill(const struct vl_workers *workers, struct running *running, size_t *next,
                           size_t count, size_t *alive, const sigset_t *before)
{
    for (size_t k = 0; k < workers->at_once && *next < count; k++) {
        if (running[k].pid != 0)
            continue;
        enum vl_status status = start(workers, &running[k], (*next)++, before);
        if (status != VL_OK)
            return status;
        ++*alive;
    }
    return VL_OK;
}

enum vl_status vl_workers_run(const struct vl_workers *workers, size_t count, int *signal)
{
    struct running *running = calloc(workers->at_once + 1, sizeof *running);
    size_t next = 0, alive = 0;
    sigset_t watched, before;
    enum vl_status status = running != NULL ? VL_OK : VL_ENOMEM;
    *signal = 0;
    if (status != VL_OK)
        return status;
    watched_signals(&watched);
    sigprocmask(SIG_BLOCK, &watched, &before);
    while (alive > 0 || (next < count && *signal == 0 && status == VL_OK)) {
        if (*signal == 0 && status == VL_OK)
            status = fill(workers, running, &next, count, &alive, &before);
        if (status != VL_OK)
            tell_all(workers, running);
        int came = alive > 0 ? sigwaitinfo(&watched, NULL) : 0;
        if (came > 0 && came != SIGCHLD) {
            *signal = came;
            tell_all(workers, running);
        }
        alive -= reap(workers, running);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(running);
    return status;
}
