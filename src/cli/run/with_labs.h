/*
 * `--with labs`: whose code trains the model, or runs in a simulation, decided lab by lab and shown.
 *
 * It is the student's where the last verdict on their own folder passed and the files are still
 * those that were graded; else it is the course's.
 */
#ifndef VIALATA_CLI_RUN_WITH_LABS_H
#define VIALATA_CLI_RUN_WITH_LABS_H

#include "cli/command.h"
#include "grade/build/assembly.h"
#include "grade/catalogue/lab.h"
#include "report/draw/terminal.h"
#include <jansson.h>
#include <stdbool.h>

#define VL_WITH_LABS_MOST 16

struct vl_with_lab {
    const struct vl_lab *lab;
    int yours;
    char reason[256]; /* why not, in the user's language; "" if it is */
};

/* What labs are put into. The sentences are N_(): before the table, while it is built, and what is
 * said if a lab (its number and slug go in) does not compile, or if the labs do not link. */
struct vl_with_program {
    const struct vl_target *target;
    bool kernels; /* lab with kernels too */
    const char *heading, *building, *broken, *unlinked;
};

struct vl_with_labs {
    const struct vl_with_program *program;
    struct vl_with_lab labs[VL_WITH_LABS_MOST];
    size_t count; /* of the labs that the program is made of */
    struct vl_assembly assembly;
};

/* Decide for each lab of that program, from the last verdict and the files. */
void vl_with_labs_decide(struct vl_with_labs *with, const struct vl_with_program *program);

/* "yours" or "the course's". */
const char *vl_with_labs_whose(const struct vl_with_lab *lab);

/* A table, lab by lab, with the reasons. */
void vl_with_labs_tell(const struct vl_with_labs *with, const struct vl_terminal *terminal);

/* {"training_step": "student", "collectives": "reference", ...}; NULL without memory. */
json_t *vl_with_labs_json(const struct vl_with_labs *with);

/* Compile and link the student's labs, if there are any, and say what went wrong. The program is
 * with->assembly.program, NULL if all code is the course's. */
enum vl_exit vl_with_labs_build(struct vl_with_labs *with, const struct vl_terminal *terminal);

/* Remove the program's folder, however the run ended. */
void vl_with_labs_free(struct vl_with_labs *with);

#endif
