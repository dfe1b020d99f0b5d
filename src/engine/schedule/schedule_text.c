/* Reading and writing a schedule as text. A text is read twice, first to find the sizes. */
#include "engine/schedule/schedule_text.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3 };

static const char letters[] = {
    [VL_TASK_FORWARD] = 'F', [VL_TASK_BACKWARD] = 'B', [VL_TASK_WEIGHT] = 'W'};

struct word {
    const char *text;
    size_t length;
    size_t line, column; /* from 1 */
    size_t row;          /* lines with tasks before this one */
};

struct reader {
    const char *at, *line_begin;
    size_t line;
    size_t rows, last_line; /* lines with tasks so far, and the last of them */
};

/* ---- words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_to_word(struct reader *reader)
{
    for (;; reader->at++) {
        if (*reader->at == '#')
            reader->at += strcspn(reader->at, "\n");
        if (*reader->at == '\n') {
            reader->line++;
            reader->line_begin = reader->at + 1;
        } else if (!is_blank(*reader->at)) {
            return;
        }
    }
}

/* The next word that is not only dots or dashes; 0 at the end. */
static int next_word(struct word *word, struct reader *reader)
{
    size_t waiting;
    do {
        skip_to_word(reader);
        *word = (struct word){.text = reader->at,
                              .length = strcspn(reader->at, " \t\r\v\f\n#"),
                              .line = reader->line,
                              .column = (size_t)(reader->at - reader->line_begin) + 1};
        waiting = strspn(word->text, ".-");
        reader->at += word->length;
    } while (word->length > 0 && waiting >= word->length);
    if (word->length == 0)
        return 0;
    reader->rows += reader->last_line != word->line;
    reader->last_line = word->line;
    word->row = reader->rows - 1;
    return 1;
}

/* Some editors begin a file with a byte order mark. */
static struct reader open_reader(const char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (strncmp(text, mark, strlen(mark)) == 0)
        text += strlen(mark);
    return (struct reader){.at = text, .line_begin = text, .line = 1};
}

/* Read digits at *at. Further digits of a number too large for any schedule are dropped. */
static bool read_number(uint32_t *number, const char **at, const char *end)
{
    const char *begin = *at;
    *number = 0;
    for (; *at < end && isdigit((unsigned char)**at); ++*at)
        if (*number < VL_SCHEDULE_SPLITS)
            *number = *number * 10 + (uint32_t)(**at - '0');
    return *at > begin;
}

static bool read_task(struct vl_task *task, const struct word *word)
{
    const char *at = word->text, *end = at + word->length;
    *task = (struct vl_task){.kind = VL_TASK_NONE};
    for (int kind = 0; kind < KINDS; kind++)
        if (toupper((unsigned char)*at) == letters[kind])
            task->kind = (enum vl_task_kind)kind;
    at++;
    if (task->kind == VL_TASK_NONE || !read_number(&task->micro_batch, &at, end))
        return false;
    if (at < end && *at == '.') {
        at++;
        if (!read_number(&task->chunk, &at, end))
            return false;
    }
    return at == end;
}

/* ---- what is wrong ---- */

/* The word may be any bytes: only printable ASCII is kept. */
static enum vl_status blame(struct vl_schedule_problem *problem, enum vl_schedule_wrong wrong,
                            const struct word *word, size_t most)
{
    problem->wrong = wrong;
    problem->most = most;
    problem->line = word->line;
    problem->column = word->column;
    size_t i = 0;
    for (; i < word->length && i < sizeof problem->word - 1; i++)
        problem->word[i] = isprint((unsigned char)word->text[i]) ? word->text[i] : '?';
    problem->word[i] = '\0';
    return VL_EFORMAT;
}

static enum vl_status blame_all(struct vl_schedule_problem *problem, enum vl_schedule_wrong wrong,
                                enum vl_status status)
{
    problem->wrong = wrong;
    problem->status = status;
    return status;
}

/* ---- reading ---- */

static size_t most_of(size_t asked, size_t bound)
{
    return asked > 0 ? asked : bound;
}

