/*
 * The cases of a grading: inputs are made, the runner is started once for each number of ranks, and what
 * comes back is judged as it comes.
 */
#include "base/path.h"
#include "grade/run/grading.h"

#include "grade/hang/misuse.h"
#include "grade/job/case_run.h"
#include "grade/job/launch.h"
#include "grade/judge/judge.h"
#include "grade/judge/outputs.h"
#include "grade/run/result.h"
#include "grade/sandbox/interrupt.h"
#include "grade/sandbox/scratch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CASE_SECONDS      5.0
#define CASE_SECONDS_ASAN 30.0

/* The cases of one number of ranks, in the order of the catalogue. */
struct batch {
    struct vl_grading *grading;
    const char *folder; /* with the inputs */
    const struct vl_case **cases;
    struct vl_bag **inputs;
    struct vl_case_run_item *items; /* of those that are run */
    size_t *index;                  /* item -> case */
    size_t count;
    size_t item_count;
    size_t told; /* cases whose result is in the verdict */
    enum vl_status status;
};

static struct vl_case_result blank_result(const struct vl_grading *grading, const struct vl_case *c)
{
    const struct vl_lab_function *function = vl_grading_function(grading, c->function);
    return (struct vl_case_result){.id = (char *)c->id,
                                   .function = (char *)c->function,
                                   .group = function->group,
                                   .ranks = c->ranks,
                                   .status = VL_CASE_ERROR,
                                   .max_points = c->share * function->points,
                                   .measured = NAN,
                                   .bound = NAN};
}

/* The first needed function that is not there, or still to be written; NULL if all are. */
static const char *unwritten_need(const struct vl_grading *grading, const char *const *needs)
{
    for (; needs != NULL && *needs != NULL; needs++)
        if (vl_grading_state(grading, *needs) != VL_FUNCTION_PRESENT ||
            vl_grading_lacks(grading->verdict, *needs, 1))
            return *needs;
    return NULL;
}

/* Tell what the build has decided. Nonzero if it has. */
static int decided(const struct vl_grading *grading, const struct vl_case *c,
                   struct vl_case_result *result)
{
    const struct vl_lab_function *function = vl_grading_function(grading, c->function);
    if (!vl_result_from_build(result, &grading->build, vl_grading_state(grading, c->function),
                              function->file))
        return 0;
    result->points = 0;
    return 1;
}

/* Takes the outputs of an open case, and the strings of the result. */
static void tell(struct batch *batch, size_t index, struct vl_case_result *result, int rank,
                 struct vl_bag *outputs)
{
    const struct vl_seen_case seen = {.c = batch->cases[index],
                                      .folder = batch->folder,
                                      .input = (unsigned)index,
                                      .seconds = result->seconds,
                                      .outputs = outputs,
                                      .rank = rank};
    enum vl_status status = vl_grading_tell_case(batch->grading, result, &seen);
    if (batch->status == VL_OK)
        batch->status = status;
    batch->told++;
}

/* Tell the cases before 'next' that were not run: the order stays that of the catalogue. */
static void tell_decided(struct batch *batch, size_t next)
{
    while (batch->told < next) {
        const struct vl_case *c = batch->cases[batch->told];
        struct vl_case_result result = blank_result(batch->grading, c);
        decided(batch->grading, c, &result);
        tell(batch, batch->told, &result, 0, NULL);
    }
}

/* Take over what the ranks did to each other, if there is something to say. True if there was. */
static bool judge_misuse(struct batch *batch, const struct vl_case *c, const struct vl_bag *outputs,
                         struct vl_case_result *result)
{
    const struct vl_grading *grading = batch->grading;
    struct vl_finding finding = {0};
    enum vl_status status =
        vl_misuse_find(&finding, outputs, c, &grading->build, &grading->sandbox);
    bool found = status == VL_OK && finding.code != NULL;
    if (found) {
        vl_result_set(result, VL_CASE_FAILED, finding.code, finding.message);
        result->detail = finding.detail;
        finding.detail = NULL;
        result->points = 0;
    }
    vl_finding_free(&finding);
    batch->status = batch->status == VL_OK ? status : batch->status;
    return found;
}

