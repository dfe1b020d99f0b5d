#include "report/verdict/read.h"

#include "base/json_file.h"
#include "base/text.h"
#include "grade/catalogue/lab.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <version.h>

#define SCHEMA "vialata.verdict/1"

static char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? strdup(text) : NULL;
}

static double real_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Which of the identifiers that 'code_of' gives is it? -1: none. */
#define FIND(name, code_of, last)                                                                  \
    static int name(const char *code)                                                              \
    {                                                                                              \
        for (int i = 0; code != NULL && i <= (last); i++)                                          \
            if (strcmp(code_of(i), code) == 0)                                                     \
                return i;                                                                          \
        return -1;                                                                                 \
    }
FIND(case_status, vl_case_status_code, VL_CASE_ERROR)
FIND(case_group, vl_case_group_code, VL_GROUP_BONUS)
FIND(verdict_status, vl_verdict_status_code, VL_VERDICT_ERROR)

/* Weak is told without its kind. */
static enum vl_isolation isolation_of(const char *code)
{
    if (code == NULL)
        return VL_ISOLATION_NONE;
    return strcmp(code, "strong") == 0 ? VL_ISOLATION_STRONG : VL_ISOLATION_USER;
}

static enum vl_status read_case(struct vl_verdict *verdict, const json_t *item)
{
    int status = case_status(json_string_value(json_object_get(item, "status")));
    int group = case_group(json_string_value(json_object_get(item, "group")));
    struct vl_case_result result = {
        .id = (char *)json_string_value(json_object_get(item, "id")),
        .function = (char *)json_string_value(json_object_get(item, "function")),
        .group = (enum vl_case_group)group,
        .ranks = (int)json_integer_value(json_object_get(item, "ranks")),
        .status = (enum vl_case_status)status,
        .points = real_of(item, "points"),
        .max_points = real_of(item, "max_points"),
        .code = (char *)json_string_value(json_object_get(item, "code")),
        .message = (char *)json_string_value(json_object_get(item, "message")),
        .detail = (char *)json_string_value(json_object_get(item, "detail")),
        .shown = (char *)json_string_value(json_object_get(item, "shown")),
        .replaced = (char *)json_string_value(json_object_get(item, "replaced")),
        .measured = real_of(item, "measured"),
        .bound = real_of(item, "bound"),
        .seconds = real_of(item, "seconds")};
    if (status < 0 || group < 0 || result.id == NULL || result.function == NULL ||
        !(result.points >= 0) || !(result.max_points >= result.points))
        return VL_EFORMAT;
    return vl_verdict_add(verdict, &result) != NULL ? VL_OK : VL_ENOMEM;
}

static void read_throughput(struct vl_throughput_summary *summary, const json_t *object)
{
    summary->ratio_median = real_of(object, "ratio_median");
    summary->pairs = (int)json_integer_value(json_object_get(object, "pairs"));
    double spread = real_of(object, "spread");
    summary->spread = isfinite(spread) ? spread : 0;
    summary->stable = json_is_true(json_object_get(object, "stable"));
}

static const char *ours(const char *name, const json_t *object, const char *here)
{
    const char *there = json_string_value(json_object_get(object, name));
    return there != NULL && strcmp(there, here) == 0 ? here : NULL;
}

static enum vl_status read_all(struct vl_verdict *verdict, const json_t *object)
{
    const char *schema = json_string_value(json_object_get(object, "schema"));
    const char *slug = json_string_value(json_object_get(object, "slug"));
    const struct vl_lab *lab = slug != NULL ? vl_lab_find(slug) : NULL;
    int status = verdict_status(json_string_value(json_object_get(object, "status")));
    const json_t *cases = json_object_get(object, "cases");
    if (schema == NULL || strcmp(schema, SCHEMA) != 0 || lab == NULL || status < 0 ||
        !json_is_array(cases))
        return VL_EFORMAT;
    const char *language = json_string_value(json_object_get(object, "language"));
    *verdict = (struct vl_verdict){
        .version = ours("version", object, VL_VERSION),
        .commit = ours("commit", object, VL_COMMIT),
        .machine = text_of(object, "machine"),
        .flags = text_of(object, "flags"),
        .lab = lab->number,
        .slug = lab->slug,
        .submission = text_of(object, "submission"),
        .submission_hash = text_of(object, "submission_hash"),
        .graded_at = text_of(object, "graded_at"),
        .seed = (uint64_t)json_integer_value(json_object_get(object, "seed")),
        .secret = json_is_true(json_object_get(object, "secret")),
        .student = text_of(object, "student"),
        .language = language != NULL ? vl_text_language_of(language) : NULL,
        .bytes_compared = json_is_boolean(json_object_get(object, "bytes_compared"))
                              ? json_is_true(json_object_get(object, "bytes_compared"))
                              : -1,
        .isolation = isolation_of(json_string_value(json_object_get(object, "isolation"))),
        .status = (enum vl_verdict_status)status,
        .score = real_of(object, "score"),
        .max_score = real_of(object, "max_score"),
        .message = text_of(object, "message"),
        .compiler = text_of(object, "compiler")};
    read_throughput(&verdict->throughput, json_object_get(object, "throughput"));
    enum vl_status result = VL_OK;
    for (size_t i = 0; i < json_array_size(cases) && result == VL_OK; i++)
        result = read_case(verdict, json_array_get(cases, i));
    return result;
}

enum vl_status vl_verdict_read(struct vl_verdict *verdict, const char *path)
{
    json_t *object;
    *verdict = (struct vl_verdict){0};
    enum vl_status status = vl_json_file_read(&object, path, VL_VERDICT_MOST_BYTES);
    if (status == VL_OK)
        status = read_all(verdict, object);
    json_decref(object);
    if (status != VL_OK)
        vl_verdict_free(verdict);
    return status;
}
