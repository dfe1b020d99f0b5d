/* What is wrong with a schedule, in words. Stages, chunks and micro-batches are counted from 0, as
 * in the schedule itself; lines and columns from 1, as in an editor. */
#include "engine/schedule/schedule_words.h"

#include "base/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char *say(char buffer[VL_SCHEDULE_SENTENCE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static char *say(char buffer[VL_SCHEDULE_SENTENCE], const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(buffer, VL_SCHEDULE_SENTENCE, format, values);
    va_end(values);
    return buffer;
}

/* ---- a schedule that is not sound ---- */

static char *say_unknown(char buffer[VL_SCHEDULE_SENTENCE], const struct vl_schedule_report *report,
                         const struct vl_schedule *schedule)
{
    char task[VL_TASK_TEXT];
    vl_task_text(task, &report->task);
    if (report->task.kind > VL_TASK_NONE)
        return say(buffer,
                   _("Stage %zu has a task that is neither F, B nor W: fill its row with "
                     "these three kinds only."),
                   report->stage);
    if (report->task.chunk >= schedule->chunks)
        return say(buffer,
                   _("Stage %1$zu has the task %2$s, but its last chunk is %3$zu (they are counted "
                     "from 0): "
                     "look at the chunks of its row."),
                   report->stage, task, schedule->chunks - 1);
    return say(
        buffer,
        _("Stage %1$zu has the task %2$s, but the last micro-batch is %3$zu (they are counted from "
          "0): look at the micro-batches of its row."),
        report->stage, task, schedule->micro_batches - 1);
}

char *vl_schedule_fault_sentence(char buffer[VL_SCHEDULE_SENTENCE],
                                 const struct vl_schedule_report *report,
                                 const struct vl_schedule *schedule)
{
    char task[VL_TASK_TEXT], needed[VL_TASK_TEXT];
    vl_task_text(task, &report->task);
    vl_task_text(needed, &report->needed);
    buffer[0] = '\0';
    switch (report->fault) {
    case VL_SCHEDULE_SOUND:
        break;
    case VL_SCHEDULE_UNKNOWN:
        return say_unknown(buffer, report, schedule);
    case VL_SCHEDULE_TWICE:
        return say(buffer, _("Stage %1$zu does %2$s twice: leave one of them out."), report->stage,
                   task);
    case VL_SCHEDULE_MISSING:
        return say(buffer,
                   _("Stage %1$zu never does %2$s: each stage does F, B and W of every micro-batch "
                     "once."),
                   report->stage, task);
    case VL_SCHEDULE_TOO_EARLY:
        return say(
            buffer,
            _("Stage %1$zu has %2$s before %3$s, but needs them the other way round: one of the "
              "two is in the wrong place."),
            report->stage, task, needed);
    case VL_SCHEDULE_DEADLOCK:
        return say(
            buffer,
            _("Before %2$s, stage %1$zu waits for %3$s of stage %4$zu, and stage %4$zu never gets "
              "that far: it waits for stage %1$zu, directly or through other stages. Compare the "
              "rows of the two, and move what the other stage waits for further to the front."),
            report->stage, task, needed, report->needed_stage);
    }
    return buffer;
}

/* ---- a text that is not a schedule ---- */

static const char *name_of(const struct vl_schedule_problem *problem)
{
    return problem->name != NULL ? problem->name : "schedule";
}

