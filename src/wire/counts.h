/*
 * Counts: what one turn of a timed function consisted of, as the counting runner saw it
 * (src/runner/counted/counted.h). They explain a speed, and no point depends on them: the process that
 * writes them runs someone else's code.
 *
 *   products    cblas_sgemm and cblas_dgemm: how many, which shapes, how many operations
 *   vectors     other BLAS calls: dot products, matrix times vector, ...
 *   math        calls of libm, by function
 *   memory      allocations, and bytes that were copied
 *   messages    transfers between ranks, and how many were under way at the same time
 *
 * Times are in nanoseconds, without what the clock itself costs.
 */
#ifndef VIALATA_WIRE_COUNTS_H
#define VIALATA_WIRE_COUNTS_H

#include <stdint.h>

#define VL_COUNTS_SHAPES 24

enum vl_counted_math {
    VL_MATH_EXPF,
    VL_MATH_EXP,
    VL_MATH_EXP2F,
    VL_MATH_POWF,
    VL_MATH_POW,
    VL_MATH_LOGF,
    VL_MATH_LOG,
    VL_MATH_TANHF,
    VL_MATH_FUNCTIONS
};

/* A product (m,k) times (k,n), and how many of them. */
struct vl_counted_product {
    int64_t m, n, k, calls;
};

/* Whole numbers only: it is sent as an array of them. */
struct vl_counts {
    int64_t turn_ns; /* the whole turn */

    int64_t products, double_products; /* calls, and how many of them in double precision */
    int64_t operations;                /* 2 m n k, summed over the products */
    int64_t product_ns;
    int64_t shapes; /* different ones, VL_COUNTS_SHAPES at most; products of further shapes are only
                       counted above */
    struct vl_counted_product shape[VL_COUNTS_SHAPES];

    int64_t vectors, vector_operations, vector_ns;

    int64_t math[VL_MATH_FUNCTIONS];    /* calls */
    int64_t math_ns[VL_MATH_FUNCTIONS]; /* estimated: calls times what one takes here */

    int64_t allocations,
        allocation_ns;             /* malloc, calloc, realloc, aligned_alloc; free's time too */
    int64_t copied_bytes, copy_ns; /* memcpy and memmove, where the compiler left a call */
    int64_t sleeps, sleep_ns;

    int64_t transfers,
        transfer_bytes; /* started by this rank: sends and receives; bytes of sends */
    int64_t most_open;  /* transfers under way at the same time, at most */
    int64_t barriers;
    int64_t others; /* calls of MPI that move data in other ways: nothing is known about these */
    int64_t mpi_ns; /* inside MPI */
};

#define VL_COUNTS_NUMBERS (sizeof(struct vl_counts) / sizeof(int64_t))
#define VL_COUNTS_ARRAY   "counts" /* the name of that array, among the results */

#endif
