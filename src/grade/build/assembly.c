#include "grade/build/assembly.h"

#include "base/path.h"
#include "base/place.h"
#include "base/words.h"
#include "grade/build/build.h"
#include "sandbox/interrupt.h"
#include "sandbox/objects/symbols.h"
#include "sandbox/sandbox.h"
#include "sandbox/scratch/scratch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is being put together. */
struct work {
    struct vl_assembly *assembly;
    const struct vl_target *target;
    struct vl_sandbox sandbox;
    struct vl_build *builds; /* one per lab */
    size_t count;
};

/* A file that is left out is broken here: a run trains with the whole lab or not at all. */
static bool compiles(const struct vl_build *build)
{
    for (size_t i = 0; i < build->source_count; i++)
        if (build->sources[i].state != VL_SOURCE_ABSENT &&
            build->sources[i].state != VL_SOURCE_COMPILED)
            return false;
    return true;
}

/* ---- names ---- */

/* Not the contracts ("vl_..."), nor the compiler's own ("_..."). */
static bool is_private(const struct vl_symbol *symbol)
{
    return symbol->global && symbol->length > 0 && symbol->name[0] != '_' &&
           strncmp(symbol->name, "vl_", 3) != 0;
}

/* One line per name, "old new", as objcopy reads it. Adds to *count how many. */
static enum vl_status write_private(size_t *count, const struct vl_build *build,
                                    const char *scratch)
{
    FILE *file = vl_scratch_begin(scratch, "names");
    for (size_t i = 0; i < build->source_count && file != NULL; i++)
        for (const char *line = build->sources[i].symbols; line != NULL;) {
            struct vl_symbol symbol;
            line = vl_symbols_next(&symbol, line);
            if (!is_private(&symbol))
                continue;
            fprintf(file, "%.*s %.*s.%s\n", symbol.length, symbol.name, symbol.length, symbol.name,
                    build->toolchain.lab->folder);
            ++*count;
        }
    return vl_scratch_end(file);
}

static enum vl_status write_phantoms(size_t *count, const struct vl_target *target,
                                     const char *scratch)
{
    char **names = vl_place_list(target->phantoms);
    FILE *file = names != NULL ? vl_scratch_begin(scratch, "phantoms") : NULL;
    enum vl_status status = names != NULL ? VL_OK : VL_ENOMEM;
    for (char **name = names; file != NULL && *name != NULL; name++, ++*count)
        fprintf(file, "%s\n", *name);
    if (status == VL_OK)
        status = vl_scratch_end(file);
    vl_place_list_free(names);
    return status;
}

/* What is changed in the objects of one lab. */
struct change {
    const char *scratch;  /* has the lists */
    size_t renamed, weak; /* how many names they have; objcopy refuses an empty list */
};

/* objcopy changes an object in place. */
static enum vl_status apply(const struct change *change, const char *object,
                            const struct vl_sandbox *sandbox)
{
    struct vl_words words = {0};
    struct vl_process objcopy = {.pipe = -1};
    vl_words_add(&words, "objcopy");
    if (change->renamed > 0)
        vl_words_add(&words, "--redefine-syms=%s/names", change->scratch);
    if (change->weak > 0)
        vl_words_add(&words, "--weaken-symbols=%s/phantoms", change->scratch);
    vl_words_add(&words, "%s", object);
    enum vl_status status = VL_ENOMEM;
    if (!words.failed)
        status = vl_process_run(&objcopy, sandbox, NULL, words.list, &vl_toolchain_limits);
    if (status == VL_OK && objcopy.exit != 0)
        status = VL_EIO;
    vl_process_free(&objcopy);
    vl_words_free(&words);
    return status;
}

/*
 * Give every global name in the build's objects that does not begin with "vl_" a name of this lab
 * ("square" becomes "square.01_training_step"), where it is defined and where it is used. What the
 * target defines itself becomes weak, so that the target's wins.
 */
static enum vl_status rename_apart(const struct vl_build *build, const char *scratch,
                                   const struct vl_sandbox *sandbox)
{
    char *objects[VL_SOURCES + 2];
    size_t count = vl_build_objects(build, objects);
    struct change change = {.scratch = scratch};
    enum vl_status status = write_private(&change.renamed, build, scratch);
    if (status == VL_OK)
        status = write_phantoms(&change.weak, build->toolchain.target, scratch);
    for (size_t i = 0; i < count && change.renamed + change.weak > 0 && status == VL_OK; i++)
        status = apply(&change, objects[i], sandbox);
    return status;
}

