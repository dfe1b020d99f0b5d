/*
 * Lab 04's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/04_zero/zero.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

/* Bounds, where results need not agree to the last bit. */
#define ONE_OPERATION 1e-5
#define CLOSE         1e-12 /* sums in float64, in any order */
/* AdamW divides a gradient by its own size, so the rounding error of a small one counts in full. */
#define TWO_STEPS 1e-4

/* A variant begins with its stage; where one rank answers for several, their number follows. */
#define STAGE(number)     VL_STAGE_##number
#define OF(number, ranks) VL_STAGE_##number | VL_ASKED(ranks)

/* A row: what is special (after the dot of the id), why it is asked, if RANKED on how many ranks
 * (outputs are named by rank), its share, the variant; then further fields by name. */
#define CASE(name, asks, maker, answer, special, why, on, worth, kind, ...)                        \
    VL_CASE(name, asks, maker, answer, special, why, .ranks = on, .share = worth, .variant = kind, \
            .floor = 1e-6, __VA_ARGS__)
#define ALONE(name, maker, answer, special, why, ...)                                              \
    CASE(#name, "vl_" #name, maker, answer, special, why, 1, __VA_ARGS__, .per_rank = 0)
#define RANKED(name, maker, answer, ...)                                                           \
    CASE(#name, "vl_" #name, maker, answer, __VA_ARGS__, .per_rank = 1, .part = vl_part_zero)

/* The functions that a case calls in addition to its own: FLOW to start and finish sums, LENT to
 * take buffers and finish sums, PARTS for a step. */
#define NEEDS(...)                                                                                 \
    .needs = (const char *const[])                                                                 \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define LENT NEEDS("vl_zero_gradients", "vl_zero_finish")
#define FLOW NEEDS("vl_zero_ready", "vl_zero_finish")
#define PARTS                                                                                      \
    "vl_zero_plan", "vl_zero_norm", "vl_zero_update", "vl_zero_gradients", "vl_zero_ready",        \
        "vl_zero_poll", "vl_zero_finish", "vl_zero_borrow", "vl_zero_give_back"

#define PIECE(...) ALONE(shard_piece, zero_plan, shard_piece, __VA_ARGS__)
#define PLAN(...)  ALONE(zero_plan, zero_plan, zero_plan, __VA_ARGS__)
#define NORM(...)  RANKED(zero_norm, zero_update, zero_norm, __VA_ARGS__)
#define UPDATE(...)                                                                                \
    RANKED(zero_update, zero_update, zero_update, __VA_ARGS__, .bound = ONE_OPERATION)
#define GRADIENTS(...) RANKED(zero_gradients, zero_gradients, zero_where, __VA_ARGS__)
#define READY(...)     RANKED(zero_ready, zero_gradients, zero_sums, __VA_ARGS__, .uses = buffers)
#define POLL(...)      RANKED(zero_poll, zero_gradients, zero_early, __VA_ARGS__, FLOW)
#define FINISH(...)    RANKED(zero_finish, zero_gradients, zero_sums, __VA_ARGS__, .uses = buffers)
#define BORROW(...)    RANKED(zero_borrow, zero_parameters, zero_borrow, __VA_ARGS__)
#define GIVE_BACK(...) RANKED(zero_give_back, zero_parameters, zero_give_back, __VA_ARGS__)
#define PREFETCH(...)                                                                              \
    RANKED(zero_prefetch, zero_parameters, zero_prefetch, __VA_ARGS__,                             \
           NEEDS("vl_zero_borrow", "vl_zero_give_back", "vl_zero_poll"))
#define STEP_NEAR(...)                                                                             \
    RANKED(zero_step, zero_step, zero_step, __VA_ARGS__, NEEDS(PARTS), .bound = ONE_OPERATION)
#define STEP_BITS(...) RANKED(zero_step, zero_step, zero_step_bits, __VA_ARGS__, NEEDS(PARTS))
#define TRAFFIC(...)                                                                               \
    CASE("zero_traffic", "zero_traffic", zero_step, zero_traffic, __VA_ARGS__, .per_rank = 1,      \
         .part = vl_part_zero, NEEDS(PARTS, "vl_zero_step"))
#define AHEAD(...)                                                                                 \
    CASE("weights_ahead", "weights_ahead", zero_step, weights_ahead, __VA_ARGS__, .per_rank = 1,   \
         .part = vl_part_zero, NEEDS(PARTS, "vl_zero_prefetch", "vl_zero_step"),                   \
         .bound = ONE_OPERATION)
#define PAPER(name, ...) ALONE(name, zero_cost, name, __VA_ARGS__, .bound = ONE_OPERATION)
#define SEALED(number, why)                                                                        \
    ALONE(predict_zero, shapes, predict_##number, #number, why, 0.25, 0, .sealed = 1)
#define TIMING(name, why, ...)                                                                     \
    {                                                                                              \
        .id = #name ".speed", .function = "vl_" #name, .purpose = why, .ranks = 2, __VA_ARGS__     \
    }

#define REFUSED N_("a bad argument is refused")
#define ONE     N_("one rank")
#define ODD     N_("awkward sizes")
#define SMALL   N_("units smaller than the ranks")
#define BIT     N_("to the last bit")

/* Sums are made in what these lend. */
static const char *const buffers[] = {"vl_zero_gradients", NULL};

static const struct vl_case cases[] = {
    PIECE("p5", ODD, 0.5, OF(1, 5)),
    PIECE("p8_small", SMALL, 0.3, OF(1, 8) | VL_SMALL),
    PIECE("bad_rank", REFUSED, 0.2, OF(1, 3) | VL_BAD),

    PLAN("stage1_p3", N_("stage 1"), 0.2, OF(1, 3)),
    PLAN("stage2_p4", N_("stage 2"), 0.2, OF(2, 4) | VL_BIG_LAST),
    PLAN("stage3_p5", N_("stage 3"), 0.2, OF(3, 5) | VL_BIG_FIRST),
    PLAN("stage3_p8_small", SMALL, 0.1, OF(3, 8) | VL_SMALL),
    PLAN("stage2_p1", ONE, 0.1, OF(2, 1)),
    PLAN("stage_0", REFUSED, 0.08, OF(0, 3)),
    PLAN("stage_4", REFUSED, 0.04, OF(4, 3)),
    PLAN("stage_minus_1", REFUSED, 0.02, OF(MINUS_1, 3)),
    PLAN("bad_rank", REFUSED, 0.04, OF(3, 3) | VL_BAD),
    PLAN("no_units", REFUSED, 0.02, OF(1, 3) | VL_NO_UNITS),

    NORM("p3_stage1", ODD, 3, 0.2, STAGE(1), .bound = CLOSE),
    NORM("p4_stage2", ODD, 4, 0.15, STAGE(2), .bound = CLOSE),
    NORM("p2_stage3", ODD, 2, 0.15, STAGE(3), .bound = CLOSE),
    NORM("p8_small", SMALL, 8, 0.1, STAGE(2) | VL_SMALL | VL_MANY, .bound = CLOSE),
    NORM("p1_stage1", ONE, 1, 0.1, STAGE(1), .bound = CLOSE),
    NORM("p5_bits", BIT, 5, 0.2, STAGE(3) | VL_LONG),
    NORM("p3_reversed", N_("ranks in reverse order"), 3, 0.1, STAGE(2) | VL_LONG | VL_REVERSED),

    UPDATE("p3_stage1", N_("stage 1, chunks that cut through tensors"), 3, 0.2, STAGE(1)),
    UPDATE("p4_stage2", N_("stage 2, chunks that cut through tensors"), 4, 0.2, STAGE(2)),
    UPDATE("p5_stage3", N_("stage 3, chunks that cut through tensors"), 5, 0.2, STAGE(3)),
    UPDATE("p2_stage1", ODD, 2, 0.1, STAGE(1) | VL_MIXED),
    UPDATE("p8_small", SMALL, 8, 0.1, STAGE(1) | VL_SMALL),
    UPDATE("p1_stage2", ONE, 1, 0.1, STAGE(2)),
    UPDATE("p4_reversed", N_("ranks in reverse order"), 4, 0.05, STAGE(1) | VL_REVERSED),
    UPDATE("p3_step_zero", N_("an error is passed on"), 3, 0.05, STAGE(3) | VL_NO_STEP),

    GRADIENTS("p2_stage1", N_("stage 1: in the whole array"), 2, 0.3, STAGE(1), FLOW),
    GRADIENTS("p3_stage2", N_("stage 2: zeroed buffers, one after the other"), 3, 0.35,
              STAGE(2) | VL_BIG_LAST, FLOW),
    GRADIENTS("p5_stage3", N_("stage 3: zeroed buffers, one after the other"), 5, 0.2,
              STAGE(3) | VL_BIG_FIRST, NEEDS("vl_zero_ready", "vl_zero_poll", "vl_zero_finish")),
    GRADIENTS("p1_stage2", ONE, 1, 0.1, STAGE(2), FLOW),
    RANKED(zero_gradients, zero_gradients, zero_sums, "p2_one_unit",
           N_("a single unit, still on its way in the other buffer"), 2, 0.05,
           STAGE(2) | VL_TWO | VL_ONE_UNIT | VL_BIG_FIRST, FLOW),

    READY("p4_stage1", N_("stage 1"), 4, 0.25, STAGE(1), NEEDS("vl_zero_finish")),
    READY("p3_stage2", N_("stage 2, three micro-batches"), 3, 0.2, STAGE(2) | VL_THREE, LENT),
    READY("p5_stage3", N_("stage 3, two micro-batches"), 5, 0.15, STAGE(3) | VL_TWO, LENT),
    READY("p8_small", SMALL, 8, 0.1, STAGE(2) | VL_SMALL, LENT),
    READY("p2_stage2", ODD, 2, 0.1, STAGE(2), LENT),
    READY("p1_stage3", ONE, 1, 0.05, STAGE(3) | VL_TWO, LENT),
    READY("p3_turns", N_("nobody waits in it"), 3, 0.1, STAGE(1) | VL_TURNS,
          NEEDS("vl_zero_gradients", "vl_zero_poll", "vl_zero_finish")),
    READY("p3_turns_stage2", N_("nobody waits in it"), 3, 0.05, STAGE(2) | VL_TURNS,
          NEEDS("vl_zero_gradients", "vl_zero_poll", "vl_zero_finish")),

    POLL("p3_stage1", N_("drives transfers"), 3, 0.3, STAGE(1)),
    POLL("p5_small", SMALL, 5, 0.1, STAGE(1) | VL_SMALL),
    RANKED(zero_poll, zero_gradients, zero_driven, "p4_stage2", N_("drives transfers"), 4, 0.2,
           STAGE(2), NEEDS("vl_zero_gradients", "vl_zero_ready", "vl_zero_finish")),
    RANKED(zero_poll, zero_gradients, zero_driven, "p4_alone",
           N_("one buffer is free, the other on its way"), 4, 0.1, STAGE(2) | VL_SECOND_ALONE,
           NEEDS("vl_zero_gradients", "vl_zero_ready", "vl_zero_finish")),
    RANKED(zero_poll, zero_gradients, zero_driven, "p3_stage3", N_("drives transfers"), 3, 0.1,
           STAGE(3) | VL_TURNS | VL_BIG_LAST,
           NEEDS("vl_zero_gradients", "vl_zero_ready", "vl_zero_finish")),
    RANKED(zero_poll, zero_gradients, zero_sums, "p3_turns", N_("nobody waits in it"), 3, 0.2,
           STAGE(2) | VL_TURNS, NEEDS("vl_zero_gradients", "vl_zero_ready", "vl_zero_finish")),

    FINISH("p2_stage1", N_("stage 1"), 2, 0.4, STAGE(1), NEEDS("vl_zero_ready")),
    FINISH("p4_stage2", N_("stage 2"), 4, 0.4, STAGE(2),
           NEEDS("vl_zero_gradients", "vl_zero_ready")),
    FINISH("p1_stage3", ONE, 1, 0.2, STAGE(3), NEEDS("vl_zero_gradients", "vl_zero_ready")),

    BORROW("p3_stage3", ODD, 3, 0.3, STAGE(3) | VL_BIG_LAST),
    BORROW("p4_reversed", N_("ranks in reverse order"), 4, 0.15,
           STAGE(3) | VL_REVERSED | VL_BIG_FIRST),
    BORROW("p8_small", SMALL, 8, 0.2, STAGE(3) | VL_SMALL),
    BORROW("p2_stage1", N_("stage 1: whole on every rank, nothing is sent"), 2, 0.15, STAGE(1)),
    BORROW("p5_stage2", N_("stage 2: whole on every rank, nothing is sent"), 5, 0.1, STAGE(2)),
    BORROW("p1_stage3", ONE, 1, 0.1, STAGE(3)),
    GIVE_BACK("p3_stage3", N_("a buffer becomes free, the other stays"), 3, 0.5, STAGE(3),
              NEEDS("vl_zero_borrow")),
    GIVE_BACK("p1_stage3", ONE, 1, 0.2, STAGE(3), NEEDS("vl_zero_borrow", "vl_zero_prefetch")),
    GIVE_BACK("p2_stage1", N_("nothing to give back"), 2, 0.1, STAGE(1), NEEDS("vl_zero_borrow"),
              .idle = 1),
    GIVE_BACK("p2_stage2", N_("nothing to give back"), 2, 0.2, STAGE(2), NEEDS("vl_zero_borrow"),
              .idle = 1),

    PREFETCH("p3_stage3", N_("fetched while another unit is in use"), 3, 0.25,
             STAGE(3) | VL_BIG_LAST),
    PREFETCH("p5_reversed", N_("ranks in reverse order"), 5, 0.15, STAGE(3) | VL_REVERSED),
    PREFETCH("p8_small", SMALL, 8, 0.15, STAGE(3) | VL_SMALL),
    PREFETCH("p3_turns", N_("nobody waits in it"), 3, 0.25, STAGE(3) | VL_TURNS),
    PREFETCH("p1_stage3", ONE, 1, 0.1, STAGE(3)),
    PREFETCH("p2_stage1", N_("stage 1: whole on every rank, nothing is sent"), 2, 0.05, STAGE(1)),
    PREFETCH("p2_stage2", N_("stage 2: whole on every rank, nothing is sent"), 2, 0.05, STAGE(2)),

    STEP_NEAR("p3_stage1", N_("stage 1, three micro-batches, clipped"), 3, 0.15,
              STAGE(1) | VL_THREE | VL_CLIPPED),
    STEP_NEAR("p4_stage2", N_("stage 2, three micro-batches, clipped"), 4, 0.1,
              STAGE(2) | VL_THREE | VL_CLIPPED),
    STEP_NEAR("p5_stage3", N_("stage 3, three micro-batches, clipped"), 5, 0.1,
              STAGE(3) | VL_THREE | VL_CLIPPED),
    RANKED(zero_step, zero_step, zero_step, "p3_two_steps", N_("two steps at stage 3"), 3, 0.1,
           STAGE(3) | VL_STEPS, NEEDS(PARTS), .bound = TWO_STEPS),
    STEP_NEAR("p5_idle", N_("ranks without rows, norm below the limit"), 5, 0.1,
              STAGE(3) | VL_IDLE | VL_BELOW),
    STEP_NEAR("p8_small", SMALL, 8, 0.1, STAGE(2) | VL_SMALL | VL_IDLE | VL_TWO),
    STEP_NEAR("p2_stage1", N_("without clipping"), 2, 0.05, STAGE(1)),
    STEP_NEAR("p1_stage3", ONE, 1, 0.04, STAGE(3) | VL_TWO | VL_CLIPPED),
    STEP_NEAR("p1_stage4", REFUSED, 1, 0.01, STAGE(4)),
    STEP_NEAR("p2_error", N_("an error is passed on"), 2, 0.01, STAGE(1) | VL_THREE | VL_FAILS),
    STEP_NEAR("p2_stage2_error", N_("an error is passed on"), 2, 0.01,
              STAGE(2) | VL_TWO | VL_FAILS),
    STEP_NEAR("p2_backward_error", N_("an error is passed on"), 2, 0.01,
              STAGE(1) | VL_THREE | VL_BACK),
    STEP_NEAR("p2_stage3_error", N_("an error is passed on"), 2, 0.01,
              STAGE(3) | VL_THREE | VL_BACK),
    STEP_NEAR("p2_step_zero", N_("an error is passed on"), 2, 0.01, STAGE(3) | VL_NO_STEP),
    STEP_BITS("p4_bits", BIT, 4, 0.1, STAGE(1) | VL_TWO),
    STEP_BITS("p3_bits", BIT, 3, 0.1, STAGE(3) | VL_THREE | VL_REVERSED),

    TRAFFIC("p3_stage1", N_("bytes at stage 1"), 3, 0.15, STAGE(1)),
    TRAFFIC("p4_stage1", N_("stage 1 reduces once a step"), 4, 0.15, STAGE(1) | VL_THREE),
    TRAFFIC("p5_stage2", N_("bytes at stage 2"), 5, 0.15, STAGE(2)),
    TRAFFIC("p4_stage2", N_("stage 2, every micro-batch"), 4, 0.15, STAGE(2) | VL_THREE),
    TRAFFIC("p3_stage3", N_("bytes at stage 3"), 3, 0.15, STAGE(3)),
    TRAFFIC("p4_stage3", N_("stage 3, every micro-batch"), 4, 0.15, STAGE(3) | VL_TWO),
    TRAFFIC("p8_small", SMALL, 8, 0.05, STAGE(3) | VL_SMALL),
    TRAFFIC("p1_stage3", N_("one rank sends nothing"), 1, 0.05, STAGE(3)),

    AHEAD("p2_stage3", N_("the share of weights fetched ahead"), 2, 0.4, STAGE(3)),
    AHEAD("p3_stage3", N_("two micro-batches, norm below the limit"), 3, 0.3,
          STAGE(3) | VL_TWO | VL_BELOW),
    AHEAD("p5_reversed", N_("ranks in reverse order"), 5, 0.3, STAGE(3) | VL_REVERSED),

    PAPER(zero_state_bytes, "stages", N_("stages 0 to 3"), 0.75, 0),
    PAPER(zero_state_bytes, "one_rank", ONE, 0.05, VL_ASKED(1)),
    PAPER(zero_state_bytes, "bad_stage", REFUSED, 0.2, VL_BAD),
    PAPER(zero_sent_elements, "stages", N_("stages 0 to 3"), 0.75, 0),
    PAPER(zero_sent_elements, "one_rank", ONE, 0.05, VL_ASKED(1)),
    PAPER(zero_sent_elements, "bad_stage", REFUSED, 0.2, VL_BAD),
    SEALED(state_1, N_("bytes at stage 1")),
    SEALED(state_2, N_("bytes at stage 2")),
    SEALED(state_3, N_("bytes at stage 3")),
    SEALED(sent_3, N_("bytes sent at stage 3")),
};

static const struct vl_timing timings[] = {
    TIMING(zero_update, N_("speed on two ranks"), .bound = 1e-4, NEEDS("vl_zero_update")),
    /* Stage 3 on a small transformer: everything above is in it. */
    TIMING(zero_step, N_("a step at stage 3 on two ranks"), .bound = 1e-3, .steps = true,
           NEEDS(PARTS, "vl_zero_step")),
};

VL_TIMED_LAB_CASES(zero);
