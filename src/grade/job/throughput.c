#include "grade/job/throughput.h"

#include "base/random.h"
#include "grade/catalogue/origin.h"
#include "grade/judge/compare.h"
#include "grade/judge/outputs.h"
#include "ranks/ledger.h"
#include "sandbox/interrupt.h"
#include "wire/seal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_SECONDS   20.0 /* the first preparation includes MPI's start */
#define PREPARE_SECONDS 10.0
#define TURN_SECONDS    5.0
#define TURN_LEAST      2e-3 /* a shorter turn is repeated on other inputs */
#define FEWEST_PAIRS    5
#define ACCUSING        3 /* new jobs that must all accuse a submission */
#define MOST_PAIRS      100
#define CONFIRMING      3   /* turns of a side that must agree */
#define LONG_SECONDS    3.0 /* to wait for that on a busy machine */
#define SHORT_SECONDS   1.2 /* the same, once LAB_SECONDS have gone into this lab */
#define LAB_SECONDS     10.0
#define NORM_FLOOR      1e-6
#define ENDED_SECONDS   50e-6 /* a thread that did something */

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
    uint64_t pairs;                /* run already, warm-up included: no two have the same inputs */
    uint32_t repeats;              /* works per turn */
    double least[2][CONFIRMING];   /* shortest turns in seconds, ascending, of each side */
    struct vl_ledger ledger[2];    /* of this pair */
    int found[VL_LEDGER_FINDINGS]; /* pairs, by what their ledger says */
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

static enum vl_throughput_end await(struct course *course, int side, double seconds)
{
    enum vl_status status = VL_OK;
    enum vl_throughput_end end =
        vl_throughput_side_await(&course->throughput->side[side], seconds, &status);
    if (end == VL_THROUGHPUT_MEASURED && status == VL_OK)
        return end;
    if (side == VL_THROUGHPUT_REFERENCE)
        return VL_THROUGHPUT_NO_REFERENCE;
    return end == VL_THROUGHPUT_MEASURED ? VL_THROUGHPUT_REFUSED : end;
}

/* One after the other, as their processor time is compared: they would share caches and memory. */
static enum vl_throughput_end both_obey(struct course *course, const struct vl_order *order,
                                        double seconds)
{
    enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
    for (int i = 0; i < 2 && end == VL_THROUGHPUT_MEASURED; i++) {
        int side = i ^ (int)(course->pairs % 2);
        vl_throughput_side_order(&course->throughput->side[side], order);
        end = await(course, side, seconds);
    }
    return end;
}

static enum vl_throughput_end prepare(struct course *course)
{
    struct vl_order order = {.verb = VL_ORDER_PREPARE,
                             .count = 2 * course->repeats,
                             .seed = vl_seed_of(course->seed, course->pairs)};
    snprintf(order.function, sizeof order.function, "%s", course->timing->function);
    return both_obey(course, &order, course->pairs == 0 ? START_SECONDS : PREPARE_SECONDS);
}

/* Processor time of a side so far; NAN if it does not sleep, as it should now. */
static double used(struct course *course, int side)
{
    const struct vl_tasks *tasks = &course->throughput->side[side].tasks;
    return vl_tasks_settle(tasks) ? vl_tasks_cpu(tasks) : NAN;
}

static enum vl_throughput_end turn(struct course *course, int side, int half)
{
    struct vl_order order = {
        .verb = VL_ORDER_TURN, .first = half ? course->repeats : 0, .count = course->repeats};
    struct vl_ledger *own = &course->ledger[side], *other = &course->ledger[!side];
    double own_before = used(course, side), other_before = used(course, !side);
    double begin = vl_clock();
    vl_throughput_side_order(&course->throughput->side[side], &order);
    enum vl_throughput_end end = await(course, side, TURN_SECONDS);
    double seconds = vl_clock() - begin;
    own->turn[half] = seconds;
    own->in_turns += used(course, side) - own_before;
    other->resting += seconds;
    other->while_resting += used(course, !side) - other_before;
    return end;
}

/* A B B A, and B A A B the next time, so that a machine growing slower or faster favours nobody.
 * Ranks are put on their cores for the turns alone: this undoes what a submission did about it. */
