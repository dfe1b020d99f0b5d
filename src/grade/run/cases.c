/*
 * The cases of a grading: make the inputs, start the runner once for each number of ranks, and
 * judge each result as it comes.
 */
#include "grade/run/grading.h"

#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/job/case_run.h"
#include "grade/job/debug.h"
#include "grade/job/rank_inputs.h"
#include "grade/judge/judge.h"
#include "grade/judge/misuse.h"
#include "grade/judge/outputs.h"
#include "grade/run/result.h"
#include "grade/run/traffic.h"
#include "ranks/rank_folders.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE_SECONDS      5.0
#define CASE_LEAST        2.0
#define HANG_OVERHEAD     1.0 /* to see where a case hangs, and to start again after it */
#define CASE_SECONDS_ASAN 30.0
#define MOST_KEPT         ((size_t)512 << 20) /* bytes of outputs, until causes are sought */

struct asked {
    const struct vl_case *c;
    struct vl_bag *inputs; /* NULL where the build has decided */
};

/* The cases of one number of ranks, in the order of the catalogue. */
struct batch {
    struct vl_grading *grading;
    const char *folder; /* with the inputs */
    struct asked *asked;
    size_t count;
    struct vl_case_run_item *items; /* those that are run; 'input' says which case it is */
    size_t item_count;
    bool tainted; /* the kernel saw more in one of them than the meters did */
    size_t told;  /* cases whose result is in the verdict */
    enum vl_status status;
};

/* The first failure counts. */
static void remember(struct batch *batch, enum vl_status status)
{
    if (batch->status == VL_OK)
        batch->status = status;
}

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

/* Put a result into the verdict. Takes the outputs of an open case, and the result's strings. */
static void tell(struct batch *batch, size_t index, struct vl_case_result *result,
                 const struct vl_seen_case *judged)
{
    struct vl_seen_case seen = *judged;
    seen.c = batch->asked[index].c;
    seen.folder = batch->folder;
    seen.input = (unsigned)index;
    seen.seconds = result->seconds;
    remember(batch, vl_grading_tell_case(batch->grading, result, &seen));
    batch->told++;
}

/* Tell the cases before 'next' that were not run: the order stays that of the catalogue. */
static void tell_decided(struct batch *batch, size_t next)
{
    while (batch->told < next) {
        struct vl_case_result result = blank_result(batch->grading, batch->asked[batch->told].c);
        if (!vl_grading_is_decided(batch->grading, &result))
            vl_grading_is_over(batch->grading, &result);
        tell(batch, batch->told, &result, &(struct vl_seen_case){0});
    }
}

/* Fail a case in which the ranks misused MPI. True if they did. */
static bool judge_misuse(struct batch *batch, const struct vl_case *c, const struct vl_bag *outputs,
                         struct vl_case_result *result)
{
    const struct vl_grading *grading = batch->grading;
    struct vl_finding finding = {0};
    enum vl_status status =
        vl_misuse_find(&finding, outputs, c, &grading->build, &grading->sandbox);
    bool found = status == VL_OK && finding.code != NULL;
    if (found) {
        vl_result_set(result, VL_CASE_FAILED, finding.code, "%s", finding.message);
        result->detail = finding.detail;
        finding.detail = NULL;
        result->points = 0;
    }
    vl_finding_free(&finding);
    remember(batch, status);
    return found;
}

/* A prediction about somebody else's shapes is refused, whatever its numbers are. True if it is. */
static bool refuse_shapes(const struct vl_grading *grading, const struct vl_case *c,
                          struct vl_case_result *result)
{
    if (!c->sealed || !grading->foreign_shapes || result->status == VL_CASE_NOT_STARTED)
        return false;
    vl_result_set(result, VL_CASE_FAILED, "other_shapes",
                  _("The constants in predict.c are not the ones that you are asked about. Move "
                    "predict.c away, then put back the right one with `vialata start %02d`; add "
                    "`--student NAME` if your class uses names."),
                  grading->request->lab->number);
    result->points = 0;
    return true;
}

