/*
 * Lab 06's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define ONE_OPERATION 1e-5
#define WHOLE_MODEL   1e-4
#define BITS          0 /* counts, and moves of data */
#define FLOOR         1e-6

/* One case on t ranks; truth and suspects have one name. */
#define CASE(name, special, purpose, ranks, share, bound, maker, truth, variant, synchronous)      \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, ranks, share, bound, FLOOR, NULL,                 \
            vl_make_##maker, vl_truth_##truth, vl_suspects_##truth, variant, 1, synchronous        \
    }
/* On one rank alone, and nothing to add to the names. */
#define SERIAL(name, special, purpose, share, bound, maker, truth, suspects, variant)              \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, 1, share, bound, FLOOR, NULL, vl_make_##maker,    \
            vl_truth_##truth, suspects, variant, 0, 0                                              \
    }

#define PART(special, purpose, share, variant)                                                     \
    SERIAL(tensor_part, special, purpose, share, BITS, tensor_part, tensor_part, NULL, variant)
/* What is only moved keeps its bits. */
#define GATHER(name, special, purpose, ranks, share, variant)                                      \
    CASE(tensor_##name, special, purpose, ranks, share, BITS, tensor_rows, tensor_gather,          \
         (variant) | VL_TENSOR_REPLICATED, 0)
#define SUM(name, special, purpose, ranks, share, variant)                                         \
    CASE(tensor_##name, special, purpose, ranks, share, ONE_OPERATION, tensor_rows, tensor_sum,    \
         variant, 0)
#define GAIN(special, purpose, ranks, share, variant)                                              \
    CASE(tensor_gain_backward, special, purpose, ranks, share, ONE_OPERATION, tensor_gain,         \
         tensor_gain, variant, 0)
#define EMBEDDING(special, purpose, ranks, share, variant)                                         \
    CASE(tensor_embedding_forward, special, purpose, ranks, share, ONE_OPERATION, tensor_tokens,   \
         tensor_embedding, variant, 0)
#define EMBEDDING_BACK(special, purpose, ranks, share, variant)                                    \
    CASE(tensor_embedding_backward, special, purpose, ranks, share, ONE_OPERATION, tensor_tokens,  \
         tensor_embedding_backward, variant, 0)
#define LOSS(special, purpose, ranks, share, variant)                                              \
    CASE(tensor_cross_entropy_forward, special, purpose, ranks, share, ONE_OPERATION,              \
         tensor_logits, tensor_cross_entropy, variant, 0)
#define LOSS_BACK(special, purpose, ranks, share, variant)                                         \
    CASE(tensor_cross_entropy_backward, special, purpose, ranks, share, ONE_OPERATION,             \
         tensor_probs, tensor_cross_entropy_backward, variant, 0)
#define TRAFFIC(name, special, purpose, ranks, share, maker, needs, variant)                       \
    {                                                                                              \
#name "." special, #name, purpose, ranks, share, BITS, FLOOR, needs, vl_make_##maker,      \
            vl_truth_##name, vl_suspects_##name, variant, 1, 0                                     \
    }
#define MODEL(name, special, purpose, ranks, share, bound, truth, variant)                         \
    {                                                                                              \
#name "." special, #name, purpose, ranks, share, bound, FLOOR, parts,                      \
            vl_make_tensor_model, vl_truth_##truth, NULL, variant, 1, 0                            \
    }
