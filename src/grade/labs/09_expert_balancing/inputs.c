/*
 * Inputs of lab 09's cases: counts as routers give them, and a router whose every choice is clear.
 */
#include "base/random.h"
#include "grade/catalogue/maker.h"
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include <math.h>

static int has(const struct vl_case *self, int variant)
{
    return (self->variant & variant) != 0;
}

/* ranks, reversed, experts, chosen, tokens: what every case has. Returns the experts. */
static size_t add_sizes(struct vl_maker *m, const struct vl_case *self)
{
    vl_maker_size(m, "ranks", (size_t)self->ranks);
    vl_maker_size(m, "reversed", (size_t)has(self, VL_REVERSED));
    vl_maker_size(m, "bad", (size_t)has(self, VL_BAD));
    size_t tokens = has(self, VL_EMPTY)  ? 0
                    : has(self, VL_WIDE) ? vl_maker_wide(m)
                                         : vl_maker_prime(m, 3);
    vl_maker_size(m, "tokens", tokens);
    size_t experts = has(self, VL_ONE)    ? 1
                     : has(self, VL_WIDE) ? vl_maker_wide(m)
                                          : vl_maker_prime(m, tokens);
    vl_maker_size(m, "chosen", experts > 1 ? vl_maker_between(m, 2, experts - 1) : 1);
    return vl_maker_size(m, "experts", experts);
}

static double *add_whole(struct vl_maker *m, const char *name, size_t rows, size_t cols, size_t low,
                         size_t high)
{
    double *whole = vl_bag_add_f64(m->bag, name, rows, cols);
    m->failed |= whole == NULL;
    for (size_t i = 0; whole != NULL && i < rows * cols; i++)
        whole[i] = (double)vl_maker_between(m, low, high);
    return whole;
}

VL_MAKE(load_chosen)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t experts = add_sizes(&m, self), tokens = vl_bag_size(inputs, "tokens");
    size_t chosen = vl_bag_size(inputs, "chosen");
    int32_t *by = vl_maker_below(&m, "chosen_by", tokens, chosen, experts);
    if (by != NULL && has(self, VL_BAD))
        by[tokens * chosen / 2] = vl_maker_between(&m, 0, 1) ? -1 : (int32_t)experts;
    add_whole(&m, "counts", 1, experts, 1, 20);
    return vl_maker_end(&m);
}

VL_MAKE(load_ranks)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t experts = add_sizes(&m, self), ranks = (size_t)self->ranks;
    int large = has(self, VL_LARGE);
    size_t low = large ? (size_t)1 << 40 : 1;
    if (has(self, VL_EMPTY))
        vl_maker_size(&m, "none", 1);
    add_whole(&m, "counts", ranks, experts, low, large ? low + 999983 : 99991);
    return vl_maker_end(&m);
}

#define MEAN_COUNT 40

/* Pairs as far above the mean as below. The second pair has exactly the mean; so has a last expert
 * without a partner. */
static void pair_up(struct vl_maker *m, double *counts, size_t experts)
{
    for (size_t e = 0; e < experts; e += 2) {
        double apart = e == 2 ? 0 : (double)(1 + e + vl_maker_between(m, 0, 1));
        counts[e] = MEAN_COUNT + (e + 1 < experts ? apart : 0);
        if (e + 1 < experts)
            counts[e + 1] = MEAN_COUNT - apart;
    }
}

static void add_counts(struct vl_maker *m, const struct vl_case *self, size_t experts)
{
    double *counts = add_whole(m, "counts", 1, experts, 10, 70), sum = 0;
    for (size_t e = 0; counts != NULL && e < experts; e++) {
        if (has(self, VL_EMPTY))
            counts[e] = 0;
        else if (has(self, VL_EVEN))
            counts[e] = MEAN_COUNT;
        else if (has(self, VL_NEAR))
            counts[e] = MEAN_COUNT + (e == experts / 2);
        sum += counts[e];
    }
    if (counts != NULL && has(self, VL_MEAN))
        pair_up(m, counts, experts);
    else if (counts != NULL && self->variant == 0 && (size_t)sum % experts == 0)
        counts[0] += 1; /* no expert has the mean by chance */
}

VL_MAKE(load_counts)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t experts = add_sizes(&m, self);
    add_counts(&m, self, experts);
    vl_maker_normal(&m, "bias", 1, experts, 0.0625f);
    vl_maker_real(&m, "u", 0.015625);
    return vl_maker_end(&m);
}

/* What the auxiliary loss works on: affinities as a router gives them, and uneven counts, the choices
 * of T tokens. */
