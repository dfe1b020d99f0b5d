/*
 * Known wrong answers of lab 02's costs and sealed numbers: a term forgotten, or counted twice.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/02_collectives/collectives.h"

/* ---- seconds ---- */

enum cost_mistake {
    ONE_BY_ONE,
    ROUNDS_DOWN,
    ONE_LATENCY,
    NO_LATENCY,
    ALL_BYTES,
    ONE_STEP_MORE,
    TREE_LATENCY,
    HALF,
    ALL_ACROSS,
    ACROSS_HALF,
    INSIDE_HALF,
    ONE_ROAD
};

static double steps_of_tree(int ranks)
{
    return vl_oracle_tree_seconds((struct vl_oracle_road){1, 0}, ranks, 0);
}

static double tree_cost(struct vl_road_question q, enum cost_mistake mistake)
{
    double alpha = q.inside.alpha, beta = q.inside.beta, rounds = steps_of_tree(q.ranks);
    switch (mistake) {
    case ONE_BY_ONE:
        return (q.ranks - 1) * (alpha + beta * q.bytes);
    case ROUNDS_DOWN:
        rounds = steps_of_tree(q.ranks / 2 + 1) + (q.ranks == 2);
        while ((double)(1LL << (int)rounds) > q.ranks)
            rounds--;
        return rounds * (alpha + beta * q.bytes);
    case ONE_LATENCY:
        return (rounds > 0) * alpha + rounds * beta * q.bytes;
    default:
        return rounds * beta * q.bytes;
    }
}

/* A ring of 'rounds' times P - 1 steps. */
static double ring_cost(struct vl_road_question q, int rounds, enum cost_mistake mistake)
{
    double alpha = q.inside.alpha, beta = q.inside.beta, chunk = q.bytes / q.ranks;
    double steps = rounds * (q.ranks - 1);
    switch (mistake) {
    case ALL_BYTES:
        return steps * (alpha + beta * q.bytes);
    case ONE_STEP_MORE:
        return rounds * q.ranks * (alpha + beta * chunk);
    case ONE_LATENCY:
        return (q.ranks > 1) * rounds * alpha + steps * beta * chunk;
    case NO_LATENCY:
        return steps * beta * chunk;
    case TREE_LATENCY:
        return rounds * steps_of_tree(q.ranks) * alpha + steps * beta * chunk;
    default: /* HALF */
        return steps / 2 * (alpha + beta * chunk);
    }
}

static double two_level_cost(struct vl_road_question q, enum cost_mistake mistake)
{
    struct vl_oracle_road between = mistake == ONE_ROAD ? q.inside : q.across;
    double inside = vl_oracle_ring_seconds(q.inside, q.ranks, q.bytes, 2);
    double chunk = q.bytes / (mistake == ALL_ACROSS ? 1 : q.ranks);
    double across = vl_oracle_ring_seconds(between, q.nodes, chunk, 2);
    return inside / (mistake == INSIDE_HALF ? 2 : 1) + across / (mistake == ACROSS_HALF ? 2 : 1);
}

enum cost_of { TREE, RING, TWO_RINGS, TWO_LEVELS };

