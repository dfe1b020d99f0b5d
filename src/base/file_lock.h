/*
 * One writer per file, as long as the writer lives.
 *
 * A file that is replaced at every save (file.h) cannot hold a lock itself. So the lock is on a file
 * next to it, ".name.vialata-lock", which the kernel releases when its process ends, however it
 * ends. One that was left behind is harmless: the next writer takes it, and removes it at its end.
 */
#ifndef VIALATA_BASE_FILE_LOCK_H
#define VIALATA_BASE_FILE_LOCK_H

#include "vialata/status.h"

/* Zero it to begin. */
struct vl_file_lock {
    char *path; /* of the file next to it; NULL: nothing is locked */
    int fd;
};

/* VL_EIO with errno EWOULDBLOCK if another process has it; VL_EIO (errno) if the folder is not
 * writable, VL_ENOMEM. Where the file system knows no locks, nobody is kept out. */
enum vl_status vl_file_lock(struct vl_file_lock *lock, const char *path);

/* The same in a folder such as /tmp: a lock that no other user can take. If its file is somebody
 * else's, it is not a lock (VL_EIO, EACCES). */
enum vl_status vl_file_lock_own(struct vl_file_lock *lock, const char *path);

/* Safe on a zeroed one. */
void vl_file_unlock(struct vl_file_lock *lock);

#endif