VL_MAKE(balance_scope)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t experts = add_sizes(&m, self), tokens = vl_bag_size(inputs, "tokens");
    size_t scope = tokens;
    if (has(self, VL_GLOBAL))
        scope = 4 * tokens + vl_maker_between(&m, 1, 9);
    if (has(self, VL_EMPTY)) /* all of the scope is elsewhere */
        scope = 24;
    vl_maker_size(&m, "scope_tokens", scope);
    vl_maker_real(&m, "alpha", 0.75);
    float *affinity = vl_maker_normal(&m, "affinity", tokens, experts, 1.5f);
    for (size_t i = 0; affinity != NULL && i < tokens * experts; i++)
        affinity[i] = 1 / (1 + expf(-affinity[i]));

    int even = has(self, VL_EVEN);
    size_t chosen = vl_bag_size(inputs, "chosen"), left = scope * chosen;
    double *counts = add_whole(&m, "counts", 1, experts, 0, 0);
    for (size_t i = 0; counts != NULL && i < left; i++) {
        size_t one = vl_maker_between(&m, 0, experts - 1);
        size_t other = vl_maker_between(&m, 0, experts - 1);
        counts[one < other ? one : other] += even ? 0 : 1; /* experts with small numbers get more */
    }
    for (size_t e = 0; counts != NULL && even && e < experts; e++)
        counts[e] = (double)(scope * chosen) / (double)experts;
    double *shares = vl_bag_add_f64(inputs, "shares", 1, experts);
    m.failed |= shares == NULL;
    for (size_t e = 0; shares != NULL && e < experts; e++)
        shares[e] = (double)scope / (double)experts *
                    (even ? 1 : 0.5 + (double)vl_maker_between(&m, 0, 1000) / 1000);
    /* As large as the gradient itself: neither may hide the other. */
    vl_maker_normal(&m, "dlogits", tokens, experts, 0.5f / (float)(scope + 1));
    return vl_maker_end(&m);
}

VL_MAKE(balance_gradients)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t n = has(self, VL_WIDE) ? vl_maker_wide(&m) : vl_maker_prime(&m, 0);
    vl_maker_size(&m, "n", n);
    vl_maker_size(&m, "bad", (size_t)has(self, VL_BAD));
    int tiny = has(self, VL_TINY), both = has(self, VL_BOTH_ZERO);
    float scale = tiny ? 1e-25f : 1;
    float *auxiliary =
        vl_maker_normal(&m, "auxiliary", 1, n, both || has(self, VL_NOTHING) ? 0 : 0.25f * scale);
    float *model =
        vl_maker_normal(&m, "language_model", 1, n, both || has(self, VL_BAD) ? 0 : scale);
    for (size_t i = 0; auxiliary != NULL && model != NULL && i < n; i++)
        if (has(self, VL_OPPOSITE))
            auxiliary[i] = -0.5f * model[i];
        else if (!both && !has(self, VL_NOTHING | VL_BAD))
            auxiliary[i] += 0.125f * model[i]; /* never quite orthogonal */
    return vl_maker_end(&m);
}

/* ---- runs ---- */

#define CLEAR (1.0 / 256) /* of u: rounding in float32 is a hundredth of it */

/* Is it certain which experts this token goes to, whatever multiples of u the biases are? */
static int is_clear(const float *x, const float *w, size_t experts, size_t width, double u)
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
                return 0;
        }
    }
    return 1;
}

/* w's first column puts experts ahead of or behind the others: from -1.2 to 1.2, dealt out at random. */
static float *add_router(struct vl_maker *m, size_t experts, size_t width)
{
    float *w = vl_maker_normal(m, "w", experts, width, 1 / sqrtf((float)width));
    size_t first = vl_maker_between(m, 0, experts - 1), stride = 3 + 2 * vl_maker_between(m, 0, 2);
    for (size_t e = 0; w != NULL && e < experts; e++)
        w[e * width] = 1.2f * (2 * (float)((first + stride * e) % experts) / 7 - 1);
    return w;
}

VL_MAKE(balance_run)
{
    static const size_t widths[] = {5, 7, 11, 13};
    const size_t experts = 8, pool = 1021, all = 480;
    const double u = 0x1p-8; /* a power of two: sums of steps are exact */
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    size_t width = widths[vl_maker_between(&m, 0, 3)];
    vl_maker_size(&m, "ranks", (size_t)self->ranks);
    vl_maker_size(&m, "reversed", (size_t)has(self, VL_REVERSED));
    vl_maker_size(&m, "course", (size_t)has(self, VL_COURSE));
    vl_maker_size(&m, "experts", experts);
    vl_maker_size(&m, "chosen", 2);
    vl_maker_size(&m, "pool", pool);
    vl_maker_size(&m, "width", width);
    vl_maker_size(&m, "batches", has(self, VL_COURSE) ? 24 : 120);
    size_t length = vl_maker_size(&m, "length", all / 4 / (size_t)self->ranks);
    vl_maker_size(&m, "tokens", 4 * length);
    vl_maker_size(&m, "scope",
                  has(self, VL_GLOBAL)     ? VL_ORACLE_GLOBAL
                  : has(self, VL_SEQUENCE) ? VL_ORACLE_SEQUENCE
                                           : VL_ORACLE_MICRO);
    vl_maker_real(&m, "u", u);
    vl_maker_real(&m, "alpha", 0.25);
    vl_maker_real(&m, "rate", 120);
    vl_maker_real(&m, "most", self->bound);
    const float *w = add_router(&m, experts, width);
    float *x = vl_bag_add_f32(inputs, "x", pool, width);
    m.failed |= x == NULL;
    for (size_t row = 0; x != NULL && w != NULL && row < pool; row++)
        do {
            float *own = x + row * width;
            vl_random_fill_normal(own, width, 1, m.seed, m.stream++, 0);
            own[0] = 1;
        } while (!is_clear(x + row * width, w, experts, width, u));
    return vl_maker_end(&m);
}

VL_MAKE(balance_prediction)
{
    struct vl_maker m = vl_maker_start(inputs, self, seed);
    vl_maker_size(&m, "experts", VL_BALANCE_PREDICTED_EXPERTS);
    vl_maker_size(&m, "chosen", VL_BALANCE_PREDICTED_CHOSEN);
    vl_maker_size(&m, "ranks", VL_BALANCE_PREDICTED_RANKS);
    return vl_maker_end(&m);
}
