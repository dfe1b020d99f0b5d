/*
 * Lab 09's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define ONE_OPERATION 1e-5
#define BITS          0 /* whole numbers, and biases: a step is one rounded addition */
#define FLOOR         1e-6
#define ONE           1.0 /* violations are measured as they are */

/* On one rank: truth and suspects have the function's name. */
#define SERIAL(name, special, purpose, share, bound, maker, variant)                               \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, 1, share, bound, FLOOR, NULL, vl_make_##maker,    \
            vl_truth_##name, vl_suspects_##name, variant, 0, 0                                     \
    }
#define GIVEN(name, special, purpose, share, maker, variant)                                       \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, 1, share, ONE_OPERATION, FLOOR, NULL,             \
            vl_make_##maker, vl_truth_##name, NULL, variant, 0, 0                                  \
    }
#define REDUCE(special, purpose, ranks, share, variant, synchronous)                               \
    {                                                                                              \
        "load_reduce." special, "vl_load_reduce", purpose, ranks, share, BITS, FLOOR, NULL,        \
            vl_make_load_ranks, vl_truth_load_reduce, vl_suspects_load_reduce, variant, 1,         \
            synchronous                                                                            \
    }
#define TRAFFIC(special, purpose, ranks, share)                                                    \
    {                                                                                              \
        "load_traffic." special, "load_traffic", purpose, ranks, share, BITS, FLOOR, counting,     \
            vl_make_load_ranks, vl_truth_load_traffic, vl_suspects_load_traffic, 0, 1, 0           \
    }
/* How even a run gets is told in words (inspect_expert_balancing.c): many mistakes come to much the
 * same. In a course each of them shows. */
#define RUN(name, special, purpose, ranks, share, bound, floor, needs, suspects, variant)          \
    {                                                                                              \
#name "." special, #name, purpose, ranks, share, bound, floor, needs, vl_make_balance_run, \
            vl_truth_##name, suspects, variant, 1, 0                                               \
    }
#define BY_BIAS(special, purpose, ranks, share, variant)                                           \
    RUN(balance_by_bias, special, purpose, ranks, share, VL_BALANCING_MOST_BY_BIAS, ONE, by_bias,  \
        NULL, variant)
#define COURSE(special, purpose, ranks, share, variant)                                            \
    RUN(balance_by_bias, special, purpose, ranks, share, BITS, FLOOR, by_bias,                     \
        vl_suspects_balance_course, (variant) | VL_BALANCING_COURSE)
#define BY_LOSS(special, purpose, ranks, share, variant)                                           \
    RUN(balance_by_loss, special, purpose, ranks, share, VL_BALANCING_MOST_BY_LOSS, ONE, by_loss,  \
        NULL, variant)
#define SEALED(number, purpose, share, bound)                                                      \
    {                                                                                              \
        "predict_expert_balancing." #number, "vl_predict_expert_balancing", purpose, 1, share,     \
            bound, FLOOR, NULL, vl_make_balance_prediction, vl_truth_predict_##number,             \
            vl_suspects_predict_##number, 0, 0, 0                                                  \
    }

#define BIAS(special, purpose, share, variant)                                                     \
    SERIAL(balance_bias_update, special, purpose, share, BITS, load_counts, variant)
#define SHARES(special, purpose, share, variant)                                                   \
    SERIAL(balance_shares_add, special, purpose, share, ONE_OPERATION, balance_scope, variant)
#define LOSS(special, purpose, share, variant)                                                     \
    SERIAL(balance_loss, special, purpose, share, ONE_OPERATION, balance_scope, variant)
#define BACKWARD(special, purpose, share, variant)                                                 \
    SERIAL(balance_loss_backward, special, purpose, share, ONE_OPERATION, balance_scope, variant)
#define INTERFERENCE(special, purpose, share, variant)                                             \
    SERIAL(balance_interference, special, purpose, share, ONE_OPERATION, balance_gradients, variant)

static const char *const counting[] = {"vl_load_reduce", NULL};
static const char *const by_bias[] = {"vl_load_reduce", "vl_balance_bias_update", NULL};
static const char *const by_loss[] = {"vl_balance_loss_backward", NULL};

#define REFUSED   N_("a bad argument is refused")
#define ODD       N_("awkward sizes")
#define ALONE     N_("one rank")
#define BACKWARDS N_("ranks in reverse order")
#define EVEN_LOAD N_("an even load")
#define ONE_ALONE N_("one expert")
#define MANY      N_("many experts")
#define ALL_RANKS N_("the scope is a global batch")
#define NO_TOKENS N_("no tokens here")
#define LATE      N_("MaxVio late in a run")

enum {
    BACK = VL_BALANCING_REVERSED,
    EMPTY = VL_BALANCING_EMPTY,
    WIDE = VL_BALANCING_WIDE,
    EVEN = VL_BALANCING_EVEN,
    WHOLE = VL_BALANCING_GLOBAL,
    LONE = VL_BALANCING_ONE,
    BAD = VL_BALANCING_BAD
};

