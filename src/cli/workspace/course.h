/*
 * The labs as the course gives them, and what somebody wrote into them nevertheless: before there
 * were workspaces, a student worked in labs/.
 *
 * Only git knows what the course's files were, so outside a checkout nothing counts as edited.
 */
#ifndef VIALATA_CLI_WORKSPACE_COURSE_H
#define VIALATA_CLI_WORKSPACE_COURSE_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>

/* Does a file of the lab in labs/ differ from the one that is committed? */
bool vl_course_is_edited(const struct vl_lab *lab);

/* A file of the lab as the course gives it, even where labs/ was edited. *bytes is freed by the
 * caller. VL_EIO if it is missing, VL_ENOMEM. */
enum vl_status vl_course_read(char **bytes, size_t *n, const struct vl_lab *lab, const char *name);

/* Give the text of a file the shapes of a student (NULL: the usual ones), if it is predict.c. The old
 * text is freed. VL_ENOMEM. */
enum vl_status vl_course_shape(char **bytes, size_t *n, const struct vl_lab *lab, const char *name,
                               const char *student);

/* Move backups that an older Vialata kept in labs/ to the lab's folder in the workspace. How many
 * were moved. */
int vl_course_move_backups(const struct vl_lab *lab, const char *own);

#endif
