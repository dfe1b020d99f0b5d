/* Products of matrices, and the BLAS calls that do one in many small steps. */
#include "runner/counted/counted.h"

#include <cblas.h>

static void add_product(int64_t m, int64_t n, int64_t k)
{
    struct vl_counts *c = &vl_counted;
    c->products++;
    c->operations += 2 * m * n * k;
    for (int64_t i = 0; i < c->shapes; i++) {
        struct vl_counted_product *p = &c->shape[i];
        if (p->m == m && p->n == n && p->k == k) {
            p->calls++;
            return;
        }
    }
    if (c->shapes < VL_COUNTS_SHAPES)
        c->shape[c->shapes++] = (struct vl_counted_product){m, n, k, 1};
}

static void add_vector(int64_t operations)
{
    vl_counted.vectors++;
    vl_counted.vector_operations += operations;
}

#define PRODUCT(name, real, is_double)                                                             \
    VL_WRAPS(void, name, CBLAS_ORDER order, CBLAS_TRANSPOSE one, CBLAS_TRANSPOSE other, blasint m, \
             blasint n, blasint k, real alpha, const real *a, blasint lda, const real *b,          \
             blasint ldb, real beta, real *c, blasint ldc)                                         \
    {                                                                                              \
        VL_TIMED_INTO(product_ns, __real_##name(order, one, other, m, n, k, alpha, a, lda, b, ldb, \
                                                beta, c, ldc));                                    \
        if (vl_counted_on) {                                                                       \
            add_product(m, n, k);                                                                  \
            vl_counted.double_products += is_double;                                               \
        }                                                                                          \
    }
PRODUCT(cblas_sgemm, float, 0)
PRODUCT(cblas_dgemm, double, 1)

VL_WRAPS(void, cblas_sgemv, CBLAS_ORDER order, CBLAS_TRANSPOSE trans, blasint m, blasint n,
         float alpha, const float *a, blasint lda, const float *x, blasint incx, float beta,
         float *y, blasint incy)
{
    VL_TIMED_INTO(vector_ns,
                  __real_cblas_sgemv(order, trans, m, n, alpha, a, lda, x, incx, beta, y, incy));
    if (vl_counted_on)
        add_vector(2 * (int64_t)m * n);
}

VL_WRAPS(void, cblas_sger, CBLAS_ORDER order, blasint m, blasint n, float alpha, const float *x,
         blasint incx, const float *y, blasint incy, float *a, blasint lda)
{
    VL_TIMED_INTO(vector_ns, __real_cblas_sger(order, m, n, alpha, x, incx, y, incy, a, lda));
    if (vl_counted_on)
        add_vector(2 * (int64_t)m * n);
}

VL_WRAPS(float, cblas_sdot, blasint n, const float *x, blasint incx, const float *y, blasint incy)
{
    float sum;
    VL_TIMED_INTO(vector_ns, sum = __real_cblas_sdot(n, x, incx, y, incy));
    if (vl_counted_on)
        add_vector(2 * (int64_t)n);
    return sum;
}

VL_WRAPS(void, cblas_saxpy, blasint n, float alpha, const float *x, blasint incx, float *y,
         blasint incy)
{
    VL_TIMED_INTO(vector_ns, __real_cblas_saxpy(n, alpha, x, incx, y, incy));
    if (vl_counted_on)
        add_vector(2 * (int64_t)n);
}
