/*
 * In which way an answer is wrong: the known mistake that was found, an inspector's words for the place,
 * a value that is no number, general signs; then the worst element.
 */
#ifndef VIALATA_GRADE_JUDGE_EXPLAIN_H
#define VIALATA_GRADE_JUDGE_EXPLAIN_H

#include "grade/catalogue/case.h"

/* A known mistake that explains the outputs; the sentence is English, translated when it is told. */
struct vl_cause {
    const char *code;
    const char *sentence;
};

/* Code and message of an open case: its cause if one was found (else NULL), and the place. */
enum vl_status vl_explain(struct vl_case_result *result, const struct vl_case *c,
                          const struct vl_bag *inputs, const struct vl_bag *outputs,
                          const struct vl_cause *cause);

#endif
