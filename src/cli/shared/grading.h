/*
 * Grading one lab for a person: build, run, tell case by case, remember the verdict.
 */
#ifndef VIALATA_CLI_SHARED_GRADING_H
#define VIALATA_CLI_SHARED_GRADING_H

#include "cli/command.h"
#include "grade/run/grade.h"
#include <stdio.h>

/*
 * Grade as asked; the request's progress is set here. 'told' is where it is told live, or NULL for
 * silence. *verdict is freed by the caller. The exit status that the verdict earns.
 */
enum vl_exit vl_grading_run(struct vl_verdict *verdict, struct vl_grade_request *request,
                            FILE *told);

#endif
