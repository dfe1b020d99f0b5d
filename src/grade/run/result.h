/*
 * What a student is told when a case was not judged by its numbers: it crashed, hung, could not be
 * built, or has to wait. Each message has a code for machines and a sentence for people.
 */
#ifndef VIALATA_GRADE_RUN_RESULT_H
#define VIALATA_GRADE_RUN_RESULT_H

#include "grade/build/build.h"
#include "grade/catalogue/verdict.h"
#include "grade/job/case_run.h"
#include "grade/job/throughput.h"
#include <stdbool.h>

/* Status, code, message and detail of *result, freshly allocated strings (vl_result_clear). */

/* A run did not bring this case to its end. */
void vl_result_from_run(struct vl_case_result *result, const struct vl_case_run_report *report);

/* The build has decided it: not linked, or this function is broken or missing. Nonzero if so. */
int vl_result_from_build(struct vl_case_result *result, const struct vl_build *build,
                         enum vl_function_state state, const char *file);

/* A throughput case: also measured, bound and points (of max_points). */
void vl_result_from_throughput(struct vl_case_result *result,
                               const struct vl_throughput_result *throughput);

/* Then, after all that is said about its speed: were the times unsteady? */
void vl_result_add_spread(struct vl_case_result *result,
                          const struct vl_throughput_result *throughput);

void vl_result_set(struct vl_case_result *result, enum vl_case_status status, const char *code,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Add a sentence to the message; takes it. NULL: without memory for it. */
void vl_result_add(struct vl_case_result *result, char *sentence);
/* The same, before what the message has. */
void vl_result_begin(struct vl_case_result *result, char *sentence);
/* What the submission printed in the case: more lines of the detail. */
void vl_result_add_words(struct vl_case_result *result, const char *words);
void vl_result_clear(struct vl_case_result *result);

#endif
