/*
 * Clauses: what is joined by "&&" and "||", and the two sides of a choice.
 *
 *   i < n && x[i] > 0         i < n                   one clause is missing, or too many
 *                             x[i] > 0
 *   whole ? rows : rows / t   rows                    always this side
 *                             rows / t
 */
#ifndef VIALATA_GRADE_MUTANTS_CLAUSES_H
#define VIALATA_GRADE_MUTANTS_CLAUSES_H

#include "grade/mutants/operators.h"

/* Add those of an expression, which is tokens 'first' up to before 'last'. */
void vl_mutate_clauses(struct vl_mutations *mutations, const struct vl_tokens *tokens, size_t first,
                       size_t last);

#endif
