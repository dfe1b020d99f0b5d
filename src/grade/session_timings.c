/*
 * The timed part of a grading: functions whose numbers are right, beside the reference.
 */
#include "grade/session.h"

#include "base/text.h"
#include "grade/interrupt.h"
#include "grade/machine.h"
#include "grade/pace.h"
#include "grade/remark.h"

#include <math.h>

static const char *wrong_need(const struct vl_session *session, const char *const *needs)
{
    for (; needs != NULL && *needs != NULL; needs++)
        if (vl_session_lacks(session->verdict, *needs, 0))
            return *needs;
    return NULL;
}

/* What is known without a clock. Nonzero if that decides it. */
static int decided_untimed(const struct vl_session *session, const struct vl_timing *timing,
                           struct vl_case_result *result)
{
    const struct vl_lab_function *function = vl_session_function(session, timing->function);
    if (vl_remark_build(result, &session->build, vl_session_state(session, timing->function),
                        function->file))
        return 1;
    if (vl_session_lacks(session->verdict, timing->function, 1)) {
        vl_remark(result, VL_CASE_NOT_STARTED, "not_started", vl_status_text(VL_TODO));
        return 1;
    }
    const char *wrong = wrong_need(session, timing->needs);
    if (wrong != NULL)
        vl_remark_waits(result, wrong, 0);
    else if (result->ranks > vl_machine_cores())
        vl_remark(result, VL_CASE_SKIPPED, "too_few_cores",
                  _("This machine has fewer cores than this timing has ranks: grade on a larger "
                    "one for these points."));
    else
        return 0;
    return 1;
}

static enum vl_status time_one(struct vl_session *session, struct vl_pace *pace,
                               const struct vl_timing *timing)
{
    struct vl_throughput_summary *summary = &session->verdict->throughput;
    struct vl_case_result result = {.id = (char *)timing->id,
                                    .function = (char *)timing->function,
                                    .group = VL_GROUP_THROUGHPUT,
                                    .ranks = pace->ranks,
                                    .measured = NAN,
                                    .bound = VL_PACE_FULL};
    result.max_points = vl_session_function(session, timing->function)->speed_points;
    if (!decided_untimed(session, timing, &result)) {
        if (session->build.reference == NULL) {
            enum vl_status status =
                vl_build_reference(&session->build, session->scratch, &session->sandbox);
            if (status != VL_OK)
                return status;
            pace->reference.program = session->build.reference;
        }
        struct vl_pace_result measured;
        enum vl_status status = vl_pace_measure(&measured, pace, timing,
                                                session->request->seed + (uint64_t)summary->pairs);
        if (status != VL_OK || vl_interrupt_seen())
            return status;
        vl_remark_pace(&result, &measured);
        result.seconds = measured.seconds;
        summary->stable =
            summary->pairs == 0 ? measured.stable : summary->stable && measured.stable;
        summary->pairs += measured.pairs;
        if (isfinite(measured.spread) && measured.spread > summary->spread)
            summary->spread = measured.spread;
    }
    return vl_session_tell(session, &result);
}

static int ranks_of(const struct vl_timing *timing)
{
    return timing->ranks > 1 ? timing->ranks : 1;
}

/* Two jobs of so many ranks each; those of another number of ranks are ended first. */
static void open_pace(struct vl_pace *pace, const struct vl_session *session, int ranks)
{
    vl_pace_close(pace);
    double spent = pace->spent;
    vl_pace_open(pace, session->scratch, ranks, &session->other, session->build.reference,
                 &session->sandbox, session->build.program);
    pace->spent = spent;
}

enum vl_status vl_session_timings(struct vl_session *session)
{
    struct vl_pace pace;
    enum vl_status status = VL_OK;
    vl_pace_open(&pace, session->scratch, 1, &session->other, NULL, &session->sandbox,
                 session->build.program);
    for (size_t i = 0; i < session->lab->timing_count && status == VL_OK && !vl_interrupt_seen();
         i++) {
        const struct vl_timing *timing = &session->lab->timings[i];
        if (!vl_session_wants(session, timing->id, timing->function))
            continue;
        if (ranks_of(timing) != pace.ranks)
            open_pace(&pace, session, ranks_of(timing));
        status = time_one(session, &pace, timing);
    }
    vl_pace_close(&pace);
    return status;
}
