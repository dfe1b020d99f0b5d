/*
 * A diagnosis: one case before its judge, and what is said of outputs that are wrong.
 *
 * Sought in this order: a known wrong answer that explains them, what an inspector sees, a value
 * that is no number, general signs.
 */
#ifndef VIALATA_GRADE_JUDGE_DIAGNOSIS_H
#define VIALATA_GRADE_JUDGE_DIAGNOSIS_H

#include "grade/catalogue/case.h"
#include "grade/judge/compare.h"
#include "grade/judge/inspect.h"

/* What is being judged, and the worst of what was found. */
struct vl_diagnosis {
    struct vl_case_result *result;
    const struct vl_case *c;
    const struct vl_bag *inputs, *outputs;
    struct vl_bag *expected;
    const struct vl_tensor_entry *worst_expected, *worst_got;
    struct vl_comparison worst;
    const struct vl_inspector *inspector; /* may be NULL */
    double near;                          /* so close to a wrong answer that this must be it */
};

/* Close the case with a code and a sentence (fresh, may be NULL without memory). VL_ENOMEM. */
enum vl_status vl_diagnosis_conclude(struct vl_diagnosis *t, enum vl_case_status status,
                                     const char *code, char *message);

/* Close a case whose outputs are not the expected ones: in which way, and where it shows most.
 * Presence, inspector and the worst are known by then. VL_ENOMEM. */
enum vl_status vl_diagnosis_diagnose(struct vl_diagnosis *t);

#endif
