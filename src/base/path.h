/*
 * Names of files and folders. Every text returned is freed by the caller; NULL without memory.
 */
#ifndef VIALATA_BASE_PATH_H
#define VIALATA_BASE_PATH_H

#include <stdbool.h>

/* "folder/name". */
char *vl_path_join(const char *folder, const char *name);

/* The absolute path; a relative one starts in the current folder. Links, '.' and '..' are resolved
 * as far as the path exists. */
char *vl_path_absolute(const char *path);

/* As a person would write it: relative if it lies in or below the current folder. */
char *vl_path_shown(const char *path);

/* Is 'path' the folder, or somewhere below it? Both from vl_path_absolute. */
bool vl_path_is_below(const char *path, const char *folder);

/* mkdir -p; nonzero if the folder is there now, else errno says why not. */
int vl_path_make_folders(const char *path);

/* Can nothing be seen in this folder? */
bool vl_path_is_empty(const char *folder);

/* Let PATH lead to /usr/sbin and /sbin, too, which an ordinary user's does not. Nonzero if it does
 * now. */
int vl_path_add_system(void);

/* A program in PATH (or the path itself, if it has a '/'); NULL if there is none. */
char *vl_path_program(const char *name);

/* Does a name end in this? */
bool vl_path_ends_in(const char *name, const char *ending);

#endif
