#include "grade/pace.h"

#include "base/random.h"
#include "grade/compare.h"
#include "grade/interrupt.h"
#include "grade/pace_side.h"
#include "grade/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_SECONDS   20.0 /* the first preparation includes MPI's start */
#define PREPARE_SECONDS 10.0
#define TURN_SECONDS    5.0
#define TURN_LEAST      2e-3 /* a shorter turn is repeated on other inputs */
#define FEWEST_PAIRS    5
#define MOST_PAIRS      25
#define ROUND_SECONDS   1.2
#define ROUNDS          3
#define LAB_SECONDS     10.0 /* beyond that, unsteady rounds are not repeated */
#define NORM_FLOOR      1e-6

static struct vl_pace_side side_of(const struct vl_sandbox *sandbox, const char *program)
{
    struct vl_pace_side side = {.sandbox = sandbox, .program = program, .board = -1};
    side.process.pipe = -1;
    for (int rank = 0; rank < VL_BOARD_RANKS; rank++)
        side.go[rank] = side.said[rank] = -1;
    return side;
}

void vl_pace_open(struct vl_pace *pace, const char *scratch, int ranks,
                  const struct vl_sandbox *reference_sandbox, const char *reference,
                  const struct vl_sandbox *submission_sandbox, const char *submission)
{
    *pace = (struct vl_pace){.scratch = scratch,
                             .ranks = ranks,
                             .reference = side_of(reference_sandbox, reference),
                             .submission = side_of(submission_sandbox, submission)};
}

void vl_pace_close(struct vl_pace *pace)
{
    vl_pace_side_stop(&pace->reference);
    vl_pace_side_stop(&pace->submission);
    vl_sandbox_sweep(pace->submission.sandbox);
    vl_sandbox_sweep(pace->reference.sandbox);
}

double vl_pace_share(double ratio)
{
    if (!(ratio > VL_PACE_NONE))
        return 0;
    return fmin(1, log(ratio / VL_PACE_NONE) / log(VL_PACE_FULL / VL_PACE_NONE));
}

/* One measurement under way. */
struct course {
    struct vl_pace *pace;
    const struct vl_timing *timing;
    uint64_t seed;
    uint64_t pairs;   /* so far, warm-up included: no two have the same inputs */
    uint32_t repeats; /* works a turn goes through */
    double fastest;   /* turn of the reference, seconds */
    double ratios[MOST_PAIRS];
};

static enum vl_pace_end await(struct course *course, struct vl_pace_side *side, enum vl_verb verb,
                              double seconds)
{
    enum vl_status status = VL_OK;
    enum vl_pace_end end = vl_pace_side_await(side, course->pace->ranks, verb, seconds, &status);
    if (end == VL_PACE_MEASURED && status != VL_OK)
        end = VL_PACE_REFUSED;
    return end != VL_PACE_MEASURED && side == &course->pace->reference ? VL_PACE_NO_REFERENCE : end;
}

/* Both at the same time: nobody measures this. */
static enum vl_pace_end prepare(struct course *course)
{
    struct vl_pace *pace = course->pace;
    struct vl_order order = {.verb = VL_ORDER_PREPARE,
                             .count = 2 * course->repeats,
                             .seed = vl_random_bits(course->seed, 1, course->pairs)};
    snprintf(order.function, sizeof order.function, "%s", course->timing->function);
    double seconds = course->pairs == 0 ? START_SECONDS : PREPARE_SECONDS;
    vl_pace_side_order(&pace->reference, pace->ranks, &order);
    vl_pace_side_order(&pace->submission, pace->ranks, &order);
    enum vl_pace_end end = await(course, &pace->reference, VL_ORDER_PREPARE, seconds);
    if (end == VL_PACE_MEASURED)
        end = await(course, &pace->submission, VL_ORDER_PREPARE, seconds);
    return end;
}

static enum vl_pace_end turn(struct course *course, struct vl_pace_side *side, int half,
                             double *fastest)
{
    struct vl_order order = {
        .verb = VL_ORDER_TURN, .first = half ? course->repeats : 0, .count = course->repeats};
    double begin = vl_clock();
    vl_pace_side_order(side, course->pace->ranks, &order);
    enum vl_pace_end end = await(course, side, VL_ORDER_TURN, TURN_SECONDS);
    *fastest = fmin(*fastest, vl_clock() - begin);
    return end;
}

static int agree(const struct vl_bag *got, const struct vl_bag *expected, double bound)
{
    if (got == NULL || expected == NULL)
        return 0;
    for (size_t i = 0; i < vl_bag_count(expected); i++) {
        const struct vl_tensor_entry *right = vl_bag_entry(expected, i);
        const struct vl_tensor_entry *entry = vl_bag_find(got, right->name);
        if (entry == NULL || entry->dtype != right->dtype || entry->count != right->count ||
            !(vl_compare(entry, right, right, NORM_FLOOR).error <= bound))
            return 0;
    }
    return 1;
}

