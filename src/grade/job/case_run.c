#include "grade/job/case_run.h"

#include "grade/job/attempt.h"
#include "ranks/launch.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/memory_files.h"
#include "sandbox/memory_sockets.h"
#include "sandbox/scratch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_SECONDS  20.0
#define LOAD_SECONDS   0.25 /* between two looks at how busy the machine is */
#define MEMORY_SECONDS 0.1  /* between two looks at the memory held */
#define MOST_OUTPUT    (1u << 20)

static const struct vl_limits limits = {
    .memory = (size_t)4 << 30, .file_size = (size_t)128 << 20, .processes = 160, .nice = 5};

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

static void report_end(struct vl_attempt *a, size_t item, enum vl_run_end end)
{
    vl_attempt_report(a, item, (struct vl_case_run_report){.end = end, .rank = -1});
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
        report_end(a, a->first + a->finished++, VL_RUN_FINISHED);
        if (!a->apart)
            vl_process_forget_output(&a->process);
        a->since = vl_clock(); /* the time for judging is not the job's */
        a->still = (struct vl_standstill){0};
        memset(a->asked, 0, sizeof a->asked);
    }
}

/* From time to time; and files also when a case is finished, so that none is too quick to be seen. */
static bool too_much_memory(const struct vl_attempt *a, double *next)
{
    size_t held = 0;
    bool due = vl_clock() >= *next;
    if ((due || count_finished(a) > a->finished) &&
        vl_memory_files(&a->process, a->run->sandbox) > VL_MEMORY_FILES)
        return true;
    if (!due)
        return false;
    *next = vl_clock() + MEMORY_SECONDS;
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

/* Watch until all is done (FINISHED) or something is wrong. */
static enum vl_run_end watch(struct vl_attempt *a)
{
    double next = vl_clock() + MEMORY_SECONDS, next_overdue = 0;
    while (!vl_interrupt_seen() && a->status == VL_OK) {
        int ended = vl_process_poll(&a->process, pause_of(a));
        vl_attempt_look(a);
        if (!a->run->asan && too_much_memory(a, &next))
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
    }
    return VL_RUN_FINISHED;
}

static enum vl_status write_list(const char *folder, const struct vl_case_run_item *items,
                                 size_t count)
{
    FILE *list = vl_scratch_begin(folder, "list");
    for (size_t i = 0; i < count && list != NULL; i++)
        fprintf(list, "%u %u %s %u\n", items[i].input, items[i].number, items[i].function,
                items[i].variant);
    return vl_scratch_end(list);
}

enum vl_status vl_case_run_list(const struct vl_case_run *run, const struct vl_case_run_item *items,
                                size_t count)
{
    enum vl_status status = VL_OK;
    for (int rank = 0; rank < run->ranks && status == VL_OK; rank++) {
        char *folder = vl_rank_folder(run->folder, rank);
        status = folder != NULL ? write_list(folder, items, count) : VL_ENOMEM;
        free(folder);
    }
    return status;
}

static enum vl_status attempt_run(struct vl_attempt *a, enum vl_run_end *end)
{
    const struct vl_case_run *run = a->run;
    const char *const arguments[] = {"cases", run->folder, run->sandbox->folder, NULL};
    const char *const sees[] = {run->program, run->folder, NULL};
    a->apart = run->sandbox->nests && run->hostile && run->ranks > 1 && !run->asan;
    struct vl_limits bounds = limits;
    bounds.sees = sees;
    if (run->asan)
        bounds.memory = 0; /* the sanitizer reserves terabytes of addresses */
    enum vl_status status = vl_case_run_list(run, a->items + a->first, a->count - a->first);
    if (status == VL_OK)
        status = vl_answers_open(&a->answers, run->sandbox, run->ranks);
    if (status != VL_OK)
        return status;
    bounds.writes = (const char *const *)a->answers.paths.list;
    a->wanted = a->apart ? 0 : a->count - a->first;
    vl_attempt_allow(a);
    status = vl_launch(&a->process, &(struct vl_launch){.sandbox = run->sandbox,
                                                        .program = run->program,
                                                        .ranks = run->ranks,
                                                        .arguments = arguments,
                                                        .limits = &bounds,
                                                        .apart = a->apart ? run->folder : NULL});
    if (status == VL_OK) {
        a->since = vl_clock();
        *end = watch(a);
        if (*end != VL_RUN_FINISHED)
            *end = vl_attempt_blame(a, *end);
        vl_process_free(&a->process); /* all is told: nobody waits for MPI to take its leave */
        vl_sandbox_sweep(run->sandbox);
    }
    vl_answers_close(&a->answers);
    return status == VL_OK ? a->status : status;
}

static size_t hangs_of(const struct vl_case_run_item *next, const struct vl_case_run_item *items,
                       const char *hung, size_t count)
{
    size_t hangs = 0;
    for (size_t i = 0; i < count; i++)
        hangs += hung[i] && items[i].variant == next->variant &&
                 strcmp(items[i].function, next->function) == 0;
    return hangs;
}

/* What is skipped needs none. */
static void skip_inputs(struct vl_inputs_ready *inputs, size_t until)
{
    inputs->made = inputs->made > until ? inputs->made : until;
    inputs->shown = inputs->shown > until ? inputs->shown : until;
}

enum vl_status vl_case_run(const struct vl_case_run *run, const struct vl_case_run_item *items,
                           size_t count)
{
    char *hung = calloc(count + 1, 1);
    enum vl_status status = hung != NULL ? VL_OK : VL_ENOMEM;
    struct vl_inputs_ready inputs = {0};
    int never_started = 0;
    for (size_t first = 0; status == VL_OK && first < count && !vl_interrupt_seen() &&
                           (run->until == 0 || vl_clock() < run->until);) {
        skip_inputs(&inputs, run->prepare == NULL ? count : first);
        struct vl_attempt a = {.run = run,
                               .items = items,
                               .first = first,
                               .count = count,
                               .inputs = &inputs,
                               .since = vl_clock()};
        a.process.pipe = -1;
        if (never_started >= 2) { /* a third start would fail too */
            report_end(&a, first++, VL_RUN_NOT_STARTED);
            continue;
        }
        if (hangs_of(&items[first], items, hung, count) >= VL_HANGS_ALLOWED) {
            report_end(&a, first++, VL_RUN_SKIPPED);
            continue;
        }
        enum vl_run_end end = VL_RUN_FINISHED;
        status = attempt_run(&a, &end);
        first += a.finished;
        never_started += end == VL_RUN_NOT_STARTED;
        if (end == VL_RUN_HUNG)
            hung[first - 1] = 1;
    }
    free(hung);
    return status;
}
