/*
 * What variables begin with, and when it is read: a block's variables begin anew in every turn of a loop, or a value is
 * read later than it should be.
 *
 *   double sum = 0;            for (...) { sum = 0; ... }
 *   double old = x[0];         x[0] = y; old = x[0];
 *   x[0] = y;
 */
#ifndef VIALATA_GRADE_MUTANTS_BEGINNINGS_H
#define VIALATA_GRADE_MUTANTS_BEGINNINGS_H

#include "grade/mutants/schema_writer.h"

/* A value read before something else changes it: the first variable of a declaration, with what it
 * begins with. */
struct vl_early {
    size_t name, first, last;
    int left; /* statements after which reading it is tried */
};

/* Remember the variable of the declaration at i, if it begins with a value. */
void vl_beginning_note(struct vl_writer *w, size_t i);

/* At the beginning of a loop's body: variables that began before the loop begin anew in every turn. */
void vl_beginnings_anew(struct vl_writer *w);

/* That of the declaration at i; its 'left' is 0 if it reads nothing that may change. */
struct vl_early vl_early_of(const struct vl_writer *w, size_t i);

/* After another statement: the value is read again here. */
void vl_early_put(struct vl_writer *w, struct vl_early *early);

#endif
