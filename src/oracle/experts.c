#include "oracle/experts.h"

#include "oracle/kernels.h"

#include <math.h>
#include <stdbool.h>

/* ---- the router ---- */

/* Is expert a ahead of expert b for one token? */
static bool is_ahead(const double *affinity, const double *bias, size_t a, size_t b)
{
    double of_a = affinity[a] + (bias ? bias[a] : 0), of_b = affinity[b] + (bias ? bias[b] : 0);
    return of_a > of_b || (of_a == of_b && a < b);
}

void vl_oracle_router(double *affinity, int32_t *chosen, double *weights, const double *logits,
                      const double *bias, const struct vl_oracle_routing *routing)
{
    for (size_t t = 0; t < routing->tokens; t++) {
        double *own = affinity + t * routing->experts, sum = 0;
        for (size_t e = 0; e < routing->experts; e++)
            own[e] = 1 / (1 + exp(-logits[t * routing->experts + e]));
        for (size_t e = 0; e < routing->experts; e++) {
            size_t ahead = 0; /* how many experts are ahead of e; that is its place */
            for (size_t other = 0; other < routing->experts; other++)
                ahead += (size_t)is_ahead(own, bias, other, e);
            if (ahead < routing->chosen)
                chosen[t * routing->chosen + ahead] = (int32_t)e;
        }
        for (size_t j = 0; j < routing->chosen; j++)
            sum += own[chosen[t * routing->chosen + j]];
        for (size_t j = 0; j < routing->chosen; j++)
            weights[t * routing->chosen + j] =
                sum > 0 ? routing->scale * own[chosen[t * routing->chosen + j]] / sum : 0;
    }
}

/* What a group is worth: those of its experts count that have at most one of it ahead of them. */
static double group_value(const double *own, const double *bias, size_t group, size_t each)
{
    double value = 0;
    for (size_t e = group * each; e < (group + 1) * each; e++) {
        size_t ahead = 0;
        for (size_t other = group * each; other < (group + 1) * each; other++)
            ahead += (size_t)is_ahead(own, bias, other, e);
        if (ahead < 2)
            value += own[e] + (bias != NULL ? bias[e] : 0);
    }
    return value;
}

/* May the token choose expert e? */
static int is_allowed(const double *own, const double *bias, size_t e, size_t each, size_t groups,
                      size_t limit)
{
    double value = group_value(own, bias, e / each, each);
    for (size_t other = 0; other < groups; other++) {
        double theirs = group_value(own, bias, other, each);
        if (theirs > value || (theirs == value && other < e / each))
            limit -= limit > 0;
    }
    return limit > 0;
}

void vl_oracle_router_limited(double *affinity, int32_t *chosen, double *weights,
                              const double *logits, const double *bias,
                              const struct vl_oracle_routing *routing, size_t groups, size_t limit)
{
    size_t experts = routing->experts, k = routing->chosen, each = experts / groups;
    for (size_t t = 0; t < routing->tokens; t++) {
        double *own = affinity + t * experts, sum = 0;
        for (size_t e = 0; e < experts; e++)
            own[e] = 1 / (1 + exp(-logits[t * experts + e]));
        for (size_t e = 0; e < experts; e++) {
            size_t ahead = 0;
            if (!is_allowed(own, bias, e, each, groups, limit))
                continue;
            for (size_t other = 0; other < experts; other++)
                ahead += is_ahead(own, bias, other, e) &&
                         is_allowed(own, bias, other, each, groups, limit);
            if (ahead < k)
                chosen[t * k + ahead] = (int32_t)e;
        }
        for (size_t j = 0; j < k; j++)
            sum += own[chosen[t * k + j]];
        for (size_t j = 0; j < k; j++)
            weights[t * k + j] = sum > 0 ? routing->scale * own[chosen[t * k + j]] / sum : 0;
    }
}

/* The Jacobian, entry by entry: d w(i) / d a(j) = scale ([i = j] S - a(i)) / S^2. */
void vl_oracle_router_input(double *dlogits, const double *dweights, const double *affinity,
                            const int32_t *chosen, const struct vl_oracle_routing *routing)
{
    for (size_t i = 0; i < routing->tokens * routing->experts; i++)
        dlogits[i] = 0;
    for (size_t t = 0; t < routing->tokens; t++) {
        const int32_t *its = chosen + t * routing->chosen;
        const double *own = affinity + t * routing->experts;
        double sum = 0;
        for (size_t j = 0; j < routing->chosen; j++)
            sum += own[its[j]];
        for (size_t j = 0; j < routing->chosen; j++)
            for (size_t i = 0; i < routing->chosen && sum > 0; i++) {
                double a = own[its[j]];
                double slope = routing->scale * ((i == j ? sum : 0) - own[its[i]]) / (sum * sum);
                dlogits[t * routing->experts + (size_t)its[j]] +=
                    dweights[t * routing->chosen + i] * slope * a * (1 - a);
            }
    }
}

