/*
 * The cache of compiled mistakes: files under the name of what they were made from, so that a name says
 * all about the content. Whoever loses it waits a few seconds longer once.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_CACHE_H
#define VIALATA_GRADE_DIAGNOSE_CACHE_H

#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>

/* The folder, made if need be: in the build tree, else in the user's cache ($XDG_CACHE_HOME). The
 * caller frees it; NULL if there is none that can be written to. */
char *vl_cache_folder(void);

/* Copy a cached file to 'to', and remember that it was used. False if it is not there. 'folder' may be
 * NULL. */
bool vl_cache_take(const char *to, const char *folder, const char *name);

/* Keep a copy; whoever reads sees a whole file or none. Silent if that fails. */
void vl_cache_keep(const char *folder, const char *name, const char *from);

/* Remove what was used longest ago until the folder has at most so many bytes. */
void vl_cache_trim(const char *folder, size_t limit);

#endif
