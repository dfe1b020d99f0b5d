/*
 * Did the files of a submission compile? All of them, some, or none that matters.
 */
#ifndef VIALATA_REPORT_VERDICT_COMPILES_H
#define VIALATA_REPORT_VERDICT_COMPILES_H

#include "grade/catalogue/verdict.h"
#include <stdbool.h>

/* Is the case without points because its file does not compile? */
bool vl_case_does_not_compile(const struct vl_case_result *result);

/* Do some files not compile, and could no case that is worth points be tried because of that? */
bool vl_verdict_compiles_in_part(const struct vl_verdict *verdict);
bool vl_verdict_does_not_compile(const struct vl_verdict *verdict);

#endif
