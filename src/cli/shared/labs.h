/*
 * Labs as a person names them.
 */
#ifndef VIALATA_CLI_SHARED_LABS_H
#define VIALATA_CLI_SHARED_LABS_H

#include "cli/command.h"
#include "grade/catalogue/lab.h"
#include <stdbool.h>
#include <stddef.h>

/* Is it here? A handout (class/handout/handout.h) has some labs only. */
bool vl_lab_is_here(const struct vl_lab *lab);

/* The first that is here. */
const struct vl_lab *vl_lab_first_here(void);

/* Labs in a list: "02", "01-04", "01,03". Those that it names and that are here go into 'labs', in
 * the order of the course; there must be room for all. VL_EXIT_USAGE, with a sentence, if a word
 * means none. */
enum vl_exit vl_labs_named(const struct vl_lab **labs, size_t *count, const char *words);

/* The lab that 'word' means; NULL, with a sentence, if none is, or it is not here. */
const struct vl_lab *vl_lab_named(const char *word);

#endif
