#include "sandbox/process.h"

#include "base/words.h"
#include "sandbox/environment.h"
#include "sandbox/interrupt.h"
#include "sandbox/process_limit.h"
#include "sandbox/syscalls.h"
#include "sandbox/wall.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (16u << 20)
#define OPEN_FILES  512
#define PENDING     128 /* signals that wait, and so timers: those also ring while others are timed */
#define END_SECONDS 1.0 /* for a wall to come down */

enum { TROUBLE = 3, FILTER, FIRST_CLOSED }; /* descriptors of the child, after the standard ones */

double vl_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void limit(int what, rlim_t most)
{
    struct rlimit bound;
    if (getrlimit(what, &bound) != 0)
        return;
    bound.rlim_max = bound.rlim_max < most ? bound.rlim_max : most;
    bound.rlim_cur = bound.rlim_max;
    setrlimit(what, &bound);
}

/* Linux first shares the processor between sessions, and this process has its own. So the session
 * must be nice too, or its members are nice only to one another. */
static void be_nice(int nice)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%d", nice);
    int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (group >= 0) {
        (void)!write(group, text, (size_t)length);
        close(group);
    }
    setpriority(PRIO_PROCESS, 0, nice);
}

struct start {
    const struct vl_sandbox *sandbox;
    const struct vl_limits *limits;
    const char *folder;
    char *const *argv;
    struct vl_words environment;
    rlim_t processes; /* of this user, at most */
    pid_t parent;
    int output;
    int trouble; /* errno of what went wrong goes here */
    int filter;  /* the wall's filter of system calls; -1: no wall */
};

static void set_limits(const struct start *start)
{
    const struct vl_limits *limits = start->limits;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, OPEN_FILES);
    limit(RLIMIT_STACK, STACK_BYTES);
    limit(RLIMIT_FSIZE, limits->file_size);
    limit(RLIMIT_NPROC, start->processes);
    limit(RLIMIT_SIGPENDING, PENDING);
    if (limits->memory > 0)
        limit(RLIMIT_AS, limits->memory);
    if (limits->nice != 0)
        be_nice(limits->nice);
}

/* In the child. The order matters: the out-of-memory mark needs root, and the kernel forgets the
 * parent-death signal when the user changes. */
static void become(const struct start *start)
{
    int null = open("/dev/null", O_RDONLY);
    int mark = open("/proc/self/oom_score_adj", O_WRONLY);
    if (mark >= 0)
        (void)!write(mark, "1000", 4);
    setsid();
    int filter = fcntl(start->filter, F_DUPFD, FIRST_CLOSED); /* out of the way */
    if (null >= 0 && dup2(null, 0) >= 0 && dup2(start->output, 1) >= 0 &&
        dup2(start->output, 2) >= 0 && dup2(start->trouble, TROUBLE) >= 0 &&
        fcntl(TROUBLE, F_SETFD, FD_CLOEXEC) == 0 && (filter < 0 || dup2(filter, FILTER) >= 0)) {
        for (int open_file = filter < 0 ? FILTER : FIRST_CLOSED; open_file < 1024; open_file++)
            close(open_file);
        umask(077);
        set_limits(start);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_DFL);
        if (vl_sandbox_enter(start->sandbox) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
            prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == start->parent &&
            chdir(start->folder) == 0)
            execvpe(start->argv[0], start->argv, start->environment.list);
    }
    int why = errno;
    (void)!write(TROUBLE, &why, sizeof why);
    _exit(127);
}

static enum vl_status launch(struct vl_process *process, struct start *start)
{
    int output[2], trouble[2];
    if (pipe2(output, O_CLOEXEC) != 0)
        return VL_EIO;
    if (pipe2(trouble, O_CLOEXEC) != 0) {
        close(output[0]);
        close(output[1]);
        return VL_EIO;
    }
    start->output = output[1];
    start->trouble = trouble[1];
    start->parent = getpid();
    process->pid = fork();
    if (process->pid == 0)
        become(start);
    int why = process->pid < 0 ? errno : 0;
    close(output[1]);
    close(trouble[1]);
    if (process->pid > 0) /* closed with nothing in it once the program has started */
        while (read(trouble[0], &why, sizeof why) < 0 && errno == EINTR)
            ;
    close(trouble[0]);
    process->pipe = output[0];
    fcntl(process->pipe, F_SETFL, O_NONBLOCK);
    if (why == 0)
        return VL_OK;
    vl_process_end(process);
    errno = why;
    return why == ENOENT || why == EACCES ? VL_ELACK : VL_EIO;
}

