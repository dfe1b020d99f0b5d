#include "class/book/hard.h"

#include "base/json_file.h"
#include "grade/catalogue/case.h"
#include "report/verdict/formats.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA     "vialata.hard/1"
#define MOST_BYTES ((size_t)1 << 16)

/* ---- counting ---- */

/* The number of the function that a case asks; that of no function for one that is timed. */
static size_t function_of(const struct vl_lab *lab, const char *id)
{
    const struct vl_lab_cases *all = vl_lab_cases(lab);
    const char *name = NULL;
    for (size_t i = 0; i < all->case_count && name == NULL; i++)
        if (strcmp(all->cases[i].id, id) == 0)
            name = all->cases[i].function;
    size_t k = 0;
    while (k < lab->function_count && (name == NULL || strcmp(lab->functions[k].name, name) != 0))
        k++;
    return k;
}

static bool is_mistake(const struct vl_case_points *c)
{
    return c->code != NULL && c->points < c->most && strcmp(c->code, "not_started") != 0;
}

/* Each function once, however many of its cases failed. */
static void count_student(size_t *met, bool *seen, const struct vl_student_points *student)
{
    const struct vl_lab *lab = student->lab;
    memset(seen, 0, lab->function_count * sizeof *seen);
    for (size_t i = 0; i < student->case_count; i++) {
        size_t k = is_mistake(&student->cases[i]) ? function_of(lab, student->cases[i].id)
                                                  : lab->function_count;
        if (k < lab->function_count && !seen[k]) {
            seen[k] = true;
            met[k]++;
        }
    }
}

/* Put a function in its place, and forget the last if there are too many. */
static void rank(struct vl_hard *hard, const struct vl_lab_function *function, size_t met)
{
    size_t at = hard->count;
    while (at > 0 && hard->met[at - 1] < met)
        at--;
    if (at == VL_HARD_MOST)
        return;
    if (hard->count < VL_HARD_MOST)
        hard->count++;
    for (size_t i = hard->count - 1; i > at; i--) {
        hard->functions[i] = hard->functions[i - 1];
        hard->met[i] = hard->met[i - 1];
    }
    hard->functions[at] = function;
    hard->met[at] = met;
}

enum vl_status vl_hard_count(struct vl_hard *hard, const struct vl_points *points,
                             const struct vl_lab *lab)
{
    size_t *met = calloc(lab->function_count + 1, sizeof *met);
    bool *seen = calloc(lab->function_count + 1, sizeof *seen);
    *hard = (struct vl_hard){0};
    for (size_t i = 0; met != NULL && seen != NULL && i < points->count; i++)
        if (points->list[i].lab == lab) {
            hard->students++;
            count_student(met, seen, &points->list[i]);
        }
    for (size_t k = 0; met != NULL && seen != NULL && k < lab->function_count; k++)
        if (met[k] >= VL_HARD_LEAST)
            rank(hard, &lab->functions[k], met[k]);
    enum vl_status status = met != NULL && seen != NULL ? VL_OK : VL_ENOMEM;
    free(met);
    free(seen);
    return status;
}

/* ---- the file ---- */

enum vl_status vl_hard_write(const struct vl_hard *hard, const struct vl_lab *lab, const char *path)
{
    json_t *functions = json_array();
    for (size_t i = 0; i < hard->count; i++)
        json_array_append_new(functions, json_pack("{ss sI}", "name", hard->functions[i]->name,
                                                   "students", (json_int_t)hard->met[i]));
    json_t *whole = json_pack("{ss ss sI so}", "schema", SCHEMA, "lab", lab->folder, "students",
                              (json_int_t)hard->students, "functions", functions);
    return vl_json_save(path, whole);
}

/* Students, from VL_HARD_LEAST to 'most'; 0 for anything else. */
static size_t students_in(const json_t *object, size_t most)
{
    json_int_t value = json_integer_value(json_object_get(object, "students"));
    return value >= VL_HARD_LEAST && (uint64_t)value <= most ? (size_t)value : 0;
}

static enum vl_status read_whole(struct vl_hard *hard, const struct vl_lab *lab,
                                 const json_t *whole)
{
    const char *schema = json_string_value(json_object_get(whole, "schema"));
    const char *of = json_string_value(json_object_get(whole, "lab"));
    const json_t *functions = json_object_get(whole, "functions");
    size_t students = students_in(whole, 1000000);
    if (schema == NULL || strcmp(schema, SCHEMA) != 0 || of == NULL ||
        strcmp(of, lab->folder) != 0 || students == 0 || !json_is_array(functions))
        return VL_EFORMAT;
    hard->students = students;
    for (size_t i = 0; i < json_array_size(functions); i++) {
        const json_t *item = json_array_get(functions, i);
        const char *name = json_string_value(json_object_get(item, "name"));
        size_t met = students_in(item, students);
        if (name == NULL || met == 0)
            return VL_EFORMAT;
        for (size_t k = 0; k < lab->function_count;
             k++) /* one that the lab no longer has is nobody's */
            if (strcmp(lab->functions[k].name, name) == 0)
                rank(hard, &lab->functions[k], met);
    }
    return VL_OK;
}

enum vl_status vl_hard_read(struct vl_hard *hard, const struct vl_lab *lab, const char *path)
{
    json_t *whole;
    *hard = (struct vl_hard){0};
    enum vl_status status = vl_json_file_read(&whole, path, MOST_BYTES);
    if (status == VL_OK)
        status = read_whole(hard, lab, whole);
    json_decref(whole);
    if (status != VL_OK)
        *hard = (struct vl_hard){0};
    return status;
}
