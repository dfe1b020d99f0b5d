#include "train/run/peak.h"

#include "base/random.h"
#include "engine/check.h"
#include "vialata/budget.h"

#include <cblas.h>
#include <stdlib.h>
#include <time.h>

enum { WINDOWS = 3, N = VL_PEAK_PRODUCT };
#define WINDOW_SECONDS 0.04

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void multiply(float *c, const float *a)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1.0f, a, N, a, N, 0.0f, c, N);
}

/* FLOPs per second of this rank, while the others multiply too. 0 where no time passes meanwhile: a
 * simulator's clock knows nothing of real products. */
static double one_window(float *c, const float *a)
{
    double begin = seconds_now(), now = begin, products = 0.0;
    for (; now - begin < WINDOW_SECONDS && (products < 1.0 || now > begin); products++) {
        multiply(c, a);
        now = seconds_now();
    }
    return now > begin ? products * 2.0 * N * N * N / (now - begin) : 0.0;
}

static double best_window(MPI_Comm comm, float *c, const float *a)
{
    double best = 0.0;
    multiply(c, a); /* BLAS takes its memory now, and pages are touched */
    for (int window = 0; window < WINDOWS; window++) {
        if (comm != MPI_COMM_NULL)
            PMPI_Barrier(comm);
        double all = one_window(c, a), mine = all;
        if (comm != MPI_COMM_NULL)
            PMPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
        best = all > best ? all : best;
    }
    return best;
}

/* Nonzero on every rank if one lacks memory. */
static int any_lacks(MPI_Comm comm, int lacks)
{
    int anywhere = lacks;
    if (comm != MPI_COMM_NULL)
        PMPI_Allreduce(&lacks, &anywhere, 1, MPI_INT, MPI_MAX, comm);
    return anywhere;
}

enum vl_status vl_peak_flops_per_token(double *flops, const struct vl_shape *shape,
                                       const struct vl_expert_shape *experts)
{
    VL_CHECK(vl_flops_per_token(flops, shape)); /* the shared expert is as large as a dense layer */
    double router = (double)experts->experts * (double)shape->width;
    double chosen = 3.0 * (double)experts->chosen * (double)shape->width * (double)shape->ff;
    if (experts->experts > 0)
        *flops += 6.0 * (double)shape->layers * (router + chosen);
    return VL_OK;
}

enum vl_status vl_peak_measure(struct vl_peak *peak, MPI_Comm comm, const struct vl_shape *shape,
                               const struct vl_expert_shape *experts)
{
    const size_t elements = (size_t)N * N;
    float *a = malloc(elements * sizeof *a), *c = malloc(elements * sizeof *c);
    enum vl_status status = any_lacks(comm, a == NULL || c == NULL) ? VL_ENOMEM : VL_OK;
    if (status == VL_OK)
        status = vl_peak_flops_per_token(&peak->flops_per_token, shape, experts);
    if (status == VL_OK) {
        vl_random_fill_normal(a, elements, 1.0f, 1, 0, 0);
        peak->flops_per_second = best_window(comm, c, a);
    }
    free(a);
    free(c);
    return status;
}
