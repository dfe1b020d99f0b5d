/*
 * `--with labs`: whose code trains the model, decided lab by lab and shown.
 *
 * It is the student's where the last verdict on their own folder passed and the files are still
 * those that were graded; else it is the course's.
 */
#ifndef VIALATA_CLI_TRAIN_WITH_LABS_H
#define VIALATA_CLI_TRAIN_WITH_LABS_H

#include "cli/command.h"
#include "grade/build/assembly.h"
#include "grade/catalogue/lab.h"
#include "report/draw/terminal.h"
#include <jansson.h>

#define VL_WITH_LABS_MOST 16

struct vl_with_lab {
    const struct vl_lab *lab;
    int yours;
    char reason[256]; /* why not, in the user's language; "" if it is */
};

struct vl_with_labs {
    struct vl_with_lab labs[VL_WITH_LABS_MOST];
    size_t count; /* of the labs that train */
    struct vl_assembly assembly;
};

/* Decide for each lab, from the last verdict and the files. */
void vl_with_labs_decide(struct vl_with_labs *with);

/* "yours" or "the course's". */
const char *vl_with_labs_whose(const struct vl_with_lab *lab);

/* A table, lab by lab, with the reasons. */
void vl_with_labs_tell(const struct vl_with_labs *with, const struct vl_terminal *terminal);

/* {"training_step": "student", "collectives": "reference", ...} as text; the caller frees it. */
char *vl_with_labs_text(const struct vl_with_labs *with);

/* Compile and link the student's labs, if there are any, and say what went wrong. The program is
 * with->assembly.program, NULL if all code is the course's. */
enum vl_exit vl_with_labs_build(struct vl_with_labs *with, const struct vl_terminal *terminal);

/* Remove the program's folder, however the run ended. */
void vl_with_labs_free(struct vl_with_labs *with);

#endif
