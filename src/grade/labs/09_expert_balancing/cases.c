/*
 * Lab 09's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include "base/text.h"

#define ROUNDED 1e-5 /* the bound of what is rounded; without a bound, bits are compared */
#define FLOOR   1e-6
#define ONE     1.0 /* violations are measured as they are */

/* What every case has. The other fields are named where the macro is used. */
#define CASE(prefix, name, special, phrase, maker, right, ...)                                     \
    {                                                                                              \
        .id = #name "." special, .function = prefix #name, .purpose = phrase,                      \
        .make = vl_make_##maker, .truth = vl_truth_##right, __VA_ARGS__                            \
    }
#define SERIAL(name, special, phrase, maker, ...)                                                  \
    CASE("vl_", name, special, phrase, maker, name, .ranks = 1, .floor = FLOOR, __VA_ARGS__)
#define RUN(name, special, phrase, ...)                                                            \
    CASE("", name, special, phrase, balance_run, name, .needs = name, .per_rank = 1, __VA_ARGS__)

#define BIAS(special, phrase, ...)                                                                 \
    SERIAL(balance_bias_update, special, phrase, load_counts, __VA_ARGS__)
#define REDUCE(special, phrase, ...)                                                               \
    CASE("vl_", load_reduce, special, phrase, load_ranks, load_reduce, .floor = FLOOR,             \
         .per_rank = 1, __VA_ARGS__)
#define SHARES(special, phrase, ...)                                                               \
    SERIAL(balance_shares_add, special, phrase, balance_scope, .bound = ROUNDED, __VA_ARGS__)
#define LOSS(special, phrase, ...)                                                                 \
    SERIAL(balance_loss, special, phrase, balance_scope, .bound = ROUNDED, __VA_ARGS__)
#define BACKWARD(special, phrase, ...)                                                             \
    SERIAL(balance_loss_backward, special, phrase, balance_scope, .bound = ROUNDED, __VA_ARGS__)
#define INTERFERENCE(special, phrase, ...)                                                         \
    SERIAL(balance_interference, special, phrase, balance_gradients, .bound = ROUNDED, __VA_ARGS__)
#define TRAFFIC(special, phrase, ...)                                                              \
    CASE("", load_traffic, special, phrase, load_ranks, load_traffic, .floor = FLOOR,              \
         .needs = load_traffic, .per_rank = 1, __VA_ARGS__)
/* Many mistakes make a run about equally uneven; in a course, the bias of each batch, they differ. */
#define BY_BIAS(special, phrase, ...)                                                              \
    RUN(balance_by_bias, special, phrase, .bound = VL_BALANCE_MOST_BY_BIAS, .floor = ONE,          \
        __VA_ARGS__)
#define COURSE(special, ...)                                                                       \
    RUN(balance_by_bias, special,                                                                  \
        N_("each batch is routed with the bias that those before it "                              \
           "made"),                                                                                \
        .floor = FLOOR, .variant = VL_COURSE, __VA_ARGS__)
#define BY_LOSS(special, phrase, ...)                                                              \
    RUN(balance_by_loss, special, phrase, .bound = VL_BALANCE_MOST_BY_LOSS, .floor = ONE,          \
        __VA_ARGS__)
#define SEALED(number, phrase, ...)                                                                \
    CASE("vl_", predict_expert_balancing, #number, phrase, balance_prediction, predict_##number,   \
         .ranks = 1, .floor = FLOOR, .sealed = 1, __VA_ARGS__)

/* What these composed functions need. */
static const char *const load_traffic[] = {"vl_load_reduce", NULL};
static const char *const balance_by_bias[] = {"vl_load_reduce", "vl_balance_bias_update", NULL};
static const char *const balance_by_loss[] = {"vl_balance_loss_backward", NULL};

#define REFUSED   N_("a bad argument is refused")
#define ODD       N_("awkward sizes")
#define ALONE     N_("one rank")
#define BACKWARDS N_("ranks in reverse order")
#define EVEN_LOAD N_("an even load")
#define ONE_ALONE N_("one expert")
#define MANY      N_("many experts")
#define ALL_RANKS N_("the scope is a global batch")
#define MICRO     N_("the scope is a micro-batch")
#define NO_TOKENS N_("no tokens here")
#define NO_COUNTS N_("nothing was counted")
#define LATE      N_("MaxVio late in a run")

