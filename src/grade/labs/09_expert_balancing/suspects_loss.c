/*
 * Known wrong answers of lab 09: shares, the auxiliary loss and its gradient, interference.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#include <math.h>

/* ---- shares ---- */

enum share_mistake { RAW, SOFTMAX, OVERWRITTEN, AVERAGED, DOWN_THE_COLUMN };

static double sum_of(const double *affinity, size_t experts)
{
    double sum = 0;
    for (size_t e = 0; e < experts; e++)
        sum += affinity[e];
    return sum;
}

static double share(const double *affinity, size_t tokens, size_t experts, size_t t, size_t e,
                    enum share_mistake mistake)
{
    const double *own = affinity + t * experts;
    double sum = sum_of(own, experts);
    if (mistake == RAW)
        return own[e];
    if (mistake == AVERAGED)
        return own[e] / sum / (double)tokens;
    if (mistake == SOFTMAX)
        for (size_t i = (size_t)(sum = 0); i < experts; i++)
            sum += exp(own[i] - own[e]);
    if (mistake == DOWN_THE_COLUMN)
        for (size_t i = (size_t)(sum = 0); i < tokens; i++)
            sum += affinity[i * experts + e];
    return (mistake == SOFTMAX ? 1 : own[e]) / sum;
}

static enum vl_status shares(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum share_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    size_t experts = vl_scope_size(&s, "experts"), tokens = vl_scope_size(&s, "tokens");
    double *answer = vl_scope_out(&s, "shares", 1, experts, mistake != OVERWRITTEN);
    for (size_t i = 0; answer != NULL && i < tokens * experts; i++)
        answer[i % experts] +=
            share(vl_scope_in(&s, "affinity"), tokens, experts, i / experts, i % experts, mistake);
    return vl_scope_end(&s);
}

MISTAKE(shares, RAW)
MISTAKE(shares, SOFTMAX)
MISTAKE(shares, OVERWRITTEN)
MISTAKE(shares, AVERAGED)
MISTAKE(shares, DOWN_THE_COLUMN)

#define SOFTMAX_TEXT                                                                               \
    N_("This is a softmax; here affinities are divided by their sum, without another "             \
       "exponential.")

const struct vl_suspect vl_suspects_balance_shares_add[] = {
    {"not_normalised",
     N_("The affinities were added as they are. Divide those of a token by their sum first: each "
        "token has a share of 1 in all."),
     shares_RAW},
    {"softmax", SOFTMAX_TEXT, shares_SOFTMAX},
    {"shares_overwritten",
     N_("What stood in shares is gone. Other micro-batches were there before: add to it."),
     shares_OVERWRITTEN},
    {"averaged",
     N_("The shares were divided by the number of tokens; the loss does that, once, with the T of "
        "its scope."),
     shares_AVERAGED},
    {"normalised_over_tokens",
     N_("An expert's affinities were divided by their sum over the tokens. It is a token's "
        "affinities that add up to 1."),
     shares_DOWN_THE_COLUMN},
    NO_MORE_SUSPECTS};

/* ---- the loss ---- */

enum factor_mistake { FACTOR_T, NO_K, NO_E, NO_ALPHA, OWN_TOKENS, MEAN_COUNTS };

static enum vl_status loss(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum factor_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_oracle_balance b = vl_balancing_scope(inputs);
    double factor = mistake == FACTOR_T      ? (double)b.scope_tokens
                    : mistake == NO_K        ? (double)b.chosen
                    : mistake == NO_E        ? 1 / (double)b.experts
                    : mistake == MEAN_COUNTS ? 1 / (double)b.experts / (double)b.experts
                    : mistake == NO_ALPHA    ? 1 / b.alpha
                                             : 1;
    if (mistake == OWN_TOKENS)
        b.scope_tokens = vl_scope_size(&s, "tokens");
    if (!s.failed && b.scope_tokens > 0)
        s.failed |=
            !vl_bag_set_real(wrong, "loss",
                             factor * vl_oracle_balance_loss(vl_scope_in(&s, "shares"),
                                                             vl_scope_in(&s, "counts"), &b));
    return vl_scope_end(&s);
}

MISTAKE(loss, FACTOR_T)
MISTAKE(loss, NO_K)
MISTAKE(loss, NO_E)
MISTAKE(loss, NO_ALPHA)
MISTAKE(loss, OWN_TOKENS)
MISTAKE(loss, MEAN_COUNTS)

#define FACTOR_T_TEXT                                                                              \
    N_("The factor has T instead of T^2: shares and counts both grow with the tokens.")