/* Keep the outputs of an open case until causes are sought. Of a submission that sends back far too much,
 * they would take all memory: its cases are closed at once, without a cause. */
static enum vl_status keep(struct vl_grading *grading, struct vl_seen_case *seen,
                           struct vl_case_result *result, const struct asked *asked,
                           struct vl_bag *outputs)
{
    size_t bytes = vl_bag_bytes(outputs);
    if (bytes <= MOST_KEPT - grading->kept_bytes) {
        grading->kept_bytes += bytes;
        seen->outputs = outputs;
        return VL_OK;
    }
    enum vl_status status = vl_explain(result, asked->c, asked->inputs, outputs, NULL);
    vl_bag_free(outputs);
    return status;
}

/* The results of a case: of each rank or, where all are judged together, in one bag. */
struct taken {
    struct vl_bag *of[VL_BOARD_RANKS];
    int count;
};

static struct taken take(const struct batch *batch, size_t index)
{
    const struct vl_grading *grading = batch->grading;
    const struct vl_case *c = batch->asked[index].c;
    struct taken taken = {.count = c->per_rank ? 1 : c->ranks};
    for (int rank = 0; rank < taken.count; rank++)
        taken.of[rank] = vl_outputs_of(c, batch->asked[index].inputs, &grading->sandbox,
                                       grading->scratch, (unsigned)index, rank);
    return taken;
}

static void free_taken(struct taken *taken)
{
    for (int rank = 0; rank < taken->count; rank++)
        vl_bag_free(taken->of[rank]);
}

/* Every rank must have a right result. If each is judged alone, the first wrong one is reported.
 * Into *seen: whether it is idle, that rank, and the outputs of a case that is still open. */
static void judge(struct batch *batch, size_t index, struct taken *taken,
                  struct vl_case_result *result, struct vl_judged *judged,
                  struct vl_seen_case *seen)
{
    struct vl_grading *grading = batch->grading;
    const struct vl_case *c = batch->asked[index].c;
    const double points = vl_grading_function(grading, c->function)->points;
    enum vl_status status;
    seen->rank = -1;
    do
        status = vl_judge(result, judged, c, points, batch->asked[index].inputs,
                          taken->of[++seen->rank]);
    while (status == VL_OK && result->status == VL_CASE_PASSED && seen->rank + 1 < taken->count);
    struct vl_bag **outputs = &taken->of[seen->rank];
    if (status == VL_OK && c->per_rank && result->status != VL_CASE_NOT_STARTED &&
        judge_misuse(batch, c, *outputs, result))
        judged->open = false;
    if (status == VL_OK && refuse_shapes(grading, c, result))
        judged->open = false;
    seen->idle = judged->idle;
    if (status == VL_OK && judged->open) {
        status = keep(grading, seen, result, &batch->asked[index], *outputs);
        *outputs = NULL;
    }
    remember(batch, status);
}

static void finish_case(void *context, size_t item, const struct vl_case_run_report *report)
{
    struct batch *batch = context;
    size_t index = batch->items[item].input;
    const struct vl_case *c = batch->asked[index].c;
    struct vl_case_result result = blank_result(batch->grading, c);
    struct vl_judged judged = {.sent_bytes = -1, .sent_messages = -1};
    struct vl_seen_case seen = {0};
    tell_decided(batch, index);
    bool waits = vl_grading_waits(batch->grading, &result, c->needs, 1);
    bool judges = !waits && report->end == VL_RUN_FINISHED;
    struct taken taken = judges ? take(batch, index) : (struct taken){.count = 0};
    const struct vl_audit audit =
        report->audit != NULL ? report->audit(report->attempt) : (struct vl_audit){0};
    if (judges)
        judge(batch, index, &taken, &result, &judged, &seen);
    else if (!waits)
        vl_result_from_run(&result, report);
    if (report->audit != NULL)
        vl_judge_traffic(&result, &audit, &judged, &batch->tainted);
    free_taken(&taken);
    result.seconds = report->seconds;
    tell(batch, index, &result, &seen);
}

