#include "grade/diagnose/mistaken.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "grade/build/lab_files.h"
#include "grade/diagnose/edit.h"
#include "grade/mutants/schema.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum vl_status write_file(const char *folder, const char *name, const char *text)
{
    char *path = vl_path_join(folder, name);
    enum vl_status status = path != NULL ? vl_file_write(path, text, strlen(text)) : VL_ENOMEM;
    free(path);
    return status;
}

#define MUTANT "/mutant."

/* The file that has the function, with that mutant. VL_EINVAL if there is none. */
static enum vl_status mutate(char **text, size_t *file, const struct vl_reference *reference,
                             const char *function, unsigned number)
{
    struct vl_schema schema = {0};
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < reference->count && schema.text == NULL && status == VL_OK; i++) {
        vl_schema_free(&schema);
        status = vl_schema_make(&schema, reference->files[i].text, function);
        *file = i;
    }
    if (status == VL_OK && (schema.text == NULL || number > schema.count))
        status = VL_EINVAL;
    if (status == VL_OK && (*text = vl_schema_with(&schema, number)) == NULL)
        status = VL_ENOMEM;
    vl_schema_free(&schema);
    return status;
}

/* The same by name: "vl_rmsnorm_forward/mutant.17". */
static enum vl_status mutate_named(char **text, size_t *file, const struct vl_reference *reference,
                                   const char *name)
{
    const char *number = strstr(name, MUTANT);
    char *function = strndup(name, (size_t)(number - name));
    if (function == NULL)
        return VL_ENOMEM;
    enum vl_status status = mutate(text, file, reference, function,
                                   (unsigned)strtoul(number + strlen(MUTANT), NULL, 10));
    free(function);
    return status;
}

/* With this mistake, or the one that is made by machine and has this name; both may be NULL. */
static enum vl_status write_all(const char *folder, const struct vl_lab *lab,
                                const struct vl_mistake *mistake, const char *mutant,
                                const char *student, char **problem)
{
    struct vl_reference reference;
    char *text = NULL;
    size_t wrong = SIZE_MAX;
    if (vl_reference_is_compiled()) {
        *problem =
            strdup(_("A handout has the reference only as compiled files, and these cannot be "
                     "changed: grade it with `--reference` alone."));
        return VL_EINVAL;
    }
    enum vl_status status = vl_reference_read(&reference, lab, student);
    if (status != VL_OK)
        return status;
    if (mistake != NULL)
        status = vl_mistake_apply(&text, &wrong, mistake, &reference, problem);
    else if (mutant != NULL)
        status = mutate_named(&text, &wrong, &reference, mutant);
    if (status == VL_OK && mkdir(folder, 0700) != 0)
        status = VL_EIO;
    for (size_t i = 0; i < reference.count && status == VL_OK; i++)
        status = write_file(folder, reference.files[i].name,
                            i == wrong ? text : reference.files[i].text);
    if (status == VL_OK)
        status = vl_lab_headers_copy(folder, lab);
    free(text);
    vl_reference_free(&reference);
    return status;
}

enum vl_status vl_mistaken_write(const char *folder, const struct vl_lab *lab, const char *name,
                                 const char *student, char **problem)
{
    if (name == NULL || vl_reference_is_compiled())
        return write_all(folder, lab, NULL, NULL, student, problem);
    if (strstr(name, MUTANT) != NULL) {
        enum vl_status made = write_all(folder, lab, NULL, name, student, problem);
        if (made == VL_EINVAL && *problem == NULL)
            *problem = vl_text_format(_("Lab %1$02d has no mutant `%2$s`."), lab->number, name);
        return made;
    }
    struct vl_mistakes mistakes;
    enum vl_status status = vl_mistakes_read(&mistakes, lab, problem);
    if (status != VL_OK)
        return status == VL_ENOMEM ? status : VL_EINVAL;
    const struct vl_mistake *mistake = vl_mistake_named(&mistakes, name);
    char *why = NULL;
    if (mistake != NULL)
        status = write_all(folder, lab, mistake, NULL, student, &why);
    else
        status = VL_EINVAL;
    int written = 0;
    if (mistake == NULL)
        written = asprintf(problem,
                           _("Lab %1$02d has no mistake `%2$s`: its mistakes are the files "
                             "FUNCTION/CODE in %3$s/mistakes."),
                           lab->number, name, lab->folder);
    else if (why != NULL)
        written = asprintf(problem, "%s: %s", name, why);
    if (written < 0)
        *problem = NULL;
    free(why);
    vl_mistakes_free(&mistakes);
    return status;
}
