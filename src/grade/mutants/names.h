/*
 * The names by which a student finds a place: of the parameters that a statement uses, arrays first, then
 * of its other variables, which a student may call otherwise.
 */
#ifndef VIALATA_GRADE_MUTANTS_NAMES_H
#define VIALATA_GRADE_MUTANTS_NAMES_H

#include "grade/mutants/scope.h"

/* "dx, dout", of tokens 'first' up to before 'last'; "" if it uses none. NULL without memory. */
char *vl_statement_names(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                         size_t last);

#endif
