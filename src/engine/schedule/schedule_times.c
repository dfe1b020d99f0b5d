/*
 * A sound schedule with costs: when each task begins and ends, which stages idle, what is alive.
 */
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_look.h"
#include <math.h>
#include <stdlib.h>

struct clock {
    const struct vl_schedule_costs *costs;
    double *begin, *end; /* (p, 3 v m) */
    int is_strange;      /* a cost was negative, infinite or NaN */
};

static double cost_of(const struct vl_schedule_costs *costs, size_t stage,
                      const struct vl_task *task)
{
    if (costs->of != NULL)
        return costs->of(costs->context, stage, task);
    return task->kind == VL_TASK_FORWARD    ? costs->forward
           : task->kind == VL_TASK_BACKWARD ? costs->backward
                                            : costs->weight;
}

/* The next task of a stage begins when the one before is done and what it needs has arrived. */
static void tick(void *context, const struct vl_look *look, size_t stage)
{
    struct clock *clock = context;
    struct vl_need needs[VL_NEEDS];
    size_t i = stage * look->width + look->next[stage];
    const struct vl_task *task = &look->schedule->tasks[i];
    size_t count = vl_look_needs(needs, look->schedule, stage, task);
    double begin = look->next[stage] > 0 ? clock->end[i - 1] : 0;
    for (size_t n = 0; n < count; n++) {
        size_t from = needs[n].stage * look->width;
        double there = clock->end[from + *vl_look_place(look, needs[n].stage, &needs[n].task)];
        if (needs[n].stage != stage)
            there += clock->costs->message;
        begin = there > begin ? there : begin;
    }
    double cost = cost_of(clock->costs, stage, task);
    clock->is_strange |= !isfinite(cost) || cost < 0;
    clock->begin[i] = begin;
    clock->end[i] = begin + cost;
}

static void sum_up(struct vl_schedule_times *times, const struct clock *clock,
                   const struct vl_look *look)
{
    size_t p = look->schedule->stages;
    double work = 0, busiest = 0, makespan = 0;
    for (size_t stage = 0; stage < p; stage++) {
        double own = 0;
        for (size_t i = stage * look->width; i < (stage + 1) * look->width; i++)
            own += cost_of(clock->costs, stage, &look->schedule->tasks[i]);
        double last = clock->end[(stage + 1) * look->width - 1];
        work += own;
        busiest = own > busiest ? own : busiest;
        makespan = last > makespan ? last : makespan;
    }
    times->makespan = makespan;
    times->idle_share = makespan > 0 ? 1 - work / ((double)p * makespan) : 0;
    times->bubble_of_ideal = busiest > 0 ? (makespan - busiest) / busiest : 0;
}

/* A chunk lives from its forward to its weight part, which is the last to read what was saved. */
static size_t live_on(const struct vl_look *look, size_t stage)
{
    size_t live = 0, most = 0;
    for (size_t i = 0; i < look->width; i++) {
        enum vl_task_kind kind = look->schedule->tasks[stage * look->width + i].kind;
        live += kind == VL_TASK_FORWARD;
        live -= kind == VL_TASK_WEIGHT;
        most = live > most ? live : most;
    }
    return most;
}

static enum vl_status simulate(struct vl_schedule_times *times, struct vl_look *look,
                               struct clock *clock)
{
    struct vl_schedule_report report;
    look->done = tick;
    look->context = clock;
    vl_look_check(&report, look);
    if (report.fault != VL_SCHEDULE_SOUND)
        return VL_ESHAPE;
    if (clock->is_strange)
        return VL_EINVAL;
    sum_up(times, clock, look);
    for (size_t stage = 0; times->live != NULL && stage < look->schedule->stages; stage++)
        times->live[stage] = live_on(look, stage);
    return VL_OK;
}

enum vl_status vl_schedule_simulate(struct vl_schedule_times *times,
                                    const struct vl_schedule *schedule,
                                    const struct vl_schedule_costs *costs)
{
    if (times == NULL || costs == NULL || !isfinite(costs->message) || costs->message < 0)
        return VL_EINVAL;
    struct vl_look look;
    double *own_begin = NULL, *own_end = NULL;
    enum vl_status status = vl_look_open(&look, schedule);
    if (status == VL_OK) {
        size_t slots = schedule->stages * look.width;
        struct clock clock = {.costs = costs, .begin = times->begin, .end = times->end};
        if (clock.begin == NULL)
            clock.begin = own_begin = calloc(slots, sizeof *own_begin);
        if (clock.end == NULL)
            clock.end = own_end = calloc(slots, sizeof *own_end);
        status =
            clock.begin != NULL && clock.end != NULL ? simulate(times, &look, &clock) : VL_ENOMEM;
    }
    free(own_begin);
    free(own_end);
    vl_look_close(&look);
    return status;
}
