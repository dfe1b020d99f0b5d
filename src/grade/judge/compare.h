/*
 * How far an output is from the truth.
 *
 *   error = || got - truth || / max( || truth ||, floor )       over the elements that count
 *
 * An element that is NaN in 'expected' does not count: the contract leaves it to the submission.
 * Where the truth is finite and the output is not, the error is infinite, so NaN never passes.
 */
#ifndef VIALATA_GRADE_JUDGE_COMPARE_H
#define VIALATA_GRADE_JUDGE_COMPARE_H

#include "wire/safetensors.h"
#include <stdbool.h>
#include <stddef.h>

struct vl_comparison {
    double error;
    size_t worst; /* the element that is farthest off, or the first that only one side has finite */
};

/* Element i of an array of any type but U8 (then 0), as float64. */
double vl_entry_value(const struct vl_tensor_entry *entry, size_t i);

/* The last dimension, at least 1: element i is at [i / columns, i % columns]. */
size_t vl_entry_columns(const struct vl_tensor_entry *entry);

bool vl_entry_counts(const struct vl_tensor_entry *expected, size_t i);

/*
 * Compare 'got' with 'model', an answer right or wrong. All three arrays have the same count. Where
 * the model holds NaN or infinity, any output that is not finite agrees with it.
 */
struct vl_comparison vl_compare(const struct vl_tensor_entry *got,
                                const struct vl_tensor_entry *model,
                                const struct vl_tensor_entry *expected, double floor);

#endif