#define NO_K_TEXT     N_("The factor lacks 1/k: counts are choices, and each token makes k of them.")
#define NO_E_TEXT     N_("The factor lacks E: without it the loss of an even load is alpha / E.")
#define NO_ALPHA_TEXT N_("The factor lacks alpha.")
#define OWN_TOKENS_TEXT                                                                            \
    N_("The tokens here were taken for T; T are the tokens of the whole scope, and other ranks "   \
       "have some of them.")

const struct vl_suspect vl_suspects_balance_loss[] = {
    {"t_for_t_squared", FACTOR_T_TEXT, loss_FACTOR_T},
    {"k_forgotten", NO_K_TEXT, loss_NO_K},
    {"e_forgotten", NO_E_TEXT, loss_NO_E},
    {"alpha_forgotten", NO_ALPHA_TEXT, loss_NO_ALPHA},
    {"own_tokens", OWN_TOKENS_TEXT, loss_OWN_TOKENS},
    {"divided_by_experts",
     N_("The sum was divided by E where it is multiplied by it: the loss of an even load is "
        "alpha."),
     loss_MEAN_COUNTS},
    NO_MORE_SUSPECTS};

/* ---- its gradient ---- */

enum aux_mistake {
    AUX_TURNED,
    AUX_NOTHING,
    AUX_TWICE, /* through the counts as well */
    AUX_NOT_NORMALISED,
    AUX_NORM_CONSTANT,
    AUX_NO_SIGMOID,
    AUX_SOFTMAX,
    AUX_T,
    AUX_NO_K,
    AUX_NO_E,
    AUX_NO_ALPHA,
    AUX_OVERWRITTEN,
    AUX_OWN_TOKENS
};

static double factor_of(const struct vl_oracle_balance *b, enum aux_mistake mistake)
{
    double t = (double)b->scope_tokens, e = mistake == AUX_NO_E ? 1 : (double)b->experts;
    double k = mistake == AUX_NO_K ? 1 : (double)b->chosen;
    double alpha = mistake == AUX_NO_ALPHA ? 1 : b->alpha;
    double sign = mistake == AUX_TURNED    ? -1
                  : mistake == AUX_TWICE   ? 2
                  : mistake == AUX_NOTHING ? 0
                                           : 1;
    return sign * e * alpha / (k * t * (mistake == AUX_T ? 1 : t));
}

/* Of one token. */
static void gradient(double *dlogits, const double *affinity, const double *counts,
                     const struct vl_oracle_balance *b, enum aux_mistake mistake)
{
    double sum = sum_of(affinity, b->experts), mean = 0, factor = factor_of(b, mistake);
    for (size_t e = 0; e < b->experts; e++)
        mean += affinity[e] / sum * counts[e];
    if (mistake == AUX_NOT_NORMALISED || mistake == AUX_NORM_CONSTANT)
        mean = 0;
    if (mistake == AUX_NOT_NORMALISED)
        sum = 1;
    for (size_t e = 0; e < b->experts; e++) {
        double a = affinity[e], above = factor * (counts[e] - mean) / sum;
        dlogits[e] += mistake == AUX_NO_SIGMOID ? above
                      : mistake == AUX_SOFTMAX  ? above * a
                                                : above * a * (1 - a);
    }
}

static enum vl_status backward(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum aux_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_oracle_balance b = vl_balancing_scope(inputs);
    size_t tokens = vl_scope_size(&s, "tokens");
    if (mistake == AUX_OWN_TOKENS)
        b.scope_tokens = tokens;
    double *dlogits = vl_scope_out(&s, "dlogits", tokens, b.experts, mistake != AUX_OVERWRITTEN);
    for (size_t t = 0; !s.failed && t < tokens; t++)
        gradient(dlogits + t * b.experts, vl_scope_in(&s, "affinity") + t * b.experts,
                 vl_scope_in(&s, "counts"), &b, mistake);
    return vl_scope_end(&s);
}

MISTAKE(backward, AUX_TURNED)
MISTAKE(backward, AUX_NOTHING)
MISTAKE(backward, AUX_TWICE)
MISTAKE(backward, AUX_NOT_NORMALISED)
MISTAKE(backward, AUX_NORM_CONSTANT)
MISTAKE(backward, AUX_NO_SIGMOID)
MISTAKE(backward, AUX_SOFTMAX)
MISTAKE(backward, AUX_T)
MISTAKE(backward, AUX_NO_K)
MISTAKE(backward, AUX_NO_E)
MISTAKE(backward, AUX_NO_ALPHA)
MISTAKE(backward, AUX_OVERWRITTEN)
MISTAKE(backward, AUX_OWN_TOKENS)

#define TURNED_TEXT                                                                                \
    N_("The gradient has the wrong sign: the loss grows along it, and the load gets more uneven.")
#define CONSTANT_TEXT                                                                              \
    N_("The sum that affinities are divided by was taken for a constant. It grows with each of "   \
       "them: what is missing is the mean of the counts, weighted with p.")

