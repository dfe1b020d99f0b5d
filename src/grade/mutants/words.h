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

/* Of a change that puts a student's own file right: "Look at `odd - even` in `step.c:57` ...". Its kind is not
 * told: what the student should have written instead is often another thing. */
char *vl_repair_words(const struct vl_mutant *mutant, const char *file);
/* The same of several changes in one place, "step.c:57-60". */
char *vl_repair_place_words(const char *where);
/* And where any of several places would do: "step.c:57`, `step.c:80". */
char *vl_repair_places_words(const char *where);

#endif
