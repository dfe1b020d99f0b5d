#include "grade/build/recompile.h"

#include "base/path.h"
#include "grade/build/names.h"
#include "sandbox/interrupt.h"
#include "sandbox/objects/symbols.h"
#include "sandbox/scratch/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- compiling ---- */

/* A compiler at work on one file. */
struct compiling {
    struct vl_process process;
    bool runs;
};

static char *numbered(const char *folder, const char *before, size_t number)
{
    char name[64];
    snprintf(name, sizeof name, "%s%zu.o", before, number);
    return vl_path_join(folder, name);
}

static enum vl_status start(struct compiling *c, const struct vl_recompiled *r, size_t source)
{
    static char *const more[] = {(char *)"-fPIC", (char *)"-fsemantic-interposition", (char *)"-w",
                                 NULL};
    *c = (struct compiling){.process = {.pipe = -1}};
    enum vl_status status =
        vl_toolchain_compile(&c->process, &r->build->toolchain, &r->place, r->build->folder,
                             r->build->sources[source].name, r->objects[source], more);
    c->runs = status == VL_OK;
    return status;
}

/* Wait for it. False if it failed. */
static bool finish(struct compiling *c)
{
    if (!c->runs)
        return true;
    vl_toolchain_wait(&c->process);
    bool made = c->process.exit == 0;
    vl_process_free(&c->process);
    c->runs = false;
    return made;
}

/* What ran in the sandbox may have left something in its folder: here is another one. */
static enum vl_status open_place(struct vl_recompiled *r)
{
    r->place = *r->sandbox;
    enum vl_status status = vl_scratch_folder(&r->place.folder, r->folder, "place");
    return status == VL_OK ? vl_sandbox_give(r->sandbox, r->place.folder) : status;
}

/* Take an object that came compiled. */
static enum vl_status take(const struct vl_recompiled *r, size_t source)
{
    enum vl_status status =
        vl_scratch_copy(r->objects[source], r->build->sources[source].object, VL_OBJECT_BYTES);
    return status == VL_OK ? vl_sandbox_give(r->sandbox, r->objects[source]) : status;
}

/* Two at a time: while one is waited for, the other goes on. */
static enum vl_status compile_all(bool *made, struct vl_recompiled *r)
{
    struct compiling running[2] = {0};
    enum vl_status status = VL_OK;
    size_t turn = 0;
    *made = true;
    for (size_t i = 0; i < r->build->source_count && status == VL_OK && *made; i++) {
        const struct vl_source *source = &r->build->sources[i];
        if (source->state != VL_SOURCE_COMPILED || vl_interrupt_seen())
            continue;
        r->objects[i] = numbered(r->place.folder, "pic", i);
        if (r->objects[i] == NULL) {
            status = VL_ENOMEM;
            break;
        }
        if (source->came_compiled) {
            status = take(r, i);
            continue;
        }
        *made = finish(&running[turn]);
        status = start(&running[turn], r, i);
        turn = 1 - turn;
    }
    for (size_t i = 0; i < 2; i++)
        *made &= finish(&running[i]);
    vl_sandbox_sweep(&r->place);
    return status;
}

/* May it be linked, as build.c asks it of the first objects? */
static bool is_allowed(const struct vl_names *names, const char *file, const char *symbols,
                       uint64_t *variables)
{
    if (symbols == NULL || vl_symbols_have(symbols, "main"))
        return false;
    uint64_t bytes = vl_symbols_variable_bytes(symbols);
    if (bytes > VL_BUILD_VARIABLES - *variables)
        return false;
    *variables += bytes;
    struct vl_refusal refusal = vl_names_look(names, file, symbols);
    free(refusal.sentence);
    return refusal.code == NULL;
}

static enum vl_status look_inside(bool *allowed, const struct vl_recompiled *r)
{
    const char *objects[VL_SOURCES], *files[VL_SOURCES];
    char *symbols[VL_SOURCES] = {0};
    struct vl_names *names;
    uint64_t variables = 0;
    size_t count = 0;
    for (size_t i = 0; i < r->build->source_count; i++)
        if (r->objects[i] != NULL) {
            files[count] = r->build->sources[i].name;
            objects[count++] = r->objects[i];
        }
    enum vl_status status = vl_names_read(&names, r->build->toolchain.lab);
    if (status == VL_OK)
        status = vl_symbols_read_all(symbols, objects, count, &r->place);
    *allowed = status == VL_OK && count > 0;
    for (size_t i = 0; i < count; i++) {
        *allowed = *allowed && is_allowed(names, files[i], symbols[i], &variables);
        free(symbols[i]);
    }
    vl_names_free(names);
    return status;
}

/* To where the submission cannot change them. */
static enum vl_status take_over(struct vl_recompiled *r)
{
    enum vl_status status = vl_scratch_copy(r->fallback, r->build->fallback, VL_OBJECT_BYTES);
    for (size_t i = 0; i < r->build->source_count && status == VL_OK; i++) {
        char *ours = r->objects[i] != NULL ? numbered(r->folder, "submission", i) : NULL;
        if (r->objects[i] == NULL)
            continue;
        status = ours != NULL ? vl_scratch_copy(ours, r->objects[i], VL_OBJECT_BYTES) : VL_ENOMEM;
        unlink(r->objects[i]);
        free(r->objects[i]);
        r->objects[i] = ours;
    }
    return status;
}

enum vl_status vl_recompile(struct vl_recompiled *r)
{
    if (r->folder != NULL)
        return VL_OK;
    bool made = false, allowed = false;
    enum vl_status status = vl_scratch_folder(&r->folder, r->scratch, "substitutes");
    if (status == VL_OK && (r->fallback = vl_path_join(r->folder, "fallback.o")) == NULL)
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = open_place(r);
    if (status == VL_OK)
        status = compile_all(&made, r);
    if (status == VL_OK && made)
        status = look_inside(&allowed, r);
    if (status == VL_OK && allowed)
        status = take_over(r);
    r->usable = status == VL_OK && allowed;
    return status;
}

void vl_recompiled_free(struct vl_recompiled *r)
{
    for (size_t i = 0; i < VL_SOURCES; i++)
        free(r->objects[i]);
    free(r->fallback);
    free(r->place.folder);
    free(r->folder);
    *r = (struct vl_recompiled){0};
}
