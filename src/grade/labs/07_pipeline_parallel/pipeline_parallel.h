/*
 * Lab 07 inside the grader: makers of inputs, truths, suspects and inspectors.
 *
 * Sizes of a case, in every bag: "stages", "chunks", "micro_batches", "order" (I64; the order as
 * enum vl_pipe_order). What comes and goes as tables of whole numbers:
 *
 *   schedules   "tasks" (p * 3vm, 3): kind, chunk, micro-batch; row by row
 *   actions     "rows" (p * 3vm, 3), "rooms" (1,p) -> "counts" (1,p), "actions" (p * most, 5):
 *               kind, the task's kind, chunk and micro-batch, peer; and "tags" (p * most). -1 where
 *               there is nothing. If room is short: "statuses" (1,p), too
 *   run         "actions" (all, 6; the tag last), of stage s those from begin[s] to begin[s + 1]
 *   on paper    "sizes" (n, 4): p, v, m, stage -> "share" or "live" (1,n)
 *
 * The toy, on virtual stage k, for one micro-batch m; n numbers, every one rounded once:
 *
 *   F   y = x / 2 + c[k]           x = first[m] on stage 0, else the y that came
 *   B   d = dy / 2 + x             dy = y - target[m] at the end, else the d that came
 *   W   gradient[k] += dy          so its bits show the order of the weight parts
 */
#ifndef VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_PIPELINE_PARALLEL_H
#define VIALATA_GRADE_LABS_07_PIPELINE_PARALLEL_PIPELINE_PARALLEL_H

#include "grade/catalogue/case.h"
#include "oracle/pipeline.h"

/* Beyond those of the oracle: any order that holds. */
enum vl_pipe_order { VL_PIPE_OWN = VL_ORACLE_ORDERS };

/* 'variant' of a case: p + v * V + the rest. */
enum vl_pipe_variant {
    VL_PIPE_V = 0x10, /* times v; none is one */

    VL_PIPE_M = 0x70, /* how many micro-batches: */
    VL_PIPE_M_ONE = 0x80,
    VL_PIPE_M_FEW = 0x100,    /* fewer than stages */
    VL_PIPE_M_SAME = 0x180,   /* as many */
    VL_PIPE_M_MORE = 0x200,   /* p does not divide it */
    VL_PIPE_M_GROUPS = 0x280, /* p divides it */

    VL_PIPE_1F1B = 0x400, /* the order, times enum vl_pipe_order; none: all forward, all backward */

    VL_PIPE_SHARED = 0x2000,   /* a buffer for each direction, out and in; else one a message */
    VL_PIPE_IN_PLACE = 0x4000, /* one for each direction */

    VL_PIPE_BAD = 0x8000,         /* outside the contract */
    VL_PIPE_REVERSED = 0x10000,   /* the communicator counts the ranks backwards */
    VL_PIPE_BIG = 0x20000,        /* messages that no eager send takes */
    VL_PIPE_EMPTY = 0x40000,      /* messages of nothing, without memory */
    VL_PIPE_LATE = 0x80000,       /* stages begin when the first has done its forwards */
    VL_PIPE_FAILS = 0x100000,     /* compute fails */
    VL_PIPE_NO_MEMORY = 0x200000, /* 'message' fails */
    VL_PIPE_EXACT = 0x400000,     /* actions: just enough room for them */
    VL_PIPE_SHORT = 0x800000      /* ... and not enough */
};

struct vl_pipe {
    struct vl_oracle_pipe size;
    int order;
    size_t width; /* 3 v m, tasks of a stage */
    size_t most;  /* actions of a stage, if each task had both messages */
};
struct vl_pipe vl_pipe_read(const struct vl_bag *inputs);

/* A table of whole numbers in the bag, filled with 'before'; NULL without memory. */
int64_t *vl_pipe_table(struct vl_bag *bag, const char *name, size_t rows, size_t cols,
                       int64_t before);

/* The rows of all stages, (p, 3vm). */
void vl_pipe_rows(struct vl_oracle_task *rows, const struct vl_pipe *pipe);
/* Rows from a table (tasks of three numbers). */
void vl_pipe_rows_read(struct vl_oracle_task *rows, const int32_t *table, size_t count);

