/*
 * Labs as a person names them.
 */
#ifndef VIALATA_CLI_SHARED_LABS_H
#define VIALATA_CLI_SHARED_LABS_H

#include "cli/command.h"
#include "grade/catalogue/lab.h"

/* The lab that 'word' means; NULL, with a sentence, if none is. */
const struct vl_lab *vl_lab_named(const char *word);

#endif
