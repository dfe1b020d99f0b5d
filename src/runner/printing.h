/*
 * What a submission prints: line by line, with its rank before each where there are several, and a mark at the end of
 * a case (wire/printed.h).
 */
#ifndef VIALATA_RUNNER_PRINTING_H
#define VIALATA_RUNNER_PRINTING_H

#include <stdint.h>

/* Take over standard output and errors. *marks counts the marks that were written. */
void vl_printing_begin(int rank, int ranks, uint32_t *marks);

/* A case with that number has ended: all that was printed is on its way, and a mark, if there was anything. */
void vl_printing_end_case(unsigned number);

/* In mid-case, before a crash or as an answer: beginnings of lines, and a mark of no case. Safe in a signal handler. */
void vl_printing_last_words(void);

#endif
