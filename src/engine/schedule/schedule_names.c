/* The named schedules, and the sizes they take. No lab function is called here, since the program
 * that starts a run uses this too. */
#include "engine/schedule/schedule_make.h"

#include <string.h>

static const struct {
    const char *name;
    int takes_chunks;
} named[] = {[VL_NAMED_AFAB] = {"afab", 0},
             [VL_NAMED_1F1B] = {"1f1b", 0},
             [VL_NAMED_INTERLEAVED] = {"interleaved", 1},
             [VL_NAMED_ZB_H1] = {"zb-h1", 0}};

const char *vl_schedule_name(size_t i)
{
    return i < VL_NAMED ? named[i].name : NULL;
}

enum vl_schedule_named vl_schedule_find(const char *name)
{
    size_t which = 0;
    while (which < VL_NAMED && strcmp(named[which].name, name) != 0)
        which++;
    return (enum vl_schedule_named)which;
}

static enum vl_schedule_wrong judge_sizes(enum vl_schedule_named which, size_t p, size_t v,
                                          size_t m)
{
    if (p == 0 || m == 0)
        return VL_SCHEDULE_NO_SIZES;
    if (p > VL_SCHEDULE_STAGES || m > VL_SCHEDULE_SPLITS || v > VL_SCHEDULE_SPLITS / m)
        return VL_SCHEDULE_TOO_LARGE;
    if (v > 1 && !named[which].takes_chunks)
        return VL_SCHEDULE_ONE_CHUNK;
    return v > 1 && m % p != 0 ? VL_SCHEDULE_UNEVEN : VL_SCHEDULE_FINE;
}

enum vl_status vl_schedule_check_sizes(enum vl_schedule_named which, size_t stages, size_t chunks,
                                       size_t micro_batches, struct vl_schedule_problem *problem)
{
    *problem = (struct vl_schedule_problem){.wrong = VL_SCHEDULE_FINE};
    if (which >= VL_NAMED)
        return VL_OK;
    problem->name = named[which].name;
    problem->stages = stages;
    problem->chunks = chunks;
    problem->micro_batches = micro_batches;
    problem->wrong = judge_sizes(which, stages, chunks, micro_batches);
    problem->status =
        problem->wrong == VL_SCHEDULE_FINE ? VL_OK
        : problem->wrong == VL_SCHEDULE_ONE_CHUNK || problem->wrong == VL_SCHEDULE_UNEVEN
            ? VL_ESHAPE
            : VL_EINVAL;
    return problem->status;
}