static char *say_of_text(char buffer[VL_SCHEDULE_SENTENCE],
                         const struct vl_schedule_problem *problem)
{
    const char *name = name_of(problem), *word = problem->word;
    const size_t line = problem->line, column = problem->column, most = problem->most;
    switch (problem->wrong) {
    case VL_SCHEDULE_NO_TASK:
        return say(
            buffer,
            _("`%1$s`, line %2$zu, column %3$zu: `%4$s` is not a task. Write F, B or W and the "
              "micro-batch (F0); for a chunk other than 0, add a dot and the chunk (F0.1)."),
            name, line, column, word);
    case VL_SCHEDULE_NO_MICRO:
        return say(
            buffer,
            _("`%1$s`, line %2$zu, column %3$zu: `%4$s` is beyond the last micro-batch, which is "
              "%5$zu: they are counted from 0."),
            name, line, column, word, most - 1);
    case VL_SCHEDULE_NO_CHUNK:
        return say(buffer,
                   _("`%1$s`, line %2$zu, column %3$zu: `%4$s` is beyond the last chunk of a "
                     "stage, which is %5$zu: they are counted from 0 and written after a dot."),
                   name, line, column, word, most - 1);
    case VL_SCHEDULE_TOO_LONG:
        return say(
            buffer,
            _("`%1$s`, line %2$zu, column %3$zu: with `%4$s` this stage has more than its %5$zu "
              "tasks (F, B and W of every micro-batch and chunk). Something appears twice in its "
              "row."),
            name, line, column, word, most);
    default: /* VL_SCHEDULE_MORE_ROWS */
        return say(
            buffer,
            _("`%1$s`, line %2$zu, column %3$zu: `%4$s` begins one line too many. Each line is a "
              "stage, and the last stage is %5$zu, counted from 0: shorten the file, or ask for "
              "more stages with `--pp`."),
            name, line, column, word, most - 1);
    }
}

/* ---- what was asked for ---- */

static char *say_not_read(char buffer[VL_SCHEDULE_SENTENCE],
                          const struct vl_schedule_problem *problem)
{
    if (problem->reading != 0)
        return say(
            buffer,
            _("`%1$s` is neither `afab`, `1f1b`, `interleaved` nor `zb-h1`, and it is not a file "
              "with a schedule either: %2$s."),
            name_of(problem), strerror(problem->reading));
    return say(
        buffer,
        _("`%s` is not a file, or larger than any schedule: give a text file with a line for "
          "each stage."),
        name_of(problem));
}

char *vl_schedule_sentence(char buffer[VL_SCHEDULE_SENTENCE],
                           const struct vl_schedule_problem *problem)
{
    const struct vl_schedule sizes = {.stages = problem->stages,
                                      .chunks = problem->chunks,
                                      .micro_batches = problem->micro_batches};
    buffer[0] = '\0';
    switch (problem->wrong) {
    case VL_SCHEDULE_FINE:
        break;
    case VL_SCHEDULE_NO_TASK:
    case VL_SCHEDULE_NO_MICRO:
    case VL_SCHEDULE_NO_CHUNK:
    case VL_SCHEDULE_TOO_LONG:
    case VL_SCHEDULE_MORE_ROWS:
        return say_of_text(buffer, problem);
    case VL_SCHEDULE_FEWER_ROWS:
        return say(buffer,
                   _("Lines with tasks in `%1$s`: %2$zu. Stages asked for with `--pp`: %3$zu. "
                     "Write a line "
                     "for each stage."),
                   name_of(problem), problem->count, problem->most);
    case VL_SCHEDULE_EMPTY:
        return say(buffer,
                   _("`%s` holds no tasks: write a line for each stage, like `F0 F1 B0 W0 B1 W1`."),
                   name_of(problem));
    case VL_SCHEDULE_NOT_READ:
        return say_not_read(buffer, problem);
    case VL_SCHEDULE_NO_SIZES:
        return say(buffer,
                   _("The schedule `%s` needs a size: say how many stages with `--pp`, and how "
                     "many micro-batches with `--micro-batches`."),
                   name_of(problem));
    case VL_SCHEDULE_TOO_LARGE:
        return say(buffer,
                   _("This schedule is too large: at most %1$d stages, and at most %2$d for "
                     "micro-batches times chunks."),
                   VL_SCHEDULE_STAGES, VL_SCHEDULE_SPLITS);
    case VL_SCHEDULE_ONE_CHUNK:
        return say(buffer,
                   _("The schedule `%s` has one chunk per stage: leave out `--chunks`, or choose "
                     "`interleaved`."),
                   name_of(problem));
    case VL_SCHEDULE_UNEVEN:
        return say(
            buffer,
            _("`interleaved` takes micro-batches in groups of as many as there are stages: choose "
              "a multiple of %1$zu for `--micro-batches`, not %2$zu."),
            problem->stages, problem->micro_batches);
    case VL_SCHEDULE_UNSOUND:
        return vl_schedule_fault_sentence(buffer, &problem->report, &sizes);
    case VL_SCHEDULE_STATUS:
        return say(buffer, "%s", vl_status_text(problem->status));
    }
    return buffer;
}
