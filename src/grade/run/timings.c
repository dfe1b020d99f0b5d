/*
 * The timed part of a grading: functions whose numbers are right, timed against the reference.
 */
#include "grade/run/grading.h"

#include "base/text.h"
#include "grade/job/throughput.h"
#include "grade/run/instead/rejudge.h"
#include "grade/run/result.h"
#include "grade/run/slow.h"
#include "sandbox/interrupt.h"
#include "sandbox/machine.h"

#include <math.h>
#include <string.h>

/* A needed function whose own speed earned nothing: the first in the list, or NULL. */
static const char *far_too_slow(const struct vl_verdict *verdict, const struct vl_timing *timing)
{
    for (const char *const *need = timing->needs; need != NULL && *need != NULL; need++)
        for (size_t i = 0; i < verdict->case_count; i++) {
            const struct vl_case_result *result = &verdict->cases[i];
            if (result->group == VL_GROUP_THROUGHPUT && result->measured < VL_THROUGHPUT_NONE &&
                strcmp(result->function, *need) == 0 && strcmp(*need, timing->function) != 0)
                return *need;
        }
    return NULL;
}

/* Nonzero if the result is known without a clock. 'substituted': a function that is wrong has been
 * replaced. */
static int decided_untimed(const struct vl_grading *grading, const struct vl_timing *timing,
                           bool substituted, struct vl_case_result *result)
{
    const char *slow = far_too_slow(grading->verdict, timing);
    if (vl_grading_is_decided(grading, result) || vl_grading_is_over(grading, result))
        return 1;
    if (vl_grading_lacks(grading->verdict, timing->function, 1))
        vl_result_set(result, VL_CASE_NOT_STARTED, "not_started", "%s", vl_status_text(VL_TODO));
    else if (!substituted && vl_grading_waits(grading, result, timing->needs, 0))
        return 1;
    else if (slow != NULL)
        vl_result_set(result, VL_CASE_SKIPPED, "needs_speed",
                      _("The clock starts when %s is fast enough to earn points for its own "
                        "speed."),
                      slow);
    else if (result->ranks > vl_machine_cores())
        vl_result_set(
            result, VL_CASE_SKIPPED, "too_few_cores",
            _("This machine has fewer cores than this timing has ranks: grade on a larger "
              "one for these points."));
    else
        return 0;
    return 1;
}

/* For all timings of this grading. The submission's time stands still until it comes. */
static void take_turn(struct vl_grading *grading)
{
    double waited = vl_turn_take(&grading->turn);
    if (grading->sandbox.until > 0)
        grading->ahead.until = grading->sandbox.until += waited;
}

/* Prepare two jobs of 'ranks' ranks each, after ending those of another number of ranks or of another
 * program. */
static void open_throughput(struct vl_throughput *throughput, const struct vl_grading *grading,
                            int ranks, const struct vl_sandbox *sandbox, const char *program)
{
    if (ranks == throughput->ranks && program == throughput->side[VL_THROUGHPUT_SUBMISSION].program)
        return;
    vl_throughput_close(throughput);
    double spent = throughput->spent;
    vl_throughput_open(throughput, ranks, &grading->other, grading->build.reference, sandbox,
                       program);
    throughput->spent = spent;
}

/* What a timing is measured with instead of the submission's own program. */
struct substituted {
    const char *name; /* of the function or file that is replaced; NULL: nothing is */
    const char *program;
    bool may_be_right; /* in what is timed */
};

/* The submission's program with something of the reference, if only that is wrong. */
static enum vl_status make_substitute(struct substituted *substituted,
                                      struct vl_throughput *throughput, struct vl_grading *grading,
                                      const struct vl_timing *timing)
{
    struct vl_replacement what;
    enum vl_status status = VL_OK;
    *substituted = (struct substituted){.name = NULL};
    if (!vl_rejudge_for_timing(&what, grading, timing))
        return VL_OK;
    vl_throughput_close(throughput); /* while it is made, nothing of the submission runs */
    status = vl_grading_substitute(&substituted->program, grading, &what);
    if (substituted->program != NULL) {
        substituted->name = vl_replacement_name(&what);
        substituted->may_be_right = vl_rejudge_may_be_right(grading, &what);
    }
    return status == VL_ENOMEM ? status : VL_OK;
}

/* Did the clock see what a wrong function does? One that does not come back in time may only be slow. */
static bool shows_a_mistake(enum vl_throughput_end end)
{
    return end == VL_THROUGHPUT_WRONG || end == VL_THROUGHPUT_REFUSED ||
           end == VL_THROUGHPUT_CRASHED;
}

