#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *vl_path_join(const char *folder, const char *name)
{
    char *path = NULL;
    if (folder == NULL || name == NULL)
        return NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* realpath() of the longest beginning that exists, and then the rest as it was written. */
static char *resolve(const char *path)
{
    size_t kept = strlen(path);
    while (kept > 1 && path[kept - 1] == '/')
        kept--;
    const size_t end = kept;
    char *whole = NULL;
    while (kept > 0) {
        char *head = strndup(path, kept);
        char *found = head != NULL ? realpath(head, NULL) : NULL;
        free(head);
        if (found != NULL) {
            const char *front = strcmp(found, "/") == 0 && kept < end ? "" : found;
            if (asprintf(&whole, "%s%.*s", front, (int)(end - kept), path + kept) < 0)
                whole = NULL;
            free(found);
            return whole;
        }
        do
            kept--;
        while (kept > 0 && path[kept] != '/');
    }
    return strndup(path, end);
}

char *vl_path_absolute(const char *path)
{
    char here[PATH_MAX], *from_root = NULL;
    if (path[0] == '/')
        return resolve(path);
    if (getcwd(here, sizeof here) == NULL || asprintf(&from_root, "%s/%s", here, path) < 0)
        return NULL;
    char *whole = resolve(from_root);
    free(from_root);
    return whole;
}

bool vl_path_is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

char *vl_path_shown(const char *path)
{
    char here[PATH_MAX];
    char *whole = vl_path_absolute(path);
    if (whole == NULL || getcwd(here, sizeof here) == NULL || strcmp(here, "/") == 0 ||
        !vl_path_is_below(whole, here))
        return whole;
    size_t length = strlen(here);
    char *below = strdup(whole[length] == '/' ? whole + length + 1 : ".");
    free(whole);
    return below;
}

int vl_path_make_folders(const char *path)
{
    char *copy = strdup(path);
    int made = copy != NULL;
    for (char *slash = made ? strchr(copy + 1, '/') : NULL; made && slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(copy, 0777) == 0 || errno == EEXIST || errno == EISDIR ||
               access(copy, F_OK) == 0; /* a file system that is read-only says EROFS first */
        *slash = '/';
    }
    made = made && (mkdir(copy, 0777) == 0 || errno == EEXIST);
    struct stat info;
    if (made && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))) {
        errno = ENOTDIR;
        made = 0;
    }
    int why = errno;
    free(copy);
    errno = why;
    return made;
}

bool vl_path_is_empty(const char *folder)
{
    DIR *entries = opendir(folder);
    size_t n = 0;
    while (entries != NULL && readdir(entries) != NULL)
        n++;
    if (entries != NULL)
        closedir(entries);
    return n <= 2; /* "." and ".." */
}

int vl_path_add_system(void)
{
    char with[4096];
    const char *path = getenv("PATH");
    int length =
        snprintf(with, sizeof with, "%s:/usr/sbin:/sbin", path != NULL ? path : "/usr/bin");
    return length < (int)sizeof with && setenv("PATH", with, 1) == 0;
}

char *vl_path_program(const char *name)
{
    const char *path = getenv("PATH");
    char *found = NULL;
    if (name[0] == '\0')
        return NULL;
    if (strchr(name, '/') != NULL)
        return access(name, X_OK) == 0 ? strdup(name) : NULL;
    for (const char *folder = path != NULL ? path : "/usr/bin:/bin"; *folder != '\0';) {
        size_t length = strcspn(folder, ":");
        if (asprintf(&found, "%.*s/%s", (int)length, folder, name) < 0)
            return NULL;
        if (access(found, X_OK) == 0)
            return found;
        free(found);
        folder += length + (folder[length] == ':');
    }
    return NULL;
}

bool vl_path_ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}
