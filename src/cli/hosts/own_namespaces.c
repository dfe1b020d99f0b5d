#include "cli/hosts/own_namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_word(const char *path, const char *word)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t written = write(file, word, strlen(word));
    int why = errno;
    close(file);
    errno = why;
    return written == (ssize_t)strlen(word);
}

/* This user becomes root inside; the kernel wants the right over groups given up for that. */
static bool map_one(const char *path, unsigned id)
{
    char word[32];
    snprintf(word, sizeof word, "0 %u 1", id);
    return write_word(path, word);
}

static bool cover(const char *folder)
{
    return mount("none", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") == 0;
}

/* `ip netns` keeps its names in /run/netns. Where there is no such folder, all of /run is covered but
 * what users have in it, so that their files are found and written as before. */
static bool make_place_for_names(void)
{
    char users[32];
    if (access("/run/netns", F_OK) == 0)
        return cover("/run/netns");
    int folder = open("/run/user", O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(users, sizeof users, "/proc/self/fd/%d", folder);
    bool made = cover("/run") &&
                (folder < 0 || (mkdir("/run/user", 0755) == 0 &&
                                mount(users, "/run/user", NULL, MS_BIND | MS_REC, NULL) == 0));
    int why = errno;
    if (folder >= 0)
        close(folder);
    errno = why;
    return made;
}

bool vl_own_namespaces_enter(void)
{
    unsigned user = geteuid(), group = getegid();
    return unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET) == 0 &&
           write_word("/proc/self/setgroups", "deny") && map_one("/proc/self/uid_map", user) &&
           map_one("/proc/self/gid_map", group) && make_place_for_names();
}