static enum vl_status cost(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum cost_mistake mistake, enum cost_of of)
{
    size_t count = vl_road_questions(inputs);
    double *out = vl_bag_add_f64(wrong, "seconds", 1, count);
    for (size_t i = 0; out != NULL && i < count; i++) {
        struct vl_road_question q = vl_road_question(inputs, i);
        out[i] = of == TREE        ? tree_cost(q, mistake)
                 : of == RING      ? ring_cost(q, 1, mistake)
                 : of == TWO_RINGS ? ring_cost(q, 2, mistake)
                                   : two_level_cost(q, mistake);
    }
    return out != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status tree_seconds(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   enum cost_mistake mistake)
{
    return cost(wrong, inputs, mistake, TREE);
}

static enum vl_status ring_seconds(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   enum cost_mistake mistake)
{
    return cost(wrong, inputs, mistake, RING);
}

static enum vl_status both_seconds(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   enum cost_mistake mistake)
{
    return cost(wrong, inputs, mistake, TWO_RINGS);
}

static enum vl_status level_seconds(struct vl_bag *wrong, const struct vl_bag *inputs,
                                    enum cost_mistake mistake)
{
    return cost(wrong, inputs, mistake, TWO_LEVELS);
}

MISTAKE(tree_seconds, ONE_BY_ONE)
MISTAKE(tree_seconds, ROUNDS_DOWN)
MISTAKE(tree_seconds, ONE_LATENCY)
MISTAKE(tree_seconds, NO_LATENCY)
MISTAKE(ring_seconds, ALL_BYTES)
MISTAKE(ring_seconds, ONE_STEP_MORE)
MISTAKE(ring_seconds, ONE_LATENCY)
MISTAKE(ring_seconds, NO_LATENCY)
MISTAKE(ring_seconds, TREE_LATENCY)
MISTAKE(both_seconds, ALL_BYTES)
MISTAKE(both_seconds, ONE_STEP_MORE)
MISTAKE(both_seconds, ONE_LATENCY)
MISTAKE(both_seconds, NO_LATENCY)
MISTAKE(both_seconds, TREE_LATENCY)
MISTAKE(both_seconds, HALF)
MISTAKE(level_seconds, ALL_ACROSS)
MISTAKE(level_seconds, ACROSS_HALF)
MISTAKE(level_seconds, INSIDE_HALF)
MISTAKE(level_seconds, ONE_ROAD)

#define EACH_STEP N_("Alpha is paid once; every step begins with a message and pays it again.")
#define LATENCY   N_("Alpha is missing: every message takes that long to get going.")
#define CHUNKS    N_("Every step is charged for all bytes; a step carries one chunk of them.")
#define STEPS     N_("There is one step too many: with P ranks a ring is closed after P - 1.")
#define NO_TREE   N_("The latency is that of a tree; on a ring the number of steps grows with P.")

const struct vl_suspect vl_suspects_tree_seconds[] = {
    {"one_by_one", N_("This is the root sending to one after the other; in a tree others help."),
     tree_seconds_ONE_BY_ONE},
    {"rounds_too_few", N_("The number of rounds is rounded down; a round that is not full counts."),
     tree_seconds_ROUNDS_DOWN},
    {"one_latency", EACH_STEP, tree_seconds_ONE_LATENCY},
    {"no_latency", LATENCY, tree_seconds_NO_LATENCY},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_ring_seconds[] = {
    {"all_bytes", CHUNKS, ring_seconds_ALL_BYTES},
    {"one_step_more", STEPS, ring_seconds_ONE_STEP_MORE},
    {"one_latency", EACH_STEP, ring_seconds_ONE_LATENCY},
    {"no_latency", LATENCY, ring_seconds_NO_LATENCY},
    {"tree_latency", NO_TREE, ring_seconds_TREE_LATENCY},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_all_reduce_seconds[] = {
    {"half_missing", N_("This is one half only: a reduce-scatter and an all-gather are needed."),
     both_seconds_HALF},
    {"all_bytes", CHUNKS, both_seconds_ALL_BYTES},
    {"one_step_more", STEPS, both_seconds_ONE_STEP_MORE},
    {"one_latency", EACH_STEP, both_seconds_ONE_LATENCY},
    {"no_latency", LATENCY, both_seconds_NO_LATENCY},
    {"tree_latency", NO_TREE, both_seconds_TREE_LATENCY},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_two_level_seconds[] = {
    {"whole_across", N_("All bytes are charged between the nodes; only one chunk goes there."),
     level_seconds_ALL_ACROSS},
    {"across_half", N_("Between the nodes only one half of the all-reduce is charged."),
     level_seconds_ACROSS_HALF},
    {"inside_half", N_("Inside a node either the reduce-scatter or the all-gather is not charged."),
     level_seconds_INSIDE_HALF},
    {"one_road", N_("The road between nodes is charged like the one inside."),
     level_seconds_ONE_ROAD},
    NO_MORE_SUSPECTS};

/* ---- sealed ---- */

/* A sealed number that is the right one times a factor, or another number altogether. */
#define SEALED_FACTOR(name, array, whole, factor)                                                  \
    static enum vl_status name(struct vl_bag *wrong, const struct vl_bag *inputs,                  \
                               const struct vl_bag *expected)                                      \
    {                                                                                              \
        double ranks = (double)vl_bag_int(inputs, "ranks");                                        \
        double right = whole ? (double)vl_bag_int(expected, array) : vl_bag_real(expected, array); \
        double value = right * (factor);                                                           \
        (void)ranks;                                                                               \
        int added = whole ? vl_bag_set_int(wrong, array, (int64_t)(value + 0.5))                   \
                          : vl_bag_set_real(wrong, array, value);                                  \
        return added ? VL_OK : VL_ENOMEM;                                                          \
    }

SEALED_FACTOR(bytes_none, "ring_sent_bytes", 1, 0)
SEALED_FACTOR(bytes_half, "ring_sent_bytes", 1, 0.5)
SEALED_FACTOR(bytes_elements, "ring_sent_bytes", 1, 0.25)
SEALED_FACTOR(bytes_all_ranks, "ring_sent_bytes", 1, ranks)
SEALED_FACTOR(bytes_own_too, "ring_sent_bytes", 1, ranks / (ranks - 1))
SEALED_FACTOR(messages_none, "tree_root_messages", 1, 0)
SEALED_FACTOR(messages_flat, "tree_root_messages", 1, 7.0 / 3)
SEALED_FACTOR(messages_ranks, "tree_root_messages", 1, 8.0 / 3)
SEALED_FACTOR(messages_one, "tree_root_messages", 1, 1.0 / 3)
SEALED_FACTOR(even_none, "break_even_bytes", 0, 0)
SEALED_FACTOR(even_elements, "break_even_bytes", 0, 0.25)
SEALED_FACTOR(even_broadcast, "break_even_bytes", 0, 10) /* 2 (a + b x) = 6 a + 1.5 b x */
SEALED_FACTOR(even_ratio, "break_even_bytes", 0, 1.25)   /* alpha / beta */
SEALED_FACTOR(even_nanoseconds, "break_even_bytes", 0, 1e-3)

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")

const struct vl_suspect vl_suspects_sealed_bytes[] = {
    {"not_sealed", UNSEALED, bytes_none},
    {"half_missing", N_("This is the reduce-scatter alone; the all-gather sends as much again."),
     bytes_half},
    {"elements_counted", N_("These are elements; a float32 has four bytes."), bytes_elements},
    {"all_ranks", N_("This is what all ranks send together, or all data in each step."),
     bytes_all_ranks},
    {"one_step_more", N_("There is one step too many in each half: a ring of P takes P - 1."),
     bytes_own_too},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_sealed_messages[] = {
    {"not_sealed", UNSEALED, messages_none},
    {"flat_tree", N_("So many sends a root that nobody helps; in the tree the holders double."),
     messages_flat},
    {"one_a_rank", N_("One for each rank, the root itself included; in the tree others help."),
     messages_ranks},
    {"one_message", N_("The root goes on sending in every round, not in the first one only."),
     messages_one},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_sealed_break_even[] = {
    {"not_sealed", UNSEALED, even_none},
    {"elements_counted", N_("These are elements; the question is about bytes."), even_elements},
    {"no_reduction", N_("The tree is walked twice: once to reduce, once to broadcast."),
     even_broadcast},
    {"latency_over_bandwidth",
     N_("This is alpha / beta; how many steps and how many bytes each way takes counts as well."),
     even_ratio},
    {"unit", N_("The number is a thousand times too small: look at the units of alpha and beta."),
     even_nanoseconds},
    NO_MORE_SUSPECTS};
