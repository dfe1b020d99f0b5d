/*
 * Lab 08's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define ONE_OPERATION 1e-5
#define WHOLE_LAYER   1e-4
#define BITS          0 /* counts, and moves of data */
#define FLOOR         1e-6

/* On one rank alone, and nothing to add to the names. */
#define SERIAL(name, special, purpose, share, bound, maker, truth, suspects, variant)              \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, 1, share, bound, FLOOR, NULL, vl_make_##maker,    \
            vl_truth_##truth, suspects, variant, 0, 0                                              \
    }
#define ROUTER(special, purpose, share, variant)                                                   \
    SERIAL(router_forward, special, purpose, share, ONE_OPERATION, router, router_forward,         \
           vl_suspects_router_forward, variant)
/* A gradient may be nothing at all: so its error is measured against what goes in. */
#define ROUTER_BACK(special, purpose, share, variant)                                              \
    {                                                                                              \
        "router_backward." special, "vl_router_backward", purpose, 1, share, ONE_OPERATION, 1,     \
            NULL, vl_make_router_back, vl_truth_router_backward, vl_suspects_router_backward,      \
            variant, 0, 0                                                                          \
    }
#define EXPERTS(name, special, purpose, share, suspects, variant)                                  \
    SERIAL(name, special, purpose, share, ONE_OPERATION, expert_rows, name, suspects, variant)
#define BOTH_EXPERTS(special, purpose, share, variant)                                             \
    EXPERTS(experts_backward_input, special, purpose, share, vl_suspects_experts_backward_input,   \
            variant),                                                                              \
        EXPERTS(experts_backward_weight, special, purpose, share,                                  \
                vl_suspects_experts_backward_weight, variant)

#define RANKED(name, special, purpose, ranks, share, bound, maker, variant, synchronous)           \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, ranks, share, bound, FLOOR, NULL,                 \
            vl_make_##maker, vl_truth_##name, vl_suspects_##name, variant, 1, synchronous          \
    }
#define PLAN(special, purpose, ranks, share, variant, synchronous)                                 \
    RANKED(dispatch_plan, special, purpose, ranks, share, BITS, expert_choices, variant,           \
           synchronous)
#define JOURNEY(name, bound)                                                                       \
    RANKED(name, "p2", ODD, 2, 0.2, bound, expert_travel, 0, 0),                                   \
        RANKED(name, "p3", ODD, 3, 0.2, bound, expert_travel, VL_EXPERT_WIDE, 0),                  \
        RANKED(name, "p4_sole", SOLE, 4, 0.1, bound, expert_travel,                                \
               VL_EXPERT_SOLE + VL_EXPERT_FIRST, 0),                                               \
        RANKED(name, "p5_reversed", BACKWARDS, 5, 0.15, bound, expert_travel, VL_EXPERT_REVERSED,  \
               0),                                                                                 \
        RANKED(name, "p8", ODD, 8, 0.1, bound, expert_travel, 0, 0),                               \
        RANKED(name, "p1", ALONE, 1, 0.1, bound, expert_travel, 0, 0),                             \
        RANKED(name, "p2_every", EVERY, 2, 0.05, bound, expert_travel, VL_EXPERT_EVERY, 0),        \
        RANKED(name, "p4_blocking", BLOCKING, 4, 0.1, bound, expert_travel, VL_EXPERT_WIDE, 1)
#define TRAFFIC(name, special, purpose, ranks, share, maker, needs, variant)                       \
    {                                                                                              \
#name "." special, #name, purpose, ranks, share, BITS, FLOOR, needs, vl_make_##maker,      \
            vl_truth_##name, vl_suspects_##name, variant, 1, 0                                     \
    }
#define TRAVEL_TRAFFIC(name, needs)                                                                \
    TRAFFIC(name, "p2", TO_THE_BYTE, 2, 0.3, expert_travel, needs, 0),                             \
        TRAFFIC(name, "p3_sole", SOLE, 3, 0.2, expert_travel, needs,                               \
                VL_EXPERT_SOLE + VL_EXPERT_FIRST),                                                 \
        TRAFFIC(name, "p4", TO_THE_BYTE, 4, 0.3, expert_travel, needs, VL_EXPERT_WIDE),            \
        TRAFFIC(name, "p8", EMPTY, 8, 0.2, expert_travel, needs, 0)
