/*
 * A schedule as text that people write and read: a line for each stage, tasks from left to right.
 *
 *   # p = 2, m = 3: 1F1B
 *   F0 F1 .. .. B0 W0 F2 B1 W1 .. B2 W2
 *   .. F0 B0 W0 F1 B1 W1 F2 B2 W2 ..
 *
 * A task is F, B or W and the micro-batch, and for a chunk other than 0 a dot and the chunk: F0.1
 * is the forward of micro-batch 0 on chunk 1. Lower case is fine. Words of only dots or dashes are
 * skipped (a schedule has no times), and so are lines without a task, and anything from '#' to the
 * end of its line.
 *
 * Serial. What is wrong with a text is returned as a value; schedule_words.h makes a sentence of
 * it. A text beyond the three limits below is refused.
 */
#ifndef VIALATA_ENGINE_SCHEDULE_SCHEDULE_TEXT_H
#define VIALATA_ENGINE_SCHEDULE_SCHEDULE_TEXT_H

#include "engine/schedule/schedule.h"

#define VL_SCHEDULE_STAGES 64
#define VL_SCHEDULE_SPLITS 8192 /* micro-batches times chunks: what tags can tell apart */
#define VL_SCHEDULE_BYTES  (16 << 20)
#define VL_TASK_TEXT       32 /* a buffer of this size holds any task */

enum vl_schedule_wrong {
    VL_SCHEDULE_FINE,
    /* in a text, at 'line' and 'column' */
    VL_SCHEDULE_NO_TASK,   /* 'word' is not a task */
    VL_SCHEDULE_NO_MICRO,  /* 'word' names a micro-batch beyond the 'most' that there are */
    VL_SCHEDULE_NO_CHUNK,  /* the same of a chunk */
    VL_SCHEDULE_TOO_LONG,  /* a row of more than 'most' tasks: 'word' is the first beyond */
    VL_SCHEDULE_MORE_ROWS, /* more than 'most' lines with tasks; the first beyond */
    /* about all of a text */
    VL_SCHEDULE_FEWER_ROWS, /* 'count' lines with tasks, and 'most' stages */
    VL_SCHEDULE_EMPTY,      /* not one task */
    /* about what was asked for (schedule_make.h) */
    VL_SCHEDULE_NOT_READ,  /* 'name' is neither a schedule's nor that of a file that can be read */
    VL_SCHEDULE_NO_SIZES,  /* a named schedule needs stages and micro-batches */
    VL_SCHEDULE_TOO_LARGE, /* beyond the limits above */
    VL_SCHEDULE_ONE_CHUNK, /* this schedule has one chunk per stage */
    VL_SCHEDULE_UNEVEN,    /* interleaved: the stages do not divide the micro-batches */
    VL_SCHEDULE_UNSOUND,   /* it is not sound: 'report' says why */
    VL_SCHEDULE_STATUS     /* 'status' says why */
};

/* Why there is no schedule. */
struct vl_schedule_problem {
    enum vl_schedule_wrong wrong;
    size_t line, column; /* counted from 1; column in bytes */
    char word[VL_TASK_TEXT];
    size_t count, most;
    const char *name;                 /* as asked for, the caller's; NULL: a text without one */
    int reading;                      /* not read: errno */
    struct vl_schedule_report report; /* unsound */
    size_t stages, chunks, micro_batches;
    enum vl_status status;
};

/*
 * Read a text. A size in *schedule that is not zero must fit the text; one that is zero is found
 * from it: stages from its lines, micro-batches and chunks from the largest numbers. A row that is
 * too short is filled up with VL_TASK_NONE, so that vl_schedule_check says what is missing.
 *
 * VL_OK: free schedule->tasks with vl_schedule_free; only the form was checked.
 * VL_EFORMAT, VL_EINVAL, VL_ENOMEM with *problem filled and no tasks.
 */
enum vl_status vl_schedule_parse(struct vl_schedule *schedule, const char *text,
                                 struct vl_schedule_problem *problem);

/* Free the tasks and clear the sizes; NULL is fine. Only for what parse or make filled. */
void vl_schedule_free(struct vl_schedule *schedule);

/* "F0", "W12.1"; an empty slot is "--". Returns buffer. */
char *vl_task_text(char buffer[VL_TASK_TEXT], const struct vl_task *task);

/* The row of a stage, or all rows with a newline after each, as parse reads them; the caller frees
 * it, NULL without memory. */
char *vl_schedule_row_text(const struct vl_schedule *schedule, size_t stage);
char *vl_schedule_text(const struct vl_schedule *schedule);

#endif
