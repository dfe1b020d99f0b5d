/*
 * Lab 08's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include "base/text.h"

#define ONE_OPERATION 1e-5
#define WHOLE_LAYER   1e-4
#define BITS          0 /* counts, and moves of data */
#define FLOOR         1e-6

static const char *const plan[] = {"vl_dispatch_plan", NULL};
static const char *const dispatch[] = {"vl_dispatch_forward", "vl_dispatch_backward", NULL};
static const char *const combine[] = {"vl_combine_forward", "vl_combine_backward", NULL};
#define EVERY_TRANSFER                                                                             \
    "vl_dispatch_plan", "vl_dispatch_forward", "vl_combine_forward", "vl_combine_backward",        \
        "vl_dispatch_backward"
static const char *const travel[] = {EVERY_TRANSFER, NULL};
static const char *const parts[] = {
    "vl_router_forward",         "vl_router_backward",         EVERY_TRANSFER,
    "vl_experts_backward_input", "vl_experts_backward_weight", NULL};
static const char *const layer[] = {"expert_layer", NULL};

/* What all cases have in common; then what those of one function have. The rest follows by name. */
#define CASE(name, special, phrase, called, maker, truth_of, ...)                                  \
    {                                                                                              \
        .id = #name "." special, .purpose = phrase, .function = called, .make = vl_make_##maker,   \
        .truth = vl_truth_##truth_of, __VA_ARGS__                                                  \
    }