/* Compare the results of one work, drawn after the turns are over. */
static enum vl_pace_end check(struct course *course)
{
    struct vl_pace *pace = course->pace;
    struct vl_order order = {
        .verb = VL_ORDER_FINISH,
        .first = (uint32_t)vl_random_below(2 * course->repeats, course->seed, 2, course->pairs)};
    vl_pace_side_order(&pace->reference, pace->ranks, &order);
    vl_pace_side_order(&pace->submission, pace->ranks, &order);
    enum vl_pace_end end = await(course, &pace->reference, VL_ORDER_FINISH, PREPARE_SECONDS);
    if (end == VL_PACE_MEASURED)
        end = await(course, &pace->submission, VL_ORDER_FINISH, PREPARE_SECONDS);
    for (int rank = 0; rank < pace->ranks && end == VL_PACE_MEASURED; rank++) {
        struct vl_bag *right =
            vl_results_take(pace->reference.sandbox, pace->scratch, order.first, rank);
        struct vl_bag *got =
            vl_results_take(pace->submission.sandbox, pace->scratch, order.first, rank);
        if (right == NULL)
            end = VL_PACE_NO_REFERENCE;
        else if (!agree(got, right, course->timing->bound))
            end = VL_PACE_WRONG;
        vl_bag_free(right);
        vl_bag_free(got);
    }
    return end;
}

/* A B B A, and B A A B the next time, so that a machine growing slower or faster favours nobody. */
static enum vl_pace_end run_pair(struct course *course, double *ratio)
{
    struct vl_pace_side *sides[2] = {&course->pace->reference, &course->pace->submission};
    double fastest[2] = {INFINITY, INFINITY};
    int odd = (int)(course->pairs % 2);
    const int order[4] = {odd, !odd, !odd, odd};
    enum vl_pace_end end = prepare(course);
    for (int i = 0; i < 4 && end == VL_PACE_MEASURED && !vl_interrupt_seen(); i++)
        end = turn(course, sides[order[i]], i >= 2, &fastest[order[i]]);
    if (end == VL_PACE_MEASURED && !vl_interrupt_seen())
        end = check(course);
    course->pairs++;
    course->fastest = fastest[0];
    *ratio = fastest[0] / fastest[1];
    return end;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The value below which a share of the sorted numbers lies, interpolated. */
static double quantile(const double *sorted, int n, double share)
{
    double at = share * (n - 1);
    int below = (int)at;
    double part = at - below;
    return below + 1 < n ? (1 - part) * sorted[below] + part * sorted[below + 1] : sorted[below];
}

static void summarise(const struct course *course, int n, double *median, double *spread)
{
    double sorted[MOST_PAIRS];
    memcpy(sorted, course->ratios, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    *median = quantile(sorted, n, 0.5);
    *spread = 0.5 * (quantile(sorted, n, 0.75) - quantile(sorted, n, 0.25)) / *median;
}

/* Pairs until their ratios agree, or enough time has gone. The steadiest round counts. */
static enum vl_pace_end run_round(struct course *course, struct vl_pace_result *result)
{
    double begin = vl_clock(), median = NAN, spread = INFINITY;
    enum vl_pace_end end = VL_PACE_MEASURED;
    for (int n = 0; n < MOST_PAIRS && end == VL_PACE_MEASURED && !vl_interrupt_seen();) {
        end = run_pair(course, &course->ratios[n++]);
        if (end != VL_PACE_MEASURED)
            break;
        result->pairs++;
        summarise(course, n, &median, &spread);
        double gone = vl_clock() - begin;
        if ((n >= FEWEST_PAIRS && (spread <= VL_PACE_STEADY || gone > ROUND_SECONDS)) ||
            gone > 3 * ROUND_SECONDS)
            break;
    }
    if (end == VL_PACE_MEASURED && !(spread >= result->spread)) {
        result->ratio = median;
        result->spread = spread;
    }
    return end;
}

static enum vl_pace_end measure(struct course *course, struct vl_pace_result *result)
{
    double unused;
    enum vl_pace_end end = run_pair(course, &unused); /* warms both up */
    if (end == VL_PACE_MEASURED && course->fastest < TURN_LEAST) {
        double repeats = ceil(TURN_LEAST / course->fastest);
        course->repeats = (uint32_t)fmin(repeats, VL_ORDER_WORKS / 2);
    }
    for (int round = 0; round < ROUNDS && end == VL_PACE_MEASURED && !vl_interrupt_seen();
         round++) {
        if (round > 0 && course->pace->spent + vl_clock() - result->seconds > LAB_SECONDS)
            break;
        end = run_round(course, result);
        if (result->spread <= VL_PACE_STEADY)
            break;
    }
    return end;
}

enum vl_status vl_pace_measure(struct vl_pace_result *result, struct vl_pace *pace,
                               const struct vl_timing *timing, uint64_t seed)
{
    *result = (struct vl_pace_result){
        .ratio = NAN, .spread = INFINITY, .seconds = vl_clock() /* when it began, for now */};
    enum vl_status status = vl_pace_side_start(&pace->reference, pace->ranks);
    if (status == VL_OK)
        status = vl_pace_side_start(&pace->submission, pace->ranks);
    if (status != VL_OK)
        return status;
    struct course course = {.pace = pace, .timing = timing, .seed = seed, .repeats = 1};
    result->end = measure(&course, result);
    result->stable = result->spread <= VL_PACE_STEADY;
    result->seconds = vl_clock() - result->seconds;
    pace->spent += result->seconds;
    /* What has gone wrong may have left an answer in a pipe: begin the next one anew. */
    if (result->end != VL_PACE_MEASURED)
        vl_pace_close(pace);
    return VL_OK;
}
