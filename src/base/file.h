/*
 * Files, whole or not at all.
 *
 * A file is written under another name in the same folder, synced, and renamed: a reader sees the
 * old content or the new, never half of it. Nothing here prints; errno is kept for the caller.
 */
#ifndef VIALATA_BASE_FILE_H
#define VIALATA_BASE_FILE_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdio.h>

/* A file being written. Zero it or open it; end or drop it exactly once. */
struct vl_file_new {
    FILE *stream;  /* write here */
    char *path;    /* the name it will have */
    char *scratch; /* the name it has now */
};

/* VL_EIO if the folder is not writable, VL_ENOMEM. */
enum vl_status vl_file_begin(struct vl_file_new *file, const char *path);

/* Could the file be written? The status of vl_file_begin; nothing is left behind. */
enum vl_status vl_file_try(const char *path);

/* Flush, sync, rename into place, sync the folder. On an error the old file stays as it was, unless
 * only the last step failed. VL_EIO (errno); VL_EINVAL if nothing was begun. */
enum vl_status vl_file_commit(struct vl_file_new *file);

/* The end for whoever has written to it: commit it if that went well, else drop it and return the
 * status. errno is that of what went wrong. */
enum vl_status vl_file_end(struct vl_file_new *file, enum vl_status status);

/* Throw the new content away. Safe on a zeroed, committed or dropped file. */
void vl_file_drop(struct vl_file_new *file);

/* begin + write + end. */
enum vl_status vl_file_write(const char *path, const void *bytes, size_t n);

/* Read a regular file of at most 'limit' bytes; *bytes gets a zero byte after the content, and is
 * freed by the caller. VL_EIO (errno), VL_EFORMAT if it is larger than the limit or not a
 * regular file, VL_ENOMEM. */
enum vl_status vl_file_read(char **bytes, size_t *n, const char *path, size_t limit);

/* Does a regular file hold just these bytes? Not if it cannot be read. */
int vl_file_holds(const char *path, const void *bytes, size_t n);

/* Does this errno mean that the disk is full, or that the user may not store more? */
int vl_file_lacks_space(int why);

/* Do two paths lead to the same file? It need not exist yet. */
int vl_file_is_same(const char *path, const char *other);

#endif
