/*
 * Where things are: the build tree or the installed tree this program belongs to.
 *
 * buildinfo.json is in the folder above bin/ of a build tree, and in libexec/vialata/ of an
 * installed one. src/place.cmake writes its keys.
 */
#ifndef VIALATA_BASE_PLACE_H
#define VIALATA_BASE_PLACE_H

#include "vialata/status.h"
#include <stddef.h>

/* Find and read buildinfo.json: in VIALATA_PLACE if set, else from the program's own path.
 * VL_ELACK if there is none, VL_EFORMAT if it cannot be read. */
enum vl_status vl_place_start(void);

/* A text of buildinfo.json ("compiler"); "" if there is none. */
const char *vl_place_text(const char *key);

/* A path of buildinfo.json made absolute ("labs", "share"), with '/' and 'below' added unless NULL.
 * The caller frees it; NULL without memory. */
char *vl_place_path(const char *key, const char *below);

/* The items of a list value, NULL-terminated; relative paths are made absolute.
 * The caller frees with vl_place_list_free. NULL without memory. */
char **vl_place_list(const char *key);
void vl_place_list_free(char **list);

void vl_place_end(void);

#endif
