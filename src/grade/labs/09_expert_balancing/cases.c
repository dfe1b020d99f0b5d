/*
 * Lab 09's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

#define ROUNDED 1e-5 /* the bound of what is rounded; without a bound, bits are compared */
#define FLOOR   1e-6
#define ONE     1.0 /* violations are near zero: their error is absolute */

#define EXACT(name, maker, ...)                                                                    \
    VL_CASE(#name, "vl_" #name, maker, name, __VA_ARGS__, .ranks = 1, .floor = FLOOR)
#define CLOSE(name, maker, ...) EXACT(name, maker, __VA_ARGS__, .bound = ROUNDED)
#define BIAS(...)               EXACT(balance_bias_update, load_counts, __VA_ARGS__)
#define SCOPE(name, ...)        CLOSE(name, balance_scope, __VA_ARGS__)
#define INTERFERENCE(...)       CLOSE(balance_interference, balance_gradients, __VA_ARGS__)
#define REDUCE(...)                                                                                \
    VL_CASE("load_reduce", "vl_load_reduce", load_ranks, load_reduce, __VA_ARGS__, .floor = FLOOR, \
            .per_rank = 1, .part = vl_part_expert_balancing)
/* Several functions put together. */
#define COMPOSED(name, maker, ...)                                                                 \
    VL_CASE(#name, #name, maker, name, __VA_ARGS__, .needs = name, .per_rank = 1,                  \
            .part = vl_part_expert_balancing)
#define TRAFFIC(...) COMPOSED(load_traffic, load_ranks, __VA_ARGS__, .floor = FLOOR)
/* Many mistakes make a run about equally uneven; they differ in its course, each batch's bias. */
#define BY_BIAS(...)                                                                               \
    COMPOSED(balance_by_bias, balance_run, __VA_ARGS__, .bound = VL_BALANCE_MOST_BY_BIAS,          \
             .floor = ONE)
#define COURSE(special, ...)                                                                       \
    COMPOSED(balance_by_bias, balance_run, special,                                                \
             N_("each batch is routed with the bias from the batches before it"), __VA_ARGS__,     \
             .floor = FLOOR, .variant = VL_COURSE)
#define BY_LOSS(...)                                                                               \
    COMPOSED(balance_by_loss, balance_run, __VA_ARGS__, .bound = VL_BALANCE_MOST_BY_LOSS,          \
             .floor = ONE)
#define SEALED(number, ...)                                                                        \
    VL_CASE("predict_expert_balancing", "vl_predict_expert_balancing", shapes, predict_##number,   \
            #number, __VA_ARGS__, .ranks = 1, .floor = FLOOR, .sealed = 1)

/* What these composed functions need. */
static const char *const load_traffic[] = {"vl_load_reduce", NULL};
static const char *const balance_by_bias[] = {"vl_load_reduce", "vl_balance_bias_update", NULL};
static const char *const balance_by_loss[] = {"vl_balance_loss_backward", NULL};

/* What is special about a case: the end of its id, in words, and the variant. */
#define AWKWARD   N_("awkward sizes")
#define BACKWARDS N_("ranks in reverse order"), .variant = VL_REVERSED
#define LATE      N_("MaxVio late in a run")
#define NO_TOKENS N_("no tokens here"), .variant = VL_EMPTY
#define MICRO     N_("the scope is a micro-batch")
#define GLOBAL    N_("the scope is a global batch"), .variant = VL_GLOBAL
#define ODD       "odd", AWKWARD
#define WIDE      "wide", N_("many experts"), .variant = VL_WIDE
#define LONE      "one", N_("one expert"), .variant = VL_ONE
#define NONE      "none", N_("nothing was counted"), .variant = VL_EMPTY
#define SILENT    "silent", N_("affinities that are tiny or zero"), .variant = VL_SILENT
#define EVEN      "even", N_("an even load"), .variant = VL_EVEN
#define BAD       "bad", N_("a bad argument is refused"), .variant = VL_BAD

static const struct vl_case cases[] = {
    CLOSE(load_add, load_chosen, ODD, .share = 0.8),
    CLOSE(load_add, load_chosen, BAD, .share = 0.2),
    CLOSE(load_max_violation, load_counts, ODD, .share = 0.6),
    CLOSE(load_max_violation, load_counts, NONE, .share = 0.2),
    CLOSE(load_max_violation, load_counts, BAD, .share = 0.2),

    BIAS(ODD, .share = 0.3),
    BIAS(WIDE, .share = 0.15),
    BIAS("mean", N_("some have exactly the mean"), .share = 0.2, .variant = VL_MEAN | VL_INEXACT),
    BIAS("near", N_("all are within one of the mean"), .share = 0.15,
         .variant = VL_NEAR | VL_LARGE),
    BIAS("even", N_("an even load"), .share = 0.05, .variant = VL_EVEN | VL_INEXACT),
    BIAS("even_large", N_("an even load of counts too large to be exact in a float"), .share = 0.05,
         .variant = VL_EVEN | VL_LARGE),
    BIAS(NONE, .share = 0.05),
    BIAS(LONE, .share = 0.05),

    REDUCE("p2", AWKWARD, .ranks = 2, .share = 0.2),
    REDUCE("p4", AWKWARD, .ranks = 4, .share = 0.15, .variant = VL_WIDE | VL_IDLE),
    REDUCE("p3_large", N_("counts too large to be exact in a float"), .ranks = 3, .share = 0.2,
           .variant = VL_LARGE),
    REDUCE("p5_reversed", BACKWARDS, .ranks = 5, .share = 0.15),
    REDUCE("p3_blocking", N_("sends that wait for their receives"), .ranks = 3, .share = 0.1,
           .synchronous = 1),
    REDUCE("p8", AWKWARD, .ranks = 8, .share = 0.1),
    REDUCE("p1", N_("one rank"), .ranks = 1, .share = 0.05),
    REDUCE("p2_none", N_("no experts at all"), .ranks = 2, .share = 0.05, .variant = VL_EMPTY),

    SCOPE(balance_shares_add, ODD, .share = 0.4),
    SCOPE(balance_shares_add, SILENT, .share = 0.1),
    SCOPE(balance_shares_add, WIDE, .share = 0.3),
    SCOPE(balance_shares_add, LONE, .share = 0.1),
    SCOPE(balance_shares_add, "empty", NO_TOKENS, .share = 0.1),

    SCOPE(balance_loss, "micro", MICRO, .share = 0.25),
    SCOPE(balance_loss, "global", GLOBAL, .share = 0.3),
    SCOPE(balance_loss, "wide", N_("many experts"), .share = 0.2, .variant = VL_GLOBAL | VL_WIDE),
    SCOPE(balance_loss, EVEN, .share = 0.1),
    SCOPE(balance_loss, "elsewhere", NO_TOKENS, .share = 0.1),
    SCOPE(balance_loss, "empty", N_("no tokens at all"), .share = 0.05,
          .variant = VL_EMPTY | VL_GLOBAL),

    SCOPE(balance_loss_backward, "micro", MICRO, .share = 0.25),
    SCOPE(balance_loss_backward, "global", GLOBAL, .share = 0.2),
    SCOPE(balance_loss_backward, SILENT, .share = 0.05),
    SCOPE(balance_loss_backward, WIDE, .share = 0.2),
    SCOPE(balance_loss_backward, "even", N_("an even load has no gradient"), .share = 0.15,
          .variant = VL_EVEN),
    SCOPE(balance_loss_backward, LONE, .share = 0.1),
    SCOPE(balance_loss_backward, "empty", NO_TOKENS, .share = 0.05),

    INTERFERENCE(ODD, .share = 0.2),
    INTERFERENCE("wide", N_("many numbers"), .share = 0.05, .variant = VL_WIDE),
    INTERFERENCE("orthogonal", N_("gradients at a right angle"), .share = 0.05,
                 .variant = VL_ORTHOGONAL),
    INTERFERENCE("opposite", N_("gradients in opposite directions"), .share = 0.15,
                 .variant = VL_OPPOSITE),
    INTERFERENCE("bias", N_("no auxiliary gradient: the bias"), .share = 0.2,
                 .variant = VL_NOTHING),
    INTERFERENCE("tiny", N_("squares too small for a float"), .share = 0.1, .variant = VL_TINY),
    INTERFERENCE("slight", N_("small gradients"), .share = 0.05, .variant = VL_SLIGHT),
    INTERFERENCE("both", N_("both are zero"), .share = 0.05, .variant = VL_BOTH_ZERO),
    INTERFERENCE("empty", N_("no elements"), .share = 0.05, .variant = VL_EMPTY),
    INTERFERENCE(BAD, .share = 0.1),

    TRAFFIC("p2", N_("one all-gather"), .ranks = 2, .share = 0.25),
    TRAFFIC("p3", AWKWARD, .ranks = 3, .share = 0.2),
    TRAFFIC("p4", AWKWARD, .ranks = 4, .share = 0.2),
    TRAFFIC("p5", AWKWARD, .ranks = 5, .share = 0.15),
    TRAFFIC("p8", AWKWARD, .ranks = 8, .share = 0.15),
    TRAFFIC("p1", N_("one rank sends nothing"), .ranks = 1, .share = 0.05),

    BY_BIAS("p1", LATE, .ranks = 1, .share = 0.2),
    BY_BIAS("p4", LATE, .ranks = 4, .share = 0.25),
    BY_BIAS("p5_reversed", BACKWARDS, .ranks = 5, .share = 0.15),
    COURSE("p1_course", .ranks = 1, .share = 0.1),
    COURSE("p3_course", .ranks = 3, .share = 0.3),

    BY_LOSS("p4_global", GLOBAL, .ranks = 4, .share = 0.4),
    BY_LOSS("p2_micro", MICRO, .ranks = 2, .share = 0.3),
    BY_LOSS("p3_sequence", N_("the scope is a sequence"), .ranks = 3, .share = 0.3,
            .variant = VL_SEQUENCE),

    SEALED(worst_violation, N_("MaxVio where all choose the same experts"), .share = 0.35,
           .bound = 1e-9),
    SEALED(bias_steps, N_("global batches until the gap is closed"), .share = 0.35),
    SEALED(reduced_bytes, N_("bytes that one rank sends"), .share = 0.3),
};

VL_LAB_CASES(expert_balancing);
