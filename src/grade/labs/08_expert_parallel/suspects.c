/*
 * Known wrong answers of lab 08: the router.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#include <math.h>

/* ---- forward ---- */

enum routed {
    OVER_ALL,
    NOT_NORMALISED,
    BIAS_COUNTS,
    BIAS_IGNORED,
    SOFTMAX,
    SOFTMAX_OF_CHOSEN,
    NO_SCALE,
    LARGER_NUMBER,
    BY_NUMBER,
    SMALLEST_FIRST,
    ALL_ALIKE
};

/* What a token's experts are ordered by. */
static double score(const double *affinity, const double *bias, size_t e, enum routed mistake)
{
    return affinity[e] + (bias != NULL && mistake != BIAS_IGNORED ? bias[e] : 0);
}

static int is_ahead(const double *affinity, const double *bias, size_t a, size_t b,
                    enum routed mistake)
{
    double of_a = score(affinity, bias, a, mistake), of_b = score(affinity, bias, b, mistake);
    if (of_a == of_b)
        return mistake == LARGER_NUMBER ? a > b : a < b;
    return of_a > of_b;
}

/* The k experts of one token. */
static void choose(int64_t *chosen, const double *affinity, const double *bias,
                   const struct vl_oracle_routing *r, enum routed mistake)
{
    size_t held = 0;
    for (size_t e = 0; e < r->experts; e++) {
        size_t ahead = 0;
        for (size_t other = 0; other < r->experts; other++)
            ahead += (size_t)is_ahead(affinity, bias, other, e, mistake);
        if (ahead >= r->chosen)
            continue;
        size_t place = mistake == BY_NUMBER        ? held
                       : mistake == SMALLEST_FIRST ? r->chosen - 1 - ahead
                                                   : ahead;
        chosen[place] = (int64_t)e;
        held++;
    }
}

/* What the weights are made of. */
static double counted(const double *affinity, const double *bias, size_t e, double logit,
                      enum routed mistake)
{
    if (mistake == SOFTMAX_OF_CHOSEN)
        return exp(logit);
    return affinity[e] + (bias != NULL && mistake == BIAS_COUNTS ? bias[e] : 0);
}

static void weigh(double *weights, const int64_t *chosen, const double *affinity,
                  const double *bias, const double *logits, const struct vl_oracle_routing *r,
                  enum routed mistake)
{
    double sum = 0;
    for (size_t j = 0; j < (mistake == OVER_ALL ? r->experts : r->chosen); j++) {
        size_t e = mistake == OVER_ALL ? j : (size_t)chosen[j];
        sum += counted(affinity, bias, e, logits[e], mistake);
    }
    if (mistake == NOT_NORMALISED)
        sum = 1;
    for (size_t j = 0; j < r->chosen; j++) {
        size_t e = (size_t)chosen[j];
        weights[j] = (mistake == NO_SCALE ? 1 : r->scale) *
                     counted(affinity, bias, e, logits[e], mistake) / sum;
        if (mistake == ALL_ALIKE)
            weights[j] = r->scale / (double)r->chosen;
    }
}

static enum vl_status routed(struct vl_bag *wrong, const struct vl_bag *inputs, enum routed mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_oracle_routing r = vl_expert_routing(inputs);
    if (r.chosen < 1 || r.chosen > r.experts)
        return vl_scope_end(&s);
    double *affinity = vl_scope_out(&s, "affinity", r.tokens, r.experts, 0),
           *weights = vl_scope_out(&s, "weights", r.tokens, r.chosen, 0);
    int64_t *chosen = vl_bag_add(wrong, "chosen", VL_I64, 2, (size_t[]){r.tokens, r.chosen});
    s.failed |= chosen == NULL;
    for (size_t t = 0; !s.failed && t < r.tokens; t++) {
        double *own = affinity + t * r.experts, sum = 0;
        const double *logits = vl_scope_in(&s, "logits") + t * r.experts,
                     *bias = vl_scope_in(&s, "bias");
        for (size_t e = 0; e < r.experts; e++)
            sum += exp(logits[e]);
        for (size_t e = 0; e < r.experts; e++)
            own[e] = mistake == SOFTMAX ? exp(logits[e]) / sum : 1 / (1 + exp(-logits[e]));
        choose(chosen + t * r.chosen, own, bias, &r, mistake);
        weigh(weights + t * r.chosen, chosen + t * r.chosen, own, bias, logits, &r, mistake);
    }
    return vl_scope_end(&s);
}

MISTAKE(routed, OVER_ALL)
MISTAKE(routed, NOT_NORMALISED)
MISTAKE(routed, BIAS_COUNTS)
MISTAKE(routed, BIAS_IGNORED)
MISTAKE(routed, SOFTMAX)
MISTAKE(routed, SOFTMAX_OF_CHOSEN)
MISTAKE(routed, NO_SCALE)
MISTAKE(routed, LARGER_NUMBER)
MISTAKE(routed, BY_NUMBER)
MISTAKE(routed, SMALLEST_FIRST)
MISTAKE(routed, ALL_ALIKE)

