/*
 * Lab 07's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include "base/text.h"

/* The bound where nothing else is said is zero: orders, counts, and a toy whose numbers are rounded
 * once. */
#define CLOSE 1e-12 /* float64 */

/* A variant of p stages and v chunks; micro-batches and order by their names: PIPE(4, 2, GROUPS,
 * 1F1B). On RANKS, each stage is a rank. */
#define PIPE(p, v, micro_batches, order)                                                           \
    .variant = (p) | (v)*VL_PIPE_CHUNK | VL_PIPE_##micro_batches | VL_PIPE_##order
#define RANKS(p, v, micro_batches, order)                                                          \
    .ranks = (p), .variant = (p) | (v)*VL_PIPE_CHUNK | VL_PIPE_##micro_batches | VL_PIPE_##order

#define ANY_CASE(name, asked, text, ...)                                                           \
    {                                                                                              \
        .id = name, .function = asked, .purpose = text, .floor = 1e-6, __VA_ARGS__                 \
    }
/* Of one function, on one rank. */
#define SERIAL(name, special, text, ...)                                                           \
    ANY_CASE(name "." special, "vl_" name, text, .ranks = 1, __VA_ARGS__)
#define SCHEDULE(name, special, text, ...)                                                         \
    SERIAL("schedule_" #name, special, text, .make = vl_make_pipe_sizes,                           \
           .truth = vl_truth_pipe_schedule, __VA_ARGS__)
#define TAG(special, text, ...)                                                                    \
    SERIAL("schedule_tag", special, text, .make = vl_make_pipe_sizes,                              \
           .truth = vl_truth_pipe_status, __VA_ARGS__)
#define ACTIONS(special, text, ...)                                                                \
    SERIAL("schedule_actions", special, text, .make = vl_make_pipe_rows,                           \
           .truth = vl_truth_pipe_actions, .needs = with_tag, __VA_ARGS__)
