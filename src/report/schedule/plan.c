/* Schedules on paper. */
#include "report/schedule/plan.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "engine/schedule/schedule_text.h"
#include "report/verdict/formats.h"

#include <math.h>
#include <stdlib.h>

#define UNIT          1e-3 /* the plan's unit, in the timeline's seconds: its axis is in ms */
#define SHORTEST      1e-9 /* of a timeline: a scale needs a length */
#define STAGE_COLUMNS 6    /* for stages; more where the word is longer */
#define GAP           2
#define DIGITS        6

static size_t width_of(const struct vl_schedule *schedule)
{
    return 3 * schedule->chunks * schedule->micro_batches;
}

/* ---- making it ---- */

static void find_idle(struct vl_plan *plan)
{
    const size_t width = width_of(plan->schedule);
    for (size_t stage = 0; stage < plan->schedule->stages; stage++) {
        double work = 0;
        for (size_t i = stage * width; i < (stage + 1) * width; i++)
            work += plan->times.end[i] - plan->times.begin[i];
        plan->idle[stage] = plan->times.makespan > 0 ? 1 - work / plan->times.makespan : 0;
    }
}

enum vl_status vl_plan_make(struct vl_plan *plan, const struct vl_schedule *schedule,
                            const struct vl_schedule_costs *costs)
{
    const size_t slots = schedule->stages * width_of(schedule);
    *plan = (struct vl_plan){.schedule = schedule};
    plan->times.begin = calloc(slots, sizeof *plan->times.begin);
    plan->times.end = calloc(slots, sizeof *plan->times.end);
    plan->times.live = calloc(schedule->stages, sizeof *plan->times.live);
    plan->idle = calloc(schedule->stages, sizeof *plan->idle);
    if (plan->times.begin == NULL || plan->times.end == NULL || plan->times.live == NULL ||
        plan->idle == NULL)
        return VL_ENOMEM;
    enum vl_status status = vl_schedule_simulate(&plan->times, schedule, costs);
    if (status == VL_OK)
        find_idle(plan);
    return status;
}

void vl_plan_free(struct vl_plan *plan)
{
    free(plan->times.begin);
    free(plan->times.end);
    free(plan->times.live);
    free(plan->idle);
    *plan = (struct vl_plan){0};
}

/* ---- as a timeline ---- */

static enum vl_work work_of(enum vl_task_kind kind)
{
    return kind == VL_TASK_FORWARD    ? VL_WORK_FORWARD
           : kind == VL_TASK_BACKWARD ? VL_WORK_BACKWARD
                                      : VL_WORK_WEIGHT;
}

void vl_plan_add_row(struct vl_timeline *timeline, struct vl_timeline_span *spans,
                     const struct vl_plan *plan, size_t stage, double scale)
{
    const size_t width = width_of(plan->schedule);
    struct vl_timeline_rank *row = &timeline->ranks[timeline->rank_count++];
    for (size_t i = 0; i < width; i++) {
        const size_t at = stage * width + i;
        const struct vl_task *task = &plan->schedule->tasks[at];
        spans[i] = (struct vl_timeline_span){.track = VL_TRACK_COMPUTE,
                                             .work = work_of(task->kind),
                                             .begin = scale * plan->times.begin[at],
                                             .end = scale * plan->times.end[at],
                                             .number = task->micro_batch,
                                             .chunk = task->chunk,
                                             .peer = -1};
    }
    *row = (struct vl_timeline_rank){.number = (int)stage,
                                     .stage = (int)stage,
                                     .spans = spans,
                                     .count = width,
                                     .until = scale * plan->times.makespan};
    snprintf(row->label, sizeof row->label, _("stage %d"), row->stage);
}

enum vl_status vl_plan_timeline(struct vl_timeline **timeline, const struct vl_plan *plan,
                                double grain)
{
    const size_t width = width_of(plan->schedule);
    struct vl_timeline *made = *timeline = calloc(1, sizeof *made);
    if (made != NULL)
        made->spans = calloc(plan->schedule->stages * width, sizeof *made->spans);
    if (made == NULL || made->spans == NULL)
        return VL_ENOMEM;
    made->is_plan = 1;
    made->grain = UNIT * grain;
    made->seconds = fmax(UNIT * plan->times.makespan, SHORTEST);
    for (size_t stage = 0; stage < plan->schedule->stages; stage++)
        vl_plan_add_row(made, made->spans + stage * width, plan, stage, UNIT);
    return VL_OK;
}

