/*
 * exercism's results.json of a test runner, version 2 and version 3.
 *
 * Follows building/tooling/test-runners/interface.md of exercism/docs, as of 2026. Version 3 adds the
 * task of a test: the number of its function in the lab. A bonus case that did not pass is left out,
 * since one failed test would fail the exercise. If nothing compiles, the status is "error" and the
 * message has the compiler's words, since students see nothing else then.
 *
 * lib/tooling_invoker/jobs/job.rb of exercism/tooling-invoker refuses a file of more than 500 KiB, so a
 * longer one is written without what the compiler and the programs said. A message of the whole has
 * less than 65536 bytes: app/models/submission/test_run.rb of exercism/website cuts it there.
 */
#include "report/verdict/formats.h"

#include "base/text.h"
#include "grade/catalogue/lab.h"
#include "report/verdict/compiles.h"
#include "report/verdict/replay.h"
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES         ((size_t)500 << 10)
#define MOST_MESSAGE_BYTES 65535

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

/* What a file has besides what every one has. */
struct extent {
    bool tasks, details;
};

static json_t *test_json(const struct vl_verdict *verdict, const struct vl_case_result *result,
                         struct extent extent)
{
    char *words = extent.details ? vl_case_words(verdict, result)
                                 : strdup(result->message != NULL ? result->message : "");
    char *line = vl_replay_line(verdict, result);
    json_t *message = result->status == VL_CASE_PASSED ? json_null()
                      : words != NULL                  ? vl_json_text(words)
                                                       : NULL;
    json_t *code = line != NULL ? vl_json_text(line) : NULL;
    free(words);
    free(line);
    json_t *test = json_pack("{so ss so so}", "name", vl_json_text(result->id), "status",
                             status_of(result), "message", message, "test_code", code);
    int task = task_of(verdict, result);
    if (extent.tasks && task > 0)
        json_object_set_new(test, "task_id", json_integer(task));
    return test;
}

static json_t *tests_json(const struct vl_verdict *verdicts, size_t count, struct extent extent)
{
    json_t *tests = json_array();
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < verdicts[i].case_count; c++) {
            const struct vl_case_result *result = &verdicts[i].cases[c];
            if (result->group == VL_GROUP_BONUS && result->status != VL_CASE_PASSED)
                continue;
            failed |= json_array_append_new(tests, test_json(&verdicts[i], result, extent));
        }
    if (!failed)
        return tests;
    json_decref(tests);
    return NULL;
}

static bool nothing_compiles(const struct vl_verdict *verdicts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!vl_verdict_does_not_compile(&verdicts[i]))
            return false;
    return count > 0;
}

/* The most of a text that fits, up to the end of a character. */
static json_t *message_json(char *words)
{
    size_t n = words != NULL ? strlen(words) : 0;
    if (n > MOST_MESSAGE_BYTES) {
        n = MOST_MESSAGE_BYTES;
        while (n > 0 && ((unsigned char)words[n] & 0xc0) == 0x80)
            n--;
        words[n] = '\0';
    }
    return words != NULL ? vl_json_text(words) : NULL;
}

static json_t *results_json(const struct vl_verdict *verdicts, size_t count, int version,
                            bool details)
{
    struct vl_verdicts_sum sum = vl_verdicts_sum(verdicts, count);
    bool failed = !sum.graded || nothing_compiles(verdicts, count);
    const char *status = failed ? "error" : sum.passed ? "pass" : "fail";
    char *words = failed ? vl_verdicts_words(verdicts, count) : NULL;
    json_t *message = failed ? message_json(words) : json_null();
    free(words);
    /* A number of a task is one of this lab's. */
    struct extent extent = {.tasks = version >= 3 && count == 1, .details = details};
    json_t *tests = failed ? json_array() : tests_json(verdicts, count, extent);
    return json_pack("{si ss so so}", "version", version, "status", status, "message", message,
                     "tests", tests);
}

static enum vl_status write_version(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                    int version)
{
    json_t *results = results_json(verdicts, count, version, true);
    char *text = results != NULL ? json_dumps(results, JSON_INDENT(2)) : NULL;
    if (text != NULL && strlen(text) >= MOST_BYTES) {
        json_decref(results);
        results = results_json(verdicts, count, version, false);
    }
    free(text);
    return vl_json_write(stream, results);
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
