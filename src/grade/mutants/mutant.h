/*
 * A mutant: one change of a function, with what a student is told of it: the line, the piece that is
 * changed, and the names in it.
 */
#ifndef VIALATA_GRADE_MUTANTS_MUTANT_H
#define VIALATA_GRADE_MUTANTS_MUTANT_H

#include "grade/mutants/operators.h"

struct vl_mutant {
    enum vl_mutation_kind kind;
    char *names;  /* what the student knows of its statement: "dx, dout" */
    bool missing; /* they are those of the term or factor that is left out */
    size_t line;  /* of the file, from 1 */
    char *piece;  /* what is changed, as it is written there; "" if that is long or not plain */
};

/* What is known of a mutation of the statement that is the tokens first to last of a file. It is told of
 * what it leaves out if there is a name for that, else of the whole statement. names or piece is NULL without
 * memory. Free it in any case. */
struct vl_mutant vl_mutant_of(const struct vl_tokens *tokens, const struct vl_scope *scope,
                              const char *file, const struct vl_mutation *mutation, size_t first,
                              size_t last);

void vl_mutant_free(struct vl_mutant *mutant);

#endif
