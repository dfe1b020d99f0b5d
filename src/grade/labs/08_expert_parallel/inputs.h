/*
 * What the makers of lab 08's inputs share.
 */
#ifndef VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_INPUTS_H
#define VIALATA_GRADE_LABS_08_EXPERT_PARALLEL_INPUTS_H

#include "grade/catalogue/maker.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

/* "logits" (tokens, experts), as the variant wants them. NULL without memory. */
float *vl_expert_add_logits(struct vl_maker *m, size_t tokens, size_t experts, const float *bias,
                            int variant);

/* "choices" (tokens, k): for every token k different experts, in any order. 'sole' is always the first;
 * 'idle' is never one of them, unless it is 'sole'. Either may be -1: none. NULL without memory. */
int32_t *vl_expert_add_chosen(struct vl_maker *m, size_t tokens, size_t k, size_t experts,
                              int32_t idle, int32_t sole);

#endif