/* Every rank must hold a right result; where each is judged for itself, the first that does not is
 * the one to tell about. The outputs of a case that is still open are the caller's, else NULL. */
static struct vl_bag *judge(struct batch *batch, size_t index, struct vl_case_result *result,
                            int *rank)
{
    const struct vl_grading *grading = batch->grading;
    const struct vl_case *c = batch->cases[index];
    const double points = vl_grading_function(grading, c->function)->points;
    enum vl_status status = VL_OK;
    struct vl_bag *outputs = NULL;
    bool open = false;
    vl_result_clear(result);
    for (*rank = 0; status == VL_OK; ++*rank) {
        outputs =
            c->per_rank
                ? vl_outputs_gather(&grading->sandbox, grading->scratch, (unsigned)index, c->ranks)
                : vl_outputs_take(&grading->sandbox, grading->scratch, (unsigned)index, *rank);
        vl_result_clear(result);
        status = vl_judge(result, &open, c, points, batch->inputs[index], outputs);
        if (status == VL_OK && c->per_rank && result->status != VL_CASE_NOT_STARTED &&
            judge_misuse(batch, c, outputs, result))
            open = false;
        if (c->per_rank || result->status != VL_CASE_PASSED || *rank + 1 == c->ranks)
            break;
        vl_bag_free(outputs);
        outputs = NULL;
    }
    if (batch->status == VL_OK)
        batch->status = status;
    if (open && status == VL_OK)
        return outputs;
    vl_bag_free(outputs);
    return NULL;
}

static void finish_case(void *context, size_t item, const struct vl_case_run_report *report)
{
    struct batch *batch = context;
    size_t index = batch->index[item];
    const struct vl_case *c = batch->cases[index];
    struct vl_case_result result = blank_result(batch->grading, c);
    struct vl_bag *open = NULL;
    int rank = 0;
    const char *need = unwritten_need(batch->grading, c->needs);
    tell_decided(batch, index);
    if (need != NULL)
        vl_result_waits(&result, need, 1);
    else if (report->end == VL_RUN_FINISHED)
        open = judge(batch, index, &result, &rank);
    else
        vl_result_from_run(&result, report);
    result.seconds = report->seconds;
    tell(batch, index, &result, rank, open);
}

static void collect(struct batch *batch, int ranks)
{
    struct vl_grading *grading = batch->grading;
    for (size_t i = 0; i < grading->lab->case_count; i++) {
        const struct vl_case *c = &grading->lab->cases[i];
        if (c->ranks == ranks && vl_grading_wants(grading, c->id, c->function))
            batch->cases[batch->count++] = c;
    }
}

static enum vl_status write_inputs(const struct batch *batch, size_t index)
{
    char name[32];
    snprintf(name, sizeof name, "in%zu.st", index);
    char *path = vl_path_join(batch->folder, name);
    enum vl_status status = path != NULL ? vl_bag_write(batch->inputs[index], path) : VL_ENOMEM;
    if (status == VL_OK && chmod(path, 0644) != 0)
        status = VL_EIO;
    free(path);
    return status;
}

