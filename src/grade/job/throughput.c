#include "grade/job/throughput.h"

#include "grade/job/throughput_pairs.h"
#include "sandbox/interrupt.h"

#include <math.h>

#define TURN_LEAST    2e-3 /* a shorter turn is repeated on other inputs */
#define FEWEST_PAIRS  5
#define ACCUSING      3 /* new jobs that must all accuse a submission */
#define MOST_PAIRS    100
#define CONFIRMING    3   /* turns of a side that must agree */
#define LONG_SECONDS  3.0 /* to wait for that on a busy machine */
#define SHORT_SECONDS 1.2 /* the same, once LAB_SECONDS have gone into this lab */
#define LAB_SECONDS   10.0

static struct vl_throughput_side side_of(const struct vl_sandbox *sandbox, const char *program,
                                         int ranks)
{
    struct vl_throughput_side side = {
        .sandbox = sandbox, .program = program, .ranks = ranks, .process.pipe = -1};
    for (int rank = 0; rank < VL_BOARD_RANKS; rank++)
        side.go[rank] = side.said[rank] = -1;
    return side;
}

void vl_throughput_open(struct vl_throughput *throughput, int ranks,
                        const struct vl_sandbox *reference_sandbox, const char *reference,
                        const struct vl_sandbox *submission_sandbox, const char *submission)
{
    *throughput = (struct vl_throughput){.ranks = ranks,
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
    struct vl_throughput_pairs pairs;
    double least[2][CONFIRMING];   /* shortest turns in seconds, ascending, of each side */
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

/* Its times count if its ledger is clean. */
static void enter(struct course *course)
{
    const struct vl_ledger *ledger = course->pairs.ledger;
    int ranks = course->pairs.throughput->ranks;
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
    const struct vl_ledger *ledger = &course->pairs.ledger[VL_THROUGHPUT_REFERENCE];
    double turn = fmin(fmin(ledger->turn[0], ledger->turn[1]),
                       ledger->in_turns / (2 * course->pairs.throughput->ranks));
    double needed = ceil(TURN_LEAST / (turn / course->pairs.repeats));
    return (uint32_t)fmax(1, fmin(needed, VL_ORDER_WORKS / 2.0));
}

/* The first pair finds everything cold; the first with several works in a turn finds their memory
 * new, and only there a single work takes its usual time. */
static enum vl_throughput_end warm_up(struct course *course)
{
    enum vl_throughput_end end = vl_throughput_pair(&course->pairs);
    if (end == VL_THROUGHPUT_MEASURED && (course->pairs.repeats = repeats_needed(course)) > 1) {
        end = vl_throughput_pair(&course->pairs);
        course->pairs.repeats = repeats_needed(course);
    }
    return end;
}

static enum vl_throughput_end measure(struct course *course, struct vl_throughput_result *result)
{
    double begin = vl_clock();
    double patience = course->pairs.throughput->spent < LAB_SECONDS ? LONG_SECONDS : SHORT_SECONDS;
    enum vl_throughput_end end = warm_up(course);
    forget_times(course);
    while (result->pairs < MOST_PAIRS && end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen()) {
        end = vl_throughput_pair(&course->pairs);
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
    struct course course = {.pairs = {.throughput = throughput,
                                      .timing = timing,
                                      .seed = seed ^ vl_throughput_draw(),
                                      .repeats = 1}};
    result->end = measure(&course, result);
    result->stable = result->spread <= VL_THROUGHPUT_STEADY;
    /* A failure may have left an answer in a pipe: start new jobs for the next timing. */
    if (result->end != VL_THROUGHPUT_MEASURED)
        vl_throughput_close(throughput);
    return VL_OK;
}

bool vl_throughput_is_wild(const struct vl_throughput_result *result)
{
    bool costs = result->ratio < VL_THROUGHPUT_FULL || result->ratio > VL_THROUGHPUT_MOST;
    return result->end == VL_THROUGHPUT_MEASURED && costs && isfinite(result->spread) &&
           result->spread > VL_THROUGHPUT_WILD;
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
    if (status == VL_OK && vl_throughput_is_wild(result) && !vl_interrupt_seen()) {
        vl_throughput_close(throughput);
        status = start_and_measure(result, throughput, timing, seed);
    }
    result->seconds = vl_clock() - begin;
    throughput->spent += result->seconds;
    return status;
}
