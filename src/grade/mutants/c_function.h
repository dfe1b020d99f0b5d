/*
 * Where a function is in a C file.
 *
 * Functions are found by the style of the code, which a test enforces: the name comes before the
 * first parenthesis of the head, and the braces are alone on their lines, in the first column.
 */
#ifndef VIALATA_GRADE_MUTANTS_C_FUNCTION_H
#define VIALATA_GRADE_MUTANTS_C_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>

struct vl_c_function {
    const char *name; /* of 'length' bytes, inside the text */
    size_t length;
    const char *start, *end; /* from the head to after the closing brace */
    bool is_static;
};

/* The first function at or after 'text'. False if there is none. */
bool vl_c_function_next(struct vl_c_function *function, const char *text);

#endif