/* Make and write the inputs of what can run. */
static enum vl_status make_inputs(struct batch *batch)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < batch->count && status == VL_OK; i++) {
        const struct vl_case *c = batch->cases[i];
        struct vl_case_result result = blank_result(batch->grading, c);
        int known = decided(batch->grading, c, &result);
        vl_result_clear(&result);
        if (known)
            continue;
        batch->inputs[i] = vl_bag_create();
        status = batch->inputs[i] != NULL
                     ? c->make(batch->inputs[i], c, batch->grading->request->seed)
                     : VL_ENOMEM;
        if (status == VL_OK && c->synchronous &&
            !vl_bag_set_int(batch->inputs[i], "synchronous", 1))
            status = VL_ENOMEM;
        if (status == VL_OK)
            status = write_inputs(batch, i);
        batch->index[batch->item_count] = i;
        batch->items[batch->item_count++] =
            (struct vl_case_run_item){.input = (unsigned)i,
                                      .number = (unsigned)i,
                                      .function = c->function,
                                      .synchronous = c->synchronous};
    }
    return status;
}

static enum vl_status run_under_gdb(struct batch *batch)
{
    const struct vl_grading *grading = batch->grading;
    struct vl_case_run_report report = {.end = VL_RUN_FINISHED};
    int board = vl_launch_board(&grading->sandbox);
    enum vl_status status = vl_case_run_list(batch->folder, batch->items, batch->item_count);
    if (status == VL_OK && board >= 0 && batch->item_count > 0)
        status = vl_launch_gdb(grading->build.program, batch->folder, grading->sandbox.folder,
                               batch->items[0].function, batch->cases[0]->ranks);
    if (board >= 0)
        close(board);
    for (size_t i = 0; i < batch->item_count && status == VL_OK; i++)
        finish_case(batch, i, &report);
    return status;
}

static enum vl_status run_batch(struct batch *batch, int ranks)
{
    const struct vl_grading *grading = batch->grading;
    const struct vl_case_run run = {.sandbox = &grading->sandbox,
                                    .program = grading->build.program,
                                    .folder = batch->folder,
                                    .sources = grading->build.folder,
                                    .ranks = ranks,
                                    .asan = grading->request->asan,
                                    .seconds =
                                        grading->request->asan ? CASE_SECONDS_ASAN : CASE_SECONDS,
                                    .report = finish_case,
                                    .context = batch};
    enum vl_status status = make_inputs(batch);
    if (status == VL_OK && grading->request->gdb)
        status = run_under_gdb(batch);
    else if (status == VL_OK && batch->item_count > 0)
        status = vl_case_run(&run, batch->items, batch->item_count);
    if (status == VL_OK && !vl_interrupt_seen())
        tell_decided(batch, batch->count);
    return status == VL_OK ? batch->status : status;
}

static enum vl_status run_ranks(struct vl_grading *grading, int ranks)
{
    size_t most = grading->lab->case_count + 1;
    struct batch batch = {.grading = grading,
                          .cases = calloc(most, sizeof *batch.cases),
                          .inputs = calloc(most, sizeof *batch.inputs),
                          .items = calloc(most, sizeof *batch.items),
                          .index = calloc(most, sizeof *batch.index)};
    char name[32];
    snprintf(name, sizeof name, "cases%d", ranks);
    enum vl_status status = VL_ENOMEM;
    if (batch.cases != NULL && batch.inputs != NULL && batch.items != NULL && batch.index != NULL) {
        collect(&batch, ranks);
        status = VL_OK;
    }
    if (status == VL_OK && batch.count > 0)
        status = vl_scratch_folder(&grading->folders[ranks], grading->scratch, name);
    batch.folder = grading->folders[ranks];
    if (status == VL_OK && batch.count > 0)
        status = run_batch(&batch, ranks);
    int why = errno;
    for (size_t i = 0; batch.inputs != NULL && i < batch.count; i++)
        vl_bag_free(batch.inputs[i]);
    free(batch.cases);
    free(batch.inputs);
    free(batch.items);
    free(batch.index);
    errno = why;
    return status;
}

enum vl_status vl_grading_cases(struct vl_grading *grading)
{
    enum vl_status status = VL_OK;
    for (int ranks = 1; ranks <= VL_BOARD_RANKS && status == VL_OK && !vl_interrupt_seen(); ranks++)
        status = run_ranks(grading, ranks);
    return status;
}
