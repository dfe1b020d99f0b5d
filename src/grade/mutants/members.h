/*
 * Members of structures that an expression names, "shape->sequence": each is as good as a variable, and a student
 * may take one for the other.
 *
 *   size_t n = rows * shape->sequence;       shape->heads * n
 *                                            shape->heads * shape->sequence
 *
 * Their structures are declared in other files. So whether a member is a number is known from how the
 * function uses it: in a product, next to a number in a comparison, as the value of one, or with a cast to one.
 */
#ifndef VIALATA_GRADE_MUTANTS_MEMBERS_H
#define VIALATA_GRADE_MUTANTS_MEMBERS_H

#include "grade/mutants/scope.h"

/* Where the member ends whose name begins at token i; 0 if none begins there. One with an index or a call
 * after it is none: what that gives is something else. */
size_t vl_member_end(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t i);

/* Is the member from 'first' up to before 'last' a number, as all of these tokens use it? */
bool vl_member_is_number(const struct vl_tokens *tokens, const struct vl_scope *scope, size_t first,
                         size_t last);

/* The member named nearest to token i of those that are numbers and mean the same in this scope. False if there is
 * none. */
bool vl_member_near(size_t *first, size_t *last, const struct vl_tokens *tokens,
                    const struct vl_scope *scope, size_t i);

#endif
