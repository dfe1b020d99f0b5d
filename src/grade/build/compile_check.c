#include "grade/build/compile_check.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/build/build.h"
#include "sandbox/isolation.h"
#include <errno.h>
#include <stdlib.h>

static enum vl_status name_broken(struct vl_compile_check *check, const struct vl_build *build)
{
    for (size_t i = 0; i < build->source_count; i++) {
        const struct vl_source *source = &build->sources[i];
        if (source->state == VL_SOURCE_ABSENT || source->state == VL_SOURCE_COMPILED)
            continue;
        char *before = check->broken;
        check->broken = vl_text_format("%s%s%s", before != NULL ? before : "",
                                       before != NULL ? ", " : "", source->name);
        free(before);
        if (check->broken == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

enum vl_status vl_compile_check(struct vl_compile_check *check, const struct vl_lab *lab,
                                const char *folder, const char *scratch)
{
    struct vl_sandbox sandbox = {0};
    struct vl_build build = {0};
    char *run = vl_path_join(scratch, "run");
    *check = (struct vl_compile_check){0};
    enum vl_status status = run != NULL ? vl_sandbox_open(&sandbox, run) : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_isolation_choose(&sandbox, false);
    if (status == VL_OK)
        status = vl_build_compile(&build, &vl_target_runner, lab, folder, scratch, &sandbox, 0);
    if (status == VL_OK)
        status = name_broken(check, &build);
    check->words = build.words;
    build.words = NULL;
    int why = errno;
    vl_sandbox_close(&sandbox);
    vl_build_free(&build);
    free(run);
    errno = why;
    return status;
}

void vl_compile_check_free(struct vl_compile_check *check)
{
    free(check->broken);
    free(check->words);
    *check = (struct vl_compile_check){0};
}
