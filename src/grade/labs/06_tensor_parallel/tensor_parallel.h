/*
 * Lab 06 inside the grader: makers of inputs and truths.
 *
 * t ("ranks"), "shared" (nonzero: sequence parallelism), "n" tokens of width "d", "vocabulary".
 * "groups" of t ranks each may work side by side, each on its own x, logits and gains; the ranks of
 * the second follow those of the first, and a rank's number here is that in the case. Where each rank
 * has a block, the blocks follow in rank order, and a rank gets its own:
 *
 *   x, dx       (t n, d)      an operator's argument, the gradient above an embedding: block r is
 *                             rank r's. Under sequence parallelism block r has rows outside its
 *                             chunk as well: they mean nothing, and reading them is noticed.
 *   kept        (t rows, d)   what rank r has kept: n/t rows under sequence parallelism, else n,
 *                             the same on every rank. x is then what is left of another layer
 *   dgain       (t, d)        the gradient of a gain before the call
 *   table       (V, d)        block r is rows; dtable (V, d): the gradient before the call
 *   tokens, targets (n)       in a bad case (2, n): both rows must be refused
 *   logits, probs   (t n, V/t)   block r has the columns of rank r
 *
 * A model's memory: its shape and "rows", of a micro-batch. A whole model: its shape ("sequence" is T there), "micro_batches" of "rows_per_micro" rows,
 * tokens and targets of all of them, and its tensors by name, of which a rank gets its part.
 */
#ifndef VIALATA_GRADE_LABS_06_TENSOR_PARALLEL_TENSOR_PARALLEL_H
#define VIALATA_GRADE_LABS_06_TENSOR_PARALLEL_TENSOR_PARALLEL_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"
#include "oracle/layout.h"

#include <stdbool.h>

/* 'variant' of a case: any of these. */
enum vl_tensor_variant {
    VL_SEQUENCE = 0x1,   /* sequence parallelism */
    VL_REPLICATED = 0x2, /* without sequence parallelism all blocks are the same */
    VL_WIDE = 0x4,       /* more tokens, and wider than a vector register */
    VL_REVERSED = 0x8,   /* the communicator counts the ranks backwards */
    VL_RAGGED = 0x10,    /* t divides neither N (under sequence parallelism, and on paper) nor V */
    VL_BAD = 0x20,       /* a token outside the vocabulary; an impossible number of ranks */
    VL_LARGE = 0x40,     /* logits whose exponentials no float holds; counts beyond 2^31 */
    VL_IN_PLACE = 0x80,  /* probs in the memory of logits, dlogits in that of probs */
    VL_EVEN = 0x100,     /* t divides N; where N is rows T: N, and not T */
    VL_NO_TOKENS = 0x200,
    VL_SAME_BITS = 0x400, /* the ranks compare their losses bit by bit */
    VL_NONZERO = 0x800,   /* under sequence parallelism the flag is not 1, but not 0 either */
    VL_GROUPS = 0x1000,   /* two groups, each of half of the ranks */
    VL_ALONE = 0x2000,    /* one rank, where figures on paper are asked for */
    VL_BROAD = 0x4000     /* d as in a real model */
};
/* Part of a variant as well: how many ranks a serial function is asked about. */
#define VL_ASKED(ranks)      ((ranks) << 16)
#define VL_ASKED_OF(variant) ((variant) >> 16)

struct vl_tensor_case {
    int ranks, sequence; /* of a group */
    int groups, first;   /* how many there are; the first rank of the one that is answered for */
    size_t n, d, vocabulary, columns; /* columns: V/t, rows of a rank's table */
};

struct vl_tensor_case vl_tensor_case_read(const struct vl_bag *inputs);

/* rows: x; input: x, kept; gain: dgain; tokens: tokens, table, dtable, dx; logits: logits, targets; probs: probs,
 * targets, scale; cost: layers, width, ff, rows, sequence, ... */
vl_make_function vl_make_tensor_part, vl_make_tensor_rows, vl_make_tensor_input,
    vl_make_tensor_gain, vl_make_tensor_tokens, vl_make_tensor_logits, vl_make_tensor_probs,
    vl_make_tensor_cost, vl_make_tensor_model, vl_make_tensor_memory;
vl_part_function vl_part_tensor_parallel;
/* gather: enter forward, leave backward; sum: enter backward, leave forward */
vl_truth_function vl_truth_tensor_part, vl_truth_tensor_gather, vl_truth_tensor_sum,
    vl_truth_tensor_gain, vl_truth_tensor_kept_rows, vl_truth_tensor_input_forward,
    vl_truth_tensor_input_backward, vl_truth_tensor_embedding, vl_truth_tensor_embedding_backward,
    vl_truth_tensor_cross_entropy, vl_truth_tensor_cross_entropy_backward, vl_truth_tensor_model,
    vl_truth_tensor_model_bytes, vl_truth_layer_traffic, vl_truth_embedding_traffic,
    vl_truth_cross_entropy_traffic, vl_truth_tensor_all_reduces, vl_truth_tensor_sent_bytes,
    vl_truth_tensor_again_bytes, vl_truth_tensor_kept_bytes, vl_truth_memory_kept,
    vl_truth_memory_arena, vl_truth_predict_all_reduces, vl_truth_predict_tensor_bytes,
    vl_truth_predict_weights_bytes;

/* Which side of a model's matrix is shared out: of o and down the columns, of the others rows. */
bool vl_tensor_by_columns(const struct vl_oracle_tensor *tensor);

#define VL_TENSOR_FIGURES 3 /* numbers of layers that are asked about in one case */

#endif
