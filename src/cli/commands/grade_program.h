/*
 * `vialata grade LAB --only CASE --program FILE.c`: the case as a program of its own
 * (grade/program/case_program.h), and the command that compiles it with the student's code.
 */
#ifndef VIALATA_CLI_COMMANDS_GRADE_PROGRAM_H
#define VIALATA_CLI_COMMANDS_GRADE_PROGRAM_H

#include "cli/command.h"
#include "grade/catalogue/lab.h"
#include "grade/catalogue/origin.h"

/* 'only' is a case, or a function: then its first one. 'folder' has the lab's files. A file that is
 * there is never replaced. */
enum vl_exit vl_grade_program(const struct vl_lab *lab, const char *only,
                              const struct vl_origin *origin, const char *folder, const char *path);

#endif
