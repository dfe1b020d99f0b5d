/*
 * What the inspectors of lab 07 share: how outputs are read, and tasks are written.
 */
#ifndef VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_INSPECTOR_H
#define VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_INSPECTOR_H

#include "engine/schedule/schedule_text.h"
#include "grade/judge/inspect.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

/* A table of whole numbers of the outputs; NULL if it is missing, or has another type or size. */
const int64_t *vl_pipe_numbers(const struct vl_bag *outputs, const char *name, size_t count);

/* Three of these numbers, whatever they are, as a task. */
struct vl_task vl_pipe_task_at(const int64_t *numbers);

/* "F2", "B0.1": the task of this number. */
const char *vl_pipe_task_text(char text[VL_TASK_TEXT], const struct vl_pipe *pipe, size_t number);

/* "The function returned status ...": not the one that was wanted. */
enum vl_status vl_pipe_say_status(struct vl_sign *sign, enum vl_status returned,
                                  enum vl_status wanted);

vl_inspection vl_look_at_tags, vl_look_at_actions, vl_tell_actions;

#endif
