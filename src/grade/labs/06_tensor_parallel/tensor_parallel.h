/*
 * Lab 06 inside the grader: makers of inputs, truths and suspects.
 *
 * One bag of inputs for all ranks: t ("ranks"), "shared" (nonzero: sequence parallelism), "n"
 * tokens of width "d", "vocabulary". Blocks of the ranks lie one behind the other:
 *
 *   x, dx       (t n, d)      an operator's argument, the gradient above an embedding: block r is
 *                             rank r's. Under sequence parallelism block r has rows outside its
 *                             chunk as well: they mean nothing, and whoever reads them is found.
 *   dgain       (t, d)        the gradient of a gain before the call
 *   table       (V, d)        whole; dtable (V, d): what stands in the gradient before the call
 *   tokens, targets (n)
 *   logits, probs   (t n, V/t)   block r has the columns of rank r
 *
 * A whole model: its shape ("sequence" is T there), "micro_batches" of "rows_per_micro" rows,
 * tokens and targets of all of them, and its tensors by name.
 */
#ifndef VIALATA_GRADE_LABS_06_TENSOR_PARALLEL_TENSOR_PARALLEL_H
#define VIALATA_GRADE_LABS_06_TENSOR_PARALLEL_TENSOR_PARALLEL_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/scope.h"

/* 'variant' of a case: any of these. */
enum vl_tensor_variant {
    VL_TENSOR_SEQUENCE = 0x1,
    VL_TENSOR_REPLICATED = 0x2, /* without sequence parallelism all blocks are the same */
    VL_TENSOR_WIDE = 0x4,       /* more tokens, and wider than a vector register */
    VL_TENSOR_REVERSED = 0x8,   /* the communicator counts the ranks backwards */
    VL_TENSOR_RAGGED = 0x10,    /* t divides neither N (under sequence parallelism) nor V */
    VL_TENSOR_BAD = 0x20,       /* a token that is none; a number of ranks that is none */
    VL_TENSOR_LARGE = 0x40,     /* logits whose exponentials no float holds */
    VL_TENSOR_IN_PLACE = 0x80,  /* probs in the memory of logits, dlogits in that of probs */
    VL_TENSOR_EVEN = 0x100,     /* t divides N */
    VL_TENSOR_NONE = 0x200,     /* no tokens */
    VL_TENSOR_SAME = 0x400,     /* the ranks compare their losses bit by bit */
    VL_TENSOR_RANKS = 0x10000   /* times t: a serial function is asked about t ranks */
};

struct vl_tensor_case {
    int ranks, sequence;
    size_t n, d, vocabulary, columns; /* columns: V/t, rows of a rank's table */
};

struct vl_tensor_case vl_tensor_case_read(const struct vl_bag *inputs);
/* What every rank must answer where something does not fit; VL_OK: it fits. */
enum vl_status vl_tensor_refusal(const struct vl_bag *inputs, const struct vl_tensor_case *c);
/* Whose chunk is row i in? */
int vl_tensor_owner(const struct vl_tensor_case *c, size_t i);
/* Does row i of this rank mean anything outside of enter ... leave? */
int vl_tensor_means(const struct vl_tensor_case *c, int rank, size_t i);
/* Element k of row i in the block of a rank. */
double vl_tensor_at(const struct vl_tensor_case *c, const double *blocks, int rank, size_t i,
                    size_t k);
/* The same after a gather: under sequence parallelism a row comes from its owner. */
double vl_tensor_gathered(const struct vl_tensor_case *c, const double *blocks, int rank, size_t i,
                          size_t k);
/* A whole answer, (n,V/t) of rank r, out of whole (n,V). */
void vl_tensor_answer_columns(struct vl_scope *scope, const struct vl_tensor_case *c,
                              const char *name, int rank, const double *whole);
/* whole (n,V) from blocks (t n, V/t), as working memory. NULL if that failed. */
double *vl_tensor_whole(struct vl_scope *scope, const struct vl_tensor_case *c, const char *blocks);

VL_MAKE(tensor_part);
VL_MAKE(tensor_rows);   /* x */
VL_MAKE(tensor_gain);   /* dgain */
VL_MAKE(tensor_tokens); /* tokens, table, dtable, dx */
VL_MAKE(tensor_logits); /* logits, targets */
VL_MAKE(tensor_probs);  /* probs, targets, scale */
VL_MAKE(tensor_cost);   /* layers, width, ff, rows, length, ... */
VL_MAKE(tensor_prediction);
VL_MAKE(tensor_model);

VL_TRUTH(tensor_part);
VL_TRUTH(tensor_gather); /* enter forward, leave backward */
VL_TRUTH(tensor_sum);    /* enter backward, leave forward */
VL_TRUTH(tensor_gain);
VL_TRUTH(tensor_embedding);
VL_TRUTH(tensor_embedding_backward);
VL_TRUTH(tensor_cross_entropy);
VL_TRUTH(tensor_cross_entropy_backward);

VL_TRUTH(tensor_model);
VL_TRUTH(tensor_model_bytes);

VL_TRUTH(layer_traffic);
VL_TRUTH(embedding_traffic);
VL_TRUTH(cross_entropy_traffic);

VL_TRUTH(tensor_all_reduces);
VL_TRUTH(tensor_sent_bytes);
VL_TRUTH(predict_all_reduces);
VL_TRUTH(predict_tensor_bytes);
VL_TRUTH(predict_weights_bytes);

#define VL_TENSOR_FIGURES 3 /* numbers of layers that are asked about in one case */

/* The lab's sealed case. */
#define VL_TENSOR_PREDICTED_LAYERS     4
#define VL_TENSOR_PREDICTED_WIDTH      128
#define VL_TENSOR_PREDICTED_FF         352
#define VL_TENSOR_PREDICTED_VOCABULARY 256
#define VL_TENSOR_PREDICTED_LENGTH     128
#define VL_TENSOR_PREDICTED_ROWS       8
#define VL_TENSOR_PREDICTED_RANKS      2

extern const struct vl_suspect vl_suspects_tensor_gather[];
extern const struct vl_suspect vl_suspects_tensor_sum[];
extern const struct vl_suspect vl_suspects_tensor_gain[];
extern const struct vl_suspect vl_suspects_tensor_embedding[];
extern const struct vl_suspect vl_suspects_tensor_embedding_backward[];
extern const struct vl_suspect vl_suspects_tensor_cross_entropy[];
extern const struct vl_suspect vl_suspects_tensor_cross_entropy_backward[];
extern const struct vl_suspect vl_suspects_layer_traffic[];
extern const struct vl_suspect vl_suspects_embedding_traffic[];
extern const struct vl_suspect vl_suspects_cross_entropy_traffic[];
extern const struct vl_suspect vl_suspects_tensor_all_reduces[];
extern const struct vl_suspect vl_suspects_tensor_sent_bytes[];
extern const struct vl_suspect vl_suspects_predict_all_reduces[];
extern const struct vl_suspect vl_suspects_predict_tensor_bytes[];
extern const struct vl_suspect vl_suspects_predict_weights_bytes[];

extern const struct vl_lab_cases vl_cases_tensor_parallel;

#endif
