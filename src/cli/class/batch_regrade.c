/*
 * Grading some of a class again, and keeping everything else.
 *
 * A verdict that is asked for again is renamed, not removed: killed at any moment, the next run grades
 * it, and still knows what there was before.
 */
#include "cli/class/batch.h"

#include "base/text.h"
#include "class/book/case_words.h"
#include "class/book/changes.h"
#include "class/book/points.h"
#include "cli/shared/say.h"
#include "report/verdict/read.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what a word means ---- */

static bool is_student(const struct vl_batch_task *task, const char *word)
{
    return strcasecmp(task->item->student, word) == 0 ||
           (task->student != NULL && strcasecmp(task->student->name, word) == 0);
}

static bool means_something(const struct vl_batch *batch, const char *word)
{
    for (size_t i = 0; i < batch->task_count; i++)
        if (is_student(&batch->tasks[i], word))
            return true;
    for (size_t k = 0; k < batch->request->lab_count; k++)
        if (vl_case_word_is_known(word, batch->request->labs[k]))
            return true;
    return false;
}

/* Do the points depend on it? What was not started has none, whatever is wrong with the case. */
static bool touches(const struct vl_verdict *verdict, const char *word)
{
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        if (result->status != VL_CASE_NOT_STARTED &&
            vl_case_word_means(word, result->id, result->function))
            return true;
    }
    return false;
}

static bool is_meant(const struct vl_batch_task *task, const struct vl_verdict *verdict,
                     char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        if (is_student(task, words[i]) || touches(verdict, words[i]))
            return true;
    return false;
}

/* ---- verdicts put aside ---- */

/* Ids have no character that glob(3) gives a meaning to, but the folder may. */
static char *pattern_of(const char *verdict)
{
    size_t n = strlen(verdict) - strlen("12345678.json");
    char *pattern = malloc(2 * n + 16);
    size_t at = 0;
    for (size_t i = 0; pattern != NULL && i < n; i++) {
        if (strchr("*?[]\\", verdict[i]) != NULL)
            pattern[at++] = '\\';
        pattern[at++] = verdict[i];
    }
    if (pattern != NULL)
        strcpy(pattern + at, "????????.json");
    return pattern;
}

/* The newest verdict of any version on the same files counts as this version's. */
static enum vl_status adopt(const struct vl_batch_task *task)
{
    glob_t found = {0};
    struct stat info;
    const char *newest = NULL;
    time_t when = 0;
    char *pattern = pattern_of(task->verdict);
    if (pattern == NULL)
        return VL_ENOMEM;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (stat(found.gl_pathv[i], &info) == 0 && (newest == NULL || info.st_mtime > when)) {
                newest = found.gl_pathv[i];
                when = info.st_mtime;
            }
    enum vl_status status = newest == NULL || rename(newest, task->verdict) == 0 ? VL_OK : VL_EIO;
    globfree(&found);
    free(pattern);
    return status;
}

static enum vl_status put_aside(const struct vl_batch_task *task, char *const *words)
{
    struct vl_verdict verdict;
    if (task->problem != NULL || access(task->before, F_OK) == 0)
        return VL_OK; /* an interrupted run has put it aside, and perhaps graded it */
    if (access(task->verdict, F_OK) != 0 && access(task->numbers, F_OK) != 0) {
        enum vl_status status = adopt(task);
        if (status != VL_OK)
            return status;
    }
    enum vl_status status = vl_verdict_read(&verdict, task->verdict);
    if (status != VL_OK)
        return status == VL_ENOMEM ? status : VL_OK; /* it is due in any case */
    if (is_meant(task, &verdict, words) && rename(task->verdict, task->before) != 0)
        status = VL_EIO;
    vl_verdict_free(&verdict);
    return status;
}

enum vl_exit vl_batch_regrade(const struct vl_batch *batch)
{
    struct vl_words words = {0};
    enum vl_exit result = VL_EXIT_OK;
    enum vl_status status = VL_OK;
    if (batch->request->regrade == NULL)
        return VL_EXIT_OK;
    vl_case_words_split(&words, batch->request->regrade);
    if (words.failed || words.count == 0)
        status = words.failed ? VL_ENOMEM : VL_OK;
    for (size_t i = 0; i < words.count && result == VL_EXIT_OK; i++)
        if (!means_something(batch, words.list[i]))
            result = vl_say(VL_EXIT_USAGE,
                            _("`--regrade %s` means nothing here: name a student who handed "
                              "something in, or a function or a case of these labs."),
                            words.list[i]);
    for (size_t i = 0; i < batch->task_count && result == VL_EXIT_OK && status == VL_OK; i++)
        if (words.count > 0)
            status = put_aside(&batch->tasks[i], words.list);
    vl_words_free(&words);
    return result == VL_EXIT_OK ? vl_say_status(status) : result;
}

/* ---- what has changed ---- */

/* A verdict that was put aside and could not be made again is kept for the next run. */
static enum vl_status take_regraded(struct vl_points *before, struct vl_points *after,
                                    const struct vl_batch_task *task)
{
    struct vl_verdict was, is;
    if (task->before == NULL || vl_verdict_read(&was, task->before) != VL_OK)
        return VL_OK;
    enum vl_status status = VL_OK;
    if (vl_verdict_read(&is, task->verdict) == VL_OK) {
        status = vl_points_add(before, task->item->student, task->lab, &was);
        if (status == VL_OK)
            status = vl_points_add(after, task->item->student, task->lab, &is);
        vl_verdict_free(&is);
    }
    vl_verdict_free(&was);
    return status;
}

static void forget_before(const struct vl_batch *batch)
{
    for (size_t i = 0; i < batch->task_count; i++) {
        const struct vl_batch_task *task = &batch->tasks[i];
        if (task->before != NULL && access(task->verdict, F_OK) == 0)
            unlink(task->before);
    }
}

enum vl_status vl_batch_tell_regraded(const struct vl_batch *batch)
{
    struct vl_points before = {0}, after = {0};
    struct vl_changes changes = {0};
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < batch->task_count && status == VL_OK; i++)
        status = take_regraded(&before, &after, &batch->tasks[i]);
    if (status == VL_OK)
        status = vl_changes_find(&changes, &before, &after);
    if (status == VL_OK && after.count > 0) {
        struct vl_terminal terminal;
        vl_terminal_open(&terminal, stdout);
        vl_terminal_sentence(&terminal, VL_STYLE_BOLD, _("Graded again: %zu."), after.count);
        vl_changes_put(&changes, &terminal);
        fflush(stdout);
        forget_before(batch);
    }
    free(changes.list);
    vl_points_free(&before);
    vl_points_free(&after);
    return status;
}
