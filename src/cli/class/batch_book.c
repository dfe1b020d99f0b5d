/* The gradebook of a class, from the verdicts that are there. */
#include "cli/class/batch.h"

#include "base/path.h"
#include "base/text.h"
#include "class/gradebook.h"
#include "report/verdict/read.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has_code(const struct vl_verdict *verdict, const char *code)
{
    for (size_t i = 0; i < verdict->case_count; i++)
        if (verdict->cases[i].code != NULL && strcmp(verdict->cases[i].code, code) == 0)
            return true;
    return false;
}

static char *note_of(const struct vl_verdict *verdict, const struct vl_handed_in *item)
{
    const char *notes[4];
    size_t n = 0;
    if (item->late)
        notes[n++] = _("handed in late");
    if (has_code(verdict, "implausible_speed"))
        notes[n++] = _("look at it: implausibly fast");
    if (verdict->isolation != VL_ISOLATION_STRONG)
        notes[n++] = _("graded without the wall");
    char *all = strdup("");
    for (size_t i = 0; i < n && all != NULL; i++) {
        char *before = all;
        all = vl_text_format("%s%s%s", before, i > 0 ? "; " : "", notes[i]);
        free(before);
    }
    return all;
}

static enum vl_status fill_entry(struct vl_grade_entry *entry, const struct vl_batch_task *task)
{
    struct vl_verdict verdict;
    entry->score = NAN;
    if (task->problem != NULL)
        entry->note = strdup(task->problem);
    else if (vl_verdict_read(&verdict, task->verdict) != VL_OK)
        entry->note = strdup(_("not graded yet"));
    else {
        entry->score = verdict.max_score > 0 ? 100 * verdict.score / verdict.max_score : 0;
        entry->note = note_of(&verdict, task->item);
        vl_verdict_free(&verdict);
    }
    return entry->note != NULL ? VL_OK : VL_ENOMEM;
}

/* A task that counts: not one that a later submission of the same student replaced. */
static const struct vl_batch_task *task_of(const struct vl_batch *batch, const char *id,
                                           const struct vl_lab *lab)
{
    for (size_t i = 0; i < batch->task_count; i++)
        if (batch->tasks[i].lab == lab && strcasecmp(batch->tasks[i].item->student, id) == 0)
            return &batch->tasks[i]; /* the newest is first */
    return NULL;
}

static enum vl_status fill_row(struct vl_grade_row *row, const struct vl_batch *batch)
{
    const struct vl_batch_request *request = batch->request;
    row->entries = calloc(request->lab_count, sizeof *row->entries);
    enum vl_status status = row->entries != NULL ? VL_OK : VL_ENOMEM;
    for (size_t k = 0; k < request->lab_count && status == VL_OK; k++) {
        const struct vl_batch_task *task = task_of(batch, row->id, request->labs[k]);
        if (task != NULL)
            status = fill_entry(&row->entries[k], task);
        else {
            row->entries[k] = (struct vl_grade_entry){NAN, strdup(_("nothing handed in"))};
            status = row->entries[k].note != NULL ? VL_OK : VL_ENOMEM;
        }
    }
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

static void free_rows(struct vl_gradebook *book)
{
    for (size_t i = 0; i < book->row_count; i++) {
        for (size_t k = 0; book->rows[i].entries != NULL && k < book->lab_count; k++)
            free(book->rows[i].entries[k].note);
        free(book->rows[i].entries);
    }
    free(book->rows);
}

enum vl_status vl_batch_book(const struct vl_batch *batch)
{
    const struct vl_batch_request *request = batch->request;
    struct vl_gradebook book = {.labs = request->labs, .lab_count = request->lab_count};
    char *path = vl_path_join(request->out, "gradebook.csv");
    book.rows = calloc(batch->roster.count + batch->intake.count + 1, sizeof *book.rows);
    enum vl_status status = path != NULL && book.rows != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        list_students(&book, batch);
    for (size_t i = 0; i < book.row_count && status == VL_OK; i++)
        status = fill_row(&book.rows[i], batch);
    if (status == VL_OK)
        status = vl_gradebook_write(&book, path);
    free_rows(&book);
    free(path);
    return status;
}