#define SEALED(special, purpose, share, truth)                                                     \
    SERIAL(predict_tensor_parallel, special, purpose, share, BITS, tensor_prediction, truth,       \
           vl_suspects_##truth, 0)

static const char *const operators[] = {"vl_tensor_enter_forward", "vl_tensor_enter_backward",
                                        "vl_tensor_leave_forward", "vl_tensor_leave_backward",
                                        "vl_tensor_gain_backward", NULL};
static const char *const embedding[] = {"vl_tensor_embedding_forward",
                                        "vl_tensor_embedding_backward", NULL};
static const char *const loss[] = {"vl_tensor_cross_entropy_forward", NULL};

static const char *const parts[] = {"vl_tensor_part",
                                    "vl_tensor_enter_forward",
                                    "vl_tensor_enter_backward",
                                    "vl_tensor_leave_forward",
                                    "vl_tensor_leave_backward",
                                    "vl_tensor_gain_backward",
                                    "vl_tensor_embedding_forward",
                                    "vl_tensor_embedding_backward",
                                    "vl_tensor_cross_entropy_forward",
                                    "vl_tensor_cross_entropy_backward",
                                    NULL};
static const char *const model[] = {"whole_model", NULL};

#define REFUSED   N_("a bad argument is refused, by all ranks")
#define ALONE     N_("one rank")
#define ODD       N_("awkward sizes")
#define SHARED    N_("tokens are shared out too")
#define NO_TOKENS N_("no tokens at all")
#define BACKWARDS N_("ranks in reverse order")
#define RAGGED    N_("what the ranks do not divide is refused")
#define BLOCKING  N_("sends that wait for their receives")

enum {
    SEQ = VL_TENSOR_SEQUENCE,
    WIDE = VL_TENSOR_WIDE,
    BACK = VL_TENSOR_REVERSED,
    UNEVEN = VL_TENSOR_RAGGED,
    BAD = VL_TENSOR_BAD,
    PLACE = VL_TENSOR_IN_PLACE,
    EVEN = VL_TENSOR_EVEN,
    T = VL_TENSOR_RANKS
};

static const struct vl_case cases[] = {
    PART("p5", ODD, 0.5, 5 * T),
    PART("p8", ODD, 0.3, 8 * T),
    PART("p3_uneven", RAGGED, 0.2, 3 * T + UNEVEN),

    GATHER(enter_forward, "p3", N_("nothing to do"), 3, 0.1, 0),
    GATHER(enter_forward, "p2_shared", SHARED, 2, 0.25, SEQ),
    GATHER(enter_forward, "p4_shared", SHARED, 4, 0.25, SEQ + WIDE),
    GATHER(enter_forward, "p5_reversed", BACKWARDS, 5, 0.2, SEQ + BACK),
    GATHER(enter_forward, "p1_shared", ALONE, 1, 0.1, SEQ),
    GATHER(enter_forward, "p3_uneven", RAGGED, 3, 0.1, SEQ + UNEVEN),

    SUM(enter_backward, "p2", ODD, 2, 0.2, 0),
    SUM(enter_backward, "p5", ODD, 5, 0.2, WIDE),
    SUM(enter_backward, "p3_shared", SHARED, 3, 0.2, SEQ),
    SUM(enter_backward, "p4_reversed", BACKWARDS, 4, 0.2, SEQ + BACK),
    SUM(enter_backward, "p1", ALONE, 1, 0.1, 0),
    SUM(enter_backward, "p2_uneven", RAGGED, 2, 0.1, SEQ + UNEVEN),

    SUM(leave_forward, "p3", ODD, 3, 0.2, 0),
    SUM(leave_forward, "p4", ODD, 4, 0.15, WIDE),
    SUM(leave_forward, "p8", ODD, 8, 0.1, 0),
    SUM(leave_forward, "p2_shared", SHARED, 2, 0.2, SEQ),
    SUM(leave_forward, "p5_shared", SHARED, 5, 0.15, SEQ + WIDE),
    SUM(leave_forward, "p1_shared", ALONE, 1, 0.05, SEQ),
    SUM(leave_forward, "p3_empty", NO_TOKENS, 3, 0.05, VL_TENSOR_NONE),
    SUM(leave_forward, "p4_uneven", RAGGED, 4, 0.1, SEQ + UNEVEN),

    GATHER(leave_backward, "p2", N_("nothing to do"), 2, 0.15, 0),
    GATHER(leave_backward, "p3_shared", SHARED, 3, 0.3, SEQ + WIDE),
    GATHER(leave_backward, "p4_shared", SHARED, 4, 0.3, SEQ),
    GATHER(leave_backward, "p8_shared", SHARED, 8, 0.15, SEQ),
    GATHER(leave_backward, "p5_uneven", RAGGED, 5, 0.1, SEQ + UNEVEN),

    GAIN("p3_shared", SHARED, 3, 0.35, SEQ),
    GAIN("p8_shared", N_("narrower than the ranks are many"), 8, 0.25, SEQ),
    GAIN("p4", N_("whole already"), 4, 0.3, 0),
    GAIN("p1_shared", ALONE, 1, 0.1, SEQ),

    EMBEDDING("p2", ODD, 2, 0.2, 0),
    EMBEDDING("p3", ODD, 3, 0.15, WIDE),
    EMBEDDING("p4_shared", SHARED, 4, 0.2, SEQ),
    EMBEDDING("p5_reversed", BACKWARDS, 5, 0.15, SEQ + BACK),
    EMBEDDING("p8", ODD, 8, 0.1, 0),
    EMBEDDING("p1", ALONE, 1, 0.05, 0),
    EMBEDDING("p3_uneven", RAGGED, 3, 0.05, UNEVEN),
    EMBEDDING("p4_uneven", RAGGED, 4, 0.05, SEQ + UNEVEN),
    EMBEDDING("p2_bad", REFUSED, 2, 0.05, BAD),

    EMBEDDING_BACK("p2", ODD, 2, 0.2, 0),
    EMBEDDING_BACK("p3_shared", SHARED, 3, 0.25, SEQ),
    EMBEDDING_BACK("p4_shared", SHARED, 4, 0.2, SEQ + WIDE),
    EMBEDDING_BACK("p5", ODD, 5, 0.15, 0),
    EMBEDDING_BACK("p1_shared", ALONE, 1, 0.05, SEQ),
    EMBEDDING_BACK("p3_uneven", RAGGED, 3, 0.05, UNEVEN),
    EMBEDDING_BACK("p4_bad", REFUSED, 4, 0.1, SEQ + BAD),

    LOSS("p2", ODD, 2, 0.15, 0),
    LOSS("p4", ODD, 4, 0.1, WIDE),
    LOSS("p3_large", N_("logits that no exponential survives"), 3, 0.15, VL_TENSOR_LARGE),
    LOSS("p5_large", N_("large, and in place"), 5, 0.1, VL_TENSOR_LARGE + PLACE),
    LOSS("p2_in_place", N_("probs in the memory of logits"), 2, 0.1, PLACE),
    LOSS("p4_same", N_("the same losses to the last bit everywhere"), 4, 0.1,
         VL_TENSOR_SAME + WIDE),
    CASE(tensor_cross_entropy_forward, "p3_blocking", BLOCKING, 3, 0.05, ONE_OPERATION,
         tensor_logits, tensor_cross_entropy, BACK, 1),
    LOSS("p8", ODD, 8, 0.05, 0),
    LOSS("p1", ALONE, 1, 0.05, PLACE),
    LOSS("p3_uneven", RAGGED, 3, 0.05, UNEVEN),
    LOSS("p2_bad", REFUSED, 2, 0.1, BAD),

    LOSS_BACK("p2", ODD, 2, 0.3, 0),
    LOSS_BACK("p3_in_place", N_("dlogits in the memory of probs"), 3, 0.3, PLACE),
    LOSS_BACK("p5", ODD, 5, 0.2, WIDE),
    LOSS_BACK("p1", ALONE, 1, 0.1, PLACE),
    LOSS_BACK("p2_bad", REFUSED, 2, 0.1, BAD),

    MODEL(whole_model, "p2", N_("losses and gradients"), 2, 0.3, WHOLE_MODEL, tensor_model, 0),
    MODEL(whole_model, "p4", N_("losses and gradients"), 4, 0.25, WHOLE_MODEL, tensor_model, 0),
    MODEL(whole_model, "p2_shared", SHARED, 2, 0.25, WHOLE_MODEL, tensor_model, SEQ),
    MODEL(whole_model, "p3_reversed", BACKWARDS, 3, 0.2, WHOLE_MODEL, tensor_model, SEQ + BACK),

    TRAFFIC(layer_traffic, "p2", N_("bytes of each operator"), 2, 0.25, tensor_rows, operators, 0),
    TRAFFIC(layer_traffic, "p5", ODD, 5, 0.2, tensor_rows, operators, 0),
    TRAFFIC(layer_traffic, "p3_shared", N_("halves of an all-reduce"), 3, 0.25, tensor_rows,
            operators, SEQ),
    TRAFFIC(layer_traffic, "p4_shared", N_("halves of an all-reduce"), 4, 0.25, tensor_rows,
            operators, SEQ),
    TRAFFIC(layer_traffic, "p1", N_("one rank sends nothing"), 1, 0.05, tensor_rows, operators,
            SEQ),
    TRAFFIC(embedding_traffic, "p3", N_("one sum, and nothing backward"), 3, 0.5, tensor_tokens,
            embedding, WIDE),
    TRAFFIC(embedding_traffic, "p4_shared", N_("halves of an all-reduce"), 4, 0.5, tensor_tokens,
            embedding, SEQ + WIDE),
    TRAFFIC(cross_entropy_traffic, "p3", N_("three numbers a token"), 3, 0.4, tensor_logits, loss,
            EVEN + WIDE),
    TRAFFIC(cross_entropy_traffic, "p4", N_("three numbers a token"), 4, 0.4, tensor_logits, loss,
            EVEN + WIDE),
    TRAFFIC(cross_entropy_traffic, "p8", N_("three numbers a token"), 8, 0.2, tensor_logits, loss,
            EVEN + WIDE),

    MODEL(model_traffic, "p4", N_("bytes of a step"), 4, 0.5, BITS, tensor_model_bytes, 0),
    MODEL(model_traffic, "p2_shared", SHARED, 2, 0.5, BITS, tensor_model_bytes, SEQ),

    SERIAL(tensor_all_reduces, "layers", N_("some numbers of layers"), 1, BITS, tensor_cost,
           tensor_all_reduces, vl_suspects_tensor_all_reduces, 0),
    SERIAL(tensor_sent_bytes, "layers", N_("some numbers of layers"), 0.9, 1e-12, tensor_cost,
           tensor_sent_bytes, vl_suspects_tensor_sent_bytes, 0),
    SERIAL(tensor_sent_bytes, "bad_ranks", REFUSED, 0.1, 1e-12, tensor_cost, tensor_sent_bytes,
           NULL, BAD),
    SEALED("all_reduces", N_("sums in one forward and backward"), 0.3, predict_all_reduces),
    SEALED("sent_bytes", N_("bytes that one rank sends"), 0.4, predict_tensor_bytes),
    SEALED("weights_bytes", N_("bytes of weights that one rank holds"), 0.3, predict_weights_bytes),
};

static const struct vl_timing timings[] = {
    {"layer_passes.speed", "layer_passes", N_("speed on two ranks"), 1e-4, operators, 2},
    {"embedding_forward.speed", "vl_tensor_embedding_forward", N_("speed on two ranks"), 1e-4,
     embedding, 2},
    {"cross_entropy_forward.speed", "vl_tensor_cross_entropy_forward", N_("speed on two ranks"),
     1e-4, loss, 2},
    /* A small transformer with sequence parallelism: everything above is in it. */
    {"whole_model.speed", "whole_model", N_("a step of a model on two ranks"), 1e-3, model, 2},
};

const struct vl_lab_cases vl_cases_tensor_parallel = {6, cases, COUNT(cases), timings,
                                                      COUNT(timings)};
