/*
 * Lab 07 inside the grader: makers of inputs, truths and inspectors.
 *
 * Sizes of a case, in every bag: "stages", "chunks", "micro_batches", "order" (I64; the order as
 * enum vl_pipe_order). These are passed as tables of whole numbers:
 *
 *   schedules   "tasks" (p * 3vm, 3): kind, chunk, micro-batch; row by row
 *   actions     "rows" (p * 3vm, 3), "rooms" (1,p) -> "counts" (1,p), "actions" (p * most, 5):
 *               kind, the task's kind, chunk and micro-batch, peer; and "tags" (p * most). -1 where
 *               there is nothing. If the memory is too small: "statuses" (1,p), too
 *   run         "actions" (all, 6; the tag last); those of stage s go from begin[s] to begin[s + 1],
 *               and the last of these is not its own: nobody looks at it
 *   on paper    "sizes" (n, 4): p, v, m, stage -> "share" or "live" (1,n)
 *
 * If the message of a gradient is longer, what it has more comes first ("more" numbers, no output).
 *
 * The toy, on virtual stage k, for one micro-batch m; n numbers, each rounded once:
 *
 *   F   y = x / 2 + c[k]           x = first[m] on stage 0, else the y that came
 *   B   d = dy / 2 + x             dy = y - target[m] at the end, else the d that came
 *   W   gradient[k] += dy          so its bits show the order of the weight parts
 *
 * Each stage answers x and dy as its tasks read them (v m, n), the gradients (v, n), and the order
 * in which it computed. Of the inputs it gets its rows of c and its actions; only the first stage
 * has 'first', and only the last one 'target'.
 */
#ifndef VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_PIPELINE_PARALLEL_H
#define VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_PIPELINE_PARALLEL_H

#include "grade/catalogue/case.h"
#include "oracle/pipeline.h"
#include "vialata/schedule.h"

/* In addition to the oracle's orders: any order that is valid. */
enum vl_pipe_order { VL_PIPE_ANY_ORDER = VL_ORACLE_ORDERS };

/* 'variant' of a case: its sizes, its order, and what else is special about it. */
enum vl_pipe_variant {
    VL_PIPE_STAGES = 0xf,  /* the bits of p */
    VL_PIPE_CHUNK = 0x10,  /* times v */
    VL_PIPE_CHUNKS = 0x70, /* the bits of v; none is one */

    VL_PIPE_MICRO_BATCHES = 0x380, /* the bits of how many micro-batches: */
    VL_PIPE_ONE = 0x80,
    VL_PIPE_FEW = 0x100,    /* fewer than stages */
    VL_PIPE_SAME = 0x180,   /* as many */
    VL_PIPE_MORE = 0x200,   /* p does not divide it */
    VL_PIPE_GROUPS = 0x280, /* p divides it */
    VL_PIPE_MANY = 0x300,   /* more than there are tags for */

    VL_PIPE_ORDERS = 0x1c00, /* the bits of the order */
    VL_PIPE_ORDER = 0x400,   /* times enum vl_pipe_order */
    VL_PIPE_AFAB = VL_ORACLE_AFAB * VL_PIPE_ORDER,
    VL_PIPE_1F1B = VL_ORACLE_1F1B * VL_PIPE_ORDER,
    VL_PIPE_INTERLEAVED = VL_ORACLE_INTERLEAVED * VL_PIPE_ORDER,
    VL_PIPE_ZB_H1 = VL_ORACLE_ZB_H1 * VL_PIPE_ORDER,
    VL_PIPE_ANY = VL_PIPE_ANY_ORDER * VL_PIPE_ORDER,

    VL_PIPE_SHARED = 0x2000,   /* one buffer for each direction, out and in; else one per message */
    VL_PIPE_IN_PLACE = 0x4000, /* one buffer for each direction */

    VL_PIPE_BAD = 0x8000,          /* outside the contract */
    VL_PIPE_REVERSED = 0x10000,    /* the communicator counts the ranks backwards */
    VL_PIPE_BIG = 0x20000,         /* messages that no eager send takes */
    VL_PIPE_EMPTY = 0x40000,       /* empty messages, without memory */
    VL_PIPE_LATE = 0x80000,        /* stages begin when the first has done its forwards, and ask for
                                     gradients when the last has done everything */
    VL_PIPE_FAILS = 0x100000,      /* compute fails */
    VL_PIPE_NO_MEMORY = 0x200000,  /* 'message' fails, but for the first that stage 0 sends */
    VL_PIPE_EXACT = 0x400000,      /* actions: first no memory, then just enough for them */
    VL_PIPE_SHORT = 0x800000,      /* ... not enough */
    VL_PIPE_UNEQUAL = 0x1000000,   /* messages of gradients are longer */
    VL_PIPE_ONE_PLACE = 0x2000000, /* empty messages all have the same memory */
    VL_PIPE_TOO_LONG = 0x4000000,  /* messages too long to be sent */
    VL_PIPE_NO_ACTIONS = 0x8000000, /* nothing to do */
    VL_PIPE_PRESET = 0x10000000,    /* something is in a schedule's slots before the call */
    VL_PIPE_LISTED = 0x20000000 /* 'message' knows no action but those of the run, and what comes
                                       after them looks like one */
};
struct vl_pipe {
    struct vl_oracle_pipe size;
    int order;
    size_t width; /* 3 v m, tasks of a stage */
    size_t most;  /* actions of a stage, if each task had both messages */
};
struct vl_pipe vl_pipe_read(const struct vl_bag *inputs);

/* The rows of all stages, (p, 3vm): the "rows" of the inputs, or else those of the order. The
 * caller frees them; NULL without memory. */
struct vl_oracle_task *vl_pipe_rows(const struct vl_pipe *pipe, const struct vl_bag *inputs);
struct vl_task vl_pipe_task(const struct vl_oracle_task *task);

/* The actions of all stages (p, most) for these rows; counts (space for VL_PIPE_STAGES) gets how
 * many each stage has. The caller frees them; NULL without memory. */
struct vl_action *vl_pipe_actions(size_t *counts, const struct vl_pipe *pipe,
                                  const struct vl_bag *inputs);

/* Sizes alone; with a schedule; with the actions of every stage and the toy's numbers; the toy's
 * numbers without them; and what is asked on paper. */
vl_make_function vl_make_pipe_sizes, vl_make_pipe_rows, vl_make_pipe_actions, vl_make_pipe_toy,
    vl_make_pipe_paper;
vl_sizes_function vl_sizes_of_pipe; /* of a question on paper */

vl_part_function vl_part_pipeline_parallel;

/* pipe_status asks only for the status; an inspector checks the rest. */
vl_truth_function vl_truth_pipe_schedule, vl_truth_pipe_status, vl_truth_pipe_actions,
    vl_truth_pipe_run, vl_truth_pipe_whole, vl_truth_pipe_traffic, vl_truth_bubble_of_ideal,
    vl_truth_live_afab, vl_truth_live_1f1b, vl_truth_live_interleaved, vl_truth_predict_pipe_bubble,
    vl_truth_predict_pipe_chunked, vl_truth_predict_pipe_live, vl_truth_predict_pipe_sent;

#endif
