#include "sandbox/sandbox.h"

#include "sandbox/memory/census.h"
#include "sandbox/numbers.h"
#include "sandbox/objects/known_lines.h"
#include "sandbox/scratch/remove_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
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

size_t vl_sandbox_count(const struct vl_sandbox *sandbox, size_t *held)
{
    struct vl_census census;
    vl_census_of(&census, sandbox);
    size_t alive = 0, bytes = 0;
    for (size_t i = 0; i < census.count; i++) {
        const struct vl_census_member *member = &census.members[i];
        if (member->state == 'Z' || member->state == 'X')
            continue;
        alive++;
        bytes += member->held;
    }
    vl_census_free(&census);
    if (held != NULL)
        *held = bytes;
    return alive;
}

bool vl_sandbox_enter(const struct vl_sandbox *sandbox)
{
    if (!sandbox->apart)
        return true;
    gid_t group = (gid_t)sandbox->user;
    return setgroups(1, &sandbox->entrants) == 0 && setresgid(group, group, group) == 0 &&
           setresuid(sandbox->user, sandbox->user, sandbox->user) == 0;
}

/* One call reaches every process of that user, so nothing can be forked past it. */
static void kill_user(const struct vl_sandbox *sandbox)
{
    pid_t helper = fork();
    if (helper == 0) {
        if (vl_sandbox_enter(sandbox) && getuid() == sandbox->user && sandbox->user != 0)
            kill(-1, SIGKILL);
        _exit(0);
    }
    while (helper > 0 && waitpid(helper, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* As the user whose processes they are: root may lack the right to limit those of others. */
void vl_sandbox_freeze(const struct vl_sandbox *sandbox, const pid_t *processes, size_t count)
{
    const struct rlimit none = {0, 0};
    pid_t helper = fork();
    if (helper == 0) {
        if (vl_sandbox_enter(sandbox))
            for (size_t i = 0; i < count; i++)
                prlimit(processes[i], RLIMIT_NPROC, &none, NULL);
        _exit(0);
    }
    while (helper > 0 && waitpid(helper, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Stop first: what is stopped cannot fork while its relatives are being killed. */
static void kill_members(const struct vl_census *census, int signal)
{
    for (size_t i = 0; i < census->count; i++)
        kill(census->members[i].pid, signal);
}

void vl_sandbox_sweep(const struct vl_sandbox *sandbox)
{
    if (sandbox->folder == NULL)
        return;
    for (int round = 0; round < 2000; round++) {
        struct vl_census census;
        vl_census_of(&census, sandbox);
        size_t left = 0;
        for (size_t i = 0; i < census.count; i++) {
            const struct vl_census_member *member = &census.members[i];
            int adopted = member->parent == getpid() && member->state == 'Z';
            if (sandbox->inherited && member->state == 'Z' && !adopted)
                continue;
            left += !(adopted && waitpid(member->pid, NULL, WNOHANG) == member->pid);
        }
        if (left > 0 && sandbox->apart) {
            kill_user(sandbox);
        } else if (left > 0) {
            kill_members(&census, SIGSTOP);
            kill_members(&census, SIGKILL);
        }
        vl_census_free(&census);
        if (left == 0)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static bool user_is_taken(uid_t user)
{
    if (getpwuid(user) != NULL)
        return true;
    struct vl_sandbox other = {.user = user, .apart = 1};
    return vl_sandbox_count(&other, NULL) > 0;
}

/* The number depends on our process number, so that two vialata do not kill each other's jobs. */
static void choose_user(struct vl_sandbox *sandbox)
{
    static unsigned long opened;
    struct vl_numbers free;
    sandbox->user = geteuid();
    if (geteuid() != 0 || !vl_numbers_find(&free))
        return;
    for (unsigned long i = 0; i < 100; i++) {
        unsigned long number = 4 * (unsigned long)getpid() + opened++ % 4 + 4 * (i / 4);
        uid_t user = (uid_t)(free.users + number % free.user_count);
        if (user_is_taken(user))
            continue;
        sandbox->user = user;
        sandbox->entrants = vl_numbers_group(&free);
        sandbox->apart = 1;
        return;
    }
}

static enum vl_status spare_children(struct vl_sandbox *sandbox)
{
    struct vl_census census;
    vl_census_take(&census);
    sandbox->spared = calloc(census.count + 1, sizeof *sandbox->spared);
    size_t spared = 0;
    for (size_t i = 0; sandbox->spared != NULL && i < census.count; i++)
        if (census.members[i].parent == getpid())
            sandbox->spared[spared++] = census.members[i].pid;
    vl_census_free(&census);
    return sandbox->spared != NULL ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_sandbox_give(const struct vl_sandbox *sandbox, const char *path)
{
    if (sandbox->apart && lchown(path, sandbox->user, (gid_t)sandbox->user) != 0)
        return VL_EIO;
    return VL_OK;
}

enum vl_status vl_sandbox_give_open(const struct vl_sandbox *sandbox, int file)
{
    if (sandbox->apart && fchown(file, sandbox->user, (gid_t)sandbox->user) != 0)
        return VL_EIO;
    return VL_OK;
}

enum vl_status vl_sandbox_open(struct vl_sandbox *sandbox, const char *folder)
{
    *sandbox = (struct vl_sandbox){0};
    prctl(PR_GET_CHILD_SUBREAPER, &sandbox->adopting);
    choose_user(sandbox);
    enum vl_status status = sandbox->apart ? VL_OK : spare_children(sandbox);
    if (status == VL_OK && mkdir(folder, 0700) != 0)
        status = VL_EIO;
    if (status == VL_OK)
        status = vl_sandbox_give(sandbox, folder);
    if (status == VL_OK && ((sandbox->folder = strdup(folder)) == NULL ||
                            (sandbox->lines = calloc(1, sizeof *sandbox->lines)) == NULL))
        status = VL_ENOMEM;
    if (status != VL_OK) {
        int why = errno;
        free(sandbox->folder);
        free(sandbox->spared);
        *sandbox = (struct vl_sandbox){0};
        errno = why;
        return status;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return VL_OK;
}

static void remove_leftovers(const char *folder, uid_t user)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        struct stat info;
        char path[PATH_MAX];
        if (fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            info.st_uid != user)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0)
            vl_remove_tree(path);
    }
    if (entries != NULL)
        closedir(entries);
}

void vl_sandbox_close(struct vl_sandbox *sandbox)
{
    if (sandbox->folder == NULL)
        return;
    vl_sandbox_sweep(sandbox);
    if (sandbox->apart) {
        remove_leftovers("/tmp", sandbox->user);
        remove_leftovers("/var/tmp", sandbox->user);
        remove_leftovers("/dev/shm", sandbox->user);
    }
    prctl(PR_SET_CHILD_SUBREAPER, sandbox->adopting);
    vl_known_lines_free(sandbox->lines);
    free(sandbox->lines);
    free(sandbox->folder);
    free(sandbox->spared);
    *sandbox = (struct vl_sandbox){0};
}
