#include "oracle/balance.h"

#include <math.h>

double vl_oracle_max_violation(const double *counts, size_t experts)
{
    double all = 0, worst = -INFINITY;
    for (size_t e = 0; e < experts; e++)
        all += counts[e];
    for (size_t e = 0; all > 0 && e < experts; e++)
        worst = fmax(worst, (counts[e] - all / (double)experts) / (all / (double)experts));
    return all > 0 ? worst : 0;
}

/* Counts are whole, so a count that differs from the mean differs by at least 1/E. */
void vl_oracle_bias_step(double *bias, const double *counts, size_t experts, double u)
{
    double mean = 0;
    for (size_t e = 0; e < experts; e++)
        mean += counts[e] / (double)experts;
    for (size_t e = 0; e < experts; e++) {
        double above = counts[e] - mean;
        int equal = fabs(above) < 0.5 / (double)experts;
        bias[e] -= equal ? 0 : copysign(u, above);
    }
}

void vl_oracle_shares_add(double *shares, const double *affinity, size_t tokens, size_t experts)
{
    for (size_t t = 0; t < tokens; t++)
        for (size_t e = 0; e < experts; e++) {
            double all = 0;
            for (size_t i = 0; i < experts; i++)
                all += affinity[t * experts + i];
            shares[e] += all > 0 ? affinity[t * experts + e] / all : 0;
        }
}

/* alpha times the sum of f(e) P(e): P(e) is the mean share, and f(e) the count divided by an even
 * one. Without tokens it is 0. */
double vl_oracle_balance_loss(const double *shares, const double *counts,
                              const struct vl_oracle_balance *b)
{
    double tokens = (double)b->scope_tokens, loss = 0;
    double even = (double)b->chosen * tokens / (double)b->experts;
    for (size_t e = 0; e < b->experts && tokens > 0; e++)
        loss += counts[e] / even * (shares[e] / tokens);
    return b->alpha * loss;
}

/* Through every p of the token to every logit, without gathering terms. */
void vl_oracle_balance_gradient(double *dlogits, const double *affinity, const double *counts,
                                const struct vl_oracle_balance *b)
{
    double all = 0, tokens = (double)b->scope_tokens;
    double even = (double)b->chosen * tokens / (double)b->experts;
    for (size_t e = 0; e < b->experts; e++)
        all += affinity[e];
    for (size_t of = 0; of < b->experts && all > 0; of++)
        for (size_t by = 0; by < b->experts; by++) {
            double dloss_dp = b->alpha * counts[of] / even / tokens;
            double dp_da = ((of == by ? all : 0) - affinity[of]) / (all * all);
            dlogits[by] += dloss_dp * dp_da * affinity[by] * (1 - affinity[by]);
        }
}

void vl_oracle_interference(double *size, double *cosine, const double *a, const double *b,
                            size_t n)
{
    double aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < n; i++) {
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    for (size_t i = 0; i < n; i++)
        ab += a[i] / sqrt(aa) * (b[i] / sqrt(bb));
    *size = sqrt(aa) / sqrt(bb);
    *cosine = ab;
}

/* ---- runs ---- */

static void affinities(double *affinity, const struct vl_oracle_router *r, const double *w,
                       size_t batch, int rank, size_t i)
{
    size_t row = ((batch * (size_t)r->ranks + (size_t)rank) * r->tokens + i) % r->pool;
    for (size_t e = 0; e < r->experts; e++) {
        double logit = 0;
        for (size_t d = 0; d < r->width; d++)
            logit += w[e * r->width + d] * r->x[row * r->width + d];
        affinity[e] = 1 / (1 + exp(-logit));
    }
}

/* An expert is chosen if fewer than k are ahead of it. */
static void choose(double *counts, const double *affinity, const double *bias,
                   const struct vl_oracle_router *r)
{
    for (size_t e = 0; e < r->experts; e++) {
        size_t ahead = 0;
        for (size_t other = 0; other < r->experts; other++) {
            double own = affinity[e] + bias[e], its = affinity[other] + bias[other];
            ahead += its > own || (its >= own && other < e);
        }
        counts[e] += ahead < r->chosen ? 1 : 0;
    }
}

/* counts (E), added to, of tokens first ... last - 1 of a rank. */
static void count(double *counts, const struct vl_oracle_router *r, const double *w,
                  const double *bias, size_t batch, int rank, size_t first, size_t last)
{
    double affinity[VL_ORACLE_EXPERTS];
    for (size_t i = first; i < last; i++) {
        affinities(affinity, r, w, batch, rank, i);
        choose(counts, affinity, bias, r);
    }
}

/* A batch's weight in the mean over the last quarter. */
static double late(const struct vl_oracle_router *r, size_t batch)
{
    size_t quarter = r->batches / 4;
    return batch + quarter >= r->batches ? 1 / (double)quarter : 0;
}