#define PAPER(name, special, text, ...)                                                            \
    SERIAL(#name, special, text, .make = vl_make_pipe_paper, .truth = vl_truth_##name, __VA_ARGS__)
#define SEALED(number, text, ...)                                                                  \
    SERIAL("predict_pipeline", #number, text, .share = 0.25, .make = vl_make_pipe_paper,           \
           .truth = vl_truth_predict_pipe_##number, .sealed = 1, __VA_ARGS__)

/* Of the schedules, run on paper: these are not defined in one source file. */
#define ON_PAPER(name, special, text, ...)                                                         \
    ANY_CASE(name "." special, name, text, .ranks = 1, .share = 0.25, .make = vl_make_pipe_sizes,  \
             .truth = vl_truth_pipe_status, __VA_ARGS__)
#define BOTH_SCHEDULES(name)                                                                       \
    ON_PAPER(name, "1f1b_p4", N_("1F1B"), .needs = with_1f1b, PIPE(4, 1, MORE, 1F1B)),             \
        ON_PAPER(name, "1f1b_p8", N_("1F1B"), .needs = with_1f1b, PIPE(8, 1, GROUPS, 1F1B)),       \
        ON_PAPER(name, "interleaved_p4", CHUNKS, .needs = with_interleaved,                        \
                 PIPE(4, 2, GROUPS, INTERLEAVED)),                                                 \
        ON_PAPER(name, "interleaved_p3", CHUNKS, .needs = with_interleaved,                        \
                 PIPE(3, 4, GROUPS, INTERLEAVED))

/* On as many ranks as the variant has stages. */
#define WORK(name, asked, special, text, ...)                                                      \
    ANY_CASE(name "." special, asked, text, .per_rank = 1, __VA_ARGS__)
#define RUN(special, text, ...)                                                                    \
    WORK("stage_run", "vl_stage_run", special, text, .make = vl_make_pipe_actions,                 \
         .truth = vl_truth_pipe_run, __VA_ARGS__)
#define TRAFFIC(special, text, ...)                                                                \
    WORK("stage_traffic", "stage_traffic", special, text, .make = vl_make_pipe_actions,            \
         .truth = vl_truth_pipe_traffic, .needs = with_run, __VA_ARGS__)
#define WHOLE(special, text, ...)                                                                  \
    WORK("whole_pipeline", "whole_pipeline", special, text, .make = vl_make_pipe_toy,              \
         .truth = vl_truth_pipe_whole, .needs = every_part, __VA_ARGS__)

static const char *const with_tag[] = {"vl_schedule_tag", NULL};
static const char *const with_1f1b[] = {"vl_schedule_1f1b", NULL};
static const char *const with_interleaved[] = {"vl_schedule_interleaved", NULL};
static const char *const with_run[] = {"vl_stage_run", NULL};
static const char *const every_part[] = {"vl_schedule_1f1b", "vl_schedule_interleaved",
                                         "vl_schedule_tag",  "vl_schedule_actions",
                                         "vl_stage_run",     NULL};

#define REFUSED N_("a bad argument is refused")
#define UNEVEN  N_("p does not divide m")
#define FEWER   N_("fewer micro-batches than stages")
#define GROUPS  N_("p divides m")
#define ALONE   N_("one stage")
#define UNCUT   N_("more than one chunk is refused")
#define CHUNKS  N_("several chunks")

static const struct vl_case cases[] = {
    SCHEDULE(afab, "p4", UNEVEN, .share = 0.6, PIPE(4, 1, MORE, AFAB)),
    SCHEDULE(afab, "chunks", UNCUT, .share = 0.2, PIPE(3, 2, SAME, AFAB)),
    SCHEDULE(afab, "bad", REFUSED, .share = 0.2, PIPE(3, 1, SAME, AFAB) | VL_PIPE_BAD),
    TAG("p4", CHUNKS, .share = 0.7, PIPE(4, 3, GROUPS, AFAB)),
    TAG("bad", REFUSED, .share = 0.3, PIPE(2, 2, SAME, AFAB) | VL_PIPE_BAD),

    SCHEDULE(1f1b, "p4", UNEVEN, .share = 0.2, PIPE(4, 1, MORE, 1F1B)),
    SCHEDULE(1f1b, "p3", GROUPS, .share = 0.15, PIPE(3, 1, GROUPS, 1F1B)),
    SCHEDULE(1f1b, "p5_few", FEWER, .share = 0.2, PIPE(5, 1, FEW, 1F1B)),
    SCHEDULE(1f1b, "p8", UNEVEN, .share = 0.15, PIPE(8, 1, MORE, 1F1B)),
    SCHEDULE(1f1b, "p2_one", N_("one micro-batch"), .share = 0.1, PIPE(2, 1, ONE, 1F1B)),
    SCHEDULE(1f1b, "p1", ALONE, .share = 0.1, PIPE(1, 1, MORE, 1F1B)),
    SCHEDULE(1f1b, "chunks", UNCUT, .share = 0.05, PIPE(3, 2, SAME, 1F1B)),
    SCHEDULE(1f1b, "bad", REFUSED, .share = 0.05, PIPE(3, 1, SAME, 1F1B) | VL_PIPE_BAD),

    SCHEDULE(interleaved, "p2_v2", N_("two chunks"), .share = 0.15,
             PIPE(2, 2, GROUPS, INTERLEAVED)),
    SCHEDULE(interleaved, "p3_v3", N_("three chunks"), .share = 0.2,
             PIPE(3, 3, GROUPS, INTERLEAVED)),
    SCHEDULE(interleaved, "p4_v2", N_("two chunks"), .share = 0.15,
             PIPE(4, 2, GROUPS, INTERLEAVED)),
    SCHEDULE(interleaved, "p5_v4", N_("four chunks, one group"), .share = 0.1,
             PIPE(5, 4, SAME, INTERLEAVED)),
    SCHEDULE(interleaved, "p8_v2", N_("two chunks"), .share = 0.1, PIPE(8, 2, GROUPS, INTERLEAVED)),
    SCHEDULE(interleaved, "p4_v1", N_("one chunk: 1F1B"), .share = 0.15,
             PIPE(4, 1, MORE, INTERLEAVED)),
    SCHEDULE(interleaved, "p1_v3", ALONE, .share = 0.05, PIPE(1, 3, MORE, INTERLEAVED)),
    SCHEDULE(interleaved, "uneven", N_("a group cut short is refused"), .share = 0.05,
             PIPE(3, 2, MORE, INTERLEAVED)),
    SCHEDULE(interleaved, "bad", REFUSED, .share = 0.05,
             PIPE(3, 2, SAME, INTERLEAVED) | VL_PIPE_BAD),

    BOTH_SCHEDULES("bubble"),
    BOTH_SCHEDULES("live_chunks"),

    ACTIONS("p2_1f1b", N_("two stages"), .share = 0.15, PIPE(2, 1, MORE, 1F1B)),
    ACTIONS("p4_1f1b", UNEVEN, .share = 0.15, PIPE(4, 1, MORE, 1F1B)),
    ACTIONS("p3_v3", CHUNKS, .share = 0.2, PIPE(3, 3, GROUPS, INTERLEAVED)),
    ACTIONS("p2_v2", N_("two stages, two chunks"), .share = 0.1, PIPE(2, 2, GROUPS, INTERLEAVED)),
    ACTIONS("p5_own", N_("any schedule that holds"), .share = 0.15, PIPE(5, 2, SAME, ANY)),
    ACTIONS("p8_afab", FEWER, .share = 0.05, PIPE(8, 1, FEW, AFAB)),
    ACTIONS("p1_v2", N_("one stage has no messages"), .share = 0.05, PIPE(1, 2, MORE, INTERLEAVED)),
    ACTIONS("p3_exact", N_("just enough room"), .share = 0.05,
            PIPE(3, 1, MORE, 1F1B) | VL_PIPE_EXACT),
    ACTIONS("p3_short", N_("not enough room"), .share = 0.05,
            PIPE(3, 1, MORE, 1F1B) | VL_PIPE_SHORT),
    ACTIONS("bad", REFUSED, .share = 0.05, PIPE(3, 2, SAME, INTERLEAVED) | VL_PIPE_BAD),

    RUN("p1_v3", ALONE, .share = 0.05, RANKS(1, 3, MORE, INTERLEAVED)),
    RUN("p2_1f1b", N_("shared buffers"), .share = 0.1, RANKS(2, 1, MORE, 1F1B) | VL_PIPE_SHARED),
    RUN("p3_big", N_("large messages, buffers in place"), .share = 0.1,
        RANKS(3, 1, MORE, 1F1B) | VL_PIPE_IN_PLACE | VL_PIPE_BIG),
    RUN("p4_v2", N_("several chunks, shared buffers"), .share = 0.1,
        RANKS(4, 2, GROUPS, INTERLEAVED) | VL_PIPE_SHARED),
    RUN("p5_afab", N_("ranks in reverse order"), .share = 0.05,
        RANKS(5, 1, MORE, AFAB) | VL_PIPE_SHARED | VL_PIPE_REVERSED),
    RUN("p8_big", N_("large messages, shared buffers"), .share = 0.1,
        RANKS(8, 1, SAME, 1F1B) | VL_PIPE_SHARED | VL_PIPE_BIG),
    RUN("p3_zb_h1", N_("weight parts later"), .share = 0.05,
        RANKS(3, 1, MORE, ZB_H1) | VL_PIPE_IN_PLACE),
    RUN("p4_own", N_("any schedule that holds"), .share = 0.1, RANKS(4, 2, SAME, ANY)),
    RUN("p2_empty", N_("empty messages"), .share = 0.05, RANKS(2, 1, MORE, 1F1B) | VL_PIPE_EMPTY),
    RUN("p3_late", N_("a send is not waited for before it must"), .share = 0.1,
        RANKS(3, 1, MORE, AFAB) | VL_PIPE_LATE | VL_PIPE_BIG),
    RUN("p4_synchronous", N_("sends that no buffer takes"), .share = 0.05, .synchronous = 1,
        RANKS(4, 1, MORE, 1F1B) | VL_PIPE_SHARED),
    RUN("p1_error", N_("an error is passed on"), .share = 0.05,
        RANKS(1, 1, MORE, 1F1B) | VL_PIPE_FAILS),
    RUN("p3_error", N_("an error is passed on"), .share = 0.05,
        RANKS(3, 1, MORE, 1F1B) | VL_PIPE_FAILS),
    RUN("p2_no_memory", N_("a message without memory"), .share = 0.05,
        RANKS(2, 1, MORE, 1F1B) | VL_PIPE_NO_MEMORY),

    TRAFFIC("p2_1f1b", N_("1F1B"), .share = 0.25, RANKS(2, 1, MORE, 1F1B)),
    TRAFFIC("p3_v3", CHUNKS, .share = 0.25, RANKS(3, 3, GROUPS, INTERLEAVED)),
    TRAFFIC("p5_afab", N_("all forward, all backward"), .share = 0.2, RANKS(5, 1, MORE, AFAB)),
    TRAFFIC("p8_1f1b", FEWER, .share = 0.2, RANKS(8, 1, FEW, 1F1B)),
    TRAFFIC("p1_v2", N_("one stage sends nothing"), .share = 0.1, RANKS(1, 2, MORE, INTERLEAVED)),

    WHOLE("p1_v2", ALONE, .share = 0.1, RANKS(1, 2, MORE, INTERLEAVED)),
    WHOLE("p2_1f1b", N_("1F1B"), .share = 0.2, RANKS(2, 1, MORE, 1F1B) | VL_PIPE_SHARED),
    WHOLE("p3_v2", CHUNKS, .share = 0.2, RANKS(3, 2, GROUPS, INTERLEAVED) | VL_PIPE_SHARED),
    WHOLE("p4_big", N_("large messages, buffers in place"), .share = 0.2,
          RANKS(4, 1, MORE, 1F1B) | VL_PIPE_IN_PLACE | VL_PIPE_BIG),
    WHOLE("p5_1f1b", FEWER, .share = 0.15, RANKS(5, 1, FEW, 1F1B) | VL_PIPE_SHARED),
    WHOLE("p8_v2", CHUNKS, .share = 0.15, RANKS(8, 2, SAME, INTERLEAVED)),

    PAPER(bubble_of_ideal, "one_chunk", N_("one chunk"), .share = 0.35, .bound = CLOSE),
    PAPER(bubble_of_ideal, "chunks", CHUNKS, .share = 0.35, .bound = CLOSE,
          .variant = 2 * VL_PIPE_CHUNK),
    PAPER(bubble_of_ideal, "bad", REFUSED, .share = 0.15, .bound = CLOSE, .variant = VL_PIPE_BAD),
    PAPER(bubble_of_ideal, "uneven", N_("a group cut short is refused"), .share = 0.15,
          .bound = CLOSE, .variant = 2 * VL_PIPE_CHUNK | VL_PIPE_BAD),
    PAPER(live_afab, "sizes", N_("pipelines of all kinds"), .share = 0.7),
    PAPER(live_afab, "bad", REFUSED, .share = 0.3, .variant = VL_PIPE_BAD),
    PAPER(live_1f1b, "sizes", N_("pipelines of all kinds"), .share = 0.8),
    PAPER(live_1f1b, "bad", REFUSED, .share = 0.2, .variant = VL_PIPE_BAD),
    PAPER(live_interleaved, "chunks", CHUNKS, .share = 0.6, .variant = 2 * VL_PIPE_CHUNK),
    PAPER(live_interleaved, "one_chunk", N_("one chunk: 1F1B"), .share = 0.2),
    PAPER(live_interleaved, "bad", REFUSED, .share = 0.1, .variant = VL_PIPE_BAD),
    PAPER(live_interleaved, "uneven", N_("a group cut short is refused"), .share = 0.1,
          .variant = 2 * VL_PIPE_CHUNK | VL_PIPE_BAD),

    SEALED(bubble, N_("the bubble of 1F1B"), .bound = CLOSE),
    SEALED(chunked, N_("the bubble with chunks"), .bound = CLOSE),
    SEALED(live, N_("micro-batches alive"), .bound = 0),
    SEALED(sent, N_("bytes sent"), .bound = 0),

    SCHEDULE(zb_h1, "p4", UNEVEN, .share = 0.3, PIPE(4, 1, MORE, ZB_H1)),
    SCHEDULE(zb_h1, "p3", GROUPS, .share = 0.2, PIPE(3, 1, GROUPS, ZB_H1)),
    SCHEDULE(zb_h1, "p8", UNEVEN, .share = 0.2, PIPE(8, 1, MORE, ZB_H1)),
    SCHEDULE(zb_h1, "p5_few", FEWER, .share = 0.1, PIPE(5, 1, FEW, ZB_H1)),
    SCHEDULE(zb_h1, "p1", ALONE, .share = 0.1, PIPE(1, 1, MORE, ZB_H1)),
    SCHEDULE(zb_h1, "chunks", UNCUT, .share = 0.05, PIPE(3, 2, SAME, ZB_H1)),
    SCHEDULE(zb_h1, "bad", REFUSED, .share = 0.05, PIPE(3, 1, SAME, ZB_H1) | VL_PIPE_BAD),
};

VL_LAB_CASES(pipeline_parallel);
