#include "oracle/kernels.h"

#include <math.h>

void vl_oracle_linear_input(double *dx, const double *dy, const double *w, size_t n, size_t in,
                            size_t out)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < in; j++) {
            double sum = 0;
            for (size_t o = 0; o < out; o++)
                sum += dy[i * out + o] * w[o * in + j];
            dx[i * in + j] = sum;
        }
    }
}

void vl_oracle_linear_weight(double *dw, const double *dy, const double *x, size_t n, size_t in,
                             size_t out)
{
    for (size_t o = 0; o < out; o++)
        for (size_t j = 0; j < in; j++)
            for (size_t i = 0; i < n; i++)
                dw[o * in + j] += dy[i * out + o] * x[i * in + j];
}

void vl_oracle_embedding_weight(double *dtable, const double *dx, const int32_t *tokens, size_t n,
                                size_t width)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            dtable[(size_t)tokens[i] * width + j] += dx[i * width + j];
}

/* y_j = x_j r g_j with r = (mean x^2 + eps)^(-1/2), so dr/dx_j = -r^3 x_j / d. */
void vl_oracle_rmsnorm_input(double *dx, const double *dy, const double *x, const double *gain,
                             const double *inv_rms, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        double r = inv_rms[i], dr = 0;
        for (size_t j = 0; j < d; j++)
            dr += dy[i * d + j] * gain[j] * x[i * d + j];
        for (size_t j = 0; j < d; j++)
            dx[i * d + j] = dy[i * d + j] * gain[j] * r - dr * r * r * r * x[i * d + j] / (double)d;
    }
}

void vl_oracle_rmsnorm_weight(double *dgain, const double *dy, const double *x,
                              const double *inv_rms, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            dgain[j] += dy[i * d + j] * x[i * d + j] * inv_rms[i];
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* s = softmax backward: ds_ij = p_ij (dp_ij - sum_k p_ik dp_ik), with dp_ij = dout_i . v_j. */
void vl_oracle_attention_input(double *dqkv, const double *dout, const double *qkv,
                               const double *probs, size_t batch, size_t sequence, size_t heads,
                               size_t head_width)
{
    size_t stride = 3 * heads * head_width, part = heads * head_width;
    for (size_t e = 0; e < batch * sequence * stride; e++)
        dqkv[e] = 0;
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < heads; h++) {
            size_t first = b * sequence * stride + h * head_width;
            for (size_t i = 0; i < sequence; i++) {
                const double *p = probs + ((b * heads + h) * sequence + i) * sequence;
                const double *o = dout + ((b * sequence + i) * heads + h) * head_width;
                size_t q = first + i * stride;
                double mean = 0;
                for (size_t j = 0; j <= i; j++)
                    mean += p[j] * dot(o, qkv + first + j * stride + 2 * part, head_width);
                for (size_t j = 0; j <= i; j++) {
                    size_t k = first + j * stride + part, v = k + part;
                    double ds = p[j] * (dot(o, qkv + v, head_width) - mean);
                    ds /= sqrt((double)head_width);
                    for (size_t c = 0; c < head_width; c++) {
                        dqkv[q + c] += ds * qkv[k + c];
                        dqkv[k + c] += ds * qkv[q + c];
                        dqkv[v + c] += p[j] * o[c];
                    }
                }
            }
        }
    }
}

/* silu(g) = g s(g), so silu'(g) = s + g s (1 - s). */
void vl_oracle_swiglu_input(double *dgate_up, const double *dout, const double *gate_up, size_t n,
                            size_t ff)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < ff; j++) {
            size_t g = i * 2 * ff + j, u = g + ff;
            double s = 1 / (1 + exp(-gate_up[g])), d = dout[i * ff + j];
            dgate_up[g] = d * gate_up[u] * (s + gate_up[g] * s * (1 - s));
            dgate_up[u] = d * gate_up[g] * s;
        }
    }
}

void vl_oracle_cross_entropy_input(double *dlogits, const double *probs, const int32_t *targets,
                                   double scale, size_t n, size_t vocabulary)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < vocabulary; j++)
            dlogits[i * vocabulary + j] =
                scale * (probs[i * vocabulary + j] - ((size_t)targets[i] == j ? 1 : 0));
}
