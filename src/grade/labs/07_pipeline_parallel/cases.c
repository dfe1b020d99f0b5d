/*
 * Lab 07's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include "base/text.h"
#include "grade/catalogue/shapes.h"

/* The bound is zero unless a case says otherwise: orders, counts, and a toy whose numbers are
 * rounded once. */
#define CLOSE 1e-12 /* float64 */

/* A variant of p stages and v chunks; micro-batches and order by their names: PIPE(4, 2, GROUPS,
 * 1F1B). On RANKS, each stage is a rank. */
#define PIPE(p, v, micro_batches, order)                                                           \
    .ranks = 1, .variant = (p) | (v)*VL_PIPE_CHUNK | VL_PIPE_##micro_batches | VL_PIPE_##order
#define RANKS(p, v, micro_batches, order)                                                          \
    .ranks = (p), .variant = (p) | (v)*VL_PIPE_CHUNK | VL_PIPE_##micro_batches | VL_PIPE_##order

/* A case: its id up to the dot, its function, the maker of its inputs, its truth; then what is
 * special, its share, its purpose, and further fields by name. */
#define CASE(name, asks, maker, answer, special, portion, text, ...)                               \
    {                                                                                              \
        .id = name "." special, .function = asks, .share = portion, .purpose = text,               \
        .floor = 1e-6, .make = vl_make_pipe_##maker, .truth = vl_truth_##answer, __VA_ARGS__       \
    }
