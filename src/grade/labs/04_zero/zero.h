/*
 * Lab 04 inside the grader: makers of inputs and truths.
 *
 * The layout of a case: "units" (I32, unit_count + 1), "tensors" (I32, one row per
 * tensor: offset, rows, cols, decays), "ranks", "stage" (I64). Whole arrays have 'count' elements;
 * where there are rows, there is one per rank, or per micro-batch and rank. A rank gets its rows,
 * and its shard of what the stage cuts:
 *
 *   weights, m, v   (count)          before the call; a rank cuts out its shard where needed
 *   sums            (count)          gradients summed over all ranks
 *   other           (ranks, count)   at stage 1: what the other ranks' chunks contain
 *   gradients       (count)          what the gradients contain before the call
 *   local           (micro_batches*ranks, count)   what backward adds: pass by pass, and
 *                                                  rank by rank in each
 *   a, t            (ranks*micro_batches, count)   the toy's rows (runner/unit_toy.h): rank by rank
 *
 * Every a is a power of two or zero, so the toy's products are exact and the bits of a gradient
 * depend only on the order of the sums, which vialata/collectives.h promises.
 */
#ifndef VIALATA_GRADE_LABS_04_ZERO_ZERO_H
#define VIALATA_GRADE_LABS_04_ZERO_ZERO_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"
#include "oracle/zero.h"

#include <stdbool.h>

/* 'variant' of a case: a stage, plus any of the others. */
enum vl_zero_variant {
    VL_STAGE_0,
    VL_STAGE_1,
    VL_STAGE_2,
    VL_STAGE_3,
    VL_STAGE_4,
    VL_STAGE = 0xf,
    VL_SMALL = 0x10,      /* units of a few elements, so that many chunks are empty */
    VL_LONG = 0x20,       /* many elements: for the order of sums */
    VL_CLIPPED = 0x40,    /* the norm is above max_norm */
    VL_IDLE = 0x80,       /* some ranks have no rows */
    VL_REVERSED = 0x100,  /* the communicator numbers the ranks in reverse */
    VL_FAILS = 0x200,     /* a forward fails */
    VL_TURNS = 0x400,     /* the ranks call one after another: a call that waits for others hangs */
    VL_BAD = 0x800,       /* an impossible rank, or number of ranks */
    VL_THREE = 0x1000,    /* three micro-batches (otherwise one), so three passes */
    VL_TWO = 0x2000,      /* two micro-batches */
    VL_BELOW = 0x4000,    /* there is a max_norm, and the norm is below it */
    VL_STEPS = 0x8000,    /* two steps, one after the other */
    VL_BACK = 0x10000,    /* a backward fails */
    VL_NO_STEP = 0x20000, /* step 0, which AdamW refuses */
    VL_BIG_LAST =
        0x40000, /* the largest unit is the last one; otherwise the seed chooses its place */
    VL_BIG_FIRST = 0x80000,
    VL_MANY = 0x1000000,     /* many units */
    VL_ONE_UNIT = 0x2000000, /* one unit alone */
    VL_NO_UNITS = 0x4000000, /* none at all */
    VL_MIXED = 0x8000000,    /* tensors are listed backwards, and "decays" is neither 0 nor 1 */
    VL_SECOND_ALONE = 0x10000000, /* one unit alone is on its way, in the second buffer */
    VL_STAGE_MINUS_1 = VL_STAGE
};
/* The number of ranks that a serial function is asked about, as part of a variant. */
#define VL_ASKED(ranks)      ((ranks) << 20)
#define VL_ASKED_OF(variant) ((variant) >> 20 & 0xf)

#define VL_ZERO_UNITS 80

struct vl_zero_layout {
    size_t begin[VL_ZERO_UNITS + 1];
    size_t unit_count, count, micro_batches;
    int ranks, stage;
    struct vl_oracle_units units; /* the same, for the oracle */
};

/* Read it from the inputs. */
void vl_zero_layout_read(struct vl_zero_layout *layout, const struct vl_bag *inputs);

/* Defines vl_truth_<name>: its body has a scope 's' that has begun, and the layout 'l'. */
#define VL_ZERO_TRUTH(name)                                                                        \
    static void work_with_##name(struct vl_scope *s, const struct vl_zero_layout *l);              \
    VL_SCOPED_TRUTH(name)                                                                          \
    {                                                                                              \
        struct vl_zero_layout layout;                                                              \
        vl_zero_layout_read(&layout, s->inputs);                                                   \
        work_with_##name(s, &layout);                                                              \
    }                                                                                              \
    static void work_with_##name(struct vl_scope *s, const struct vl_zero_layout *l)

/* Put an array of one rank into the answer: 'whole', or with 'shard' the rank's shard of it. */
void vl_zero_answer(struct vl_scope *scope, const struct vl_zero_layout *layout, const char *name,
                    int rank, int shard, const double *whole);
/* AdamW number 'step' on the scope's "weights", "m" and "v", with gradients (count) times scale. The
 * second puts what one rank holds of these three into the answer. */
void vl_zero_adamw(struct vl_scope *scope, const double *gradients, double scale, size_t step);
void vl_zero_answer_state(struct vl_scope *scope, const struct vl_zero_layout *layout, int rank);

/* plan: the layout alone, which the next four have too; update: weights, m, v, sums, other and the
 * settings; gradients: gradients, local; parameters: weights; step: weights, m, v, gradients, a, t
 * and the settings; cost, prediction: parameters, ranks. */
vl_make_function vl_make_zero_plan, vl_make_zero_update, vl_make_zero_gradients,
    vl_make_zero_parameters, vl_make_zero_step, vl_make_zero_cost;

vl_part_function vl_part_zero;

/* where: what vl_zero_gradients hands out; sums: what ready and finish leave in the chunks; early:
 * what polls alone have summed; driven: what is sent after many polls; weights_ahead: the share of weights whose gather has begun before
 * they are borrowed; step_bits: loss and norm, which are promised to the bit. */
vl_truth_function vl_truth_shard_piece, vl_truth_zero_plan, vl_truth_zero_norm,
    vl_truth_zero_update, vl_truth_zero_where, vl_truth_zero_sums, vl_truth_zero_early,
    vl_truth_zero_driven, vl_truth_zero_borrow, vl_truth_zero_give_back, vl_truth_zero_prefetch,
    vl_truth_weights_ahead, vl_truth_zero_step, vl_truth_zero_step_bits, vl_truth_zero_traffic,
    vl_truth_zero_state_bytes, vl_truth_zero_sent_elements, vl_truth_predict_state_1,
    vl_truth_predict_state_2, vl_truth_predict_state_3, vl_truth_predict_sent_3;

/* Would another order of its sums change the bits of the norm? In a case about bits it must. */
bool vl_zero_orders_differ(const struct vl_bag *inputs);

#endif