static enum vl_throughput_end take_turns(struct course *course)
{
    struct vl_throughput_side *sides = course->throughput->side;
    int odd = (int)(course->pairs % 2);
    const int order[4] = {odd, !odd, !odd, odd};
    enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
    for (int side = 0; side < 2; side++)
        vl_tasks_pin(&sides[side].tasks);
    for (int i = 0; i < 4 && end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen(); i++)
        end = turn(course, order[i], i >= 2);
    for (int side = 0; side < 2; side++) {
        course->ledger[side].moved = !vl_tasks_pinned(&sides[side].tasks);
        vl_tasks_release(&sides[side].tasks);
    }
    return end;
}

static int agree(const struct vl_bag *got, const struct vl_bag *expected, double bound)
{
    if (got == NULL || expected == NULL || vl_bag_count(got) != vl_bag_count(expected))
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

/* The outputs of a work on one rank are the reference's, and fit the seal. */
static enum vl_throughput_end check_rank(const struct course *course, uint32_t work, int rank,
                                         uint64_t key, uint64_t seal)
{
    enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
    struct vl_bag *outputs[2];
    for (int side = 0; side < 2; side++)
        outputs[side] = vl_outputs_take(course->throughput->side[side].sandbox,
                                        course->throughput->scratch, work, rank);
    const struct vl_bag *right = outputs[VL_THROUGHPUT_REFERENCE];
    const struct vl_bag *got = outputs[VL_THROUGHPUT_SUBMISSION];
    if (right == NULL)
        end = VL_THROUGHPUT_NO_REFERENCE;
    else if (!agree(got, right, course->timing->bound))
        end = VL_THROUGHPUT_WRONG;
    else if (vl_seal(got, key) != seal)
        end = VL_THROUGHPUT_CONFUSED;
    for (int side = 0; side < 2; side++)
        vl_bag_free(outputs[side]);
    return end;
}

/* Have all works sealed, then draw one and look at it. */
static enum vl_throughput_end check(struct course *course)
{
    const struct vl_throughput *throughput = course->throughput;
    const struct vl_order seal = {
        .verb = VL_ORDER_SEAL, .count = 2 * course->repeats, .seed = vl_throughput_draw()};
    const struct vl_order finish = {
        .verb = VL_ORDER_FINISH,
        .first = (uint32_t)vl_random_below(seal.count, vl_throughput_draw(), 0, 0)};
    enum vl_throughput_end end = both_obey(course, &seal, PREPARE_SECONDS);
    uint64_t seals[VL_BOARD_RANKS];
    for (int rank = 0; rank < throughput->ranks; rank++)
        seals[rank] = throughput->side[VL_THROUGHPUT_SUBMISSION].seals[rank][finish.first];
    for (int side = 0; side < 2; side++)
        if (vl_answers_clear(throughput->side[side].sandbox, throughput->ranks) != VL_OK)
            return VL_THROUGHPUT_NO_REFERENCE;
    if (end == VL_THROUGHPUT_MEASURED)
        end = both_obey(course, &finish, PREPARE_SECONDS);
    for (int rank = 0; rank < throughput->ranks && end == VL_THROUGHPUT_MEASURED; rank++)
        end = check_rank(course, finish.first, rank, seal.seed, seals[rank]);
    return end;
}

static void find_tasks(struct vl_throughput *throughput)
{
    for (int i = 0; i < 2; i++) {
        struct vl_throughput_side *side = &throughput->side[i];
        vl_tasks_find(&side->tasks, &side->process, side->sandbox);
    }
}

/*
 * The first turns of a new job tell whether its functions start threads or processes: more are there
 * than in the reference's job, or some have ended. After that, none can be started any more.
 */
static enum vl_throughput_end take_first_turns(struct course *course)
{
    struct vl_throughput_side *sides = course->throughput->side;
    const struct vl_tasks *tasks = &sides[VL_THROUGHPUT_SUBMISSION].tasks;
    find_tasks(course->throughput);
    vl_tasks_settle(tasks);
    double ended = vl_tasks_ended(tasks);
    enum vl_throughput_end end = take_turns(course);
    ended = vl_tasks_ended(tasks) - ended;
    for (int i = 0; i < 2; i++)
        vl_tasks_freeze(&sides[i].tasks, sides[i].sandbox);
    find_tasks(course->throughput);
    bool threads = !(ended <= ENDED_SECONDS) ||
                   vl_tasks_total(tasks) > vl_tasks_total(&sides[VL_THROUGHPUT_REFERENCE].tasks);
    return end == VL_THROUGHPUT_MEASURED && threads ? VL_THROUGHPUT_THREADS : end;
}

static enum vl_throughput_end run_pair(struct course *course)
{
    double before[2];
    for (int side = 0; side < 2; side++) {
        course->ledger[side] = (struct vl_ledger){.steps = course->timing->steps};
        before[side] = used(course, side);
    }
    if (vl_throughput_side_is_large(&course->throughput->side[VL_THROUGHPUT_SUBMISSION]))
        return VL_THROUGHPUT_LARGE;
    enum vl_throughput_end end = prepare(course);
    if (end == VL_THROUGHPUT_MEASURED)
        end = course->pairs == 0 ? take_first_turns(course) : take_turns(course);
    if (end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen())
        end = check(course);
    for (int side = 0; side < 2; side++)
        course->ledger[side].elsewhere =
            used(course, side) - before[side] - course->ledger[side].in_turns;
    course->pairs++;
    return end;
}

/* Its times count if its ledger is clean. */
static void enter(struct course *course)
{
    const struct vl_ledger *ledger = course->ledger;
    int ranks = course->throughput->ranks;
    enum vl_ledger_finding finding =
        vl_ledger_judge(&ledger[VL_THROUGHPUT_SUBMISSION], &ledger[VL_THROUGHPUT_REFERENCE], ranks);
    course->found[finding]++;
    for (int i = 0; i < 4 && finding == VL_LEDGER_CLEAN; i++)
        remember(course->least[i / 2], vl_ledger_turn(&ledger[i / 2], i % 2, ranks));
}

/* What the pairs say together. */
static enum vl_throughput_end verdict_of_ledgers(const struct course *course)
{
    int elsewhere = course->found[VL_LEDGER_ELSEWHERE], threads = course->found[VL_LEDGER_THREADS];
    if (!vl_ledger_accuses(course->found[VL_LEDGER_CLEAN], elsewhere + threads))
        return VL_THROUGHPUT_MEASURED;
    return threads > elsewhere ? VL_THROUGHPUT_THREADS : VL_THROUGHPUT_ELSEWHERE;
}

/* Few pairs tell a speed, but many are needed to say that somebody cheats. */
static bool is_decided(const struct course *course, int pairs)
{
    return pairs >= (course->found[VL_LEDGER_CLEAN] < pairs ? VL_LEDGER_SURE : FEWEST_PAIRS);
}

/* What a side needs for a turn: its third-shortest, or the longest of fewer. */
static double time_of(const double least[CONFIRMING])
{
    int last = CONFIRMING - 1;
    while (last > 0 && isinf(least[last]))
        last--;
    return least[last];
}

/*
 * Other work on this machine makes a turn longer, never shorter. So a side's time is among its shortest
 * turns, and is believed once they are close together. It is not the shortest: of each pair one work is
 * looked at, and whoever leaves out works has to be lucky in more than one.
 */
static void summarise(const struct course *course, struct vl_throughput_result *result)
{
    const double *reference = course->least[VL_THROUGHPUT_REFERENCE],
                 *submission = course->least[VL_THROUGHPUT_SUBMISSION];
    result->ratio = time_of(reference) / time_of(submission);
    result->spread =
        fmax(reference[CONFIRMING - 1] / reference[0], submission[CONFIRMING - 1] / submission[0]) -
        1;
}

/* All points, and nothing implausible, even if either side were as fast as in its shortest turn, or
 * faster by as much again: more pairs would change no points. */
static bool is_settled(const struct course *course, double ratio)
{
    const double *reference = course->least[VL_THROUGHPUT_REFERENCE],
                 *submission = course->least[VL_THROUGHPUT_SUBMISSION];
    return ratio * reference[0] / reference[CONFIRMING - 1] >= VL_THROUGHPUT_FULL &&
           ratio * submission[CONFIRMING - 1] / submission[0] <= VL_THROUGHPUT_MOST;
}

static void forget_times(struct course *course)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < CONFIRMING; i++)
            course->least[side][i] = INFINITY;
}

