/*
 * Inputs of lab 08's router: without groups, with groups, and backward. Scores are far enough apart that
 * float32 and float64 make the same choices, except where scores are equal to the last bit.
 */
#include "base/random.h"
#include "grade/labs/08_expert_parallel/inputs.h"

#include <math.h>
#include <string.h>

#define GAP 1e-4 /* least between two scores: relative to the larger one, absolute with a bias */

static struct vl_oracle_routing add_routing(struct vl_maker *m, int variant)
{
    struct vl_oracle_routing r = {.scale = variant & VL_EXPERT_SCALED ? 2.5 : 1};
    if (!(variant & VL_EXPERT_NONE))
        r.tokens = variant & VL_EXPERT_WIDE ? vl_maker_wide(m) : vl_maker_between(m, 3, 9);
    r.experts = variant & VL_EXPERT_WIDE ? vl_maker_wide(m) : 2 + vl_maker_prime(m, 3);
    if (variant & VL_EXPERT_MANY)
        r.experts = 131;
    if (variant & VL_EXPERT_BAD) /* the runner also asks for 0 */
        r.chosen = r.experts + 1;
    else if (variant & (VL_EXPERT_EVERY | VL_EXPERT_FIRST))
        r.chosen = variant & VL_EXPERT_EVERY ? r.experts : 1;
    else
        r.chosen = vl_maker_between(m, 2, 4);
    vl_maker_sizes(m, {"tokens", r.tokens}, {"experts", r.experts}, {"chosen", r.chosen});
    vl_maker_flag(m, "bad", variant, VL_EXPERT_BAD);
    vl_maker_real(m, "scale", r.scale);
    return r;
}

static double score(const float *logits, const float *bias, size_t e)
{
    return 1 / (1 + exp(-(double)logits[e])) + (bias != NULL ? (double)bias[e] : 0);
}

/* Are two scores of a token so close that rounding might swap them? */
static int too_close(const float *logits, const float *bias, size_t experts)
{
    for (size_t a = 0; a < experts; a++)
        for (size_t b = 0; b < a; b++) {
            double one = score(logits, bias, a), other = score(logits, bias, b);
            if (fabs(one - other) < GAP * (bias != NULL ? 1 : fmax(one, other)))
                return 1;
        }
    return 0;
}

static void draw_apart(struct vl_maker *m, float *logits, size_t experts, const float *bias,
                       int is_far)
{
    do {
        vl_random_fill_normal(logits, experts, is_far ? 3 : 1.5f, m->numbers, m->stream++, 0);
        for (size_t e = 0; is_far && e < experts; e++)
            logits[e] -= 70;
    } while (too_close(logits, bias, experts));
}

/* Are all affinities of this token zero? */
static int is_zero(int variant, size_t token)
{
    return variant & VL_EXPERT_ZERO && token % 2 == 1;
}

float *vl_expert_add_logits(struct vl_maker *m, size_t tokens, size_t experts, const float *bias,
                            int variant)
{
    float *logits = vl_maker_normal(m, "logits", tokens, experts, 1);
    for (size_t t = 0; logits != NULL && t < tokens; t++) {
        float *own = logits + t * experts;
        if (!is_zero(variant, t) && !(variant & VL_EXPERT_TIES))
            draw_apart(m, own, experts, bias, variant & VL_EXPERT_FAR);
        else
            for (size_t e = 0; e < experts; e++)
                own[e] =
                    is_zero(variant, t) ? -1000 : 0.75f * (float)vl_maker_between(m, 0, 2) - 0.5f;
    }
    return logits;
}

/* NULL without a bias. Where there are many experts it lowers all scores: looking for the best one from 0, or
 * from -1, must not find what does not exist. */
static float *add_bias(struct vl_maker *m, size_t experts, int variant)
{
    if (!(variant & VL_EXPERT_BIAS))
        return NULL;
    float *bias = vl_maker_normal(m, "bias", 1, experts, 0.3f);
    for (size_t e = 0; bias != NULL && variant & VL_EXPERT_WIDE && e < experts; e++)
        bias[e] -= 4;
    return bias;
}

/* In every token one logit is so high that float32 has no exponential of it. In some there are two, and the
 * higher one has the larger number: both affinities are 1. In some it is infinite, and so is the lowest one. */
