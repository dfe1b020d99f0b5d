/* Gradescope's results.json: total score, and one test per case. The format is described at
 * https://gradescope-autograders.readthedocs.io/en/latest/specs/ */
#include "report/verdict/formats.h"

#include "base/text.h"
#include <stdlib.h>

/* message, then what the compiler or the program said, if anything. */
static json_t *words(const char *message, const char *detail)
{
    char *joined = NULL;
    int made =
        asprintf(&joined, "%s%s%s", message != NULL ? message : "",
                 message != NULL && detail != NULL ? "\n\n" : "", detail != NULL ? detail : "");
    json_t *text = made < 0 ? NULL : vl_json_text(joined);
    if (made >= 0)
        free(joined);
    return text;
}

static json_t *test_json(const struct vl_case_result *result)
{
    json_t *tags = json_array();
    json_array_append_new(tags, json_string(vl_case_group_code(result->group)));
    json_array_append_new(tags, vl_json_text(result->function));
    if (result->code != NULL)
        json_array_append_new(tags, vl_json_text(result->code));
    const char *message = result->message;
    if (message == NULL && result->status == VL_CASE_NOT_STARTED)
        message = _("Not started yet.");
    return json_pack("{so so so ss so ss ss so}", "name", vl_json_text(result->id), "score",
                     vl_json_real(result->points), "max_score", vl_json_real(result->max_points),
                     "status", result->status == VL_CASE_PASSED ? "passed" : "failed", "output",
                     words(message, result->detail), "output_format", "text", "visibility",
                     "visible", "tags", tags);
}

enum vl_status vl_report_write_gradescope(FILE *stream, const struct vl_verdict *verdicts,
                                          size_t count, int list)
{
    (void)list;
    double score = 0, seconds = 0;
    json_t *tests = json_array();
    char *output = NULL;
    size_t size;
    FILE *lines = open_memstream(&output, &size);
    if (lines == NULL || tests == NULL) {
        json_decref(tests);
        if (lines != NULL)
            fclose(lines);
        free(output);
        return VL_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        const struct vl_verdict *verdict = &verdicts[i];
        score += verdict->score;
        fprintf(lines, "%02d %s: %s, %.6g / %.6g\n", verdict->lab, verdict->slug,
                vl_verdict_status_code(verdict->status), verdict->score, verdict->max_score);
        if (verdict->message != NULL)
            fprintf(lines, "%s\n", verdict->message);
        if (verdict->compiler != NULL)
            fprintf(lines, "%s\n", verdict->compiler);
        for (size_t c = 0; c < verdict->case_count; c++) {
            seconds += verdict->cases[c].seconds;
            json_array_append_new(tests, test_json(&verdict->cases[c]));
        }
    }
    fclose(lines);
    json_t *results = json_pack("{so so ss ss so so}", "score", vl_json_real(score), "output",
                                vl_json_text(output), "output_format", "text", "visibility",
                                "visible", "tests", tests, "execution_time", vl_json_real(seconds));
    free(output);
    return vl_json_write(stream, results);
}
