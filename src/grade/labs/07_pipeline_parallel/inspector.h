/*
 * What the inspectors of lab 07 share: how tasks are written, and outputs read.
 */
#ifndef VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_INSPECTOR_H
#define VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_INSPECTOR_H

#include "engine/schedule/schedule_text.h"
#include "grade/judge/inspect.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

/* "F2", "B0.1"; "--" for what is not a task. */
const char *vl_pipe_task_text(char text[VL_TASK_TEXT], int64_t kind, int64_t chunk,
                              int64_t micro_batch);

/* A table of whole numbers of the outputs; NULL if it is missing, or has another type or size. */
const int64_t *vl_pipe_numbers(const struct vl_bag *outputs, const char *name, size_t count);

/* Fill *sign with a sentence. VL_ENOMEM. */
enum vl_status vl_pipe_tell(struct vl_sign *sign, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

vl_inspection vl_look_at_tags, vl_look_at_actions, vl_tell_actions, vl_look_at_run;

#endif