/* ---- rows ---- */

void vl_oracle_rows(size_t *row_of, const int32_t *choices, size_t n, size_t experts)
{
    size_t row = 0;
    for (size_t e = 0; e < experts; e++)
        for (size_t c = 0; c < n; c++)
            if ((size_t)choices[c] == e)
                row_of[c] = row++;
}

/* ---- experts: each row meets the matrices of its own expert ---- */

static size_t expert_of(const struct vl_oracle_experts *x, size_t row)
{
    size_t e = 0;
    for (size_t end = x->rows_of[0]; row >= end; end += x->rows_of[e])
        e++;
    return e;
}

static size_t row_count(const struct vl_oracle_experts *x)
{
    size_t rows = 0;
    for (size_t e = 0; e < x->count; e++)
        rows += x->rows_of[e];
    return rows;
}

void vl_oracle_experts(double *out, double *opened, double *active, const double *rows,
                       const struct vl_oracle_experts *experts)
{
    size_t d = experts->width, f = experts->ff;
    for (size_t i = 0; i < row_count(experts); i++) {
        size_t e = expert_of(experts, i);
        vl_oracle_linear(opened + i * 2 * f, rows + i * d, experts->gate_up + e * 2 * f * d, 1, d,
                         2 * f);
        vl_oracle_swiglu(active + i * f, opened + i * 2 * f, 1, f);
        vl_oracle_linear(out + i * d, active + i * f, experts->down + e * d * f, 1, f, d);
    }
}

void vl_oracle_experts_input(double *drows, double *dopened, double *dactive, const double *dout,
                             const double *opened, const struct vl_oracle_experts *experts)
{
    size_t d = experts->width, f = experts->ff;
    for (size_t i = 0; i < row_count(experts); i++) {
        size_t e = expert_of(experts, i);
        vl_oracle_linear_input(dactive + i * f, dout + i * d, experts->down + e * d * f, 1, f, d);
        vl_oracle_swiglu_input(dopened + i * 2 * f, dactive + i * f, opened + i * 2 * f, 1, f);
        vl_oracle_linear_input(drows + i * d, dopened + i * 2 * f, experts->gate_up + e * 2 * f * d,
                               1, d, 2 * f);
    }
}

void vl_oracle_experts_weight(double *dgate_up, double *ddown, const double *dout,
                              const double *dopened, const double *active, const double *rows,
                              const struct vl_oracle_experts *experts)
{
    size_t d = experts->width, f = experts->ff;
    for (size_t i = 0; i < row_count(experts); i++) {
        size_t e = expert_of(experts, i);
        vl_oracle_linear_weight(ddown + e * d * f, dout + i * d, active + i * f, 1, f, d);
        vl_oracle_linear_weight(dgate_up + e * 2 * f * d, dopened + i * 2 * f, rows + i * d, 1, d,
                                2 * f);
    }
}

/* ---- on paper ---- */

double vl_oracle_expert_sent(const struct vl_oracle_expert_shape *shape)
{
    size_t own = shape->experts / (size_t)shape->ranks;
    double bytes = 0;
    for (size_t e = own; e < shape->experts; e++) { /* all experts on other ranks */
        double its_rows = (double)(shape->tokens * shape->chosen) / (double)shape->experts;
        bytes += sizeof(uint64_t); /* its count */
        for (int journey = 0; journey < 2; journey++) {
            bytes += its_rows * (double)(shape->width * sizeof(float)); /* x; dy */
            /* What comes back is sent by the other rank, which has as many rows from here as this
             * one has from there: out; drows. */
            bytes += its_rows * (double)(shape->width * sizeof(float));
        }
    }
    return bytes;
}

/* The router's matrix, and that many experts of three matrices each. */
static uint64_t parameters(const struct vl_oracle_expert_shape *s, size_t experts)
{
    uint64_t count = s->experts * s->width;
    for (size_t e = 0; e < experts; e++)
        for (int matrix = 0; matrix < 3; matrix++) /* gate, up, down */
            count += s->width * s->ff;
    return count;
}

uint64_t vl_oracle_expert_parameters(const struct vl_oracle_expert_shape *shape)
{
    return parameters(shape, shape->shared + shape->experts);
}

uint64_t vl_oracle_expert_active(const struct vl_oracle_expert_shape *shape)
{
    return parameters(shape, shape->shared + shape->chosen);
}
