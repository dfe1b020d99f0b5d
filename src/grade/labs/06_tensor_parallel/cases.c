/*
 * Lab 06's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"

#include "base/text.h"

#define ONE_OPERATION 1e-5
#define WHOLE_MODEL   1e-4

/* A case on one rank (ALONE), or on several whose outputs carry their rank's number: its function,
 * what is special, the maker of its inputs, its truth, its purpose, and then fields by name. What is
 * only moved or counted keeps its bits, so its bound stays zero. */
#define CASE(name, asks, maker, answer, why, ...)                                                  \
    {                                                                                              \
        .id = name, .function = asks, .purpose = why, .floor = 1e-6, .make = vl_make_##maker,      \
        .truth = vl_truth_##answer, __VA_ARGS__                                                    \
    }
#define ALONE(name, special, maker, answer, ...)                                                   \
    CASE(#name "." special, "vl_" #name, maker, answer, __VA_ARGS__, .ranks = 1)
#define RANKED(name, special, maker, answer, ...)                                                  \
    CASE("tensor_" #name "." special, "vl_tensor_" #name, maker, answer, __VA_ARGS__, .per_rank = 1)
#define NEAR(name, special, maker, answer, ...)                                                    \
    RANKED(name, special, maker, answer, __VA_ARGS__, .bound = ONE_OPERATION)
#define COMPOSED(name, special, maker, answer, ...)                                                \
    CASE(#name "." special, #name, maker, answer, __VA_ARGS__, .per_rank = 1)

#define PART(special, ...)         ALONE(tensor_part, special, tensor_part, tensor_part, __VA_ARGS__)
#define GATHER(name, special, ...) RANKED(name, special, tensor_rows, tensor_gather, __VA_ARGS__)
#define SUM(name, special, ...)    NEAR(name, special, tensor_rows, tensor_sum, __VA_ARGS__)
#define GAIN(special, ...)         NEAR(gain_backward, special, tensor_gain, tensor_gain, __VA_ARGS__)
#define EMBEDDING(special, ...)                                                                    \
    NEAR(embedding_forward, special, tensor_tokens, tensor_embedding, __VA_ARGS__)
#define EMBEDDING_BACK(special, ...)                                                               \
    NEAR(embedding_backward, special, tensor_tokens, tensor_embedding_backward, __VA_ARGS__)
#define LOSS(special, ...)                                                                         \
    NEAR(cross_entropy_forward, special, tensor_logits, tensor_cross_entropy, __VA_ARGS__)
#define LOSS_BACK(special, ...)                                                                    \
    NEAR(cross_entropy_backward, special, tensor_probs, tensor_cross_entropy_backward, __VA_ARGS__)
#define LAYER_TRAFFIC(special, ...)                                                                \
    COMPOSED(layer_traffic, special, tensor_rows, layer_traffic, __VA_ARGS__, .needs = operators)
#define TABLE_TRAFFIC(special, ...)                                                                \
    COMPOSED(embedding_traffic, special, tensor_tokens, embedding_traffic, __VA_ARGS__,            \
             .needs = embedding)
#define LOSS_TRAFFIC(special, ...)                                                                 \
    COMPOSED(cross_entropy_traffic, special, tensor_logits, cross_entropy_traffic, __VA_ARGS__,    \
             .needs = loss, .variant = VL_EVEN | VL_WIDE)
#define MODEL(special, ...)                                                                        \
    COMPOSED(whole_model, special, tensor_model, tensor_model, __VA_ARGS__, .needs = parts,        \
             .bound = WHOLE_MODEL)
#define MODEL_TRAFFIC(special, ...)                                                                \
    COMPOSED(model_traffic, special, tensor_model, tensor_model_bytes, __VA_ARGS__, .needs = parts)
#define PAPER(name, special, ...) ALONE(name, special, tensor_cost, name, __VA_ARGS__)
#define SEALED(special, answer, ...)                                                               \
    ALONE(predict_tensor_parallel, special, tensor_prediction, answer, __VA_ARGS__, .sealed = 1)
#define TIMING(name, asks, why, ...)                                                               \
    {                                                                                              \
        .id = #name ".speed", .function = asks, .purpose = why, .ranks = 2, __VA_ARGS__            \
    }

#define OPERATORS                                                                                  \
    "vl_tensor_enter_forward", "vl_tensor_enter_backward", "vl_tensor_leave_forward",              \
        "vl_tensor_leave_backward", "vl_tensor_gain_backward"
#define TABLE "vl_tensor_embedding_forward", "vl_tensor_embedding_backward"
static const char *const operators[] = {OPERATORS, NULL};
static const char *const embedding[] = {TABLE, NULL};
static const char *const loss[] = {"vl_tensor_cross_entropy_forward", NULL};
static const char *const parts[] = {"vl_tensor_part",
                                    OPERATORS,
                                    TABLE,
                                    "vl_tensor_cross_entropy_forward",
                                    "vl_tensor_cross_entropy_backward",
                                    NULL};
static const char *const model[] = {"whole_model", NULL};

#define REFUSED   N_("a bad argument is refused, by all ranks")
#define ONE       N_("one rank")
#define ODD       N_("awkward sizes")
#define SHARED    N_("tokens are shared out too")
#define NO_TOKENS N_("no tokens at all")
#define BACKWARDS N_("ranks in reverse order")
#define RAGGED    N_("what the ranks do not divide is refused")
#define BLOCKING  N_("sends that wait for their receives")

static const struct vl_case cases[] = {
    PART("p5", ODD, .share = 0.5, .variant = VL_ASKED(5)),
    PART("p8", ODD, .share = 0.3, .variant = VL_ASKED(8)),
    PART("p3_uneven", RAGGED, .share = 0.2, .variant = VL_ASKED(3) | VL_RAGGED),

    GATHER(enter_forward, "p3", N_("nothing to do"), .ranks = 3, .share = 0.1,
           .variant = VL_REPLICATED),
    GATHER(enter_forward, "p2_shared", SHARED, .ranks = 2, .share = 0.25, .variant = VL_SEQUENCE),
    GATHER(enter_forward, "p4_shared", SHARED, .ranks = 4, .share = 0.25,
           .variant = VL_SEQUENCE | VL_WIDE),
    GATHER(enter_forward, "p5_reversed", BACKWARDS, .ranks = 5, .share = 0.2,
           .variant = VL_SEQUENCE | VL_REVERSED),
    GATHER(enter_forward, "p1_shared", ONE, .ranks = 1, .share = 0.1, .variant = VL_SEQUENCE),
    GATHER(enter_forward, "p3_uneven", RAGGED, .ranks = 3, .share = 0.1,
           .variant = VL_SEQUENCE | VL_RAGGED),

    SUM(enter_backward, "p2", ODD, .ranks = 2, .share = 0.2),
    SUM(enter_backward, "p5", ODD, .ranks = 5, .share = 0.2, .variant = VL_WIDE),
    SUM(enter_backward, "p3_shared", SHARED, .ranks = 3, .share = 0.2, .variant = VL_SEQUENCE),
    SUM(enter_backward, "p4_reversed", BACKWARDS, .ranks = 4, .share = 0.2,
        .variant = VL_SEQUENCE | VL_REVERSED),
    SUM(enter_backward, "p1", ONE, .ranks = 1, .share = 0.1),
    SUM(enter_backward, "p2_uneven", RAGGED, .ranks = 2, .share = 0.1,
        .variant = VL_SEQUENCE | VL_RAGGED),

    SUM(leave_forward, "p3", ODD, .ranks = 3, .share = 0.2),
    SUM(leave_forward, "p4", ODD, .ranks = 4, .share = 0.15, .variant = VL_WIDE),
    SUM(leave_forward, "p8", ODD, .ranks = 8, .share = 0.1),
    SUM(leave_forward, "p2_shared", SHARED, .ranks = 2, .share = 0.2, .variant = VL_SEQUENCE),
    SUM(leave_forward, "p5_shared", SHARED, .ranks = 5, .share = 0.15,
        .variant = VL_SEQUENCE | VL_WIDE),
    SUM(leave_forward, "p1_shared", ONE, .ranks = 1, .share = 0.05, .variant = VL_SEQUENCE),
    SUM(leave_forward, "p3_empty", NO_TOKENS, .ranks = 3, .share = 0.05, .variant = VL_NO_TOKENS),
    SUM(leave_forward, "p4_uneven", RAGGED, .ranks = 4, .share = 0.1,
        .variant = VL_SEQUENCE | VL_RAGGED),

    GATHER(leave_backward, "p2", N_("nothing to do"), .ranks = 2, .share = 0.15,
           .variant = VL_REPLICATED),
    GATHER(leave_backward, "p3_shared", SHARED, .ranks = 3, .share = 0.3,
           .variant = VL_SEQUENCE | VL_WIDE),
    GATHER(leave_backward, "p4_shared", SHARED, .ranks = 4, .share = 0.3, .variant = VL_SEQUENCE),
    GATHER(leave_backward, "p8_shared", SHARED, .ranks = 8, .share = 0.15, .variant = VL_SEQUENCE),
    GATHER(leave_backward, "p5_uneven", RAGGED, .ranks = 5, .share = 0.1,
           .variant = VL_SEQUENCE | VL_RAGGED),

    GAIN("p3_shared", SHARED, .ranks = 3, .share = 0.35, .variant = VL_SEQUENCE),
    GAIN("p8_shared", N_("narrower than the ranks are many"), .ranks = 8, .share = 0.25,
         .variant = VL_SEQUENCE),
    GAIN("p4", N_("whole already"), .ranks = 4, .share = 0.3),
    GAIN("p1_shared", ONE, .ranks = 1, .share = 0.1, .variant = VL_SEQUENCE),

    EMBEDDING("p2", ODD, .ranks = 2, .share = 0.2),
    EMBEDDING("p3", ODD, .ranks = 3, .share = 0.15, .variant = VL_WIDE),
    EMBEDDING("p4_shared", SHARED, .ranks = 4, .share = 0.2, .variant = VL_SEQUENCE),
    EMBEDDING("p5_reversed", BACKWARDS, .ranks = 5, .share = 0.15,
              .variant = VL_SEQUENCE | VL_REVERSED),
    EMBEDDING("p8", ODD, .ranks = 8, .share = 0.1),
    EMBEDDING("p1", ONE, .ranks = 1, .share = 0.05),
    EMBEDDING("p3_uneven", RAGGED, .ranks = 3, .share = 0.05, .variant = VL_RAGGED),
    EMBEDDING("p4_uneven", RAGGED, .ranks = 4, .share = 0.05, .variant = VL_SEQUENCE | VL_RAGGED),
    EMBEDDING("p2_bad", REFUSED, .ranks = 2, .share = 0.05, .variant = VL_BAD),

    EMBEDDING_BACK("p2", ODD, .ranks = 2, .share = 0.2),
    EMBEDDING_BACK("p3_shared", SHARED, .ranks = 3, .share = 0.25, .variant = VL_SEQUENCE),
    EMBEDDING_BACK("p4_shared", SHARED, .ranks = 4, .share = 0.2, .variant = VL_SEQUENCE | VL_WIDE),
    EMBEDDING_BACK("p5", ODD, .ranks = 5, .share = 0.15),
    EMBEDDING_BACK("p1_shared", ONE, .ranks = 1, .share = 0.05, .variant = VL_SEQUENCE),
    EMBEDDING_BACK("p3_uneven", RAGGED, .ranks = 3, .share = 0.05, .variant = VL_RAGGED),
    EMBEDDING_BACK("p4_bad", REFUSED, .ranks = 4, .share = 0.1, .variant = VL_SEQUENCE | VL_BAD),

    LOSS("p2", ODD, .ranks = 2, .share = 0.15),
    LOSS("p4", ODD, .ranks = 4, .share = 0.1, .variant = VL_WIDE),
    LOSS("p3_large", N_("logits that no exponential survives"), .ranks = 3, .share = 0.15,
         .variant = VL_LARGE),
    LOSS("p5_large", N_("large, and in place"), .ranks = 5, .share = 0.1,
         .variant = VL_LARGE | VL_IN_PLACE),
    LOSS("p2_in_place", N_("probs in the memory of logits"), .ranks = 2, .share = 0.1,
         .variant = VL_IN_PLACE),
    LOSS("p4_same", N_("the same losses to the last bit everywhere"), .ranks = 4, .share = 0.1,
         .variant = VL_SAME_BITS | VL_WIDE),
    LOSS("p3_blocking", BLOCKING, .ranks = 3, .share = 0.05, .variant = VL_REVERSED,
         .synchronous = 1),
    LOSS("p8", ODD, .ranks = 8, .share = 0.05),
    LOSS("p1", ONE, .ranks = 1, .share = 0.05, .variant = VL_IN_PLACE),
    LOSS("p3_uneven", RAGGED, .ranks = 3, .share = 0.05, .variant = VL_RAGGED),
    LOSS("p2_bad", REFUSED, .ranks = 2, .share = 0.1, .variant = VL_BAD),

    LOSS_BACK("p2", ODD, .ranks = 2, .share = 0.3),
    LOSS_BACK("p3_in_place", N_("dlogits in the memory of probs"), .ranks = 3, .share = 0.3,
              .variant = VL_IN_PLACE),
    LOSS_BACK("p5", ODD, .ranks = 5, .share = 0.2, .variant = VL_WIDE),
    LOSS_BACK("p1", ONE, .ranks = 1, .share = 0.1, .variant = VL_IN_PLACE),
    LOSS_BACK("p2_bad", REFUSED, .ranks = 2, .share = 0.1, .variant = VL_BAD),

    MODEL("p2", N_("losses and gradients"), .ranks = 2, .share = 0.3),
    MODEL("p4", N_("losses and gradients"), .ranks = 4, .share = 0.25),
    MODEL("p2_shared", SHARED, .ranks = 2, .share = 0.25, .variant = VL_SEQUENCE),
    MODEL("p3_reversed", BACKWARDS, .ranks = 3, .share = 0.2, .variant = VL_SEQUENCE | VL_REVERSED),

    LAYER_TRAFFIC("p2", N_("bytes of each operator"), .ranks = 2, .share = 0.25),
    LAYER_TRAFFIC("p5", ODD, .ranks = 5, .share = 0.2),
    LAYER_TRAFFIC("p3_shared", N_("halves of an all-reduce"), .ranks = 3, .share = 0.25,
                  .variant = VL_SEQUENCE),
    LAYER_TRAFFIC("p4_shared", N_("halves of an all-reduce"), .ranks = 4, .share = 0.25,
                  .variant = VL_SEQUENCE),
    LAYER_TRAFFIC("p1", N_("one rank sends nothing"), .ranks = 1, .share = 0.05,
                  .variant = VL_SEQUENCE),
    TABLE_TRAFFIC("p3", N_("one sum, and nothing backward"), .ranks = 3, .share = 0.5,
                  .variant = VL_WIDE),
    TABLE_TRAFFIC("p4_shared", N_("halves of an all-reduce"), .ranks = 4, .share = 0.5,
                  .variant = VL_SEQUENCE | VL_WIDE),
    LOSS_TRAFFIC("p3", N_("three numbers a token"), .ranks = 3, .share = 0.4),
    LOSS_TRAFFIC("p4", N_("three numbers a token"), .ranks = 4, .share = 0.4),
    LOSS_TRAFFIC("p8", N_("three numbers a token"), .ranks = 8, .share = 0.2),

    MODEL_TRAFFIC("p4", N_("bytes of a step"), .ranks = 4, .share = 0.5),
    MODEL_TRAFFIC("p2_shared", SHARED, .ranks = 2, .share = 0.5, .variant = VL_SEQUENCE),

    PAPER(tensor_all_reduces, "layers", N_("some numbers of layers"), .share = 1),
    PAPER(tensor_sent_bytes, "layers", N_("some numbers of layers"), .share = 0.9, .bound = 1e-12),
    PAPER(tensor_sent_bytes, "bad_ranks", REFUSED, .share = 0.1, .bound = 1e-12, .variant = VL_BAD),
    SEALED("all_reduces", predict_all_reduces, N_("sums in one forward and backward"),
           .share = 0.3),
    SEALED("sent_bytes", predict_tensor_bytes, N_("bytes that one rank sends"), .share = 0.4),
    SEALED("weights_bytes", predict_weights_bytes, N_("bytes of weights that one rank holds"),
           .share = 0.3),
};

#define SPEED N_("speed on two ranks")

static const struct vl_timing timings[] = {
    TIMING(layer_passes, "layer_passes", SPEED, .bound = 1e-4, .needs = operators),
    TIMING(embedding_forward, "vl_tensor_embedding_forward", SPEED, .bound = 1e-4,
           .needs = embedding),
    TIMING(cross_entropy_forward, "vl_tensor_cross_entropy_forward", SPEED, .bound = 1e-4,
           .needs = loss),
    /* A small transformer with sequence parallelism: everything above is in it. */
    TIMING(whole_model, "whole_model", N_("a step of a model on two ranks"), .bound = 1e-3,
           .needs = model),
};

VL_TIMED_LAB_CASES(tensor_parallel);
