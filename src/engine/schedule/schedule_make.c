/* Schedules by name, and from files. */
#include "engine/schedule/schedule_make.h"

#include "base/file.h"
#include <errno.h>
#include <stdlib.h>

static enum vl_status (*const fills[])(struct vl_schedule *schedule) = {
    [VL_NAMED_AFAB] = vl_schedule_afab,
    [VL_NAMED_1F1B] = vl_schedule_1f1b,
    [VL_NAMED_INTERLEAVED] = vl_schedule_interleaved,
    [VL_NAMED_ZB_H1] = vl_schedule_zb_h1,
};

static enum vl_status blame(struct vl_schedule_problem *problem, enum vl_schedule_wrong wrong,
                            enum vl_status status)
{
    problem->wrong = wrong;
    problem->status = status;
    return status;
}

static enum vl_status fill_named(struct vl_schedule *schedule, enum vl_schedule_named which,
                                 struct vl_schedule_problem *problem)
{
    const size_t p = schedule->stages, m = schedule->micro_batches;
    if (schedule->chunks == 0)
        schedule->chunks = 1;
    enum vl_status status = vl_schedule_check_sizes(which, p, schedule->chunks, m, problem);
    if (status != VL_OK)
        return status;
    const size_t slots = p * 3 * schedule->chunks * m;
    schedule->tasks = calloc(slots, sizeof *schedule->tasks);
    if (schedule->tasks == NULL)
        return blame(problem, VL_SCHEDULE_STATUS, VL_ENOMEM);
    /* A student's function may leave slots out; the check then says which task is missing. */
    for (size_t i = 0; i < slots; i++)
        schedule->tasks[i].kind = VL_TASK_NONE;
    status = fills[which](schedule);
    return status == VL_OK ? VL_OK : blame(problem, VL_SCHEDULE_STATUS, status);
}

static enum vl_status fill_from_file(struct vl_schedule *schedule, const char *path,
                                     struct vl_schedule_problem *problem)
{
    char *text = NULL;
    size_t bytes = 0;
    errno = 0;
    enum vl_status status = vl_file_read(&text, &bytes, path, VL_SCHEDULE_BYTES);
    if (status != VL_OK) {
        problem->reading = status == VL_EIO ? errno : 0;
        return blame(problem, status == VL_ENOMEM ? VL_SCHEDULE_STATUS : VL_SCHEDULE_NOT_READ,
                     status);
    }
    for (size_t i = 0; i < bytes; i++) /* a zero byte is an error, and not the end of the text */
        if (text[i] == '\0')
            text[i] = '?';
    status = vl_schedule_parse(schedule, text, problem);
    free(text);
    return status;
}

static enum vl_status check(const struct vl_schedule *schedule, struct vl_schedule_problem *problem)
{
    enum vl_status status = vl_schedule_check(&problem->report, schedule);
    if (status != VL_OK)
        return blame(problem, VL_SCHEDULE_STATUS, status);
    if (problem->report.fault != VL_SCHEDULE_SOUND)
        return blame(problem, VL_SCHEDULE_UNSOUND, VL_ESHAPE);
    return VL_OK;
}

enum vl_status vl_schedule_make(struct vl_schedule *schedule, const char *name_or_path,
                                size_t stages, size_t chunks, size_t micro_batches,
                                struct vl_schedule_problem *problem)
{
    *problem = (struct vl_schedule_problem){.wrong = VL_SCHEDULE_FINE};
    *schedule =
        (struct vl_schedule){.stages = stages, .chunks = chunks, .micro_batches = micro_batches};
    const enum vl_schedule_named which = vl_schedule_find(name_or_path);
    enum vl_status status = which < VL_NAMED ? fill_named(schedule, which, problem)
                                             : fill_from_file(schedule, name_or_path, problem);
    if (status == VL_OK)
        status = check(schedule, problem);
    problem->name = name_or_path;
    problem->stages = schedule->stages;
    problem->chunks = schedule->chunks;
    problem->micro_batches = schedule->micro_batches;
    if (status != VL_OK)
        vl_schedule_free(schedule);
    return status;
}
