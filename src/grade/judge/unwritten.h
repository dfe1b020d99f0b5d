/*
 * What was never written. Every output is filled with a value that no arithmetic gives; an element that
 * still has this value after the call was not written.
 *
 *   row   x x x . . . . . . . . .     a quarter: floats counted where bytes belong
 *   array x x x x x . . . . . . .     nothing after the fifth: a loop ended early
 */
#ifndef VIALATA_GRADE_JUDGE_UNWRITTEN_H
#define VIALATA_GRADE_JUDGE_UNWRITTEN_H

#include "grade/judge/judgement.h"

/* Close the case if 'got', as large as 'expected', has an element that counts and was never written.
 * True if so. */
bool vl_judge_unwritten(struct vl_judgement *t, const struct vl_tensor_entry *expected,
                        const struct vl_tensor_entry *got);

#endif
