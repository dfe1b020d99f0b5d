/*
 * What a student is told when a case was not judged by its numbers: it crashed, hung, could not be
 * built, or has to wait. Each remark is a code for machines and a sentence for people.
 */
#ifndef VIALATA_GRADE_REMARK_H
#define VIALATA_GRADE_REMARK_H

#include "grade/build.h"
#include "grade/pace.h"
#include "grade/series.h"
#include "grade/verdict.h"

/* Status, code, message and detail of *result, freshly allocated strings (vl_remark_clear). */

/* A series did not bring this case to its end. */
void vl_remark_series(struct vl_case_result *result, const struct vl_series_report *report);

/* The build has decided it: not linked, or this function is broken or missing. Nonzero if so. */
int vl_remark_build(struct vl_case_result *result, const struct vl_build *build,
                    enum vl_function_state state, const char *file);

/* It waits for another function; 'unwritten' tells not written from not right. */
void vl_remark_waits(struct vl_case_result *result, const char *function, int unwritten);

/* A throughput case: also measured, bound and points (of max_points). */
void vl_remark_pace(struct vl_case_result *result, const struct vl_pace_result *pace);

void vl_remark(struct vl_case_result *result, enum vl_case_status status, const char *code,
               const char *message);
void vl_remark_clear(struct vl_case_result *result);

#endif
