/*
 * A small git repository for the workspace, with a first commit for each lab, so that a student
 * sees what they changed and can go back.
 *
 * None is made where git is missing, or where the folder lies in somebody's own repository; and
 * nothing is committed to a repository that Vialata did not make.
 */
#ifndef VIALATA_CLI_WORKSPACE_REPOSITORY_H
#define VIALATA_CLI_WORKSPACE_REPOSITORY_H

#include "cli/workspace/record.h"
#include "grade/catalogue/lab.h"
#include <stdbool.h>

/* Make it if need be; the record says so then. VL_EIO if git is here and it could not be made. */
enum vl_status vl_repository_make(struct vl_record *record, const char *workspace);

/* Commit the lab, and nothing else of the student's. VL_EIO if git refused. */
enum vl_status vl_repository_keep(const struct vl_record *record, const char *workspace,
                                  const struct vl_lab *lab);

/* The last commit, freed by the caller, of the repository that the workspace is in, and whether the
 * lab's sources are just those of the commit. *commit is NULL if there is none, or no git. */
void vl_repository_commit(char **commit, bool *committed, const char *workspace,
                          const struct vl_lab *lab);

#endif
