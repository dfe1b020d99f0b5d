#include "cli/workspace/merge.h"

#include "base/file.h"
#include "base/path.h"
#include "cli/workspace/git.h"
#include "sandbox/scratch/scratch.h"
#include <errno.h>
#include <stdlib.h>

static enum vl_status write_one(const char *folder, const char *name,
                                const struct vl_text_bytes *text)
{
    char *path = vl_path_join(folder, name);
    enum vl_status status = path != NULL ? vl_file_write(path, text->bytes, text->n) : VL_ENOMEM;
    free(path);
    return status;
}

enum vl_status vl_merge(struct vl_text_bytes *merged, const struct vl_text_bytes *mine,
                        const struct vl_text_bytes *base, const struct vl_text_bytes *theirs)
{
    const char *const words[] = {"merge-file", "-p", "mine", "base", "theirs", NULL};
    char *scratch = NULL;
    *merged = (struct vl_text_bytes){0};
    enum vl_status status = vl_scratch_create(&scratch);
    if (status != VL_OK)
        return status;
    status = write_one(scratch, "mine", mine);
    if (status == VL_OK)
        status = write_one(scratch, "base", base);
    if (status == VL_OK)
        status = write_one(scratch, "theirs", theirs);
    /* Its exit status is the number of contradictions. */
    if (status == VL_OK && vl_git(&merged->bytes, &merged->n, scratch, words) != 0) {
        free(merged->bytes);
        *merged = (struct vl_text_bytes){0};
    }
    int why = errno;
    vl_scratch_remove(scratch);
    free(scratch);
    errno = why;
    return status;
}
