/*
 * A function that somebody has written, and that still returns VL_TODO as the skeleton did: the last line was
 * forgotten. Its case is not "not started" then, and the report says what to do.
 */
#ifndef VIALATA_GRADE_RUN_TODO_H
#define VIALATA_GRADE_RUN_TODO_H

#include "grade/run/grading.h"
#include <stdbool.h>

/* Is there more in its code than in the skeleton's, and a `return VL_TODO`? Comments do not count. */
bool vl_todo_is_left(const struct vl_grading *grading, const char *function);

/* If so, and this case of it returned that, say it in the result. */
void vl_todo_tell(struct vl_case_result *result, const struct vl_grading *grading);

#endif