#define SCHEDULE(name, ...)                                                                        \
    CASE("schedule_" #name, "vl_schedule_" #name, sizes, pipe_schedule, __VA_ARGS__)
#define TAG(...) CASE("schedule_tag", "vl_schedule_tag", sizes, pipe_status, __VA_ARGS__)
#define ACTIONS(...)                                                                               \
    CASE("schedule_actions", "vl_schedule_actions", rows, pipe_actions, __VA_ARGS__,               \
         .needs = with_tag)
#define PAPER(name, ...)                                                                           \
    CASE(#name, "vl_" #name, paper, name, __VA_ARGS__, .ranks = 1, .sizes = vl_sizes_of_pipe)
#define SEALED(number, ...)                                                                        \
    VL_CASE("predict_pipeline", "vl_predict_pipeline", shapes, predict_pipe_##number, #number,     \
            __VA_ARGS__, .share = 0.25, .floor = 1e-6, .ranks = 1, .sealed = 1)

/* About the schedules, run on paper: these functions are not defined in one source file. */
#define ON_PAPER(name, special, ...)                                                               \
    CASE(name, name, sizes, pipe_status, special, 0.25, __VA_ARGS__)
#define BOTH_SCHEDULES(name)                                                                       \
    ON_PAPER(name, "1f1b_p4", N_("1F1B"), PIPE(4, 1, MORE, 1F1B), .needs = with_1f1b),             \
        ON_PAPER(name, "1f1b_p8", N_("1F1B"), PIPE(8, 1, GROUPS, 1F1B), .needs = with_1f1b),       \
        ON_PAPER(name, "interleaved_p4", CHUNKS, PIPE(4, 2, GROUPS, INTERLEAVED),                  \
                 .needs = with_interleaved),                                                       \
        ON_PAPER(name, "interleaved_p3", CHUNKS, PIPE(3, 4, GROUPS, INTERLEAVED),                  \
                 .needs = with_interleaved)

/* On as many ranks as the variant has stages. */
#define RANKED(...) CASE(__VA_ARGS__, .per_rank = 1, .part = vl_part_pipeline_parallel)
#define RUN(...)    RANKED("stage_run", "vl_stage_run", actions, pipe_run, __VA_ARGS__)
#define TRAFFIC(...)                                                                               \
    RANKED("stage_traffic", "stage_traffic", actions, pipe_traffic, __VA_ARGS__, .needs = with_run)
#define WHOLE(...)                                                                                 \
    RANKED("whole_pipeline", "whole_pipeline", toy, pipe_whole, __VA_ARGS__, .needs = every_part)

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
#define CUT     N_("a group cut short is refused")
#define FAILS   N_("an error is passed on")

#define CHUNKED .variant = 2 * VL_PIPE_CHUNK

static const struct vl_case cases[] = {
    SCHEDULE(afab, "p4", 0.6, UNEVEN, PIPE(4, 1, MORE, AFAB) | VL_PIPE_PRESET),
    SCHEDULE(afab, "chunks", 0.2, UNCUT, PIPE(3, 2, SAME, AFAB)),
    SCHEDULE(afab, "bad", 0.2, REFUSED, PIPE(3, 1, SAME, AFAB) | VL_PIPE_BAD),
    TAG("p4", 0.7, CHUNKS, PIPE(4, 3, GROUPS, AFAB)),
    TAG("bad", 0.3, REFUSED, PIPE(2, 2, SAME, AFAB) | VL_PIPE_BAD),

    SCHEDULE(1f1b, "p4", 0.2, UNEVEN, PIPE(4, 1, MORE, 1F1B)),
    SCHEDULE(1f1b, "p3", 0.15, GROUPS, PIPE(3, 1, GROUPS, 1F1B) | VL_PIPE_PRESET),
    SCHEDULE(1f1b, "p5_few", 0.2, FEWER, PIPE(5, 1, FEW, 1F1B)),
    SCHEDULE(1f1b, "p8", 0.15, UNEVEN, PIPE(8, 1, MORE, 1F1B)),
    SCHEDULE(1f1b, "p2_one", 0.1, N_("one micro-batch"), PIPE(2, 1, ONE, 1F1B)),
    SCHEDULE(1f1b, "p1", 0.1, ALONE, PIPE(1, 1, MORE, 1F1B)),
    SCHEDULE(1f1b, "chunks", 0.05, UNCUT, PIPE(3, 2, SAME, 1F1B)),
    SCHEDULE(1f1b, "bad", 0.05, REFUSED, PIPE(3, 1, SAME, 1F1B) | VL_PIPE_BAD),

    SCHEDULE(interleaved, "p2_v2", 0.15, N_("two chunks"),
             PIPE(2, 2, GROUPS, INTERLEAVED) | VL_PIPE_PRESET),
    SCHEDULE(interleaved, "p3_v3", 0.2, N_("three chunks"), PIPE(3, 3, GROUPS, INTERLEAVED)),
    SCHEDULE(interleaved, "p4_v2", 0.15, N_("two chunks"), PIPE(4, 2, GROUPS, INTERLEAVED)),
    SCHEDULE(interleaved, "p5_v4", 0.1, N_("four chunks, one group"),
             PIPE(5, 4, SAME, INTERLEAVED)),
    SCHEDULE(interleaved, "p8_v2", 0.1, N_("two chunks"), PIPE(8, 2, GROUPS, INTERLEAVED)),
    SCHEDULE(interleaved, "p3_v2", 0.05, N_("two chunks, one group"),
             PIPE(3, 2, SAME, INTERLEAVED)),
    SCHEDULE(interleaved, "p4_v1", 0.05, N_("one chunk: 1F1B"), PIPE(4, 1, MORE, INTERLEAVED)),
    SCHEDULE(interleaved, "p5_v1_few", 0.05, FEWER, PIPE(5, 1, FEW, INTERLEAVED)),
    SCHEDULE(interleaved, "p1_v3", 0.05, ALONE, PIPE(1, 3, MORE, INTERLEAVED)),
    SCHEDULE(interleaved, "uneven", 0.05, CUT, PIPE(3, 2, MORE, INTERLEAVED)),
    SCHEDULE(interleaved, "bad", 0.05, REFUSED, PIPE(3, 2, GROUPS, INTERLEAVED) | VL_PIPE_BAD),

    BOTH_SCHEDULES("bubble"),
    BOTH_SCHEDULES("live_chunks"),

    ACTIONS("p2_1f1b", 0.15, N_("two stages"), PIPE(2, 1, MORE, 1F1B)),
    ACTIONS("p4_1f1b", 0.15, UNEVEN, PIPE(4, 1, MORE, 1F1B)),
    ACTIONS("p3_v3", 0.2, CHUNKS, PIPE(3, 3, GROUPS, INTERLEAVED)),
    ACTIONS("p2_v2", 0.1, N_("two stages, two chunks"), PIPE(2, 2, GROUPS, INTERLEAVED)),
    ACTIONS("p5_own", 0.15, N_("any valid schedule"), PIPE(5, 2, SAME, ANY)),
    ACTIONS("p8_afab", 0.05, FEWER, PIPE(8, 1, FEW, AFAB)),
    ACTIONS("p1_v2", 0.03, N_("one stage has no messages"), PIPE(1, 2, MORE, INTERLEAVED)),
    ACTIONS("p1_many", 0.02, N_("more micro-batches than tags, but no messages"),
            PIPE(1, 2, MANY, INTERLEAVED)),
    ACTIONS("p3_exact", 0.05, N_("just enough room"), PIPE(3, 1, MORE, 1F1B) | VL_PIPE_EXACT),
    ACTIONS("p3_short", 0.05, N_("not enough room"), PIPE(3, 1, MORE, 1F1B) | VL_PIPE_SHORT),
    ACTIONS("bad", 0.05, REFUSED, PIPE(3, 2, SAME, INTERLEAVED) | VL_PIPE_BAD),

    RUN("p1_v3", 0.04, ALONE, RANKS(1, 3, MORE, INTERLEAVED)),
    RUN("p2_1f1b", 0.08, N_("shared buffers"), RANKS(2, 1, MORE, 1F1B) | VL_PIPE_SHARED),
    RUN("p3_big", 0.08, N_("large messages, buffers in place"),
        RANKS(3, 1, MORE, 1F1B) | VL_PIPE_IN_PLACE | VL_PIPE_BIG),
    RUN("p4_v2", 0.08, N_("several chunks, shared buffers"),
        RANKS(4, 2, GROUPS, INTERLEAVED) | VL_PIPE_SHARED | VL_PIPE_BIG),
    RUN("p5_afab", 0.04, N_("ranks in reverse order"),
        RANKS(5, 1, MORE, AFAB) | VL_PIPE_SHARED | VL_PIPE_REVERSED),
    RUN("p8_big", 0.08, N_("large messages, shared buffers"),
        RANKS(8, 1, SAME, 1F1B) | VL_PIPE_SHARED | VL_PIPE_BIG),
    RUN("p3_zb_h1", 0.05, N_("weight parts later"),
        RANKS(3, 1, MORE, ZB_H1) | VL_PIPE_IN_PLACE | VL_PIPE_LISTED),
    RUN("p4_own", 0.09, N_("any valid schedule"), RANKS(4, 2, SAME, ANY)),
    RUN("p2_unequal", 0.05, N_("messages of unequal size"),
        RANKS(2, 1, MORE, 1F1B) | VL_PIPE_SHARED | VL_PIPE_UNEQUAL),
    RUN("p2_empty", 0.04, N_("empty messages"), RANKS(2, 1, MORE, 1F1B) | VL_PIPE_EMPTY),
    RUN("p2_v2_empty", 0.04, N_("empty messages"), .synchronous = 2,
        RANKS(2, 2, GROUPS, INTERLEAVED) | VL_PIPE_EMPTY | VL_PIPE_ONE_PLACE),
    RUN("p3_late", 0.1, N_("no send is waited for too early"),
        RANKS(3, 1, MORE, AFAB) | VL_PIPE_LATE | VL_PIPE_BIG),
    RUN("p4_synchronous", 0.04, N_("sends that wait for their receives"), .synchronous = 1,
        RANKS(4, 1, MORE, 1F1B) | VL_PIPE_SHARED),
    RUN("p1_error", 0.04, FAILS, RANKS(1, 1, MORE, 1F1B) | VL_PIPE_FAILS),
    RUN("p3_error", 0.04, FAILS, RANKS(3, 1, MORE, 1F1B) | VL_PIPE_FAILS),
    RUN("p2_no_memory", 0.04, N_("a message without memory"),
        RANKS(2, 1, MORE, AFAB) | VL_PIPE_BIG | VL_PIPE_NO_MEMORY),
    RUN("p2_too_long", 0.03, FAILS, RANKS(2, 1, MORE, 1F1B) | VL_PIPE_TOO_LONG),
    RUN("p1_no_actions", 0.02, N_("nothing to do"), .idle = 1,
        RANKS(1, 1, MORE, 1F1B) | VL_PIPE_NO_ACTIONS),
    RUN("bad", 0.02, REFUSED, RANKS(1, 1, MORE, 1F1B) | VL_PIPE_BAD),

    TRAFFIC("p2_1f1b", 0.2, N_("1F1B"), RANKS(2, 1, MORE, 1F1B)),
    TRAFFIC("p3_v3", 0.25, CHUNKS, RANKS(3, 3, GROUPS, INTERLEAVED)),
    TRAFFIC("p5_afab", 0.2, N_("all forward, all backward"), RANKS(5, 1, MORE, AFAB)),
    TRAFFIC("p8_1f1b", 0.2, FEWER, RANKS(8, 1, FEW, 1F1B)),
    TRAFFIC("p3_empty", 0.05, N_("empty messages"), RANKS(3, 1, MORE, 1F1B) | VL_PIPE_EMPTY),
    TRAFFIC("p1_v2", 0.1, N_("one stage sends nothing"), RANKS(1, 2, MORE, INTERLEAVED)),

    WHOLE("p1_v2", 0.1, ALONE, RANKS(1, 2, MORE, INTERLEAVED)),
    WHOLE("p2_1f1b", 0.2, N_("1F1B"), RANKS(2, 1, MORE, 1F1B) | VL_PIPE_SHARED),
    WHOLE("p3_v2", 0.2, CHUNKS, RANKS(3, 2, GROUPS, INTERLEAVED) | VL_PIPE_SHARED),
    WHOLE("p4_big", 0.2, N_("large messages, buffers in place"),
          RANKS(4, 1, MORE, 1F1B) | VL_PIPE_IN_PLACE | VL_PIPE_BIG),
    WHOLE("p5_1f1b", 0.15, FEWER, RANKS(5, 1, FEW, 1F1B) | VL_PIPE_SHARED),
    WHOLE("p8_v2", 0.15, CHUNKS, RANKS(8, 2, SAME, INTERLEAVED)),

    PAPER(bubble_of_ideal, "one_chunk", 0.35, N_("one chunk"), .bound = CLOSE),
    PAPER(bubble_of_ideal, "chunks", 0.35, CHUNKS, .bound = CLOSE, CHUNKED),
    PAPER(bubble_of_ideal, "bad", 0.15, REFUSED, .bound = CLOSE, .variant = VL_PIPE_BAD),
    PAPER(bubble_of_ideal, "uneven", 0.15, CUT, .bound = CLOSE, CHUNKED | VL_PIPE_BAD),
    PAPER(live_afab, "sizes", 0.7, N_("pipelines of all kinds")),
    PAPER(live_afab, "bad", 0.3, REFUSED, .variant = VL_PIPE_BAD),
    PAPER(live_1f1b, "sizes", 0.8, N_("pipelines of all kinds")),
    PAPER(live_1f1b, "bad", 0.2, REFUSED, .variant = VL_PIPE_BAD),
    PAPER(live_interleaved, "chunks", 0.6, CHUNKS, CHUNKED),
    PAPER(live_interleaved, "one_chunk", 0.2, N_("one chunk: 1F1B")),
    PAPER(live_interleaved, "bad", 0.1, REFUSED, .variant = VL_PIPE_BAD),
    PAPER(live_interleaved, "uneven", 0.1, CUT, CHUNKED | VL_PIPE_BAD),

    SEALED(bubble, N_("the bubble of 1F1B"), .bound = CLOSE),
    SEALED(chunked, N_("the bubble with chunks"), .bound = CLOSE),
    SEALED(live, N_("micro-batches alive"), .bound = 0),
    SEALED(sent, N_("bytes sent"), .bound = 0),

    SCHEDULE(zb_h1, "p4", 0.3, UNEVEN, PIPE(4, 1, MORE, ZB_H1)),
    SCHEDULE(zb_h1, "p3", 0.2, GROUPS, PIPE(3, 1, GROUPS, ZB_H1) | VL_PIPE_PRESET),
    SCHEDULE(zb_h1, "p8", 0.2, UNEVEN, PIPE(8, 1, MORE, ZB_H1)),
    SCHEDULE(zb_h1, "p5_few", 0.1, FEWER, PIPE(5, 1, FEW, ZB_H1)),
    SCHEDULE(zb_h1, "p1", 0.1, ALONE, PIPE(1, 1, MORE, ZB_H1)),
    SCHEDULE(zb_h1, "chunks", 0.05, UNCUT, PIPE(3, 2, SAME, ZB_H1)),
    SCHEDULE(zb_h1, "bad", 0.05, REFUSED, PIPE(3, 1, SAME, ZB_H1) | VL_PIPE_BAD),
};

VL_LAB_CASES(pipeline_parallel);
