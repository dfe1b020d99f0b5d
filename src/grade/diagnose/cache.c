#include "grade/diagnose/cache.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "sandbox/scratch/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES (256u << 20)

/* Make a folder and those above it. True if it can be written to afterwards. */
static bool make_folder(const char *path)
{
    return vl_path_make_folders(path) && access(path, W_OK) == 0;
}

static char *users_cache(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *path = NULL;
    if (cache != NULL && cache[0] == '/')
        return asprintf(&path, "%s/vialata/mistakes", cache) < 0 ? NULL : path;
    if (home != NULL && home[0] == '/')
        return asprintf(&path, "%s/.cache/vialata/mistakes", home) < 0 ? NULL : path;
    return NULL;
}

char *vl_cache_folder(void)
{
    char *path = vl_place_text("cache")[0] != '\0' ? vl_place_path("cache", NULL) : NULL;
    if (path != NULL && make_folder(path))
        return path;
    free(path);
    path = users_cache();
    if (path != NULL && make_folder(path))
        return path;
    free(path);
    return NULL;
}

bool vl_cache_take(const char *to, const char *folder, const char *name)
{
    char *from = folder != NULL ? vl_path_join(folder, name) : NULL;
    bool taken = from != NULL && vl_scratch_copy(to, from, MOST_BYTES) == VL_OK;
    if (taken)
        (void)utimensat(AT_FDCWD, from, NULL, 0); /* used now, so removed last */
    else
        (void)unlink(to); /* a partial file would be in the way of the whole one */
    free(from);
    return taken;
}

void vl_cache_keep(const char *folder, const char *name, const char *from)
{
    char *to = folder != NULL ? vl_path_join(folder, name) : NULL, *bytes = NULL;
    size_t n;
    if (to != NULL && vl_file_read(&bytes, &n, from, MOST_BYTES) == VL_OK)
        (void)vl_file_write(to, bytes, n);
    free(bytes);
    free(to);
}

/* ---- its size ---- */

struct kept {
    char *path;
    struct timespec used;
    size_t bytes;
};

static int by_use(const void *left, const void *right)
{
    const struct kept *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return (a->used.tv_sec > b->used.tv_sec) - (a->used.tv_sec < b->used.tv_sec);
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

/* All files of the folder; *bytes is their sum. */
static size_t list_kept(struct kept *list, size_t *bytes, const char *folder,
                        struct dirent *const *entries, int count)
{
    size_t kept = 0;
    *bytes = 0;
    for (int i = 0; i < count; i++) {
        struct stat info;
        char *path = vl_path_join(folder, entries[i]->d_name);
        if (path == NULL || lstat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
            free(path);
            continue;
        }
        list[kept++] = (struct kept){path, info.st_mtim, (size_t)info.st_size};
        *bytes += (size_t)info.st_size;
    }
    return kept;
}

void vl_cache_trim(const char *folder, size_t limit)
{
    struct dirent **entries = NULL;
    int count = folder != NULL ? scandir(folder, &entries, NULL, NULL) : -1;
    struct kept *list = count > 0 ? calloc((size_t)count, sizeof *list) : NULL;
    if (list != NULL) {
        size_t bytes, kept = list_kept(list, &bytes, folder, entries, count);
        qsort(list, kept, sizeof *list, by_use);
        for (size_t i = 0; i < kept; i++) {
            if (bytes > limit && unlink(list[i].path) == 0)
                bytes -= list[i].bytes;
            free(list[i].path);
        }
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(list);
}
