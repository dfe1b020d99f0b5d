#include "grade/run/instead/rejudge_cases.h"

#include "grade/run/instead/undone.h"
#include "grade/run/result.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE_SECONDS 3.0

static void finish_case(void *context, size_t item, const struct vl_case_run_report *report)
{
    struct vl_rejudging *r = context;
    const size_t i = r->seen[vl_batch_index(r->batch, item)];
    struct vl_case_result result;
    struct vl_seen_case seen;
    if (vl_batch_ends_rehearsal(r->batch, item, report))
        return;
    vl_batch_judge_case(r->batch, item, report, &result, &seen);
    r->kept[i] = r->compares ? vl_undone_is_same(&r->grading->verdict->cases[i],
                                                 r->grading->seen[i].outputs, &result, seen.outputs)
                             : result.status == VL_CASE_PASSED;
    if (seen.outputs != NULL)
        r->grading->kept_bytes -= vl_bag_bytes(seen.outputs);
    vl_bag_free(seen.outputs);
    vl_result_clear(&r->results[i]);
    r->results[i] = result;
    r->idle[i] = seen.idle;
}

static enum vl_status make_inputs(void *context, size_t item)
{
    return vl_batch_make_inputs(((struct vl_rejudging *)context)->batch, item);
}

/* The cases to run on so many ranks; in 'kept' they are passed only when they are. */
static void list_items(struct vl_rejudging *r, const bool *chosen, int ranks)
{
    struct vl_batch *batch = r->batch;
    for (size_t i = 0; i < r->grading->seen_count; i++) {
        const struct vl_case *c = r->grading->seen[i].c;
        if (!chosen[i] || c->ranks != ranks)
            continue;
        const size_t n = batch->count++;
        batch->asked[n].c = c;
        r->seen[n] = i;
        struct vl_case_result result = vl_batch_blank(batch, c);
        if (!vl_grading_is_decided(r->grading, &result))
            vl_batch_add(batch, n);
        else
            batch->count--;
        vl_result_clear(&result);
    }
}

static enum vl_status run_batch(struct vl_rejudging *r, int ranks)
{
    struct vl_grading *grading = r->grading;
    struct vl_batch *batch = r->batch;
    char name[32], *folder;
    snprintf(name, sizeof name, "again%u", r->folders++);
    enum vl_status status = vl_scratch_folder(&folder, grading->scratch, name);
    batch->folder = folder;
    batch->run = (struct vl_case_run){.sandbox = batch->sandbox,
                                      .program = r->program,
                                      .folder = folder,
                                      .sources = grading->build.folder,
                                      .ranks = ranks,
                                      .hostile = 1,
                                      .seconds = CASE_SECONDS,
                                      .until = r->until,
                                      .prepare = make_inputs,
                                      .report = finish_case,
                                      .context = r};
    if (status == VL_OK)
        status = vl_rank_folders_make(folder, ranks);
    if (status == VL_OK)
        status = vl_case_run(&batch->run, batch->items, batch->item_count, NULL);
    if (folder != NULL)
        vl_scratch_remove(folder);
    free(folder);
    return status == VL_OK ? batch->status : status;
}

enum vl_status vl_rejudge_run(struct vl_rejudging *r, const bool *chosen, int ranks)
{
    const size_t most = r->grading->seen_count + 1;
    struct vl_batch batch = {.grading = r->grading,
                             .sandbox = &r->grading->ahead, /* where nothing runs later */
                             .tainted = r->grading->tainted[ranks]};
    r->batch = &batch;
    r->seen = calloc(most, sizeof *r->seen);
    enum vl_status status = r->seen ? vl_batch_open(&batch, most) : VL_ENOMEM;
    if (status == VL_OK)
        list_items(r, chosen, ranks);
    if (status == VL_OK && batch.item_count > 0)
        status = run_batch(r, ranks);
    vl_batch_close(&batch);
    free(r->seen);
    r->batch = NULL;
    r->seen = NULL;
    return status;
}

static bool all_are_kept(const struct vl_rejudging *r, const bool *chosen, int ranks)
{
    for (size_t i = 0; i < r->grading->seen_count; i++)
        if (chosen[i] && r->grading->seen[i].c->ranks == ranks && !r->kept[i])
            return false;
    return true;
}

enum vl_status vl_rejudge_run_all(bool *all, struct vl_rejudging *r, const bool *chosen)
{
    const size_t count = r->grading->seen_count;
    enum vl_status status = VL_OK;
    memset(r->kept, 0, count * sizeof *r->kept);
    *all = r->program != NULL;
    for (int ranks = 1; ranks <= VL_BOARD_RANKS && status == VL_OK && *all; ranks++) {
        status = vl_rejudge_run(r, chosen, ranks);
        *all = all_are_kept(r, chosen, ranks) && !vl_interrupt_seen();
    }
    for (size_t i = 0; i < count; i++)
        vl_result_clear(&r->results[i]);
    return status;
}
