/* What is written of a class from the verdicts that are there: gradebook and pages. */
#include "cli/class/batch.h"

#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "class/book/class_page.h"
#include "class/book/gradebook.h"
#include "class/book/suspicion.h"
#include "report/verdict/compiles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the verdicts that count ---- */

struct verdicts {
    struct vl_class_verdict *list;
    size_t count;
};

/* A student's newest submission of a lab is first in the list of tasks. */
static bool counts(const struct vl_batch *batch, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (batch->tasks[k].lab == batch->tasks[i].lab &&
            strcasecmp(batch->tasks[k].item->student, batch->tasks[i].item->student) == 0)
            return false;
    return true;
}

static struct vl_lateness lateness_of(const struct vl_batch *batch,
                                      const struct vl_batch_task *task)
{
    int late_days = task->student != NULL ? task->student->late_days : 0;
    return vl_lateness_of(&batch->request->due, task->item->changed, late_days);
}

static enum vl_status read_verdicts(struct verdicts *verdicts, const struct vl_batch *batch)
{
    verdicts->list = calloc(batch->task_count + 1, sizeof *verdicts->list);
    if (verdicts->list == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < batch->task_count; i++) {
        const struct vl_batch_task *task = &batch->tasks[i];
        struct vl_class_verdict *next = &verdicts->list[verdicts->count];
        if (task->problem != NULL || !counts(batch, i) ||
            vl_batch_read_verdict(&next->verdict, task->verdict) != VL_OK)
            continue;
        next->student = task->item->student;
        next->known = task->student;
        next->lab = task->lab;
        next->lateness = lateness_of(batch, task);
        verdicts->count++;
    }
    return VL_OK;
}

/* ---- the gradebook ---- */

static void note_receipt(struct vl_words *notes, enum vl_receipt_state receipt)
{
    if (receipt == VL_RECEIPT_DIFFERS)
        vl_words_add(notes, "%s", _("changed after the receipt"));
    if (receipt == VL_RECEIPT_DAMAGED)
        vl_words_add(notes, "%s", _("its receipt cannot be read"));
}

static void note_verdict(struct vl_words *notes, const struct vl_verdict *verdict)
{
    size_t at = 0;
    const struct vl_case_result *result = vl_suspicious_next(verdict, &at);
    if (verdict->status == VL_VERDICT_NOT_STARTED)
        vl_words_add(notes, "%s", _("not started"));
    if (vl_verdict_does_not_compile(verdict))
        vl_words_add(notes, "%s", _("does not compile"));
    if (vl_verdict_compiles_in_part(verdict))
        vl_words_add(notes, "%s", _("a part of it does not compile"));
    if (result != NULL)
        vl_words_add(notes, _("look at the source: %s"), vl_suspicion(result->code));
    if (verdict->isolation != VL_ISOLATION_STRONG && verdict->isolation != VL_ISOLATION_NONE)
        vl_words_add(notes, "%s", _("weak isolation"));
}

/* NULL without memory. */
static char *join(const struct vl_words *notes)
{
    char *all = notes->failed ? NULL : strdup("");
    for (size_t i = 0; i < notes->count && all != NULL; i++) {
        char *before = all;
        all = vl_text_format("%s%s%s", before, i > 0 ? "; " : "", notes->list[i]);
        free(before);
    }
    return all;
}

static const struct vl_batch_task *task_of(const struct vl_batch *batch, const char *id,
                                           const struct vl_lab *lab)
{
    for (size_t i = 0; i < batch->task_count; i++)
        if (batch->tasks[i].lab == lab && strcasecmp(batch->tasks[i].item->student, id) == 0)
            return &batch->tasks[i];
    return NULL;
}

