/*
 * The matrix products of a step, alone: a lower bound of its time.
 *
 * While a list is open, each call of cblas_sgemm is written down with all its arguments
 * (product_calls.c intercepts it). Then the calls are made again, one after another, on the same
 * memory: the same shapes, the same skipped halves, as warm as in the step, and nothing between them.
 *
 *     step       norm [product] rotation [product] softmax [product] ...  AdamW
 *     products        [product]          [product]         [product] ...
 */
#ifndef VIALATA_TRAIN_BENCH_STEP_PRODUCTS_H
#define VIALATA_TRAIN_BENCH_STEP_PRODUCTS_H

#include "vialata/status.h"
#include <cblas.h>
#include <stdbool.h>
#include <stddef.h>

/* One call of cblas_sgemm: c (m,n) = alpha a (m,k) b (k,n) + beta c. */
struct vl_product {
    enum CBLAS_ORDER order;
    enum CBLAS_TRANSPOSE trans_a, trans_b;
    blasint m, n, k;
    float alpha;
    const float *a;
    blasint lda;
    const float *b;
    blasint ldb;
    float beta;
    float *c;
    blasint ldc;
};

struct vl_products {
    struct vl_product *calls;
    size_t count, capacity;
    bool incomplete; /* there was no memory for one more */
};

/* From here on calls are written into this list, which begins empty; one list at a time. */
void vl_products_open(struct vl_products *list);
/* No more calls. VL_ENOMEM: one was lost; VL_EINVAL: there was none, as in a program without product_calls.c. */
enum vl_status vl_products_close(struct vl_products *list);
/* Write a call into the open list, if there is one. */
void vl_products_note(const struct vl_product *call);
/* Make all calls again. */
void vl_products_repeat(const struct vl_products *list);
void vl_products_free(struct vl_products *list);

#endif
