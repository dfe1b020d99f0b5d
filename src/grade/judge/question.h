/*
 * Questions: what a call on paper was asked. Many cases are tables: one call for each element of the result, with
 * the sizes of that element.
 *
 *   inputs    experts 8   chosen 3   tokens_of [ 96, 1041, 2007 ]
 *   result                           bytes     [  .,    .,    . ]
 *
 *   bytes[0, 1]    In this call: experts = 8, chosen = 3, tokens_of = 1041.
 *
 * So a student can work out by hand what is expected.
 */
#ifndef VIALATA_GRADE_JUDGE_QUESTION_H
#define VIALATA_GRADE_JUDGE_QUESTION_H

#include "grade/catalogue/case.h"
#include <stdbool.h>
#include <stddef.h>

/* Is this a number of the inputs that no student's code is written for: what the runner is told, what makes a
 * case one of errors, or a value that is only drawn? */
bool vl_question_hides(const char *name);

/* The k-th size of question number 'question' of a table of so many: an element of a column among the inputs, or
 * what the case tells (vl_case.sizes). 'is_choice' where it is whole. False if there is no such k. */
bool vl_question_size(struct vl_size *size, const struct vl_case *c, const struct vl_bag *inputs,
                      size_t length, size_t question, size_t k);

/* "In this call: experts = 8, chosen = 3, tokens_of = 1041.", translated and fresh, about question number
 * 'question' of a table of so many, or of a case with one call (1). NULL if there is nothing to say, or too much. */
char *vl_question_text(const struct vl_case *c, const struct vl_bag *inputs, size_t length,
                       size_t question);

#endif
