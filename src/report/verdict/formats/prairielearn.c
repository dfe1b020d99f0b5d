/*
 * PrairieLearn's results.json of an externally graded question: a score from 0 to 1, and the tests
 * that the element <pl-external-grader-results> shows.
 *
 * Follows docs/externalGrading.md ("Grading results") and the element pl-external-grader-results of
 * PrairieLearn/PrairieLearn, as of 2025. A file of more than 1 MB is refused there, so a longer one is
 * written without what the compiler and the programs said. src/lib/externalGrader.ts there takes no
 * points from a score above 1.
 */
#include "report/verdict/formats.h"

#include "base/text.h"
#include "report/verdict/summary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 1000000

static json_t *test_json(const struct vl_case_result *result, bool with_output)
{
    const char *message = result->message;
    if (message == NULL && result->status == VL_CASE_NOT_STARTED)
        message = _("Not started yet.");
    json_t *test = json_pack("{so ss so so}", "name", vl_json_text(result->id), "description",
                             vl_group_title(result->group), "points", vl_json_real(result->points),
                             "max_points", vl_json_real(result->max_points));
    if (message != NULL)
        json_object_set_new(test, "message", vl_json_text(message));
    if (with_output && result->detail != NULL)
        json_object_set_new(test, "output", vl_json_text(result->detail));
    return test;
}

static json_t *tests_json(const struct vl_verdict *verdicts, size_t count, bool with_output)
{
    json_t *tests = json_array();
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < verdicts[i].case_count; c++)
            if (json_array_append_new(tests, test_json(&verdicts[i].cases[c], with_output)) != 0) {
                json_decref(tests);
                return NULL;
            }
    return tests;
}

/* Nothing that could be graded costs no attempt. */
static json_t *ungradable_json(const char *words)
{
    return json_pack("{sb s[o] so}", "gradable", 0, "format_errors", vl_json_text(words), "message",
                     vl_json_text(words));
}

static json_t *results_json(const struct vl_verdict *verdicts, size_t count, bool with_output)
{
    struct vl_verdicts_sum sum = vl_verdicts_sum(verdicts, count);
    double score = sum.max_score > 0 ? fmin(sum.score / sum.max_score, 1) : 0;
    char *words = vl_verdicts_words(verdicts, count);
    json_t *results = NULL;
    if (words != NULL && !sum.graded)
        results = ungradable_json(words);
    else if (words != NULL)
        results = json_pack("{sb so so so}", "gradable", 1, "score", vl_json_real(score),
                            with_output ? "output" : "message", vl_json_text(words), "tests",
                            tests_json(verdicts, count, with_output));
    free(words);
    return results;
}

enum vl_status vl_report_write_prairielearn(FILE *stream, const struct vl_verdict *verdicts,
                                            size_t count, int list)
{
    (void)list;
    json_t *results = results_json(verdicts, count, true);
    char *text = results != NULL ? json_dumps(results, JSON_INDENT(2)) : NULL;
    if (text != NULL && strlen(text) >= MOST_BYTES) {
        json_decref(results);
        results = results_json(verdicts, count, false);
    }
    free(text);
    return vl_json_write(stream, results);
}
