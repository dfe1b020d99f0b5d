/*
 * The scratch folder: everything a grading writes lies in one fresh folder under TMPDIR, and is
 * removed with it, whatever a submission put there. That of a process that was killed is removed when
 * the next one starts, and what it had started ends (scratch_owner.h).
 *
 * Copying takes only regular files of a bounded size and never follows a link: what is copied was
 * chosen by somebody we do not know.
 */
#ifndef VIALATA_SANDBOX_SCRATCH_SCRATCH_H
#define VIALATA_SANDBOX_SCRATCH_SCRATCH_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdio.h>

/* A new folder in TMPDIR, or in /tmp if TMPDIR is not set or root's sandbox could not enter it. Its
 * mode is 0700. Root's is 0710, of a group in which nobody is but the sandboxes that this process opens:
 * they are other users', and pass through. The caller frees *path. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_scratch_create(char **path);

/* Remove a folder and all in it (remove_tree.h), and release it. NULL: nothing happens. */
void vl_scratch_remove(const char *path);

/* Make folder/name, mode 0755 whatever the umask; its path in *path is freed by the caller in any
 * case. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_scratch_folder(char **path, const char *folder, const char *name);

/* Write folder/name: begin it, print to it, end it; then all may read it (mode 0644). Begin returns
 * NULL if it cannot be written, which end accepts; end returns VL_EIO if anything went wrong. */
FILE *vl_scratch_begin(const char *folder, const char *name);
enum vl_status vl_scratch_end(FILE *file);

/* Take every "path/" out of a text, in place: people know files by their names. */
void vl_scratch_shorten(char *text, const char *path);

/* Copy one file (mode 0644). VL_EIO (errno; ENOENT if there is none), VL_EFORMAT if it is a link,
 * not a regular file, or larger than limit. */
enum vl_status vl_scratch_copy(const char *to, const char *from, size_t limit);

#endif
