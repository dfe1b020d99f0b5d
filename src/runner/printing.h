/*
 * What a submission prints: line by line, with its rank before each where there are several, and a mark at the end of
 * a case (wire/printed.h).
 */
#ifndef VIALATA_RUNNER_PRINTING_H
#define VIALATA_RUNNER_PRINTING_H

#include <stdint.h>

/* From now on, standard output and errors. *count: bytes of the case so far. */
void vl_printing_begin(int rank, int ranks, uint32_t *count);

/* A case begins; a case with that number has ended. All that was printed is on its way then. */
void vl_printing_begin_case(void);
void vl_printing_end_case(unsigned number);

/* The beginnings of lines, before a crash: safe in a signal handler. */
void vl_printing_last_words(void);

#endif
