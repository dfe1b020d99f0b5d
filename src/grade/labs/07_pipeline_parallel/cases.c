/*
 * Lab 07's cases: which questions are put to which function, and what each is worth.
 */
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include "base/text.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define CLOSE 1e-12 /* float64 */
#define BITS  0     /* orders, counts, and a toy whose numbers are rounded once */
#define FLOOR 1e-6

/* Function, what is special, purpose, share, bound, maker, truth, suspects, needs, variant. */
#define SERIAL(name, special, purpose, share, bound, maker, truth, suspects, needs, variant)       \
    {                                                                                              \
        name "." special, "vl_" name, purpose, 1, share, bound, FLOOR, needs, vl_make_##maker,     \
            vl_truth_##truth, suspects, variant, 0, 0                                              \
    }
#define SCHEDULE(name, special, purpose, share, variant)                                           \
    SERIAL("schedule_" #name, special, purpose, share, BITS, pipe_sizes, pipe_schedule,            \
           vl_suspects_schedule_##name, NULL, variant)
/* Of a schedule, run on paper: no function of a file. */
#define ON_PAPER(name, special, purpose, share, needs, variant)                                    \
    {                                                                                              \
        name "." special, name, purpose, 1, share, BITS, FLOOR, needs, vl_make_pipe_sizes,         \
            vl_truth_pipe_status, NULL, variant, 0, 0                                              \
    }
#define ACTIONS(special, purpose, share, variant)                                                  \
    SERIAL("schedule_actions", special, purpose, share, BITS, pipe_rows, pipe_actions,             \
           vl_suspects_pipe_actions, with_tag, variant)
#define PAPER(name, special, purpose, share, bound, variant)                                       \
    SERIAL(#name, special, purpose, share, bound, pipe_paper, pipe_##name, vl_suspects_##name,     \
           NULL, variant)
#define SEALED(name, purpose, bound)                                                               \
    SERIAL("predict_pipeline", #name, purpose, 0.25, bound, pipe_paper, predict_pipe_##name,       \
           vl_suspects_predict_pipe_##name, NULL, 0)

/* One case on as many ranks as its variant has stages; the last number: synchronous. */
#define RUN_SYNCHRONOUS(special, purpose, ranks, share, variant, synchronous)                      \
    {                                                                                              \
        "stage_run." special, "vl_stage_run", purpose, ranks, share, BITS, FLOOR, NULL,            \
            vl_make_pipe_actions, vl_truth_pipe_run, vl_suspects_pipe_run, (ranks) + (variant), 1, \
            synchronous                                                                            \
    }
#define RUN(special, purpose, ranks, share, variant)                                               \
    RUN_SYNCHRONOUS(special, purpose, ranks, share, variant, 0)
#define TRAFFIC(special, purpose, ranks, share, variant)                                           \
    {                                                                                              \
        "stage_traffic." special, "stage_traffic", purpose, ranks, share, BITS, FLOOR, with_run,   \
            vl_make_pipe_actions, vl_truth_pipe_traffic, vl_suspects_pipe_traffic,                 \
            (ranks) + (variant), 1, 0                                                              \
    }
#define WHOLE(special, purpose, ranks, share, variant)                                             \
    {                                                                                              \
        "whole_pipeline." special, "whole_pipeline", purpose, ranks, share, BITS, FLOOR,           \
            every_part, vl_make_pipe_toy, vl_truth_pipe_whole, vl_suspects_pipe_run,               \
            (ranks) + (variant), 1, 0                                                              \
    }

static const char *const with_tag[] = {"vl_schedule_tag", NULL};
static const char *const with_1f1b[] = {"vl_schedule_1f1b", NULL};
static const char *const with_interleaved[] = {"vl_schedule_interleaved", NULL};
static const char *const with_run[] = {"vl_stage_run", NULL};
static const char *const every_part[] = {"vl_schedule_1f1b", "vl_schedule_interleaved",
                                         "vl_schedule_tag",  "vl_schedule_actions",
                                         "vl_stage_run",     NULL};

#define REFUSED N_("a bad argument is refused")
#define PLAIN   N_("p does not divide m")
#define FEW     N_("fewer micro-batches than stages")
#define GROUPS  N_("p divides m")
#define ALONE   N_("one stage")
#define UNCUT   N_("more than one chunk is refused")
#define CHUNKS  N_("several chunks")

enum {
    ONE = VL_PIPE_M_ONE,
    FEWER = VL_PIPE_M_FEW,
    SAME = VL_PIPE_M_SAME,
    MORE = VL_PIPE_M_MORE,
    MULTIPLE = VL_PIPE_M_GROUPS,
    V2 = 2 * VL_PIPE_V,
    V3 = 3 * VL_PIPE_V,
    V4 = 4 * VL_PIPE_V,
    AFAB = 0,
    F1B1 = VL_ORACLE_1F1B * VL_PIPE_1F1B,
    LEAVED = VL_ORACLE_INTERLEAVED * VL_PIPE_1F1B,
    ZB = VL_ORACLE_ZB_H1 * VL_PIPE_1F1B,
    OWN = VL_PIPE_OWN * VL_PIPE_1F1B,
    SHARED = VL_PIPE_SHARED,
    IN_PLACE = VL_PIPE_IN_PLACE,
    BAD = VL_PIPE_BAD
};

static const struct vl_case cases[] = {
    SCHEDULE(afab, "p4", PLAIN, 0.6, 4 + MORE + AFAB),
    SCHEDULE(afab, "chunks", UNCUT, 0.2, 3 + V2 + SAME + AFAB),
    SCHEDULE(afab, "bad", REFUSED, 0.2, 3 + SAME + AFAB + BAD),
    SERIAL("schedule_tag", "p4", CHUNKS, 0.7, BITS, pipe_sizes, pipe_status, NULL, NULL,
           4 + V3 + MULTIPLE),
    SERIAL("schedule_tag", "bad", REFUSED, 0.3, BITS, pipe_sizes, pipe_status, NULL, NULL,
           2 + V2 + SAME + BAD),

    SCHEDULE(1f1b, "p4", PLAIN, 0.2, 4 + MORE + F1B1),
    SCHEDULE(1f1b, "p3", GROUPS, 0.15, 3 + MULTIPLE + F1B1),
    SCHEDULE(1f1b, "p5_few", FEW, 0.2, 5 + FEWER + F1B1),
    SCHEDULE(1f1b, "p8", PLAIN, 0.15, 8 + MORE + F1B1),
    SCHEDULE(1f1b, "p2_one", N_("one micro-batch"), 0.1, 2 + ONE + F1B1),
    SCHEDULE(1f1b, "p1", ALONE, 0.1, 1 + MORE + F1B1),
    SCHEDULE(1f1b, "chunks", UNCUT, 0.05, 3 + V2 + SAME + F1B1),
    SCHEDULE(1f1b, "bad", REFUSED, 0.05, 3 + SAME + F1B1 + BAD),

    SCHEDULE(interleaved, "p2_v2", N_("two chunks"), 0.15, 2 + V2 + MULTIPLE + LEAVED),
    SCHEDULE(interleaved, "p3_v3", N_("three chunks"), 0.2, 3 + V3 + MULTIPLE + LEAVED),
    SCHEDULE(interleaved, "p4_v2", N_("two chunks"), 0.15, 4 + V2 + MULTIPLE + LEAVED),
    SCHEDULE(interleaved, "p5_v4", N_("four chunks, one group"), 0.1, 5 + V4 + SAME + LEAVED),
    SCHEDULE(interleaved, "p8_v2", N_("two chunks"), 0.1, 8 + V2 + MULTIPLE + LEAVED),
    SCHEDULE(interleaved, "p4_v1", N_("one chunk: 1F1B"), 0.15, 4 + MORE + LEAVED),
    SCHEDULE(interleaved, "p1_v3", ALONE, 0.05, 1 + V3 + MORE + LEAVED),
    SCHEDULE(interleaved, "uneven", N_("a group cut short is refused"), 0.05,
             3 + V2 + MORE + LEAVED),
    SCHEDULE(interleaved, "bad", REFUSED, 0.05, 3 + V2 + SAME + LEAVED + BAD),

    ON_PAPER("bubble", "1f1b_p4", N_("1F1B"), 0.25, with_1f1b, 4 + MORE + F1B1),
    ON_PAPER("bubble", "1f1b_p8", N_("1F1B"), 0.25, with_1f1b, 8 + MULTIPLE + F1B1),
    ON_PAPER("bubble", "interleaved_p4", CHUNKS, 0.25, with_interleaved,
             4 + V2 + MULTIPLE + LEAVED),
    ON_PAPER("bubble", "interleaved_p3", CHUNKS, 0.25, with_interleaved,
             3 + V4 + MULTIPLE + LEAVED),
    ON_PAPER("live_chunks", "1f1b_p4", N_("1F1B"), 0.25, with_1f1b, 4 + MORE + F1B1),
    ON_PAPER("live_chunks", "1f1b_p8", N_("1F1B"), 0.25, with_1f1b, 8 + MULTIPLE + F1B1),
    ON_PAPER("live_chunks", "interleaved_p4", CHUNKS, 0.25, with_interleaved,
             4 + V2 + MULTIPLE + LEAVED),
    ON_PAPER("live_chunks", "interleaved_p3", CHUNKS, 0.25, with_interleaved,
             3 + V4 + MULTIPLE + LEAVED),

    ACTIONS("p2_1f1b", N_("two stages"), 0.15, 2 + MORE + F1B1),
    ACTIONS("p4_1f1b", PLAIN, 0.15, 4 + MORE + F1B1),
    ACTIONS("p3_v3", CHUNKS, 0.2, 3 + V3 + MULTIPLE + LEAVED),
    ACTIONS("p2_v2", N_("two stages, two chunks"), 0.1, 2 + V2 + MULTIPLE + LEAVED),
    ACTIONS("p5_own", N_("any schedule that holds"), 0.15, 5 + V2 + SAME + OWN),
    ACTIONS("p8_afab", FEW, 0.05, 8 + FEWER + AFAB),
    ACTIONS("p1_v2", N_("one stage has no messages"), 0.05, 1 + V2 + MORE + LEAVED),
    ACTIONS("p3_exact", N_("just enough room"), 0.05, 3 + MORE + F1B1 + VL_PIPE_EXACT),
    ACTIONS("p3_short", N_("not enough room"), 0.05, 3 + MORE + F1B1 + VL_PIPE_SHORT),
    ACTIONS("bad", REFUSED, 0.05, 3 + V2 + SAME + LEAVED + BAD),

    RUN("p1_v3", ALONE, 1, 0.05, V3 + MORE + LEAVED),
    RUN("p2_1f1b", N_("shared buffers"), 2, 0.1, MORE + F1B1 + SHARED),
    RUN("p3_big", N_("large messages, buffers in place"), 3, 0.1,
        MORE + F1B1 + IN_PLACE + VL_PIPE_BIG),
    RUN("p4_v2", N_("several chunks, shared buffers"), 4, 0.1, V2 + MULTIPLE + LEAVED + SHARED),
    RUN("p5_afab", N_("ranks in reverse order"), 5, 0.05, MORE + AFAB + SHARED + VL_PIPE_REVERSED),
    RUN("p8_big", N_("large messages, shared buffers"), 8, 0.1, SAME + F1B1 + SHARED + VL_PIPE_BIG),
    RUN("p3_zb_h1", N_("weight parts later"), 3, 0.05, MORE + ZB + IN_PLACE),
    RUN("p4_own", N_("any schedule that holds"), 4, 0.1, V2 + SAME + OWN),
    RUN("p2_empty", N_("empty messages"), 2, 0.05, MORE + F1B1 + VL_PIPE_EMPTY),
    RUN("p3_late", N_("a send is not waited for before it must"), 3, 0.1,
        MORE + AFAB + VL_PIPE_LATE + VL_PIPE_BIG),
    RUN_SYNCHRONOUS("p4_synchronous", N_("sends that no buffer takes"), 4, 0.05,
                    MORE + F1B1 + SHARED, 1),
    RUN("p1_error", N_("an error is passed on"), 1, 0.05, MORE + F1B1 + VL_PIPE_FAILS),
    RUN("p3_error", N_("an error is passed on"), 3, 0.05, MORE + F1B1 + VL_PIPE_FAILS),
    RUN("p2_no_memory", N_("a message without memory"), 2, 0.05, MORE + F1B1 + VL_PIPE_NO_MEMORY),

    TRAFFIC("p2_1f1b", N_("1F1B"), 2, 0.25, MORE + F1B1),
    TRAFFIC("p3_v3", CHUNKS, 3, 0.25, V3 + MULTIPLE + LEAVED),
    TRAFFIC("p5_afab", N_("all forward, all backward"), 5, 0.2, MORE + AFAB),
    TRAFFIC("p8_1f1b", FEW, 8, 0.2, FEWER + F1B1),
    TRAFFIC("p1_v2", N_("one stage sends nothing"), 1, 0.1, V2 + MORE + LEAVED),

    WHOLE("p1_v2", ALONE, 1, 0.1, V2 + MORE + LEAVED),
    WHOLE("p2_1f1b", N_("1F1B"), 2, 0.2, MORE + F1B1 + SHARED),
    WHOLE("p3_v2", CHUNKS, 3, 0.2, V2 + MULTIPLE + LEAVED + SHARED),
    WHOLE("p4_big", N_("large messages, buffers in place"), 4, 0.2,
          MORE + F1B1 + IN_PLACE + VL_PIPE_BIG),
    WHOLE("p5_1f1b", FEW, 5, 0.15, FEWER + F1B1 + SHARED),
    WHOLE("p8_v2", CHUNKS, 8, 0.15, V2 + SAME + LEAVED),

    PAPER(bubble_of_ideal, "one_chunk", N_("one chunk"), 0.35, CLOSE, 0),
    PAPER(bubble_of_ideal, "chunks", CHUNKS, 0.35, CLOSE, V2),
    PAPER(bubble_of_ideal, "bad", REFUSED, 0.15, CLOSE, BAD),
    PAPER(bubble_of_ideal, "uneven", N_("a group cut short is refused"), 0.15, CLOSE, V2 + BAD),
    PAPER(live_afab, "sizes", N_("pipelines of all kinds"), 0.7, BITS, 0),
    PAPER(live_afab, "bad", REFUSED, 0.3, BITS, BAD),
    PAPER(live_1f1b, "sizes", N_("pipelines of all kinds"), 0.8, BITS, 0),
    PAPER(live_1f1b, "bad", REFUSED, 0.2, BITS, BAD),
    PAPER(live_interleaved, "chunks", CHUNKS, 0.6, BITS, V2),
    PAPER(live_interleaved, "one_chunk", N_("one chunk: 1F1B"), 0.2, BITS, 0),
    PAPER(live_interleaved, "bad", REFUSED, 0.1, BITS, BAD),
    PAPER(live_interleaved, "uneven", N_("a group cut short is refused"), 0.1, BITS, V2 + BAD),

    SEALED(bubble, N_("the bubble of 1F1B"), CLOSE),
    SEALED(chunked, N_("the bubble with chunks"), CLOSE),
    SEALED(live, N_("micro-batches alive"), BITS),
    SEALED(sent, N_("bytes sent"), BITS),

    SCHEDULE(zb_h1, "p4", PLAIN, 0.3, 4 + MORE + ZB),
    SCHEDULE(zb_h1, "p3", GROUPS, 0.2, 3 + MULTIPLE + ZB),
    SCHEDULE(zb_h1, "p8", PLAIN, 0.2, 8 + MORE + ZB),
    SCHEDULE(zb_h1, "p5_few", FEW, 0.1, 5 + FEWER + ZB),
    SCHEDULE(zb_h1, "p1", ALONE, 0.1, 1 + MORE + ZB),
    SCHEDULE(zb_h1, "chunks", UNCUT, 0.05, 3 + V2 + SAME + ZB),
    SCHEDULE(zb_h1, "bad", REFUSED, 0.05, 3 + SAME + ZB + BAD),
};

const struct vl_lab_cases vl_cases_pipeline_parallel = {7, cases, COUNT(cases), NULL, 0};
