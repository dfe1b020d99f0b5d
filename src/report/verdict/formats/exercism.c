/*
 * exercism's results.json of a test runner, version 2 and version 3.
 *
 * Follows building/tooling/test-runners/interface.md of exercism/docs, as of 2025. Version 3 adds the
 * task of a test: the number of its function in the lab. A bonus case that did not pass is left out,
 * since one failed test would fail the exercise.
 */
#include "report/verdict/formats.h"

#include "grade/catalogue/lab.h"
#include "report/verdict/replay.h"
#include <stdlib.h>
#include <string.h>

static const char *status_of(const struct vl_case_result *result)
{
    switch (result->status) {
    case VL_CASE_PASSED:
        return "pass";
    case VL_CASE_FAILED:
    case VL_CASE_NOT_STARTED:
    case VL_CASE_SKIPPED:
        return "fail";
    default:
        return "error";
    }
}

/* From 1; 0 if it is none of the lab's functions. */
static int task_of(const struct vl_verdict *verdict, const struct vl_case_result *result)
{
    const struct vl_lab *lab = vl_lab_find(verdict->slug);
    for (size_t i = 0; lab != NULL && i < lab->function_count; i++)
        if (strcmp(lab->functions[i].name, result->function) == 0)
            return (int)i + 1;
    return 0;
}

static json_t *test_json(const struct vl_verdict *verdict, const struct vl_case_result *result,
                         bool with_task)
{
    char *words = vl_case_words(result), *line = vl_replay_line(verdict, result);
    json_t *message = result->status == VL_CASE_PASSED ? json_null()
                      : words != NULL                  ? vl_json_text(words)
                                                       : NULL;
    json_t *code = line != NULL ? vl_json_text(line) : NULL;
    free(words);
    free(line);
    json_t *test = json_pack("{so ss so so}", "name", vl_json_text(result->id), "status",
                             status_of(result), "message", message, "test_code", code);
    int task = task_of(verdict, result);
    if (with_task && task > 0)
        json_object_set_new(test, "task_id", json_integer(task));
    return test;
}

static json_t *tests_json(const struct vl_verdict *verdicts, size_t count, bool with_task)
{
    json_t *tests = json_array();
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < verdicts[i].case_count; c++) {
            const struct vl_case_result *result = &verdicts[i].cases[c];
            if (result->group == VL_GROUP_BONUS && result->status != VL_CASE_PASSED)
                continue;
            failed |= json_array_append_new(tests, test_json(&verdicts[i], result, with_task));
        }
    if (!failed)
        return tests;
    json_decref(tests);
    return NULL;
}

static enum vl_status write_version(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                    int version)
{
    struct vl_verdicts_sum sum = vl_verdicts_sum(verdicts, count);
    const char *status = !sum.graded ? "error" : sum.passed ? "pass" : "fail";
    char *words = sum.graded ? NULL : vl_verdicts_words(verdicts, count);
    json_t *message = sum.graded ? json_null() : words != NULL ? vl_json_text(words) : NULL;
    free(words);
    /* A number of a task is one of this lab's. */
    bool with_task = version >= 3 && count == 1;
    return vl_json_write(stream,
                         json_pack("{si ss so so}", "version", version, "status", status, "message",
                                   message, "tests", tests_json(verdicts, count, with_task)));
}

enum vl_status vl_report_write_exercism_2(FILE *stream, const struct vl_verdict *verdicts,
                                          size_t count, int list)
{
    (void)list;
    return write_version(stream, verdicts, count, 2);
}

enum vl_status vl_report_write_exercism_3(FILE *stream, const struct vl_verdict *verdicts,
                                          size_t count, int list)
{
    (void)list;
    return write_version(stream, verdicts, count, 3);
}