static void raise_some(struct vl_maker *m, float *logits, const struct vl_oracle_routing *r)
{
    static const float high[] = {100, 1000, INFINITY};
    for (size_t t = 0; t < r->tokens; t++) {
        size_t e = vl_maker_between(m, 0, r->experts - 1), next = (e + 1) % r->experts;
        logits[t * r->experts + e] = high[t % 3];
        if (t % 3 == 1)
            logits[t * r->experts + next] = next > e ? 2000 : 500;
        if (t % 3 == 2)
            logits[t * r->experts + next] = -INFINITY;
    }
}

VL_SCOPED_MAKE(router)
{
    struct vl_oracle_routing r = add_routing(m, self->variant);
    const float *bias = add_bias(m, r.experts, self->variant);
    float *logits = vl_expert_add_logits(m, r.tokens, r.experts, bias, self->variant);
    if (logits && self->variant & VL_EXPERT_NAN)
        logits[r.tokens / 2 * r.experts + r.experts / 2] = NAN;
    if (logits && self->variant & VL_EXPERT_HIGH)
        raise_some(m, logits, &r);
}

#define WIDE_GROUPS 8

/* Groups of experts, and how many of them a token may use: fewer than all, unless they are OPEN. */
static struct vl_oracle_routing add_groups(struct vl_maker *m, int variant)
{
    struct vl_oracle_routing r = {.scale = variant & VL_EXPERT_SCALED ? 2.5 : 1};
    size_t groups = variant & VL_EXPERT_WIDE ? WIDE_GROUPS : vl_maker_between(m, 3, 5),
           each = variant & VL_EXPERT_FIRST ? 1 : vl_maker_between(m, 3, 5),
           drawn = variant & VL_EXPERT_OPEN ? groups : vl_maker_between(m, 2, groups - 1),
           limit = variant & VL_EXPERT_ONE_GROUP ? 1 : drawn,
           most = variant & VL_EXPERT_FEW ? 2 : 4;
    if (variant & VL_EXPERT_MANY)
        groups = 70;
    if (variant & VL_EXPERT_PAIRS) {
        groups = 5;
        each = limit = 2;
    }
    r.tokens = variant & VL_EXPERT_NONE ? 0 : vl_maker_between(m, 17, 31);
    r.experts = groups * each + (variant & VL_EXPERT_RAGGED ? 1 : 0);
    r.chosen = limit * each < most ? limit * each : most;
    if (variant & VL_EXPERT_BAD)
        r.chosen = limit * each + 1;
    vl_maker_sizes(m, {"tokens", r.tokens}, {"experts", r.experts}, {"chosen", r.chosen},
                   {"groups", groups}, {"limit", limit});
    vl_maker_flag(m, "bad", variant, VL_EXPERT_OUTSIDE);
    vl_maker_real(m, "scale", r.scale);
    return r;
}

/* Are two groups of a token so close that rounding might swap them? */
static int groups_too_close(const float *logits, const float *bias, size_t groups, size_t each)
{
    double value[WIDE_GROUPS]; /* with logits there are no more */
    for (size_t g = 0; g < groups; g++) {
        double best = -INFINITY, next = -INFINITY;
        for (size_t e = g * each; e < (g + 1) * each; e++) {
            double own = score(logits, bias, e);
            next = fmax(next, fmin(best, own));
            best = fmax(best, own);
        }
        value[g] = each > 1 ? best + next : best;
        for (size_t other = 0; other < g; other++)
            if (fabs(value[g] - value[other]) <
                GAP * (bias != NULL ? 1 : fmax(value[g], value[other])))
                return 1;
    }
    return 0;
}

/* A token's best expert is in the first group, which is the worst of all: it has no second one. */
static void close_the_best(float *logits, size_t experts, size_t each)
{
    for (size_t e = 0; e < experts; e++)
        logits[e] = e == 0 ? 2 : 0.03f * (float)e + (e < each ? -4 : 0.3f);
}

VL_SCOPED_MAKE(router_limited)
{
    struct vl_oracle_routing r = add_groups(m, self->variant);
    size_t groups = vl_bag_size(m->bag, "groups"), each = r.experts / groups;
    int variant = self->variant, ties = variant & VL_EXPERT_TIES;
    float *bias = add_bias(m, r.experts, variant);
    float *logits = vl_expert_add_logits(m, r.tokens, r.experts, bias, variant);
    for (size_t t = 0; logits != NULL && !ties && t < r.tokens; t++)
        while (!is_zero(variant, t) && groups_too_close(logits + t * r.experts, bias, groups, each))
            draw_apart(m, logits + t * r.experts, r.experts, bias, variant & VL_EXPERT_FAR);
    if (logits != NULL && variant & (VL_EXPERT_PAIRS | VL_EXPERT_FEW))
        close_the_best(logits, r.experts, each);
    if (logits != NULL && variant & VL_EXPERT_NAN)
        logits[r.tokens / 2 * r.experts + r.experts / 2] = NAN;
}

