/*
 * Lab 04's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/04_zero/zero.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Bounds, where results need not agree to the last bit. */
#define ONE_OPERATION 1e-5
#define CLOSE         1e-12 /* sums in float64, in any order */

/* A variant begins with its stage; where one rank answers for several, with their number too. */
#define STAGE(stage)     .variant = VL_STAGE_##stage
#define OF(stage, ranks) .variant = VL_STAGE_##stage | VL_ASKED(ranks)

/* A case on one rank (ALONE), or on several whose outputs carry their rank's number: its function,
 * what is special, the maker of its inputs, its truth, its purpose, and then fields by name. */
#define CASE(name, asks, maker, answer, why, ...)                                                  \
    {                                                                                              \
        .id = name, .function = asks, .purpose = why, .floor = 1e-6, .make = vl_make_##maker,      \
        .truth = vl_truth_##answer, __VA_ARGS__                                                    \
    }
#define ALONE(name, special, maker, answer, ...)                                                   \
    CASE(#name "." special, "vl_" #name, maker, answer, __VA_ARGS__, .ranks = 1)
#define RANKED(name, special, maker, answer, ...)                                                  \
    CASE(#name "." special, "vl_" #name, maker, answer, __VA_ARGS__, .per_rank = 1)

#define PIECE(special, ...) ALONE(shard_piece, special, zero_plan, shard_piece, __VA_ARGS__)
#define PLAN(special, ...)  ALONE(zero_plan, special, zero_plan, zero_plan, __VA_ARGS__)
#define NORM(special, ...)  RANKED(zero_norm, special, zero_update, zero_norm, __VA_ARGS__)
#define UPDATE(special, ...)                                                                       \
    RANKED(zero_update, special, zero_update, zero_update, __VA_ARGS__, .bound = ONE_OPERATION)
#define GRADIENTS(special, ...)                                                                    \
    RANKED(zero_gradients, special, zero_gradients, zero_where, __VA_ARGS__, .needs = with_flow)
#define READY(special, ...) RANKED(zero_ready, special, zero_gradients, zero_sums, __VA_ARGS__)
#define POLL(special, ...)                                                                         \
    RANKED(zero_poll, special, zero_gradients, zero_early, __VA_ARGS__, .needs = with_flow)
#define FINISH(special, ...) RANKED(zero_finish, special, zero_gradients, zero_sums, __VA_ARGS__)
#define BORROW(special, ...) RANKED(zero_borrow, special, zero_parameters, zero_borrow, __VA_ARGS__)
#define GIVE_BACK(special, ...)                                                                    \
    RANKED(zero_give_back, special, zero_parameters, zero_give_back, __VA_ARGS__,                  \
           .needs = with_loan)
#define STEP(special, answer, ...)                                                                 \
    RANKED(zero_step, special, zero_step, answer, __VA_ARGS__, .needs = every_part)
#define STEP_NEAR(special, ...) STEP(special, zero_step, __VA_ARGS__, .bound = ONE_OPERATION)
#define STEP_BITS(special, ...) STEP(special, zero_step_bits, __VA_ARGS__)
#define TRAFFIC(special, ...)                                                                      \
    CASE("zero_traffic." special, "zero_traffic", zero_step, zero_traffic, __VA_ARGS__,            \
         .per_rank = 1, .needs = whole_step)
#define PAPER(name, special, ...)                                                                  \
    ALONE(name, special, zero_cost, name, __VA_ARGS__, .bound = ONE_OPERATION)
#define SEALED(special, answer, ...)                                                               \
    ALONE(predict_zero, special, zero_prediction, answer, __VA_ARGS__, .share = 0.25, .sealed = 1)
#define TIMING(name, why, ...)                                                                     \
    {                                                                                              \
        .id = #name ".speed", .function = "vl_" #name, .purpose = why, .ranks = 2, __VA_ARGS__     \
    }

/* A function that is asked for sums depends on those that bring them. */
static const char *const with_finish[] = {"vl_zero_finish", NULL};
static const char *const with_lent[] = {"vl_zero_gradients", "vl_zero_finish", NULL};
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
#define ONE     N_("one rank")
#define ODD     N_("awkward sizes")
#define SMALL   N_("units smaller than the ranks")
#define BIT     N_("to the last bit")

static const struct vl_case cases[] = {
    PIECE("p5", ODD, .share = 0.5, OF(1, 5)),
    PIECE("p8_small", SMALL, .share = 0.3, OF(1, 8) | VL_SMALL),
    PIECE("bad_rank", REFUSED, .share = 0.2, OF(1, 3) | VL_BAD),

    PLAN("stage1_p3", N_("stage 1"), .share = 0.2, OF(1, 3)),
    PLAN("stage2_p4", N_("stage 2"), .share = 0.2, OF(2, 4)),
    PLAN("stage3_p5", N_("stage 3"), .share = 0.2, OF(3, 5)),
    PLAN("stage3_p8_small", SMALL, .share = 0.1, OF(3, 8) | VL_SMALL),
    PLAN("stage2_p1", ONE, .share = 0.1, OF(2, 1)),
    PLAN("stage_0", REFUSED, .share = 0.1, OF(0, 3)),
    PLAN("stage_4", REFUSED, .share = 0.05, OF(4, 3)),
    PLAN("bad_rank", REFUSED, .share = 0.05, OF(3, 3) | VL_BAD),

    NORM("p3_stage1", ODD, .ranks = 3, .share = 0.2, .bound = CLOSE, STAGE(1)),
    NORM("p4_stage2", ODD, .ranks = 4, .share = 0.15, .bound = CLOSE, STAGE(2)),
    NORM("p2_stage3", ODD, .ranks = 2, .share = 0.15, .bound = CLOSE, STAGE(3)),
    NORM("p8_small", SMALL, .ranks = 8, .share = 0.1, .bound = CLOSE, STAGE(2) | VL_SMALL),
    NORM("p1_stage1", ONE, .ranks = 1, .share = 0.1, .bound = CLOSE, STAGE(1)),
    NORM("p5_bits", BIT, .ranks = 5, .share = 0.2, STAGE(3) | VL_LONG),
    NORM("p3_reversed", N_("ranks in reverse order"), .ranks = 3, .share = 0.1,
         STAGE(2) | VL_LONG | VL_REVERSED),

    UPDATE("p3_stage1", N_("stage 1, chunks that cut through tensors"), .ranks = 3, .share = 0.2,
           STAGE(1)),
    UPDATE("p4_stage2", N_("stage 2, chunks that cut through tensors"), .ranks = 4, .share = 0.2,
           STAGE(2)),
    UPDATE("p5_stage3", N_("stage 3, chunks that cut through tensors"), .ranks = 5, .share = 0.2,
           STAGE(3)),
    UPDATE("p2_stage1", ODD, .ranks = 2, .share = 0.1, STAGE(1)),
    UPDATE("p8_small", SMALL, .ranks = 8, .share = 0.1, STAGE(1) | VL_SMALL),
    UPDATE("p1_stage2", ONE, .ranks = 1, .share = 0.1, STAGE(2)),
    UPDATE("p4_reversed", N_("ranks in reverse order"), .ranks = 4, .share = 0.1,
           STAGE(1) | VL_REVERSED),

    GRADIENTS("p2_stage1", N_("stage 1: in the whole array"), .ranks = 2, .share = 0.3, STAGE(1)),
    GRADIENTS("p3_stage2", N_("stage 2: zeroed buffers, one after the other"), .ranks = 3,
              .share = 0.4, STAGE(2)),
    GRADIENTS("p5_stage3", N_("stage 3: zeroed buffers, one after the other"), .ranks = 5,
              .share = 0.2, STAGE(3)),
    GRADIENTS("p1_stage2", ONE, .ranks = 1, .share = 0.1, STAGE(2)),

    READY("p4_stage1", N_("stage 1"), .ranks = 4, .share = 0.25, .needs = with_finish, STAGE(1)),
    READY("p3_stage2", N_("stage 2, three micro-batches"), .ranks = 3, .share = 0.2,
          .needs = with_lent, STAGE(2) | VL_THREE),
    READY("p5_stage3", N_("stage 3, two micro-batches"), .ranks = 5, .share = 0.15,
          .needs = with_lent, STAGE(3) | VL_TWO),
    READY("p8_small", SMALL, .ranks = 8, .share = 0.1, .needs = with_lent, STAGE(2) | VL_SMALL),
    READY("p2_stage2", ODD, .ranks = 2, .share = 0.1, .needs = with_lent, STAGE(2)),
    READY("p1_stage3", ONE, .ranks = 1, .share = 0.05, .needs = with_lent, STAGE(3) | VL_TWO),
    READY("p3_turns", N_("nobody waits in it"), .ranks = 3, .share = 0.15, .needs = with_turns,
          STAGE(1) | VL_TURNS),

    POLL("p3_stage1", N_("drives transfers on"), .ranks = 3, .share = 0.6, STAGE(1)),
    POLL("p5_small", SMALL, .ranks = 5, .share = 0.4, STAGE(1) | VL_SMALL),

    FINISH("p2_stage1", N_("stage 1"), .ranks = 2, .share = 0.4, .needs = with_ready, STAGE(1)),
    FINISH("p4_stage2", N_("stage 2"), .ranks = 4, .share = 0.4, .needs = with_both, STAGE(2)),
    FINISH("p1_stage3", ONE, .ranks = 1, .share = 0.2, .needs = with_both, STAGE(3)),

    BORROW("p3_stage3", ODD, .ranks = 3, .share = 0.3, STAGE(3)),
    BORROW("p4_reversed", N_("ranks in reverse order"), .ranks = 4, .share = 0.15,
           STAGE(3) | VL_REVERSED),
    BORROW("p8_small", SMALL, .ranks = 8, .share = 0.2, STAGE(3) | VL_SMALL),
    BORROW("p2_stage1", N_("stage 1: at home, nothing is sent"), .ranks = 2, .share = 0.15,
           STAGE(1)),
    BORROW("p5_stage2", N_("stage 2: at home, nothing is sent"), .ranks = 5, .share = 0.1,
           STAGE(2)),
    BORROW("p1_stage3", ONE, .ranks = 1, .share = 0.1, STAGE(3)),
    GIVE_BACK("p3_stage3", N_("a room becomes free, the other stays"), .ranks = 3, .share = 0.7,
              STAGE(3)),
    GIVE_BACK("p2_stage2", N_("nothing to give back"), .ranks = 2, .share = 0.3, STAGE(2)),

    STEP_NEAR("p3_stage1", N_("stage 1, three micro-batches, clipped"), .ranks = 3, .share = 0.15,
              STAGE(1) | VL_THREE | VL_CLIPPED),
    STEP_NEAR("p4_stage2", N_("stage 2, three micro-batches, clipped"), .ranks = 4, .share = 0.15,
              STAGE(2) | VL_THREE | VL_CLIPPED),
    STEP_NEAR("p5_stage3", N_("stage 3, three micro-batches, clipped"), .ranks = 5, .share = 0.15,
              STAGE(3) | VL_THREE | VL_CLIPPED),
    STEP_NEAR("p5_idle", N_("ranks without rows, norm below the limit"), .ranks = 5, .share = 0.1,
              STAGE(3) | VL_IDLE | VL_BELOW),
    STEP_NEAR("p8_small", SMALL, .ranks = 8, .share = 0.1, STAGE(2) | VL_SMALL | VL_IDLE | VL_TWO),
    STEP_NEAR("p2_stage1", N_("without clipping"), .ranks = 2, .share = 0.05, STAGE(1)),
    STEP_NEAR("p1_stage3", ONE, .ranks = 1, .share = 0.05, STAGE(3) | VL_TWO | VL_CLIPPED),
    STEP_NEAR("p2_error", N_("an error is passed on"), .ranks = 2, .share = 0.05,
              STAGE(1) | VL_THREE | VL_FAILS),
    STEP_BITS("p4_bits", BIT, .ranks = 4, .share = 0.1, STAGE(1) | VL_TWO),
    STEP_BITS("p3_bits", BIT, .ranks = 3, .share = 0.1, STAGE(3) | VL_THREE | VL_REVERSED),

    TRAFFIC("p3_stage1", N_("bytes at stage 1"), .ranks = 3, .share = 0.15, STAGE(1)),
    TRAFFIC("p4_stage1", N_("stage 1 reduces once a step"), .ranks = 4, .share = 0.15,
            STAGE(1) | VL_THREE),
    TRAFFIC("p5_stage2", N_("bytes at stage 2"), .ranks = 5, .share = 0.15, STAGE(2)),
    TRAFFIC("p4_stage2", N_("stage 2, every micro-batch"), .ranks = 4, .share = 0.15,
            STAGE(2) | VL_THREE),
    TRAFFIC("p3_stage3", N_("bytes at stage 3"), .ranks = 3, .share = 0.15, STAGE(3)),
    TRAFFIC("p4_stage3", N_("stage 3, every micro-batch"), .ranks = 4, .share = 0.15,
            STAGE(3) | VL_TWO),
    TRAFFIC("p8_small", SMALL, .ranks = 8, .share = 0.05, STAGE(3) | VL_SMALL),
    TRAFFIC("p1_stage3", N_("one rank sends nothing"), .ranks = 1, .share = 0.05, STAGE(3)),

    PAPER(zero_state_bytes, "stages", N_("stages 0 to 3"), .share = 0.8),
    PAPER(zero_state_bytes, "bad_stage", REFUSED, .share = 0.2, .variant = VL_BAD),
    PAPER(zero_sent_elements, "stages", N_("stages 0 to 3"), .share = 0.8),
    PAPER(zero_sent_elements, "bad_stage", REFUSED, .share = 0.2, .variant = VL_BAD),
    SEALED("state_1", predict_state_1, N_("bytes at stage 1")),
    SEALED("state_2", predict_state_2, N_("bytes at stage 2")),
    SEALED("state_3", predict_state_3, N_("bytes at stage 3")),
    SEALED("sent_3", predict_sent_3, N_("bytes sent at stage 3")),
};

static const char *const update_alone[] = {"vl_zero_update", NULL};

static const struct vl_timing timings[] = {
    TIMING(zero_update, N_("speed on two ranks"), .bound = 1e-4, .needs = update_alone),
    /* Stage 3 on a small transformer: everything above is in it. */
    TIMING(zero_step, N_("a step at stage 3 on two ranks"), .bound = 1e-3, .needs = whole_step),
};

const struct vl_lab_cases vl_cases_zero = {4, cases, COUNT(cases), timings, COUNT(timings)};
