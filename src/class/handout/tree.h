/*
 * Folders, copied and packed.
 */
#ifndef VIALATA_CLASS_HANDOUT_TREE_H
#define VIALATA_CLASS_HANDOUT_TREE_H

#include "vialata/status.h"
#include <stdbool.h>

/* Is it a copy that an editor or a merge leaves next to a file: x~, x.orig, x.bak, .#x, .x.swp? */
bool vl_tree_is_backup(const char *name);

/* Copy one file, whatever its size; the folders above it are made. Links are not followed. VL_EIO
 * (errno), VL_EFORMAT if it is a link, VL_ENOMEM. */
enum vl_status vl_tree_copy_file(const char *to, const char *from);

/* Copy a folder with all in it, except backups, folders that begin with a dot, and entries for which 'wanted'
 * (may be NULL) is false; it gets the name, and whether that is a folder. VL_EIO (errno), VL_EFORMAT
 * for a link, VL_ENOMEM. */
enum vl_status vl_tree_copy(const char *to, const char *from,
                            bool (*wanted)(const char *name, bool is_folder, const void *context),
                            const void *context);

/* A folder as a zip file, whole or not at all; in it all lies below the folder 'top'. VL_EIO
 * (errno), VL_ENOMEM. */
enum vl_status vl_tree_zip(const char *path, const char *folder, const char *top);

#endif
