/*
 * What is told of a mutant: its kind, and the names by which to find the place.
 */
#ifndef VIALATA_GRADE_MUTANTS_WORDS_H
#define VIALATA_GRADE_MUTANTS_WORDS_H

#include "grade/mutants/schema.h"

/* "wrong_sign": for machines. */
const char *vl_mutant_code(enum vl_mutation_kind kind);

/* "A sign is wrong ... Look at ... dx, dout.", translated, fresh; NULL without memory. */
char *vl_mutant_words(const struct vl_mutant *mutant);

#endif
