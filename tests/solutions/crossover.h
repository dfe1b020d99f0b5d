/*
 * DeepSeek-V3's own division, and the bandwidth between domains from which a model needs no
 * pipeline: used by the tests of claims and for the numbers of the chapters.
 */
#ifndef VIALATA_TESTS_CROSSOVER_H
#define VIALATA_TESTS_CROSSOVER_H

#include "planned.h"

#include <math.h>

enum { CHIPS = 2048 };
#define FILES (-1.0)
#define SLACK 0.05

/* DeepSeek-V3 as it was trained (arXiv:2412.19437, section 3.2): PP16, EP64 over 8 nodes, ZeRO-1
 * over what is left of 2048 chips, no TP. The planner knows 1F1B, not DualPipe; one sequence at a
 * time. */
static const struct vl_division v3s_own = {1, 64, 2, 16, 1, 120, 1, VL_KEEP_SELECTED};

struct roads {
    struct vl_setting setting;
    size_t chips;
};

static inline enum vl_status rivals_of(void *context, double *without, double *of_all,
                                       double bandwidth)
{
    struct roads *roads = context;
    roads->setting.cluster.outer.bandwidth = bandwidth;
    const struct vl_search one = {roads->chips, 1, 0}, any = {roads->chips, 0, 0};
    struct vl_forecast best;
    size_t n;
    enum vl_status status = vl_forecast_search(&best, &n, 1, &roads->setting, &one);
    *without = n > 0 ? best.step.seconds : INFINITY;
    if (status == VL_OK)
        status = vl_forecast_search(&best, &n, 1, &roads->setting, &any);
    *of_all = n > 0 ? best.step.seconds : INFINITY;
    return status;
}

/* hidden: the share of compute that hides gathers and exchanges; below 0: what the file says. */
static inline double crossover_of(const char *model, const char *machine, double hidden)
{
    struct roads roads = {read_setting(model, machine), CHIPS};
    const struct vl_rivals rivals = {&roads, rivals_of};
    double bandwidth;
    if (hidden >= 0)
        roads.setting.cluster.hidden_gathers = roads.setting.cluster.hidden_experts = hidden;
    /* A better pipeline may come into reach as the road gets broader, so look from above, as `plan`
     * does, for the first bandwidth at which it does not hold. */
    double low = 1e13, high = low;
    do {
        high = low;
        low /= 1.25;
        assert_int_equal(vl_crossover(&bandwidth, low, high, SLACK, &rivals), VL_OK);
    } while (bandwidth <= low && low > 1e9);
    return low <= 1e9 ? 1e9 : bandwidth;
}

#endif
