#include "sandbox/orphans.h"

#include "base/file.h"
#include "base/path.h"
#include "sandbox/memory/census.h"
#include "sandbox/numbers.h"
#include "sandbox/sandbox.h"
#include "sandbox/scratch/scratch_owner.h"

#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HOME             "HOME="
#define ENVIRONMENT_MOST (4u << 20) /* bytes: more than the kernel gives a process by default */

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Does another scratch folder in the same place have a sandbox of that user? Then its process has the number
 * of the dead one, which was given again. */
static bool is_used_elsewhere(const char *scratch, uid_t user)
{
    const char *const end = strrchr(scratch, '/');
    char pattern[2 * PATH_MAX];
    size_t length = 0;
    glob_t found = {0};
    bool used = false;
    for (const char *at = scratch; at < end && length < sizeof pattern - PATH_MAX / 2; at++) {
        if (strchr("*?[\\", *at) != NULL)
            pattern[length++] = '\\';
        pattern[length++] = *at;
    }
    strcpy(pattern + length, "/" VL_SCRATCH_MARK "*/*");
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct stat info;
        used |= !is_below(found.gl_pathv[i], scratch) && lstat(found.gl_pathv[i], &info) == 0 &&
                info.st_uid == user;
    }
    globfree(&found);
    return used;
}

/* Closing is what that process would have done with it. */
static void close_sandbox(const char *scratch, const char *folder)
{
    struct vl_numbers free;
    struct stat info;
    if (geteuid() != 0 || !vl_numbers_find(&free) || lstat(folder, &info) != 0 ||
        info.st_uid < free.users || info.st_uid - free.users >= free.user_count ||
        is_used_elsewhere(scratch, info.st_uid))
        return;
    struct vl_sandbox left = {.user = info.st_uid,
                              .entrants = info.st_gid,
                              .apart = 1,
                              .inherited = true,
                              .folder = strdup(folder)};
    prctl(PR_GET_CHILD_SUBREAPER, &left.adopting);
    vl_sandbox_close(&left);
}

/* What it was started with. A process that hides it is left to the machine's owner. */
static bool has_home_below(pid_t pid, const char *folder)
{
    char path[64], *text;
    size_t n;
    bool below = false;
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    if (vl_file_read(&text, &n, path, ENVIRONMENT_MOST) != VL_OK)
        return false;
    for (const char *word = text; word < text + n && !below; word += strlen(word) + 1)
        below = strncmp(word, HOME, strlen(HOME)) == 0 && is_below(word + strlen(HOME), folder);
    free(text);
    return below;
}

/* Returns how many of this user's processes there were. */
static size_t kill_at_home(const char *folder)
{
    struct vl_census census;
    vl_census_take(&census);
    size_t found = 0;
    for (size_t i = 0; i < census.count; i++) {
        const struct vl_census_member *member = &census.members[i];
        if (member->user == geteuid() && member->state != 'Z' && member->state != 'X' &&
            has_home_below(member->pid, folder))
            found += kill(member->pid, SIGKILL) == 0;
    }
    vl_census_free(&census);
    return found;
}

void vl_orphans_end(const char *scratch)
{
    DIR *entries = opendir(scratch);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char *folder = entry->d_name[0] != '.' ? vl_path_join(scratch, entry->d_name) : NULL;
        if (folder != NULL)
            close_sandbox(scratch, folder);
        free(folder);
    }
    if (entries != NULL)
        closedir(entries);
    for (int round = 0; round < 1000 && kill_at_home(scratch) > 0; round++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}