static enum vl_environment_ranks ranks_of(const struct vl_process *process)
{
    return process->cables  ? VL_RANKS_ON_CABLES
           : process->walls ? VL_RANKS_ON_LOOPBACK
                            : VL_RANKS_TOGETHER;
}

enum vl_status vl_process_start(struct vl_process *process, const struct vl_sandbox *sandbox,
                                const char *folder, char *const argv[],
                                const struct vl_limits *limits)
{
    *process = (struct vl_process){.pipe = -1,
                                   .exit = -1,
                                   .until = sandbox->until,
                                   .most = limits->output > 0 ? limits->output : VL_PROCESS_WORDS};
    process->words = calloc(1, process->most + 1);
    struct vl_words command = {0};
    struct start start = {.sandbox = sandbox,
                          .limits = limits,
                          .folder = folder != NULL ? folder : sandbox->folder,
                          .filter = -1};
    enum vl_status status = VL_OK;
    process->walled = sandbox->walled && limits->sees != NULL;
    process->walls = process->walled && limits->walls;
    process->cables = process->walls && sandbox->cables;
    if (process->walled) {
        status = vl_syscalls_open(&start.filter, process->cables  ? VL_SYSCALLS_CABLES
                                                 : process->walls ? VL_SYSCALLS_WALLS
                                                                  : VL_SYSCALLS_NONE);
        vl_wall_put(&command,
                    &(struct vl_wall){.kind = process->walls ? VL_WALL_AROUND : VL_WALL_ALONE,
                                      .cables = process->cables,
                                      .folder = sandbox->folder,
                                      .where = start.folder,
                                      .sees = limits->sees,
                                      .writes = limits->writes,
                                      .filter = FILTER});
    }
    for (size_t i = 0; argv[i] != NULL; i++)
        vl_words_add(&command, "%s", argv[i]);
    start.argv = command.list;
    vl_environment_put(&start.environment, sandbox->folder, ranks_of(process));
    start.processes = vl_process_limit_outside(process, sandbox, limits->processes);
    if (process->words == NULL || start.environment.failed || command.failed)
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = launch(process, &start);
    if (status == VL_OK && start.processes == RLIM_INFINITY &&
        !vl_process_limit_inside(process, limits->processes))
        status = VL_EIO;
    if (start.filter >= 0)
        close(start.filter);
    vl_words_free(&start.environment);
    vl_words_free(&command);
    if (status != VL_OK) {
        int why = errno;
        vl_process_free(process);
        errno = why;
    }
    return status;
}

/* True if there was something to read. */
static bool drain(struct vl_process *process)
{
    char block[65536];
    ssize_t n = process->pipe >= 0 ? read(process->pipe, block, sizeof block) : 0;
    if (n < 0)
        return errno == EINTR;
    if (n == 0) {
        if (process->pipe >= 0)
            close(process->pipe);
        process->pipe = -1;
        return false;
    }
    size_t left = process->most - process->kept;
    size_t taken = (size_t)n < left ? (size_t)n : left;
    for (size_t i = 0; i < taken; i++) /* it is text: nothing ends it before its end */
        process->words[process->kept++] = block[i] != '\0' ? block[i] : ' ';
    process->words[process->kept] = '\0';
    process->printed += (size_t)n;
    return true;
}

/* Bounded, since a grandchild may still hold the pipe and print. */
static void drain_some(struct vl_process *process)
{
    for (int blocks = 0; blocks < 16 && drain(process); blocks++)
        ;
}

static void reap(struct vl_process *process, int options)
{
    int status = 0;
    pid_t got;
    while ((got = waitpid(process->pid, &status, options)) < 0 && errno == EINTR)
        ;
    bool swept = got < 0 && errno == ECHILD; /* vl_sandbox_sweep waited for it */
    if (got != process->pid && !swept)
        return;
    process->ended = 1;
    process->pid = 0;
    if (swept)
        return;
    process->exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    process->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

double vl_process_deadline(const struct vl_process *process, double seconds)
{
    double until = vl_clock() + seconds;
    return process->until > 0 && process->until < until ? process->until : until;
}

int vl_process_poll(struct vl_process *process, int milliseconds)
{
    struct pollfd wait = {.fd = process->pipe, .events = POLLIN};
    poll(&wait, 1, milliseconds); /* a closed pipe (-1) just sleeps */
    drain_some(process);
    if (!process->ended)
        reap(process, WNOHANG);
    return process->ended;
}

/* The children of a process, the oldest first. Returns how many there are, at most 'most'. */
static int children_of(pid_t *children, int most, pid_t parent)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    FILE *list = parent > 0 ? fopen(path, "re") : NULL;
    while (list != NULL && count < most && fscanf(list, "%d", &children[count]) == 1)
        count++;
    if (list != NULL)
        fclose(list);
    return count;
}

