#include "grade/job/throughput_pairs.h"

#include "base/random.h"
#include "grade/catalogue/origin.h"
#include "grade/judge/compare.h"
#include "grade/judge/outputs.h"
#include "sandbox/interrupt.h"
#include "wire/seal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define START_SECONDS   20.0 /* the first preparation includes MPI's start */
#define PREPARE_SECONDS 10.0
#define TURN_SECONDS    5.0
#define NORM_FLOOR      1e-6
#define ENDED_SECONDS   50e-6 /* a thread that did something */

static enum vl_throughput_end await(struct vl_throughput_pairs *pairs, int side, double seconds)
{
    enum vl_status status = VL_OK;
    enum vl_throughput_end end =
        vl_throughput_side_await(&pairs->throughput->side[side], seconds, &status);
    if (end == VL_THROUGHPUT_MEASURED && status == VL_OK)
        return end;
    if (side == VL_THROUGHPUT_REFERENCE)
        return VL_THROUGHPUT_NO_REFERENCE;
    return end == VL_THROUGHPUT_MEASURED ? VL_THROUGHPUT_REFUSED : end;
}

/* One after the other, as their processor time is compared: they would share caches and memory. */
static enum vl_throughput_end both_obey(struct vl_throughput_pairs *pairs,
                                        const struct vl_order *order, double seconds)
{
    enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
    for (int i = 0; i < 2 && end == VL_THROUGHPUT_MEASURED; i++) {
        int side = i ^ (int)(pairs->count % 2);
        vl_throughput_side_order(&pairs->throughput->side[side], order);
        end = await(pairs, side, seconds);
    }
    return end;
}

static enum vl_throughput_end prepare(struct vl_throughput_pairs *pairs)
{
    struct vl_order order = {.verb = VL_ORDER_PREPARE,
                             .count = 2 * pairs->repeats,
                             .seed = vl_seed_of(pairs->seed, pairs->count)};
    snprintf(order.function, sizeof order.function, "%s", pairs->timing->function);
    return both_obey(pairs, &order, pairs->count == 0 ? START_SECONDS : PREPARE_SECONDS);
}

/* Processor time of a side so far; NAN if it does not sleep, as it should now. */
static double used(struct vl_throughput_pairs *pairs, int side)
{
    const struct vl_tasks *tasks = &pairs->throughput->side[side].tasks;
    return vl_tasks_settle(tasks) ? vl_tasks_cpu(tasks) : NAN;
}

static enum vl_throughput_end turn(struct vl_throughput_pairs *pairs, int side, int half)
{
    struct vl_order order = {
        .verb = VL_ORDER_TURN, .first = half ? pairs->repeats : 0, .count = pairs->repeats};
    struct vl_ledger *own = &pairs->ledger[side], *other = &pairs->ledger[!side];
    double own_before = used(pairs, side), other_before = used(pairs, !side);
    double begin = vl_clock();
    vl_throughput_side_order(&pairs->throughput->side[side], &order);
    enum vl_throughput_end end = await(pairs, side, TURN_SECONDS);
    double seconds = vl_clock() - begin;
    own->turn[half] = seconds;
    own->in_turns += used(pairs, side) - own_before;
    other->resting += seconds;
    other->while_resting += used(pairs, !side) - other_before;
    return end;
}

/* A B B A, and B A A B the next time, so that a machine growing slower or faster favours nobody.
 * Ranks are put on their cores for the turns alone: this undoes what a submission did about it. */
