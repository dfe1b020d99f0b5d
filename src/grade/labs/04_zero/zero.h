/*
 * Lab 04 inside the grader: makers of inputs, truths and suspects.
 *
 * The layout of a case, in every bag: "units" (I32, unit_count + 1), "tensors" (I32, a row a
 * tensor: offset, rows, cols, decays), "ranks", "stage" (I64). Whole arrays have 'count' elements;
 * rows a rank or a micro-batch lie one behind the other:
 *
 *   weights, m, v        (count)          before the call; a rank takes its shard where it should
 *   sums                 (count)          gradients summed over all ranks
 *   other                (ranks, count)   at stage 1: what lies in the chunks of the others
 *   gradients            (count)          what stands in the gradients before the call
 *   local                (passes*ranks, count)   what backward adds, pass by pass, rank by rank
 *   a, t                 (micro_batches*ranks, count)   the toy's rows (runner/unit_toy.h)
 *
 * Every a is a power of two or zero, so the toy's products are exact and the bits of a gradient
 * depend on the order of the sums alone, which vialata/collectives.h promises.
 */
#ifndef VIALATA_GRADE_LABS_04_ZERO_ZERO_H
#define VIALATA_GRADE_LABS_04_ZERO_ZERO_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"
#include "oracle/zero.h"

/* 'variant' of a case: its stage, plus any of these. */
enum vl_zero_variant {
    VL_ZERO_STAGE = 0xf,
    VL_ZERO_SMALL = 0x10,     /* units no larger than P, so that many chunks are empty */
    VL_ZERO_LONG = 0x20,      /* many elements: for the order of sums */
    VL_ZERO_CLIPPED = 0x40,   /* the norm is above max_norm */
    VL_ZERO_IDLE = 0x80,      /* some ranks have no rows */
    VL_ZERO_REVERSED = 0x100, /* the communicator counts the ranks backwards */
    VL_ZERO_FAILS = 0x200,    /* a forward fails */
    VL_ZERO_TURNS = 0x400,    /* one rank after the other: who waits for others hangs */
    VL_ZERO_BAD = 0x800,      /* a rank, or a number of ranks, that cannot be */
    VL_ZERO_THREE = 0x1000,   /* three micro-batches (else one), three passes */
    VL_ZERO_TWO = 0x2000,     /* two of them */
    VL_ZERO_BELOW = 0x4000,   /* there is a max_norm, and the norm is below it */
    VL_ZERO_RANKS = 0x10000   /* times P: a serial function is asked about P ranks */
};

#define VL_ZERO_UNITS   8
#define VL_ZERO_TENSORS 32

struct vl_zero_layout {
    size_t begin[VL_ZERO_UNITS + 1];
    size_t unit_count, count, tensor_count, micro_batches;
    struct {
        size_t offset, size;
        int decays;
    } tensor[VL_ZERO_TENSORS];
    int ranks, stage;
};

/* As the inputs hold it; and as the oracle wants it. */
struct vl_zero_layout vl_zero_layout_read(const struct vl_bag *inputs);
struct vl_oracle_units vl_zero_units(const struct vl_zero_layout *layout);
/* Does the tensor around element i decay? */
int vl_zero_decays(const struct vl_zero_layout *layout, size_t i);
/* The first element of a rank's chunk of a unit. */
size_t vl_zero_first(const struct vl_zero_layout *layout, size_t unit, int rank);

/* An array of one rank into an answer: whole, or the shard of 'whole'. */
void vl_zero_answer(struct vl_scope *scope, const struct vl_zero_layout *layout, const char *name,
                    int rank, int shard, const double *whole);

VL_MAKE(zero_plan);       /* layout alone */
VL_MAKE(zero_update);     /* weights, m, v, sums, other, settings */
VL_MAKE(zero_gradients);  /* gradients, local */
VL_MAKE(zero_parameters); /* weights */
VL_MAKE(zero_step);       /* weights, m, v, a, t, settings */
VL_MAKE(zero_cost);       /* stage, parameters, ranks */
VL_MAKE(zero_prediction);

VL_TRUTH(shard_piece);
VL_TRUTH(zero_plan);
VL_TRUTH(zero_norm);
VL_TRUTH(zero_update);
VL_TRUTH(zero_room);  /* what vl_zero_gradients hands out */
VL_TRUTH(zero_sums);  /* what ready and finish leave in the chunks */
VL_TRUTH(zero_early); /* what polls alone brought about */
VL_TRUTH(zero_borrow);
VL_TRUTH(zero_give_back);
VL_TRUTH(zero_step);
VL_TRUTH(zero_step_bits); /* loss and norm, which are promised to the bit */
VL_TRUTH(zero_traffic);
VL_TRUTH(zero_state_bytes);
VL_TRUTH(zero_sent_elements);
VL_TRUTH(predict_state_1);
VL_TRUTH(predict_state_2);
VL_TRUTH(predict_state_3);
VL_TRUTH(predict_sent_3);

/* The layout of the sealed case: equal parts on paper. */
#define VL_ZERO_PREDICTED_PARAMETERS 869504
#define VL_ZERO_PREDICTED_RANKS      4

/* The toy, float32, in the order that is promised: the loss of the whole batch, and the sums of all
 * gradients (count) as they stand on their owners. */
double vl_zero_toy(float *sums, const struct vl_bag *inputs, const struct vl_zero_layout *layout);

/* What backward leaves in each rank's own gradients: (ranks, count) of one pass over the inputs, or
 * of one micro-batch of the toy; at stage 1 of all of them, which add up at home. NULL without
 * memory; the caller frees. */
float *vl_zero_pass_rows(const struct vl_bag *inputs, const struct vl_zero_layout *layout,
                         size_t pass);
/* How often gradients are reduced: once a pass, but once in all at stage 1. */
size_t vl_zero_reductions(const struct vl_bag *inputs, const struct vl_zero_layout *layout);

/* What rooms hold before the first call. */
#define VL_ZERO_ROOM 7.0f

/* Would another order of its sums change the bits of the norm? A case about bits makes sure. */
int vl_zero_orders_differ(const struct vl_bag *inputs);

/* AdamW on whole arrays (count), float64. 'decays' says of each element whether it decays. */
void vl_zero_adamw(double *weights, double *m, double *v, const double *gradients,
                   const struct vl_bag *inputs, const struct vl_zero_layout *layout, double scale,
                   int (*decays)(const struct vl_zero_layout *layout, size_t i));

extern const struct vl_suspect vl_suspects_zero_plan[];
extern const struct vl_suspect vl_suspects_zero_norm[];
extern const struct vl_suspect vl_suspects_zero_update[];
extern const struct vl_suspect vl_suspects_zero_room[];
extern const struct vl_suspect vl_suspects_zero_sums[];
extern const struct vl_suspect vl_suspects_zero_early[];
extern const struct vl_suspect vl_suspects_zero_borrow[];
extern const struct vl_suspect vl_suspects_zero_step[];
extern const struct vl_suspect vl_suspects_zero_step_bits[];
extern const struct vl_suspect vl_suspects_zero_traffic[];
extern const struct vl_suspect vl_suspects_zero_state_bytes[];
extern const struct vl_suspect vl_suspects_zero_sent_elements[];
extern const struct vl_suspect vl_suspects_predict_state_1[];
extern const struct vl_suspect vl_suspects_predict_state_2[];
extern const struct vl_suspect vl_suspects_predict_state_3[];
extern const struct vl_suspect vl_suspects_predict_sent_3[];

extern const struct vl_lab_cases vl_cases_zero;

#endif