#define LAYER(special, purpose, ranks, share, variant)                                             \
    {                                                                                              \
        "expert_layer." special, "expert_layer", purpose, ranks, share, WHOLE_LAYER, FLOOR, parts, \
            vl_make_expert_layer, vl_truth_expert_layer, NULL, variant, 1, 0                       \
    }
#define SEALED(special, purpose, share, truth)                                                     \
    SERIAL(predict_expert_parallel, special, purpose, share, BITS, expert_prediction, truth,       \
           vl_suspects_##truth, 0)

static const char *const plan[] = {"vl_dispatch_plan", NULL};
static const char *const dispatch[] = {"vl_dispatch_forward", "vl_dispatch_backward", NULL};
static const char *const combine[] = {"vl_combine_forward", "vl_combine_backward", NULL};
static const char *const travel[] = {"vl_dispatch_plan",     "vl_dispatch_forward",
                                     "vl_combine_forward",   "vl_combine_backward",
                                     "vl_dispatch_backward", NULL};
static const char *const parts[] = {"vl_router_forward",          "vl_router_backward",
                                    "vl_dispatch_plan",           "vl_dispatch_forward",
                                    "vl_dispatch_backward",       "vl_combine_forward",
                                    "vl_combine_backward",        "vl_experts_backward_input",
                                    "vl_experts_backward_weight", NULL};
static const char *const layer[] = {"expert_layer", NULL};

#define REFUSED     N_("a bad argument is refused, by all ranks")
#define ALONE       N_("one rank")
#define ODD         N_("awkward sizes")
#define NO_TOKENS   N_("no tokens at all")
#define BACKWARDS   N_("ranks in reverse order")
#define RAGGED      N_("what the ranks do not divide is refused")
#define BLOCKING    N_("sends that wait for their receives")
#define SOLE        N_("one expert gets all tokens")
#define EVERY       N_("every token goes to every expert")
#define FIRST       N_("one expert a token")
#define TO_THE_BYTE N_("bytes and messages of each direction")
#define EMPTY       N_("empty pieces are not sent")

static const struct vl_case cases[] = {
    EXPERTS(experts_forward, "odd", ODD, 0.7, NULL, 0),
    EXPERTS(experts_forward, "idle", N_("experts without rows"), 0.3, NULL, VL_EXPERT_IDLE),

    ROUTER("plain", N_("without a bias"), 0.2, 0),
    ROUTER("bias", N_("a bias changes who is chosen"), 0.2, VL_EXPERT_BIAS),
    ROUTER("wide", N_("many tokens, many experts"), 0.15,
           VL_EXPERT_BIAS + VL_EXPERT_SCALED + VL_EXPERT_WIDE),
    ROUTER("every", EVERY, 0.1, VL_EXPERT_EVERY + VL_EXPERT_SCALED),
    ROUTER("first", FIRST, 0.05, VL_EXPERT_FIRST + VL_EXPERT_BIAS),
    ROUTER("ties", N_("equal scores"), 0.1, VL_EXPERT_TIES),
    ROUTER("far", N_("affinities that are tiny, and zero"), 0.05,
           VL_EXPERT_FAR + VL_EXPERT_ZERO + VL_EXPERT_SCALED),
    ROUTER("empty", NO_TOKENS, 0.05, VL_EXPERT_NONE),
    ROUTER("not_a_number", N_("a logit that is no number is refused"), 0.05, VL_EXPERT_NAN),
    ROUTER("bad_k", N_("no such number of experts"), 0.05, VL_EXPERT_BAD),

    ROUTER_BACK("odd", ODD, 0.35, 0),
    ROUTER_BACK("wide", N_("many tokens, many experts"), 0.3, VL_EXPERT_WIDE + VL_EXPERT_SCALED),
    ROUTER_BACK("every", EVERY, 0.15, VL_EXPERT_EVERY),
    ROUTER_BACK("first", FIRST, 0.1, VL_EXPERT_FIRST + VL_EXPERT_SCALED),
    ROUTER_BACK("empty", NO_TOKENS, 0.05, VL_EXPERT_NONE),
    ROUTER_BACK("bad_k", N_("no such number of experts"), 0.05, VL_EXPERT_BAD),

    PLAN("p2", ODD, 2, 0.15, 0, 0),
    PLAN("p3", ODD, 3, 0.15, VL_EXPERT_WIDE, 0),
    PLAN("p4", ODD, 4, 0.1, 0, 0),
    PLAN("p5_reversed", BACKWARDS, 5, 0.1, VL_EXPERT_REVERSED, 0),
    PLAN("p8", ODD, 8, 0.1, 0, 0),
    PLAN("p1", ALONE, 1, 0.05, 0, 0),
    PLAN("p4_sole", SOLE, 4, 0.1, VL_EXPERT_SOLE + VL_EXPERT_FIRST, 0),
    PLAN("p3_blocking", BLOCKING, 3, 0.05, 0, 1),
    PLAN("p2_every", EVERY, 2, 0.05, VL_EXPERT_EVERY, 0),
    PLAN("p3_ragged", RAGGED, 3, 0.05, VL_EXPERT_RAGGED, 0),
    PLAN("p2_bad", REFUSED, 2, 0.05, VL_EXPERT_BAD, 0),
    PLAN("p4_room", N_("a rank without enough room refuses alone"), 4, 0.05, VL_EXPERT_CROWDED, 0),

    JOURNEY(dispatch_forward, BITS),
    JOURNEY(dispatch_backward, ONE_OPERATION),
    JOURNEY(combine_forward, ONE_OPERATION),
    JOURNEY(combine_backward, ONE_OPERATION),

    BOTH_EXPERTS("odd", ODD, 0.4, 0),
    BOTH_EXPERTS("idle", N_("experts without rows"), 0.4, VL_EXPERT_IDLE),
    BOTH_EXPERTS("single", N_("one expert"), 0.1, VL_EXPERT_FIRST),
    BOTH_EXPERTS("nothing", N_("no rows at all"), 0.1, VL_EXPERT_NONE),

    LAYER("p2", N_("forward and backward"), 2, 0.3, 0),
    LAYER("p3", N_("forward and backward"), 3, 0.25, VL_EXPERT_WIDE),
    LAYER("p4_sole", SOLE, 4, 0.25, VL_EXPERT_SOLE),
    LAYER("p5_reversed", BACKWARDS, 5, 0.2, VL_EXPERT_REVERSED),

    TRAFFIC(plan_traffic, "p2", N_("E/P counts to every other rank"), 2, 0.4, expert_choices, plan,
            0),
    TRAFFIC(plan_traffic, "p5", N_("E/P counts to every other rank"), 5, 0.4, expert_choices, plan,
            VL_EXPERT_WIDE),
    TRAFFIC(plan_traffic, "p4_sole", SOLE, 4, 0.2, expert_choices, plan,
            VL_EXPERT_SOLE + VL_EXPERT_FIRST),
    TRAVEL_TRAFFIC(dispatch_traffic, dispatch),
    TRAVEL_TRAFFIC(combine_traffic, combine),

    SERIAL(expert_sent_bytes, "tokens", N_("some numbers of tokens"), 0.9, 1e-12, expert_cost,
           expert_sent_bytes, vl_suspects_expert_sent_bytes, 0),
    SERIAL(expert_sent_bytes, "bad_ranks", N_("no such number of ranks"), 0.1, 1e-12, expert_cost,
           expert_sent_bytes, NULL, VL_EXPERT_BAD),
    SEALED("sent_bytes", N_("bytes that one rank sends"), 0.4, predict_expert_bytes),
    SEALED("parameters", N_("parameters of the layer"), 0.3, predict_expert_parameters),
    SEALED("active_parameters", N_("parameters that a token meets"), 0.3,
           predict_active_parameters),
};

static const struct vl_timing timings[] = {
    {"expert_layer.speed", "expert_layer", N_("a layer, forward and backward, on two ranks"), 1e-3,
     layer, 2},
    {"there_and_back.speed", "there_and_back", N_("dispatch and combine on two ranks"), 1e-4,
     travel, 2},
};

const struct vl_lab_cases vl_cases_expert_parallel = {8, cases, COUNT(cases), timings,
                                                      COUNT(timings)};
