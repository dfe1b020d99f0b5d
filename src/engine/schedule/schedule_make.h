/*
 * A schedule by its name, or from a file (schedule_text.h): a sound one, or why there is none.
 */
#ifndef VIALATA_ENGINE_SCHEDULE_SCHEDULE_MAKE_H
#define VIALATA_ENGINE_SCHEDULE_SCHEDULE_MAKE_H

#include "engine/schedule/schedule_text.h"

enum vl_schedule_named {
    VL_NAMED_AFAB,
    VL_NAMED_1F1B,
    VL_NAMED_INTERLEAVED,
    VL_NAMED_ZB_H1,
    VL_NAMED /* how many there are; also the result for any other name, which is a file's */
};

/* "afab", "1f1b", "interleaved", "zb-h1"; NULL after the last. */
const char *vl_schedule_name(size_t i);
enum vl_schedule_named vl_schedule_find(const char *name);

/* Does it take these sizes? VL_EINVAL, VL_ESHAPE with *problem; a file is not opened. Like the two
 * above this calls no lab function, so that a run can be refused before it is started. */
enum vl_status vl_schedule_check_sizes(enum vl_schedule_named which, size_t stages, size_t chunks,
                                       size_t micro_batches, struct vl_schedule_problem *problem);

/*
 * Make and check. A named schedule needs all sizes; for a file zero is "as many as it has". Zero
 * chunks of a named schedule are one.
 *
 *   if (vl_schedule_make(&schedule, name, p, v, m, &problem) != VL_OK)
 *       return ... vl_schedule_sentence(sentence, &problem) ...
 *
 * VL_OK: the schedule is sound; free it with vl_schedule_free. Otherwise there is nothing to free,
 * and *problem says why: VL_EINVAL for sizes that are missing or too large, VL_ESHAPE for sizes
 * that this schedule does not take and for an unsound schedule, VL_EIO, VL_EFORMAT, VL_ENOMEM, or
 * what the schedule's own function (vialata/schedule.h) returned.
 */
enum vl_status vl_schedule_make(struct vl_schedule *schedule, const char *name_or_path,
                                size_t stages, size_t chunks, size_t micro_batches,
                                struct vl_schedule_problem *problem);

#endif