static const struct vl_case cases[] = {
    GIVEN(load_add, "odd", ODD, 0.8, load_chosen, 0),
    GIVEN(load_add, "bad", REFUSED, 0.2, load_chosen, BAD),
    GIVEN(load_max_violation, "odd", ODD, 0.6, load_counts, 0),
    GIVEN(load_max_violation, "none", N_("nothing was counted"), 0.2, load_counts, EMPTY),
    GIVEN(load_max_violation, "bad", REFUSED, 0.2, load_counts, BAD),

    BIAS("odd", ODD, 0.3, 0),
    BIAS("wide", MANY, 0.15, WIDE),
    BIAS("mean", N_("some have exactly the mean"), 0.2, VL_BALANCING_MEAN),
    BIAS("near", N_("all are within one of the mean"), 0.15, VL_BALANCING_NEAR),
    BIAS("even", EVEN_LOAD, 0.1, EVEN),
    BIAS("none", N_("nothing was counted"), 0.05, EMPTY),
    BIAS("one", ONE_ALONE, 0.05, LONE),

    REDUCE("p2", ODD, 2, 0.2, 0, 0),
    REDUCE("p4", ODD, 4, 0.15, WIDE, 0),
    REDUCE("p3_large", N_("counts that no float holds"), 3, 0.2, VL_BALANCING_LARGE, 0),
    REDUCE("p5_reversed", BACKWARDS, 5, 0.15, BACK, 0),
    REDUCE("p3_blocking", N_("sends that wait for their receives"), 3, 0.1, 0, 1),
    REDUCE("p8", ODD, 8, 0.1, 0, 0),
    REDUCE("p1", ALONE, 1, 0.05, 0, 0),
    REDUCE("p2_none", N_("no experts at all"), 2, 0.05, EMPTY, 0),

    SHARES("odd", ODD, 0.5, 0),
    SHARES("wide", MANY, 0.3, WIDE),
    SHARES("one", ONE_ALONE, 0.1, LONE),
    SHARES("empty", NO_TOKENS, 0.1, EMPTY),

    LOSS("micro", N_("the scope is a micro-batch"), 0.3, 0),
    LOSS("global", ALL_RANKS, 0.3, WHOLE),
    LOSS("wide", MANY, 0.2, WHOLE + WIDE),
    LOSS("even", EVEN_LOAD, 0.1, EVEN),
    LOSS("elsewhere", NO_TOKENS, 0.1, EMPTY),

    BACKWARD("micro", N_("the scope is a micro-batch"), 0.25, 0),
    BACKWARD("global", ALL_RANKS, 0.25, WHOLE),
    BACKWARD("wide", MANY, 0.2, WIDE),
    BACKWARD("even", N_("an even load has no gradient"), 0.15, EVEN),
    BACKWARD("one", ONE_ALONE, 0.1, LONE),
    BACKWARD("empty", NO_TOKENS, 0.05, EMPTY),

    INTERFERENCE("odd", ODD, 0.3, 0),
    INTERFERENCE("wide", N_("many numbers"), 0.1, WIDE),
    INTERFERENCE("opposite", N_("one against the other"), 0.15, VL_BALANCING_OPPOSITE),
    INTERFERENCE("bias", N_("no auxiliary gradient: the bias"), 0.2, VL_BALANCING_NOTHING),
    INTERFERENCE("tiny", N_("squares that no float holds"), 0.1, VL_BALANCING_TINY),
    INTERFERENCE("both", N_("both are zero"), 0.05, VL_BALANCING_BOTH_ZERO),
    INTERFERENCE("bad", REFUSED, 0.1, BAD),

    TRAFFIC("p2", N_("one all-gather"), 2, 0.25),
    TRAFFIC("p3", ODD, 3, 0.2),
    TRAFFIC("p4", ODD, 4, 0.2),
    TRAFFIC("p5", ODD, 5, 0.15),
    TRAFFIC("p8", ODD, 8, 0.15),
    TRAFFIC("p1", N_("one rank sends nothing"), 1, 0.05),

    BY_BIAS("p1", LATE, 1, 0.2, 0),
    BY_BIAS("p4", LATE, 4, 0.25, 0),
    BY_BIAS("p5_reversed", BACKWARDS, 5, 0.15, BACK),
    COURSE("p1_course", N_("each batch is routed with the bias that those before it made"), 1, 0.1,
           0),
    COURSE("p3_course", N_("each batch is routed with the bias that those before it made"), 3, 0.3,
           0),

    BY_LOSS("p4_global", ALL_RANKS, 4, 0.4, WHOLE),
    BY_LOSS("p2_micro", N_("the scope is a micro-batch"), 2, 0.3, 0),
    BY_LOSS("p3_sequence", N_("the scope is a sequence"), 3, 0.3, VL_BALANCING_SEQUENCE),

    SEALED(worst_violation, N_("MaxVio where all choose the same experts"), 0.35, 1e-9),
    SEALED(bias_steps, N_("global batches until the gap is closed"), 0.35, BITS),
    SEALED(reduced_bytes, N_("bytes that one rank sends"), 0.3, BITS),
};

const struct vl_lab_cases vl_cases_expert_balancing = {9, cases, COUNT(cases), NULL, 0};
