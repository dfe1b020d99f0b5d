/* The page of one student: the verdict, what was decided, and what is not shown yet. */
#include "cli/class/batch.h"

#include "base/path.h"
#include "base/text.h"
#include "class/book/hiding.h"
#include "report/verdict/verdict_page.h"
#include <stdlib.h>
#include <string.h>

/* ---- remarks ---- */

/* A decision about the lab as a whole is never hidden. */
static bool is_shown(const struct vl_verdict *shown, const char *id)
{
    for (size_t i = 0; i < shown->case_count; i++)
        if (strcmp(shown->cases[i].id, id) == 0)
            return true;
    return id[0] == '\0';
}

void vl_batch_note_decisions(struct vl_words *notes, const struct vl_batch *batch,
                             const char *student, const struct vl_lab *lab,
                             const struct vl_verdict *shown)
{
    const struct vl_override *override;
    for (size_t at = 0;
         (override = vl_overrides_next(&batch->overrides, student, lab, &at)) != NULL;) {
        if (shown != NULL && !is_shown(shown, override->id))
            continue;
        char *text = vl_override_text(override);
        notes->failed |= text == NULL;
        if (text != NULL)
            vl_words_add(notes, "%s", text);
        free(text);
    }
}

void vl_batch_note_lateness(struct vl_words *notes, const struct vl_lateness *lateness, bool marked)
{
    char *text = vl_lateness_text(lateness);
    notes->failed |= text == NULL;
    if (text != NULL && text[0] != '\0')
        vl_words_add(notes, "%s", text);
    else if (marked) /* by the platform */
        vl_words_add(notes, "%s", _("handed in late"));
    free(text);
}

/* ---- the page ---- */

static enum vl_status write_to(const struct vl_batch *batch, const struct vl_class_verdict *one,
                               const char *path)
{
    struct vl_verdict shown;
    struct vl_hidden hidden;
    struct vl_words remarks = {0};
    enum vl_status status =
        vl_hiding_apply(&shown, &hidden, &one->verdict, &batch->request->hidden);
    if (status != VL_OK)
        return status;
    vl_batch_note_lateness(&remarks, &one->lateness, false);
    vl_batch_note_decisions(&remarks, batch, one->student, one->lab, &shown);
    const struct vl_verdict_additions more = {.student = one->known != NULL ? one->known->name
                                                                            : one->student,
                                              .remarks = remarks.list,
                                              .hidden = hidden.count,
                                              .hidden_points = hidden.points,
                                              .hidden_most = hidden.most};
    status = remarks.failed ? VL_ENOMEM : vl_verdict_page(&shown, &more, path);
    vl_words_free(&remarks);
    free(shown.cases);
    return status;
}

enum vl_status vl_batch_page(const struct vl_batch *batch, const struct vl_class_verdict *one,
                             const char *share)
{
    char *folder = vl_text_format("%s/pages/%s", batch->request->out, one->lab->folder);
    char *path = folder != NULL ? vl_text_format("%s/%s.html", folder, one->student) : NULL;
    enum vl_status status = VL_ENOMEM;
    vl_text_start(one->verdict.language, share);
    if (path != NULL)
        status = vl_path_make_folders(folder) ? write_to(batch, one, path) : VL_EIO;
    free(folder);
    free(path);
    return status;
}
