/*
 * What the two files of numbers share. A key, a tab, a value: in bytes, seconds, FLOPs, shares.
 */
#ifndef VIALATA_TESTS_CHAPTER_NUMBERS_H
#define VIALATA_TESTS_CHAPTER_NUMBERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solutions/crossover.h"
#include "vialata/road_cost.h"
#include "vialata/schedule.h"

static inline void say(const char *key, double value)
{
    if (!(value > -INFINITY && value < INFINITY))
        fail_msg("%s is no number", key);
    printf("%s\t%.17g\n", key, value);
}

/* A status that is not VL_OK ends the program with a word about where. */
#define MUST(call) assert_int_equal(call, VL_OK)

/* ---- what several sections ask for ---- */

/* Bytes that one rank sends in a ring all-reduce: seconds on a road of one byte a second. */
static inline double ring(int ranks, double bytes)
{
    const struct vl_road road = {0, 1};
    double seconds;
    MUST(vl_all_reduce_seconds(&seconds, &road, ranks, bytes));
    return seconds;
}

static inline double bubble(size_t stages, size_t chunks, size_t micro_batches)
{
    double share;
    MUST(vl_bubble_of_ideal(&share, stages, chunks, micro_batches));
    return share;
}

/* A share of the ideal time as a share of the whole. */
static inline double of_whole(double of_ideal)
{
    return of_ideal / (1 + of_ideal);
}

/* Bytes of state for one parameter on a chip, with Adam in mixed precision: planner and ZeRO. */
static inline double mixed_state(size_t data, size_t stage)
{
    const struct vl_recipe recipe = {
        .batch = data, .weight_bytes = 2, .gradient_bytes = 2, .optimizer_bytes = 12};
    const struct vl_division division = {1, 1, data, 1, 1, 1, stage, VL_KEEP_ALL};
    const struct vl_chip chip = {.common = 1};
    double bytes;
    MUST(vl_planned_state_bytes(&bytes, &chip, &recipe, &division));
    return bytes;
}

/* The chapters reckon with the bandwidths of data sheets, but for the crossovers. */
static inline struct vl_setting read_nominal(const char *model, const char *machine)
{
    struct vl_setting s = read_setting(model, machine);
    s.cluster.inner.bandwidth = s.cluster.inner.nominal;
    s.cluster.outer.bandwidth = s.cluster.outer.nominal;
    return s;
}

/* Models as published, and how broad a road is broad enough. */
void say_models(void);

#endif
