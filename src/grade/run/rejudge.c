#include "grade/run/rejudge.h"

#include "base/text.h"
#include "grade/build/substitute.h"
#include "grade/run/batch.h"
#include "grade/run/result.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_SECONDS  8.0 /* for everything, longer on a busy machine */
#define CASE_SECONDS 3.0

/* One function of the reference in its place. */
struct rejudging {
    struct vl_grading *grading;
    const char *program;
    bool *kept; /* of the cases that were seen: to run, then those that passed */
    struct vl_case_result *results; /* of those that ran ... */
    bool *idle;                     /* ... and whether they are, as in struct vl_seen_case */
    double until;
    unsigned folders; /* so far */
    /* One run. */
    struct vl_batch *batch;
    size_t *seen; /* of each case asked */
};

enum vl_status vl_rejudge_say(struct vl_case_result *result, const char *function)
{
    char *sentence = vl_text_format(_("Judged with a correct %s instead of yours."), function);
    char *before = result->message;
    char *both =
        sentence != NULL && before != NULL ? vl_text_format("%s %s", before, sentence) : NULL;
    result->message = before != NULL ? both : sentence;
    if (before != NULL)
        free(sentence);
    free(before);
    free(result->replaced);
    result->replaced = strdup(function);
    return result->message != NULL && result->replaced != NULL ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_grading_substitute(const char **program, struct vl_grading *grading,
                                     const struct vl_lab_function *function)
{
    struct vl_substitutes *substitutes = &grading->substitutes;
    *program = NULL;
    if (grading->build.toolchain.own == NULL ||
        vl_build_function(&grading->build, function->name, function->file) != VL_FUNCTION_PRESENT)
        return VL_OK;
    substitutes->submission.build = &grading->build;
    substitutes->submission.sandbox = &grading->sandbox;
    substitutes->submission.scratch = grading->scratch;
    substitutes->other = &grading->other;
    return vl_substitute_make(program, substitutes, function);
}

/* ---- running ---- */

static void finish_case(void *context, size_t item, const struct vl_case_run_report *report)
{
    struct rejudging *r = context;
    const size_t i = r->seen[vl_batch_index(r->batch, item)];
    struct vl_case_result result;
    struct vl_seen_case seen;
    if (vl_batch_ends_rehearsal(r->batch, item, report))
        return;
    vl_batch_judge_case(r->batch, item, report, &result, &seen);
    if (seen.outputs != NULL)
        r->grading->kept_bytes -= vl_bag_bytes(seen.outputs);
    vl_bag_free(seen.outputs);
    r->kept[i] = result.status == VL_CASE_PASSED;
    vl_result_clear(&r->results[i]);
    r->results[i] = result;
    r->idle[i] = seen.idle;
}

static enum vl_status make_inputs(void *context, size_t item)
{
    return vl_batch_make_inputs(((struct rejudging *)context)->batch, item);
}

/* The cases to run on so many ranks; in 'kept' they are passed only when they are. */
static void list_items(struct rejudging *r, const bool *chosen, int ranks)
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

static enum vl_status run_batch(struct rejudging *r, int ranks)
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

static enum vl_status run_ranks(struct rejudging *r, const bool *chosen, int ranks)
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

/* ---- one function ---- */

/* The result of a case that passed takes the place of the one from before. */
static enum vl_status settle(struct rejudging *r, size_t i, const char *function)
{
    struct vl_case_result *old = &r->grading->verdict->cases[i], *fresh = &r->results[i];
    struct vl_seen_case *seen = &r->grading->seen[i];
    enum vl_status status = vl_rejudge_say(fresh, function);
    fresh->id = old->id;
    fresh->function = old->function;
    vl_result_clear(old);
    *old = *fresh;
    *fresh = (struct vl_case_result){0};
    if (seen->outputs != NULL)
        r->grading->kept_bytes -= vl_bag_bytes(seen->outputs);
    vl_bag_free(seen->outputs);
    seen->outputs = NULL;
    seen->passed = true;
    seen->idle = r->idle[i];
    seen->seconds = old->seconds;
    return status;
}

static enum vl_status run_with(struct rejudging *r, const bool *chosen,
                               const struct vl_lab_function *function)
{
    struct vl_grading *grading = r->grading;
    memset(r->kept, 0, grading->seen_count * sizeof *r->kept);
    enum vl_status status = vl_grading_substitute(&r->program, grading, function);
    for (int ranks = 1;
         ranks <= VL_BOARD_RANKS && status == VL_OK && r->program != NULL && !vl_interrupt_seen();
         ranks++)
        status = run_ranks(r, chosen, ranks);
    if (status == VL_OK && !vl_interrupt_seen())
        vl_rejudge_keep(r->kept, grading, function->name);
    for (size_t i = 0; i < grading->seen_count; i++) {
        if (status == VL_OK && !vl_interrupt_seen() && r->kept[i])
            status = settle(r, i, function->name);
        vl_result_clear(&r->results[i]);
    }
    return status;
}

static enum vl_status try_function(struct rejudging *r, const struct vl_lab_function *function)
{
    const size_t count = r->grading->seen_count;
    bool *chosen = malloc((count + 1) * sizeof *chosen);
    if (chosen == NULL)
        return VL_ENOMEM;
    memset(chosen, 1, count * sizeof *chosen);
    enum vl_status status = VL_OK;
    if (vl_rejudge_keep(chosen, r->grading, function->name) > 0 && vl_clock() < r->until)
        status = run_with(r, chosen, function);
    free(chosen);
    return status;
}

/* ---- all ---- */

/* Does it fail in a case of its own that uses nothing else that fails? Then it is looked at first. */
static bool fails_alone(const struct vl_grading *grading, const struct vl_lab_function *function)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case *c = grading->seen[i].c;
        bool alone = !grading->seen[i].passed && strcmp(c->function, function->name) == 0;
        for (const char *const *need = c->needs; alone && need != NULL && *need != NULL; need++)
            alone = strcmp(*need, c->function) == 0 ||
                    !vl_rejudge_is_wrong(grading, vl_grading_function(grading, *need));
        if (alone)
            return true;
    }
    return false;
}

static enum vl_status try_all(struct rejudging *r)
{
    const struct vl_lab *lab = r->grading->request->lab;
    enum vl_status status = VL_OK;
    for (int alone = 1; alone >= 0; alone--)
        for (size_t f = 0; f < lab->function_count && status == VL_OK; f++) {
            const struct vl_lab_function *function = &lab->functions[f];
            if (vl_rejudge_is_wrong(r->grading, function) &&
                fails_alone(r->grading, function) == alone && !vl_interrupt_seen())
                status = try_function(r, function);
        }
    return status;
}

enum vl_status vl_grading_rejudge(struct vl_grading *grading)
{
    const struct vl_grade_request *request = grading->request;
    const double load = vl_load_average();
    struct rejudging r = {.grading = grading,
                          .until = fmin(vl_clock() + ALL_SECONDS * load, grading->sandbox.until)};
    if (request->asan || request->gdb || grading->build.program == NULL)
        return VL_OK;
    r.kept = calloc(grading->seen_count + 1, sizeof *r.kept);
    r.results = calloc(grading->seen_count + 1, sizeof *r.results);
    r.idle = calloc(grading->seen_count + 1, sizeof *r.idle);
    enum vl_status status = r.kept && r.results && r.idle ? try_all(&r) : VL_ENOMEM;
    free(r.kept);
    free(r.results);
    free(r.idle);
    /* What cannot be made on this machine leaves the verdict as it was. */
    return status == VL_ENOMEM ? status : VL_OK;
}
