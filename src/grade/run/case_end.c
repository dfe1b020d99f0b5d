/*
 * The end of a case: its results are taken, its bytes compared, and then, while the ranks are busy with
 * the next case, it is judged and told.
 */
#include "grade/run/batch.h"

#include "base/text.h"
#include "grade/judge/exhibit.h"
#include "grade/judge/judge.h"
#include "grade/judge/misuse.h"
#include "grade/judge/outputs.h"
#include "grade/judge/refusal.h"
#include "grade/run/result.h"
#include "grade/run/todo.h"
#include "grade/run/traffic.h"

#include <math.h>
#include <string.h>

#define MOST_KEPT ((size_t)512 << 20) /* bytes of outputs, until causes are sought */

/* The first failure counts. */
static void remember(struct vl_batch *batch, enum vl_status status)
{
    if (batch->status == VL_OK)
        batch->status = status;
}

struct vl_case_result vl_batch_blank(const struct vl_batch *batch, const struct vl_case *c)
{
    const struct vl_grading *grading = batch->grading;
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
static void tell(struct vl_batch *batch, size_t index, struct vl_case_result *result,
                 const struct vl_seen_case *judged)
{
    struct vl_seen_case seen = *judged;
    seen.c = batch->asked[index].c;
    seen.folder = batch->folder;
    seen.input = (unsigned)index;
    seen.rehearsal = vl_batch_rehearsal(batch, index);
    seen.seconds = result->seconds;
    remember(batch, vl_grading_tell_case(batch->grading, result, &seen));
    batch->told++;
}

void vl_batch_tell_decided(struct vl_batch *batch, size_t next)
{
    while (batch->told < next) {
        struct vl_case_result result = vl_batch_blank(batch, batch->asked[batch->told].c);
        if (!vl_grading_is_decided(batch->grading, &result))
            vl_grading_is_over(batch->grading, &result);
        tell(batch, batch->told, &result, &(struct vl_seen_case){0});
    }
}

static enum vl_status find_misuse(struct vl_finding *finding, const struct vl_batch *batch,
                                  const struct vl_case *c, const struct vl_bag *outputs, bool wrong)
{
    return vl_misuse_find(finding, outputs, c, &batch->grading->build, batch->sandbox, wrong);
}

/* Fail a case in which the ranks misused MPI, or did so in its rehearsal: what is done in the first call
 * only is seen there. True if they did. */
static bool judge_misuse(struct vl_batch *batch, struct vl_asked *asked,
                         const struct vl_bag *outputs, struct vl_case_result *result)
{
    struct vl_finding finding = {0};
    enum vl_status status =
        find_misuse(&finding, batch, asked->c, outputs, result->status != VL_CASE_PASSED);
    if (status == VL_OK && finding.code == NULL) {
        finding = asked->misuse;
        asked->misuse = (struct vl_finding){0};
    }
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
                           struct vl_case_result *result, const struct vl_asked *asked,
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

static struct taken take(const struct vl_batch *batch, size_t index)
{
    const struct vl_case *c = batch->asked[index].c;
    struct taken taken = {.count = c->per_rank ? 1 : c->ranks};
    for (int rank = 0; rank < taken.count; rank++)
        taken.of[rank] =
            vl_outputs_of(c, batch->asked[index].inputs, batch->sandbox, (unsigned)index, rank);
    return taken;
}

static void free_taken(struct taken *taken)
{
    for (int rank = 0; rank < taken->count; rank++)
        vl_bag_free(taken->of[rank]);
}

/* Whoever names a case wants to see it in any case. */
static bool is_shown(const struct vl_grading *grading, const struct vl_case_result *result)
{
    const struct vl_grade_request *request = grading->request;
    const bool named = request->only != NULL && strcmp(request->only, result->id) == 0;
    return request->show && result->status != VL_CASE_NOT_STARTED &&
           (named || result->status != VL_CASE_PASSED);
}

/* Every rank must have a right result. If each is judged alone, the first wrong one is reported.
 * Into *seen: whether it is idle, that rank, and the outputs of a case that is still open. */
static void judge(struct vl_batch *batch, size_t index, struct taken *taken,
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
    const bool alone = !c->per_rank && c->ranks == 1 && result->status != VL_CASE_PASSED;
    if (status == VL_OK && (c->per_rank || alone) && result->status != VL_CASE_NOT_STARTED &&
        judge_misuse(batch, &batch->asked[index], *outputs, result)) {
        vl_result_begin(result, vl_refusal_words(c, batch->asked[index].inputs, *outputs));
        judged->open = false;
    }
    if (status == VL_OK && refuse_shapes(grading, c, result))
        judged->open = false;
    vl_todo_tell(result, grading);
    if (status == VL_OK && is_shown(grading, result))
        status = vl_exhibit(&result->shown, c, batch->asked[index].inputs, *outputs);
    seen->idle = judged->idle;
    seen->inspected = seen->stale = judged->inspected;
    if (status == VL_OK && judged->open) {
        status = keep(grading, seen, result, &batch->asked[index], *outputs);
        *outputs = NULL;
    }
    remember(batch, status);
}

/* To what is said of too many bytes: which calls sent them. */
static void add_senders(struct vl_batch *batch, const struct vl_case *c, const struct taken *taken,
                        struct vl_case_result *result)
{
    const struct vl_grading *grading = batch->grading;
    char *sentence = NULL;
    if (!c->per_rank || taken->count != 1 || result->code == NULL ||
        strcmp(result->code, "too_many_bytes") != 0)
        return;
    remember(batch, vl_senders_find(&sentence, taken->of[0], c, &grading->build, batch->sandbox));
    if (sentence != NULL)
        vl_result_add(result, sentence);
}

void vl_batch_judge_case(struct vl_batch *batch, size_t item,
                         const struct vl_case_run_report *report, struct vl_case_result *result,
                         struct vl_seen_case *seen)
{
    const size_t index = vl_batch_index(batch, item);
    const struct vl_case *c = batch->asked[index].c;
    struct vl_judged judged = {.sent_bytes = -1, .sent_messages = -1};
    *result = vl_batch_blank(batch, c);
    *seen = (struct vl_seen_case){0};
    bool waits = vl_grading_waits(batch->grading, result, c->needs, 1);
    bool judges = !waits && report->end == VL_RUN_FINISHED;
    struct taken taken = judges ? take(batch, index) : (struct taken){.count = 0};
    const struct vl_audit audit =
        report->audit != NULL ? report->audit(report->attempt) : (struct vl_audit){0};
    if (judges)
        judge(batch, index, &taken, result, &judged, seen);
    else if (!waits) {
        vl_result_from_run(result, report);
        if (report->end != VL_RUN_SKIPPED && report->end != VL_RUN_NOT_STARTED)
            vl_result_begin(result, vl_refusal_words(c, batch->asked[index].inputs, NULL));
    }
    if (report->audit != NULL)
        vl_judge_traffic(result, &audit, &judged, &batch->tainted);
    add_senders(batch, c, &taken, result);
    free_taken(&taken);
    if (judges)
        vl_result_add_words(result, report->words);
    result->seconds = report->seconds;
}

/* Data that went past MPI would serve the case as well. */
bool vl_batch_ends_rehearsal(struct vl_batch *batch, size_t item,
                             const struct vl_case_run_report *report)
{
    struct vl_asked *asked = &batch->asked[vl_batch_index(batch, item)];
    struct vl_bag *outputs = NULL;
    if (!batch->items[item].rehearsal || report->end != VL_RUN_FINISHED)
        return false;
    if (asked->c->per_rank)
        outputs = vl_outputs_of_ours(asked->c, asked->rehearsal, batch->sandbox,
                                     batch->items[item].number, 0);
    if (report->audit != NULL) {
        const struct vl_audit audit = report->audit(report->attempt);
        batch->tainted |= vl_audit_compare(&audit) == VL_AUDIT_UNMETERED;
    }
    if (outputs != NULL)
        remember(batch, find_misuse(&asked->misuse, batch, asked->c, outputs, false));
    vl_bag_free(outputs);
    return true;
}

void vl_batch_finish_case(void *context, size_t item, const struct vl_case_run_report *report)
{
    struct vl_batch *batch = context;
    const size_t index = vl_batch_index(batch, item);
    struct vl_case_result result;
    struct vl_seen_case seen;
    if (vl_batch_ends_rehearsal(batch, item, report))
        return;
    vl_batch_tell_decided(batch, index);
    vl_batch_judge_case(batch, item, report, &result, &seen);
    tell(batch, index, &result, &seen);
}
