/*
 * The cache of compiled mistakes. A file is named after what it was made from, so a name determines
 * the content. Without the cache the next search takes a few seconds longer.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_CACHE_H
#define VIALATA_GRADE_DIAGNOSE_CACHE_H

#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>

/* The folder, made if need be: in the build tree, else in the user's cache ($XDG_CACHE_HOME). The
 * caller frees it; NULL if there is none that can be written to. */
char *vl_cache_folder(void);

/* Copy a cached file to 'to', and remember that it was used. False if it is not there. 'folder' may
 * be NULL. */
bool vl_cache_take(const char *to, const char *folder, const char *name);

/* Keep a copy; a reader sees a whole file or none. Failures are ignored. */
void vl_cache_keep(const char *folder, const char *name, const char *from);

/* Remove what was used longest ago until the folder has at most so many bytes. */
void vl_cache_trim(const char *folder, size_t limit);

#endif
