/*
 * Deleting what a class's results hold about one student: verdicts, pages, rows of the gradebook.
 */
#ifndef VIALATA_CLASS_PRIVACY_FORGET_H
#define VIALATA_CLASS_PRIVACY_FORGET_H

#include "vialata/status.h"
#include <stddef.h>

/* Paths, freed by the caller. */
struct vl_forgotten {
    char **paths;
    size_t count;
};

/* Delete the files below the results that are called after the student: ID.html, ID.KEY.json ... Files
 * right in the folder belong to the class. VL_EIO (errno), VL_ENOMEM; what was deleted is listed in
 * any case. */
enum vl_status vl_forget_files(struct vl_forgotten *removed, const char *results, const char *id);

/* Write a table anew without the rows whose column 'id' is the student's. *rows says how many there
 * were; it stays as it is if there are none. VL_EIO (errno), VL_EFORMAT if it is not such a
 * table, VL_ENOMEM. */
enum vl_status vl_forget_rows(size_t *rows, const char *path, const char *id);

/* Files below the results that still have the id as a word. The same errors as vl_forget_files. */
enum vl_status vl_forget_search(struct vl_forgotten *found, const char *results, const char *id);

void vl_forgotten_free(struct vl_forgotten *list);

#endif
