/*
 * What a student was given: a copy of each file of a lab, as the course had it when the student last
 * got it, in .vialata/given/LAB/FILE. So `update` knows what the student changed, and what the course
 * did.
 *
 * Workspaces of an older Vialata have no such copies. There git knows, if Vialata made the repository:
 * the first commit of a lab is the lab as it was given.
 */
#ifndef VIALATA_CLI_WORKSPACE_GIVEN_H
#define VIALATA_CLI_WORKSPACE_GIVEN_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stddef.h>

/* Where the copy of a file is, there or not; with NULL the lab's folder of copies. The caller frees
 * it. */
char *vl_given_path(const char *workspace, const struct vl_lab *lab, const char *name);

/* Keep a copy. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_given_keep(const char *workspace, const struct vl_lab *lab, const char *name,
                             const char *bytes, size_t n);

/* The file as it was given, freed by the caller. VL_ELACK if nobody knows, VL_ENOMEM. */
enum vl_status vl_given_read(char **bytes, size_t *n, const char *workspace,
                             const struct vl_lab *lab, const char *name);

/* The file as the course gives it today to that student (NULL: with the usual shapes). The statuses of
 * vl_course_read. */
enum vl_status vl_given_today(char **bytes, size_t *n, const struct vl_lab *lab, const char *name,
                              const char *student);

#endif
