/*
 * The counting runner: the runner, with functions that count around BLAS, libm, memory and MPI.
 *
 * The linker puts them there (--wrap, VIALATA_COUNTED in CMakeLists.txt). No clock that earns points
 * ever runs for this program: it is linked, and started, only after a timing was too slow.
 */
#ifndef VIALATA_RUNNER_COUNTED_COUNTED_H
#define VIALATA_RUNNER_COUNTED_COUNTED_H

#include "wire/counts.h"

/* Of the turn under way; only written while vl_counted_on. */
extern struct vl_counts vl_counted;
extern int vl_counted_on;

int64_t vl_counted_clock(void);

/* Nanoseconds since 'began', into a sum: the clock's own cost is taken off when the turn ends. */
void vl_counted_add(int64_t *sum, int64_t began);

/* Of the turn under way, before and after. The latter fills the estimates. */
void vl_counts_begin(void);
void vl_counts_end(struct vl_counts *counts);

/* What one call of each function takes here, into the estimates (counted_math.c). */
void vl_counted_estimate_math(struct vl_counts *counts);

/* Transfers that are still open belong to no turn. */
void vl_counted_forget_transfers(void);

/* The declarations of a wrapper and of what it stands for. */
#define VL_WRAPS(type, name, ...)                                                                  \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

/* Run a statement; its time is added to a sum. */
#define VL_TIMED_INTO(sum, statement)                                                              \
    do {                                                                                           \
        int64_t began_ = vl_counted_on ? vl_counted_clock() : 0;                                   \
        statement;                                                                                 \
        if (vl_counted_on)                                                                         \
            vl_counted_add(&vl_counted.sum, began_);                                               \
    } while (0)

#endif
