#include "grade/diagnose/edit.h"
#include "grade/mutants/c_function.h"

#include "base/file.h"
#include "base/text.h"
#include "grade/build/lab_files.h"
#include "grade/catalogue/shapes.h"
#include "grade/diagnose/precompiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1u << 20)

/* ---- the reference ---- */

/* Give a predict.c the student's shapes. */
static enum vl_status put_shapes(struct vl_reference_file *file, const struct vl_lab *lab,
                                 const char *student)
{
    if (student == NULL || strcmp(file->name, VL_PREDICTION) != 0)
        return VL_OK;
    char *text = vl_shapes_written(file->text, lab, student);
    if (text == NULL)
        return VL_ENOMEM;
    free(file->text);
    file->text = text;
    return VL_OK;
}

enum vl_status vl_reference_read(struct vl_reference *reference, const struct vl_lab *lab,
                                 const char *student)
{
    enum vl_status status = VL_OK;
    size_t files = 0, bytes;
    int given;
    if (vl_reference_is_compiled())
        return vl_precompiled_reference(reference, lab, student);
    while (lab->files[files] != NULL)
        files++;
    *reference = (struct vl_reference){.files = calloc(files, sizeof *reference->files)};
    if (reference->files == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < files && status == VL_OK; i++) {
        struct vl_reference_file *file = &reference->files[i];
        char *path = vl_reference_path(lab, lab->files[i], &given);
        file->name = strdup(lab->files[i]);
        status = path != NULL && file->name != NULL
                     ? vl_file_read(&file->text, &bytes, path, MOST_BYTES)
                     : VL_ENOMEM;
        if (status == VL_OK)
            status = put_shapes(file, lab, student);
        reference->count++;
        free(path);
    }
    if (status != VL_OK)
        vl_reference_free(reference);
    return status;
}

void vl_reference_free(struct vl_reference *reference)
{
    for (size_t i = 0; i < reference->count; i++) {
        free(reference->files[i].name);
        free(reference->files[i].text);
    }
    free(reference->files);
    *reference = (struct vl_reference){0};
}

/* ---- a mistake in it ---- */

/* A piece of a file: a function, or what an edit replaces. */
struct span {
    size_t file;
    const char *start, *end;
};

static size_t find_function(struct span *span, const struct vl_reference *reference,
                            const char *name)
{
    struct vl_c_function function;
    size_t found = 0;
    for (size_t i = 0; i < reference->count; i++) {
        const char *text = reference->files[i].text;
        for (; vl_c_function_next(&function, text); text = function.end)
            if (function.length == strlen(name) &&
                strncmp(function.name, name, function.length) == 0) {
                *span = (struct span){i, function.start, function.end};
                found++;
            }
    }
    return found;
}

static size_t find_place(struct span *span, const struct vl_reference *reference, const char *name)
{
    for (size_t i = 0; i < reference->count; i++)
        if (strcmp(reference->files[i].name, name) == 0) {
            const char *text = reference->files[i].text;
            *span = (struct span){i, text, text + strlen(text)};
            return 1;
        }
    return find_function(span, reference, name);
}

/* How often whole lines occur in a span; *at is the last place. */
static size_t count_lines(const char **at, const struct span *span, const char *lines)
{
    size_t found = 0, length = strlen(lines);
    for (const char *line = span->start; line + length <= span->end;) {
        if (strncmp(line, lines, length) == 0) {
            *at = line;
            found++;
        }
        const char *next = strchr(line, '\n');
        if (next == NULL)
            break;
        line = next + 1;
    }
    return found;
}

static unsigned line_number(const char *text, const char *at)
{
    unsigned number = 1;
    for (; text < at; text++)
        number += *text == '\n';
    return number;
}

/* The place of an edit in the reference; a sentence about it if there is not exactly one. */
static enum vl_status find_edit(struct span *found, const struct vl_mistake_edit *edit,
                                const struct vl_reference *reference, char **problem)
{
    struct span span;
    const char *at = NULL;
    size_t places = find_place(&span, reference, edit->where);
    int written = 0;
    if (places != 1) {
        written = asprintf(problem, _("%1$s is defined %2$zu times in the reference, not once."),
                           edit->where, places);
    } else {
        size_t times = count_lines(&at, &span, edit->old_text);
        if (times == 1) {
            *found = (struct span){span.file, at, at + strlen(edit->old_text)};
            return VL_OK;
        }
        const struct vl_reference_file *file = &reference->files[span.file];
        written = asprintf(
            problem,
            _("The text that it replaces occurs %1$zu times in %2$s (%3$s, line %4$u onwards), not "
              "once: mend the mistake or the reference."),
            times, edit->where, file->name, line_number(file->text, span.start));
    }
    if (written < 0)
        *problem = NULL;
    return VL_EINVAL;
}

static int by_place(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

enum vl_status vl_mistake_apply(char **text, size_t *file, const struct vl_mistake *mistake,
                                const struct vl_reference *reference, char **problem)
{
    struct span spans[VL_MISTAKE_EDITS], sorted[VL_MISTAKE_EDITS];
    *text = *problem = NULL;
    for (size_t i = 0; i < mistake->edit_count; i++) {
        enum vl_status status = find_edit(&spans[i], &mistake->edits[i], reference, problem);
        if (status != VL_OK)
            return status;
        if (spans[i].file != spans[0].file) {
            *problem = strdup(_("Its edits are in two files; a mistake may change only one."));
            return VL_EINVAL;
        }
        sorted[i] = spans[i];
    }
    qsort(sorted, mistake->edit_count, sizeof *sorted, by_place);
    for (size_t i = 1; i < mistake->edit_count; i++)
        if (sorted[i].start < sorted[i - 1].end) {
            *problem = strdup(_("Two of its edits replace the same line; make them one edit."));
            return VL_EINVAL;
        }
    size_t bytes;
    FILE *out = open_memstream(text, &bytes);
    if (out == NULL)
        return VL_ENOMEM;
    const char *at = reference->files[spans[0].file].text;
    for (size_t i = 0; i < mistake->edit_count; i++) {
        size_t edit = 0;
        while (spans[edit].start != sorted[i].start)
            edit++;
        fwrite(at, 1, (size_t)(sorted[i].start - at), out);
        fputs(mistake->edits[edit].new_text, out);
        at = sorted[i].end;
    }
    fputs(at, out);
    *file = spans[0].file;
    return fclose(out) == 0 ? VL_OK : VL_ENOMEM;
}
