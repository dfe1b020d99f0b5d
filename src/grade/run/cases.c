/*
 * The cases of a grading: start the runner once for each number of ranks, make the inputs, and judge
 * each result as it comes. While one job runs, the next one starts: that takes some 0.1 s, in which
 * processes mostly wait for one another.
 */
#include "grade/run/batch.h"

#include "grade/job/debug.h"
#include "grade/run/result.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE_SECONDS      5.0
#define CASE_LEAST        2.0
#define HANG_OVERHEAD     1.0 /* to see where a case hangs, and to start again after it */
#define CASE_SECONDS_ASAN 30.0

static void collect(struct vl_batch *batch, int ranks)
{
    struct vl_grading *grading = batch->grading;
    for (size_t i = 0; i < grading->lab->case_count; i++) {
        const struct vl_case *c = &grading->lab->cases[i];
        if (c->ranks == ranks && vl_grading_wants(grading, c->id, c->function))
            batch->asked[batch->count++].c = c;
    }
}

/* Run the cases that the build has not decided. */
static void make_items(struct vl_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct vl_case *c = batch->asked[i].c;
        struct vl_case_result result = vl_batch_blank(batch, c);
        int decided = vl_grading_is_decided(batch->grading, &result);
        vl_result_clear(&result);
        if (!decided)
            vl_batch_add(batch, i);
    }
}

/* In a debugger nothing runs meanwhile. */
static enum vl_status debug(struct vl_batch *batch, const struct vl_case_run *run)
{
    enum vl_status status = VL_OK;
    for (size_t item = 0; item < batch->item_count && status == VL_OK; item++) {
        status = vl_batch_make_inputs(batch, item);
        if (status == VL_OK)
            status = vl_rank_folders_show(run->folder, run->ranks, batch->items[item].input);
    }
    return status == VL_OK ? vl_debug_run(run, batch->items, batch->item_count) : status;
}

/* How many cases from this number of ranks on can hang before the others are skipped. */
static size_t count_hangs(const struct vl_grading *grading, int from)
{
    size_t hangs = 0;
    for (int ranks = from; ranks <= VL_BOARD_RANKS; ranks++)
        for (size_t f = 0; f < grading->request->lab->function_count; f++) {
            const char *function = grading->request->lab->functions[f].name;
            size_t cases = 0;
            for (size_t i = 0; i < grading->lab->case_count; i++) {
                const struct vl_case *c = &grading->lab->cases[i];
                cases += c->ranks == ranks && strcmp(c->function, function) == 0 &&
                         vl_grading_wants(grading, c->id, c->function);
            }
            hangs += cases < VL_HANGS_ALLOWED ? cases : VL_HANGS_ALLOWED;
        }
    return hangs;
}

/* A case gets its share of the time that is left, so that what hangs leaves some for the others. */
static double seconds_for_a_case(const struct vl_grading *grading, int ranks)
{
    if (grading->request->asan)
        return CASE_SECONDS_ASAN;
    double left = grading->sandbox.until - vl_clock();
    double share = left / (double)(count_hangs(grading, ranks) + 1) - HANG_OVERHEAD;
    return fmin(fmax(share, CASE_LEAST), CASE_SECONDS);
}

/* Elsewhere a sweep of this batch's sandbox would end the next one's job. */
static void start_next(void *context)
{
    const struct vl_batch *batch = context;
    struct vl_batch *next = batch->next;
    if (next == NULL || next->item_count == 0 || !next->sandbox->apart)
        return;
    if (next->job != NULL)
        vl_case_job_tend(next->job);
    else if (!next->tried)
        next->job = vl_case_job_start(&next->run, next->items, next->item_count);
    next->tried = true;
}

/* Everything but the inputs. */
static enum vl_status make_ready(struct vl_batch *batch, int ranks)
{
    struct vl_grading *grading = batch->grading;
    char name[32];
    snprintf(name, sizeof name, "cases%d", ranks);
    enum vl_status status = vl_scratch_folder(&grading->folders[ranks], grading->scratch, name);
    batch->folder = grading->folders[ranks];
    batch->run = (struct vl_case_run){.sandbox = batch->sandbox,
                                      .program = grading->build.program,
                                      .folder = batch->folder,
                                      .sources = grading->build.folder,
                                      .ranks = ranks,
                                      .asan = grading->request->asan,
                                      .hostile = 1,
                                      .until = grading->sandbox.until,
                                      .prepare = vl_batch_make_inputs,
                                      .report = vl_batch_finish_case,
                                      .meanwhile = start_next,
                                      .context = batch};
    if (status == VL_OK)
        status = vl_rank_folders_make(batch->folder, ranks);
    make_items(batch);
    return status;
}

static void free_batch(struct vl_batch *batch)
{
    if (batch == NULL)
        return;
    vl_case_job_free(batch->job);
    vl_batch_close(batch);
    free(batch);
}

/* The batch of the next number of ranks that has cases, NULL after the last one. */
static enum vl_status make_next(struct vl_batch **made, struct vl_grading *grading, int *ranks,
                                const struct vl_sandbox *sandbox)
{
    struct vl_batch *batch = calloc(1, sizeof *batch);
    *made = batch;
    if (batch == NULL)
        return VL_ENOMEM;
    batch->grading = grading;
    batch->sandbox = sandbox;
    if (vl_batch_open(batch, grading->lab->case_count) != VL_OK)
        return VL_ENOMEM;
    while (batch->count == 0 && ++*ranks <= VL_BOARD_RANKS)
        collect(batch, *ranks);
    if (batch->count > 0)
        return make_ready(batch, *ranks);
    free_batch(batch);
    *made = NULL;
    return VL_OK;
}

static enum vl_status run_batch(struct vl_batch *batch)
{
    const struct vl_grading *grading = batch->grading;
    enum vl_status status = VL_OK;
    batch->run.seconds = seconds_for_a_case(grading, batch->run.ranks);
    if (batch->item_count > 0)
        status = grading->request->gdb
                     ? debug(batch, &batch->run)
                     : vl_case_run(&batch->run, batch->items, batch->item_count, batch->job);
    batch->grading->tainted[batch->run.ranks] = batch->tainted;
    if (status == VL_OK && !vl_interrupt_seen())
        vl_batch_tell_decided(batch, batch->count);
    return status == VL_OK ? batch->status : status;
}

enum vl_status vl_grading_cases(struct vl_grading *grading)
{
    const struct vl_sandbox *const turns[] = {&grading->sandbox, &grading->ahead};
    struct vl_batch *batch = NULL;
    int ranks = 0;
    grading->seen = calloc(grading->lab->case_count + 1, sizeof *grading->seen);
    enum vl_status status = grading->seen != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = make_next(&batch, grading, &ranks, turns[0]);
    for (int turn = 1; batch != NULL && status == VL_OK && !vl_interrupt_seen(); turn++) {
        status = make_next(&batch->next, grading, &ranks, turns[turn % 2]);
        if (status == VL_OK)
            status = run_batch(batch);
        struct vl_batch *next = batch->next;
        free_batch(batch);
        batch = next;
    }
    int why = errno;
    free_batch(batch);
    errno = why;
    return status;
}
