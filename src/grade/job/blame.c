/* Why an attempt stopped: which rank, and where. */
#include "grade/job/attempt.h"

#include "ranks/hang/place_in_source.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define TRACE_SECONDS 0.5  /* for all ranks to say where they are */
#define WORDS_SECONDS 0.05 /* for what the C library says of a crash to come through mpirun */

/* Ask all ranks where they are, and wait for their answers. mpirun forwards this signal, so no
 * process number of the job's has to be trusted. */
static void ask_where(struct vl_attempt *a)
{
    uint32_t before[VL_BOARD_RANKS] = {0};
    double until = vl_clock() + TRACE_SECONDS;
    for (int rank = 0; rank < a->run->ranks; rank++)
        before[rank] = a->copy.rank[rank].traced;
    vl_process_signal(&a->process, SIGUSR2);
    for (int told = 0; told < a->run->ranks && vl_clock() < until;) {
        vl_process_poll(&a->process, 5);
        vl_attempt_look(a);
        told = 0;
        for (int rank = 0; rank < a->run->ranks; rank++)
            told += a->copy.rank[rank].traced != before[rank];
    }
    vl_attempt_hear(a);
}

static int known_signal(int number)
{
    return number > 0 && number < NSIG ? number : 0;
}

/* The rank to report: one that crashed, else one that has not come back from this case. */
static int suspicious_rank(const struct vl_attempt *a)
{
    int rank = 0;
    for (int r = a->run->ranks - 1; r >= 0; r--) {
        if (known_signal(a->copy.rank[r].signal) != 0)
            return r;
        if (a->copy.rank[r].returned == a->finished)
            rank = r;
    }
    return rank;
}

/* What there is to say about the ranks together. If the job exited in mid-case: only which did. */
static void explain(struct vl_finding *finding, struct vl_attempt *a, enum vl_run_end end,
                    struct vl_place_finder *finder)
{
    *finding = (struct vl_finding){0};
    if (end != VL_RUN_HUNG && end != VL_RUN_MISUSED && end != VL_RUN_CRASHED &&
        (end != VL_RUN_EXITED || a->run->ranks == 1))
        return;
    (void)vl_standstill_find(finding, &a->copy, a->run->ranks, a->finished,
                             a->items[a->first + a->finished].synchronous, finder);
    if (end == VL_RUN_CRASHED && !vl_finding_is_race(finding))
        vl_finding_free(finding);
    if (end == VL_RUN_EXITED && finding->code != NULL && strcmp(finding->code, "rank_left") != 0)
        vl_finding_free(finding);
}

/* Before the job is ended. What is not printed through a stream comes without a mark. */
static void hear_last_words(struct vl_attempt *a)
{
    vl_attempt_hear(a);
    for (double until = vl_clock() + WORDS_SECONDS; vl_clock() < until;)
        if (vl_process_poll(&a->process, 5))
            break;
}

enum vl_run_end vl_attempt_blame(struct vl_attempt *a, enum vl_run_end end)
{
    int asks = end == VL_RUN_HUNG || end == VL_RUN_MISUSED;
    if (asks)
        ask_where(a);
    else if (vl_attempt_crashed(a))
        hear_last_words(a);
    vl_process_end(&a->process);
    if (!asks) /* else the beacons would show what the ranks did when mpirun was killed */
        vl_attempt_look(a);
    int who = suspicious_rank(a);
    const struct vl_board_rank *rank = &a->copy.rank[who];
    int number = known_signal(rank->signal);
    int known = number != 0 && a->run->ranks > 1;
    if (end == VL_RUN_EXITED && number == 0 && a->process.exit > 128)
        number = known_signal(a->process.exit - 128); /* mpirun's way to tell a signal */
    if (end == VL_RUN_EXITED && number != 0)
        end = VL_RUN_CRASHED;
    vl_sandbox_sweep(a->run->sandbox); /* so that addr2line has the sandbox to itself */
    struct vl_place_finder finder = {
        .program = a->run->program, .sources = a->run->sources, .sandbox = a->run->sandbox};
    struct vl_finding finding;
    explain(&finding, a, end, &finder);
    char *place =
        finding.code == NULL || end == VL_RUN_CRASHED ? vl_place_in_source(&finder, rank) : NULL;
    vl_attempt_report(
        a, a->first + a->finished,
        (struct vl_case_run_report){.end = end,
                                    .signal = number,
                                    .rank = end == VL_RUN_CRASHED && known ? who : -1,
                                    .place = place,
                                    .finding = finding.code != NULL ? &finding : NULL});
    free(place);
    vl_finding_free(&finding);
    vl_place_finder_free(&finder);
    a->finished++;
    return end;
}