/*
 * Measure the submission's own program, or the substitute. A function that is wrong in some of its cases may be
 * right in what is timed: then its speed is what it is, or to be wrong would pay. Nothing is substituted then.
 */
static enum vl_status measure(struct vl_throughput_result *measured,
                              struct substituted *substituted, struct vl_throughput *throughput,
                              struct vl_grading *grading, const struct vl_timing *timing,
                              uint64_t seed)
{
    const int ranks = throughput->ranks;
    enum vl_status status = VL_OK;
    if (substituted->name == NULL || substituted->may_be_right) {
        open_throughput(throughput, grading, ranks, &grading->sandbox, grading->build.program);
        status = vl_throughput_measure(measured, throughput, timing, seed);
        if (substituted->name == NULL || status != VL_OK || !shows_a_mistake(measured->end)) {
            substituted->name = NULL;
            return status;
        }
    }
    /* Nothing runs there later. */
    open_throughput(throughput, grading, ranks, &grading->ahead, substituted->program);
    return vl_throughput_measure(measured, throughput, timing, seed);
}

static enum vl_status time_one(struct vl_grading *grading, struct vl_throughput *throughput,
                               const struct vl_timing *timing, struct vl_slow_search *search)
{
    struct substituted substituted;
    enum vl_status status = make_substitute(&substituted, throughput, grading, timing);
    if (status != VL_OK)
        return status;
    open_throughput(throughput, grading, timing->ranks > 1 ? timing->ranks : 1, &grading->sandbox,
                    grading->build.program);
    struct vl_throughput_summary *summary = &grading->verdict->throughput;
    struct vl_case_result result = {.id = (char *)timing->id,
                                    .function = (char *)timing->function,
                                    .group = VL_GROUP_THROUGHPUT,
                                    .ranks = throughput->ranks,
                                    .measured = NAN,
                                    .bound = VL_THROUGHPUT_FULL};
    result.max_points = vl_grading_function(grading, timing->function)->speed_points;
    if (!decided_untimed(grading, timing, substituted.name != NULL, &result)) {
        if (grading->build.reference == NULL) {
            status = vl_build_reference(&grading->build, grading->scratch, &grading->other);
            if (status != VL_OK)
                return status;
            throughput->side[VL_THROUGHPUT_REFERENCE].program = grading->build.reference;
        }
        take_turn(grading);
        struct vl_throughput_result measured;
        uint64_t seed =
            vl_origin_seed(&grading->request->origin, timing->id) + (uint64_t)summary->pairs;
        status = measure(&measured, &substituted, throughput, grading, timing, seed);
        if (status != VL_OK || vl_interrupt_seen())
            return status;
        vl_result_from_throughput(&result, &measured);
        result.seconds = measured.seconds;
        if (substituted.name != NULL && isfinite(result.measured))
            status = vl_rejudge_say(&result, substituted.name);
        summary->stable =
            summary->pairs == 0 ? measured.stable : summary->stable && measured.stable;
        summary->pairs += measured.pairs;
        if (isfinite(measured.spread) && measured.spread > summary->spread)
            summary->spread = measured.spread;
        if (status == VL_OK && substituted.name == NULL && result.code != NULL &&
            strcmp(result.code, "too_slow") == 0)
            status = vl_grading_why_slow(&result, search, grading, throughput, timing, seed);
        vl_result_add_spread(&result, &measured);
        if (status != VL_OK) {
            vl_result_clear(&result);
            return status;
        }
    }
    return status == VL_OK ? vl_grading_tell(grading, &result) : status;
}

enum vl_status vl_grading_timings(struct vl_grading *grading)
{
    struct vl_throughput throughput;
    struct vl_slow_search search = {0};
    enum vl_status status = VL_OK;
    if (!vl_grade_is_timed(grading->request))
        return VL_OK;
    vl_throughput_open(&throughput, 1, &grading->other, NULL, &grading->sandbox,
                       grading->build.program);
    for (size_t i = 0; i < grading->lab->timing_count && status == VL_OK && !vl_interrupt_seen();
         i++) {
        const struct vl_timing *timing = &grading->lab->timings[i];
        if (!vl_grading_wants(grading, timing->id, timing->function))
            continue;
        status = time_one(grading, &throughput, timing, &search);
    }
    vl_throughput_close(&throughput);
    vl_slow_search_free(&search);
    vl_turn_leave(&grading->turn);
    return status;
}
