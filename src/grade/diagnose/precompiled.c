#include "grade/diagnose/precompiled.h"

#include "base/path.h"
#include "base/place.h"
#include "grade/catalogue/shapes.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *load_index(const struct vl_lab *lab)
{
    json_error_t error;
    char *folder = vl_place_path("precompiled", lab->folder);
    char *path = folder != NULL ? vl_path_join(folder, "index.json") : NULL;
    json_t *index = path != NULL ? json_load_file(path, 0, &error) : NULL;
    free(path);
    free(folder);
    return index;
}

static uint64_t hash_of(const json_t *entry)
{
    const char *text = json_string_value(json_object_get(entry, "object"));
    return text != NULL ? strtoull(text, NULL, 16) : 0;
}

/* Fresh; NULL if there is none, or without memory. */
static char *text_of(const json_t *entry, const char *key)
{
    const char *text = json_string_value(json_object_get(entry, key));
    return text != NULL ? strdup(text) : NULL;
}

/* ---- mistakes ---- */

static enum vl_status take_mistake(struct vl_mistake *mistake, const json_t *entry)
{
    *mistake = (struct vl_mistake){
        .function = text_of(entry, "function"),
        .name = text_of(entry, "name"),
        .code = text_of(entry, "code"),
        .also = text_of(entry, "also"),
        .sentence = text_of(entry, "sentence"),
        .witness = VL_WITNESS_OUTPUT,
        .file = (size_t)json_integer_value(json_object_get(entry, "file")),
        .compiled = hash_of(entry),
    };
    return mistake->function != NULL && mistake->name != NULL && mistake->code != NULL &&
                   mistake->also != NULL
               ? VL_OK
               : VL_ENOMEM;
}

enum vl_status vl_precompiled_mistakes(struct vl_mistakes *mistakes, const struct vl_lab *lab)
{
    json_t *index = load_index(lab), *list = json_object_get(index, "mistakes");
    size_t count = json_array_size(list);
    *mistakes = (struct vl_mistakes){.list = calloc(count + 1, sizeof *mistakes->list)};
    enum vl_status status = mistakes->list != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && count == 0)
        status = VL_ELACK;
    for (size_t i = 0; i < count && status == VL_OK; i++)
        status = take_mistake(&mistakes->list[mistakes->count++], json_array_get(list, i));
    json_decref(index);
    if (status != VL_OK)
        vl_mistakes_free(mistakes);
    return status;
}

/* ---- the reference ---- */

static enum vl_status take_file(struct vl_reference_file *file, const json_t *entry,
                                const struct vl_lab *lab, const char *student)
{
    *file = (struct vl_reference_file){.name = text_of(entry, "name"),
                                       .text = text_of(entry, "outline"),
                                       .compiled = hash_of(entry)};
    if (file->name == NULL || file->text == NULL)
        return VL_ENOMEM;
    /* A text without constants has the usual shapes. */
    if (strcmp(file->name, VL_PREDICTION) == 0 && !vl_shapes_agree("", lab, student))
        file->compiled = 0;
    return VL_OK;
}

enum vl_status vl_precompiled_reference(struct vl_reference *reference, const struct vl_lab *lab,
                                        const char *student)
{
    json_t *index = load_index(lab), *list = json_object_get(index, "files");
    size_t count = json_array_size(list);
    *reference = (struct vl_reference){.files = calloc(count + 1, sizeof *reference->files)};
    enum vl_status status = reference->files != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && count == 0)
        status = VL_ELACK;
    for (size_t i = 0; i < count && status == VL_OK; i++)
        status =
            take_file(&reference->files[reference->count++], json_array_get(list, i), lab, student);
    json_decref(index);
    if (status != VL_OK)
        vl_reference_free(reference);
    return status;
}
