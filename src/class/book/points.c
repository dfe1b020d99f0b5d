#include "class/book/points.h"

#include "base/json_file.h"
#include "report/verdict/formats.h"
#include <stdlib.h>
#include <string.h>

#define SCHEMA "vialata.points/1"

/* ---- the list ---- */

static struct vl_student_points *add_student(struct vl_points *points, const char *student,
                                             const struct vl_lab *lab, size_t cases)
{
    if (points->count == points->capacity) {
        size_t more = 2 * points->capacity + 64;
        struct vl_student_points *list = realloc(points->list, more * sizeof *list);
        if (list == NULL)
            return NULL;
        points->list = list;
        points->capacity = more;
    }
    struct vl_student_points *added = &points->list[points->count++];
    *added = (struct vl_student_points){.student = strdup(student), .lab = lab};
    added->cases = calloc(cases + 1, sizeof *added->cases);
    return added->student != NULL && added->cases != NULL ? added : NULL;
}

static enum vl_status add_case(struct vl_student_points *student, const char *id, const char *code,
                               double points, double most)
{
    struct vl_case_points *added = &student->cases[student->case_count++];
    *added = (struct vl_case_points){.id = strdup(id), .points = points, .most = most};
    added->code = code != NULL ? strdup(code) : NULL;
    return added->id != NULL && (code == NULL || added->code != NULL) ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_points_add(struct vl_points *points, const char *student,
                             const struct vl_lab *lab, const struct vl_verdict *verdict)
{
    struct vl_student_points *added = add_student(points, student, lab, verdict->case_count);
    enum vl_status status = added != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK) {
        added->score = verdict->score;
        added->most = verdict->max_score;
    }
    for (size_t i = 0; i < verdict->case_count && status == VL_OK; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        status = add_case(added, result->id, result->code, result->points, result->max_points);
    }
    return status;
}

void vl_points_free(struct vl_points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        struct vl_student_points *student = &points->list[i];
        for (size_t k = 0; k < student->case_count; k++) {
            free(student->cases[k].id);
            free(student->cases[k].code);
        }
        free(student->cases);
        free(student->student);
    }
    free(points->list);
    *points = (struct vl_points){0};
}

/* ---- writing ---- */

static json_t *student_json(const struct vl_student_points *student)
{
    json_t *cases = json_array();
    for (size_t i = 0; i < student->case_count; i++) {
        const struct vl_case_points *c = &student->cases[i];
        json_array_append_new(cases,
                              json_pack("{so so so so}", "id", vl_json_text(c->id), "points",
                                        vl_json_real(c->points), "max_points",
                                        vl_json_real(c->most), "code", vl_json_text(c->code)));
    }
    return json_pack("{so so so so}", "student", vl_json_text(student->student), "score",
                     vl_json_real(student->score), "max_score", vl_json_real(student->most),
                     "cases", cases);
}

enum vl_status vl_points_write(const struct vl_points *points, const struct vl_lab *lab,
                               const char *path)
{
    json_t *students = json_array();
    for (size_t i = 0; i < points->count; i++)
        if (points->list[i].lab == lab)
            json_array_append_new(students, student_json(&points->list[i]));
    json_t *whole =
        json_pack("{ss ss so}", "schema", SCHEMA, "lab", lab->folder, "students", students);
    return vl_json_save(path, whole);
}

/* ---- reading ---- */

/* A number of points, or -1. */
static double points_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    double points = json_is_number(value) ? json_number_value(value) : -1;
    return points >= 0 && points <= 1e9 ? points : -1;
}

static enum vl_status read_case(struct vl_student_points *student, const json_t *item)
{
    const char *id = json_string_value(json_object_get(item, "id"));
    double points = points_of(item, "points"), most = points_of(item, "max_points");
    if (id == NULL || points < 0 || most < 0)
        return VL_EFORMAT;
    return add_case(student, id, json_string_value(json_object_get(item, "code")), points, most);
}

static enum vl_status read_student(struct vl_points *points, const struct vl_lab *lab,
                                   const json_t *item)
{
    const char *name = json_string_value(json_object_get(item, "student"));
    const json_t *cases = json_object_get(item, "cases");
    size_t count = json_array_size(cases);
    double score = points_of(item, "score"), most = points_of(item, "max_score");
    if (name == NULL || score < 0 || most < 0 || count > VL_POINTS_MOST_CASES)
        return VL_EFORMAT;
    struct vl_student_points *student = add_student(points, name, lab, count);
    enum vl_status status = student != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK) {
        student->score = score;
        student->most = most;
    }
    for (size_t i = 0; i < count && status == VL_OK; i++)
        status = read_case(student, json_array_get(cases, i));
    return status;
}

static enum vl_status read_all(struct vl_points *points, const json_t *whole)
{
    const char *schema = json_string_value(json_object_get(whole, "schema"));
    const char *name = json_string_value(json_object_get(whole, "lab"));
    const struct vl_lab *lab = name != NULL ? vl_lab_find(name) : NULL;
    const json_t *students = json_object_get(whole, "students");
    if (schema == NULL || strcmp(schema, SCHEMA) != 0 || lab == NULL || !json_is_array(students))
        return VL_EFORMAT;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < json_array_size(students) && status == VL_OK; i++)
        status = read_student(points, lab, json_array_get(students, i));
    return status;
}

enum vl_status vl_points_read(struct vl_points *points, const char *path)
{
    json_t *whole;
    enum vl_status status = vl_json_file_read(&whole, path, VL_POINTS_MOST_BYTES);
    if (status == VL_OK)
        status = read_all(points, whole);
    json_decref(whole);
    return status;
}
