/*
 * A schedule of a pipeline on paper: what it costs, and its timeline with one row per stage.
 *
 *   stage 0 F0F1....B0W0F2B1W1..B2W2
 *   stage 1 ..F0B0W0F1B1W1F2B2W2....
 *
 * Two shares that are easy to confuse always name what they are a share of: the bubble is a share
 * of *ideal* time (the work of the busiest stage), idle a share of *total* time (the makespan).
 * Serial.
 */
#ifndef VIALATA_REPORT_SCHEDULE_PLAN_H
#define VIALATA_REPORT_SCHEDULE_PLAN_H

#include "engine/schedule/schedule.h"
#include "report/timeline/timeline.h"

struct vl_plan {
    const struct vl_schedule *schedule; /* the caller's, and outlives the plan */
    struct vl_schedule_times times;     /* begin, end and live are the plan's own */
    double *idle;                       /* (p), of total time */
};

/* VL_ENOMEM, and what vl_schedule_simulate returns. Free it in any case. */
enum vl_status vl_plan_make(struct vl_plan *plan, const struct vl_schedule *schedule,
                            const struct vl_schedule_costs *costs);
void vl_plan_free(struct vl_plan *plan);

/* Add a row to a timeline: the tasks of a stage, with times multiplied by 'scale'. The row's 3 v m
 * spans are written to 'spans'. */
void vl_plan_add_row(struct vl_timeline *timeline, struct vl_timeline_span *spans,
                     const struct vl_plan *plan, size_t stage, double scale);

/* All rows, without a unit of time; vl_timeline_free frees it. 'grain' as in the timeline, in the
 * plan's own unit. */
enum vl_status vl_plan_timeline(struct vl_timeline **timeline, const struct vl_plan *plan,
                                double grain);

/* A row per stage, and below them what the whole schedule takes. */
void vl_plan_draw_facts(const struct vl_plan *plan, const struct vl_terminal *terminal);

/* The same for machines, with every task's begin and end; the caller's, NULL without memory. */
json_t *vl_plan_json(const struct vl_plan *plan);

#endif
