/*
 * Grading one lab for a person: build, run, report case by case, remember the verdict.
 */
#ifndef VIALATA_CLI_SHARED_GRADING_H
#define VIALATA_CLI_SHARED_GRADING_H

#include "cli/command.h"
#include "grade/run/grade.h"
#include <stdbool.h>
#include <stdio.h>

/*
 * Grade as asked; the request's progress is set here. Cases are shown on 'told' as they come ('brief': those
 * that are right are only counted), and then what comes next; NULL: nothing is shown. The caller frees
 * *verdict. Returns the exit status that the verdict earns.
 */
enum vl_exit vl_grading_run(struct vl_verdict *verdict, struct vl_grade_request *request,
                            FILE *told, bool brief);

#endif
