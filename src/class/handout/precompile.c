#include "class/handout/precompile.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "grade/build/build.h"
#include "grade/build/lab_files.h"
#include "grade/diagnose/objects.h"
#include "grade/diagnose/precompiled.h"
#include "grade/mutants/c_function.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (64u << 20)

struct work {
    const char *folder; /* what is written */
    const struct vl_lab *lab;
    char *scratch;
    struct vl_sandbox sandbox;
    struct vl_build build; /* the reference, compiled as a submission is */
    struct vl_reference reference;
    struct vl_mistakes mistakes;
    struct vl_objects objects;
    json_t *files, *list; /* of the index; 'list' has the mistakes */
};

/* ---- the index ---- */

/* The functions that a file gives to others, as vl_c_function_next finds them. */
static char *outline_of(const char *text)
{
    char *outline = NULL;
    size_t bytes;
    struct vl_c_function f;
    FILE *out = open_memstream(&outline, &bytes);
    if (out == NULL)
        return NULL;
    for (; vl_c_function_next(&f, text); text = f.end)
        if (!f.is_static)
            fprintf(out, "\nvoid %.*s(void)\n{\n}\n", (int)f.length, f.name);
    if (fclose(out) != 0) {
        free(outline);
        outline = NULL;
    }
    return outline;
}

static json_t *hash_text(const struct vl_object *object)
{
    return json_sprintf("%016llx", (unsigned long long)object->hash);
}

static enum vl_status put_file(struct work *work, size_t i)
{
    const struct vl_reference_file *file = &work->reference.files[i];
    struct vl_object *object;
    char *outline = outline_of(file->text);
    enum vl_status status = outline != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_objects_add(&object, &work->objects, i, file->text);
    if (status == VL_OK &&
        json_array_append_new(work->files, json_pack("{ss ss so}", "name", file->name, "outline",
                                                     outline, "object", hash_text(object))) != 0)
        status = VL_ENOMEM;
    free(outline);
    return status;
}

/* Only outputs are compared, so other mistakes are never run. */
static enum vl_status put_mistake(struct work *work, const struct vl_mistake *mistake)
{
    struct vl_object *object;
    char *text, *problem;
    size_t file;
    if (mistake->witness != VL_WITNESS_OUTPUT)
        return VL_OK;
    enum vl_status status = vl_mistake_apply(&text, &file, mistake, &work->reference, &problem);
    free(problem);
    if (status == VL_EINVAL)
        return VL_OK; /* left out: the tests report those that do not apply */
    if (status == VL_OK)
        status = vl_objects_add(&object, &work->objects, file, text);
    if (status == VL_OK &&
        json_array_append_new(work->list,
                              json_pack("{ss ss ss ss ss* sI so}", "function", mistake->function,
                                        "name", mistake->name, "code", mistake->code, "also",
                                        mistake->also, "sentence", mistake->sentence, "file",
                                        (json_int_t)file, "object", hash_text(object))) != 0)
        status = VL_ENOMEM;
    free(text);
    return status;
}

static enum vl_status write_index(const struct work *work)
{
    char *path = vl_path_join(work->folder, "index.json");
    json_t *index = json_pack("{ss sO sO}", "schema", "vialata.precompiled/1", "files", work->files,
                              "mistakes", work->list);
    char *text = index != NULL ? json_dumps(index, JSON_INDENT(1)) : NULL;
    enum vl_status status =
        path != NULL && text != NULL ? vl_file_write(path, text, strlen(text)) : VL_ENOMEM;
    free(text);
    json_decref(index);
    free(path);
    return status;
}

/* ---- the objects ---- */

static enum vl_status copy(const struct work *work, const char *name, const char *from)
{
    char *to = NULL;
    if (asprintf(&to, "%s/%s.o", work->folder, name) < 0)
        return VL_ENOMEM;
    enum vl_status status = vl_scratch_copy(to, from, MOST_BYTES);
    free(to);
    return status;
}

static enum vl_status copy_objects(const struct work *work)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < work->objects.count && status == VL_OK; i++) {
        const struct vl_object *object = &work->objects.list[i];
        char name[32];
        snprintf(name, sizeof name, "%016llx", (unsigned long long)object->hash);
        if (object->made) /* one that does not compile is left out, as in variants.c */
            status = copy(work, name, object->path);
    }
    return status;
}

static enum vl_status compile_reference(struct work *work)
{
    char *solution = vl_place_path("solutions", work->lab->folder);
    enum vl_status status = solution != NULL
                                ? vl_build_compile(&work->build, &vl_target_runner, work->lab,
                                                   solution, work->scratch, &work->sandbox, 0)
                                : VL_ENOMEM;
    free(solution);
    if (status != VL_OK)
        return status == VL_EINVAL ? VL_ELACK : status;
    for (size_t i = 0; i < work->build.source_count && status == VL_OK && !vl_interrupt_seen();
         i++) {
        const struct vl_source *source = &work->build.sources[i];
        status = source->state == VL_SOURCE_COMPILED ? copy(work, source->name, source->object)
                                                     : VL_EINTERNAL;
    }
    return status;
}

static enum vl_status compile_mistakes(struct work *work)
{
    enum vl_status status =
        vl_objects_open(&work->objects, &work->build.toolchain, &work->sandbox, work->scratch,
                        work->reference.count + work->mistakes.count);
    for (size_t i = 0; i < work->reference.count && status == VL_OK; i++)
        status = put_file(work, i);
    for (size_t i = 0; i < work->mistakes.count && status == VL_OK; i++)
        status = put_mistake(work, &work->mistakes.list[i]);
    if (status == VL_OK)
        status = vl_objects_compile(&work->objects, HUGE_VAL);
    if (status == VL_OK && !vl_interrupt_seen())
        status = copy_objects(work);
    return status == VL_OK ? write_index(work) : status;
}

/* ---- the whole ---- */

static enum vl_status open_work(struct work *work)
{
    enum vl_status status = vl_scratch_create(&work->scratch);
    char *run = status == VL_OK ? vl_path_join(work->scratch, "run") : NULL;
    work->files = json_array();
    work->list = json_array();
    if (status == VL_OK && (run == NULL || work->files == NULL || work->list == NULL))
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = vl_sandbox_open(&work->sandbox, run);
    free(run);
    return status;
}

static void close_work(struct work *work)
{
    vl_objects_close(&work->objects);
    vl_mistakes_free(&work->mistakes);
    vl_reference_free(&work->reference);
    vl_build_free(&work->build);
    vl_sandbox_close(&work->sandbox);
    vl_scratch_remove(work->scratch);
    free(work->scratch);
    json_decref(work->files);
    json_decref(work->list);
}

enum vl_status vl_precompile(const char *folder, const struct vl_lab *lab, char **problem)
{
    struct work work = {.folder = folder, .lab = lab};
    *problem = NULL;
    enum vl_status status = vl_reference_is_compiled() ? VL_ELACK : open_work(&work);
    if (status == VL_OK)
        status = compile_reference(&work);
    if (status == VL_OK)
        status = vl_reference_read(&work.reference, lab, NULL);
    if (status == VL_OK) {
        status = vl_mistakes_read(&work.mistakes, lab, problem);
        status = status == VL_ELACK ? VL_OK : status; /* a lab may have none */
    }
    if (status == VL_OK && !vl_interrupt_seen())
        status = compile_mistakes(&work);
    close_work(&work);
    return status;
}