static const struct vl_case cases[] = {
    SERIAL(load_add, "odd", ODD, load_chosen, .share = 0.8, .bound = ROUNDED),
    SERIAL(load_add, "bad", REFUSED, load_chosen, .share = 0.2, .bound = ROUNDED,
           .variant = VL_BAD),
    SERIAL(load_max_violation, "odd", ODD, load_counts, .share = 0.6, .bound = ROUNDED),
    SERIAL(load_max_violation, "none", NO_COUNTS, load_counts, .share = 0.2, .bound = ROUNDED,
           .variant = VL_EMPTY),
    SERIAL(load_max_violation, "bad", REFUSED, load_counts, .share = 0.2, .bound = ROUNDED,
           .variant = VL_BAD),

    BIAS("odd", ODD, .share = 0.3),
    BIAS("wide", MANY, .share = 0.15, .variant = VL_WIDE),
    BIAS("mean", N_("some have exactly the mean"), .share = 0.2, .variant = VL_MEAN),
    BIAS("near", N_("all are within one of the mean"), .share = 0.15, .variant = VL_NEAR),
    BIAS("even", EVEN_LOAD, .share = 0.1, .variant = VL_EVEN),
    BIAS("none", NO_COUNTS, .share = 0.05, .variant = VL_EMPTY),
    BIAS("one", ONE_ALONE, .share = 0.05, .variant = VL_ONE),

    REDUCE("p2", ODD, .ranks = 2, .share = 0.2),
    REDUCE("p4", ODD, .ranks = 4, .share = 0.15, .variant = VL_WIDE),
    REDUCE("p3_large", N_("counts that no float holds"), .ranks = 3, .share = 0.2,
           .variant = VL_LARGE),
    REDUCE("p5_reversed", BACKWARDS, .ranks = 5, .share = 0.15, .variant = VL_REVERSED),
    REDUCE("p3_blocking", N_("sends that wait for their receives"), .ranks = 3, .share = 0.1,
           .synchronous = 1),
    REDUCE("p8", ODD, .ranks = 8, .share = 0.1),
    REDUCE("p1", ALONE, .ranks = 1, .share = 0.05),
    REDUCE("p2_none", N_("no experts at all"), .ranks = 2, .share = 0.05, .variant = VL_EMPTY),

    SHARES("odd", ODD, .share = 0.5),
    SHARES("wide", MANY, .share = 0.3, .variant = VL_WIDE),
    SHARES("one", ONE_ALONE, .share = 0.1, .variant = VL_ONE),
    SHARES("empty", NO_TOKENS, .share = 0.1, .variant = VL_EMPTY),

    LOSS("micro", MICRO, .share = 0.3),
    LOSS("global", ALL_RANKS, .share = 0.3, .variant = VL_GLOBAL),
    LOSS("wide", MANY, .share = 0.2, .variant = VL_GLOBAL | VL_WIDE),
    LOSS("even", EVEN_LOAD, .share = 0.1, .variant = VL_EVEN),
    LOSS("elsewhere", NO_TOKENS, .share = 0.1, .variant = VL_EMPTY),

    BACKWARD("micro", MICRO, .share = 0.25),
    BACKWARD("global", ALL_RANKS, .share = 0.25, .variant = VL_GLOBAL),
    BACKWARD("wide", MANY, .share = 0.2, .variant = VL_WIDE),
    BACKWARD("even", N_("an even load has no gradient"), .share = 0.15, .variant = VL_EVEN),
    BACKWARD("one", ONE_ALONE, .share = 0.1, .variant = VL_ONE),
    BACKWARD("empty", NO_TOKENS, .share = 0.05, .variant = VL_EMPTY),

    INTERFERENCE("odd", ODD, .share = 0.3),
    INTERFERENCE("wide", N_("many numbers"), .share = 0.1, .variant = VL_WIDE),
    INTERFERENCE("opposite", N_("one against the other"), .share = 0.15, .variant = VL_OPPOSITE),
    INTERFERENCE("bias", N_("no auxiliary gradient: the bias"), .share = 0.2,
                 .variant = VL_NOTHING),
    INTERFERENCE("tiny", N_("squares that no float holds"), .share = 0.1, .variant = VL_TINY),
    INTERFERENCE("both", N_("both are zero"), .share = 0.05, .variant = VL_BOTH_ZERO),
    INTERFERENCE("bad", REFUSED, .share = 0.1, .variant = VL_BAD),

    TRAFFIC("p2", N_("one all-gather"), .ranks = 2, .share = 0.25),
    TRAFFIC("p3", ODD, .ranks = 3, .share = 0.2),
    TRAFFIC("p4", ODD, .ranks = 4, .share = 0.2),
    TRAFFIC("p5", ODD, .ranks = 5, .share = 0.15),
    TRAFFIC("p8", ODD, .ranks = 8, .share = 0.15),
    TRAFFIC("p1", N_("one rank sends nothing"), .ranks = 1, .share = 0.05),

    BY_BIAS("p1", LATE, .ranks = 1, .share = 0.2),
    BY_BIAS("p4", LATE, .ranks = 4, .share = 0.25),
    BY_BIAS("p5_reversed", BACKWARDS, .ranks = 5, .share = 0.15, .variant = VL_REVERSED),
    COURSE("p1_course", .ranks = 1, .share = 0.1),
    COURSE("p3_course", .ranks = 3, .share = 0.3),

    BY_LOSS("p4_global", ALL_RANKS, .ranks = 4, .share = 0.4, .variant = VL_GLOBAL),
    BY_LOSS("p2_micro", MICRO, .ranks = 2, .share = 0.3),
    BY_LOSS("p3_sequence", N_("the scope is a sequence"), .ranks = 3, .share = 0.3,
            .variant = VL_SEQUENCE),

    SEALED(worst_violation, N_("MaxVio where all choose the same experts"), .share = 0.35,
           .bound = 1e-9),
    SEALED(bias_steps, N_("global batches until the gap is closed"), .share = 0.35),
    SEALED(reduced_bytes, N_("bytes that one rank sends"), .share = 0.3),
};

VL_LAB_CASES(expert_balancing);
