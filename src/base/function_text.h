/*
 * A function of a C file, as text.
 */
#ifndef VIALATA_BASE_FUNCTION_TEXT_H
#define VIALATA_BASE_FUNCTION_TEXT_H

#include <stddef.h>

/* Where the definition of 'name' begins in 'source', at the start of a line, and how long it is up to its last
 * brace. NULL if it is not defined there, or its braces do not close. */
const char *vl_function_text(size_t *length, const char *source, const char *name);

/* Its code alone, without comments and blanks, fresh; NULL if it is not defined there, or without memory. */
char *vl_function_code(const char *source, const char *name);

#endif
