#include "grade/job/throughput.h"

#include "base/random.h"
#include "grade/judge/compare.h"
#include "grade/judge/outputs.h"
#include "grade/sandbox/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_SECONDS   20.0 /* the first preparation includes MPI's start */
#define PREPARE_SECONDS 10.0
#define TURN_SECONDS    5.0
#define TURN_LEAST      2e-3 /* a shorter turn is repeated on other inputs */
#define FEWEST_PAIRS    5
#define MOST_PAIRS      100
#define CONFIRMING      3   /* turns of a side that must agree */
#define LONG_SECONDS    3.0 /* to wait for that on a busy machine */
#define SHORT_SECONDS   1.2 /* the same, once LAB_SECONDS have gone into this lab */
#define LAB_SECONDS     10.0
#define NORM_FLOOR      1e-6

static struct vl_throughput_side side_of(const struct vl_sandbox *sandbox, const char *program,
                                         int ranks)
{
    struct vl_throughput_side side = {
        .sandbox = sandbox, .program = program, .ranks = ranks, .process.pipe = -1};
    for (int rank = 0; rank < VL_BOARD_RANKS; rank++)
        side.go[rank] = side.said[rank] = -1;
    return side;
}

void vl_throughput_open(struct vl_throughput *throughput, const char *scratch, int ranks,
                        const struct vl_sandbox *reference_sandbox, const char *reference,
                        const struct vl_sandbox *submission_sandbox, const char *submission)
{
    *throughput = (struct vl_throughput){.scratch = scratch,
                                         .ranks = ranks,
                                         .side = {side_of(reference_sandbox, reference, ranks),
                                                  side_of(submission_sandbox, submission, ranks)}};
}

void vl_throughput_close(struct vl_throughput *throughput)
{
    for (int i = 0; i < 2; i++) /* both first: where sandboxes share a user, a sweep ends both */
        vl_throughput_side_stop(&throughput->side[i]);
    for (int i = 0; i < 2; i++)
        vl_sandbox_sweep(throughput->side[i].sandbox);
}

double vl_throughput_share(double ratio)
{
    if (!(ratio > VL_THROUGHPUT_NONE))
        return 0;
    return fmin(1, log(ratio / VL_THROUGHPUT_NONE) / log(VL_THROUGHPUT_FULL / VL_THROUGHPUT_NONE));
}

/* One measurement under way. */
struct course {
    struct vl_throughput *throughput;
    const struct vl_timing *timing;
    uint64_t seed;
    uint64_t pairs;              /* run already, warm-up included: no two have the same inputs */
    uint32_t repeats;            /* works per turn */
    double least[2][CONFIRMING]; /* shortest turns in seconds, ascending, of each side */
};

static void remember(double least[CONFIRMING], double seconds)
{
    for (int i = 0; i < CONFIRMING; i++)
        if (seconds < least[i]) {
            double longer = least[i];
            least[i] = seconds;
            seconds = longer;
        }
}

static enum vl_throughput_end await(struct course *course, int side, uint32_t verb, double seconds)
{
    enum vl_status status = VL_OK;
    enum vl_throughput_end end =
        vl_throughput_side_await(&course->throughput->side[side], verb, seconds, &status);
    if (end == VL_THROUGHPUT_MEASURED && status == VL_OK)
        return end;
    if (side == VL_THROUGHPUT_REFERENCE)
        return VL_THROUGHPUT_NO_REFERENCE;
    return end == VL_THROUGHPUT_MEASURED ? VL_THROUGHPUT_REFUSED : end;
}

/* Both at the same time, since this is not measured. */
static enum vl_throughput_end both_obey(struct course *course, const struct vl_order *order,
                                        double seconds)
{
    enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
    for (int side = 0; side < 2; side++)
        vl_throughput_side_order(&course->throughput->side[side], order);
    for (int side = 0; side < 2 && end == VL_THROUGHPUT_MEASURED; side++)
        end = await(course, side, order->verb, seconds);
    return end;
}

static enum vl_throughput_end prepare(struct course *course)
{
    struct vl_order order = {.verb = VL_ORDER_PREPARE,
                             .count = 2 * course->repeats,
                             .seed = vl_random_bits(course->seed, 1, course->pairs)};
    snprintf(order.function, sizeof order.function, "%s", course->timing->function);
    return both_obey(course, &order, course->pairs == 0 ? START_SECONDS : PREPARE_SECONDS);
}

