#include "grade/run/slow.h"

#include "grade/cost/counting_run.h"
#include "grade/run/result.h"
#include "sandbox/process.h"

static enum vl_status look(struct vl_cause *cause, struct vl_slow_search *search,
                           const struct vl_grading *grading, int ranks,
                           const struct vl_timing *timing, uint64_t seed)
{
    enum vl_status status = VL_OK;
    if (!search->tried)
        status = vl_counting_link(&search->programs, &grading->build, grading->scratch,
                                  &grading->sandbox, &grading->other);
    search->tried = true;
    if (status != VL_OK || search->programs.reference == NULL)
        return status;
    const struct vl_counting_run run = {.programs = &search->programs,
                                        .submissions = &grading->sandbox,
                                        .references = &grading->other,
                                        .ranks = ranks};
    struct vl_slow slow;
    bool known;
    status = vl_counting_run(&slow, &known, &run, timing, seed);
    return status == VL_OK && known ? vl_why_slow(cause, &slow) : status;
}

enum vl_status vl_grading_why_slow(struct vl_case_result *result, struct vl_slow_search *search,
                                   const struct vl_grading *grading,
                                   struct vl_throughput *throughput, const struct vl_timing *timing,
                                   uint64_t seed)
{
    struct vl_cause cause = {0};
    if (search->spent > VL_SLOW_SECONDS)
        return VL_OK;
    double began = vl_clock();
    vl_throughput_close(throughput);
    enum vl_status status = look(&cause, search, grading, throughput->ranks, timing, seed);
    search->spent += vl_clock() - began;
    if (cause.message != NULL)
        vl_result_add(result, cause.message);
    /* Whatever keeps a machine from counting costs a student the cause, and no more. */
    return status == VL_ENOMEM ? status : VL_OK;
}

void vl_slow_search_free(struct vl_slow_search *search)
{
    vl_counting_free(&search->programs);
}
