/*
 * The student's workspace: a folder of their own, with the labs they have started.
 *
 *     work/                        its name is the student's choice
 *       01_training_step/          the lab's files; backup-* folders that `reset` made
 *       .vialata/workspace.json    the record: what Vialata knows of this workspace (record.h)
 *       .vialata/given/            the labs' files as they were given (given.h)
 *       handed-in/                 archives and receipts that `handin` made
 *       .clangd, compile_commands.json, .vscode/         for editors (editor.h)
 *       .git/                      a repository of its own, where git is installed (repository.h)
 *
 * Which folder that is, first that applies:
 *
 *   VIALATA_WORK       in the environment
 *   around us          the current folder, or one above it, has a record
 *   remembered         `start --in FOLDER` chose it for this copy of the course
 *   work/              next to the course's entrance script, if that folder can be written
 *   ~/vialata-work     for an installed vialata, and for a course that is read-only
 *
 * The course's own labs/ is never written to; only old backups are moved out of it (course.h).
 */
#ifndef VIALATA_CLI_WORKSPACE_WORKSPACE_H
#define VIALATA_CLI_WORKSPACE_WORKSPACE_H

#include "cli/command.h"
#include "grade/catalogue/lab.h"

#define VL_WORKSPACE_MARK ".vialata"

/* The folder, absolute, whether it is there or not. The caller frees it; NULL if there is none to
 * choose (no HOME, or no memory). */
char *vl_workspace_folder(void);

/* The same, but NULL, with a sentence, if there is none to choose or if the one that was chosen
 * with `start --in` is gone. */
char *vl_workspace_open(void);

/* The student that the workspace was started for. Freed by the caller; NULL if there is none. */
char *vl_workspace_student(void);

/* Remember the folder for this copy of the course. */
void vl_workspace_remember(const char *folder);

/* A lab's folder in the workspace, with '/' and 'below' unless NULL. Freed by the caller. */
char *vl_workspace_lab(const struct vl_lab *lab, const char *below);

/* The lab in the course's labs/, which is never graded by default. Freed by the caller. */
char *vl_course_lab(const struct vl_lab *lab, const char *below);

/* Is any of the lab's files in that workspace? */
int vl_workspace_has(const char *folder, const struct vl_lab *lab);

/* VL_EXIT_OK if the lab was started; else VL_EXIT_USAGE and the sentence that says how to. */
enum vl_exit vl_workspace_require(const struct vl_lab *lab);

#endif
