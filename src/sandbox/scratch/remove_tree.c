#include "sandbox/scratch/remove_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static DIR *open_folder(int at, const char *name)
{
    int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = folder >= 0 ? fdopendir(folder) : NULL;
    if (folder >= 0 && entries == NULL)
        close(folder);
    return entries;
}

/* Remove the files of a folder, up to the first folder in it, which is made accessible. Returns its
 * name, or NULL. */
static const char *next_folder(DIR *entries, int *removed)
{
    struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(entries), entry->d_name, 0) == 0) {
            ++*removed;
        } else if (errno == EISDIR) {
            fchmodat(dirfd(entries), entry->d_name, 0700, AT_SYMLINK_NOFOLLOW);
            return entry->d_name;
        }
    }
    return NULL;
}

/* Move a folder up to the top, under a name that is free: the tree may have such names itself. */
static void move_up(int top, int folder, const char *name, unsigned long *fresh)
{
    char moved[64];
    do
        snprintf(moved, sizeof moved, ".gone.%lu", (*fresh)++);
    while (renameat(folder, name, top, moved) != 0 &&
           (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR));
}

/* Empty one folder below 'top': its files are removed, its folders move up to the top. So no path grows
 * long and nothing recurses, however deep the tree is. */
static void flatten(int top, const char *name, unsigned long *fresh)
{
    DIR *entries = open_folder(top, name);
    const char *below;
    int removed = 0;
    while (entries != NULL && (below = next_folder(entries, &removed)) != NULL)
        move_up(top, dirfd(entries), below, fresh);
    if (entries != NULL)
        closedir(entries);
}

void vl_remove_tree(const char *path)
{
    unsigned long fresh = 0;
    for (int removed = 1; removed > 0;) { /* until a pass removes nothing more */
        removed = 0;
        DIR *top = open_folder(AT_FDCWD, path);
        const char *below;
        while (top != NULL && (below = next_folder(top, &removed)) != NULL) {
            flatten(dirfd(top), below, &fresh);
            removed += unlinkat(dirfd(top), below, AT_REMOVEDIR) == 0;
        }
        if (top != NULL)
            closedir(top);
    }
    rmdir(path);
}
