#include "grade/build/sources.h"

#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "grade/build/build.h"
#include "grade/build/lab_files.h"
#include "sandbox/scratch/scratch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_SHOWN       8
#define MOST_OBJECT_BYTES ((size_t)64 << 20)

struct vl_source *vl_sources_find(const struct vl_build *build, const char *name)
{
    for (size_t i = 0; i < build->source_count; i++)
        if (strcmp(build->sources[i].name, name) == 0)
            return (struct vl_source *)&build->sources[i];
    return NULL;
}

/* The source of this name, a new one if there was none; NULL if there are too many. */
static struct vl_source *make_source(struct vl_build *build, const struct vl_sandbox *sandbox,
                                     const char *name)
{
    struct vl_source *source = vl_sources_find(build, name);
    if (source == NULL && build->source_count < VL_SOURCES) {
        source = &build->sources[build->source_count++];
        source->name = strdup(name);
        if (asprintf(&source->object, "%s/%s.o", sandbox->folder, name) < 0)
            source->object = NULL;
    }
    return source;
}

/* Take a file under its name, or remember that it is not there. */
static enum vl_status take_file(struct vl_build *build, const struct vl_sandbox *sandbox,
                                const char *from, const char *name)
{
    struct vl_source *source = make_source(build, sandbox, name);
    if (source == NULL)
        return VL_OK;
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

/* ---- what is not taken ---- */

/* Names for a sentence. The rest of a long list is dots. */
struct names {
    const char *folder;
    const char *copied; /* where headers went */
    char *text;
    size_t count;
};

static void add_name(struct names *names, const char *name)
{
    char *before = names->text;
    if (++names->count > NAMES_SHOWN + 1)
        return;
    names->text = vl_text_format("%s%s%s", before != NULL ? before : "", before != NULL ? ", " : "",
                                 names->count > NAMES_SHOWN ? "..." : name);
    free(before);
    for (char *c = names->text; c != NULL && *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
}

static bool is_code(const char *name)
{
    return vl_path_ends_in(name, ".c") || vl_path_ends_in(name, ".h");
}

static bool holds_code(const char *folder)
{
    DIR *entries = opendir(folder);
    bool found = false;
    for (struct dirent *entry; !found && entries != NULL && (entry = readdir(entries)) != NULL;)
        found = is_code(entry->d_name);
    if (entries != NULL)
        closedir(entries);
    return found;
}

static void look_at_header(struct names *names, const char *name)
{
    char *copied = vl_path_join(names->copied, name);
    if (vl_path_ends_in(name, ".h") && copied != NULL && access(copied, F_OK) != 0)
        add_name(names, name);
    free(copied);
}

/* A folder of data, or of git, is nobody's mistake. */
static void look_at_folder(struct names *names, const char *name)
{
    struct stat info;
    char *path = vl_path_join(names->folder, name);
    if (name[0] != '.' && path != NULL && lstat(path, &info) == 0 && S_ISDIR(info.st_mode) &&
        holds_code(path))
        add_name(names, name);
    free(path);
}

static void tell_left_out(struct vl_build *build, const struct vl_sandbox *sandbox,
                          const char *folder)
{
    struct names headers = {.folder = folder, .copied = build->folder}, folders = headers;
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        look_at_header(&headers, entries[i]->d_name);
        look_at_folder(&folders, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (headers.text != NULL)
        vl_build_add_sentence(
            build, sandbox,
            _("Headers that were not taken: %s. At most 100 are taken, and each must be a "
              "readable regular file of at most 1 MiB, not a link."),
            headers.text);
    if (folders.text != NULL)
        vl_build_add_sentence(
            build, sandbox,
            _("Files in these folders were not taken: %s. Put them next to the files of the lab."),
            folders.text);
    free(headers.text);
    free(folders.text);
}

/* ---- what is taken ---- */

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
    tell_left_out(build, sandbox, path);
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

/* Of the copies: what is graded, whatever happens to the submission meanwhile. */
static enum vl_status hash_copies(struct vl_build *build)
{
    struct vl_manifest manifest = {0};
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < build->source_count && status == VL_OK; i++)
        status = vl_manifest_add(&manifest, build->folder, build->sources[i].name);
    if (status == VL_OK)
        status = vl_manifest_add_headers(&manifest, build->folder);
    vl_manifest_close(&manifest);
    memcpy(build->hash, manifest.hash, sizeof build->hash);
    vl_manifest_free(&manifest);
    return status;
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
    if (status == VL_OK)
        status = hash_copies(build);
    return status == VL_OK ? copy_given(build, sandbox) : status;
}

/* ---- objects ---- */

static enum vl_status take_object(struct vl_build *build, const struct vl_sandbox *sandbox,
                                  const char *folder, const char *name)
{
    struct vl_source *source = make_source(build, sandbox, name);
    char *from = NULL;
    if (source == NULL)
        return VL_OK;
    if (source->name == NULL || source->object == NULL ||
        asprintf(&from, "%s/%s.o", folder, name) < 0)
        return VL_ENOMEM;
    enum vl_status status = vl_scratch_copy(source->object, from, MOST_OBJECT_BYTES);
    if (status == VL_EIO && errno == ENOENT)
        status = VL_ELACK;
    if (status == VL_OK)
        status = vl_sandbox_give(sandbox, source->object);
    source->state = VL_SOURCE_COMPILED;
    source->came_compiled = 1;
    free(from);
    return status;
}

enum vl_status vl_sources_take_compiled(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    const struct vl_lab *lab = build->toolchain.lab;
    char *folder = vl_place_path("precompiled", lab->folder);
    enum vl_status status = folder != NULL ? VL_OK : VL_ENOMEM;
    for (const char *const *file = lab->files; status == VL_OK && *file != NULL; file++)
        status = take_object(build, sandbox, folder, *file);
    free(folder);
    return status;
}