/* How many works make a turn of TURN_LEAST, by what the reference needed for one. On a busy machine
 * its processor time tells more than the clock. */
static uint32_t repeats_needed(const struct course *course)
{
    const struct vl_ledger *ledger = &course->ledger[VL_THROUGHPUT_REFERENCE];
    double turn = fmin(fmin(ledger->turn[0], ledger->turn[1]),
                       ledger->in_turns / (2 * course->throughput->ranks));
    double needed = ceil(TURN_LEAST / (turn / course->repeats));
    return (uint32_t)fmax(1, fmin(needed, VL_ORDER_WORKS / 2.0));
}

/* The first pair finds everything cold; the first with several works in a turn finds their memory
 * new, and only there a single work takes its usual time. */
static enum vl_throughput_end warm_up(struct course *course)
{
    enum vl_throughput_end end = run_pair(course);
    if (end == VL_THROUGHPUT_MEASURED && (course->repeats = repeats_needed(course)) > 1) {
        end = run_pair(course);
        course->repeats = repeats_needed(course);
    }
    return end;
}

static enum vl_throughput_end measure(struct course *course, struct vl_throughput_result *result)
{
    double begin = vl_clock();
    double patience = course->throughput->spent < LAB_SECONDS ? LONG_SECONDS : SHORT_SECONDS;
    enum vl_throughput_end end = warm_up(course);
    forget_times(course);
    while (result->pairs < MOST_PAIRS && end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen()) {
        end = run_pair(course);
        enter(course);
        result->pairs++;
        summarise(course, result);
        if (is_decided(course, result->pairs) &&
            (result->spread <= VL_THROUGHPUT_STEADY || is_settled(course, result->ratio) ||
             vl_clock() - begin > patience))
            break;
        if (vl_clock() - begin > LONG_SECONDS) /* such slow turns: few must be enough */
            break;
    }
    return end == VL_THROUGHPUT_MEASURED ? verdict_of_ledgers(course) : end;
}