static enum vl_throughput_end take_turns(struct vl_throughput_pairs *pairs)
{
    struct vl_throughput_side *sides = pairs->throughput->side;
    int odd = (int)(pairs->count % 2);
    const int order[4] = {odd, !odd, !odd, odd};
    enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
    for (int side = 0; side < 2; side++)
        vl_tasks_pin(&sides[side].tasks);
    for (int i = 0; i < 4 && end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen(); i++)
        end = turn(pairs, order[i], i >= 2);
    for (int side = 0; side < 2; side++) {
        pairs->ledger[side].moved = !vl_tasks_pinned(&sides[side].tasks);
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
static enum vl_throughput_end check_rank(const struct vl_throughput_pairs *pairs, uint32_t work,
                                         int rank, uint64_t key, uint64_t seal)
{
    enum vl_throughput_end end = VL_THROUGHPUT_MEASURED;
    struct vl_bag *outputs[2];
    for (int side = 0; side < 2; side++)
        outputs[side] = vl_outputs_take(pairs->throughput->side[side].sandbox, work, rank);
    const struct vl_bag *right = outputs[VL_THROUGHPUT_REFERENCE];
    const struct vl_bag *got = outputs[VL_THROUGHPUT_SUBMISSION];
    if (right == NULL)
        end = VL_THROUGHPUT_NO_REFERENCE;
    else if (!agree(got, right, pairs->timing->bound))
        end = VL_THROUGHPUT_WRONG;
    else if (vl_seal(got, key) != seal)
        end = VL_THROUGHPUT_CONFUSED;
    for (int side = 0; side < 2; side++)
        vl_bag_free(outputs[side]);
    return end;
}

/* Have all works sealed, then draw one and look at it. */
static enum vl_throughput_end check(struct vl_throughput_pairs *pairs)
{
    const struct vl_throughput *throughput = pairs->throughput;
    const struct vl_order seal = {
        .verb = VL_ORDER_SEAL, .count = 2 * pairs->repeats, .seed = vl_throughput_draw()};
    const struct vl_order finish = {
        .verb = VL_ORDER_FINISH,
        .first = (uint32_t)vl_random_below(seal.count, vl_throughput_draw(), 0, 0)};
    enum vl_throughput_end end = both_obey(pairs, &seal, PREPARE_SECONDS);
    uint64_t seals[VL_BOARD_RANKS] = {0};
    for (int rank = 0; rank < throughput->ranks; rank++)
        seals[rank] = throughput->side[VL_THROUGHPUT_SUBMISSION].seals[rank][finish.first];
    for (int side = 0; side < 2; side++)
        if (vl_answers_clear(throughput->side[side].sandbox, throughput->ranks) != VL_OK)
            return VL_THROUGHPUT_NO_REFERENCE;
    if (end == VL_THROUGHPUT_MEASURED)
        end = both_obey(pairs, &finish, PREPARE_SECONDS);
    for (int rank = 0; rank < throughput->ranks && end == VL_THROUGHPUT_MEASURED; rank++)
        end = check_rank(pairs, finish.first, rank, seal.seed, seals[rank]);
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
static enum vl_throughput_end take_first_turns(struct vl_throughput_pairs *pairs)
{
    struct vl_throughput_side *sides = pairs->throughput->side;
    const struct vl_tasks *tasks = &sides[VL_THROUGHPUT_SUBMISSION].tasks;
    find_tasks(pairs->throughput);
    vl_tasks_settle(tasks);
    double ended = vl_tasks_ended(tasks);
    enum vl_throughput_end end = take_turns(pairs);
    ended = vl_tasks_ended(tasks) - ended;
    for (int i = 0; i < 2; i++)
        vl_tasks_freeze(&sides[i].tasks, sides[i].sandbox);
    find_tasks(pairs->throughput);
    bool threads = !(ended <= ENDED_SECONDS) ||
                   vl_tasks_total(tasks) > vl_tasks_total(&sides[VL_THROUGHPUT_REFERENCE].tasks);
    return end == VL_THROUGHPUT_MEASURED && threads ? VL_THROUGHPUT_THREADS : end;
}

enum vl_throughput_end vl_throughput_pair(struct vl_throughput_pairs *pairs)
{
    double before[2];
    for (int side = 0; side < 2; side++) {
        pairs->ledger[side] = (struct vl_ledger){.steps = pairs->timing->steps};
        before[side] = used(pairs, side);
    }
    if (vl_throughput_side_is_large(&pairs->throughput->side[VL_THROUGHPUT_SUBMISSION]))
        return VL_THROUGHPUT_LARGE;
    enum vl_throughput_end end = prepare(pairs);
    if (end == VL_THROUGHPUT_MEASURED)
        end = pairs->count == 0 ? take_first_turns(pairs) : take_turns(pairs);
    if (end == VL_THROUGHPUT_MEASURED && !vl_interrupt_seen())
        end = check(pairs);
    for (int side = 0; side < 2; side++)
        pairs->ledger[side].elsewhere =
            used(pairs, side) - before[side] - pairs->ledger[side].in_turns;
    pairs->count++;
    return end;
}
