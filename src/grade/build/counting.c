#include "grade/build/counting.h"

#include "base/path.h"
#include "base/place.h"
#include "sandbox/objects/symbols.h"
#include "sandbox/scratch/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILE (16u << 20)

/* ---- what is linked ---- */

/* The toolchain's objects and those that count. */
static enum vl_status add_counting(char ***objects, const struct vl_toolchain *toolchain)
{
    char **counting = vl_place_list(toolchain->target->objects);
    size_t own = 0, more = 0;
    while (toolchain->objects[own] != NULL)
        own++;
    while (counting != NULL && counting[more] != NULL)
        more++;
    *objects = calloc(own + more + 1, sizeof **objects);
    enum vl_status status = *objects == NULL || counting == NULL ? VL_ENOMEM
                            : more == 0                          ? VL_ELACK
                                                                 : VL_OK;
    for (size_t i = 0; status == VL_OK && i < own; i++)
        if (((*objects)[i] = strdup(toolchain->objects[i])) == NULL)
            status = VL_ENOMEM;
    for (size_t i = 0; status == VL_OK && i < more; i++) {
        const char *slash = strrchr(counting[i], '/');
        char *to = vl_path_join(toolchain->folder, slash != NULL ? slash + 1 : counting[i]);
        (*objects)[own + i] = to;
        status = to != NULL ? vl_scratch_copy(to, counting[i], MAX_FILE) : VL_ENOMEM;
    }
    vl_place_list_free(counting);
    return status;
}

/* What the linker says goes nowhere: the same objects were linked before. */
static enum vl_status link_one(char **program, const struct vl_toolchain *toolchain,
                               const struct vl_sandbox *sandbox, const char *scratch,
                               const char *name, char *const *objects)
{
    char *words = NULL;
    enum vl_status status =
        vl_toolchain_link(program, &words, toolchain, sandbox, scratch, name, objects);
    free(words);
    return status == VL_OK && *program == NULL ? VL_ELACK : status;
}

/* ---- what is seen ---- */

static bool is_counted(const char *name, size_t length)
{
    static const char *const counted[] = {"cblas_sgemm", "cblas_dgemm", "cblas_sgemv",
                                          "cblas_sger",  "cblas_sdot",  "cblas_saxpy"};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        if (strlen(counted[i]) == length && strncmp(counted[i], name, length) == 0)
            return true;
    return false;
}

/* Does a name look like one of BLAS, in C or in Fortran? */
static bool is_blas(const char *name, size_t length)
{
    return strncmp(name, "cblas_", strlen("cblas_")) == 0 ||
           memmem(name, length, "gemm", strlen("gemm")) != NULL ||
           memmem(name, length, "gemv", strlen("gemv")) != NULL;
}

static bool sees_all_of(const char *symbols)
{
    for (const char *line = symbols; line != NULL;) {
        struct vl_symbol symbol;
        line = vl_symbols_next(&symbol, line);
        size_t length = symbol.length > 0 ? (size_t)symbol.length : 0;
        if (symbol.wanted && is_blas(symbol.name, length) && !is_counted(symbol.name, length))
            return false;
    }
    return symbols != NULL;
}

static bool sees_all(const struct vl_build *build)
{
    for (size_t i = 0; i < build->source_count; i++)
        if (build->sources[i].state == VL_SOURCE_COMPILED &&
            !sees_all_of(build->sources[i].symbols))
            return false;
    return true;
}

enum vl_status vl_counting_link(struct vl_counting_programs *programs, const struct vl_build *build,
                                const char *scratch, const struct vl_sandbox *submissions,
                                const struct vl_sandbox *references)
{
    char *objects[VL_SOURCES + 2];
    struct vl_toolchain counting = build->toolchain;
    *programs = (struct vl_counting_programs){.sees_all = sees_all(build)};
    counting.target = &vl_target_counting;
    char **all = NULL;
    enum vl_status status = add_counting(&all, &counting);
    counting.objects = all;
    vl_build_objects(build, objects);
    if (status == VL_OK)
        status =
            link_one(&programs->submission, &counting, submissions, scratch, "counting", objects);
    if (status == VL_OK)
        status = link_one(&programs->reference, &counting, references, scratch, "counted", NULL);
    if (status == VL_OK && chmod(programs->reference, 0500) != 0)
        status = VL_EIO;
    if (status == VL_OK)
        status = vl_sandbox_give(references, programs->reference);
    vl_place_list_free(all);
    return status;
}

void vl_counting_free(struct vl_counting_programs *programs)
{
    free(programs->submission);
    free(programs->reference);
    *programs = (struct vl_counting_programs){0};
}
