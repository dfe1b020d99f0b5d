#include "grade/build/sources.h"

#include "base/path.h"
#include "grade/build/build.h"
#include "grade/build/lab_files.h"
#include "grade/sandbox/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct vl_source *vl_sources_find(const struct vl_build *build, const char *name)
{
    for (size_t i = 0; i < build->source_count; i++)
        if (strcmp(build->sources[i].name, name) == 0)
            return (struct vl_source *)&build->sources[i];
    return NULL;
}

/* Take a file under its name, or remember that it is not there. */
static enum vl_status take_file(struct vl_build *build, const struct vl_sandbox *sandbox,
                                const char *from, const char *name)
{
    struct vl_source *source = vl_sources_find(build, name);
    if (source == NULL && build->source_count == VL_SOURCES)
        return VL_OK;
    if (source == NULL) {
        source = &build->sources[build->source_count++];
        source->name = strdup(name);
        if (asprintf(&source->object, "%s/%s.o", sandbox->folder, name) < 0)
            source->object = NULL;
    }
    char *to = vl_path_join(build->folder, name);
    if (from == NULL || to == NULL || source->name == NULL || source->object == NULL) {
        free(to);
        return VL_ENOMEM;
    }
    enum vl_status status = vl_scratch_copy(to, from, VL_SOURCE_BYTES);
    free(to);
    if (status == VL_OK)
        source->state = VL_SOURCE_COMPILED; /* until the compiler says otherwise */
    else if (status == VL_EFORMAT || errno == EACCES)
        source->state = VL_SOURCE_REFUSED;
    else if (errno != ENOENT && errno != ENOTDIR)
        return VL_EIO;
    return VL_OK;
}

static enum vl_status copy_folder(struct vl_build *build, const struct vl_sandbox *sandbox,
                                  const char *path)
{
    enum vl_status status = VL_OK;
    for (const char *const *file = build->toolchain.lab->files; status == VL_OK && *file != NULL;
         file++) {
        char *from = vl_path_join(path, *file);
        status = take_file(build, sandbox, from, *file);
        free(from);
    }
    (void)vl_headers_copy(build->folder, path);
    return status;
}

static enum vl_status copy_submission(struct vl_build *build, const struct vl_sandbox *sandbox,
                                      const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return VL_EINVAL;
    enum vl_status status;
    if (S_ISDIR(info.st_mode)) {
        status = copy_folder(build, sandbox, path);
    } else {
        const char *slash = strrchr(path, '/');
        const char *name = slash != NULL ? slash + 1 : path;
        const char *dot = strrchr(name, '.');
        if (dot == NULL || strcmp(dot, ".c") != 0)
            return VL_EINVAL;
        status = take_file(build, sandbox, path, name);
    }
    for (size_t i = 0; i < build->source_count && status == VL_OK; i++)
        if (build->sources[i].state != VL_SOURCE_ABSENT)
            return VL_OK;
    return status == VL_OK ? VL_EINVAL : status;
}

/* Given code that the submission does not bring. */
static enum vl_status copy_given(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    const struct vl_lab *lab = build->toolchain.lab;
    enum vl_status status = VL_OK;
    for (const char *const *file = lab->files; status == VL_OK && *file != NULL; file++) {
        const struct vl_source *source = vl_sources_find(build, *file);
        if (source != NULL && source->state != VL_SOURCE_ABSENT)
            continue;
        int given;
        char *from = vl_reference_path(lab, *file, &given);
        if (given)
            status = take_file(build, sandbox, from, *file);
        free(from);
    }
    return status;
}

enum vl_status vl_sources_copy(struct vl_build *build, const struct vl_sandbox *sandbox,
                               const char *path)
{
    enum vl_status status = copy_submission(build, sandbox, path);
    return status == VL_OK ? copy_given(build, sandbox) : status;
}
