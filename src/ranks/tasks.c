#include "ranks/tasks.h"

#include "sandbox/memory/census.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SETTLE_SECONDS 20e-3
#define SETTLE_STEP    20000 /* nanoseconds between two looks */

static bool is_among(const pid_t *pids, size_t count, pid_t pid)
{
    for (size_t i = 0; i < count; i++)
        if (pids[i] == pid)
            return true;
    return false;
}

static bool is_dead(const struct vl_census_member *member)
{
    return member->state == 'Z' || member->state == 'X';
}

/* Behind a wall our child only holds it up, and its one child is mpirun. */
static pid_t find_mpirun(const struct vl_census *census, const struct vl_process *process)
{
    pid_t found = process->walled ? 0 : process->pid;
    for (size_t i = 0; i < census->count && found == 0; i++)
        if (census->members[i].parent == process->pid)
            found = census->members[i].pid;
    return found;
}

/* By process id, which follows the order of the ranks. */
static int compare_pids(const void *a, const void *b)
{
    const pid_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

void vl_tasks_find(struct vl_tasks *tasks, const struct vl_process *process,
                   const struct vl_sandbox *sandbox)
{
    struct vl_census census;
    *tasks = (struct vl_tasks){
        .processes = {process->pid}, .count = 1, .owner = sandbox->apart ? sandbox->user : 0};
    vl_census_take(&census);
    pid_t mpirun = find_mpirun(&census, process);
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < census.count && tasks->count < VL_TASKS_MOST; i++) {
            const struct vl_census_member *member = &census.members[i];
            bool ours = is_among(tasks->processes, tasks->count, member->parent) ||
                        (sandbox->apart && member->user == sandbox->user);
            if (!ours || is_dead(member) || is_among(tasks->processes, tasks->count, member->pid))
                continue;
            tasks->processes[tasks->count++] = member->pid;
            if (member->parent == mpirun && tasks->rank_count < VL_BOARD_RANKS)
                tasks->ranks[tasks->rank_count++] = member->pid;
            grown = true;
        }
    }
    vl_census_free(&census);
    qsort(tasks->ranks, tasks->rank_count, sizeof *tasks->ranks, compare_pids);
}

/* The beginning of a small file, ended by a zero byte; how many bytes, or -1. */
static ssize_t read_text(int folder, const char *path, char *text, size_t size)
{
    int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, text, size - 1) : -1;
    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
    return n;
}

/* The state of a thread is the letter behind its name, which may hold brackets of its own. */
static bool is_asleep(int folder, const char *thread)
{
    char path[300], text[256];
    snprintf(path, sizeof path, "%s/stat", thread);
    read_text(folder, path, text, sizeof text);
    const char *bracket = strrchr(text, ')');
    return bracket == NULL || bracket[1] == '\0' || strchr("RD", bracket[2]) == NULL;
}

/* Nanoseconds of processor time of a thread. */
static double thread_cpu(int folder, const char *thread)
{
    char path[300], text[64];
    snprintf(path, sizeof path, "%s/schedstat", thread);
    ssize_t n = read_text(folder, path, text, sizeof text);
    return n > 0 ? strtod(text, NULL) : 0;
}

/* What is asked about the threads of a process. */
enum about_threads { COUNT, COUNT_AWAKE, SUM_CPU };

static double ask_threads(pid_t process, enum about_threads what)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    struct dirent *entry;
    double sum = 0;
    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        int folder = dirfd(threads);
        sum += what == SUM_CPU       ? 1e-9 * thread_cpu(folder, entry->d_name)
               : what == COUNT_AWAKE ? !is_asleep(folder, entry->d_name)
                                     : 1;
    }
    if (threads != NULL)
        closedir(threads);
    return sum;
}

size_t vl_tasks_total(const struct vl_tasks *tasks)
{
    size_t total = tasks->count - tasks->rank_count;
    for (size_t i = 0; i < tasks->rank_count; i++)
        total += (size_t)ask_threads(tasks->ranks[i], COUNT);
    return total;
}

bool vl_tasks_settle(const struct vl_tasks *tasks)
{
    double until = vl_clock() + SETTLE_SECONDS;
    for (;;) {
        bool asleep = true;
        for (size_t i = 0; i < tasks->count && asleep; i++)
            asleep = ask_threads(tasks->processes[i], COUNT_AWAKE) < 1;
        if (asleep)
            return true;
        if (vl_clock() > until)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = SETTLE_STEP}, NULL);
    }
}

static double process_cpu(pid_t process)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return NAN;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

double vl_tasks_cpu(const struct vl_tasks *tasks)
{
    double seconds = 0;
    for (size_t i = 0; i < tasks->count; i++)
        seconds += process_cpu(tasks->processes[i]);
    return seconds;
}

double vl_tasks_ended(const struct vl_tasks *tasks)
{
    double seconds = 0;
    for (size_t i = 0; i < tasks->rank_count; i++)
        seconds += process_cpu(tasks->ranks[i]) - ask_threads(tasks->ranks[i], SUM_CPU);
    return seconds;
}

/* ---- cores ---- */

/* The core of one of 'ranks' ranks: far apart, since neighbours may be halves of one core. */
static bool core_of(cpu_set_t *core, size_t rank, size_t ranks)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return false;
    size_t cores = (size_t)CPU_COUNT(&allowed), wanted = rank * cores / ranks;
    if (cores < ranks)
        return false;
    CPU_ZERO(core);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &allowed) && wanted-- == 0) {
            CPU_SET(i, core);
            return true;
        }
    return false;
}

static void place_thread(pid_t thread, const cpu_set_t *cores, uid_t owner)
{
    if (sched_setaffinity(thread, sizeof *cores, cores) == 0 || errno != EPERM || owner == 0)
        return;
    if (seteuid(owner) != 0)
        return;
    sched_setaffinity(thread, sizeof *cores, cores);
    if (seteuid(0) != 0)
        abort(); /* root is still our real user, so this cannot be */
}

static void place(pid_t process, const cpu_set_t *cores, uid_t owner)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    struct dirent *entry;
    while (threads != NULL && (entry = readdir(threads)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]))
            place_thread((pid_t)strtol(entry->d_name, NULL, 10), cores, owner);
    if (threads != NULL)
        closedir(threads);
}

void vl_tasks_pin(const struct vl_tasks *tasks)
{
    cpu_set_t core;
    for (size_t rank = 0; rank < tasks->rank_count; rank++)
        if (core_of(&core, rank, tasks->rank_count))
            place(tasks->ranks[rank], &core, tasks->owner);
}

void vl_tasks_release(const struct vl_tasks *tasks)
{
    cpu_set_t allowed;
    for (size_t rank = 0; rank < tasks->rank_count; rank++)
        if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
            place(tasks->ranks[rank], &allowed, tasks->owner);
}

bool vl_tasks_pinned(const struct vl_tasks *tasks)
{
    cpu_set_t core, now;
    for (size_t rank = 0; rank < tasks->rank_count; rank++)
        if (core_of(&core, rank, tasks->rank_count) &&
            (sched_getaffinity(tasks->ranks[rank], sizeof now, &now) != 0 ||
             !CPU_EQUAL(&now, &core)))
            return false;
    return true;
}

void vl_tasks_freeze(const struct vl_tasks *tasks, const struct vl_sandbox *sandbox)
{
    vl_sandbox_freeze(sandbox, tasks->processes, tasks->count);
}