const struct vl_suspect vl_suspects_router_forward[] = {
    {"normalised_over_all",
     N_("The weights were divided by the affinities of all experts; only those of the chosen ones "
        "are added up, so that the weights of a token sum to the scale."),
     routed_OVER_ALL},
    {"not_normalised",
     N_("The weights are the affinities themselves: divide them by their sum over the chosen "
        "experts."),
     routed_NOT_NORMALISED},
    {"bias_in_weights",
     N_("The bias went into the weights. It decides who is chosen, and nothing else."),
     routed_BIAS_COUNTS},
    {"bias_ignored", N_("The experts were chosen by affinity alone, without the bias."),
     routed_BIAS_IGNORED},
    {"softmax_for_sigmoid",
     N_("A softmax stands where a sigmoid is asked for: the affinity to one expert does not depend "
        "on the others."),
     routed_SOFTMAX},
    {"softmax_of_chosen",
     N_("The weights are a softmax over the chosen logits; they are affinities divided by their "
        "sum."),
     routed_SOFTMAX_OF_CHOSEN},
    {"scale_forgotten", N_("The scale is missing in the weights."), routed_NO_SCALE},
    {"tie_to_larger_number",
     N_("Of two experts with equal scores the larger number came first; it must be the smaller "
        "one, so that every rank and every run chooses alike."),
     routed_LARGER_NUMBER},
    {"ordered_by_number",
     N_("A token's experts stand in the order of their numbers; the one with the largest score "
        "comes first."),
     routed_BY_NUMBER},
    {"smallest_first",
     N_("A token's experts stand with the smallest score first; the largest comes first."),
     routed_SMALLEST_FIRST},
    {"weights_all_alike",
     N_("All experts of a token have the same weight; each counts by its affinity."),
     routed_ALL_ALIKE},
    NO_MORE_SUSPECTS};

/* ---- backward ---- */

enum slope {
    SUM_IS_CONSTANT,
    NO_SIGMOID,
    SLOPE_NO_SCALE,
    SCALE_TWICE,
    SLOPE_OVER_ALL,
    BY_PLACE,
    NOT_DIVIDED,
    CHOSEN_ALONE
};

/* dL/da of choice j of a token, as this mistake has it. */
static double slope_of(const double *a, const double *dw, const int32_t *its, size_t j,
                       const struct vl_oracle_routing *r, enum slope mistake)
{
    double sum = 0, mean = 0;
    for (size_t e = 0; mistake == SLOPE_OVER_ALL && e < r->experts; e++)
        sum += a[e];
    for (size_t i = 0; i < r->chosen; i++) {
        sum += mistake == SLOPE_OVER_ALL ? 0 : a[its[i]];
        mean += dw[i] * a[its[i]];
    }
    mean /= sum;
    if (mistake == SUM_IS_CONSTANT)
        mean = 0;
    if (mistake == CHOSEN_ALONE)
        mean = dw[j] * a[its[j]] / sum;
    double scale = mistake == SLOPE_NO_SCALE ? 1 : r->scale;
    if (mistake == SCALE_TWICE)
        scale *= scale;
    return scale / (mistake == NOT_DIVIDED ? 1 : sum) * (dw[j] - mean);
}

static enum vl_status slope(struct vl_bag *wrong, const struct vl_bag *inputs, enum slope mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_oracle_routing r = vl_expert_routing(inputs);
    if (r.chosen < 1 || r.chosen > r.experts)
        return vl_scope_end(&s);
    double *dlogits = vl_scope_out(&s, "dlogits", r.tokens, r.experts, 0);
    for (size_t c = 0; dlogits != NULL && c < r.tokens * r.chosen; c++) {
        size_t t = c / r.chosen, j = c % r.chosen;
        const double *a = vl_scope_in(&s, "affinity") + t * r.experts;
        const int32_t *its = vl_bag_i32(inputs, "choices") + t * r.chosen;
        double one = a[its[j]];
        double of = slope_of(a, vl_scope_in(&s, "dweights") + t * r.chosen, its, j, &r, mistake);
        dlogits[t * r.experts + (mistake == BY_PLACE ? j : (size_t)its[j])] =
            of * (mistake == NO_SIGMOID ? 1 : one * (1 - one));
    }
    return vl_scope_end(&s);
}

MISTAKE(slope, SUM_IS_CONSTANT)
MISTAKE(slope, NO_SIGMOID)
MISTAKE(slope, SLOPE_NO_SCALE)
MISTAKE(slope, SCALE_TWICE)
MISTAKE(slope, SLOPE_OVER_ALL)
MISTAKE(slope, BY_PLACE)
MISTAKE(slope, NOT_DIVIDED)
MISTAKE(slope, CHOSEN_ALONE)

const struct vl_suspect vl_suspects_router_backward[] = {
    {"sum_taken_as_constant",
     N_("The gradient takes the sum that the weights are divided by for a constant. Each chosen "
        "affinity is in it as well, and moves all weights of its token."),
     slope_SUM_IS_CONSTANT},
    {"own_weight_only",
     N_("Each affinity got the gradient of its own weight only. It is in the sum under all weights "
        "of the token: they all send it something."),
     slope_CHOSEN_ALONE},
    {"sigmoid_slope_missing",
     N_("This is the gradient of the affinities; that of the logits has the sigmoid's slope in it "
        "as well, a (1 - a)."),
     slope_NO_SIGMOID},
    {"scale_forgotten", N_("The scale is missing in the gradient."), slope_SLOPE_NO_SCALE},
    {"scale_twice", N_("The scale is in the gradient twice."), slope_SCALE_TWICE},
    {"normalised_over_all",
     N_("The gradient divides by the affinities of all experts; forward divided by those of the "
        "chosen ones."),
     slope_SLOPE_OVER_ALL},
    {"written_by_place",
     N_("Gradients stand at the place of the choice (0 .. k-1) instead of the number of the "
        "expert."),
     slope_BY_PLACE},
    {"not_normalised",
     N_("The gradient is not divided by the sum of the chosen affinities, as the weights are."),
     slope_NOT_DIVIDED},
    NO_MORE_SUSPECTS};
