/* A copy whose path names nobody: a verdict has the path of what was graded. */
#include "cli/class/batch.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/build/lab_files.h"
#include "grade/build/sources.h"
#include "sandbox/scratch/scratch.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What grading would not take is not copied either. */
static enum vl_status copy_files(const char *to, const struct vl_lab *lab, const char *from)
{
    enum vl_status status = VL_OK;
    for (const char *const *file = lab->files; *file != NULL && status == VL_OK; file++) {
        char *source = vl_path_join(from, *file), *target = vl_path_join(to, *file);
        if (source == NULL || target == NULL)
            status = VL_ENOMEM;
        else
            (void)vl_scratch_copy(target, source, VL_SOURCE_BYTES);
        free(source);
        free(target);
    }
    (void)vl_headers_copy(to, from);
    return status;
}

enum vl_status vl_batch_hide(const struct vl_batch *batch, struct vl_batch_task *task)
{
    struct stat info;
    char *folder = vl_text_format("%s/.unpacked/hidden/%s/%s", batch->request->out,
                                  task->item->student, task->lab->folder);
    enum vl_status status = folder != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && !vl_path_make_folders(folder))
        status = VL_EIO;
    if (status == VL_OK && stat(task->path, &info) == 0 && S_ISREG(info.st_mode)) {
        char *file = vl_path_join(folder, "submission.c");
        status = file != NULL ? vl_scratch_copy(file, task->path, VL_SOURCE_BYTES) : VL_ENOMEM;
        free(folder);
        folder = file;
    } else if (status == VL_OK)
        status = copy_files(folder, task->lab, task->path);
    if (status == VL_EFORMAT) {
        task->problem = vl_text_format(
            _("Its file is not taken: it must be a regular file of at most 1 MiB, not a link."));
        status = task->problem != NULL ? VL_OK : VL_ENOMEM;
    } else if (status == VL_OK) {
        free(task->path);
        task->path = folder;
        folder = NULL;
    }
    free(folder);
    return status;
}
