/*
 * GitHub Classroom: what a grader hands to the autograding reporter, which reads it in base64 from an
 * environment variable NAME_RESULTS.
 *
 * Follows src/main.js of classroom-resources/autograding-io-grader, which writes it, and src/main.js
 * and src/notify-classroom.js of classroom-resources/autograding-grading-reporter, which read it, as
 * of 2025: the reporter adds up 'score' of every test, and 'max_score'.
 */
#include "report/verdict/formats.h"

#include "report/verdict/replay.h"
#include <math.h>
#include <stdlib.h>

static const char *status_of(const struct vl_case_result *result)
{
    if (result->status == VL_CASE_PASSED)
        return "pass";
    return result->status == VL_CASE_ERROR ? "error" : "fail";
}

static json_t *test_json(const struct vl_verdict *verdict, const struct vl_case_result *result)
{
    char *words = vl_case_words(verdict, result), *line = vl_replay_line(verdict, result);
    json_t *message = result->status == VL_CASE_PASSED ? json_null()
                      : words != NULL                  ? vl_json_text(words)
                                                       : NULL;
    json_t *code = line != NULL ? vl_json_text(line) : NULL;
    free(words);
    free(line);
    return json_pack("{so ss so so ss si so so}", "name", vl_json_text(result->id), "status",
                     status_of(result), "message", message, "test_code", code, "filename", "",
                     "line_no", 0, "duration",
                     json_integer((json_int_t)round(result->seconds * 1000)), "score",
                     vl_json_real(result->points));
}

/* What could not be graded has no case to carry the reason. */
static json_t *error_json(const struct vl_verdict *verdict)
{
    char *words = vl_verdicts_words(verdict, 1);
    json_t *message = words != NULL ? vl_json_text(words) : NULL;
    free(words);
    return json_pack("{ss ss so ss ss si si si}", "name", vl_verdict_folder(verdict), "status",
                     "error", "message", message, "test_code", "", "filename", "", "line_no", 0,
                     "duration", 0, "score", 0);
}

static json_t *tests_json(const struct vl_verdict *verdicts, size_t count)
{
    json_t *tests = json_array();
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        const struct vl_verdict *verdict = &verdicts[i];
        if (verdict->status == VL_VERDICT_ERROR)
            failed |= json_array_append_new(tests, error_json(verdict));
        for (size_t c = 0; c < verdict->case_count; c++)
            failed |= json_array_append_new(tests, test_json(verdict, &verdict->cases[c]));
    }
    if (!failed)
        return tests;
    json_decref(tests);
    return NULL;
}

enum vl_status vl_report_write_github_classroom(FILE *stream, const struct vl_verdict *verdicts,
                                                size_t count, int list)
{
    (void)list;
    struct vl_verdicts_sum sum = vl_verdicts_sum(verdicts, count);
    const char *status = !sum.graded ? "error" : sum.passed ? "pass" : "fail";
    return vl_json_write(stream, json_pack("{si ss so so}", "version", 1, "status", status,
                                           "max_score", vl_json_real(sum.max_score), "tests",
                                           tests_json(verdicts, count)));
}
