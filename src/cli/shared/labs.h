/*
 * Labs as a person names them.
 */
#ifndef VIALATA_CLI_SHARED_LABS_H
#define VIALATA_CLI_SHARED_LABS_H

#include "cli/command.h"
#include "grade/catalogue/lab.h"

/* The lab that 'word' means; NULL, with a sentence, if none is. */
const struct vl_lab *vl_lab_named(const char *word);

/* The labs that "02", "01-04" or "01,03" mean, in the order of the course; 'labs' has vl_lab_count
 * places. If one is no lab, VL_EXIT_USAGE, with a sentence. */
enum vl_exit vl_labs_named(const struct vl_lab **labs, size_t *count, const char *words);

#endif