static enum vl_status fill_entry(struct vl_grade_entry *entry, const struct vl_batch *batch,
                                 const struct verdicts *verdicts, const char *id,
                                 const struct vl_lab *lab)
{
    const struct vl_batch_task *task = task_of(batch, id, lab);
    const struct vl_class_verdict *one =
        vl_batch_verdict_of(verdicts->list, verdicts->count, id, lab);
    struct vl_words notes = {0};
    if (task == NULL)
        vl_words_add(&notes, "%s", _("nothing handed in"));
    else if (task->problem != NULL)
        vl_words_add(&notes, "%s", task->problem);
    else if (one == NULL)
        vl_words_add(&notes, "%s", _("not graded yet"));
    else
        note_verdict(&notes, &one->verdict);
    if (vl_batch_is_stranger(batch, id))
        vl_words_add(&notes, "%s", _("not in the roster"));
    if (task != NULL) {
        note_receipt(&notes, task->receipt);
        const struct vl_lateness lateness = lateness_of(batch, task);
        vl_batch_note_lateness(&notes, &lateness, task->item->late != 0);
    }
    if (one == NULL)
        entry->score = vl_overrides_score(&batch->overrides, id, lab);
    else
        entry->score =
            one->verdict.max_score > 0 ? 100 * one->verdict.score / one->verdict.max_score : 0;
    vl_batch_note_decisions(&notes, batch, id, lab, NULL);
    entry->note = join(&notes);
    vl_words_free(&notes);
    return entry->note != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status fill_row(struct vl_grade_row *row, const struct vl_batch *batch,
                               const struct verdicts *verdicts)
{
    const struct vl_batch_request *request = batch->request;
    row->entries = calloc(request->lab_count, sizeof *row->entries);
    enum vl_status status = row->entries != NULL ? VL_OK : VL_ENOMEM;
    for (size_t k = 0; k < request->lab_count && status == VL_OK; k++)
        status = fill_entry(&row->entries[k], batch, verdicts, row->id, request->labs[k]);
    return status;
}

/* Everybody in the roster, then whoever else handed something in. */
static void list_students(struct vl_gradebook *book, const struct vl_batch *batch)
{
    for (size_t i = 0; i < batch->roster.count; i++) {
        const struct vl_student *student = &batch->roster.students[i];
        book->rows[book->row_count++] = (struct vl_grade_row){
            .id = student->id, .name = student->name, .late_days = student->late_days};
    }
    for (size_t i = 0; i < batch->intake.count; i++) {
        const char *id = batch->intake.list[i].student;
        if (vl_roster_find(&batch->roster, id) == NULL &&
            (i == 0 || strcasecmp(id, batch->intake.list[i - 1].student) != 0))
            book->rows[book->row_count++] = (struct vl_grade_row){.id = id, .name = id};
    }
}

static enum vl_status write_book(const struct vl_batch *batch, const struct verdicts *verdicts)
{
    const struct vl_batch_request *request = batch->request;
    struct vl_gradebook book = {.labs = request->labs, .lab_count = request->lab_count};
    char *path = vl_path_join(request->out, "gradebook.csv");
    book.rows = calloc(batch->roster.count + batch->intake.count + 1, sizeof *book.rows);
    enum vl_status status = path != NULL && book.rows != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        list_students(&book, batch);
    for (size_t i = 0; i < book.row_count && status == VL_OK; i++)
        status = fill_row(&book.rows[i], batch, verdicts);
    if (status == VL_OK)
        status = vl_gradebook_write(&book, path);
    for (size_t i = 0; i < book.row_count; i++) {
        for (size_t k = 0; book.rows[i].entries != NULL && k < book.lab_count; k++)
            free(book.rows[i].entries[k].note);
        free(book.rows[i].entries);
    }
    free(book.rows);
    free(path);
    return status;
}

/* ---- pages ---- */

static enum vl_status write_pages(const struct vl_batch *batch, const struct verdicts *verdicts)
{
    const struct vl_class class = {
        verdicts->list,    verdicts->count, batch->request->labs, batch->request->lab_count,
        &batch->overrides, &batch->similar, &batch->notices};
    const char *language = vl_text_language();
    char *share = vl_place_path("share", NULL);
    char *path = vl_path_join(batch->request->out, "class.html");
    enum vl_status status = share != NULL && path != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < verdicts->count && status == VL_OK; i++)
        status = vl_batch_page(batch, &verdicts->list[i], share);
    if (status == VL_OK)
        status = vl_batch_pages_decided(batch, verdicts->list, verdicts->count, language, share);
    vl_text_start(language, share);
    if (status == VL_OK)
        status = vl_class_page(&class, path);
    free(share);
    free(path);
    return status;
}

enum vl_status vl_batch_book(struct vl_batch *batch)
{
    struct verdicts verdicts = {0};
    enum vl_status status = read_verdicts(&verdicts, batch);
    if (status == VL_OK)
        status = vl_batch_decide(batch, verdicts.list, verdicts.count);
    if (status == VL_OK)
        status = write_book(batch, &verdicts);
    if (status == VL_OK)
        status = vl_batch_points(batch, verdicts.list, verdicts.count);
    if (status == VL_OK)
        status = write_pages(batch, &verdicts);
    for (size_t i = 0; i < verdicts.count; i++)
        vl_verdict_free(&verdicts.list[i].verdict);
    free(verdicts.list);
    return status;
}
