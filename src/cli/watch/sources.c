#include "cli/watch/sources.h"

#include "base/file.h"
#include "base/fingerprint.h"
#include "base/function_text.h"
#include "base/path.h"
#include "grade/build/lab_files.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)4 << 20)

enum vl_status vl_sources_read(struct vl_sources *sources, const struct vl_lab *lab,
                               const char *folder)
{
    enum vl_status status = VL_ELACK;
    *sources = (struct vl_sources){.headers = vl_headers_fingerprint(VL_FINGERPRINT, folder)};
    for (size_t i = 0; lab->files[i] != NULL && i < VL_SOURCES_FILES; i++) {
        size_t n = 0;
        char *path = vl_path_join(folder, lab->files[i]);
        if (path != NULL && vl_file_read(&sources->texts[i], &n, path, MOST_BYTES) == VL_OK)
            status = VL_OK;
        free(path);
    }
    return status;
}

static bool is_same(const char *before, const char *now)
{
    return before == NULL || now == NULL ? before == now : strcmp(before, now) == 0;
}

/* A file without the functions of the lab that are in it. The caller frees it; NULL without memory. */
static char *rest_of(const char *text, const struct vl_lab *lab, const char *file)
{
    char *rest = strdup(text);
    for (size_t i = 0; rest != NULL && i < lab->function_count; i++) {
        size_t length = 0;
        if (lab->functions[i].file == NULL || strcmp(lab->functions[i].file, file) != 0)
            continue;
        char *found = (char *)vl_function_text(&length, rest, lab->functions[i].name);
        if (found != NULL)
            memmove(found, found + length, strlen(found + length) + 1);
    }
    return rest;
}

static bool is_same_rest(const char *before, const char *now, const struct vl_lab *lab,
                         const char *file)
{
    if (before == NULL || now == NULL)
        return false;
    char *old = rest_of(before, lab, file), *new = rest_of(now, lab, file);
    bool same = old != NULL && new != NULL &&strcmp(old, new) == 0;
    free(old);
    free(new);
    return same;
}

static bool is_same_function(const char *before, const char *now, const char *name)
{
    size_t old = 0, new = 0;
    if (before == NULL || now == NULL)
        return false;
    const char *left = vl_function_text(&old, before, name);
    const char *right = vl_function_text(&new, now, name);
    return left != NULL && right != NULL && old == new &&memcmp(left, right, new) == 0;
}

static void compare(bool changed[VL_SOURCES_FUNCTIONS], const struct vl_lab *lab, const char *file,
                    const char *before, const char *now)
{
    bool all = !is_same_rest(before, now, lab, file);
    for (size_t i = 0; i < lab->function_count && i < VL_SOURCES_FUNCTIONS; i++) {
        const struct vl_lab_function *function = &lab->functions[i];
        if (function->file != NULL && strcmp(function->file, file) == 0)
            changed[i] = all || !is_same_function(before, now, function->name);
    }
}

/* What asks for several functions together follows any of them. */
static void set_composed(bool of[VL_SOURCES_FUNCTIONS], const struct vl_lab *lab)
{
    bool any = false;
    for (size_t i = 0; i < lab->function_count && i < VL_SOURCES_FUNCTIONS; i++)
        any |= of[i];
    for (size_t i = 0; i < lab->function_count && i < VL_SOURCES_FUNCTIONS; i++)
        of[i] |= any && lab->functions[i].file == NULL;
}

const char *vl_sources_changed(bool changed[VL_SOURCES_FUNCTIONS], const struct vl_lab *lab,
                               const struct vl_sources *before, const struct vl_sources *now)
{
    const char *first = NULL;
    memset(changed, 0, VL_SOURCES_FUNCTIONS * sizeof *changed);
    for (size_t i = 0; lab->files[i] != NULL && i < VL_SOURCES_FILES; i++)
        if (!is_same(before->texts[i], now->texts[i])) {
            compare(changed, lab, lab->files[i], before->texts[i], now->texts[i]);
            first = first != NULL ? first : lab->files[i];
        }
    if (before->headers != now->headers) {
        memset(changed, 1, VL_SOURCES_FUNCTIONS * sizeof *changed);
        first = first != NULL ? first : "*.h";
    }
    set_composed(changed, lab);
    return first;
}

void vl_sources_written(bool written[VL_SOURCES_FUNCTIONS], const struct vl_lab *lab,
                        const struct vl_sources *given, const struct vl_sources *now)
{
    memset(written, 0, VL_SOURCES_FUNCTIONS * sizeof *written);
    for (size_t i = 0; i < lab->function_count && i < VL_SOURCES_FUNCTIONS; i++)
        for (size_t k = 0; lab->files[k] != NULL && k < VL_SOURCES_FILES; k++)
            if (lab->functions[i].file != NULL &&
                strcmp(lab->functions[i].file, lab->files[k]) == 0)
                written[i] =
                    !is_same_function(given->texts[k], now->texts[k], lab->functions[i].name);
    set_composed(written, lab);
}

void vl_sources_free(struct vl_sources *sources)
{
    for (size_t i = 0; i < VL_SOURCES_FILES; i++)
        free(sources->texts[i]);
    *sources = (struct vl_sources){0};
}
