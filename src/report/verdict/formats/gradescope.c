/*
 * Gradescope's results.json: the score, and one test per case.
 *
 * Follows "Autograder Specifications", section "Output format", of gradescope-autograders on Read the
 * Docs, as of 2025. What students see is in the language of the verdict. 'extra_data' is kept by
 * Gradescope and shown to nobody: it says for instructors what graded, and how it was isolated.
 */
#include "report/verdict/formats.h"

#include "base/text.h"
#include "report/verdict/summary.h"
#include <math.h>
#include <stdlib.h>

static json_t *test_json(const struct vl_verdict *verdict, const struct vl_case_result *result)
{
    json_t *tags = json_array();
    json_array_append_new(tags, json_string(vl_case_group_code(result->group)));
    json_array_append_new(tags, vl_json_text(result->function));
    if (result->code != NULL)
        json_array_append_new(tags, vl_json_text(result->code));
    char *words = vl_case_words(verdict, result);
    json_t *output = words != NULL ? vl_json_text(words) : NULL;
    free(words);
    return json_pack("{so so so ss so ss ss so}", "name", vl_json_text(result->id), "score",
                     vl_json_real(result->points), "max_score", vl_json_real(result->max_points),
                     "status", result->status == VL_CASE_PASSED ? "passed" : "failed", "output",
                     output, "output_format", "text", "visibility", "visible", "tags", tags);
}

static json_t *tests_json(const struct vl_verdict *verdicts, size_t count)
{
    json_t *tests = json_array();
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < verdicts[i].case_count; c++)
            if (json_array_append_new(tests, test_json(&verdicts[i], &verdicts[i].cases[c])) != 0) {
                json_decref(tests);
                return NULL;
            }
    return tests;
}

/* Shown only where the instructor turns the assignment's leaderboard on. */
static json_t *leaderboard_json(const struct vl_verdict *verdicts, size_t count, double score)
{
    json_t *board = json_array();
    json_array_append_new(board,
                          json_pack("{ss so}", "name", _("Points"), "value", vl_json_real(score)));
    for (size_t i = 0; i < count; i++) {
        double ratio = verdicts[i].throughput.ratio_median;
        char *name = vl_text_format("%s (%s)", vl_group_title(VL_GROUP_THROUGHPUT),
                                    vl_verdict_folder(&verdicts[i]));
        if (verdicts[i].throughput.pairs > 0 && isfinite(ratio))
            json_array_append_new(board, json_pack("{so so}", "name", vl_json_text(name), "value",
                                                   vl_json_real(round(ratio * 1000) / 1000)));
        free(name);
    }
    return board;
}

/* Without the seed, which may be secret. */
static json_t *graded_by_json(const struct vl_verdict *verdicts, size_t count)
{
    json_t *labs = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            labs,
            json_pack("{ss ss so so ss so}", "lab", vl_verdict_folder(&verdicts[i]), "status",
                      vl_verdict_status_code(verdicts[i].status), "version",
                      vl_json_text(verdicts[i].version), "commit", vl_json_text(verdicts[i].commit),
                      "language", verdicts[i].language != NULL ? verdicts[i].language : "en",
                      "isolation", vl_json_text(vl_isolation_code(verdicts[i].isolation))));
    return json_pack("{so}", "vialata", labs);
}

enum vl_status vl_report_write_gradescope(FILE *stream, const struct vl_verdict *verdicts,
                                          size_t count, int list)
{
    (void)list;
    struct vl_verdicts_sum sum = vl_verdicts_sum(verdicts, count);
    char *output = vl_verdicts_words(verdicts, count);
    json_t *text = output != NULL ? vl_json_text(output) : NULL;
    free(output);
    return vl_json_write(
        stream, json_pack("{so so ss ss so so so so}", "score", vl_json_real(sum.score), "output",
                          text, "output_format", "text", "visibility", "visible", "tests",
                          tests_json(verdicts, count), "execution_time", vl_json_real(sum.seconds),
                          "leaderboard", leaderboard_json(verdicts, count, sum.score), "extra_data",
                          graded_by_json(verdicts, count)));
}
