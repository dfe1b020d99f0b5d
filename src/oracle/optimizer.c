#include "oracle/optimizer.h"

#include <math.h>

double vl_oracle_gradient_norm(const double *gradient, size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += gradient[i] * gradient[i];
    return sqrt(squares);
}

void vl_oracle_adamw(double *weights, double *m, double *v, const double *gradient, double scale,
                     const struct vl_oracle_adamw *settings, uint64_t step, size_t n)
{
    const struct vl_oracle_adamw *s = settings;
    for (size_t i = 0; i < n; i++) {
        double g = gradient[i] * scale;
        m[i] = s->beta1 * m[i] + (1 - s->beta1) * g;
        v[i] = s->beta2 * v[i] + (1 - s->beta2) * g * g;
        double m_hat = m[i] / (1 - pow(s->beta1, (double)step));
        double v_hat = v[i] / (1 - pow(s->beta2, (double)step));
        weights[i] -= s->lr * (m_hat / (sqrt(v_hat) + s->eps) + s->weight_decay * weights[i]);
    }
}

double vl_oracle_clip(double norm, double max_norm)
{
    return max_norm > 0 && norm > max_norm ? max_norm / norm : 1;
}
