/*
 * Inputs of lab 09's cases: counts as routers give them, and a router whose choices are all clear.
 */
#include "base/random.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include <math.h>
#include <stdbool.h>

static bool has(const struct vl_case *self, int variant)
{
    return (self->variant & variant) != 0;
}

/* Adds a case's sizes and flags; returns the number of experts. */
static size_t add_sizes(struct vl_maker *m, const struct vl_case *self)
{
    vl_maker_size(m, "ranks", (size_t)self->ranks);
    vl_maker_flag(m, "reversed", self->variant, VL_REVERSED);
    vl_maker_flag(m, "bad", self->variant, VL_BAD);
    size_t tokens = has(self, VL_EMPTY)  ? 0
                    : has(self, VL_WIDE) ? vl_maker_wide(m)
                                         : vl_maker_prime(m, 3);
    vl_maker_size(m, "tokens", tokens);
    size_t experts = has(self, VL_ONE)       ? 1
                     : has(self, VL_INEXACT) ? 49
                     : has(self, VL_WIDE)    ? vl_maker_wide(m)
                                             : vl_maker_prime(m, tokens);
    vl_maker_size(m, "chosen", experts > 1 ? vl_maker_between(m, 2, experts - 1) : 1);
    return vl_maker_size(m, "experts", experts);
}

/* Counts between low and high. NULL without memory. */
static double *add_counts(struct vl_maker *m, size_t ranks, size_t experts, size_t low, size_t high)
{
    double *counts = vl_maker_doubles(m, "counts", ranks, experts);
    for (size_t i = 0; counts != NULL && i < ranks * experts; i++)
        counts[i] = (double)vl_maker_between(m, low, high);
    return counts;
}

VL_SCOPED_MAKE(load_chosen)
{
    size_t experts = add_sizes(m, self);
    size_t tokens = vl_bag_size(m->bag, "tokens"), chosen = vl_bag_size(m->bag, "chosen");
    vl_maker_ends_sizes(m);
    int32_t *by = vl_maker_below(m, "chosen_by", tokens, chosen, experts);
    if (by != NULL && has(self, VL_BAD))
        by[tokens * chosen / 2] = vl_maker_between(m, 0, 1) ? -1 : (int32_t)experts;
    add_counts(m, 1, experts, 1, 20);
}

VL_SCOPED_MAKE(load_ranks)
{
    size_t experts = add_sizes(m, self);
    size_t low = has(self, VL_LARGE) ? (size_t)1 << 40 : 1;
    if (has(self, VL_EMPTY))
        vl_maker_size(m, "none", 1);
    vl_maker_ends_sizes(m);
    double *counts = add_counts(m, (size_t)self->ranks, experts, low,
                                has(self, VL_LARGE) ? low + 999983 : 99991);
    for (size_t e = 0; counts != NULL && has(self, VL_IDLE) && e < experts; e++)
        counts[(size_t)self->ranks / 2 * experts + e] = 0; /* a rank without tokens */
}

#define MEAN_COUNT  48 /* for 49 experts: their sum times 1/49 is not 48 */
#define LARGE_COUNT (0x1p40 + 1)

/* In each pair one count is as far above the mean as the other is below it. The second pair has
 * exactly the mean, and so has a last expert without a partner. */
static void pair_up(struct vl_maker *m, double *counts, size_t experts)
{
    for (size_t e = 0; e < experts; e += 2) {
        double apart = e == 2 ? 0 : (double)(1 + e / 2 + vl_maker_between(m, 0, 1));
        counts[e] = MEAN_COUNT + (e + 1 < experts ? apart : 0);
        if (e + 1 < experts)
            counts[e + 1] = MEAN_COUNT - apart;
    }
}

#define FAR_BIAS                                                                                   \
    4.0f /* also where affinities, which lie between 0 and 1, decide nothing any more */

