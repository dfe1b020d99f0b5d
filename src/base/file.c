#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The scratch file of "folder/name" is "folder/.name.vialata-PID-N". Its writer holds a lock on it
 * for as long as it lives, so a scratch file that can be locked belongs to a process that died:
 * the next writer of the same name removes it. (A process number alone would not do: numbers
 * are used again, and a shared folder is seen from several machines.)
 */
#define SCRATCH_MARK ".vialata-"

#define LEAST_READ 4096 /* bytes */

/* The file that 'path' leads to (through links), or 'path' itself when there is none yet. */
static char *real_target(const char *path)
{
    char *target = realpath(path, NULL);
    if (target == NULL && errno == ENOENT)
        target = strdup(path);
    return target;
}

/* The folder of a path, freshly allocated; NULL without memory. */
static char *folder_of(const char *path)
{
    char *copy = strdup(path);
    char *folder = copy != NULL ? strdup(dirname(copy)) : NULL;
    free(copy);
    return folder;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void remove_abandoned(const char *folder, const char *name)
{
    DIR *listing = opendir(folder);
    if (listing == NULL)
        return;
    size_t length = strlen(name), mark = strlen(SCRATCH_MARK);
    for (struct dirent *item; (item = readdir(listing)) != NULL;) {
        const char *found = item->d_name;
        if (found[0] != '.' || strncmp(found + 1, name, length) != 0 ||
            strncmp(found + 1 + length, SCRATCH_MARK, mark) != 0)
            continue;
        int fd = openat(dirfd(listing), found, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0)
            continue;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(listing), found, 0);
        close(fd);
    }
    closedir(listing);
}

/* Create the scratch file, locked. -1 with errno set. */
static int open_scratch(char **scratch, const char *folder, const char *name)
{
    static unsigned count;
    for (int attempt = 0; attempt < 100; attempt++) {
        if (asprintf(scratch, "%s/.%s" SCRATCH_MARK "%ld-%u", folder, name, (long)getpid(),
                     count++) < 0) {
            *scratch = NULL;
            errno = ENOMEM;
            return -1;
        }
        int fd = open(*scratch, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        struct stat info;
        /* Someone may have taken it for abandoned before it was locked: then it has no name. */
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &info) == 0 &&
            info.st_nlink > 0)
            return fd;
        int why = errno;
        if (fd >= 0) {
            unlink(*scratch);
            close(fd);
        }
        free(*scratch);
        *scratch = NULL;
        if (fd < 0 && why != EEXIST) {
            errno = why;
            return -1;
        }
    }
    errno = EBUSY;
    return -1;
}

/* An existing file may be replaced if it is a regular file that we may write; keep its mode. */
static enum vl_status look_at_old(const char *path, mode_t *mode)
{
    struct stat info;
    *mode = 0;
    if (stat(path, &info) != 0)
        return errno == ENOENT ? VL_OK : VL_EIO;
    if (!S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        return VL_EIO;
    }
    *mode = info.st_mode & 07777;
    return access(path, W_OK) == 0 ? VL_OK : VL_EIO;
}

enum vl_status vl_file_begin(struct vl_file_new *file, const char *path)
{
    memset(file, 0, sizeof *file);
    mode_t mode = 0;
    file->path = real_target(path);
    if (file->path == NULL)
        return errno == ENOMEM ? VL_ENOMEM : VL_EIO;
    enum vl_status status = look_at_old(file->path, &mode);
    char *folder = folder_of(file->path);
    if (status == VL_OK && folder == NULL)
        status = VL_ENOMEM;
    int fd = -1;
    if (status == VL_OK) {
        const char *name = name_of(file->path);
        remove_abandoned(folder, name);
        fd = open_scratch(&file->scratch, folder, name);
        if (fd < 0)
            status = errno == ENOMEM ? VL_ENOMEM : VL_EIO;
    }
    free(folder);
    if (status == VL_OK && mode != 0 && fchmod(fd, mode) != 0)
        status = VL_EIO;
    if (status == VL_OK && (file->stream = fdopen(fd, "w")) == NULL)
        status = VL_ENOMEM;
    if (status != VL_OK) {
        int why = errno; /* free keeps it */
        if (fd >= 0)
            close(fd);
        vl_file_drop(file);
        errno = why;
    }
    return status;
}

enum vl_status vl_file_try(const char *path)
{
    struct vl_file_new probe;
    enum vl_status status = vl_file_begin(&probe, path);
    if (status == VL_OK)
        vl_file_drop(&probe);
    return status;
}

