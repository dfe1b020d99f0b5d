/*
 * The program of a case: as the course gives it, and as the student has it.
 *
 *   labs/clinic/NN_slug.c      given, never changed
 *   WORK/clinic/NN_slug.c      the student's: put there once, then theirs
 *   WORK/clinic/clinic.h       what the programs share, so that they compile by hand
 */
#ifndef VIALATA_CLI_CLINIC_SHELF_H
#define VIALATA_CLI_CLINIC_SHELF_H

#include "cli/command.h"
#include "clinic/case.h"

struct vl_clinic_shelf {
    char name[64]; /* "NN_slug.c" */
    char *given;   /* text of the course's program */
    char *own;     /* text of the student's */
    char *path;    /* of the student's file */
    char *shown;   /* the same, as a person would write it */
    char *header;  /* the course's clinic.h: its path */
};

/* Find both, and put what is missing into the workspace. Says what went wrong. Freed by the caller whatever is
 * returned. */
enum vl_exit vl_clinic_shelf_open(struct vl_clinic_shelf *shelf, const struct vl_clinic_case *item);

/* Put the course's program back; the student's is kept in a backup if it differs, whose folder goes to *backup,
 * freed by the caller, else NULL. Says what went wrong. */
enum vl_exit vl_clinic_shelf_reset(char **backup, const struct vl_clinic_shelf *shelf);

void vl_clinic_shelf_free(struct vl_clinic_shelf *shelf);

#endif
