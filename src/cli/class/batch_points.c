/* The points that count: after what was decided by hand, and after what being late costs. */
#include "cli/class/batch.h"

#include "base/path.h"
#include "base/text.h"
#include "class/book/points.h"
#include <math.h>
#include <stdlib.h>
#include <strings.h>

const struct vl_class_verdict *vl_batch_verdict_of(const struct vl_class_verdict *verdicts,
                                                   size_t count, const char *student,
                                                   const struct vl_lab *lab)
{
    for (size_t i = 0; i < count; i++)
        if (verdicts[i].lab == lab && strcasecmp(verdicts[i].student, student) == 0)
            return &verdicts[i];
    return NULL;
}

/* The score of a lab can be set by hand even for somebody who has no verdict. */
static void decide_without_verdict(struct vl_batch *batch, const struct vl_class_verdict *verdicts,
                                   size_t count)
{
    for (size_t i = 0; i < batch->overrides.count; i++) {
        const struct vl_override *override = &batch->overrides.list[i];
        if (!override->used &&
            vl_batch_verdict_of(verdicts, count, override->student, override->lab) == NULL)
            vl_overrides_apply_lab(&batch->overrides, override->student, override->lab, NULL);
    }
}

enum vl_status vl_batch_decide(struct vl_batch *batch, struct vl_class_verdict *verdicts,
                               size_t count)
{
    struct vl_overrides *overrides = &batch->overrides;
    enum vl_status status = vl_overrides_know(overrides, &batch->roster, &batch->intake);
    for (size_t i = 0; i < count && status == VL_OK; i++) {
        struct vl_class_verdict *one = &verdicts[i];
        vl_overrides_apply_cases(overrides, one->student, one->lab, &one->verdict);
        one->verdict.score *= one->lateness.kept;
        vl_overrides_apply_lab(overrides, one->student, one->lab, &one->verdict);
    }
    if (status == VL_OK) {
        decide_without_verdict(batch, verdicts, count);
        status =
            vl_overrides_tell_unused(overrides, batch->request->labs, batch->request->lab_count);
    }
    return status;
}

static enum vl_status add_without_verdict(struct vl_points *points, const struct vl_batch *batch,
                                          const struct vl_class_verdict *verdicts, size_t count)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < batch->overrides.count && status == VL_OK; i++) {
        const struct vl_override *override = &batch->overrides.list[i];
        const struct vl_verdict none = {.score = override->points, .max_score = 100};
        if (override->used && override->id[0] == '\0' && !isnan(override->points) &&
            vl_batch_verdict_of(verdicts, count, override->student, override->lab) == NULL)
            status = vl_points_add(points, override->student, override->lab, &none);
    }
    return status;
}

static enum vl_status write_lab(const struct vl_points *points, const struct vl_lab *lab,
                                const char *folder)
{
    char *path = vl_text_format("%s/%s.json", folder, lab->folder);
    enum vl_status status = path != NULL ? vl_points_write(points, lab, path) : VL_ENOMEM;
    free(path);
    return status;
}

enum vl_status vl_batch_points(const struct vl_batch *batch,
                               const struct vl_class_verdict *verdicts, size_t count)
{
    struct vl_points points = {0};
    char *folder = vl_path_join(batch->request->out, "points");
    enum vl_status status = folder != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && !vl_path_make_folders(folder))
        status = VL_EIO;
    for (size_t i = 0; i < count && status == VL_OK; i++)
        status = vl_points_add(&points, verdicts[i].student, verdicts[i].lab, &verdicts[i].verdict);
    if (status == VL_OK)
        status = add_without_verdict(&points, batch, verdicts, count);
    for (size_t k = 0; k < batch->request->lab_count && status == VL_OK; k++)
        status = write_lab(&points, batch->request->labs[k], folder);
    vl_points_free(&points);
    free(folder);
    return status;
}
