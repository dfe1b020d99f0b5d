#include "train/log/log.h"

#include "base/file.h"
#include "base/text.h"
#include "train/log/shown.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LOG ((size_t)1 << 30)

/* Keep this line of an earlier run? A line that does not parse was cut short by a crash. */
static int is_kept(const char *line, size_t length, uint64_t last_step)
{
    json_t *object = json_loadb(line, length, 0, NULL);
    const json_t *step = json_object_get(object, "step");
    int kept = json_is_object(object) &&
               (step == NULL || (json_is_integer(step) && json_integer_value(step) >= 0 &&
                                 (uint64_t)json_integer_value(step) <= last_step));
    json_decref(object);
    return kept;
}

static int begins_like_a_log(const char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);
    if (end == NULL)
        return 0;
    json_t *first = json_loadb(text, (size_t)(end - text), 0, NULL);
    int like = json_is_object(json_object_get(first, "run"));
    json_decref(first);
    return like;
}

/* Rewrite the log without the steps that the resumed run will repeat; a reader never sees half a
 * file. */
static enum vl_status keep_until(const char *path, uint64_t last_step, struct vl_problem *problem)
{
    char *text;
    size_t n, kept = 0;
    enum vl_status status = vl_file_read(&text, &n, path, MOST_LOG);
    if (status == VL_EIO && errno == ENOENT) {
        status = vl_file_write(path, "", 0);
        return status == VL_OK ? VL_OK : vl_problem_writing(problem, path);
    }
    if (status == VL_EIO)
        return vl_problem_reading(problem, path);
    if (status == VL_ENOMEM)
        return vl_problem_status(problem, status);
    if (status != VL_OK || (n > 0 && !begins_like_a_log(text, n))) {
        free(text);
        return vl_problem_set(problem, VL_EFORMAT, "log_foreign",
                              _("%s is not the log of an earlier run, so nothing is added to it: "
                                "choose another name for `--log`."),
                              path);
    }
    for (size_t at = 0; at < n;) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t length = end != NULL ? (size_t)(end - text) - at + 1 : n - at;
        if (end != NULL && is_kept(text + at, length, last_step)) {
            memmove(text + kept, text + at, length);
            kept += length;
        }
        at += length;
    }
    status = vl_file_write(path, text, kept);
    free(text);
    return status == VL_OK ? VL_OK : vl_problem_writing(problem, path);
}

enum vl_status vl_log_open(struct vl_log *log, const char *path, FILE *events,
                           uint64_t resumed_step, struct vl_problem *problem)
{
    *log = (struct vl_log){.path = path, .events = events};
    if (path == NULL)
        return VL_OK;
    if (resumed_step > 0) {
        enum vl_status status = keep_until(path, resumed_step, problem);
        if (status != VL_OK)
            return status;
    } else if (vl_file_write(path, "", 0) != VL_OK) {
        return vl_problem_writing(problem, path);
    }
    log->file = fopen(path, "ae");
    return log->file != NULL ? VL_OK : vl_problem_writing(problem, path);
}

static bool print_line(FILE *stream, const char *text)
{
    return fputs(text, stream) >= 0 && fputc('\n', stream) != EOF && fflush(stream) == 0;
}

/* Close the file: no line may follow one that was lost. */
static enum vl_status end_file(struct vl_log *log, enum vl_status status)
{
    if (log->file != NULL)
        fclose(log->file);
    log->file = NULL;
    return log->status = status;
}

enum vl_status vl_log_line(struct vl_log *log, json_t *object, struct vl_problem *problem)
{
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (text == NULL)
        return end_file(log, vl_problem_status(problem, VL_ENOMEM));
    enum vl_status status = VL_OK;
    if (log->file != NULL && !print_line(log->file, text))
        status = end_file(log, vl_problem_writing(problem, log->path));
    if (log->events != NULL && !log->unheard)
        log->unheard = !print_line(log->events, text);
    free(text);
    return status;
}

void vl_log_close(struct vl_log *log)
{
    if (log->file != NULL)
        fclose(log->file);
    *log = (struct vl_log){0};
}

json_t *vl_log_text(const char *bytes)
{
    size_t capacity = strlen(bytes) * 3 + VL_SHOWN_LONGEST;
    char *text = malloc(capacity);
    if (text == NULL)
        return NULL;
    vl_shown_text(text, capacity, bytes);
    json_t *json = json_string(text);
    free(text);
    return json;
}

int vl_log_print(FILE *stream, json_t *object)
{
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    int printed = text != NULL && print_line(stream, text);
    free(text);
    return printed;
}

int vl_log_print_problem(FILE *stream, const char *kind, const struct vl_problem *problem)
{
    return vl_log_print(stream, json_pack("{s:{s:s, s:s, s:s*}}", kind, "code", problem->code,
                                          "message", problem->message, "detail", problem->detail));
}
