/*
 * GitHub Classroom: what a grader hands to the autograding reporter, which reads it in base64 from an
 * environment variable NAME_RESULTS.
 *
 * Follows src/main.js of classroom-resources/autograding-io-grader, which writes it, and src/main.js
 * and src/notify-classroom.js of classroom-resources/autograding-grading-reporter, which read it, as
 * of 2025: the reporter adds up 'score' of every test, and 'max_score'. Of a test that failed
 * src/console-results.js shows 'test_code' and not 'message', so what students should read is there.
 *
 * An environment variable of Linux has room for 128 KiB (MAX_ARG_STRLEN), of which base64 uses a quarter.
 * A file that would not fit says less: of each case its sentence alone, or of each lab the sum alone.
 */
#include "report/verdict/formats.h"

#include "base/text.h"
#include "report/verdict/replay.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 98000

enum extent { CASES_WITH_DETAILS, CASES_ALONE, LABS_ALONE };

static const char *status_of(const struct vl_case_result *result)
{
    if (result->status == VL_CASE_PASSED)
        return "pass";
    return result->status == VL_CASE_ERROR ? "error" : "fail";
}

static json_t *entry(const char *name, const char *status, json_t *message, json_t *code,
                     double seconds, double score)
{
    return json_pack("{so ss so so ss si so so}", "name", vl_json_text(name), "status", status,
                     "message", message, "test_code", code, "filename", "", "line_no", 0,
                     "duration", json_integer((json_int_t)round(seconds * 1000)), "score",
                     vl_json_real(score));
}

/* What is said about a case, and the line that runs it again; "" for one that passed. */
static char *shown(const struct vl_verdict *verdict, const struct vl_case_result *result,
                   enum extent extent)
{
    if (result->status == VL_CASE_PASSED)
        return strdup("");
    if (extent != CASES_WITH_DETAILS)
        return strdup(result->message != NULL ? result->message : "");
    char *words = vl_case_words(verdict, result), *line = vl_replay_line(verdict, result);
    char *text =
        words != NULL && line != NULL
            ? vl_text_format("%s%s%s", words, words[0] != '\0' && line[0] != '\0' ? "\n" : "", line)
            : NULL;
    free(words);
    free(line);
    return text;
}

static json_t *test_json(const struct vl_verdict *verdict, const struct vl_case_result *result,
                         enum extent extent)
{
    char *text = shown(verdict, result, extent);
    bool passed = result->status == VL_CASE_PASSED;
    json_t *code = text != NULL ? vl_json_text(text) : NULL;
    free(text);
    return entry(result->id, status_of(result), vl_json_text(passed ? NULL : result->message), code,
                 isfinite(result->seconds) ? result->seconds : 0, result->points);
}

/* A lab by its sum, without the compiler's words, which may be long. */
static json_t *lab_json(const struct vl_verdict *verdict)
{
    struct vl_verdict brief = *verdict;
    brief.compiler = NULL;
    char *words = vl_verdicts_words(&brief, 1);
    struct vl_verdicts_sum sum = vl_verdicts_sum(verdict, 1);
    const char *status = !sum.graded ? "error" : sum.passed ? "pass" : "fail";
    json_t *code = words != NULL ? vl_json_text(words) : NULL;
    free(words);
    return entry(vl_verdict_folder(verdict), status, json_null(), code, sum.seconds, sum.score);
}

/* What could not be graded has no case to carry the reason. */
static json_t *error_json(const struct vl_verdict *verdict)
{
    char *words = vl_verdicts_words(verdict, 1);
    json_t *message = words != NULL ? vl_json_text(words) : NULL;
    free(words);
    return entry(vl_verdict_folder(verdict), "error", message, json_string(""), 0, 0);
}

static json_t *tests_json(const struct vl_verdict *verdicts, size_t count, enum extent extent)
{
    json_t *tests = json_array();
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        const struct vl_verdict *verdict = &verdicts[i];
        if (extent == LABS_ALONE) {
            failed |= json_array_append_new(tests, lab_json(verdict));
            continue;
        }
        if (verdict->status == VL_VERDICT_ERROR)
            failed |= json_array_append_new(tests, error_json(verdict));
        for (size_t c = 0; c < verdict->case_count; c++)
            failed |= json_array_append_new(tests, test_json(verdict, &verdict->cases[c], extent));
    }
    if (!failed)
        return tests;
    json_decref(tests);
    return NULL;
}

static json_t *results_json(const struct vl_verdict *verdicts, size_t count, enum extent extent)
{
    struct vl_verdicts_sum sum = vl_verdicts_sum(verdicts, count);
    const char *status = !sum.graded ? "error" : sum.passed ? "pass" : "fail";
    return json_pack("{si ss so so}", "version", 1, "status", status, "max_score",
                     vl_json_real(sum.max_score), "tests", tests_json(verdicts, count, extent));
}

enum vl_status vl_report_write_github_classroom(FILE *stream, const struct vl_verdict *verdicts,
                                                size_t count, int list)
{
    (void)list;
    json_t *results = results_json(verdicts, count, CASES_WITH_DETAILS);
    for (int extent = CASES_ALONE; extent <= LABS_ALONE; extent++)
        if (results != NULL && vl_json_line_bytes(results) > MOST_BYTES) {
            json_decref(results);
            results = results_json(verdicts, count, (enum extent)extent);
        }
    return vl_json_write_line(stream, results);
}
