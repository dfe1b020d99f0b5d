/*
 * Lab 04's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/04_zero/zero.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define ONE_OPERATION 1e-5
#define CLOSE         1e-12 /* sums in float64, in whatever order */
#define BITS          0     /* counts, moves of data, and sums whose order is promised */
#define FLOOR         1e-6

/* One case on P ranks: function, what is special, purpose, ranks, share, bound, maker, truth (and
 * suspects of that name), what it needs, variant. */
#define CASE(name, special, purpose, ranks, share, bound, maker, truth, needs, variant)            \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, ranks, share, bound, FLOOR, needs,                \
            vl_make_##maker, vl_truth_##truth, vl_suspects_##truth, variant, 1, 0                  \
    }
/* The same, on one rank alone, and nothing to add to the names. */
#define SERIAL(name, special, purpose, share, bound, maker, truth, suspects, variant)              \
    {                                                                                              \
#name "." special, "vl_" #name, purpose, 1, share, bound, FLOOR, NULL, vl_make_##maker,    \
            vl_truth_##truth, suspects, variant, 0, 0                                              \
    }

#define PLAN(special, purpose, share, variant)                                                     \
    SERIAL(zero_plan, special, purpose, share, BITS, zero_plan, zero_plan, vl_suspects_zero_plan,  \
           variant)
#define NORM(special, purpose, ranks, share, bound, variant)                                       \
    CASE(zero_norm, special, purpose, ranks, share, bound, zero_update, zero_norm, NULL, variant)
#define UPDATE(special, purpose, ranks, share, variant)                                            \
    CASE(zero_update, special, purpose, ranks, share, ONE_OPERATION, zero_update, zero_update,     \
         NULL, variant)
#define GRADIENTS(special, purpose, ranks, share, needs, variant)                                  \
    CASE(zero_gradients, special, purpose, ranks, share, BITS, zero_gradients, zero_room, needs,   \
         variant)
#define READY(special, purpose, ranks, share, needs, variant)                                      \
    CASE(zero_ready, special, purpose, ranks, share, BITS, zero_gradients, zero_sums, needs,       \
         variant)
#define FINISH(special, purpose, ranks, share, needs, variant)                                     \
    CASE(zero_finish, special, purpose, ranks, share, BITS, zero_gradients, zero_sums, needs,      \
         variant)
#define BORROW(special, purpose, ranks, share, variant)                                            \
    CASE(zero_borrow, special, purpose, ranks, share, BITS, zero_parameters, zero_borrow, NULL,    \
         variant)
/* What goes wrong here shows in a status. */
#define GIVE_BACK(special, purpose, ranks, share, variant)                                         \
    {                                                                                              \
        "zero_give_back." special, "vl_zero_give_back", purpose, ranks, share, BITS, FLOOR,        \
            with_loan, vl_make_zero_parameters, vl_truth_zero_give_back, NULL, variant, 1, 0       \
    }
#define STEP(special, purpose, ranks, share, variant)                                              \
    CASE(zero_step, special, purpose, ranks, share, ONE_OPERATION, zero_step, zero_step,           \
         every_part, variant)
#define STEP_BITS(special, purpose, ranks, share, variant)                                         \
    CASE(zero_step, special, purpose, ranks, share, BITS, zero_step, zero_step_bits, every_part,   \
         variant)
#define TRAFFIC(special, purpose, ranks, share, variant)                                           \
    {                                                                                              \
        "zero_traffic." special, "zero_traffic", purpose, ranks, share, BITS, FLOOR, whole_step,   \
            vl_make_zero_step, vl_truth_zero_traffic, vl_suspects_zero_traffic, variant, 1, 0      \
    }
