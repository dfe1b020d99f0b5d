#include "grade/job/case_run.h"

#include "grade/job/attempt.h"
#include "ranks/launch.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct vl_limits limits = {
    .memory = (size_t)4 << 30, .file_size = (size_t)128 << 20, .processes = 160, .nice = 5};

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

static enum vl_status launch(struct vl_attempt *a)
{
    const struct vl_case_run *run = a->run;
    const char *const arguments[] = {"cases", run->folder, run->sandbox->folder, NULL};
    const char *const sees[] = {run->program, run->folder, NULL};
    struct vl_limits bounds = limits;
    bounds.sees = sees;
    bounds.writes = (const char *const *)a->answers.paths.list;
    if (run->asan)
        bounds.memory = 0; /* the sanitizer reserves terabytes of addresses */
    return vl_launch(&a->process, &(struct vl_launch){.sandbox = run->sandbox,
                                                      .program = run->program,
                                                      .ranks = run->ranks,
                                                      .arguments = arguments,
                                                      .limits = &bounds,
                                                      .apart = a->apart ? run->folder : NULL});
}

/* Start the items, beginning with a->first. */
static enum vl_status start(struct vl_attempt *a)
{
    const struct vl_case_run *run = a->run;
    a->apart = run->sandbox->nests && run->hostile && run->ranks > 1 && !run->asan;
    enum vl_status status = vl_case_run_list(run, a->items + a->first, a->count - a->first);
    if (status == VL_OK)
        status = vl_answers_open(&a->answers, run->sandbox, run->ranks);
    if (status != VL_OK)
        return status;
    a->wanted = a->apart ? 0 : a->count - a->first;
    vl_attempt_allow(a);
    status = launch(a);
    if (status != VL_OK)
        vl_answers_close(&a->answers);
    return status;
}

/* End the job. Everything has been reported, so do not wait for MPI to shut down. */
static void stop(struct vl_attempt *a)
{
    vl_process_free(&a->process);
    vl_sandbox_sweep(a->run->sandbox);
    vl_answers_close(&a->answers);
}

static enum vl_run_end see_through(struct vl_attempt *a)
{
    a->since = vl_clock();
    enum vl_run_end end = vl_attempt_watch(a);
    if (end != VL_RUN_FINISHED)
        end = vl_attempt_blame(a, end);
    stop(a);
    return end;
}

/* ---- a job that is started early ---- */

struct vl_case_job {
    struct vl_attempt attempt;
    struct vl_inputs_ready inputs; /* none */
};

struct vl_case_job *vl_case_job_start(const struct vl_case_run *run,
                                      const struct vl_case_run_item *items, size_t count)
{
    struct vl_case_job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return NULL;
    job->attempt = (struct vl_attempt){
        .run = run, .items = items, .count = count, .inputs = &job->inputs, .process.pipe = -1};
    if (start(&job->attempt) == VL_OK)
        return job;
    free(job);
    return NULL;
}

void vl_case_job_tend(struct vl_case_job *job)
{
    vl_attempt_tend(&job->attempt);
}

void vl_case_job_free(struct vl_case_job *job)
{
    if (job == NULL)
        return;
    if (job->attempt.run != NULL)
        stop(&job->attempt);
    free(job);
}

/* Its attempt, which is then the caller's. */
static struct vl_attempt take_over(struct vl_case_job *job, struct vl_inputs_ready *inputs)
{
    struct vl_attempt attempt = job->attempt;
    attempt.inputs = inputs;
    job->attempt.run = NULL;
    return attempt;
}

/* ---- the run ---- */

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

/* How many items are over if the first of these did not finish. */
static size_t items_ended(const struct vl_case_run_item *items)
{
    return items->rehearsal ? 2 : 1;
}

enum vl_status vl_case_run(const struct vl_case_run *run, const struct vl_case_run_item *items,
                           size_t count, struct vl_case_job *job)
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
            vl_attempt_report_end(&a, first, VL_RUN_NOT_STARTED);
            first += items_ended(&items[first]);
            continue;
        }
        if (hangs_of(&items[first], items, hung, count) >= VL_HANGS_ALLOWED) {
            vl_attempt_report_end(&a, first, VL_RUN_SKIPPED);
            first += items_ended(&items[first]);
            continue;
        }
        if (first == 0 && job != NULL && job->attempt.run != NULL)
            a = take_over(job, &inputs);
        else
            status = start(&a);
        if (status != VL_OK)
            break;
        enum vl_run_end end = see_through(&a);
        status = a.status;
        first += a.finished;
        never_started += end == VL_RUN_NOT_STARTED;
        if (end == VL_RUN_HUNG)
            hung[first - 1] = 1;
        if (end != VL_RUN_FINISHED)
            first += items_ended(&items[first - 1]) - 1;
    }
    free(hung);
    return status;
}