static void collect(struct batch *batch, int ranks)
{
    struct vl_grading *grading = batch->grading;
    for (size_t i = 0; i < grading->lab->case_count; i++) {
        const struct vl_case *c = &grading->lab->cases[i];
        if (c->ranks == ranks && vl_grading_wants(grading, c->id, c->function))
            batch->asked[batch->count++].c = c;
    }
}

/* Make and write the inputs of a case. */
static enum vl_status make_inputs(void *context, size_t item)
{
    struct batch *batch = context;
    const size_t index = batch->items[item].input;
    struct asked *asked = &batch->asked[index];
    asked->inputs = vl_case_inputs(asked->c, &batch->grading->request->origin);
    if (asked->inputs == NULL)
        return VL_ENOMEM;
    return vl_rank_inputs_write(batch->folder, (unsigned)index, asked->c, asked->inputs);
}

/* Run the cases that the build has not decided. */
static void make_items(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct vl_case *c = batch->asked[i].c;
        struct vl_case_result result = blank_result(batch->grading, c);
        int decided = vl_grading_is_decided(batch->grading, &result);
        vl_result_clear(&result);
        if (decided)
            continue;
        batch->items[batch->item_count++] =
            (struct vl_case_run_item){.input = (unsigned)i,
                                      .number = (unsigned)i,
                                      .function = c->function,
                                      .synchronous = c->synchronous};
    }
}

/* In a debugger nothing runs meanwhile. */
static enum vl_status debug(struct batch *batch, const struct vl_case_run *run)
{
    enum vl_status status = VL_OK;
    for (size_t item = 0; item < batch->item_count && status == VL_OK; item++) {
        status = make_inputs(batch, item);
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

static enum vl_status run_batch(struct batch *batch, int ranks)
{
    struct vl_grading *grading = batch->grading;
    char name[32];
    snprintf(name, sizeof name, "cases%d", ranks);
    enum vl_status status = vl_scratch_folder(&grading->folders[ranks], grading->scratch, name);
    batch->folder = grading->folders[ranks];
    const struct vl_case_run run = {.sandbox = &grading->sandbox,
                                    .program = grading->build.program,
                                    .folder = batch->folder,
                                    .sources = grading->build.folder,
                                    .ranks = ranks,
                                    .asan = grading->request->asan,
                                    .hostile = 1,
                                    .seconds = seconds_for_a_case(grading, ranks),
                                    .until = grading->sandbox.until,
                                    .prepare = make_inputs,
                                    .report = finish_case,
                                    .context = batch};
    if (status == VL_OK)
        status = vl_rank_folders_make(batch->folder, ranks);
    make_items(batch);
    if (status == VL_OK && batch->item_count > 0)
        status = grading->request->gdb ? debug(batch, &run)
                                       : vl_case_run(&run, batch->items, batch->item_count);
    if (status == VL_OK && !vl_interrupt_seen())
        tell_decided(batch, batch->count);
    return status == VL_OK ? batch->status : status;
}

static enum vl_status run_ranks(struct vl_grading *grading, int ranks)
{
    size_t most = grading->lab->case_count + 1;
    struct batch batch = {.grading = grading,
                          .asked = calloc(most, sizeof *batch.asked),
                          .items = calloc(most, sizeof *batch.items)};
    enum vl_status status = VL_ENOMEM;
    if (batch.asked != NULL && batch.items != NULL) {
        collect(&batch, ranks);
        status = batch.count > 0 ? run_batch(&batch, ranks) : VL_OK;
    }
    int why = errno;
    for (size_t i = 0; i < batch.count; i++)
        vl_bag_free(batch.asked[i].inputs);
    free(batch.asked);
    free(batch.items);
    errno = why;
    return status;
}

enum vl_status vl_grading_cases(struct vl_grading *grading)
{
    grading->seen = calloc(grading->lab->case_count + 1, sizeof *grading->seen);
    enum vl_status status = grading->seen != NULL ? VL_OK : VL_ENOMEM;
    for (int ranks = 1; ranks <= VL_BOARD_RANKS && status == VL_OK && !vl_interrupt_seen(); ranks++)
        status = run_ranks(grading, ranks);
    return status;
}
