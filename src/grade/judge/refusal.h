/*
 * Refusal: what the contract asks for where a call must be refused, but was carried out.
 *
 *     n beyond INT_MAX ──▶ the contract: VL_EINVAL
 *                     └──▶ the submission: sends all the same, past the end of what it has ──▶ crashed
 *
 * Where the call crashed, or misused its memory, this is the cause, and what was seen is what came of it.
 */
#ifndef VIALATA_GRADE_JUDGE_REFUSAL_H
#define VIALATA_GRADE_JUDGE_REFUSAL_H

#include "grade/catalogue/case.h"

/* What to say if every rank must refuse this case; fresh. NULL: they need not, they did (outputs, or NULL where none
 * came back), or without memory. */
char *vl_refusal_words(const struct vl_case *c, const struct vl_bag *inputs,
                       const struct vl_bag *outputs);

#endif
