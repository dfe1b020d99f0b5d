/*
 * Labs as a person names them, and where their files stand.
 */
#ifndef VIALATA_CLI_SHARED_LABS_H
#define VIALATA_CLI_SHARED_LABS_H

#include "cli/command.h"
#include "grade/catalogue/lab.h"

/* The lab that 'word' means; NULL, with a sentence, if none is. */
const struct vl_lab *vl_lab_named(const char *word);

/* The lab's own folder, where a student works, with '/' and 'below' unless NULL: under VIALATA_LABS
 * if that is set, else where the build says. The caller frees it; NULL without memory. */
char *vl_lab_path(const struct vl_lab *lab, const char *below);

#endif
