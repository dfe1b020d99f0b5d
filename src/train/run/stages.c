#include "train/run/stages.h"

#include "engine/schedule/schedule_make.h"
#include "engine/schedule/schedule_words.h"
#include "train/options/options_experts.h"
#include "train/options/options_layout.h"

#include <stdlib.h>

static enum vl_status make_schedule(struct vl_schedule *schedule, struct vl_options *o,
                                    struct vl_problem *problem)
{
    struct vl_schedule_problem found;
    char sentence[VL_SCHEDULE_SENTENCE];
    enum vl_status status =
        vl_schedule_make(schedule, o->schedule, o->stages, o->chunks, o->accumulate, &found);
    if (status != VL_OK)
        return vl_problem_set(problem, status, "layout_schedule", "%s",
                              vl_schedule_sentence(sentence, &found));
    if (o->chunks == schedule->chunks && o->accumulate == schedule->micro_batches)
        return VL_OK;
    vl_options_take_schedule(o, schedule->chunks, schedule->micro_batches);
    return vl_options_settle_layout(o, problem);
}

static enum vl_status find_borders(struct vl_stages *stages, const struct vl_options *o,
                                   struct vl_problem *problem)
{
    size_t parts = o->stages * o->chunks, first = 0;
    stages->borders = calloc(parts + 1, sizeof *stages->borders);
    if (stages->borders == NULL)
        return vl_problem_status(problem, VL_ENOMEM);
    enum vl_status status = vl_options_stage_layers(stages->borders, o, problem);
    for (size_t i = 0; status == VL_OK && i <= parts; i++) {
        size_t layers = stages->borders[i];
        stages->borders[i] = first;
        first += layers;
    }
    return status;
}

/* Count by a simulation; it depends only on the rows' order, so all costs are 1. */
static enum vl_status count_live(struct vl_stages *stages, struct vl_problem *problem)
{
    const struct vl_schedule *schedule = &stages->schedule;
    const struct vl_schedule_costs costs = {.forward = 1, .backward = 1, .weight = 1};
    size_t live[VL_SCHEDULE_STAGES] = {0}, sum = 0;
    struct vl_schedule_times times = {.live = live};
    enum vl_status status = vl_schedule_simulate(&times, schedule, &costs);
    for (size_t stage = 0; stage < schedule->stages; stage++)
        sum += live[stage];
    stages->live = (double)sum / (double)(schedule->stages * schedule->chunks);
    return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
}

enum vl_status vl_stages_create(struct vl_stages *stages, struct vl_options *options,
                                struct vl_problem *problem)
{
    *stages = (struct vl_stages){.live = 1};
    if (options->stages < 2)
        return VL_OK;
    enum vl_status status = make_schedule(&stages->schedule, options, problem);
    if (status == VL_OK && vl_options_auxiliary_waits(options) &&
        !vl_schedule_forwards_first(&stages->schedule))
        status = vl_options_refuse_waiting(problem);
    if (status == VL_OK)
        status = find_borders(stages, options, problem);
    if (status == VL_OK)
        status = count_live(stages, problem);
    if (status != VL_OK)
        vl_stages_free(stages);
    return status;
}

void vl_stages_free(struct vl_stages *stages)
{
    vl_schedule_free(&stages->schedule);
    free(stages->borders);
    *stages = (struct vl_stages){.live = 1};
}