static pid_t oldest_child(pid_t parent)
{
    pid_t child;
    return children_of(&child, 1, parent) == 1 ? child : 0;
}

/* Behind a wall our child only holds it up, and its one child is the program. */
pid_t vl_process_program(const struct vl_process *process)
{
    if (process->pid <= 0 || process->ended)
        return 0;
    return process->walled ? oldest_child(process->pid) : process->pid;
}

int vl_process_walls(pid_t walls[VL_PROCESS_WALLS], const struct vl_process *process)
{
    return process->walls ? children_of(walls, VL_PROCESS_WALLS, vl_process_program(process)) : 0;
}

/* A wall within is held up by two: one outside, and process 1 inside, whose first child is the
 * program. */
int vl_process_firsts(pid_t *firsts, int most, const struct vl_process *process)
{
    pid_t program = vl_process_program(process);
    int count = process->walls ? children_of(firsts, most, program) : program > 0 && most > 0;
    for (int i = 0; i < count; i++)
        firsts[i] = process->walls ? oldest_child(firsts[i]) : program;
    return count;
}

void vl_process_signal(const struct vl_process *process, int number)
{
    pid_t firsts[VL_PROCESS_WALLS];
    int count = vl_process_firsts(firsts, VL_PROCESS_WALLS, process);
    for (int i = 0; i < count; i++) {
        pid_t within = process->walls ? oldest_child(firsts[i]) : firsts[i];
        if (within > 0)
            kill(within, number);
    }
}

bool vl_process_freeze(const struct vl_process *process, const struct vl_sandbox *sandbox,
                       int children)
{
    pid_t found[VL_PROCESS_WALLS], program = vl_process_program(process);
    if (children_of(found, VL_PROCESS_WALLS, program) < children)
        return false;
    vl_sandbox_freeze(sandbox, &program, 1);
    return children_of(found, VL_PROCESS_WALLS, program) == children;
}

/* Behind a wall the program is process 1, and all others end with it before it is reaped. Who ends what
 * holds up the wall comes back too early. */
static void end_walled(struct vl_process *process)
{
    pid_t program = vl_process_program(process);
    double until = vl_clock() + END_SECONDS;
    if (program > 0)
        kill(program, SIGKILL);
    while (program > 0 && !process->ended && vl_clock() < until) {
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
        reap(process, WNOHANG);
    }
    if (process->ended && process->exit == 128 + SIGKILL) { /* bubblewrap's way to tell a signal */
        process->exit = -1;
        process->signal = SIGKILL;
    }
}

void vl_process_end(struct vl_process *process)
{
    if (process->pid > 0 && !process->ended)
        reap(process, WNOHANG);
    if (process->pid > 0 && !process->ended && process->walled)
        end_walled(process);
    if (process->pid > 0 && !process->ended) {
        kill(process->pid, SIGKILL);
        reap(process, 0);
    }
    drain_some(process);
    if (process->pipe >= 0)
        close(process->pipe);
    process->pipe = -1;
}

void vl_process_forget_first(struct vl_process *process, size_t bytes)
{
    bytes = bytes < process->kept ? bytes : process->kept;
    if (bytes == 0)
        return;
    process->kept -= bytes;
    process->printed = process->kept; /* what found no room is forgotten, too */
    memmove(process->words, process->words + bytes, process->kept + 1);
}

void vl_process_forget_output(struct vl_process *process)
{
    process->kept = 0;
    process->printed = 0;
    process->words[0] = '\0';
}

void vl_process_free(struct vl_process *process)
{
    vl_process_end(process);
    free(process->words);
    *process = (struct vl_process){.pipe = -1};
}

enum vl_status vl_process_run(struct vl_process *process, const struct vl_sandbox *sandbox,
                              const char *folder, char *const argv[],
                              const struct vl_limits *limits)
{
    enum vl_status status = vl_process_start(process, sandbox, folder, argv, limits);
    if (status != VL_OK)
        return status;
    double until = vl_clock() + limits->seconds;
    while (!vl_process_poll(process, 5) && !process->overtime && !vl_interrupt_seen())
        process->overtime = vl_clock() > until;
    vl_process_end(process);
    return VL_OK;
}
