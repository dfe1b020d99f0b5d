/*
 * The variables that can be used at a place of a function: parameters, then locals, the newest last.
 */
#ifndef VIALATA_GRADE_MUTANTS_SCOPE_H
#define VIALATA_GRADE_MUTANTS_SCOPE_H

#include "grade/mutants/tokens.h"

#define VL_SCOPE_MOST 96
#define VL_SCOPE_TYPE 64

struct vl_variable {
    size_t token; /* its name, where it is declared */
    char type
        [VL_SCOPE_TYPE]; /* "size_t", "const float *"; without const where it is a plain number */
    bool parameter;
};

struct vl_scope {
    struct vl_variable list[VL_SCOPE_MOST]; /* more are not seen */
    size_t count;
};

/* Add the parameters between the brackets of a head: tokens from 'first' up to before 'last'. */
void vl_scope_add_parameters(struct vl_scope *scope, const struct vl_tokens *tokens, size_t first,
                             size_t last);

/* Does a declaration of variables begin at token i? */
bool vl_scope_is_declaration(const struct vl_tokens *tokens, size_t i);

/* Where its first declarator begins: the '*' or the name. */
size_t vl_scope_declarators(const struct vl_tokens *tokens, size_t i);

/* Add the variable of one declarator, which begins there; 'type' is where its type begins, and ends
 * before 'type_end'. Returns the token after its name. */
size_t vl_scope_add(struct vl_scope *scope, const struct vl_tokens *tokens, size_t type,
                    size_t type_end, size_t declarator);

/* The variable that token i names; NULL if it is none. */
const struct vl_variable *vl_scope_find(const struct vl_scope *scope,
                                        const struct vl_tokens *tokens, size_t i);

/* Is it, or with 'element' what it points to, a number? */
bool vl_variable_is_number(const struct vl_variable *variable, bool element);

/* Is it a whole number; a pointer? */
bool vl_variable_is_integer(const struct vl_variable *variable);
bool vl_variable_is_pointer(const struct vl_variable *variable);

/* Does an operand end before token i, so that an operator there has two? */
bool vl_scope_has_operand(const struct vl_tokens *tokens, size_t i);

/* Are the brackets that open at token i a cast? */
bool vl_scope_is_cast(const struct vl_tokens *tokens, size_t i);

#endif
