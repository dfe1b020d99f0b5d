/* Pages of students who have no verdict: what was decided about them, such as points for work on paper. */
#include "cli/class/batch.h"

#include "base/path.h"
#include "base/text.h"
#include "class/book/results.h"
#include "report/verdict/verdict_page.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

static char *page_path(const struct vl_batch *batch, const char *student, const struct vl_lab *lab)
{
    return vl_text_format("%s/pages/%s/%s.html", batch->request->out, lab->folder, student);
}

static bool is_asked(const struct vl_batch *batch, const struct vl_lab *lab)
{
    for (size_t k = 0; k < batch->request->lab_count; k++)
        if (batch->request->labs[k] == lab)
            return true;
    return false;
}

/* ---- writing ---- */

static enum vl_status write_to(const struct vl_batch *batch, const struct vl_override *override,
                               const char *path)
{
    const struct vl_student *known = vl_roster_find(&batch->roster, override->student);
    double score = vl_overrides_score(&batch->overrides, override->student, override->lab);
    const struct vl_verdict none = {.lab = override->lab->number,
                                    .slug = override->lab->slug,
                                    .score = isnan(score) ? 0 : score,
                                    .max_score = 100};
    struct vl_words remarks = {0};
    vl_words_add(&remarks, "%s", _("Nothing of this lab was graded."));
    vl_batch_note_decisions(&remarks, batch, override->student, override->lab, NULL);
    const struct vl_verdict_additions more = {
        .student = known != NULL ? known->name : override->student, .remarks = remarks.list};
    enum vl_status status = remarks.failed ? VL_ENOMEM : vl_verdict_page(&none, &more, path);
    vl_words_free(&remarks);
    return status;
}

static enum vl_status write_page(const struct vl_batch *batch, const struct vl_override *override,
                                 const char *course, const char *share)
{
    const struct vl_student *known = vl_roster_find(&batch->roster, override->student);
    bool own = known != NULL && known->language != NULL;
    char *folder = vl_text_format("%s/pages/%s", batch->request->out, override->lab->folder);
    char *path = page_path(batch, override->student, override->lab);
    enum vl_status status = VL_ENOMEM;
    vl_text_start(own ? known->language : course, share);
    if (folder != NULL && path != NULL)
        status = vl_path_make_folders(folder) ? write_to(batch, override, path) : VL_EIO;
    free(path);
    free(folder);
    return status;
}

static enum vl_status write_all(const struct vl_batch *batch,
                                const struct vl_class_verdict *verdicts, size_t count,
                                const char *course, const char *share)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < batch->overrides.count && status == VL_OK; i++) {
        const struct vl_override *override = &batch->overrides.list[i];
        if (vl_override_counts(override) && is_asked(batch, override->lab) &&
            vl_batch_verdict_of(verdicts, count, override->student, override->lab) == NULL)
            status = write_page(batch, override, course, share);
    }
    return status;
}

/* ---- removing ---- */

/* A page that was made of a verdict stays as long as the verdict does. */
static bool has_reason(const struct vl_batch *batch, const struct vl_kept_verdicts *kept,
                       const char *student, const struct vl_lab *lab)
{
    size_t at = 0;
    for (size_t i = 0; i < kept->count; i++)
        if (kept->list[i].lab == lab && strcasecmp(kept->list[i].student, student) == 0)
            return true;
    return vl_overrides_next(&batch->overrides, student, lab, &at) != NULL;
}

static enum vl_status remove_page(const struct vl_batch *batch, const char *student,
                                  const struct vl_lab *lab)
{
    char *path = page_path(batch, student, lab);
    if (path == NULL)
        return VL_ENOMEM;
    enum vl_status status = unlink(path) == 0 || errno == ENOENT ? VL_OK : VL_EIO;
    free(path);
    return status;
}

static enum vl_status remove_left_over(const struct vl_batch *batch)
{
    const struct vl_batch_request *request = batch->request;
    struct vl_kept_verdicts kept = {0};
    enum vl_status status =
        vl_kept_verdicts_find(&kept, request->out, request->labs, request->lab_count);
    for (size_t i = 0; i < batch->roster.count; i++)
        for (size_t k = 0; k < request->lab_count && status == VL_OK; k++)
            if (!has_reason(batch, &kept, batch->roster.students[i].id, request->labs[k]))
                status = remove_page(batch, batch->roster.students[i].id, request->labs[k]);
    vl_kept_verdicts_free(&kept);
    return status;
}

enum vl_status vl_batch_pages_decided(const struct vl_batch *batch,
                                      const struct vl_class_verdict *verdicts, size_t count,
                                      const char *course, const char *share)
{
    enum vl_status status = write_all(batch, verdicts, count, course, share);
    return status == VL_OK ? remove_left_over(batch) : status;
}
