/*
 * The files of a lab, put into a workspace. What the student has is never overwritten.
 *
 * A lab that is not there yet is made under another name and renamed, so that an interruption
 * leaves a whole lab or none.
 */
#ifndef VIALATA_CLI_WORKSPACE_FILL_H
#define VIALATA_CLI_WORKSPACE_FILL_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

struct vl_filled {
    int fresh;      /* the folder was made just now */
    int edited;     /* its files had been edited in labs/, and came along as they were there */
    int backups;    /* folders that an older Vialata kept in labs/ and that moved here */
    char *put_back; /* "step.c, budget.c": what was missing from a lab that was there; or NULL */
    char *missing;  /* with VL_ELACK: the file that the course lacks */
};

/* predict.c has the shapes of 'student', or the usual ones for NULL. VL_ELACK if the course lacks a
 * file; VL_EIO (errno), VL_ENOMEM. Freed by the caller. */
enum vl_status vl_fill_lab(struct vl_filled *filled, const char *workspace,
                           const struct vl_lab *lab, const char *student);

/* Copy one file of a lab from folder to folder, whole or not at all. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_fill_copy(const char *to_folder, const char *from_folder, const char *name);

void vl_filled_free(struct vl_filled *filled);

#endif