VL_SCOPED_MAKE(load_counts)
{
    size_t experts = add_sizes(m, self);
    vl_maker_ends_sizes(m);
    double *counts = add_counts(m, 1, experts, 10, 70), sum = 0;
    for (size_t e = 0; counts != NULL && e < experts; e++) {
        if (has(self, VL_EMPTY))
            counts[e] = 0;
        else if (has(self, VL_EVEN | VL_NEAR))
            counts[e] = (has(self, VL_LARGE) ? LARGE_COUNT : MEAN_COUNT) +
                        (has(self, VL_NEAR) && e == experts / 2);
        else if (has(self, VL_WIDE) && e == experts / 3)
            counts[e] = 0; /* nobody chose it */
        sum += counts[e];
    }
    if (counts != NULL && has(self, VL_MEAN))
        pair_up(m, counts, experts);
    else if (counts != NULL && self->variant == 0 && (size_t)sum % experts == 0)
        counts[0] += 1; /* no expert has the mean by chance */
    vl_maker_normal(m, "bias", 1, experts, has(self, VL_WIDE) ? FAR_BIAS : 0.0625f);
    vl_maker_real(m, "u", 0.015625);
}

#define LONG_SCOPE 100000 /* tokens: 32 bits do not hold their square */

/* Affinities as a router gives them. If a token is silent, the first one is almost silent. */
static void add_affinities(struct vl_maker *m, size_t tokens, size_t experts, bool silent)
{
    float *affinity = vl_maker_normal(m, "affinity", tokens, experts, 1.5f);
    for (size_t i = 0; affinity != NULL && i < tokens * experts; i++) {
        affinity[i] = 1 / (1 + expf(-affinity[i]));
        if (silent && i / experts == tokens / 2)
            affinity[i] = 0;
        else if (silent && i < experts)
            affinity[i] *= 1e-25f;
    }
}

/* The choices of a scope: experts with small numbers get more. */
static void choose(struct vl_maker *m, double *counts, size_t experts, size_t choices)
{
    size_t at_once = 1 + choices / 10000; /* the same to all of so many */
    for (size_t done = 0; counts != NULL && done < choices; done += at_once) {
        size_t one = vl_maker_between(m, 0, experts - 1);
        size_t other = vl_maker_between(m, 0, experts - 1);
        size_t left = choices - done;
        counts[one < other ? one : other] += (double)(left < at_once ? left : at_once);
    }
}

/* What the auxiliary loss works on: affinities as a router gives them, and uneven counts of the
 * choices of T tokens. */
VL_SCOPED_MAKE(balance_scope)
{
    int even = has(self, VL_EVEN);
    size_t experts = add_sizes(m, self);
    size_t tokens = vl_bag_size(m->bag, "tokens"), scope = tokens;
    if (has(self, VL_GLOBAL))
        scope = (has(self, VL_WIDE) ? 4 * tokens : LONG_SCOPE) + vl_maker_between(m, 1, 9);
    if (has(self, VL_EMPTY)) /* all of its tokens are on other ranks, or there are none anywhere */
        scope = has(self, VL_GLOBAL) ? 0 : 24;
    vl_maker_size(m, "scope_tokens", scope);
    vl_maker_ends_sizes(m);
    vl_maker_real(m, "alpha", 0.75);
    add_affinities(m, tokens, experts, has(self, VL_SILENT));

    size_t choices = scope * vl_bag_size(m->bag, "chosen");
    double *counts = add_counts(m, 1, experts, 0, 0);
    choose(m, counts, experts, choices);
    double *shares = vl_maker_doubles(m, "shares", 1, experts);
    for (size_t e = 0; !m->failed && e < experts; e++) {
        if (even)
            counts[e] = (double)choices / (double)experts;
        shares[e] = (double)scope / (double)experts *
                    (even ? 1 : 0.5 + (double)vl_maker_between(m, 0, 1000) / 1000);
    }
    /* As large as the gradient itself: neither may hide the other. */
    vl_maker_normal(m, "dlogits", tokens, experts, 0.5f / (float)(scope + 1));
}

VL_SCOPED_MAKE(balance_gradients)
{
    size_t n = has(self, VL_EMPTY)  ? 0
               : has(self, VL_WIDE) ? vl_maker_wide(m)
                                    : vl_maker_prime(m, 0);
    vl_maker_size(m, "n", n);
    vl_maker_flag(m, "bad", self->variant, VL_BAD);
    float scale = has(self, VL_TINY) ? 1e-25f : has(self, VL_SLIGHT) ? 1e-10f : 1;
    float *auxiliary = vl_maker_normal(m, "auxiliary", 1, n,
                                       has(self, VL_BOTH_ZERO | VL_NOTHING) ? 0 : 0.25f * scale);
    float *model =
        vl_maker_normal(m, "language_model", 1, n, has(self, VL_BOTH_ZERO | VL_BAD) ? 0 : scale);
    for (size_t i = 0; !m->failed && i < n; i++)
        if (has(self, VL_OPPOSITE))
            auxiliary[i] = -0.5f * model[i];
        else if (has(self, VL_ORTHOGONAL)) /* each is 0 where the other is not */
            *(i < n / 2 ? &model[i] : &auxiliary[i]) = 0;
        else if (!has(self, VL_BOTH_ZERO | VL_NOTHING | VL_BAD))
            auxiliary[i] += 0.125f * model[i]; /* not orthogonal by chance */
}

