/*
 * What a case printed, found in the stream that all ranks print into (wire/printed.h).
 */
#ifndef VIALATA_GRADE_JOB_PRINTED_H
#define VIALATA_GRADE_JOB_PRINTED_H

#include <stddef.h>

/* How many marks are in the first bytes. */
size_t vl_printed_marks(const char *stream, size_t bytes);

/* The text of the case, and in *end how many bytes of the stream it and what was before it take up: *end is 0, and the
 * text NULL, if it has none. The caller frees it. */
char *vl_printed_of(size_t *end, const char *stream, unsigned number);

/* The text after the marks of other cases: of a case that did not come to its end on all ranks. The caller frees it. */
char *vl_printed_last(const char *stream, unsigned number);

#endif
