/*
 * Commands that a person is to type, as they run from where that person is.
 */
#ifndef VIALATA_REPORT_VERDICT_TYPED_H
#define VIALATA_REPORT_VERDICT_TYPED_H

#include <stdio.h>

/* `./vialata` in a copy of the course, `vialata` where it is installed; its path if it would not be found so. */
void vl_typed_program(FILE *stream);

/* A line of its own, indented, to be copied: the program, and the words that 'format' gives. */
void vl_typed(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