static bool has_variables(const struct vl_build *build)
{
    for (size_t i = 0; i < build->source_count; i++)
        if (vl_symbols_have_variable(build->sources[i].symbols))
            return true;
    return false;
}

/* ---- compiling and linking ---- */

/* Each lab has its own folders for sources and for objects, since files of two labs may share a
 * name. */
static enum vl_status compile(struct work *work, struct vl_build *build, const struct vl_lab *lab,
                              const char *path)
{
    struct vl_assembly *assembly = work->assembly;
    struct vl_sandbox apart = work->sandbox;
    char *folder;
    enum vl_status status = vl_scratch_folder(&folder, assembly->scratch, lab->folder);
    apart.folder = vl_path_join(work->sandbox.folder, lab->folder);
    if (status == VL_OK && (apart.folder == NULL || mkdir(apart.folder, 0700) != 0))
        status = apart.folder == NULL ? VL_ENOMEM : VL_EIO;
    if (status == VL_OK)
        status = vl_sandbox_give(&apart, apart.folder);
    if (status == VL_OK)
        status = vl_build_compile(build, work->target, lab, path, folder, &apart, 0);
    int usable = status == VL_OK && compiles(build);
    assembly->has_variables |= usable && has_variables(build);
    if (usable && !vl_interrupt_seen())
        status = rename_apart(build, folder, &apart);
    if (status == VL_EINVAL || (status == VL_OK && !usable)) { /* no file at all, or a broken one */
        status = VL_OK;
        assembly->broken = lab;
        assembly->words = build->words;
        build->words = NULL;
    }
    int why = errno;
    free(apart.folder);
    free(folder);
    errno = why;
    return status;
}

static enum vl_status join(struct work *work, const struct vl_lab *const *labs)
{
    struct vl_assembly *assembly = work->assembly;
    struct vl_toolchain *toolchain =
        &work->builds[0].toolchain; /* any of them: the program is added to it */
    char **objects = calloc(work->count * (VL_SOURCES + 2), sizeof *objects);
    enum vl_status status =
        objects != NULL ? vl_toolchain_add_program(toolchain, labs, work->count) : VL_ENOMEM;
    size_t n = 0;
    for (size_t i = 0; status == VL_OK && i < work->count; i++)
        n += vl_build_objects(&work->builds[i], objects + n);
    if (status == VL_OK)
        status = vl_toolchain_link(&assembly->program, &assembly->words, toolchain, &work->sandbox,
                                   assembly->scratch, work->target->name, objects);
    if (assembly->words != NULL) {
        vl_scratch_shorten(assembly->words, toolchain->folder);
        vl_scratch_shorten(assembly->words, work->sandbox.folder);
        vl_scratch_shorten(assembly->words, assembly->scratch);
    }
    free(objects);
    return status;
}

static enum vl_status put_together(struct work *work, const struct vl_lab *const *labs,
                                   const char *const *folders)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < work->count && status == VL_OK; i++) {
        if (work->assembly->broken != NULL || vl_interrupt_seen())
            return VL_OK;
        status = compile(work, &work->builds[i], labs[i], folders[i]);
    }
    if (status == VL_OK && work->assembly->broken == NULL && !vl_interrupt_seen())
        status = join(work, labs);
    return status;
}

enum vl_status vl_assembly_make(struct vl_assembly *assembly, const struct vl_target *target,
                                const struct vl_lab *const *labs, const char *const *folders,
                                size_t count)
{
    struct work work = {.assembly = assembly, .target = target, .count = count};
    *assembly = (struct vl_assembly){0};
    enum vl_status status = count > 0 ? vl_scratch_create(&assembly->scratch) : VL_EINVAL;
    if (status != VL_OK)
        return status;
    char *run = vl_path_join(assembly->scratch, "run");
    work.builds = calloc(count, sizeof *work.builds);
    status = run != NULL && work.builds != NULL ? vl_sandbox_open(&work.sandbox, run) : VL_ENOMEM;
    if (status == VL_OK)
        status = put_together(&work, labs, folders);
    int why = errno;
    vl_sandbox_close(&work.sandbox);
    for (size_t i = 0; work.builds != NULL && i < count; i++)
        vl_build_free(&work.builds[i]);
    free(work.builds);
    free(run);
    errno = why;
    return status;
}

void vl_assembly_remove(struct vl_assembly *assembly)
{
    vl_scratch_remove(assembly->scratch);
    free(assembly->scratch);
    assembly->scratch = NULL;
}

void vl_assembly_free(struct vl_assembly *assembly)
{
    vl_assembly_remove(assembly);
    free(assembly->program);
    free(assembly->words);
    *assembly = (struct vl_assembly){0};
}
