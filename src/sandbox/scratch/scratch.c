#include "sandbox/scratch/scratch.h"

#include "base/path.h"
#include "sandbox/numbers.h"
#include "sandbox/scratch/remove_tree.h"
#include "sandbox/scratch/scratch_owner.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum vl_status vl_scratch_folder(char **path, const char *folder, const char *name)
{
    *path = vl_path_join(folder, name);
    if (*path == NULL)
        return VL_ENOMEM;
    return mkdir(*path, 0755) == 0 && chmod(*path, 0755) == 0 ? VL_OK : VL_EIO;
}

FILE *vl_scratch_begin(const char *folder, const char *name)
{
    char *path = vl_path_join(folder, name);
    FILE *file = path != NULL ? fopen(path, "we") : NULL;
    free(path);
    return file;
}

enum vl_status vl_scratch_end(FILE *file)
{
    if (file == NULL)
        return VL_EIO;
    int written = fchmod(fileno(file), 0644) == 0 && !ferror(file);
    return fclose(file) == 0 && written ? VL_OK : VL_EIO;
}

void vl_scratch_shorten(char *text, const char *path)
{
    size_t length = strlen(path);
    for (char *found = strstr(text, path); found != NULL; found = strstr(found, path)) {
        if (found[length] == '/')
            memmove(found, found + length + 1, strlen(found + length + 1) + 1);
        else
            found += length;
    }
}

/* Root grades as another user, who must be able to walk down to the scratch folder. */
static bool others_may_enter(const char *folder)
{
    char path[PATH_MAX];
    if (realpath(folder, path) == NULL)
        return false;
    for (char *end = path + strlen(path); end > path; end = strrchr(path, '/')) {
        *end = '\0';
        struct stat info;
        if (path[0] != '\0' && (stat(path, &info) != 0 || (info.st_mode & S_IXOTH) == 0))
            return false;
    }
    return true;
}

/* Root's sandboxes are other users': they alone are in the group that may pass through. */
static bool let_in(const char *folder)
{
    struct vl_numbers free;
    if (geteuid() != 0 || !vl_numbers_find(&free))
        return chmod(folder, 0700) == 0;
    return chown(folder, (uid_t)-1, vl_numbers_group(&free)) == 0 && chmod(folder, 0710) == 0;
}

enum vl_status vl_scratch_create(char **path)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] != '/')
        base = "/tmp";
    else if (geteuid() == 0 && access(base, W_OK) == 0 && !others_may_enter(base))
        base = "/tmp";
    vl_scratch_sweep(base, VL_SCRATCH_YOUNG);
    *path = vl_path_join(base, VL_SCRATCH_MARK "XXXXXX");
    if (*path == NULL)
        return VL_ENOMEM;
    bool made = mkdtemp(*path) != NULL;
    if (made)
        vl_scratch_hold(*path);
    if (made && let_in(*path))
        return VL_OK;
    int why = errno;
    if (made)
        vl_scratch_remove(*path);
    free(*path);
    *path = NULL;
    errno = why;
    return VL_EIO;
}

enum vl_status vl_scratch_copy(const char *to, const char *from, size_t limit)
{
    int in = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0)
        return errno == ELOOP ? VL_EFORMAT : VL_EIO;
    struct stat info;
    enum vl_status status = VL_OK;
    if (fstat(in, &info) != 0)
        status = VL_EIO;
    else if (!S_ISREG(info.st_mode) || (size_t)info.st_size > limit)
        status = VL_EFORMAT;
    int out = -1;
    if (status == VL_OK) {
        out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (out < 0 || fchmod(out, 0644) != 0) /* whatever the umask */
            status = VL_EIO;
    }
    char block[65536];
    size_t copied = 0;
    while (status == VL_OK) {
        ssize_t n = read(in, block, sizeof block);
        if (n == 0)
            break;
        copied += n > 0 ? (size_t)n : 0;
        if (n < 0 || copied > limit || write(out, block, (size_t)n) != n)
            status = n >= 0 && copied > limit ? VL_EFORMAT : VL_EIO;
    }
    int why = errno;
    if (out >= 0)
        close(out);
    close(in);
    errno = why;
    return status;
}

void vl_scratch_remove(const char *path)
{
    if (path == NULL)
        return;
    vl_remove_tree(path);
    vl_scratch_let_go(path);
}
