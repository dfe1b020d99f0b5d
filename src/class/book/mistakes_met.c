#include "class/book/mistakes_met.h"

#include "base/number.h"
#include "base/text.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_SHOWN 12 /* of students, in one cell */

struct met {
    const char *function, *code;
    size_t students;
    const char *last; /* student counted last, so that nobody counts twice */
    char *names;
};

static bool counts_as_mistake(const struct vl_case_result *result)
{
    return result->code != NULL && result->status != VL_CASE_PASSED &&
           result->status != VL_CASE_SKIPPED && result->status != VL_CASE_NOT_STARTED;
}

static enum vl_status note(struct met **list, size_t *count, const char *student,
                           const struct vl_case_result *result)
{
    struct met *met = NULL;
    for (size_t i = 0; i < *count && met == NULL; i++)
        if (strcmp((*list)[i].function, result->function) == 0 &&
            strcmp((*list)[i].code, result->code) == 0)
            met = &(*list)[i];
    if (met == NULL) {
        struct met *more = realloc(*list, (*count + 1) * sizeof *more);
        if (more == NULL)
            return VL_ENOMEM;
        *list = more;
        met = &more[(*count)++];
        *met = (struct met){result->function, result->code, 0, NULL, NULL};
    }
    if (met->last == student)
        return VL_OK;
    met->last = student;
    met->students++;
    if (met->students > NAMES_SHOWN + 1)
        return VL_OK;
    char *before = met->names;
    met->names = met->students > NAMES_SHOWN ? vl_text_format("%s, …", before)
                 : before == NULL            ? strdup(student)
                                             : vl_text_format("%s, %s", before, student);
    free(before);
    return met->names != NULL ? VL_OK : VL_ENOMEM;
}

static int by_students(const void *left, const void *right)
{
    const struct met *a = left, *b = right;
    return (a->students < b->students) - (a->students > b->students);
}

static void put_met(struct vl_page *page, const struct met *list, size_t count)
{
    const char *const heads[] = {_("Function"), _("Mistake"), _("Students"), _("Who")};
    if (count == 0)
        return;
    vl_page_table_of_words(page, _("Which mistakes were made, and by whom"), heads, 4);
    for (size_t i = 0; i < count; i++) {
        char students[VL_NUMBER_TEXT];
        snprintf(students, sizeof students, "%zu", list[i].students);
        const char *const cells[] = {list[i].function, list[i].code, students, list[i].names};
        vl_page_row(page, cells, 4);
    }
    vl_page_end_table(page);
}

enum vl_status vl_mistakes_put(struct vl_page *page, const struct vl_class_verdict *const *list,
                               size_t count)
{
    struct met *met = NULL;
    size_t met_count = 0;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < list[i]->verdict.case_count && status == VL_OK; k++) {
            const struct vl_case_result *result = &list[i]->verdict.cases[k];
            if (counts_as_mistake(result))
                status = note(&met, &met_count, list[i]->student, result);
        }
    if (status == VL_OK && met_count > 0) {
        qsort(met, met_count, sizeof *met, by_students);
        put_met(page, met, met_count);
    }
    for (size_t i = 0; i < met_count; i++)
        free(met[i].names);
    free(met);
    return status;
}
