#include "grade/diagnose/cache.h"

#include "base/path.h"
#include "base/place.h"
#include "grade/sandbox/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES (256u << 20)

/* Make a folder and those above it; it can be written to afterwards. */
static bool make_folder(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    return (mkdir(path, 0755) == 0 || errno == EEXIST) && access(path, W_OK) == 0;
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
    struct stat info;
    /* What a power failure cut to nothing is as good as not there. */
    bool taken = from != NULL && stat(from, &info) == 0 && info.st_size > 0;
    if (taken && vl_scratch_copy(to, from, MOST_BYTES) != VL_OK) {
        unlink(to); /* half a file would be in the way of the whole one */
        taken = false;
    }
    free(from);
    return taken;
}

void vl_cache_keep(const char *folder, const char *name, const char *from)
{
    char *to = folder != NULL ? vl_path_join(folder, name) : NULL, *fresh = NULL;
    if (to != NULL && asprintf(&fresh, "%s.%ld", to, (long)getpid()) < 0)
        fresh = NULL;
    if (fresh != NULL &&
        (vl_scratch_copy(fresh, from, MOST_BYTES) != VL_OK || rename(fresh, to) != 0))
        unlink(fresh);
    free(fresh);
    free(to);
}
