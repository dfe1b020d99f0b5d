#include "grade/build/sources.h"

#include "base/place.h"
#include "grade/build/build.h"
#include "grade/sandbox/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_HEADERS 32

struct vl_source *vl_sources_find(const struct vl_build *build, const char *name)
{
    for (size_t i = 0; i < build->source_count; i++)
        if (strcmp(build->sources[i].name, name) == 0)
            return (struct vl_source *)&build->sources[i];
    return NULL;
}

static enum vl_status add_source(struct vl_build *build, const struct vl_sandbox *sandbox,
                                 const char *from, const char *name)
{
    struct vl_source *source = &build->sources[build->source_count];
    if (build->source_count == VL_SOURCES)
        return VL_OK;
    char *to = vl_scratch_path(build->folder, name);
    *source = (struct vl_source){.name = strdup(name)};
    if (to == NULL || source->name == NULL ||
        asprintf(&source->object, "%s/%s.o", sandbox->folder, name) < 0) {
        free(to);
        free(source->name);
        *source = (struct vl_source){0};
        return VL_ENOMEM;
    }
    build->source_count++;
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

/* Own headers of a submission travel with it. */
static void copy_headers(const struct vl_build *build, const char *from)
{
    DIR *entries = opendir(from);
    struct dirent *entry;
    for (int copied = 0; entries != NULL && copied < MAX_HEADERS && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 2, ".h") != 0)
            continue;
        char *source = vl_scratch_path(from, entry->d_name);
        char *target = vl_scratch_path(build->folder, entry->d_name);
        if (source != NULL && target != NULL)
            copied += vl_scratch_copy(target, source, VL_SOURCE_BYTES) == VL_OK;
        free(source);
        free(target);
    }
    if (entries != NULL)
        closedir(entries);
}

static enum vl_status copy_folder(struct vl_build *build, const struct vl_sandbox *sandbox,
                                  const char *path)
{
    enum vl_status status = VL_OK;
    for (const char *const *file = build->toolchain.lab->files; status == VL_OK && *file != NULL;
         file++) {
        char *from = vl_scratch_path(path, *file);
        status = from != NULL ? add_source(build, sandbox, from, *file) : VL_ENOMEM;
        free(from);
    }
    copy_headers(build, path);
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
        status = add_source(build, sandbox, path, name);
    }
    size_t brought = 0;
    for (size_t i = 0; i < build->source_count; i++)
        brought += build->sources[i].state != VL_SOURCE_ABSENT;
    return status == VL_OK && brought == 0 ? VL_EINVAL : status;
}

/* The course's own text of a file that is given: it stands in labs/ and nowhere else, so what
 * solutions/ has too is to be written. NULL if the file is not given. */
static char *given_path(const struct vl_lab *lab, const char *name)
{
    char *below = vl_scratch_path(lab->folder, name);
    char *given = below != NULL ? vl_place_path("labs", below) : NULL;
    char *written = below != NULL ? vl_place_path("solutions", below) : NULL;
    if (given != NULL && (written == NULL || access(written, F_OK) == 0)) {
        free(given);
        given = NULL;
    }
    free(written);
    free(below);
    return given;
}

static enum vl_status copy_given_file(struct vl_build *build, const struct vl_sandbox *sandbox,
                                      const char *name)
{
    struct vl_source *source = vl_sources_find(build, name);
    if (source != NULL && source->state != VL_SOURCE_ABSENT)
        return VL_OK; /* the submission brings its own */
    char *from = given_path(build->toolchain.lab, name);
    if (from == NULL)
        return VL_OK;
    enum vl_status status = VL_OK;
    if (source == NULL) {
        status = add_source(build, sandbox, from, name);
    } else {
        char *to = vl_scratch_path(build->folder, name);
        status = to != NULL ? vl_scratch_copy(to, from, VL_SOURCE_BYTES) : VL_ENOMEM;
        if (status == VL_OK)
            source->state = VL_SOURCE_COMPILED;
        else if (errno == ENOENT)
            status = VL_OK;
        free(to);
    }
    free(from);
    return status;
}

static enum vl_status copy_given(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    enum vl_status status = VL_OK;
    for (const char *const *file = build->toolchain.lab->files; status == VL_OK && *file != NULL;
         file++)
        status = copy_given_file(build, sandbox, *file);
    return status;
}

enum vl_status vl_sources_copy(struct vl_build *build, const struct vl_sandbox *sandbox,
                               const char *path)
{
    enum vl_status status = copy_submission(build, sandbox, path);
    return status == VL_OK ? copy_given(build, sandbox) : status;
}
