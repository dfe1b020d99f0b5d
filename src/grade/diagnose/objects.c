#include "grade/diagnose/objects.h"

#include "base/fingerprint.h"
#include "base/path.h"
#include "base/place.h"
#include "base/words.h"
#include "grade/build/lab_files.h"
#include "grade/diagnose/cache.h"
#include "grade/diagnose/edit.h"
#include "grade/mutants/c_function.h"
#include "sandbox/interrupt.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT_ONCE    2
#define MOST_BYTES (64u << 20)

/* The name of a file that belongs to an object. */
struct name {
    char text[32];
};

static struct name name_of(const struct vl_object *object, const char *ending)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%016llx%s", (unsigned long long)object->hash, ending);
    return name;
}

/* ---- what an object is made from ---- */

static enum vl_status look_around(struct vl_objects *objects)
{
    char *flags = vl_toolchain_flags(0);
    char *contracts = vl_path_join(objects->toolchain->folder, "vialata");
    enum vl_status status = flags && contracts ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_lab_headers_copy(objects->folder, objects->toolchain->lab);
    if (status == VL_OK) {
        uint64_t hash = vl_fingerprint(VL_FINGERPRINT, flags, strlen(flags));
        hash = vl_headers_fingerprint(hash, contracts);
        objects->surroundings = vl_headers_fingerprint(hash, objects->folder);
    }
    free(flags);
    free(contracts);
    return status;
}

enum vl_status vl_objects_open(struct vl_objects *objects, const struct vl_toolchain *toolchain,
                               const struct vl_sandbox *sandbox, const char *scratch, size_t most)
{
    *objects = (struct vl_objects){.toolchain = toolchain,
                                   .sandbox = sandbox,
                                   .cache = vl_cache_folder(),
                                   .list = calloc(most, sizeof *objects->list)};
    enum vl_status status = vl_scratch_folder(&objects->folder, scratch, "mistakes");
    if (objects->list == NULL)
        return VL_ENOMEM;
    return status == VL_OK ? look_around(objects) : status;
}

static struct vl_object *find(const struct vl_objects *objects, uint64_t hash)
{
    for (size_t i = 0; i < objects->count; i++)
        if (objects->list[i].hash == hash)
            return &objects->list[i];
    return NULL;
}

static struct vl_object *add(struct vl_objects *objects, size_t file, const char *text,
                             uint64_t hash)
{
    struct vl_object *fresh = &objects->list[objects->count++];
    *fresh = (struct vl_object){.file = file, .text = strdup(text), .hash = hash};
    fresh->path = vl_path_join(objects->folder, name_of(fresh, ".o").text);
    return fresh;
}

enum vl_status vl_objects_add_compiled(struct vl_object **object, struct vl_objects *objects,
                                       size_t file, const char *outline, uint64_t hash)
{
    *object = find(objects, hash);
    if (*object == NULL)
        *object = add(objects, file, outline, hash);
    (*object)->compiled = true;
    return (*object)->path != NULL && (*object)->text != NULL ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_objects_add(struct vl_object **object, struct vl_objects *objects, size_t file,
                              const char *text)
{
    uint64_t hash = vl_fingerprint(objects->surroundings, text, strlen(text));
    if ((*object = find(objects, hash)) != NULL)
        return VL_OK;
    struct vl_object *fresh = *object = add(objects, file, text, hash);
    FILE *out = vl_scratch_begin(objects->folder, name_of(fresh, ".c").text);
    if (out != NULL)
        fputs(text, out);
    enum vl_status status = vl_scratch_end(out);
    return fresh->path != NULL && fresh->text != NULL ? status : VL_ENOMEM;
}

/* ---- compiling ---- */

/* -Dvl_f=vl_f__<hash> for every function that the file gives to others. */
static void put_renaming_flags(struct vl_words *flags, const struct vl_object *object)
{
    struct vl_c_function f;
    for (const char *at = object->text; vl_c_function_next(&f, at); at = f.end)
        if (!f.is_static)
            vl_words_add(flags, "-D%.*s=%.*s__%016llx", (int)f.length, f.name, (int)f.length,
                         f.name, (unsigned long long)object->hash);
}

/* A compiler at work. It writes where the sandbox's user may; the object is taken from there. */
struct compiling {
    struct vl_process process;
    struct vl_object *object; /* NULL: none is at work */
    char *made;
};

static enum vl_status start(struct compiling *c, const struct vl_objects *objects,
                            struct vl_object *object)
{
    struct vl_words flags = {0};
    vl_words_add(&flags, "-O1"); /* half the time of -O3, and the same numbers */
    vl_words_add(&flags, "-g0");
    vl_words_add(&flags, "-w");
    put_renaming_flags(&flags, object);
    *c = (struct compiling){.process = {.pipe = -1},
                            .made =
                                vl_path_join(objects->sandbox->folder, name_of(object, ".o").text)};
    enum vl_status status = !flags.failed && c->made != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status =
            vl_toolchain_compile(&c->process, objects->toolchain, objects->sandbox, objects->folder,
                                 name_of(object, ".c").text, c->made, flags.list);
    if (status == VL_OK)
        c->object = object;
    else
        free(c->made);
    vl_words_free(&flags);
    return status;
}

static void finish(struct compiling *c, const struct vl_objects *objects)
{
    if (c->object == NULL)
        return;
    vl_toolchain_wait(&c->process);
    c->object->made =
        c->process.exit == 0 && vl_scratch_copy(c->object->path, c->made, MOST_BYTES) == VL_OK;
    if (c->object->made)
        vl_cache_keep(objects->cache, name_of(c->object, ".o").text, c->object->path);
    unlink(c->made);
    free(c->made);
    vl_process_free(&c->process);
    c->object = NULL;
}

/* Is it here without compiling anything? Else it must be compiled. */
static bool take(const struct vl_objects *objects, const struct vl_object *object)
{
    if (!object->compiled)
        return vl_cache_take(object->path, objects->cache, name_of(object, ".o").text);
    char *folder = vl_place_path("precompiled", objects->toolchain->lab->folder);
    char *from = folder != NULL ? vl_path_join(folder, name_of(object, ".o").text) : NULL;
    bool taken = from != NULL && vl_scratch_copy(object->path, from, MOST_BYTES) == VL_OK;
    free(from);
    free(folder);
    return taken;
}

/* Two at a time: while we wait for one, the other goes on. */
enum vl_status vl_objects_compile(struct vl_objects *objects, double until)
{
    struct compiling running[AT_ONCE] = {0};
    enum vl_status status = VL_OK;
    size_t turn = 0;
    for (size_t i = 0; i < objects->count && status == VL_OK; i++) {
        struct vl_object *object = &objects->list[i];
        object->made = take(objects, object);
        if (object->made || object->compiled || vl_interrupt_seen() || vl_clock() > until)
            continue;
        finish(&running[turn], objects);
        status = start(&running[turn], objects, object);
        turn = (turn + 1) % AT_ONCE;
    }
    for (size_t i = 0; i < AT_ONCE; i++)
        finish(&running[i], objects);
    return status;
}

void vl_objects_close(struct vl_objects *objects)
{
    for (size_t i = 0; i < objects->count; i++) {
        free(objects->list[i].text);
        free(objects->list[i].path);
    }
    free(objects->list);
    vl_scratch_remove(
        objects->folder); /* it holds the reference, and the submission may run again */
    free(objects->folder);
    free(objects->cache);
    *objects = (struct vl_objects){0};
}