/* Corrects bias (P,E) after a batch with counts (P,E); row r of both is rank r's. */
static void correct(double *bias, const double *counts, const struct vl_oracle_router *router)
{
    double all[VL_ORACLE_EXPERTS] = {0};
    for (size_t i = 0; i < (size_t)router->ranks * router->experts; i++)
        all[i % router->experts] += counts[i];
    for (size_t rank = 0; rank < (size_t)router->ranks; rank++)
        vl_oracle_bias_step(bias + rank * router->experts, all, router->experts, router->u);
}

struct vl_oracle_run vl_oracle_balance_by_bias(double *course,
                                               const struct vl_oracle_router *router)
{
    struct vl_oracle_run run = {.same = 1};
    double bias[VL_ORACLE_RANKS * VL_ORACLE_EXPERTS] = {0};
    size_t experts = router->experts, every = (size_t)router->ranks * experts;
    for (size_t b = 0; b < router->batches; b++) {
        double counts[VL_ORACLE_RANKS * VL_ORACLE_EXPERTS] = {0}, all[VL_ORACLE_EXPERTS] = {0};
        for (int rank = 0; rank < router->ranks; rank++)
            count(counts + (size_t)rank * experts, router, router->w, bias + (size_t)rank * experts,
                  b, rank, 0, router->tokens);
        for (size_t i = 0; i < every; i++) {
            all[i % experts] += counts[i];
            run.same &= bias[i] <= bias[i % experts] && bias[i] >= bias[i % experts];
            if (course != NULL)
                course[(i / experts * router->batches + b) * experts + i % experts] = bias[i];
        }
        run.violation += late(router, b) * vl_oracle_max_violation(all, experts);
        correct(bias, counts, router);
    }
    return run;
}

/* One scope: tokens first ... last - 1 of rank 'from' to rank 'to'. Its gradient is added to
 * doffsets (E), times 'weight'; returns its loss. */
static double descend(double *doffsets, const struct vl_oracle_router *r, const double *w,
                      size_t batch, int from, int to, size_t first, size_t last, double weight)
{
    static const double no_bias[VL_ORACLE_EXPERTS];
    double counts[VL_ORACLE_EXPERTS] = {0}, shares[VL_ORACLE_EXPERTS] = {0};
    const struct vl_oracle_balance b = {r->experts, r->chosen,
                                        (size_t)(to - from + 1) * (last - first), r->alpha};
    for (int rank = from; rank <= to; rank++)
        count(counts, r, w, no_bias, batch, rank, first, last);
    for (int rank = from; rank <= to; rank++)
        for (size_t i = first; i < last; i++) {
            double affinity[VL_ORACLE_EXPERTS], dlogits[VL_ORACLE_EXPERTS] = {0};
            affinities(affinity, r, w, batch, rank, i);
            vl_oracle_shares_add(shares, affinity, 1, r->experts);
            vl_oracle_balance_gradient(dlogits, affinity, counts, &b);
            for (size_t e = 0; e < r->experts; e++)
                doffsets[e] += weight * dlogits[e];
        }
    return vl_oracle_balance_loss(shares, counts, &b);
}

struct vl_oracle_run vl_oracle_balance_by_loss(const struct vl_oracle_router *router)
{
    static const double no_bias[VL_ORACLE_EXPERTS];
    struct vl_oracle_run run = {.same = 1};
    double w[VL_ORACLE_EXPERTS * VL_ORACLE_WIDTH];
    size_t parts = router->scope == VL_ORACLE_SEQUENCE ? router->tokens / router->length : 1;
    int together = router->scope == VL_ORACLE_GLOBAL ? router->ranks : 1; /* ranks of one scope */
    double weight = 1 / ((double)parts * (double)(router->ranks / together));
    for (size_t k = 0; k < router->experts * router->width; k++)
        w[k] = router->w[k];
    for (size_t b = 0; b < router->batches; b++) {
        double counts[VL_ORACLE_EXPERTS] = {0}, doffsets[VL_ORACLE_EXPERTS] = {0};
        double loss = 0;
        for (int rank = 0; rank < router->ranks; rank++)
            count(counts, router, w, no_bias, b, rank, 0, router->tokens);
        for (int rank = 0; rank < router->ranks; rank += together)
            for (size_t part = 0; part < parts; part++)
                loss += weight * descend(doffsets, router, w, b, rank, rank + together - 1,
                                         part * (router->tokens / parts),
                                         (part + 1) * (router->tokens / parts), weight);
        run.violation += late(router, b) * vl_oracle_max_violation(counts, router->experts);
        run.loss += late(router, b) * loss / router->alpha;
        for (size_t e = 0; e < router->experts; e++)
            w[e * router->width] -= router->rate * doffsets[e];
    }
    return run;
}
