#include "oracle/kernels.h"

#include <math.h>

void vl_oracle_linear(double *y, const double *x, const double *w, size_t n, size_t in, size_t out)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t o = 0; o < out; o++) {
            double sum = 0;
            for (size_t j = 0; j < in; j++)
                sum += x[i * in + j] * w[o * in + j];
            y[i * out + o] = sum;
        }
    }
}

void vl_oracle_embedding(double *x, const double *table, const int32_t *tokens, size_t n,
                         size_t width)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            x[i * width + j] = table[(size_t)tokens[i] * width + j];
}

void vl_oracle_rotary_table(double *table, size_t sequence, size_t head_width)
{
    size_t half = head_width / 2;
    for (size_t t = 0; t < sequence; t++) {
        for (size_t i = 0; i < half; i++) {
            double frequency = pow(10000.0, -2.0 * (double)i / (double)head_width);
            table[t * head_width + i] = cos((double)t * frequency);
            table[t * head_width + half + i] = sin((double)t * frequency);
        }
    }
}

void vl_oracle_rotary(double *qkv, const double *table, double direction, size_t batch,
                      size_t sequence, size_t heads, size_t head_width)
{
    size_t half = head_width / 2;
    for (size_t row = 0; row < batch * sequence; row++) {
        size_t t = row % sequence;
        /* The first 2H heads of a row are those of q and of k. */
        for (size_t head = 0; head < 2 * heads; head++) {
            double *vector = qkv + (row * 3 * heads + head) * head_width;
            for (size_t i = 0; i < half; i++) {
                double cosine = table[t * head_width + i];
                double sine = direction * table[t * head_width + half + i];
                double a = vector[i], b = vector[i + half];
                vector[i] = a * cosine - b * sine;
                vector[i + half] = b * cosine + a * sine;
            }
        }
    }
}

void vl_oracle_rmsnorm(double *y, double *inv_rms, const double *x, const double *gain, double eps,
                       size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (size_t j = 0; j < d; j++)
            squares += x[i * d + j] * x[i * d + j];
        inv_rms[i] = 1 / sqrt((d > 0 ? squares / (double)d : 0) + eps);
        for (size_t j = 0; j < d; j++)
            y[i * d + j] = x[i * d + j] * inv_rms[i] * gain[j];
    }
}

/* One row of probabilities of one head: softmax of q_i . k_j / sqrt(K) over j <= i. */
static void attention_row(double *p, const double *q, const double *k, size_t stride, size_t i,
                          size_t sequence, size_t head_width)
{
    double largest = -INFINITY, sum = 0;
    for (size_t j = 0; j <= i; j++) {
        double score = 0;
        for (size_t c = 0; c < head_width; c++)
            score += q[i * stride + c] * k[j * stride + c];
        p[j] = score / sqrt((double)head_width);
        largest = fmax(largest, p[j]);
    }
    for (size_t j = 0; j <= i; j++) {
        p[j] = exp(p[j] - largest);
        sum += p[j];
    }
    for (size_t j = 0; j < sequence; j++)
        p[j] = j <= i ? p[j] / sum : 0;
}

void vl_oracle_attention(double *out, double *probs, const double *qkv, size_t batch,
                         size_t sequence, size_t heads, size_t head_width)
{
    size_t stride = 3 * heads * head_width;
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < heads; h++) {
            const double *q = qkv + b * sequence * stride + h * head_width;
            const double *k = q + heads * head_width;
            const double *v = k + heads * head_width;
            for (size_t i = 0; i < sequence; i++) {
                double *p = probs + ((b * heads + h) * sequence + i) * sequence;
                double *o = out + ((b * sequence + i) * heads + h) * head_width;
                attention_row(p, q, k, stride, i, sequence, head_width);
                for (size_t c = 0; c < head_width; c++) {
                    o[c] = 0;
                    for (size_t j = 0; j <= i; j++)
                        o[c] += p[j] * v[j * stride + c];
                }
            }
        }
    }
}

void vl_oracle_swiglu(double *out, const double *gate_up, size_t n, size_t ff)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < ff; j++) {
            double gate = gate_up[i * 2 * ff + j], up = gate_up[i * 2 * ff + ff + j];
            out[i * ff + j] = gate / (1 + exp(-gate)) * up;
        }
    }
}

void vl_oracle_cross_entropy(double *losses, double *probs, const double *logits,
                             const int32_t *targets, size_t n, size_t vocabulary)
{
    for (size_t i = 0; i < n; i++) {
        const double *row = logits + i * vocabulary;
        double largest = -INFINITY, sum = 0;
        for (size_t j = 0; j < vocabulary; j++)
            largest = fmax(largest, row[j]);
        for (size_t j = 0; j < vocabulary; j++)
            sum += exp(row[j] - largest);
        losses[i] = log(sum) - (row[targets[i]] - largest);
        for (size_t j = 0; j < vocabulary; j++)
            probs[i * vocabulary + j] = exp(row[j] - largest) / sum;
    }
}
