/*
 * Functions of a lab as a person names them.
 */
#ifndef VIALATA_CLI_COMPANION_FUNCTIONS_H
#define VIALATA_CLI_COMPANION_FUNCTIONS_H

#include "cli/command.h"
#include "grade/catalogue/lab.h"

/* With or without its prefix: "vl_swiglu_forward", "swiglu_forward". NULL if none is meant. */
const struct vl_lab_function *vl_function_named(const struct vl_lab *lab, const char *word);

/* VL_EXIT_USAGE, with a sentence that names the nearest one. */
enum vl_exit vl_function_refuse(const struct vl_lab *lab, const char *word);

#endif
