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

/* The same of a change that puts a student's own file right ... */
const char *vl_repair_code(enum vl_mutation_kind kind);
/* "A sign is wrong ... Look at `odd - even` in `step.c:57` ..." */
char *vl_repair_words(const struct vl_mutant *mutant, const char *file);
/* ... and of changes of several kinds in one place, "step.c:57-60". */
char *vl_repair_place_words(const char *where);

#endif
