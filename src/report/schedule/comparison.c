/* Predicted and measured: read from a trace, and calculated. */
#include "report/schedule/comparison.h"

#include "base/text.h"
#include "report/schedule/plan.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3 };
#define SHORTEST 1e-9 /* seconds: a scale needs a length */

/* What is being put together. */
struct draft {
    struct vl_comparison *made;
    const struct vl_timeline_rank *shown[VL_SCHEDULE_STAGES]; /* of each stage */
    const struct vl_timeline_span **tasks; /* (p, kinds, v, m), as measured; NULL: not seen */
    double *costs;                         /* (p, kinds, v): medians */
    double *durations;                     /* (m) */
    const char *reason;
};

static int refuse(struct draft *draft, const char *reason)
{
    draft->reason = reason;
    return 0;
}

/* ---- what the trace says of its pipeline ---- */

static size_t read_size(const json_t *told, const char *key)
{
    const json_t *value = json_object_get(told, key);
    json_int_t size = json_integer_value(value);
    return json_is_integer(value) && size > 0 && size <= VL_SCHEDULE_SPLITS ? (size_t)size : 0;
}

/* The rows are the lines of a schedule's text. */
static char *join_rows(const json_t *rows)
{
    char *text = NULL;
    size_t bytes, i;
    const json_t *row;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return NULL;
    json_array_foreach(rows, i, row)
        fprintf(stream, "%s\n", json_is_string(row) ? json_string_value(row) : "?");
    int failed = ferror(stream);
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

static enum vl_status read_schedule(struct draft *draft, const json_t *told)
{
    struct vl_schedule *schedule = &draft->made->schedule;
    struct vl_schedule_problem problem;
    struct vl_schedule_report report = {.fault = VL_SCHEDULE_MISSING};
    const char *name = json_string_value(json_object_get(told, "name"));
    *schedule = (struct vl_schedule){.stages = read_size(told, "stages"),
                                     .chunks = read_size(told, "chunks"),
                                     .micro_batches = read_size(told, "micro_batches")};
    char *text = join_rows(json_object_get(told, "tasks"));
    if (text == NULL)
        return VL_ENOMEM;
    enum vl_status status = VL_EFORMAT;
    if (schedule->stages > 0 && schedule->chunks > 0 && schedule->micro_batches > 0)
        status = vl_schedule_parse(schedule, text, &problem);
    free(text);
    if (status == VL_OK)
        status = vl_schedule_check(&report, schedule);
    if (status == VL_ENOMEM)
        return status;
    strncpy(draft->made->name, name != NULL ? name : "", sizeof draft->made->name - 1);
    if (status != VL_OK || report.fault != VL_SCHEDULE_SOUND || name == NULL)
        refuse(draft, _("The schedule in this trace is not valid, so nothing is predicted from it: "
                        "record the run again."));
    return VL_OK;
}

/* Which rank is on which stage; of each stage the first is shown. */
static int read_stages(struct draft *draft, struct vl_timeline *timeline, const json_t *told)
{
    const json_t *stages = json_object_get(told, "stage_of_rank");
    const size_t p = draft->made->schedule.stages;
    for (size_t rank = 0; rank < timeline->rank_count; rank++) {
        struct vl_timeline_rank *here = &timeline->ranks[rank];
        const json_t *value = json_array_get(stages, (size_t)here->number);
        json_int_t stage = json_integer_value(value);
        if (!json_is_integer(value) || stage < 0 || (size_t)stage >= p)
            return refuse(draft, _("This trace does not say which rank is on which stage, so "
                                   "nothing is predicted from it: record the run again."));
        here->stage = (int)stage;
        draft->made->has_more_ranks |= draft->shown[stage] != NULL;
        if (draft->shown[stage] == NULL)
            draft->shown[stage] = here;
    }
    return 1;
}

/* ---- what was measured ---- */

static size_t kind_of(const struct vl_timeline_span *span)
{
    return span->work == VL_WORK_FORWARD    ? VL_TASK_FORWARD
           : span->work == VL_WORK_BACKWARD ? VL_TASK_BACKWARD
                                            : VL_TASK_WEIGHT;
}

static bool is_task(const struct vl_timeline_span *span)
{
    return span->chunk >= 0 && (span->work == VL_WORK_FORWARD || span->work == VL_WORK_BACKWARD ||
                                span->work == VL_WORK_WEIGHT);
}

static int refuse_tasks(struct draft *draft)
{
    return refuse(draft, _("This trace does not hold each task of its schedule once, so "
                           "nothing is predicted from it: record a step of a smaller run."));
}

/* Each task of the schedule once, and no other. */
static int find_tasks(struct draft *draft)
{
    const struct vl_schedule *schedule = &draft->made->schedule;
    const size_t v = schedule->chunks, m = schedule->micro_batches, width = KINDS * v * m;
    for (size_t stage = 0; stage < schedule->stages; stage++) {
        size_t found = 0;
        for (size_t i = 0; draft->shown[stage] != NULL && i < draft->shown[stage]->count; i++) {
            const struct vl_timeline_span *span = &draft->shown[stage]->spans[i];
            if (!is_task(span))
                continue;
            if ((uint64_t)span->chunk >= v || span->number < 0 || (uint64_t)span->number >= m)
                return refuse_tasks(draft);
            size_t at = (kind_of(span) * v + (size_t)span->chunk) * m + (size_t)span->number;
            if (draft->tasks[stage * width + at] != NULL)
                return refuse_tasks(draft);
            draft->tasks[stage * width + at] = span;
            found++;
        }
        if (found != width)
            return refuse_tasks(draft);
    }
    return 1;
}

static int by_size(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_size);
    return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

static void find_costs(struct draft *draft)
{
    const struct vl_schedule *schedule = &draft->made->schedule;
    const size_t m = schedule->micro_batches;
    for (size_t like = 0; like < schedule->stages * KINDS * schedule->chunks; like++) {
        for (size_t i = 0; i < m; i++) {
            const struct vl_timeline_span *span = draft->tasks[like * m + i];
            draft->durations[i] = span->end - span->begin;
        }
        draft->costs[like] = median(draft->durations, m);
    }
}

static double cost_of(void *context, size_t stage, const struct vl_task *task)
{
    const struct draft *draft = context;
    return draft
        ->costs[(stage * KINDS + (size_t)task->kind) * draft->made->schedule.chunks + task->chunk];
}

/* ---- rows ---- */

static void add_measured(struct draft *draft, struct vl_timeline_span *spans, size_t stage,
                         double zero)
{
    struct vl_comparison *made = draft->made;
    struct vl_timeline_rank *row = &made->timeline->ranks[made->timeline->rank_count++];
    const struct vl_timeline_rank *from = draft->shown[stage];
    double busy = 0;
    *row = (struct vl_timeline_rank){.number = from->number,
                                     .stage = (int)stage,
                                     .spans = spans,
                                     .until = made->measured_seconds};
    for (size_t i = 0; i < from->count; i++) {
        if (!is_task(&from->spans[i]))
            continue;
        struct vl_timeline_span *span = &spans[row->count++];
        *span = from->spans[i];
        span->begin -= zero;
        span->end -= zero;
        busy += span->end - span->begin;
    }
    snprintf(row->label, sizeof row->label, _("stage %d measured"), row->stage);
    made->stages[stage].rank = from->number;
    made->stages[stage].measured_idle = fmax(0, 1 - busy / made->measured_seconds);
    made->measured_idle += made->stages[stage].measured_idle / (double)made->schedule.stages;
}

/* From the first task of any stage to the last: the rest is not part of the pipeline. */
static double find_bounds(struct draft *draft, size_t slots)
{
    double first = INFINITY, last = -INFINITY;
    for (size_t i = 0; i < slots; i++) {
        first = fmin(first, draft->tasks[i]->begin);
        last = fmax(last, draft->tasks[i]->end);
    }
    draft->made->measured_seconds = fmax(last - first, SHORTEST);
    return first;
}

static void add_rows(struct draft *draft, const struct vl_plan *plan)
{
    struct vl_comparison *made = draft->made;
    struct vl_timeline *timeline = made->timeline;
    const size_t p = made->schedule.stages,
                 width = KINDS * made->schedule.chunks * made->schedule.micro_batches;
    double zero = find_bounds(draft, p * width);
    made->predicted_seconds = plan->times.makespan;
    made->predicted_idle = plan->times.idle_share;
    made->predicted_bubble = plan->times.bubble_of_ideal;
    timeline->seconds = fmax(made->measured_seconds, made->predicted_seconds);
    for (size_t stage = 0; stage < p; stage++) {
        struct vl_timeline_span *spans = timeline->spans + 2 * stage * width;
        add_measured(draft, spans, stage, zero);
        vl_plan_add_row(timeline, spans + width, plan, stage, 1);
        struct vl_timeline_rank *row = &timeline->ranks[timeline->rank_count - 1];
        snprintf(row->label, sizeof row->label, _("stage %d predicted"), row->stage);
        made->stages[stage].predicted_idle = plan->idle[stage];
        made->stages[stage].live = plan->times.live[stage];
    }
}

/* ---- all of it ---- */

static enum vl_status make_buffers(struct draft *draft)
{
    const struct vl_schedule *schedule = &draft->made->schedule;
    const size_t like = schedule->stages * KINDS * schedule->chunks,
                 slots = like * schedule->micro_batches;
    draft->tasks = calloc(slots, sizeof *draft->tasks);
    draft->costs = calloc(like, sizeof *draft->costs);
    draft->durations = calloc(schedule->micro_batches, sizeof *draft->durations);
    struct vl_timeline *timeline = draft->made->timeline = calloc(1, sizeof *timeline);
    if (timeline != NULL)
        timeline->spans = calloc(2 * slots, sizeof *timeline->spans);
    return draft->tasks != NULL && draft->costs != NULL && draft->durations != NULL &&
                   timeline != NULL && timeline->spans != NULL
               ? VL_OK
               : VL_ENOMEM;
}

static enum vl_status predict(struct draft *draft)
{
    const struct vl_schedule_costs costs = {.of = cost_of, .context = draft};
    struct vl_plan plan;
    find_costs(draft);
    enum vl_status status = vl_plan_make(&plan, &draft->made->schedule, &costs);
    if (status == VL_OK)
        add_rows(draft, &plan);
    vl_plan_free(&plan);
    return status;
}

enum vl_status vl_comparison_read(struct vl_comparison **comparison, struct vl_timeline *timeline,
                                  const json_t *trace, const char **reason)
{
    const json_t *told = json_object_get(json_object_get(trace, "otherData"), "schedule");
    struct draft draft = {0};
    *comparison = NULL;
    *reason = NULL;
    if (told == NULL)
        return VL_OK;
    draft.made = calloc(1, sizeof *draft.made);
    enum vl_status status = draft.made != NULL ? read_schedule(&draft, told) : VL_ENOMEM;
    if (status == VL_OK && draft.reason == NULL)
        read_stages(&draft, timeline, told);
    if (status == VL_OK && draft.reason == NULL)
        status = make_buffers(&draft);
    if (status == VL_OK && draft.reason == NULL && find_tasks(&draft))
        status = predict(&draft);
    free(draft.tasks);
    free(draft.costs);
    free(draft.durations);
    *reason = status == VL_OK ? draft.reason : NULL;
    if (status == VL_OK && draft.reason == NULL)
        *comparison = draft.made;
    else
        vl_comparison_free(draft.made);
    return status;
}

void vl_comparison_free(struct vl_comparison *comparison)
{
    if (comparison == NULL)
        return;
    vl_schedule_free(&comparison->schedule);
    vl_timeline_free(comparison->timeline);
    free(comparison);
}
