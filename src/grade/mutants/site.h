/*
 * Only for grade/mutants/: an expression, and where its mutations go.
 */
#ifndef VIALATA_GRADE_MUTANTS_SITE_H
#define VIALATA_GRADE_MUTANTS_SITE_H

#include "grade/mutants/operators.h"

#include <stdbool.h>

struct vl_site {
    struct vl_mutations *mutations;
    const struct vl_tokens *tokens;
    const struct vl_scope *scope;
    size_t first, last;
};

/* Add a mutation: tokens 'first' up to before 'last' become this. */
void vl_site_add(const struct vl_site *site, enum vl_mutation_kind kind, size_t first, size_t last,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Is token i, within the expression, this word, or one of these? */
bool vl_site_is(const struct vl_site *site, size_t i, const char *word);
bool vl_site_is_any(const struct vl_site *site, size_t i, const char *const *words);

/* The other bracket of the pair that token i belongs to; 0 if it is none. */
size_t vl_site_partner(const struct vl_site *site, size_t i);

/* Has the operator at i an operand before it? */
bool vl_site_is_binary(const struct vl_site *site, size_t i);

#endif
