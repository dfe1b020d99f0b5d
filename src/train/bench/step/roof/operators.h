/*
 * The operators of a training step, with a clock around each of them.
 *
 *   step    zeroing | embedding, norm, product ... loss, ... product, norm, embedding | update
 *   clock   [-----]   [-------]  [--]  [-----]     [--]      [-----]  [--]  [-------]   [----]
 *   rest            ^          ^     ^         ^                                      ^
 *
 * While a list is open, each call of lab 01's functions adds its time and its work (work.h) to the
 * operator's row (operator_calls.c intercepts them). The rest is the step's time without the rows:
 * the engine's own loops, such as the residual sums, and what it costs to ask the clock.
 *
 * An operator that calls another one stops its own clock meanwhile, so no time counts twice, and the
 * rows and the rest together are the step:
 *
 *   outer   [-----]       [---]      one row
 *   inner         [-------]          another row
 *
 * The matrix of the logits is as wide as the vocabulary, and no other: its products have rows of
 * their own. Zeroing the gradients, their norm and AdamW are inside the function of the step, where
 * the linker cannot come between. So bench_operators.c looks at the clock before the first forward
 * and after the last backward: norm and AdamW are one row, the update.
 *
 * One list at a time, in one thread.
 */
#ifndef VIALATA_TRAIN_BENCH_OPERATORS_H
#define VIALATA_TRAIN_BENCH_OPERATORS_H

#include "train/bench/step/roof/work.h"
#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

/* In the order of a step. */
enum vl_operator {
    VL_OPERATOR_ZEROING,
    VL_OPERATOR_EMBEDDING_FORWARD,
    VL_OPERATOR_RMSNORM_FORWARD,
    VL_OPERATOR_LINEAR_FORWARD,
    VL_OPERATOR_ROTARY_FORWARD,
    VL_OPERATOR_ATTENTION_FORWARD,
    VL_OPERATOR_SWIGLU_FORWARD,
    VL_OPERATOR_LOGITS_FORWARD,
    VL_OPERATOR_CROSS_ENTROPY_FORWARD,
    VL_OPERATOR_CROSS_ENTROPY_BACKWARD_INPUT,
    VL_OPERATOR_LOGITS_BACKWARD_INPUT,
    VL_OPERATOR_LOGITS_BACKWARD_WEIGHT,
    VL_OPERATOR_RMSNORM_BACKWARD_INPUT,
    VL_OPERATOR_LINEAR_BACKWARD_INPUT,
    VL_OPERATOR_SWIGLU_BACKWARD_INPUT,
    VL_OPERATOR_ATTENTION_BACKWARD_INPUT,
    VL_OPERATOR_ROTARY_BACKWARD_INPUT,
    VL_OPERATOR_LINEAR_BACKWARD_WEIGHT,
    VL_OPERATOR_RMSNORM_BACKWARD_WEIGHT,
    VL_OPERATOR_EMBEDDING_BACKWARD_WEIGHT,
    VL_OPERATOR_UPDATE,
    VL_OPERATORS
};

struct vl_operator_row {
    double calls;
    double seconds;
    struct vl_work work;
};

enum { VL_OPERATORS_DEEP = 4 }; /* how many operators can be inside each other */

struct vl_operators {
    struct vl_operator_row rows[VL_OPERATORS];
    double seconds; /* from open to close */

    double (*clock)(void); /* seconds */
    size_t vocabulary;
    double opened;
    struct {
        enum vl_operator which;
        double began, inside; /* seconds in the operators that it called */
    } open[VL_OPERATORS_DEEP];
    size_t depth;
    int bad; /* too deep, or left without having been entered */
};

/* The function's name without vl_, "logits_..." for the matrix of the logits, "zeroing", "update". */
const char *vl_operator_name(enum vl_operator which);

/* From here on operators are timed into this list, which begins empty. */
void vl_operators_open(struct vl_operators *list, size_t vocabulary, double (*clock)(void));
/* No more. VL_EINVAL: an operator was left open, or operators were inside each other too deep, or there
 * was none, as in a program without operator_calls.c. */
enum vl_status vl_operators_close(struct vl_operators *list);

/* An operator begins, and ends with this work done. Nothing happens while no list is open. */
void vl_operators_enter(enum vl_operator which);
void vl_operators_leave(struct vl_work work);

/* The logits' operator instead of a layer's product, if 'out' is the vocabulary. */
enum vl_operator vl_operators_product(enum vl_operator layer, size_t out);

/* The mean of lists that are closed: each figure of the result. count > 0. */
void vl_operators_mean(struct vl_operators *mean, const struct vl_operators *const *lists,
                       size_t count);

/* Seconds of the step that no operator has. */
double vl_operators_rest(const struct vl_operators *list);
/* What all of them have to do. */
struct vl_work vl_operators_work(const struct vl_operators *list);

#endif
