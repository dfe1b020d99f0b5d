#include "report/verdict/formats.h"
#include "report/verdict/report.h"

#include "base/file.h"
#include "base/utf8.h"
#include <math.h>
#include <stdlib.h>

#define SCHEMA      "vialata.verdict/1"
#define REAL_DIGITS 12 /* 0.1 stays 0.1; nothing measured here has more */

json_t *vl_json_text(const char *text)
{
    if (text == NULL)
        return json_null();
    char *clean = vl_utf8_clean(text);
    json_t *value = clean != NULL ? json_string(clean) : NULL;
    free(clean);
    return value;
}

json_t *vl_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

enum vl_status vl_json_write(FILE *stream, json_t *value)
{
    if (value == NULL)
        return VL_ENOMEM;
    int failed = json_dumpf(value, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS));
    json_decref(value);
    return failed || fputc('\n', stream) == EOF ? VL_EIO : VL_OK;
}

enum vl_status vl_json_save(const char *path, json_t *value)
{
    struct vl_file_new file;
    enum vl_status status = value != NULL ? vl_file_begin(&file, path) : VL_ENOMEM;
    if (status == VL_OK)
        return vl_file_end(&file, vl_json_write(file.stream, value));
    json_decref(value);
    return status;
}

#define ON_A_LINE (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(REAL_DIGITS))

size_t vl_json_line_bytes(const json_t *value)
{
    return json_dumpb(value, NULL, 0, ON_A_LINE) + 1;
}

enum vl_status vl_json_write_line(FILE *stream, json_t *value)
{
    if (value == NULL)
        return VL_ENOMEM;
    int failed = json_dumpf(value, stream, ON_A_LINE);
    json_decref(value);
    return failed || fputc('\n', stream) == EOF ? VL_EIO : VL_OK;
}

static json_t *case_json(const struct vl_case_result *result)
{
    return json_pack(
        "{so so ss si ss so so so so so so so so so so}", "id", vl_json_text(result->id),
        "function", vl_json_text(result->function), "group", vl_case_group_code(result->group),
        "ranks", result->ranks, "status", vl_case_status_code(result->status), "points",
        vl_json_real(result->points), "max_points", vl_json_real(result->max_points), "code",
        vl_json_text(result->code), "message", vl_json_text(result->message), "detail",
        vl_json_text(result->detail), "shown", vl_json_text(result->shown), "replaced",
        vl_json_text(result->replaced), "measured", vl_json_real(result->measured), "bound",
        vl_json_real(result->bound), "seconds", vl_json_real(result->seconds));
}

/* The cases of one group again, in short: what was counted, and what it should have been. */
static json_t *group_json(const struct vl_verdict *verdict, enum vl_case_group group)
{
    json_t *list = json_array();
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        if (result->group != group)
            continue;
        json_t *item =
            json_pack("{so so si ss so so}", "id", vl_json_text(result->id), "function",
                      vl_json_text(result->function), "ranks", result->ranks, "status",
                      vl_case_status_code(result->status), "measured",
                      vl_json_real(result->measured), "bound", vl_json_real(result->bound));
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *throughput_json(const struct vl_throughput_summary *summary)
{
    return json_pack("{so si so sb}", "ratio_median", vl_json_real(summary->ratio_median), "pairs",
                     summary->pairs, "spread",
                     summary->pairs > 0 ? vl_json_real(summary->spread) : json_null(), "stable",
                     summary->stable);
}

json_t *vl_report_json(const struct vl_verdict *verdict)
{
    json_t *cases = json_array();
    for (size_t i = 0; i < verdict->case_count; i++)
        json_array_append_new(cases, case_json(&verdict->cases[i]));
    return json_pack(
        "{ss so so so so si so so so so so sb so so so so ss so so so so so so so so}", "schema",
        SCHEMA, "version", vl_json_text(verdict->version), "commit", vl_json_text(verdict->commit),
        "machine", vl_json_text(verdict->machine), "flags", vl_json_text(verdict->flags), "lab",
        verdict->lab, "slug", vl_json_text(verdict->slug), "submission",
        vl_json_text(verdict->submission), "submission_hash",
        vl_json_text(verdict->submission_hash), "graded_at", vl_json_text(verdict->graded_at),
        "seed", verdict->secret ? json_null() : json_integer((json_int_t)verdict->seed), "secret",
        verdict->secret, "student", vl_json_text(verdict->student), "language",
        vl_json_text(verdict->language), "isolation",
        vl_json_text(vl_isolation_code(verdict->isolation)), "bytes_compared",
        verdict->bytes_compared >= 0 ? json_boolean(verdict->bytes_compared) : json_null(),
        "status", vl_verdict_status_code(verdict->status), "score", vl_json_real(verdict->score),
        "max_score", vl_json_real(verdict->max_score), "message", vl_json_text(verdict->message),
        "compiler", vl_json_text(verdict->compiler), "cases", cases, "throughput",
        throughput_json(&verdict->throughput), "communication",
        group_json(verdict, VL_GROUP_COMMUNICATION), "memory",
        group_json(verdict, VL_GROUP_MEMORY));
}

enum vl_status vl_report_write_json(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                    int list)
{
    if (count == 1 && !list)
        return vl_json_write(stream, vl_report_json(&verdicts[0]));
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(all, vl_report_json(&verdicts[i])) != 0) {
            json_decref(all);
            return VL_ENOMEM;
        }
    }
    return vl_json_write(stream, all);
}