/* Find the sizes, and refuse a word that is not a task or is beyond the sizes asked for. */
static enum vl_status find_sizes(struct vl_schedule *found, const struct vl_schedule *asked,
                                 const char *text, struct vl_schedule_problem *problem)
{
    const size_t stages = most_of(asked->stages, VL_SCHEDULE_STAGES),
                 chunks = most_of(asked->chunks, VL_SCHEDULE_SPLITS),
                 micro = most_of(asked->micro_batches, VL_SCHEDULE_SPLITS);
    struct reader reader = open_reader(text);
    struct word word;
    struct vl_task task;
    *found = *asked;
    while (next_word(&word, &reader)) {
        if (!read_task(&task, &word))
            return blame(problem, VL_SCHEDULE_NO_TASK, &word, 0);
        if (word.row >= stages)
            return blame(problem, VL_SCHEDULE_MORE_ROWS, &word, stages);
        if (task.micro_batch >= micro)
            return blame(problem, VL_SCHEDULE_NO_MICRO, &word, micro);
        if (task.chunk >= chunks)
            return blame(problem, VL_SCHEDULE_NO_CHUNK, &word, chunks);
        if (task.micro_batch >= found->micro_batches)
            found->micro_batches = task.micro_batch + 1;
        if (task.chunk >= found->chunks)
            found->chunks = task.chunk + 1;
    }
    problem->count = reader.rows;
    problem->most = stages;
    if (reader.rows == 0)
        return blame_all(problem, VL_SCHEDULE_EMPTY, VL_EFORMAT);
    if (reader.rows < asked->stages)
        return blame_all(problem, VL_SCHEDULE_FEWER_ROWS, VL_EFORMAT);
    found->stages = reader.rows;
    if (found->chunks > VL_SCHEDULE_SPLITS / found->micro_batches)
        return blame_all(problem, VL_SCHEDULE_TOO_LARGE, VL_EINVAL);
    return VL_OK;
}

static enum vl_status fill(struct vl_schedule *schedule, const char *text,
                           struct vl_schedule_problem *problem)
{
    const size_t width = KINDS * schedule->chunks * schedule->micro_batches;
    struct reader reader = open_reader(text);
    struct word word;
    for (size_t i = 0; i < schedule->stages * width; i++)
        schedule->tasks[i] = (struct vl_task){.kind = VL_TASK_NONE};
    for (size_t row = 0, in_row = 0; next_word(&word, &reader); in_row++) {
        if (word.row != row)
            in_row = 0;
        row = word.row;
        if (in_row == width)
            return blame(problem, VL_SCHEDULE_TOO_LONG, &word, width);
        read_task(&schedule->tasks[row * width + in_row], &word);
    }
    return VL_OK;
}

enum vl_status vl_schedule_parse(struct vl_schedule *schedule, const char *text,
                                 struct vl_schedule_problem *problem)
{
    struct vl_schedule found;
    *problem = (struct vl_schedule_problem){.wrong = VL_SCHEDULE_FINE};
    schedule->tasks = NULL;
    if (schedule->stages > VL_SCHEDULE_STAGES || schedule->chunks > VL_SCHEDULE_SPLITS ||
        schedule->micro_batches > VL_SCHEDULE_SPLITS)
        return blame_all(problem, VL_SCHEDULE_TOO_LARGE, VL_EINVAL);
    enum vl_status status = find_sizes(&found, schedule, text, problem);
    if (status != VL_OK)
        return status;
    found.tasks =
        calloc(found.stages * KINDS * found.chunks * found.micro_batches, sizeof *found.tasks);
    if (found.tasks == NULL)
        return blame_all(problem, VL_SCHEDULE_STATUS, VL_ENOMEM);
    status = fill(&found, text, problem);
    if (status != VL_OK)
        vl_schedule_free(&found);
    else
        *schedule = found;
    return status;
}

void vl_schedule_free(struct vl_schedule *schedule)
{
    if (schedule == NULL)
        return;
    free(schedule->tasks);
    *schedule = (struct vl_schedule){0};
}

/* ---- writing ---- */

char *vl_task_text(char buffer[VL_TASK_TEXT], const struct vl_task *task)
{
    if ((int)task->kind < 0 || (int)task->kind >= KINDS)
        snprintf(buffer, VL_TASK_TEXT, "--");
    else if (task->chunk == 0)
        snprintf(buffer, VL_TASK_TEXT, "%c%u", letters[task->kind], task->micro_batch);
    else
        snprintf(buffer, VL_TASK_TEXT, "%c%u.%u", letters[task->kind], task->micro_batch,
                 task->chunk);
    return buffer;
}

static void put_row(FILE *stream, const struct vl_schedule *schedule, size_t stage)
{
    const size_t width = KINDS * schedule->chunks * schedule->micro_batches;
    char text[VL_TASK_TEXT];
    for (size_t i = 0; i < width; i++)
        fprintf(stream, i > 0 ? " %s" : "%s",
                vl_task_text(text, &schedule->tasks[stage * width + i]));
}

static char *rows_text(const struct vl_schedule *schedule, size_t from, size_t to, const char *end)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return NULL;
    for (size_t stage = from; stage < to; stage++) {
        put_row(stream, schedule, stage);
        fputs(end, stream);
    }
    int failed = ferror(stream);
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

char *vl_schedule_row_text(const struct vl_schedule *schedule, size_t stage)
{
    return rows_text(schedule, stage, stage + 1, "");
}

char *vl_schedule_text(const struct vl_schedule *schedule)
{
    return rows_text(schedule, 0, schedule->stages, "\n");
}