static enum vl_throughput_end turn(struct course *course, int side, int half)
{
    struct vl_order order = {
        .verb = VL_ORDER_TURN, .first = half ? course->repeats : 0, .count = course->repeats};
    double begin = vl_clock();
    vl_throughput_side_order(&course->throughput->side[side], &order);
    enum vl_throughput_end end = await(course, side, VL_ORDER_TURN, TURN_SECONDS);
    remember(course->least[side], vl_clock() - begin);
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
static enum vl_throughput_end check(struct course *course)
{
    struct vl_throughput *throughput = course->throughput;
    struct vl_order order = {
        .verb = VL_ORDER_FINISH,
        .first = (uint32_t)vl_random_below(2 * course->repeats, course->seed, 2, course->pairs)};
    for (int side = 0; side < 2; side++)
        if (vl_answers_clear(throughput->side[side].sandbox, throughput->ranks) != VL_OK)
            return VL_THROUGHPUT_NO_REFERENCE;
    enum vl_throughput_end end = both_obey(course, &order, PREPARE_SECONDS);
    const struct vl_throughput_side *sides = throughput->side;
    for (int rank = 0; rank < throughput->ranks && end == VL_THROUGHPUT_MEASURED; rank++) {
        struct vl_bag *right = vl_outputs_take(sides[VL_THROUGHPUT_REFERENCE].sandbox,
                                               throughput->scratch, order.first, rank);
        struct vl_bag *got = vl_outputs_take(sides[VL_THROUGHPUT_SUBMISSION].sandbox,
                                             throughput->scratch, order.first, rank);
        if (right == NULL)
            end = VL_THROUGHPUT_NO_REFERENCE;
        else if (!agree(got, right, course->timing->bound))
            end = VL_THROUGHPUT_WRONG;
        vl_bag_free(right);
        vl_bag_free(got);
    }
    return end;
}

/* A B B A, and B A A B the next time, so that a machine growing slower or faster favours nobody. */
static enum vl_throughput_end run_pair(struct course *course)
{
    int odd = (int)(course->pairs % 2);
    const int order[4] = {odd, !odd, !odd, odd};
    enum vl_throughput_end end = prepare(course);
    for (int i = 0; i < 4 && end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen(); i++)
        end = turn(course, order[i], i >= 2);
    if (end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen())
        end = check(course);
    course->pairs++;
    return end;
}

/*
 * Other work on this machine makes a turn longer, never shorter. So a side's time is its shortest
 * turn, which is believed once other turns came close to it.
 */
static void summarise(const struct course *course, struct vl_throughput_result *result)
{
    const double *reference = course->least[VL_THROUGHPUT_REFERENCE],
                 *submission = course->least[VL_THROUGHPUT_SUBMISSION];
    result->ratio = reference[0] / submission[0];
    result->spread =
        fmax(reference[CONFIRMING - 1] / reference[0], submission[CONFIRMING - 1] / submission[0]) -
        1;
}

static void forget_times(struct course *course)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < CONFIRMING; i++)
            course->least[side][i] = INFINITY;
}

static enum vl_throughput_end measure(struct course *course, struct vl_throughput_result *result)
{
    double begin = vl_clock();
    double patience = course->throughput->spent < LAB_SECONDS ? LONG_SECONDS : SHORT_SECONDS;
    forget_times(course);
    enum vl_throughput_end end = run_pair(course); /* warms both up */
    if (end == VL_THROUGHPUT_MEASURED && course->least[VL_THROUGHPUT_REFERENCE][0] < TURN_LEAST)
        course->repeats = (uint32_t)fmin(
            ceil(TURN_LEAST / course->least[VL_THROUGHPUT_REFERENCE][0]), VL_ORDER_WORKS / 2.0);
    forget_times(course);
    while (result->pairs < MOST_PAIRS && end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen()) {
        end = run_pair(course);
        result->pairs++;
        summarise(course, result);
        if (result->pairs >= FEWEST_PAIRS &&
            (result->spread <= VL_THROUGHPUT_STEADY || vl_clock() - begin > patience))
            break;
        if (vl_clock() - begin > LONG_SECONDS) /* such slow turns: few must be enough */
            break;
    }
    return end;
}

enum vl_status vl_throughput_measure(struct vl_throughput_result *result,
                                     struct vl_throughput *throughput,
                                     const struct vl_timing *timing, uint64_t seed)
{
    *result = (struct vl_throughput_result){
        .ratio = NAN, .spread = INFINITY, .seconds = vl_clock() /* when it began, for now */};
    enum vl_status status = VL_OK;
    for (int i = 0; i < 2 && status == VL_OK; i++)
        status = vl_throughput_side_start(&throughput->side[i]);
    if (status != VL_OK)
        return status;
    struct course course = {.throughput = throughput, .timing = timing, .seed = seed, .repeats = 1};
    result->end = measure(&course, result);
    result->stable = result->spread <= VL_THROUGHPUT_STEADY;
    result->seconds = vl_clock() - result->seconds;
    throughput->spent += result->seconds;
    /* A failure may have left an answer in a pipe: start new jobs for the next timing. */
    if (result->end != VL_THROUGHPUT_MEASURED)
        vl_throughput_close(throughput);
    return VL_OK;
}