/* Start what does not run, and measure. */
static enum vl_status start_and_measure(struct vl_throughput_result *result,
                                        struct vl_throughput *throughput,
                                        const struct vl_timing *timing, uint64_t seed)
{
    *result = (struct vl_throughput_result){.ratio = NAN, .spread = INFINITY};
    enum vl_status status = VL_OK;
    for (int i = 0; i < 2 && status == VL_OK; i++)
        status = vl_throughput_side_start(&throughput->side[i]);
    if (status != VL_OK)
        return status;
    struct course course = {.throughput = throughput,
                            .timing = timing,
                            .seed = seed ^ vl_throughput_draw(),
                            .repeats = 1};
    result->end = measure(&course, result);
    result->stable = result->spread <= VL_THROUGHPUT_STEADY;
    /* A failure may have left an answer in a pipe: start new jobs for the next timing. */
    if (result->end != VL_THROUGHPUT_MEASURED)
        vl_throughput_close(throughput);
    return VL_OK;
}

static bool accuses(enum vl_throughput_end end)
{
    return end == VL_THROUGHPUT_ELSEWHERE || end == VL_THROUGHPUT_THREADS;
}

enum vl_status vl_throughput_measure(struct vl_throughput_result *result,
                                     struct vl_throughput *throughput,
                                     const struct vl_timing *timing, uint64_t seed)
{
    double begin = vl_clock();
    bool used_before = throughput->side[VL_THROUGHPUT_SUBMISSION].running;
    enum vl_status status = start_and_measure(result, throughput, timing, seed);
    /* One job may have had worse memory than the other, or worse neighbours. */
    for (int jobs = 1; jobs < ACCUSING && status == VL_OK && accuses(result->end); jobs++)
        status = start_and_measure(result, throughput, timing, seed);
    /* A job that could start threads no more says less about why it failed than a new one. */
    if (status == VL_OK && result->end == VL_THROUGHPUT_CRASHED && used_before)
        status = start_and_measure(result, throughput, timing, seed);
    result->seconds = vl_clock() - begin;
    throughput->spent += result->seconds;
    return status;
}