/* ---- what it costs, for people ---- */

static int column_of(const char *heading)
{
    return GAP + vl_utf8_width(heading);
}

static void put_table(const struct vl_plan *plan, const struct vl_terminal *terminal)
{
    const char *stage_heading = VL_PGETTEXT("pipeline", "stage"), *idle = _("idle, of total time"),
               *live = _("most alive");
    char text[VL_NUMBER_TEXT];
    const int heading = vl_utf8_width(stage_heading),
              stage_columns = heading > STAGE_COLUMNS ? heading : STAGE_COLUMNS;
    vl_terminal_put(terminal, VL_STYLE_BOLD, stage_columns, stage_heading);
    vl_terminal_put(terminal, VL_STYLE_BOLD, -column_of(idle), idle);
    vl_terminal_put(terminal, VL_STYLE_BOLD, -column_of(live), live);
    fputc('\n', terminal->stream);
    for (size_t stage = 0; stage < plan->schedule->stages; stage++) {
        snprintf(text, sizeof text, "%zu", stage);
        vl_terminal_put(terminal, VL_STYLE_PLAIN, stage_columns, text);
        vl_terminal_put(terminal, VL_STYLE_PLAIN, -column_of(idle),
                        vl_number_percent(text, plan->idle[stage], 1));
        snprintf(text, sizeof text, "%zu", plan->times.live[stage]);
        vl_terminal_put(terminal, VL_STYLE_PLAIN, -column_of(live), text);
        fputc('\n', terminal->stream);
    }
}

void vl_plan_draw_facts(const struct vl_plan *plan, const struct vl_terminal *terminal)
{
    char all[VL_NUMBER_TEXT], work[VL_NUMBER_TEXT], share[VL_NUMBER_TEXT];
    const double ideal = plan->times.makespan / (1 + plan->times.bubble_of_ideal);
    put_table(plan, terminal);
    fputc('\n', terminal->stream);
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN, "%s",
        plan->schedule->chunks > 1
            ? _("A chunk is alive when its forward is done and its weight part is not.")
            : _("A micro-batch is alive when its forward is done and its weight part is not."));
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                         _("Makespan: %1$s, of which the busiest stage works %2$s (ideal time)."),
                         vl_number_short(all, plan->times.makespan, DIGITS),
                         vl_number_short(work, ideal, DIGITS));
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("Bubble: %s of ideal time."),
                         vl_number_percent(share, plan->times.bubble_of_ideal, 1));
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                         _("Idle: %s of total time, mean over the stages."),
                         vl_number_percent(share, plan->times.idle_share, 1));
}

/* ---- and for machines ---- */

static json_t *row_json(const struct vl_plan *plan, size_t stage)
{
    const size_t width = width_of(plan->schedule);
    char name[VL_TASK_TEXT];
    json_t *tasks = json_array();
    for (size_t i = stage * width; i < (stage + 1) * width; i++)
        json_array_append_new(tasks,
                              json_pack("{so so so}", "task",
                                        vl_json_text(vl_task_text(name, &plan->schedule->tasks[i])),
                                        "begin", vl_json_real(plan->times.begin[i]), "end",
                                        vl_json_real(plan->times.end[i])));
    return json_pack("{sI so sI so}", "stage", (json_int_t)stage, "idle_of_total",
                     vl_json_real(plan->idle[stage]), "alive_at_most",
                     (json_int_t)plan->times.live[stage], "tasks", tasks);
}

json_t *vl_plan_json(const struct vl_plan *plan)
{
    json_t *rows = json_array();
    for (size_t stage = 0; stage < plan->schedule->stages; stage++)
        json_array_append_new(rows, row_json(plan, stage));
    return json_pack("{sI sI sI so so so so}", "stages", (json_int_t)plan->schedule->stages,
                     "chunks", (json_int_t)plan->schedule->chunks, "micro_batches",
                     (json_int_t)plan->schedule->micro_batches, "makespan",
                     vl_json_real(plan->times.makespan), "bubble_of_ideal",
                     vl_json_real(plan->times.bubble_of_ideal), "idle_of_total",
                     vl_json_real(plan->times.idle_share), "rows", rows);
}
