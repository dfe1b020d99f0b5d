/*
 * Only for the schema (schema.h): a function being written, with the mutants of each place.
 */
#ifndef VIALATA_GRADE_MUTANTS_SCHEMA_WRITER_H
#define VIALATA_GRADE_MUTANTS_SCHEMA_WRITER_H

#include "grade/mutants/schema.h"

#include <stdbool.h>
#include <stdio.h>

#define VL_BEGUN_MOST 12 /* variables of the blocks around a loop */

/* A variable whose declaration gives it a value: its tokens, name and value. */
struct vl_begun {
    size_t name, last;
    int depth; /* of its block */
};

/* A function being written. */
struct vl_writer {
    FILE *out;
    const char *file;
    const struct vl_tokens *tokens;
    struct vl_scope scope;
    int loops; /* around here, without a switch in between */
    struct vl_begun begun[VL_BEGUN_MOST];
    size_t begun_count;
    int depth;    /* of the block */
    bool repeats; /* what comes next is the body of a loop */
    struct vl_schema *schema;
    enum vl_status status;
};

typedef void vl_mutate_fn(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                          const struct vl_scope *scope, size_t first, size_t last);

/* The tokens as they are. */
void vl_writer_put(struct vl_writer *w, size_t first, size_t last);

/* Is token i this word? */
bool vl_writer_is(const struct vl_writer *w, size_t i, const char *word);

/* The first of two marks at token i or behind it, not within brackets. */
size_t vl_writer_end_of(const struct vl_writer *w, size_t i, const char *mark, const char * or);

/* Remember a mutant of a statement; its number, or 0 without memory. */
size_t vl_writer_list(struct vl_writer *w, const struct vl_mutation *m, size_t first, size_t last);
/* One in which statements change places. */
size_t vl_writer_list_order(struct vl_writer *w, size_t first, size_t last);

/* An expression with its mutants, first to last, of the statement that is all of 'from' to 'to'. */
void vl_writer_expression(struct vl_writer *w, vl_mutate_fn *how, size_t first, size_t last,
                          size_t from, size_t to);

/* The same for an expression that is a statement, without its semicolon. */
void vl_writer_statement(struct vl_writer *w, size_t first, size_t last);

#endif