/* ---- runs ---- */

#define CLEAR (1.0 / 256) /* of u: rounding in float32 is a hundredth of it */

/* Is it certain which experts this token goes to, if the biases are any multiples of u? */
static bool is_clear(const float *x, const float *w, size_t experts, size_t width, double u)
{
    double affinity[VL_ORACLE_EXPERTS];
    for (size_t e = 0; e < experts; e++) {
        double logit = 0;
        for (size_t d = 0; d < width; d++)
            logit += (double)w[e * width + d] * (double)x[d];
        affinity[e] = 1 / (1 + exp(-logit));
        for (size_t before = 0; before < e; before++) {
            double steps = (affinity[e] - affinity[before]) / u;
            if (fabs(steps - round(steps)) < CLEAR)
                return false;
        }
    }
    return true;
}

/* w's first column favours some experts: values from -1.2 to 1.2, in random order. */
static float *add_router(struct vl_maker *m, size_t experts, size_t width)
{
    float *w = vl_maker_normal(m, "w", experts, width, 1 / sqrtf((float)width));
    size_t first = vl_maker_between(m, 0, experts - 1), stride = 3 + 2 * vl_maker_between(m, 0, 2);
    for (size_t e = 0; w != NULL && e < experts; e++)
        w[e * width] = 1.2f * (2 * (float)((first + stride * e) % experts) / 7 - 1);
    return w;
}

VL_SCOPED_MAKE(balance_run)
{
    static const size_t widths[] = {5, 7, 11, 13};
    const size_t experts = 8, all = 480;
    const size_t pool = 3 * all; /* whole batches, so a row is always of the same rank */
    const double u = 0x1p-8;     /* a power of two: sums of steps are exact */
    size_t width = widths[vl_maker_between(m, 0, 3)], length = all / 4 / (size_t)self->ranks;
    vl_maker_size(m, "ranks", (size_t)self->ranks);
    vl_maker_flag(m, "reversed", self->variant, VL_REVERSED);
    vl_maker_flag(m, "course", self->variant, VL_COURSE);
    vl_maker_sizes(m, {"experts", experts}, {"chosen", 2}, {"pool", pool}, {"width", width},
                   {"batches", has(self, VL_COURSE) ? 24 : 120}, {"length", length},
                   {"tokens", 4 * length},
                   {"scope", has(self, VL_GLOBAL)     ? VL_ORACLE_GLOBAL
                             : has(self, VL_SEQUENCE) ? VL_ORACLE_SEQUENCE
                                                      : VL_ORACLE_MICRO});
    vl_maker_real(m, "u", u);
    vl_maker_real(m, "alpha", 0.25);
    vl_maker_real(m, "rate", 120);
    vl_maker_real(m, "most", self->bound);
    const float *w = add_router(m, experts, width);
    float *x = vl_bag_add_f32(m->bag, "x", pool, width);
    m->failed |= x == NULL;
    for (size_t row = 0; !m->failed && row < pool; row++)
        do {
            vl_random_fill_normal(x + row * width, width, 1, m->numbers, m->stream++, 0);
            x[row * width] = 1;
        } while (!is_clear(x + row * width, w, experts, width, u));
}

/* A rank has its own counts, and in a run the rows that its batches take in turn. */
VL_PART(expert_balancing)
{
    size_t tokens = vl_bag_size(p->inputs, "tokens"), pool = vl_bag_size(p->inputs, "pool");
    vl_part_share(p, "counts");
    vl_part_withhold(p, "x");
    for (size_t first = p->rank * tokens; first < pool; first += p->ranks * tokens)
        vl_part_give_rows(p, "x", first, tokens);
}