const struct vl_suspect vl_suspects_balance_loss_backward[] = {
    {"gradient_overwritten",
     N_("What stood in dlogits is gone: the gradient of the language model was there. Add to it."),
     backward_AUX_OVERWRITTEN},
    {"nothing_added", N_("Nothing was added to dlogits."), backward_AUX_NOTHING},
    {"sign_turned", TURNED_TEXT, backward_AUX_TURNED},
    {"through_counts",
     N_("The gradient is twice as large, as if it went through the counts too. Choosing has no "
        "gradient: counts are constants."),
     backward_AUX_TWICE},
    {"not_normalised",
     N_("This is the gradient of the affinities as they are; the loss has them divided by their "
        "sum."),
     backward_AUX_NOT_NORMALISED},
    {"norm_constant", CONSTANT_TEXT, backward_AUX_NORM_CONSTANT},
    {"sigmoid_forgotten",
     N_("This is the gradient of the affinities; that of the logits has a (1 - a) more."),
     backward_AUX_NO_SIGMOID},
    {"softmax",
     N_("This is the gradient of a softmax; affinities are sigmoids, whose own is a (1 - a)."),
     backward_AUX_SOFTMAX},
    {"t_for_t_squared", FACTOR_T_TEXT, backward_AUX_T},
    {"k_forgotten", NO_K_TEXT, backward_AUX_NO_K},
    {"e_forgotten", NO_E_TEXT, backward_AUX_NO_E},
    {"alpha_forgotten", NO_ALPHA_TEXT, backward_AUX_NO_ALPHA},
    {"own_tokens", OWN_TOKENS_TEXT, backward_AUX_OWN_TOKENS},
    NO_MORE_SUSPECTS};

/* ---- interference ---- */

enum angle_mistake { PRODUCT, ONE_NORM, SQUARES, UPSIDE_DOWN, IN_FLOATS, WITHOUT_SIGN, DEFINED };

static enum vl_status interference(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   enum angle_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    const double *a = vl_scope_in(&s, "auxiliary"), *b = vl_scope_in(&s, "language_model");
    double aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < vl_scope_size(&s, "n"); i++) {
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        ab += a[i] * b[i];
    }
    double size = sqrt(aa / bb), cosine = ab / sqrt(aa * bb);
    if (mistake == DEFINED) /* where there is no auxiliary gradient */
        cosine = 1;
    else if (!(aa > 0) || !(bb > 0))
        return vl_scope_end(&s);
    if (mistake == DEFINED)
        size = 0;
    else if (mistake == PRODUCT)
        cosine = ab;
    else if (mistake == ONE_NORM)
        cosine = ab / bb;
    else if (mistake == SQUARES)
        size = aa / bb;
    else if (mistake == UPSIDE_DOWN)
        size = sqrt(bb / aa);
    else if (mistake == WITHOUT_SIGN)
        cosine = fabs(cosine);
    else if (aa < 1e-30) /* as float32 it may well be nothing */
        size = cosine = 0;
    s.failed |= !vl_bag_set_real(wrong, "size", size) || !vl_bag_set_real(wrong, "cosine", cosine);
    return vl_scope_end(&s);
}

MISTAKE(interference, PRODUCT)
MISTAKE(interference, ONE_NORM)
MISTAKE(interference, SQUARES)
MISTAKE(interference, UPSIDE_DOWN)
MISTAKE(interference, IN_FLOATS)
MISTAKE(interference, WITHOUT_SIGN)
MISTAKE(interference, DEFINED)

#define COSINE_TEXT                                                                                \
    N_("The cosine was not divided by both norms: it depends on how large the gradients are.")

const struct vl_suspect vl_suspects_balance_interference[] = {
    {"cosine_not_normalised", COSINE_TEXT, interference_PRODUCT},
    {"cosine_not_normalised", COSINE_TEXT, interference_ONE_NORM},
    {"squares_compared", N_("The squares of the norms were divided; take the root."),
     interference_SQUARES},
    {"upside_down",
     N_("The language model's gradient was divided by the auxiliary one; the question is how "
        "large the auxiliary one is beside it."),
     interference_UPSIDE_DOWN},
    {"summed_in_floats",
     N_("Squares of small gradients vanish in float32, and with them the norm. Sum in double."),
     interference_IN_FLOATS},
    {"sign_lost",
     N_("The cosine lost its sign: a gradient that works against the other has a negative one."),
     interference_WITHOUT_SIGN},
    {"no_gradient_no_angle",
     N_("Where there is no auxiliary gradient it has no direction either: the contract asks for a "
        "cosine of 0."),
     interference_DEFINED},
    NO_MORE_SUSPECTS};
