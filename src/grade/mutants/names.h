/*
 * The names by which a student finds a place: of the parameters that are used there, then of other
 * variables, which a student may call otherwise.
 *
 *   float one = a[choice];            "a" is a parameter
 *   dx[i] = dy[i] * (1.0f - one);     without the last factor: "a"
 *
 * So a variable of the reference's own is traced to the parameter that it begins with, where there is one.
 */
#ifndef VIALATA_GRADE_MUTANTS_NAMES_H
#define VIALATA_GRADE_MUTANTS_NAMES_H

#include "grade/mutants/scope.h"

/* "dx, dout", of tokens 'first' up to before 'last', arrays first; "" if they use none. NULL without
 * memory. */
char *vl_statement_names(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                         size_t last);

/* "routing->scale", of the parameters from which these tokens come; "sizeof", or the name of a function, where
 * that is what they are about. "" if there is none. NULL without memory. */
char *vl_origin_names(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                      size_t last);

#endif
