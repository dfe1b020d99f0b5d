#include "sandbox/scratch/scratch_owner.h"

#include "base/path.h"
#include "sandbox/orphans.h"
#include "sandbox/scratch/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct held {
    char *path;
    int folder;
    struct held *next;
};

static struct held *all;

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void vl_scratch_hold(const char *path)
{
    struct held *held = malloc(sizeof *held);
    char *copy = strdup(path);
    int folder = held != NULL && copy != NULL ? open_folder(path) : -1;
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0) {
        *held = (struct held){copy, folder, all};
        all = held;
        return;
    }
    if (folder >= 0)
        close(folder);
    free(copy);
    free(held);
}

void vl_scratch_let_go(const char *path)
{
    for (struct held **at = &all; *at != NULL; at = &(*at)->next) {
        struct held *held = *at;
        if (strcmp(held->path, path) != 0)
            continue;
        *at = held->next;
        close(held->folder);
        free(held->path);
        free(held);
        return;
    }
}

/* Is it this user's, old enough to have been locked, and does nobody hold it? */
static bool is_stale(int folder, int seconds)
{
    struct stat info;
    return fstat(folder, &info) == 0 && info.st_uid == geteuid() &&
           info.st_ctime + seconds <= time(NULL) && flock(folder, LOCK_EX | LOCK_NB) == 0;
}

static void remove_if_stale(const char *base, const char *name, int seconds)
{
    char *path = vl_path_join(base, name);
    int folder = path != NULL ? open_folder(path) : -1;
    if (folder >= 0 && is_stale(folder, seconds)) {
        vl_orphans_end(path);
        vl_remove_tree(path);
    }
    if (folder >= 0)
        close(folder);
    free(path);
}

void vl_scratch_sweep(const char *base, int seconds)
{
    DIR *entries = opendir(base);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL)
        if (strncmp(entry->d_name, VL_SCRATCH_MARK, strlen(VL_SCRATCH_MARK)) == 0)
            remove_if_stale(base, entry->d_name, seconds);
    if (entries != NULL)
        closedir(entries);
}
