/*
 * Mutations of an expression: small changes by which a student's line may differ from it.
 *
 *   y[i] += scale * x[i + 1]      y[i] = scale * x[i + 1]        overwritten
 *                                 y[i] -= scale * x[i + 1]       sign
 *                                 y[i] += x[i + 1]               missing term
 *                                 y[i] += scale * x[i]           missing term
 *                                 y[i] += scale * x[j + 1]       another variable, or a
 *                                                                member (members.h)
 *                                 ...
 */
#ifndef VIALATA_GRADE_MUTANTS_OPERATORS_H
#define VIALATA_GRADE_MUTANTS_OPERATORS_H

#include "grade/mutants/scope.h"

enum vl_mutation_kind {
    VL_MUTATION_SIGN,
    VL_MUTATION_INVERSE,   /* times for divided by */
    VL_MUTATION_BOUND,     /* < for <= */
    VL_MUTATION_CONDITION, /* reversed, or always so */
    VL_MUTATION_NUMBER,
    VL_MUTATION_TERM, /* a term or factor is missing */
    VL_MUTATION_VARIABLE,
    VL_MUTATION_INDEX,     /* one off */
    VL_MUTATION_ARGUMENTS, /* two exchanged */
    VL_MUTATION_TRANSPOSED,
    VL_MUTATION_WRITTEN, /* = for +=, or the other way round */
    VL_MUTATION_STEP,    /* a statement is missing */
    VL_MUTATION_ORDER,   /* two statements have changed places */
    VL_MUTATION_NARROW,  /* computed in a narrower type */
    VL_MUTATION_JUMP,    /* break for continue, or the other way round */
    VL_MUTATION_KINDS
};

struct vl_mutation {
    enum vl_mutation_kind kind;
    size_t first, last; /* these tokens ... */
    char *text;         /* ... become this; fresh */
};

struct vl_mutations {
    struct vl_mutation *list;
    size_t count;
    bool failed; /* no memory for one of them */
};

/* Add those of an expression, which is tokens 'first' up to before 'last'. */
void vl_mutate_expression(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                          const struct vl_scope *scope, size_t first, size_t last);

/* Add those of a condition: the expression's, and always, and never. */
void vl_mutate_condition(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                         const struct vl_scope *scope, size_t first, size_t last);

/* Add those of a statement that is an expression, without its semicolon: the expression's, another kind of
 * assignment, a status that keeps the first failure, and none at all. */
void vl_mutate_statement(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                         const struct vl_scope *scope, size_t first, size_t last);

/* Add one, whose text is copied; NULL counts as no memory. */
void vl_mutations_add(struct vl_mutations *mutations, enum vl_mutation_kind kind, size_t first,
                      size_t last, const char *text);

void vl_mutations_free(struct vl_mutations *mutations);

#endif
