#include "grade/cost/counting_run.h"

#include "grade/cost/sum.h"
#include "grade/job/throughput.h"
#include "grade/judge/outputs.h"
#include "ranks/throughput_side.h"

#include <stdio.h>

#define START_SECONDS 20.0 /* MPI's start, and the inputs */
#define TURN_SECONDS  5.0
#define TURNS         4 /* the shortest counts: the first finds everything cold */

static bool obeys(struct vl_throughput_side *side, const struct vl_order *order, double seconds)
{
    enum vl_status status = VL_OK;
    vl_throughput_side_order(side, order);
    return vl_throughput_side_await(side, seconds, &status) == VL_THROUGHPUT_MEASURED &&
           status == VL_OK;
}

static bool take(struct vl_counts *sum, const struct vl_throughput_side *side)
{
    bool taken = true;
    *sum = (struct vl_counts){0};
    for (int rank = 0; rank < side->ranks && taken; rank++) {
        struct vl_bag *bag = vl_outputs_take(side->sandbox, 0, rank);
        taken = vl_counts_take(sum, bag);
        vl_bag_free(bag);
    }
    return taken;
}

/* One after the other: they would share caches and memory. */
static bool count(struct vl_slow *slow, struct vl_throughput *both, const struct vl_timing *timing,
                  uint64_t seed)
{
    struct vl_counts *counts[2] = {[VL_THROUGHPUT_REFERENCE] = &slow->reference,
                                   [VL_THROUGHPUT_SUBMISSION] = &slow->submission};
    struct vl_order prepare = {.verb = VL_ORDER_PREPARE, .count = TURNS, .seed = seed};
    const struct vl_order turn = {.verb = VL_ORDER_COUNT, .count = TURNS};
    bool known = true;
    snprintf(prepare.function, sizeof prepare.function, "%s", timing->function);
    for (int i = 0; i < 2 && known; i++)
        known = obeys(&both->side[i], &prepare, START_SECONDS);
    for (int i = 0; i < 2 && known; i++)
        known =
            obeys(&both->side[i], &turn, TURNS * TURN_SECONDS) && take(counts[i], &both->side[i]);
    return known;
}

enum vl_status vl_counting_run(struct vl_slow *slow, bool *known, const struct vl_counting_run *run,
                               const struct vl_timing *timing, uint64_t seed)
{
    struct vl_throughput both;
    *slow = (struct vl_slow){
        .function = timing->function, .ranks = run->ranks, .sees_all = run->programs->sees_all};
    vl_throughput_open(&both, run->ranks, run->references, run->programs->reference,
                       run->submissions, run->programs->submission);
    enum vl_status status = VL_OK;
    for (int i = 0; i < 2 && status == VL_OK; i++)
        status = vl_throughput_side_start(&both.side[i]);
    *known = status == VL_OK && count(slow, &both, timing, seed);
    vl_throughput_close(&both);
    return status;
}
