/*
 * Lab 08's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

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

/* A case: the beginning of its id, its function, the maker of its inputs, its truth, its bound;
 * then what is special, in the id and in words, and further fields by name. */
#define CASE(name, asks, maker, answer, limit, special, what, ...)                                 \
    {                                                                                              \
        .id = #name "." special, .purpose = what, .function = asks, .make = vl_make_##maker,       \
        .truth = vl_truth_##answer, .bound = limit, __VA_ARGS__                                    \
    }
#define SERIAL(name, maker, limit, ...)                                                            \
    CASE(name, "vl_" #name, maker, name, limit, __VA_ARGS__, .ranks = 1)
#define ROUTER(...) SERIAL(router_forward, router, ONE_OPERATION, __VA_ARGS__, .floor = FLOOR)
/* The gradient may be zero, so its error is measured against 1, the size of the inputs. */
#define ROUTER_BACK(...)                                                                           \
    SERIAL(router_backward, router_back, ONE_OPERATION, __VA_ARGS__, .floor = 1)
#define LIMITED(...)                                                                               \
    SERIAL(router_limited, router_limited, ONE_OPERATION, __VA_ARGS__, .floor = FLOOR)
#define NODE_ROWS(...)     SERIAL(router_node_rows, node_rows, BITS, __VA_ARGS__)
#define EXPERTS(name, ...) SERIAL(name, expert_rows, ONE_OPERATION, __VA_ARGS__, .floor = FLOOR)
#define BOTH_EXPERTS(...)                                                                          \
    EXPERTS(experts_backward_input, __VA_ARGS__), EXPERTS(experts_backward_weight, __VA_ARGS__)
#define COST(...) SERIAL(expert_sent_bytes, expert_cost, 1e-12, __VA_ARGS__, .floor = FLOOR)
#define SEALED(number, ...)                                                                        \
    CASE(predict_expert_parallel, "vl_predict_expert_parallel", shapes, predict_expert_##number,   \
         BITS, #number, __VA_ARGS__, .ranks = 1, .floor = FLOOR, .sealed = 1)

#define RANKED(name, asks, maker, limit, ...)                                                      \
    CASE(name, asks, maker, name, limit, __VA_ARGS__, .floor = FLOOR, .per_rank = 1,               \
         .part = vl_part_expert_parallel)
#define PLAN(...) RANKED(dispatch_plan, "vl_dispatch_plan", expert_choices, BITS, __VA_ARGS__)
#define LAYER(...)                                                                                 \
    RANKED(expert_layer, "expert_layer", expert_layer, WHOLE_LAYER, __VA_ARGS__, .needs = parts)
#define PLAN_TRAFFIC(...)                                                                          \
    RANKED(plan_traffic, "plan_traffic", expert_choices, BITS, __VA_ARGS__, .needs = plan)
#define TRIP(name, limit, ...) RANKED(name, "vl_" #name, expert_travel, limit, __VA_ARGS__)
#define TRIPS(name, limit)                                                                         \
    TRIP(name, limit, P2, .share = 0.2), TRIP(name, limit, P3, .share = 0.2),                      \
        TRIP(name, limit, P4_SOLE, .share = 0.1), TRIP(name, limit, P5_REVERSED, .share = 0.15),   \
        TRIP(name, limit, P8, .share = 0.1), TRIP(name, limit, P1, .share = 0.1),                  \
        TRIP(name, limit, P2_EVERY, .share = 0.05),                                                \
        TRIP(name, limit, "p4_blocking", BLOCKING, .ranks = 4, .share = 0.1, WIDE,                 \
             .synchronous = 1)
#define TRAFFIC(name, needed, ...)                                                                 \
    RANKED(name, #name, expert_travel, BITS, __VA_ARGS__, .needs = needed)
#define TRAFFICS(name, needed)                                                                     \
    TRAFFIC(name, needed, "p2", TO_THE_BYTE, .ranks = 2, .share = 0.3),                            \
        TRAFFIC(name, needed, "p3_sole", SOLE, .ranks = 3, .share = 0.2, ONLY_ONE),                \
        TRAFFIC(name, needed, "p4", TO_THE_BYTE, .ranks = 4, .share = 0.3, WIDE),                  \
        TRAFFIC(name, needed, "p8", N_("empty pieces are not sent"), .ranks = 8, .share = 0.2)

/* What is special: words, and the variant. */
#define ODD         N_("awkward sizes")
#define MANY        N_("many tokens, many experts")
#define BLOCKING    N_("sends that wait for their receives")
#define SOLE        N_("one expert gets all tokens")
#define EVERYWHERE  N_("every token goes to every expert")
#define BACKWARDS   N_("ranks in reverse order")
#define BOTH_WAYS   N_("forward and backward")
#define COUNTS      N_("E/P counts to every other rank")
#define TO_THE_BYTE N_("bytes and messages of each direction")
#define WIDE        .variant = VL_EXPERT_WIDE
#define FAR                                                                                        \
    N_("affinities that are tiny or zero"),                                                        \
        .variant = VL_EXPERT_FAR | VL_EXPERT_ZERO | VL_EXPERT_SCALED
#define NOT_A_NUMBER N_("a logit that is not a number is refused"), .variant = VL_EXPERT_NAN
#define ONLY_ONE     .variant = VL_EXPERT_SOLE | VL_EXPERT_FIRST

/* The end of a case's id, words, and fields. */
#define EVERY       "every", EVERYWHERE
#define FIRST       "first", N_("one expert per token")
#define EMPTY       "empty", N_("no tokens at all"), .variant = VL_EXPERT_NONE
#define BAD_K       "bad_k", N_("an impossible number of experts"), .variant = VL_EXPERT_BAD
#define OUTSIDE     "outside", N_("a bad argument is refused"), .variant = VL_EXPERT_OUTSIDE
#define IDLE        "idle", N_("experts without rows"), .variant = VL_EXPERT_IDLE
#define P1          "p1", N_("one rank"), .ranks = 1
#define P2          "p2", ODD, .ranks = 2
#define P3          "p3", ODD, .ranks = 3, WIDE
#define P8          "p8", ODD, .ranks = 8
#define P2_EVERY    "p2_every", EVERYWHERE, .ranks = 2, .variant = VL_EXPERT_EVERY
#define P4_SOLE     "p4_sole", SOLE, .ranks = 4, ONLY_ONE
#define P5_REVERSED "p5_reversed", BACKWARDS, .ranks = 5, .variant = VL_EXPERT_REVERSED

static const struct vl_case cases[] = {
    EXPERTS(experts_forward, "odd", ODD, .share = 0.7),
    EXPERTS(experts_forward, IDLE, .share = 0.3),

    ROUTER("plain", N_("without a bias"), .share = 0.15),
    ROUTER("bias", N_("a bias changes who is chosen"), .share = 0.2, .variant = VL_EXPERT_BIAS),
    ROUTER("wide", MANY, .share = 0.15,
           .variant = VL_EXPERT_BIAS | VL_EXPERT_SCALED | VL_EXPERT_WIDE),
    ROUTER(EVERY, .share = 0.1, .variant = VL_EXPERT_EVERY | VL_EXPERT_SCALED | VL_EXPERT_MANY),
    ROUTER(FIRST, .share = 0.05, .variant = VL_EXPERT_FIRST | VL_EXPERT_BIAS),
    ROUTER("ties", N_("equal scores"), .share = 0.1, .variant = VL_EXPERT_TIES),
    ROUTER("far", FAR, .share = 0.05),
    ROUTER("high", N_("logits whose exponentials overflow"), .share = 0.05,
           .variant = VL_EXPERT_HIGH),
    ROUTER(EMPTY, .share = 0.05),
    ROUTER("not_a_number", NOT_A_NUMBER, .share = 0.05),
    ROUTER(BAD_K, .share = 0.05),

    LIMITED("plain", N_("the best groups only"), .share = 0.1, .variant = VL_EXPERT_FEW),
    LIMITED("one_group", N_("one group is open"), .share = 0.05, .variant = VL_EXPERT_ONE_GROUP),
    LIMITED("pairs", N_("small groups"), .share = 0.1, .variant = VL_EXPERT_PAIRS),
    LIMITED("bias", N_("the bias counts for groups too"), .share = 0.15,
            .variant = VL_EXPERT_BIAS | VL_EXPERT_SCALED),
    LIMITED("wide", N_("many groups"), .share = 0.1, .variant = VL_EXPERT_WIDE | VL_EXPERT_BIAS),
    LIMITED("single", N_("one expert per group"), .share = 0.05, .variant = VL_EXPERT_FIRST),
    LIMITED("open", N_("all groups are open"), .share = 0.05,
            .variant = VL_EXPERT_OPEN | VL_EXPERT_BIAS),
    LIMITED("ties", N_("equal scores"), .share = 0.1, .variant = VL_EXPERT_TIES),
    LIMITED("far", FAR, .share = 0.05),
    LIMITED(EMPTY, .share = 0.05),
    LIMITED("not_a_number", NOT_A_NUMBER, .share = 0.05),
    LIMITED("ragged", N_("experts that do not split evenly into groups are refused"), .share = 0.05,
            .variant = VL_EXPERT_RAGGED),
    LIMITED("bad_k", N_("more choices than the open groups have experts"), .share = 0.05,
            .variant = VL_EXPERT_BAD),
    LIMITED(OUTSIDE, .share = 0.05),

    NODE_ROWS("few", N_("rows that leave a node"), .share = 0.3),
    NODE_ROWS("wide", N_("many groups"), .share = 0.3, .variant = VL_EXPERT_MANY),
    NODE_ROWS("single", N_("one expert per group"), .share = 0.1, .variant = VL_EXPERT_FIRST),
    NODE_ROWS(EMPTY, .share = 0.1),
    NODE_ROWS("ragged", N_("experts that do not split evenly into groups are refused"),
              .share = 0.1, .variant = VL_EXPERT_RAGGED),
    NODE_ROWS(OUTSIDE, .share = 0.1),

    ROUTER_BACK("odd", ODD, .share = 0.25),
    ROUTER_BACK("wide", MANY, .share = 0.3, .variant = VL_EXPERT_WIDE | VL_EXPERT_SCALED),
    ROUTER_BACK(EVERY, .share = 0.15, .variant = VL_EXPERT_EVERY),
    ROUTER_BACK(FIRST, .share = 0.1, .variant = VL_EXPERT_FIRST | VL_EXPERT_SCALED),
    ROUTER_BACK("far", FAR, .share = 0.1),
    ROUTER_BACK(EMPTY, .share = 0.05),
    ROUTER_BACK(BAD_K, .share = 0.05),

    PLAN(P2, .share = 0.15),
    PLAN(P3, .share = 0.15),
    PLAN("p4", N_("many experts"), .ranks = 4, .share = 0.1, .variant = VL_EXPERT_MANY),
    PLAN(P5_REVERSED, .share = 0.1),
    PLAN(P8, .share = 0.1),
    PLAN(P1, .share = 0.05),
    PLAN(P4_SOLE, .share = 0.05),
    PLAN("p3_blocking", BLOCKING, .ranks = 3, .share = 0.05, .synchronous = 1),
    PLAN(P2_EVERY, .share = 0.05),
    PLAN("p3_ragged", N_("sizes that do not split evenly over the ranks are refused"), .ranks = 3,
         .share = 0.05, .variant = VL_EXPERT_RAGGED),
    PLAN("p2_bad", N_("a bad argument is refused, by all ranks"), .ranks = 2, .share = 0.05,
         .variant = VL_EXPERT_BAD),
    PLAN("p4_room", N_("a rank without enough room refuses alone"), .ranks = 4, .share = 0.05,
         .variant = VL_EXPERT_CROWDED),
    PLAN("p2_no_room", N_("a rank without any room says how much it needs"), .ranks = 2,
         .share = 0.05, .variant = VL_EXPERT_CROWDED | VL_EXPERT_NO_ROOM),

    TRIPS(dispatch_forward, BITS),
    TRIPS(dispatch_backward, ONE_OPERATION),
    TRIPS(combine_forward, ONE_OPERATION),
    TRIPS(combine_backward, ONE_OPERATION),

    BOTH_EXPERTS("odd", ODD, .share = 0.4),
    BOTH_EXPERTS(IDLE, .share = 0.4),
    BOTH_EXPERTS("single", N_("one expert"), .share = 0.1, .variant = VL_EXPERT_FIRST),
    BOTH_EXPERTS("nothing", N_("no rows at all"), .share = 0.1, .variant = VL_EXPERT_NONE),

    LAYER("p2", BOTH_WAYS, .ranks = 2, .share = 0.3),
    LAYER("p3", BOTH_WAYS, .ranks = 3, .share = 0.25, WIDE),
    LAYER("p4_sole", SOLE, .ranks = 4, .share = 0.25, .variant = VL_EXPERT_SOLE),
    LAYER(P5_REVERSED, .share = 0.2),

    PLAN_TRAFFIC("p2", COUNTS, .ranks = 2, .share = 0.4),
    PLAN_TRAFFIC("p5", COUNTS, .ranks = 5, .share = 0.4, WIDE),
    PLAN_TRAFFIC(P4_SOLE, .share = 0.2),
    TRAFFICS(dispatch_traffic, dispatch),
    TRAFFICS(combine_traffic, combine),

    COST("tokens", N_("some numbers of tokens"), .share = 0.55),
    COST("choices", N_("more choices than ranks"), .share = 0.3, .variant = VL_EXPERT_EVERY),
    COST("one_rank", N_("one rank sends nothing"), .share = 0.05, .variant = VL_EXPERT_FIRST),
    COST("bad_ranks", N_("an impossible number of ranks"), .share = 0.1, .variant = VL_EXPERT_BAD),

    SEALED(sent_bytes, N_("bytes that one rank sends"), .share = 0.4),
    SEALED(parameters, N_("parameters of the layer"), .share = 0.3),
    SEALED(active_parameters, N_("parameters that a token meets"), .share = 0.3),
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
