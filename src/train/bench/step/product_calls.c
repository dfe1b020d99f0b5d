/*
 * Intercepts cblas_sgemm in the trainer (the linker's --wrap), so that products.h can write
 * its calls down. At any other time it costs one comparison per call.
 */
#include "train/bench/step/products.h"

typedef void sgemm_fn(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans_a,
                      enum CBLAS_TRANSPOSE trans_b, blasint m, blasint n, blasint k, float alpha,
                      const float *a, blasint lda, const float *b, blasint ldb, float beta,
                      float *c, blasint ldc);
sgemm_fn __real_cblas_sgemm, __wrap_cblas_sgemm;

void __wrap_cblas_sgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans_a,
                        enum CBLAS_TRANSPOSE trans_b, blasint m, blasint n, blasint k, float alpha,
                        const float *a, blasint lda, const float *b, blasint ldb, float beta,
                        float *c, blasint ldc)
{
    vl_products_note(&(struct vl_product){order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb,
                                          beta, c, ldc});
    __real_cblas_sgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
