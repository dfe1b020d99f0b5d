#include "base/file_lock.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPTS 10

static char *lock_path(const char *path)
{
    char *target = vl_path_absolute(path), *name = NULL;
    char *slash = target != NULL ? strrchr(target, '/') : NULL;
    if (slash != NULL &&
        asprintf(&name, "%.*s/.%s.vialata-lock", (int)(slash - target), target, slash + 1) < 0)
        name = NULL;
    free(target);
    return name;
}

/* Whoever had the lock before may have removed the file after we opened it. */
static bool has_its_name(int fd, const char *path)
{
    struct stat here, there;
    return fstat(fd, &here) == 0 && stat(path, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* Nobody else's, and nobody else can open it: even who may only read a file can lock it. */
static bool is_own(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && info.st_uid == geteuid() && S_ISREG(info.st_mode) &&
           fchmod(fd, S_IRUSR | S_IWUSR) == 0;
}

/* The open file, locked; -1 with errno set. */
static int try_lock(const char *path, bool own)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, own ? 0600 : 0666);
    if (fd < 0)
        return -1;
    if (own && !is_own(fd)) {
        close(fd);
        errno = EACCES;
        return -1;
    }
    int locked = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && has_its_name(fd, path))
        return fd;
    close(fd);
    errno = EWOULDBLOCK;
    return -1;
}

static enum vl_status take(struct vl_file_lock *lock, const char *path, bool own)
{
    /* A writer that clears the folder of abandoned files (file.c) has the lock for a moment. */
    const struct timespec moment = {.tv_nsec = 10000000};
    *lock = (struct vl_file_lock){.path = lock_path(path), .fd = -1};
    for (int i = 0; lock->path != NULL && i < ATTEMPTS; i++) {
        lock->fd = try_lock(lock->path, own);
        if (lock->fd >= 0)
            return VL_OK;
        if (errno != EWOULDBLOCK)
            break;
        nanosleep(&moment, NULL);
    }
    int why = errno;
    enum vl_status status = lock->path != NULL ? VL_EIO : VL_ENOMEM;
    free(lock->path);
    lock->path = NULL;
    errno = why;
    return status;
}

enum vl_status vl_file_lock(struct vl_file_lock *lock, const char *path)
{
    return take(lock, path, false);
}

enum vl_status vl_file_lock_own(struct vl_file_lock *lock, const char *path)
{
    return take(lock, path, true);
}

void vl_file_unlock(struct vl_file_lock *lock)
{
    if (lock->path == NULL)
        return;
    unlink(lock->path); /* while it is locked: nobody else can have taken it */
    close(lock->fd);
    free(lock->path);
    *lock = (struct vl_file_lock){0};
}