#define SERIAL(name, special, phrase, maker, truth_of, ...)                                        \
    CASE(name, special, phrase, "vl_" #name, maker, truth_of, .ranks = 1, __VA_ARGS__)
#define ROUTER(special, phrase, ...)                                                               \
    SERIAL(router_forward, special, phrase, router, router_forward, .bound = ONE_OPERATION,        \
           .floor = FLOOR, __VA_ARGS__)
/* A gradient may be nothing at all: so its error is measured against what goes in. */
#define ROUTER_BACK(special, phrase, ...)                                                          \
    SERIAL(router_backward, special, phrase, router_back, router_backward, .bound = ONE_OPERATION, \
           .floor = 1, __VA_ARGS__)
#define EXPERTS(name, special, phrase, ...)                                                        \
    SERIAL(name, special, phrase, expert_rows, name, .bound = ONE_OPERATION, .floor = FLOOR,       \
           __VA_ARGS__)
#define BOTH_EXPERTS(...)                                                                          \
    EXPERTS(experts_backward_input, __VA_ARGS__), EXPERTS(experts_backward_weight, __VA_ARGS__)
#define COST(special, phrase, ...)                                                                 \
    SERIAL(expert_sent_bytes, special, phrase, expert_cost, expert_sent_bytes, .bound = 1e-12,     \
           .floor = FLOOR, __VA_ARGS__)
#define SEALED(special, phrase, truth_of, ...)                                                     \
    SERIAL(predict_expert_parallel, special, phrase, expert_prediction, truth_of, .bound = BITS,   \
           .floor = FLOOR, .sealed = 1, __VA_ARGS__)

#define RANKED(name, special, phrase, called, maker, ...)                                          \
    CASE(name, special, phrase, called, maker, name, .floor = FLOOR, .per_rank = 1, __VA_ARGS__)
#define PLAN(special, phrase, ...)                                                                 \
    RANKED(dispatch_plan, special, phrase, "vl_dispatch_plan", expert_choices, .bound = BITS,      \
           __VA_ARGS__)
#define TRIP(name, limit, special, phrase, ...)                                                    \
    RANKED(name, special, phrase, "vl_" #name, expert_travel, .bound = limit, __VA_ARGS__)
#define TRIPS(name, limit)                                                                         \
    TRIP(name, limit, "p2", ODD, .ranks = 2, .share = 0.2),                                        \
        TRIP(name, limit, "p3", ODD, .ranks = 3, .share = 0.2, .variant = VL_EXPERT_WIDE),         \
        TRIP(name, limit, "p4_sole", SOLE, .ranks = 4, .share = 0.1,                               \
             .variant = VL_EXPERT_SOLE | VL_EXPERT_FIRST),                                         \
        TRIP(name, limit, "p5_reversed", BACKWARDS, .ranks = 5, .share = 0.15,                     \
             .variant = VL_EXPERT_REVERSED),                                                       \
        TRIP(name, limit, "p8", ODD, .ranks = 8, .share = 0.1),                                    \
        TRIP(name, limit, "p1", ALONE, .ranks = 1, .share = 0.1),                                  \
        TRIP(name, limit, "p2_every", EVERY, .ranks = 2, .share = 0.05,                            \
             .variant = VL_EXPERT_EVERY),                                                          \
        TRIP(name, limit, "p4_blocking", BLOCKING, .ranks = 4, .share = 0.1,                       \
             .variant = VL_EXPERT_WIDE, .synchronous = 1)
#define LAYER(special, phrase, ...)                                                                \
    RANKED(expert_layer, special, phrase, "expert_layer", expert_layer, .bound = WHOLE_LAYER,      \
           .needs = parts, __VA_ARGS__)
#define PLAN_TRAFFIC(special, phrase, ...)                                                         \
    RANKED(plan_traffic, special, phrase, "plan_traffic", expert_choices, .bound = BITS,           \
           .needs = plan, __VA_ARGS__)
#define TRAFFIC(name, needed, special, phrase, ...)                                                \
    RANKED(name, special, phrase, #name, expert_travel, .bound = BITS, .needs = needed, __VA_ARGS__)
#define TRAFFICS(name, needed)                                                                     \
    TRAFFIC(name, needed, "p2", TO_THE_BYTE, .ranks = 2, .share = 0.3),                            \
        TRAFFIC(name, needed, "p3_sole", SOLE, .ranks = 3, .share = 0.2,                           \
                .variant = VL_EXPERT_SOLE | VL_EXPERT_FIRST),                                      \
        TRAFFIC(name, needed, "p4", TO_THE_BYTE, .ranks = 4, .share = 0.3,                         \
                .variant = VL_EXPERT_WIDE),                                                        \
        TRAFFIC(name, needed, "p8", N_("empty pieces are not sent"), .ranks = 8, .share = 0.2)

#define ALONE       N_("one rank")
#define ODD         N_("awkward sizes")
#define MANY        N_("many tokens, many experts")
#define NO_TOKENS   N_("no tokens at all")
#define NO_SUCH_K   N_("no such number of experts")
#define IDLE        N_("experts without rows")
#define BACKWARDS   N_("ranks in reverse order")
#define BLOCKING    N_("sends that wait for their receives")
#define SOLE        N_("one expert gets all tokens")
#define EVERY       N_("every token goes to every expert")
#define FIRST       N_("one expert a token")
#define BOTH_WAYS   N_("forward and backward")
#define COUNTS      N_("E/P counts to every other rank")
#define TO_THE_BYTE N_("bytes and messages of each direction")

static const struct vl_case cases[] = {
    EXPERTS(experts_forward, "odd", ODD, .share = 0.7),
    EXPERTS(experts_forward, "idle", IDLE, .share = 0.3, .variant = VL_EXPERT_IDLE),

    ROUTER("plain", N_("without a bias"), .share = 0.2),
    ROUTER("bias", N_("a bias changes who is chosen"), .share = 0.2, .variant = VL_EXPERT_BIAS),
    ROUTER("wide", MANY, .share = 0.15,
           .variant = VL_EXPERT_BIAS | VL_EXPERT_SCALED | VL_EXPERT_WIDE),
    ROUTER("every", EVERY, .share = 0.1, .variant = VL_EXPERT_EVERY | VL_EXPERT_SCALED),
    ROUTER("first", FIRST, .share = 0.05, .variant = VL_EXPERT_FIRST | VL_EXPERT_BIAS),
    ROUTER("ties", N_("equal scores"), .share = 0.1, .variant = VL_EXPERT_TIES),
    ROUTER("far", N_("affinities that are tiny, and zero"), .share = 0.05,
           .variant = VL_EXPERT_FAR | VL_EXPERT_ZERO | VL_EXPERT_SCALED),
    ROUTER("empty", NO_TOKENS, .share = 0.05, .variant = VL_EXPERT_NONE),
    ROUTER("not_a_number", N_("a logit that is no number is refused"), .share = 0.05,
           .variant = VL_EXPERT_NAN),
    ROUTER("bad_k", NO_SUCH_K, .share = 0.05, .variant = VL_EXPERT_BAD),

    ROUTER_BACK("odd", ODD, .share = 0.35),
    ROUTER_BACK("wide", MANY, .share = 0.3, .variant = VL_EXPERT_WIDE | VL_EXPERT_SCALED),
    ROUTER_BACK("every", EVERY, .share = 0.15, .variant = VL_EXPERT_EVERY),
    ROUTER_BACK("first", FIRST, .share = 0.1, .variant = VL_EXPERT_FIRST | VL_EXPERT_SCALED),
    ROUTER_BACK("empty", NO_TOKENS, .share = 0.05, .variant = VL_EXPERT_NONE),
    ROUTER_BACK("bad_k", NO_SUCH_K, .share = 0.05, .variant = VL_EXPERT_BAD),

    PLAN("p2", ODD, .ranks = 2, .share = 0.15),
    PLAN("p3", ODD, .ranks = 3, .share = 0.15, .variant = VL_EXPERT_WIDE),
    PLAN("p4", ODD, .ranks = 4, .share = 0.1),
    PLAN("p5_reversed", BACKWARDS, .ranks = 5, .share = 0.1, .variant = VL_EXPERT_REVERSED),
    PLAN("p8", ODD, .ranks = 8, .share = 0.1),
    PLAN("p1", ALONE, .ranks = 1, .share = 0.05),
    PLAN("p4_sole", SOLE, .ranks = 4, .share = 0.1, .variant = VL_EXPERT_SOLE | VL_EXPERT_FIRST),
    PLAN("p3_blocking", BLOCKING, .ranks = 3, .share = 0.05, .synchronous = 1),
    PLAN("p2_every", EVERY, .ranks = 2, .share = 0.05, .variant = VL_EXPERT_EVERY),
    PLAN("p3_ragged", N_("what the ranks do not divide is refused"), .ranks = 3, .share = 0.05,
         .variant = VL_EXPERT_RAGGED),
    PLAN("p2_bad", N_("a bad argument is refused, by all ranks"), .ranks = 2, .share = 0.05,
         .variant = VL_EXPERT_BAD),
    PLAN("p4_room", N_("a rank without enough room refuses alone"), .ranks = 4, .share = 0.05,
         .variant = VL_EXPERT_CROWDED),

    TRIPS(dispatch_forward, BITS),
    TRIPS(dispatch_backward, ONE_OPERATION),
    TRIPS(combine_forward, ONE_OPERATION),
    TRIPS(combine_backward, ONE_OPERATION),

    BOTH_EXPERTS("odd", ODD, .share = 0.4),
    BOTH_EXPERTS("idle", IDLE, .share = 0.4, .variant = VL_EXPERT_IDLE),
    BOTH_EXPERTS("single", N_("one expert"), .share = 0.1, .variant = VL_EXPERT_FIRST),
    BOTH_EXPERTS("nothing", N_("no rows at all"), .share = 0.1, .variant = VL_EXPERT_NONE),

    LAYER("p2", BOTH_WAYS, .ranks = 2, .share = 0.3),
    LAYER("p3", BOTH_WAYS, .ranks = 3, .share = 0.25, .variant = VL_EXPERT_WIDE),
    LAYER("p4_sole", SOLE, .ranks = 4, .share = 0.25, .variant = VL_EXPERT_SOLE),
    LAYER("p5_reversed", BACKWARDS, .ranks = 5, .share = 0.2, .variant = VL_EXPERT_REVERSED),

    PLAN_TRAFFIC("p2", COUNTS, .ranks = 2, .share = 0.4),
    PLAN_TRAFFIC("p5", COUNTS, .ranks = 5, .share = 0.4, .variant = VL_EXPERT_WIDE),
    PLAN_TRAFFIC("p4_sole", SOLE, .ranks = 4, .share = 0.2,
                 .variant = VL_EXPERT_SOLE | VL_EXPERT_FIRST),
    TRAFFICS(dispatch_traffic, dispatch),
    TRAFFICS(combine_traffic, combine),

    COST("tokens", N_("some numbers of tokens"), .share = 0.9),
    COST("bad_ranks", N_("no such number of ranks"), .share = 0.1, .variant = VL_EXPERT_BAD),

    SEALED("sent_bytes", N_("bytes that one rank sends"), predict_expert_bytes, .share = 0.4),
    SEALED("parameters", N_("parameters of the layer"), predict_expert_parameters, .share = 0.3),
    SEALED("active_parameters", N_("parameters that a token meets"), predict_active_parameters,
           .share = 0.3),
};

#define TIMED(name, phrase, ...)                                                                   \
    {                                                                                              \
        .id = #name ".speed", .function = #name, .purpose = phrase, .ranks = 2, __VA_ARGS__        \
    }
static const struct vl_timing timings[] = {
    TIMED(expert_layer, N_("a layer, forward and backward, on two ranks"), .bound = 1e-3,
          .needs = layer),
    TIMED(there_and_back, N_("dispatch and combine on two ranks"), .bound = 1e-4, .needs = travel),
};

VL_TIMED_LAB_CASES(expert_parallel);
