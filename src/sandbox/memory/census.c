#include "sandbox/memory/census.h"

#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_MOST (1u << 20) /* bytes: it lists up to 65,536 groups */

/* The number after a label of /proc/PID/status. */
static long field(const char *status, const char *label)
{
    const char *found = strstr(status, label);
    return found != NULL ? strtol(found + strlen(label), NULL, 10) : 0;
}

/* The owner of /proc/PID does not help: it is root for a dead process, and for one that hides. */
static bool read_member(struct vl_census_member *member, const char *name)
{
    char path[sizeof "/proc//status" + NAME_MAX], *text;
    size_t n;
    snprintf(path, sizeof path, "/proc/%s/status", name);
    if (vl_file_read(&text, &n, path, STATUS_MOST) != VL_OK)
        return false;
    const char *state = strstr(text, "\nState:\t");
    *member = (struct vl_census_member){
        .pid = (pid_t)strtol(name, NULL, 10),
        .parent = (pid_t)field(text, "\nPPid:\t"),
        .user = (uid_t)field(text, "\nUid:\t"),
        .state = state != NULL ? state[8] : '?',
        .held = 1024 * (size_t)(field(text, "\nRssAnon:\t") + field(text, "\nVmSwap:\t") +
                                field(text, "\nVmPTE:\t") + field(text, "\nRssShmem:\t"))};
    free(text);
    return n > 0;
}

void vl_census_take(struct vl_census *census)
{
    *census = (struct vl_census){0};
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while (proc != NULL && (entry = readdir(proc)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        struct vl_census_member *more =
            realloc(census->members, (census->count + 1) * sizeof *more);
        if (more == NULL)
            break;
        census->members = more;
        census->count += (size_t)read_member(&more[census->count], entry->d_name);
    }
    if (proc != NULL)
        closedir(proc);
}

static bool is_spared(const struct vl_sandbox *sandbox, pid_t pid)
{
    for (const pid_t *spared = sandbox->spared; spared != NULL && *spared != 0; spared++)
        if (*spared == pid)
            return true;
    return false;
}

/* Mark the descendants of this process, except children from before and their descendants. */
static void mark_descent(struct vl_census *census, const struct vl_sandbox *sandbox)
{
    pid_t self = getpid();
    for (int grown = 1; grown;) {
        grown = 0;
        for (size_t i = 0; i < census->count; i++) {
            struct vl_census_member *member = &census->members[i];
            if (member->ours || is_spared(sandbox, member->pid))
                continue;
            int below = member->parent == self;
            for (size_t j = 0; j < census->count && !below; j++)
                below = census->members[j].ours && census->members[j].pid == member->parent;
            member->ours = below;
            grown |= below;
        }
    }
}

void vl_census_of(struct vl_census *census, const struct vl_sandbox *sandbox)
{
    vl_census_take(census);
    if (!sandbox->apart)
        mark_descent(census, sandbox);
    size_t all = census->count;
    census->count = 0;
    for (size_t i = 0; i < all; i++)
        if (sandbox->apart ? census->members[i].user == sandbox->user : census->members[i].ours)
            census->members[census->count++] = census->members[i];
}

void vl_census_free(struct vl_census *census)
{
    free(census->members);
    *census = (struct vl_census){0};
}
