#include "train/bench/step/roof/work.h"

static struct vl_work work(double flops, double elements)
{
    return (struct vl_work){flops, 4 * elements};
}

struct vl_work vl_work_zeroing(size_t n)
{
    return work(0, (double)n);
}

/* ---- embedding ---- */

static double rows_read(size_t n, size_t vocabulary)
{
    return (double)(n < vocabulary ? n : vocabulary);
}

struct vl_work vl_work_embedding_forward(size_t n, size_t width, size_t vocabulary)
{
    double rows = (double)n, d = (double)width;
    return work(0, rows + rows_read(n, vocabulary) * d + rows * d);
}

struct vl_work vl_work_embedding_backward_weight(size_t n, size_t width, size_t vocabulary)
{
    double rows = (double)n, d = (double)width;
    return work(rows * d, rows + rows * d + 2 * rows_read(n, vocabulary) * d);
}

/* ---- norm ---- */

struct vl_work vl_work_rmsnorm_forward(size_t n, size_t d)
{
    double rows = (double)n, wide = (double)d;
    return work(rows * (4 * wide + 4), 2 * rows * wide + wide + rows);
}

struct vl_work vl_work_rmsnorm_backward_input(size_t n, size_t d)
{
    double rows = (double)n, wide = (double)d;
    return work(rows * (6 * wide + 4), 3 * rows * wide + wide + rows);
}

struct vl_work vl_work_rmsnorm_backward_weight(size_t n, size_t d)
{
    double rows = (double)n, wide = (double)d;
    return work(3 * rows * wide, 2 * rows * wide + 2 * wide + rows);
}

/* ---- products ---- */

static struct vl_work product(size_t n, size_t in, size_t out, double visits_of_weight)
{
    double rows = (double)n, from = (double)in, to = (double)out;
    return work(2 * rows * from * to, rows * from + visits_of_weight * from * to + rows * to);
}

struct vl_work vl_work_linear(size_t n, size_t in, size_t out)
{
    return product(n, in, out, 1);
}

struct vl_work vl_work_linear_backward_weight(size_t n, size_t in, size_t out)
{
    return product(n, in, out, 2);
}

/* ---- attention ---- */

struct vl_work vl_work_rotary(size_t batch, size_t sequence, size_t heads, size_t head_width)
{
    double table = (double)sequence * (double)head_width,
           turned = (double)batch * (double)heads * table;
    return work(6 * turned, 4 * turned + table);
}

/* 'products' of K terms per pair; 'arrays' of (B T, H K). */
static struct vl_work attention(size_t batch, size_t sequence, size_t heads, size_t head_width,
                                double products, double arrays)
{
    double b = (double)batch, t = (double)sequence, h = (double)heads, k = (double)head_width,
           pairs = b * h * t * (t + 1) / 2;
    return work(pairs * (2 * products * k + 5), arrays * b * t * h * k + pairs);
}

struct vl_work vl_work_attention_forward(size_t batch, size_t sequence, size_t heads,
                                         size_t head_width)
{
    return attention(batch, sequence, heads, head_width, 2, 4);
}

struct vl_work vl_work_attention_backward_input(size_t batch, size_t sequence, size_t heads,
                                                size_t head_width)
{
    return attention(batch, sequence, heads, head_width, 4, 7);
}

/* ---- elementwise ---- */

struct vl_work vl_work_swiglu_forward(size_t n, size_t ff)
{
    double elements = (double)n * (double)ff;
    return work(4 * elements, 3 * elements);
}

struct vl_work vl_work_swiglu_backward_input(size_t n, size_t ff)
{
    double elements = (double)n * (double)ff;
    return work(10 * elements, 5 * elements);
}

struct vl_work vl_work_cross_entropy_forward(size_t n, size_t vocabulary)
{
    double rows = (double)n, v = (double)vocabulary;
    return work(rows * (4 * v + 1), 2 * rows * v + 2 * rows);
}

struct vl_work vl_work_cross_entropy_backward_input(size_t n, size_t vocabulary)
{
    double rows = (double)n, v = (double)vocabulary;
    return work(rows * (v + 1), 2 * rows * v + rows);
}

/* ---- the update ---- */

struct vl_work vl_work_gradient_norm(size_t n)
{
    return work(2 * (double)n + 1, (double)n);
}

struct vl_work vl_work_adamw(size_t n)
{
    return work(17 * (double)n, 7 * (double)n);
}