/* In the order of vialata/schedule.h. */
enum vl_pipe_action_kind { VL_PIPE_COMPUTE, VL_PIPE_SEND, VL_PIPE_RECEIVE };
struct vl_pipe_action {
    enum vl_pipe_action_kind kind;
    struct vl_oracle_task task;
    int peer; /* -1: none */
};
/* The actions of one stage, from its row (3vm). Returns how many; at most 'most'. */
size_t vl_pipe_actions(struct vl_pipe_action *actions, const struct vl_oracle_task *row,
                       const struct vl_pipe *pipe, size_t stage);

/*
 * The whole pipeline, done stage by stage with the toy: each answers x and dy as its tasks read
 * them (v m, n), the gradients (v, n), and in which order it computed. What a mistake changes is
 * what a stage finds in the memory of a message.
 */
enum vl_pipe_mistake {
    VL_PIPE_RIGHT,
    VL_PIPE_NOT_THERE, /* what lay there before: it was not waited for */
    VL_PIPE_QUARTER,   /* as many bytes as there should be numbers */
    VL_PIPE_NOT_FIRST  /* the first number alone */
};
#define VL_PIPE_ROOM 7.0f /* what the memory of messages holds at first */
enum vl_status vl_pipe_replay(struct vl_bag *answer, const struct vl_bag *inputs,
                              enum vl_pipe_mistake mistake);

VL_MAKE(pipe_sizes);   /* sizes alone */
VL_MAKE(pipe_rows);    /* and a schedule */
VL_MAKE(pipe_actions); /* and the actions of every stage, and the toy's numbers */
VL_MAKE(pipe_toy);     /* the toy's numbers without them */
VL_MAKE(pipe_paper);

VL_TRUTH(pipe_schedule);
VL_TRUTH(pipe_status); /* an inspector does the rest */
VL_TRUTH(pipe_actions);
VL_TRUTH(pipe_run);
VL_TRUTH(pipe_whole);
VL_TRUTH(pipe_traffic);
VL_TRUTH(pipe_bubble_of_ideal);
VL_TRUTH(pipe_live_afab);
VL_TRUTH(pipe_live_1f1b);
VL_TRUTH(pipe_live_interleaved);
VL_TRUTH(predict_pipe_bubble);
VL_TRUTH(predict_pipe_chunked);
VL_TRUTH(predict_pipe_live);
VL_TRUTH(predict_pipe_sent);

/* The case of the text: 4 stages, 8 micro-batches of one row, 128 tokens, width 128. */
#define VL_PIPE_PREDICTED_STAGES  4
#define VL_PIPE_PREDICTED_CHUNKS  2
#define VL_PIPE_PREDICTED_MICRO   8
#define VL_PIPE_PREDICTED_MESSAGE (128 * 128)

extern const struct vl_suspect vl_suspects_schedule_afab[];
extern const struct vl_suspect vl_suspects_schedule_1f1b[];
extern const struct vl_suspect vl_suspects_schedule_interleaved[];
extern const struct vl_suspect vl_suspects_schedule_zb_h1[];
extern const struct vl_suspect vl_suspects_pipe_actions[];
extern const struct vl_suspect vl_suspects_pipe_run[];
extern const struct vl_suspect vl_suspects_pipe_traffic[];
extern const struct vl_suspect vl_suspects_bubble_of_ideal[];
extern const struct vl_suspect vl_suspects_live_afab[];
extern const struct vl_suspect vl_suspects_live_1f1b[];
extern const struct vl_suspect vl_suspects_live_interleaved[];
extern const struct vl_suspect vl_suspects_predict_pipe_bubble[];
extern const struct vl_suspect vl_suspects_predict_pipe_chunked[];
extern const struct vl_suspect vl_suspects_predict_pipe_live[];
extern const struct vl_suspect vl_suspects_predict_pipe_sent[];

extern const struct vl_lab_cases vl_cases_pipeline_parallel;

#endif
