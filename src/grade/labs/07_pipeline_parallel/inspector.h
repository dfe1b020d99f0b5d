/*
 * What the inspectors of lab 07 share: how tasks are said, and schedules read. Only for inspect_*.c
 * of that lab.
 */
#ifndef VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_INSPECTOR_H
#define VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_INSPECTOR_H

#include "engine/schedule/schedule_text.h"
#include "grade/judge/inspect.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

/* "F2", "B0.1"; "--" for what is no task. */
const char *vl_pipe_task_text(char text[VL_TASK_TEXT], int64_t kind, int64_t chunk,
                              int64_t micro_batch);

/* A table of whole numbers of the outputs; NULL if it is not there as it should be. */
const int64_t *vl_pipe_numbers(const struct vl_bag *outputs, const char *name, size_t count);

/* Fill *sign; VL_ENOMEM if the message is NULL. Takes the message. */
enum vl_status vl_pipe_say(struct vl_sign *sign, const char *code, char *message);
/* What should be looked at did not come back. */
enum vl_status vl_pipe_missing(struct vl_sign *sign);
/* A fresh sentence; NULL without memory. */
char *vl_pipe_sentence(const char *format, ...) __attribute__((format(printf, 1, 2)));

vl_inspection vl_look_at_tags, vl_look_at_actions, vl_tell_actions, vl_look_at_run;

#endif
