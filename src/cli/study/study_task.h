/*
 * One job that a study starts: a run, an evaluation of its model, or a pipeline. Here are the words
 * it gets, and what is kept of its events. Only for study_balance.c.
 */
#ifndef VIALATA_CLI_STUDY_STUDY_TASK_H
#define VIALATA_CLI_STUDY_STUDY_TASK_H

#include "cli/study/study_balance.h"
#include "cli/study/study_progress.h"

#define VL_STUDY_LAYERS        2
#define VL_STUDY_EXPERTS       8
#define VL_STUDY_MICRO_BATCHES 8

/* What a run and an evaluation cost besides their steps, in steps: starting, reading text. */
#define VL_STUDY_START_UNITS 20
#define VL_STUDY_WHOLE_UNITS 40
#define VL_STUDY_PART_UNITS  25

#define VL_STUDY_PART_NAME "part-%zu.txt" /* in the folder */

enum vl_study_kind { VL_STUDY_TRAIN, VL_STUDY_WHOLE, VL_STUDY_PART, VL_STUDY_PIPELINE };

struct vl_study_task {
    enum vl_study_kind kind;
    size_t way, seed, part; /* counted from 0; for a pipeline, way is an enum vl_study_pipeline */
    char *words[64];
    int count;
    char *mpi_folder;       /* for mpirun's own files: two mpiruns in one folder get in each
                             * other's way when they begin and end at the same time */
    const char *options[4]; /* of mpirun: to use it */
    struct vl_study_course *course;
};

/* The whole study under way. */
struct vl_study_course {
    struct vl_study *study;
    const struct vl_study_request *request;
    char *folder;
    struct vl_study_task *tasks; /* of one phase */
    size_t task_count;
    struct vl_study_progress progress;
    int memory_seen; /* stages of pipelines */
};

/* Write its words. Zero without memory. */
int vl_study_task_word(struct vl_study_task *task);

/* Make the folder of the task with this number in its phase. Zero if that is not possible. */
int vl_study_task_place(struct vl_study_task *task, size_t number);

/* One event of train/log/log.h; 'context' is a struct vl_study_task. */
void vl_study_task_take(void *context, const json_t *event);

#endif
