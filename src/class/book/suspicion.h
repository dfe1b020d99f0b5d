/*
 * What a person should look at before the points count: codes of cases that honest code hardly gets.
 */
#ifndef VIALATA_CLASS_BOOK_SUSPICION_H
#define VIALATA_CLASS_BOOK_SUSPICION_H

#include "grade/catalogue/verdict.h"

/* What a code tells about a submission, in the language in force; NULL if there is nothing to look
 * at. */
const char *vl_suspicion(const char *code);

/* The i-th case of the verdict with such a code, each code once; NULL after the last. *at is 0 at
 * first. */
const struct vl_case_result *vl_suspicious_next(const struct vl_verdict *verdict, size_t *at);

#endif
