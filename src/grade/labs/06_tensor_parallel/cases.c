/*
 * Lab 06's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

#define ONE_OPERATION 1e-5
#define WHOLE_MODEL   1e-4 /* a gradient goes through some sixty operations */
#define BOOKKEEPING   1e-2 /* that of the engine, in its arena */

/* On one rank (ALONE), or on several whose outputs carry their rank's number. What is only moved or
 * counted keeps its bits: its bound stays zero. */
#define CASE(...) VL_CASE(__VA_ARGS__, .floor = 1e-6)
#define ALONE(name, maker, answer, ...)                                                            \
    CASE(#name, "vl_" #name, maker, answer, __VA_ARGS__, .ranks = 1)
#define RANKED(name, maker, answer, ...)                                                           \
    CASE("tensor_" #name, "vl_tensor_" #name, maker, answer, __VA_ARGS__, .per_rank = 1,           \
         .part = vl_part_tensor_parallel)
#define NEAR(name, maker, answer, ...)                                                             \
    RANKED(name, maker, answer, __VA_ARGS__, .bound = ONE_OPERATION)
#define COMPOSED(name, maker, answer, ...)                                                         \
    CASE(#name, #name, maker, answer, __VA_ARGS__, .per_rank = 1, .part = vl_part_tensor_parallel)

#define PART(...)         ALONE(tensor_part, tensor_part, tensor_part, __VA_ARGS__)
#define GATHER(name, ...) RANKED(name, tensor_rows, tensor_gather, __VA_ARGS__)
#define SUM(name, ...)    NEAR(name, tensor_rows, tensor_sum, __VA_ARGS__)
#define GAIN(...)         NEAR(gain_backward, tensor_gain, tensor_gain, __VA_ARGS__)
#define KEPT_ROWS(...)    ALONE(tensor_kept_rows, tensor_part, tensor_kept_rows, __VA_ARGS__)
#define INPUT(name, ...)                                                                           \
    RANKED(input_##name, tensor_input, tensor_input_##name, __VA_ARGS__, .uses = entering)
#define EMBEDDING(...)                                                                             \
    NEAR(embedding_forward, tensor_tokens, tensor_embedding, __VA_ARGS__, .uses = leaving)
#define EMBEDDING_BACK(...)                                                                        \
    NEAR(embedding_backward, tensor_tokens, tensor_embedding_backward, __VA_ARGS__,                \
         .uses = leaving_backward)
#define LOSS(...) NEAR(cross_entropy_forward, tensor_logits, tensor_cross_entropy, __VA_ARGS__)
#define LOSS_BACK(...)                                                                             \
    NEAR(cross_entropy_backward, tensor_probs, tensor_cross_entropy_backward, __VA_ARGS__)
#define LAYER_TRAFFIC(...)                                                                         \
    COMPOSED(layer_traffic, tensor_rows, layer_traffic, __VA_ARGS__, .needs = operators)
#define TABLE_TRAFFIC(...)                                                                         \
    COMPOSED(embedding_traffic, tensor_tokens, embedding_traffic, __VA_ARGS__, .needs = embedding)
#define LOSS_TRAFFIC(...)                                                                          \
    COMPOSED(cross_entropy_traffic, tensor_logits, cross_entropy_traffic, __VA_ARGS__,             \
             .needs = loss)
#define MODEL(...)                                                                                 \
    COMPOSED(whole_model, tensor_model, tensor_model, __VA_ARGS__, .bound = WHOLE_MODEL)
#define MODEL_TRAFFIC(...) COMPOSED(model_traffic, tensor_model, tensor_model_bytes, __VA_ARGS__)
#define MODEL_MEMORY(what, ...)                                                                    \
    COMPOSED(model_memory, tensor_memory, memory_##what, __VA_ARGS__, .needs = kept)
#define PAPER(name, ...) ALONE(name, tensor_cost, name, __VA_ARGS__)
#define SEALED(answer, ...)                                                                        \
    ALONE(predict_tensor_parallel, shapes, predict_##answer, __VA_ARGS__, .sealed = 1)
#define TIMING(name, asks, why, ...)                                                               \
    {                                                                                              \
        .id = #name ".speed", .function = asks, .purpose = why, .ranks = 2, __VA_ARGS__            \
    }

#define OPERATORS                                                                                  \
    "vl_tensor_enter_forward", "vl_tensor_enter_backward", "vl_tensor_leave_forward",              \
        "vl_tensor_leave_backward", "vl_tensor_gain_backward"
#define TABLE   "vl_tensor_embedding_forward", "vl_tensor_embedding_backward"
#define ENTROPY "vl_tensor_cross_entropy_forward", "vl_tensor_cross_entropy_backward"
static const char *const operators[] = {OPERATORS, NULL};
static const char *const entering[] = {"vl_tensor_enter_forward", NULL};
static const char *const leaving[] = {"vl_tensor_leave_forward", NULL};
static const char *const leaving_backward[] = {"vl_tensor_leave_backward", NULL};
static const char *const embedding[] = {TABLE, NULL};
static const char *const loss[] = {"vl_tensor_cross_entropy_forward", NULL};
#define INPUTS "vl_tensor_kept_rows", "vl_tensor_input_forward", "vl_tensor_input_backward"
static const char *const parts[] = {"vl_tensor_part", OPERATORS, TABLE, ENTROPY, NULL};
static const char *const all[] = {"vl_tensor_part", OPERATORS, INPUTS, TABLE, ENTROPY, NULL};
static const char *const kept[] = {"vl_tensor_part", "vl_tensor_kept_rows", NULL};
static const char *const model[] = {"whole_model", NULL};

/* What is special: the end of the case's id, in words, the ranks, and the variant. */
#define ON(p, special, why, flags) "p" #p special, why, .ranks = p, .variant = (flags)

#define ODD(p)              ON(p, "", N_("awkward sizes"), 0)
#define WIDE(p)             ON(p, "", N_("awkward sizes"), VL_WIDE)
#define TOKENS(p, flags)    ON(p, "_shared", N_("tokens are shared out too"), flags)
#define SHARED(p)           TOKENS(p, VL_SEQUENCE)
#define SHARED_WIDE(p)      TOKENS(p, VL_SEQUENCE | VL_NONZERO | VL_WIDE)
#define ONE(special, flags) ON(1, special, N_("one rank"), flags)
#define EMPTY(p)            ON(p, "_empty", N_("no tokens at all"), VL_NO_TOKENS)
#define LAYERS              "layers", N_("some numbers of layers")
#define WORLD               "large", N_("real-world sizes")
#define NO_RANKS            "bad_ranks", N_("a bad argument is refused, by all ranks"), .variant = VL_BAD
#define ONE_RANK            "one_rank", N_("one rank"), .variant = VL_ALONE

#define REVERSED(p)                                                                                \
    ON(p, "_reversed", N_("ranks in reverse order"), VL_SEQUENCE | VL_NONZERO | VL_REVERSED)
/* Another replica calls the same functions with other numbers. */
#define GROUPS(flags) ON(4, "_groups", N_("two groups of ranks side by side"), VL_GROUPS | flags)
#define UNEVEN(p, flags)                                                                           \
    ON(p, "_uneven", N_("sizes that do not split evenly over the ranks are refused"),              \
       VL_RAGGED | flags)
#define BAD(p, flags) ON(p, "_bad", N_("a bad argument is refused, by all ranks"), VL_BAD | flags)

static const struct vl_case cases[] = {
    PART("p5", N_("awkward sizes"), .share = 0.5, .variant = VL_ASKED(5)),
    PART("p8", N_("awkward sizes"), .share = 0.3, .variant = VL_ASKED(8)),
    PART("p3_uneven", N_("sizes that do not split evenly over the ranks are refused"), .share = 0.2,
         .variant = VL_ASKED(3) | VL_RAGGED),

    GATHER(enter_forward, ON(3, "", N_("nothing to do"), VL_REPLICATED), .share = 0.1),
    GATHER(enter_forward, SHARED(2), .share = 0.25),
    GATHER(enter_forward, SHARED_WIDE(4), .share = 0.2),
    GATHER(enter_forward, REVERSED(5), .share = 0.2),
    GATHER(enter_forward, ONE("_shared", VL_SEQUENCE), .share = 0.1),
    GATHER(enter_forward, EMPTY(2), .share = 0.05),
    GATHER(enter_forward, UNEVEN(3, VL_SEQUENCE), .share = 0.1),

    SUM(enter_backward, ODD(2), .share = 0.2),
    SUM(enter_backward, WIDE(5), .share = 0.2),
    SUM(enter_backward, SHARED(3), .share = 0.2),
    SUM(enter_backward, REVERSED(4), .share = 0.2),
    SUM(enter_backward, ONE("", 0), .share = 0.05),
    SUM(enter_backward, EMPTY(2), .share = 0.05),
    SUM(enter_backward, UNEVEN(2, VL_SEQUENCE), .share = 0.1),

    SUM(leave_forward, ODD(3), .share = 0.2),
    SUM(leave_forward, WIDE(4), .share = 0.15),
    SUM(leave_forward, ODD(8), .share = 0.1),
    SUM(leave_forward, GROUPS(0), .share = 0.05),
    SUM(leave_forward, SHARED(2), .share = 0.15),
    SUM(leave_forward, SHARED_WIDE(5), .share = 0.15),
    SUM(leave_forward, ONE("_shared", VL_SEQUENCE), .share = 0.05),
    SUM(leave_forward, EMPTY(3), .share = 0.05),
    SUM(leave_forward, UNEVEN(4, VL_SEQUENCE), .share = 0.1),

    GATHER(leave_backward, ON(2, "", N_("nothing to do"), VL_REPLICATED), .share = 0.15),
    GATHER(leave_backward, SHARED_WIDE(3), .share = 0.3),
    GATHER(leave_backward, SHARED(4), .share = 0.3),
    GATHER(leave_backward, SHARED(8), .share = 0.1),
    GATHER(leave_backward, EMPTY(3), .share = 0.05),
    GATHER(leave_backward, UNEVEN(5, VL_SEQUENCE), .share = 0.1),

    GAIN(SHARED(3), .share = 0.3),
    GAIN(ON(8, "_shared", N_("fewer columns than ranks"), VL_SEQUENCE | VL_NONZERO), .share = 0.2),
    GAIN(GROUPS(VL_SEQUENCE), .share = 0.1),
    GAIN(ON(4, "", N_("whole already"), 0), .share = 0.3),
    GAIN(ONE("_shared", VL_SEQUENCE), .share = 0.1),

    KEPT_ROWS("p4_shared", N_("tokens are shared out too"), .share = 0.5,
              .variant = VL_SEQUENCE | VL_NONZERO | VL_ASKED(4)),
    KEPT_ROWS("p3", N_("whole on every rank"), .share = 0.3, .variant = VL_ASKED(3)),
    KEPT_ROWS("p5_uneven", N_("sizes that do not split evenly over the ranks are refused"),
              .share = 0.2, .variant = VL_SEQUENCE | VL_RAGGED | VL_ASKED(5)),

    INPUT(forward, SHARED(2), .share = 0.25),
    INPUT(forward, SHARED_WIDE(3), .share = 0.25),
    INPUT(forward, REVERSED(5), .share = 0.2),
    INPUT(forward, ON(3, "", N_("whole on every rank"), VL_REPLICATED), .share = 0.1),
    INPUT(forward, ONE("_shared", VL_SEQUENCE), .share = 0.05),
    INPUT(forward, EMPTY(2), .share = 0.05),
    INPUT(forward, UNEVEN(4, VL_SEQUENCE), .share = 0.1),

    INPUT(backward, SHARED(3), .share = 0.25),
    INPUT(backward, SHARED_WIDE(2), .share = 0.25),
    INPUT(backward, REVERSED(4), .share = 0.2),
    INPUT(backward, ON(2, "", N_("whole on every rank"), VL_REPLICATED), .share = 0.1),
    INPUT(backward, ONE("_shared", VL_SEQUENCE), .share = 0.05),
    INPUT(backward, EMPTY(3), .share = 0.05),
    INPUT(backward, UNEVEN(3, VL_SEQUENCE), .share = 0.1),

    EMBEDDING(ODD(2), .share = 0.15),
    EMBEDDING(ON(3, "", N_("awkward sizes"), VL_WIDE | VL_BROAD), .share = 0.15),
    EMBEDDING(SHARED(4), .share = 0.2),
    EMBEDDING(REVERSED(5), .share = 0.15),
    EMBEDDING(ODD(8), .share = 0.1),
    EMBEDDING(ONE("", 0), .share = 0.05),
    EMBEDDING(EMPTY(2), .share = 0.05),
    EMBEDDING(UNEVEN(3, 0), .share = 0.05),
    EMBEDDING(UNEVEN(4, VL_SEQUENCE), .share = 0.05),
    EMBEDDING(BAD(2, 0), .share = 0.05),

    EMBEDDING_BACK(ODD(2), .share = 0.2),
    EMBEDDING_BACK(SHARED(3), .share = 0.25),
    EMBEDDING_BACK(SHARED_WIDE(4), .share = 0.2),
    EMBEDDING_BACK(ODD(5), .share = 0.15),
    EMBEDDING_BACK(ONE("_shared", VL_SEQUENCE), .share = 0.05),
    EMBEDDING_BACK(EMPTY(3), .share = 0.03),
    EMBEDDING_BACK(UNEVEN(3, 0), .share = 0.04),
    EMBEDDING_BACK(UNEVEN(4, VL_SEQUENCE), .share = 0.04),
    EMBEDDING_BACK(BAD(4, VL_SEQUENCE), .share = 0.04),

    LOSS(ODD(2), .share = 0.15),
    LOSS(WIDE(4), .share = 0.1),
    LOSS(ON(3, "_large", N_("logits whose exponentials overflow"), VL_LARGE), .share = 0.15),
    LOSS(ON(5, "_large", N_("large, and in place"), VL_LARGE | VL_IN_PLACE), .share = 0.1),
    LOSS(ON(2, "_in_place", N_("probs in the memory of logits"), VL_IN_PLACE), .share = 0.1),
    LOSS(ON(4, "_same", N_("the same losses to the last bit everywhere"), VL_SAME_BITS | VL_WIDE),
         .share = 0.1),
    LOSS(ON(3, "_blocking", N_("sends that wait for their receives"), VL_REVERSED), .share = 0.05,
         .synchronous = 1),
    LOSS(ODD(8), .share = 0.05),
    LOSS(GROUPS(0), .share = 0.04),
    LOSS(ONE("", VL_IN_PLACE), .share = 0.04),
    LOSS(EMPTY(3), .share = 0.03),
    LOSS(UNEVEN(3, 0), .share = 0.04),
    LOSS(BAD(2, 0), .share = 0.05),

    LOSS_BACK(ODD(2), .share = 0.3),
    LOSS_BACK(ON(3, "_in_place", N_("dlogits in the memory of probs"), VL_IN_PLACE), .share = 0.25),
    LOSS_BACK(WIDE(5), .share = 0.2),
    LOSS_BACK(ONE("", VL_IN_PLACE), .share = 0.1),
    LOSS_BACK(EMPTY(2), .share = 0.05),
    LOSS_BACK(UNEVEN(3, 0), .share = 0.05),
    LOSS_BACK(BAD(2, 0), .share = 0.05),

    MODEL(ON(2, "", N_("losses and gradients"), 0), .share = 0.3, .needs = parts),
    MODEL(ON(4, "", N_("losses and gradients"), 0), .share = 0.25, .needs = parts),
    MODEL(SHARED(2), .share = 0.25, .needs = all),
    MODEL(REVERSED(3), .share = 0.2, .needs = all),

    LAYER_TRAFFIC(ON(2, "", N_("bytes of each operator"), 0), .share = 0.25),
    LAYER_TRAFFIC(ODD(5), .share = 0.2),
    LAYER_TRAFFIC(ON(3, "_shared", N_("halves of an all-reduce"), VL_SEQUENCE), .share = 0.25),
    LAYER_TRAFFIC(ON(4, "_shared", N_("halves of an all-reduce"), VL_SEQUENCE), .share = 0.25),
    LAYER_TRAFFIC(ON(1, "", N_("one rank sends nothing"), VL_SEQUENCE), .share = 0.05),
    TABLE_TRAFFIC(ON(3, "", N_("one sum, and nothing backward"), VL_WIDE), .share = 0.5),
    TABLE_TRAFFIC(ON(4, "_shared", N_("halves of an all-reduce"), VL_SEQUENCE | VL_WIDE),
                  .share = 0.5),
    LOSS_TRAFFIC(ON(3, "", N_("three numbers per token"), VL_EVEN | VL_WIDE), .share = 0.4),
    LOSS_TRAFFIC(ON(4, "", N_("three numbers per token"), VL_EVEN | VL_WIDE), .share = 0.4),
    LOSS_TRAFFIC(ON(8, "", N_("three numbers per token"), VL_EVEN | VL_WIDE), .share = 0.2),

    MODEL_TRAFFIC(ON(4, "", N_("bytes of a step"), 0), .share = 0.4, .needs = parts),
    MODEL_TRAFFIC(SHARED(2), .share = 0.3, .needs = all),
    MODEL_TRAFFIC(SHARED(3), .share = 0.3, .needs = all),

    MODEL_MEMORY(kept, ON(2, "_kept", N_("bytes kept for backward"), VL_SEQUENCE), .share = 0.4),
    MODEL_MEMORY(kept, ON(3, "_kept", N_("bytes kept for backward"), VL_SEQUENCE), .share = 0.3),
    MODEL_MEMORY(arena, ON(4, "_peak", N_("memory that sharing the tokens saves"), VL_SEQUENCE),
                 .share = 0.3, .bound = BOOKKEEPING),

    PAPER(tensor_all_reduces, LAYERS, .share = 1),
    PAPER(tensor_sent_bytes, LAYERS, .share = 0.5, .bound = 1e-12),
    PAPER(tensor_sent_bytes, WORLD, .share = 0.3, .bound = 1e-12, .variant = VL_LARGE),
    PAPER(tensor_sent_bytes, ONE_RANK, .share = 0.1, .bound = 1e-12),
    PAPER(tensor_sent_bytes, NO_RANKS, .share = 0.1, .bound = 1e-12),
    PAPER(tensor_again_bytes, LAYERS, .share = 0.5),
    PAPER(tensor_again_bytes, WORLD, .share = 0.3, .variant = VL_LARGE),
    PAPER(tensor_again_bytes, ONE_RANK, .share = 0.1),
    PAPER(tensor_again_bytes, NO_RANKS, .share = 0.1),
    PAPER(tensor_kept_bytes, LAYERS, .share = 0.5, .variant = VL_EVEN),
    PAPER(tensor_kept_bytes, "ragged", N_("tokens that do not split evenly over the ranks"),
          .share = 0.1, .variant = VL_RAGGED),
    PAPER(tensor_kept_bytes, WORLD, .share = 0.2, .variant = VL_LARGE | VL_EVEN),
    PAPER(tensor_kept_bytes, ONE_RANK, .share = 0.1),
    PAPER(tensor_kept_bytes, NO_RANKS, .share = 0.1),
    SEALED(all_reduces, "all_reduces", N_("sums in one forward and backward"), .share = 0.3),
    SEALED(tensor_bytes, "sent_bytes", N_("bytes that one rank sends"), .share = 0.4),
    SEALED(weights_bytes, "weights_bytes", N_("bytes of weights that one rank holds"),
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
           .needs = model, .steps = true),
};

VL_TIMED_LAB_CASES(tensor_parallel);
