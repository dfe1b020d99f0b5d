/*
 * Autolab: the report for a person, then a line of JSON that Autolab draws as a table of cases, then
 * the "autoresult", a line of JSON with the points.
 *
 *   ...
 *   {"_presentation":"semantic","stages":["Numbers"],"Numbers":{"rmsnorm_forward.odd":{"passed":true}}}
 *   {"scores":{"01_training_step":93.5}}
 *
 * Follows docs/lab.md ("Writing Autograders") and docs/features/formatted-feedback.md of
 * autolab/Autolab, as of 2025. Its parseFeedback takes the last line but one; its parseAutoresult puts
 * quotes around every word before a colon in the last line, so nothing there but a key may be followed
 * by one. A problem of the assessment has the name of the lab's folder.
 */
#include "report/verdict/formats.h"

#include "base/text.h"
#include "report/verdict/summary.h"
#include <stdlib.h>

/* Cases of one group, by id; with several labs each has its own. NULL without memory. */
static json_t *stage_of(json_t *feedback, const struct vl_verdict *verdict, size_t count,
                        enum vl_case_group group)
{
    char *name = count > 1
                     ? vl_text_format("%s %s", vl_verdict_folder(verdict), vl_group_title(group))
                     : vl_text_format("%s", vl_group_title(group));
    json_t *stage = name != NULL ? json_object_get(feedback, name) : NULL;
    if (name != NULL && stage == NULL) {
        json_array_append_new(json_object_get(feedback, "stages"), json_string(name));
        json_object_set_new(feedback, name, json_object());
        stage = json_object_get(feedback, name);
    }
    free(name);
    return stage;
}

static json_t *case_json(const struct vl_verdict *verdict, const struct vl_case_result *result)
{
    if (result->status == VL_CASE_PASSED)
        return json_pack("{sb}", "passed", 1);
    char *words = vl_case_words(verdict, result);
    json_t *hint = words != NULL ? vl_json_text(words) : NULL;
    free(words);
    return json_pack("{sb so}", "passed", 0, "hint", hint);
}

static json_t *feedback_json(const struct vl_verdict *verdicts, size_t count)
{
    json_t *feedback = json_pack("{ss s[]}", "_presentation", "semantic", "stages");
    bool failed = feedback == NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < verdicts[i].case_count && !failed; c++) {
            const struct vl_case_result *result = &verdicts[i].cases[c];
            json_t *stage = stage_of(feedback, &verdicts[i], count, result->group);
            failed = stage == NULL ||
                     json_object_set_new(stage, result->id, case_json(&verdicts[i], result)) != 0;
        }
    if (!failed)
        return feedback;
    json_decref(feedback);
    return NULL;
}

static json_t *scores_json(const struct vl_verdict *verdicts, size_t count)
{
    json_t *scores = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(scores, vl_verdict_folder(&verdicts[i]),
                            vl_json_real(verdicts[i].score));
    return json_pack("{so}", "scores", scores);
}

enum vl_status vl_report_write_autolab(FILE *stream, const struct vl_verdict *verdicts,
                                       size_t count, int list)
{
    enum vl_status status = vl_report_write_text(stream, verdicts, count, list);
    if (status == VL_OK)
        status = vl_json_write_line(stream, feedback_json(verdicts, count));
    if (status == VL_OK)
        status = vl_json_write_line(stream, scores_json(verdicts, count));
    return status;
}
