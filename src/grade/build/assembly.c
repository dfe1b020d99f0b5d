#include "grade/build/assembly.h"

#include "base/path.h"
#include "grade/build/build.h"
#include "grade/build/names_apart.h"
#include "grade/sandbox/interrupt.h"
#include "grade/sandbox/sandbox.h"
#include "grade/sandbox/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is being put together. */
struct work {
    struct vl_assembly *assembly;
    struct vl_sandbox sandbox;
    struct vl_build *builds; /* one a lab */
    size_t count;
};

static int compiles(const struct vl_build *build)
{
    for (size_t i = 0; i < build->source_count; i++)
        if (build->sources[i].state == VL_SOURCE_BROKEN ||
            build->sources[i].state == VL_SOURCE_REFUSED)
            return 0;
    return !build->defines_main;
}

/* A folder of our own for the sources, and one below the sandbox's for the objects: files of two
 * labs may share a name. */
static enum vl_status make_room(struct vl_sandbox *room, char **folder, const struct work *work,
                                const struct vl_lab *lab)
{
    *room = work->sandbox;
    room->folder = vl_path_join(work->sandbox.folder, lab->folder);
    enum vl_status status = vl_scratch_folder(folder, work->assembly->scratch, lab->folder);
    if (status != VL_OK || room->folder == NULL)
        return status != VL_OK ? status : VL_ENOMEM;
    return mkdir(room->folder, 0700) != 0 ? VL_EIO : vl_sandbox_give(&work->sandbox, room->folder);
}

static enum vl_status compile(struct work *work, struct vl_build *build, const struct vl_lab *lab,
                              const char *path)
{
    struct vl_sandbox room;
    char *folder;
    enum vl_status status = make_room(&room, &folder, work, lab);
    if (status == VL_OK)
        status = vl_build_compile(build, lab, path, folder, &room, 0);
    int usable = status == VL_OK && compiles(build);
    if (usable && !vl_interrupt_seen())
        status = vl_names_apart(build, folder, &room);
    if (status == VL_EINVAL || (status == VL_OK && !usable)) { /* no file at all, or a broken one */
        status = VL_OK;
        work->assembly->broken = lab;
        work->assembly->words = build->words;
        build->words = NULL;
    }
    int why = errno;
    free(room.folder);
    free(folder);
    errno = why;
    return status;
}

static enum vl_status join(struct work *work, const struct vl_lab *const *labs)
{
    struct vl_assembly *assembly = work->assembly;
    struct vl_toolchain *toolchain =
        &work->builds[0].toolchain; /* any of them: the trainer is added to it */
    char **objects = calloc(work->count * (VL_SOURCES + 2), sizeof *objects);
    enum vl_status status =
        objects != NULL ? vl_toolchain_add_trainer(toolchain, labs, work->count) : VL_ENOMEM;
    size_t n = 0;
    for (size_t i = 0; status == VL_OK && i < work->count; i++)
        n += vl_build_objects(&work->builds[i], objects + n);
    if (status == VL_OK)
        status = vl_toolchain_link(&assembly->program, &assembly->words, toolchain, &work->sandbox,
                                   assembly->scratch, "trainer", objects);
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

enum vl_status vl_assembly_make(struct vl_assembly *assembly, const struct vl_lab *const *labs,
                                const char *const *folders, size_t count)
{
    struct work work = {.assembly = assembly, .count = count};
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
