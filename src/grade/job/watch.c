/* Watching an attempt: cases are reported as they end, until all are done or something is wrong. */
#include "grade/job/attempt.h"

#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/memory/memory_files.h"
#include "sandbox/memory/memory_sockets.h"

#include <string.h>

#define START_SECONDS  20.0
#define LOAD_SECONDS   0.25 /* between two looks at how busy the machine is */
#define MEMORY_SECONDS 0.1  /* between two looks at the memory held */
#define MOST_OUTPUT    (1u << 20)

/* How many cases every rank has finished. A board may say anything, but never more than these were
 * allowed: the others' inputs may not even be made. */
static size_t count_finished(const struct vl_attempt *a)
{
    size_t least = a->allowed;
    for (int rank = 0; rank < a->run->ranks; rank++)
        if (a->copy.rank[rank].finished < least)
            least = a->copy.rank[rank].finished;
    return least;
}

static bool is_out_of_time(const struct vl_attempt *a)
{
    return a->run->until > 0 && vl_clock() > a->run->until;
}

/* Judging takes time too, and a board may say that all cases are finished. */
static void report_finished(struct vl_attempt *a)
{
    for (size_t n = count_finished(a);
         a->finished < n && !vl_interrupt_seen() && !is_out_of_time(a);) {
        vl_attempt_hear(a);
        vl_attempt_report_end(a, a->first + a->finished++, VL_RUN_FINISHED);
        a->since = vl_clock(); /* the time for judging is not the job's */
        a->still = (struct vl_standstill){0};
        memset(a->asked, 0, sizeof a->asked);
    }
}

/* From time to time; and files also when a case is finished, so that none is too quick to be seen. */
static bool too_much_memory(struct vl_attempt *a)
{
    size_t held = 0;
    bool due = vl_clock() >= a->next_memory;
    if ((due || count_finished(a) > a->finished) &&
        vl_memory_files(&a->process, a->run->sandbox) > VL_MEMORY_FILES)
        return true;
    if (!due)
        return false;
    a->next_memory = vl_clock() + MEMORY_SECONDS;
    vl_sandbox_count(a->run->sandbox, &held);
    return held + vl_memory_sockets(&a->process) > VL_SANDBOX_MEMORY;
}

/* Its time is up; a machine that is busy with other work gives it more. */
static bool is_overdue(const struct vl_attempt *a, double *next)
{
    double taken = vl_clock() - a->since, limit = a->started ? a->run->seconds : START_SECONDS;
    if (taken <= limit || vl_clock() < *next)
        return false;
    *next = vl_clock() + LOAD_SECONDS;
    return taken > limit * vl_load_slowdown(a->run->sandbox);
}

/* Make the inputs of one item, if there are any left to make. The ranks that wait for them may go on. */
static void prepare_next(struct vl_attempt *a)
{
    bool waited = a->first + a->finished == a->inputs->made;
    if (a->inputs->made == a->count || a->status != VL_OK)
        return;
    a->status = a->run->prepare(a->run->context, a->inputs->made);
    a->inputs->made += a->status == VL_OK;
    vl_attempt_allow(a);
    if (waited) { /* nor is this time the job's */
        a->since = vl_clock();
        a->still = (struct vl_standstill){0};
    }
}

/* Milliseconds. Ranks that are apart wait for us after each case. */
static int pause_of(const struct vl_attempt *a)
{
    if (a->inputs->made < a->count)
        return 0;
    return !a->started ? 5 : a->apart ? 1 : 2;
}

enum vl_run_end vl_attempt_watch(struct vl_attempt *a)
{
    double next_overdue = 0;
    while (!vl_interrupt_seen() && a->status == VL_OK) {
        int ended = vl_process_poll(&a->process, pause_of(a));
        vl_attempt_look(a);
        if (!a->run->asan && too_much_memory(a))
            return VL_RUN_TOO_MUCH_MEMORY;
        report_finished(a);
        prepare_next(a);
        if (a->first + a->finished == a->count || is_out_of_time(a))
            return VL_RUN_FINISHED;
        if (ended || vl_attempt_crashed(a))
            return a->started ? VL_RUN_EXITED : VL_RUN_NOT_STARTED;
        if (a->started && vl_standstill_error(&a->copy, a->run->ranks, a->finished))
            return VL_RUN_MISUSED;
        if (a->process.printed > MOST_OUTPUT)
            return VL_RUN_TOO_MUCH_OUTPUT;
        if (is_overdue(a, &next_overdue))
            return a->started ? VL_RUN_HUNG : VL_RUN_NOT_STARTED;
        if (a->started && vl_standstill_seen(&a->still, &a->copy, a->run->ranks, a->finished,
                                             a->items[a->first + a->finished].synchronous))
            return VL_RUN_HUNG;
        if (a->started && a->run->meanwhile != NULL)
            a->run->meanwhile(a->run->context);
    }
    return VL_RUN_FINISHED;
}

void vl_attempt_tend(struct vl_attempt *a)
{
    if (a->process.ended)
        return;
    vl_process_poll(&a->process, 0);
    vl_attempt_look(a);
    if (!a->run->asan && too_much_memory(a))
        vl_process_end(&a->process);
}
