/*
 * Arrays of a call: reading the inputs, and making the outputs as they are before the call.
 */
#ifndef VIALATA_RUNNER_ARRAYS_H
#define VIALATA_RUNNER_ARRAYS_H

#include "vialata/collectives.h"
#include "vialata/status.h"
#include "wire/bag.h"
#include <stddef.h>
#include <stdint.h>

size_t vl_input_size(const struct vl_bag *inputs, const char *name);

/* An output (1, n) that starts as this rank's row of an input (ranks, n). NULL if that fails. */
float *vl_own_row(struct vl_bag *outputs, const struct vl_bag *inputs, const char *output,
                  const char *input, size_t n);

/* An output (rows, cols) that starts as the input of the same name, if there is one of this size.
 * If not, an output to be overwritten is poisoned, and one to be added to is zeroed. NULL without
 * memory. */
float *vl_overwritten_output(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                             size_t rows, size_t cols);
float *vl_added_output(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                       size_t rows, size_t cols);

/* An output (1, n) that starts as n numbers of the input of the same name, from 'first' onwards. */
float *vl_begun_floats(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name,
                       size_t first, size_t n);

/* Outputs that nobody has written yet, poisoned: (1, n) floats, or doubles; whole numbers, in one
 * row or in several; one real number. NULL without memory. */
float *vl_unwritten_floats(struct vl_bag *outputs, const char *name, size_t n);
double *vl_unwritten_doubles(struct vl_bag *outputs, const char *name, size_t n);
int64_t *vl_whole_output(struct vl_bag *outputs, const char *name, size_t count);
int64_t *vl_unwritten_numbers(struct vl_bag *outputs, const char *name, size_t rows, size_t cols);
double *vl_unwritten_real(struct vl_bag *outputs, const char *name);
/* The same for calls that write sizes. */
size_t *vl_unwritten_sizes(struct vl_bag *outputs, const char *name, size_t rows, size_t cols);
/* Whole numbers that start as 'before'. */
int64_t *vl_filled_numbers(struct vl_bag *outputs, const char *name, size_t rows, size_t cols,
                           int64_t before);

/* The output "flight": n transfers, NULL at first. What a caller lends to be written has guards, so
 * it is an array of the bag, although nobody reads the pointers there. NULL without memory. */
struct vl_transfer **vl_lent_flight(struct vl_bag *outputs, size_t n);

/* Of a table of calls, number i came back with this status: returns it and, if it is not VL_OK, tells the grader
 * which call that was. */
enum vl_status vl_answered(struct vl_bag *outputs, enum vl_status status, size_t i);

/* A count that no call has written yet. */
#define VL_UNWRITTEN_COUNT ((uint64_t)INT64_MIN)

/* Add numbers, each {"name", value}, to the outputs. Returns 'status', that of the call that gave
 * them, or VL_EINTERNAL without memory. */
struct vl_named_count {
    const char *name;
    uint64_t value;
};
struct vl_named_real {
    const char *name;
    double value;
};
#define vl_give_counts(outputs, status, ...)                                                       \
    vl_give_counts_of(outputs, status, (const struct vl_named_count[]){__VA_ARGS__},               \
                      sizeof((const struct vl_named_count[]){__VA_ARGS__}) /                       \
                          sizeof(struct vl_named_count))
#define vl_give_reals(outputs, status, ...)                                                        \
    vl_give_reals_of(outputs, status, (const struct vl_named_real[]){__VA_ARGS__},                 \
                     sizeof((const struct vl_named_real[]){__VA_ARGS__}) /                         \
                         sizeof(struct vl_named_real))
enum vl_status vl_give_counts_of(struct vl_bag *outputs, enum vl_status status,
                                 const struct vl_named_count *counts, size_t count);
enum vl_status vl_give_reals_of(struct vl_bag *outputs, enum vl_status status,
                                const struct vl_named_real *reals, size_t count);

/* A call that must be refused came back with this status: returns it and, if it is not VL_EINVAL, tells the grader
 * what is wrong with the arguments, as the header calls them: "ranks = 0". */
enum vl_status vl_must_refuse(struct vl_bag *outputs, enum vl_status status, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));

/* For calls that must all be refused, each {"its bad argument", its status}: the first status other than
 * VL_EINVAL, told to the grader, else VL_EINVAL. */
struct vl_refusal {
    const char *argument;
    enum vl_status status;
};
#define vl_first_unrefused(outputs, ...)                                                           \
    vl_first_unrefused_of(outputs, (const struct vl_refusal[]){__VA_ARGS__},                       \
                          sizeof((const struct vl_refusal[]){__VA_ARGS__}) /                       \
                              sizeof(struct vl_refusal))
enum vl_status vl_first_unrefused_of(struct vl_bag *outputs, const struct vl_refusal *calls,
                                     size_t count);

/* Do all ranks of the case hold the same bits? Collective; the meter does not count it, since it is
 * not the submission that communicates. */
int64_t vl_same_everywhere(const float *numbers, size_t n);

#endif