int32_t *vl_expert_add_chosen(struct vl_maker *m, size_t tokens, size_t k, size_t experts,
                              int32_t idle, int32_t sole)
{
    int32_t *choices = vl_maker_below(m, "choices", tokens, k, experts);
    for (size_t i = 0; choices != NULL && i < tokens * k;) {
        size_t first = i / k * k; /* of this token */
        int32_t e = (int32_t)vl_maker_between(m, 0, experts - 1);
        if (i == first && sole >= 0)
            e = sole;
        int taken = e == idle && e != sole;
        for (size_t other = first; other < i; other++)
            taken |= choices[other] == e;
        if (!taken)
            choices[i++] = e;
    }
    return choices;
}

/* A copy of the choices, but with another expert as the last one. */
static void add_misplaced(struct vl_maker *m, const char *name, const int32_t *choices, size_t n,
                          int32_t last)
{
    int32_t *copy = vl_maker_whole(m, name, 1, n);
    if (copy != NULL && choices != NULL && n > 0) {
        memcpy(copy, choices, n * sizeof *copy);
        copy[n - 1] = last;
    }
}

#define FIRST_HOME 6 /* of the first groups this one, or a later one, is at home */

/* Every second token goes to two groups whose numbers differ by 64, and twice to a group between them. All
 * others go to the first groups only, so that many of their choices meet. */
static void spread_choices(struct vl_maker *m, int32_t *choices, const struct vl_oracle_routing *r,
                           size_t each)
{
    for (size_t t = 0; t < r->tokens; t += 2) {
        size_t low = vl_maker_between(m, 0, FIRST_HOME - 1),
               between = low + vl_maker_between(m, 1, 63);
        const size_t own[] = {between * each, low * each + 1, between * each + 2,
                              (low + 64) * each};
        for (size_t j = 0; j < r->chosen && j < sizeof own / sizeof *own; j++)
            choices[t * r->chosen + j] = (int32_t)own[j];
    }
}

VL_SCOPED_MAKE(node_rows)
{
    struct vl_oracle_routing r = add_groups(m, self->variant);
    size_t groups = vl_bag_size(m->bag, "groups"), n = r.tokens * r.chosen;
    int many = self->variant & VL_EXPERT_MANY;
    size_t met = many ? WIDE_GROUPS : groups, each = r.experts / groups;
    vl_maker_size(m, "home", vl_maker_between(m, many ? FIRST_HOME : 0, met - 1));
    vl_maker_ends_sizes(m);
    int32_t *choices =
        vl_expert_add_chosen(m, r.tokens, r.chosen, many ? met * each : r.experts, -1, -1);
    if (choices != NULL && many)
        spread_choices(m, choices, &r, each);
    add_misplaced(m, "beyond", choices, n, (int32_t)r.experts);
    add_misplaced(m, "below", choices, n, -1);
}

/* Affinities of the chosen that are zero, in every second token; all others are tiny. */
static void make_tiny(float *affinity, const int32_t *choices, const struct vl_oracle_routing *r)
{
    for (size_t i = 0; i < r->tokens * r->experts; i++)
        affinity[i] *= 1e-39f;
    for (size_t i = 0; i < r->tokens * r->chosen; i++)
        if (i / r->chosen % 2 == 1)
            affinity[i / r->chosen * r->experts + (size_t)choices[i]] = 0;
}

VL_SCOPED_MAKE(router_back)
{
    struct vl_oracle_routing r = add_routing(m, self->variant);
    float *affinity = vl_maker_normal(m, "affinity", r.tokens, r.experts, 1.5f);
    for (size_t i = 0; affinity && i < r.tokens * r.experts; i++)
        affinity[i] = 1 / (1 + expf(-affinity[i]));
    const int32_t *choices =
        self->variant & VL_EXPERT_BAD /* there are not so many different ones */
            ? vl_maker_below(m, "choices", r.tokens, r.chosen, r.experts)
            : vl_expert_add_chosen(m, r.tokens, r.chosen, r.experts, -1, -1);
    if (affinity && choices && self->variant & VL_EXPERT_FAR)
        make_tiny(affinity, choices, &r);
    vl_maker_normal(m, "dweights", r.tokens, r.chosen, 1);
}