/* A renamed file is only safe once its folder is on the disk too. */
static int sync_folder(const char *path)
{
    char *folder = folder_of(path);
    if (folder == NULL)
        return 0;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return 0;
    /* Some file systems cannot sync a folder and say EINVAL: nothing more can be done there. */
    int done = fsync(fd) == 0 || errno == EINVAL;
    close(fd);
    return done;
}

enum vl_status vl_file_commit(struct vl_file_new *file)
{
    if (file->stream == NULL)
        return VL_EINVAL;
    /* Renamed while open: closing gives up the lock. */
    int done = !ferror(file->stream) && fflush(file->stream) == 0 &&
               fsync(fileno(file->stream)) == 0 && rename(file->scratch, file->path) == 0;
    if (!done) {
        int why = errno;
        vl_file_drop(file);
        errno = why;
        return VL_EIO;
    }
    done = sync_folder(file->path);
    int why = errno;
    fclose(file->stream);
    free(file->path);
    free(file->scratch);
    memset(file, 0, sizeof *file);
    errno = why;
    return done ? VL_OK : VL_EIO;
}

void vl_file_drop(struct vl_file_new *file)
{
    if (file->scratch != NULL)
        unlink(file->scratch);
    if (file->stream != NULL)
        fclose(file->stream);
    free(file->path);
    free(file->scratch);
    memset(file, 0, sizeof *file);
}

enum vl_status vl_file_end(struct vl_file_new *file, enum vl_status status)
{
    if (status == VL_OK)
        return vl_file_commit(file);
    int why = errno;
    vl_file_drop(file);
    errno = why;
    return status;
}

enum vl_status vl_file_write(const char *path, const void *bytes, size_t n)
{
    struct vl_file_new file;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    if (n > 0 && fwrite(bytes, 1, n, file.stream) != n)
        status = VL_EIO;
    return vl_file_end(&file, status);
}

/* Read to the end of the file, which may have moved since fstat. */
static enum vl_status read_all(int fd, char **bytes, size_t *n, size_t expected, size_t limit)
{
    size_t size = expected < SIZE_MAX - 2 ? expected + 2 : expected, filled = 0;
    size = size < LEAST_READ ? LEAST_READ : size; /* a file of the kernel's says 0 */
    char *memory = malloc(size);
    while (memory != NULL) {
        ssize_t got = read(fd, memory + filled, size - filled - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || filled + (size_t)got > limit) {
            free(memory);
            return got < 0 ? VL_EIO : VL_EFORMAT;
        }
        filled += (size_t)got;
        if (got == 0) {
            memory[filled] = '\0';
            *bytes = memory;
            *n = filled;
            return VL_OK;
        }
        if (filled + 1 == size) {
            char *larger = size <= SIZE_MAX / 2 ? realloc(memory, size *= 2) : NULL;
            if (larger == NULL)
                free(memory);
            memory = larger;
        }
    }
    return VL_ENOMEM;
}

enum vl_status vl_file_read(char **bytes, size_t *n, const char *path, size_t limit)
{
    *bytes = NULL;
    *n = 0;
    /* O_NONBLOCK, because opening a pipe without a writer would block forever. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return VL_EIO;
    struct stat info;
    enum vl_status status = VL_EIO;
    if (fstat(fd, &info) == 0) {
        if (!S_ISREG(info.st_mode) || (uintmax_t)info.st_size > limit)
            status = VL_EFORMAT;
        else
            status = read_all(fd, bytes, n, (size_t)info.st_size, limit);
    }
    int why = errno;
    close(fd);
    errno = why;
    return status;
}

int vl_file_holds(const char *path, const void *bytes, size_t n)
{
    char *there = NULL;
    size_t size = 0;
    int same =
        vl_file_read(&there, &size, path, n) == VL_OK && size == n && memcmp(there, bytes, n) == 0;
    free(there);
    return same;
}

int vl_file_lacks_space(int why)
{
    return why == ENOSPC || why == EDQUOT;
}

static bool is_one(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

int vl_file_is_same(const char *path, const char *other)
{
    if (is_one(path, other))
        return 1;
    if (strcmp(name_of(path), name_of(other)) != 0)
        return 0;
    char *folder = folder_of(path), *other_folder = folder_of(other);
    int same = folder != NULL && other_folder != NULL && is_one(folder, other_folder);
    free(folder);
    free(other_folder);
    return same;
}
