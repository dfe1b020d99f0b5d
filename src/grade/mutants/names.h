/*
 * The names by which a student finds a place. Parameters come first; other variables may have other names
 * in the student's code.
 *
 *   float one = a[choice];            "a" is a parameter
 *   dx[i] = dy[i] * (1.0f - one);     without the last factor: "a"
 *
 * A local variable is traced to the parameter that its first value comes from, if there is one.
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