#define SEALED(special, purpose, truth)                                                            \
    SERIAL(predict_zero, special, purpose, 0.25, BITS, zero_prediction, truth,                     \
           vl_suspects_##truth, 0)

/* Whoever asks for sums needs those who bring them. */
static const char *const with_finish[] = {"vl_zero_finish", NULL};
static const char *const with_rooms[] = {"vl_zero_gradients", "vl_zero_finish", NULL};
static const char *const with_turns[] = {"vl_zero_gradients", "vl_zero_poll", "vl_zero_finish",
                                         NULL};
static const char *const with_ready[] = {"vl_zero_ready", NULL};
static const char *const with_both[] = {"vl_zero_gradients", "vl_zero_ready", NULL};
static const char *const with_flow[] = {"vl_zero_ready", "vl_zero_finish", NULL};
static const char *const with_loan[] = {"vl_zero_borrow", NULL};
#define PARTS                                                                                      \
    "vl_zero_plan", "vl_zero_norm", "vl_zero_update", "vl_zero_gradients", "vl_zero_ready",        \
        "vl_zero_poll", "vl_zero_finish", "vl_zero_borrow", "vl_zero_give_back"
static const char *const every_part[] = {PARTS, NULL};
static const char *const whole_step[] = {PARTS, "vl_zero_step", NULL};

#define REFUSED N_("a bad argument is refused")
#define ALONE   N_("one rank")
#define ODD     N_("awkward sizes")
#define SMALL   N_("units smaller than the ranks")
#define BIT     N_("to the last bit")

enum { S1 = 1, S2 = 2, S3 = 3, P = VL_ZERO_RANKS };

static const struct vl_case cases[] = {
    SERIAL(shard_piece, "p5", ODD, 0.5, BITS, zero_plan, shard_piece, NULL, S1 + 5 * P),
    SERIAL(shard_piece, "p8_small", SMALL, 0.3, BITS, zero_plan, shard_piece, NULL,
           S1 + 8 * P + VL_ZERO_SMALL),
    SERIAL(shard_piece, "bad_rank", REFUSED, 0.2, BITS, zero_plan, shard_piece, NULL,
           S1 + 3 * P + VL_ZERO_BAD),

    PLAN("stage1_p3", N_("stage 1"), 0.2, S1 + 3 * P),
    PLAN("stage2_p4", N_("stage 2"), 0.2, S2 + 4 * P),
    PLAN("stage3_p5", N_("stage 3"), 0.2, S3 + 5 * P),
    PLAN("stage3_p8_small", SMALL, 0.1, S3 + 8 * P + VL_ZERO_SMALL),
    PLAN("stage2_p1", ALONE, 0.1, S2 + 1 * P),
    PLAN("stage_0", REFUSED, 0.1, 0 + 3 * P),
    PLAN("stage_4", REFUSED, 0.05, 4 + 3 * P),
    PLAN("bad_rank", REFUSED, 0.05, S3 + 3 * P + VL_ZERO_BAD),

    NORM("p3_stage1", ODD, 3, 0.2, CLOSE, S1),
    NORM("p4_stage2", ODD, 4, 0.15, CLOSE, S2),
    NORM("p2_stage3", ODD, 2, 0.15, CLOSE, S3),
    NORM("p8_small", SMALL, 8, 0.1, CLOSE, S2 + VL_ZERO_SMALL),
    NORM("p1_stage1", ALONE, 1, 0.1, CLOSE, S1),
    NORM("p5_bits", BIT, 5, 0.2, BITS, S3 + VL_ZERO_LONG),
    NORM("p3_reversed", N_("ranks in reverse order"), 3, 0.1, BITS,
         S2 + VL_ZERO_LONG + VL_ZERO_REVERSED),

    UPDATE("p3_stage1", N_("stage 1, chunks that cut through tensors"), 3, 0.2, S1),
    UPDATE("p4_stage2", N_("stage 2, chunks that cut through tensors"), 4, 0.2, S2),
    UPDATE("p5_stage3", N_("stage 3, chunks that cut through tensors"), 5, 0.2, S3),
    UPDATE("p2_stage1", ODD, 2, 0.1, S1),
    UPDATE("p8_small", SMALL, 8, 0.1, S1 + VL_ZERO_SMALL),
    UPDATE("p1_stage2", ALONE, 1, 0.1, S2),
    UPDATE("p4_reversed", N_("ranks in reverse order"), 4, 0.1, S1 + VL_ZERO_REVERSED),

    GRADIENTS("p2_stage1", N_("stage 1: in the whole array"), 2, 0.3, with_flow, S1),
    GRADIENTS("p3_stage2", N_("stage 2: zeroed rooms, one after the other"), 3, 0.4, with_flow, S2),
    GRADIENTS("p5_stage3", N_("stage 3: zeroed rooms, one after the other"), 5, 0.2, with_flow, S3),
    GRADIENTS("p1_stage2", ALONE, 1, 0.1, with_flow, S2),

    READY("p4_stage1", N_("stage 1"), 4, 0.25, with_finish, S1),
    READY("p3_stage2", N_("stage 2, three micro-batches"), 3, 0.2, with_rooms, S2 + VL_ZERO_THREE),
    READY("p5_stage3", N_("stage 3, two micro-batches"), 5, 0.15, with_rooms, S3 + VL_ZERO_TWO),
    READY("p8_small", SMALL, 8, 0.1, with_rooms, S2 + VL_ZERO_SMALL),
    READY("p2_stage2", ODD, 2, 0.1, with_rooms, S2),
    READY("p1_stage3", ALONE, 1, 0.05, with_rooms, S3 + VL_ZERO_TWO),
    READY("p3_turns", N_("nobody waits in it"), 3, 0.15, with_turns, S1 + VL_ZERO_TURNS),

    CASE(zero_poll, "p3_stage1", N_("drives transfers on"), 3, 0.6, BITS, zero_gradients,
         zero_early, with_flow, S1),
    CASE(zero_poll, "p5_small", SMALL, 5, 0.4, BITS, zero_gradients, zero_early, with_flow,
         S1 + VL_ZERO_SMALL),

    FINISH("p2_stage1", N_("stage 1"), 2, 0.4, with_ready, S1),
    FINISH("p4_stage2", N_("stage 2"), 4, 0.4, with_both, S2),
    FINISH("p1_stage3", ALONE, 1, 0.2, with_both, S3),

    BORROW("p3_stage3", ODD, 3, 0.3, S3),
    BORROW("p4_reversed", N_("ranks in reverse order"), 4, 0.15, S3 + VL_ZERO_REVERSED),
    BORROW("p8_small", SMALL, 8, 0.2, S3 + VL_ZERO_SMALL),
    BORROW("p2_stage1", N_("stage 1: at home, nothing is sent"), 2, 0.15, S1),
    BORROW("p5_stage2", N_("stage 2: at home, nothing is sent"), 5, 0.1, S2),
    BORROW("p1_stage3", ALONE, 1, 0.1, S3),
    GIVE_BACK("p3_stage3", N_("a room becomes free, the other stays"), 3, 0.7, S3),
    GIVE_BACK("p2_stage2", N_("nothing to give back"), 2, 0.3, S2),

    STEP("p3_stage1", N_("stage 1, three micro-batches, clipped"), 3, 0.15,
         S1 + VL_ZERO_THREE + VL_ZERO_CLIPPED),
    STEP("p4_stage2", N_("stage 2, three micro-batches, clipped"), 4, 0.15,
         S2 + VL_ZERO_THREE + VL_ZERO_CLIPPED),
    STEP("p5_stage3", N_("stage 3, three micro-batches, clipped"), 5, 0.15,
         S3 + VL_ZERO_THREE + VL_ZERO_CLIPPED),
    STEP("p5_idle", N_("ranks without rows, norm below the limit"), 5, 0.1,
         S3 + VL_ZERO_IDLE + VL_ZERO_BELOW),
    STEP("p8_small", SMALL, 8, 0.1, S2 + VL_ZERO_SMALL + VL_ZERO_IDLE + VL_ZERO_TWO),
    STEP("p2_stage1", N_("without clipping"), 2, 0.05, S1),
    STEP("p1_stage3", ALONE, 1, 0.05, S3 + VL_ZERO_TWO + VL_ZERO_CLIPPED),
    STEP("p2_error", N_("an error is passed on"), 2, 0.05, S1 + VL_ZERO_THREE + VL_ZERO_FAILS),
    STEP_BITS("p4_bits", BIT, 4, 0.1, S1 + VL_ZERO_TWO),
    STEP_BITS("p3_bits", BIT, 3, 0.1, S3 + VL_ZERO_THREE + VL_ZERO_REVERSED),

    TRAFFIC("p3_stage1", N_("bytes at stage 1"), 3, 0.15, S1),
    TRAFFIC("p4_stage1", N_("stage 1 reduces once a step"), 4, 0.15, S1 + VL_ZERO_THREE),
    TRAFFIC("p5_stage2", N_("bytes at stage 2"), 5, 0.15, S2),
    TRAFFIC("p4_stage2", N_("stage 2, every micro-batch"), 4, 0.15, S2 + VL_ZERO_THREE),
    TRAFFIC("p3_stage3", N_("bytes at stage 3"), 3, 0.15, S3),
    TRAFFIC("p4_stage3", N_("stage 3, every micro-batch"), 4, 0.15, S3 + VL_ZERO_TWO),
    TRAFFIC("p8_small", SMALL, 8, 0.05, S3 + VL_ZERO_SMALL),
    TRAFFIC("p1_stage3", N_("one rank sends nothing"), 1, 0.05, S3),

    SERIAL(zero_state_bytes, "stages", N_("stages 0 to 3"), 0.8, ONE_OPERATION, zero_cost,
           zero_state_bytes, vl_suspects_zero_state_bytes, 0),
    SERIAL(zero_state_bytes, "bad_stage", REFUSED, 0.2, ONE_OPERATION, zero_cost, zero_state_bytes,
           NULL, VL_ZERO_BAD),
    SERIAL(zero_sent_elements, "stages", N_("stages 0 to 3"), 0.8, ONE_OPERATION, zero_cost,
           zero_sent_elements, vl_suspects_zero_sent_elements, 0),
    SERIAL(zero_sent_elements, "bad_stage", REFUSED, 0.2, ONE_OPERATION, zero_cost,
           zero_sent_elements, NULL, VL_ZERO_BAD),
    SEALED("state_1", N_("bytes at stage 1"), predict_state_1),
    SEALED("state_2", N_("bytes at stage 2"), predict_state_2),
    SEALED("state_3", N_("bytes at stage 3"), predict_state_3),
    SEALED("sent_3", N_("bytes sent at stage 3"), predict_sent_3),
};

static const char *const update_alone[] = {"vl_zero_update", NULL};

static const struct vl_timing timings[] = {
    {"zero_update.speed", "vl_zero_update", N_("speed on two ranks"), 1e-4, update_alone, 2},
    /* Stage 3 on a small transformer: everything above is in it. */
    {"zero_step.speed", "vl_zero_step", N_("a step at stage 3 on two ranks"), 1e-3, whole_step, 2},
};

const struct vl_lab_cases vl_cases_zero = {4, cases, COUNT(cases), timings, COUNT(timings)};
