/*
 * Known wrong answers of lab 01's budget and prediction: what was forgotten or counted twice.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/01_training_step/training_step.h"

enum count_mistake {
    COUNT_RIGHT,
    TIED_HEAD,
    NO_GAINS,
    NO_FINAL_GAIN,
    TWO_MATRICES,
    TABLE_MULTIPLIES,
    GAINS_MULTIPLY
};

/* The closed form, with one mistake in it. */
static void count(double *all, double *multiplying, const struct vl_bag *inputs,
                  enum count_mistake mistake)
{
    struct vl_oracle_shape s = vl_shape_read(inputs);
    double l = (double)s.layers, d = (double)s.width, f = (double)s.ff, v = (double)s.vocabulary;
    double table = v * d, gains = (2 * l + (mistake != NO_FINAL_GAIN)) * d;
    double layers = l * (4 * d * d + (mistake == TWO_MATRICES ? 2 : 3) * f * d);
    *all = (mistake == TIED_HEAD ? 1 : 2) * table + layers + (mistake == NO_GAINS ? 0 : gains);
    *multiplying = layers + table + (mistake == TABLE_MULTIPLIES ? table : 0) +
                   (mistake == GAINS_MULTIPLY ? gains : 0);
}

static enum vl_status parameters(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 enum count_mistake mistake)
{
    double all, multiplying;
    count(&all, &multiplying, inputs, mistake);
    if (!vl_bag_set_int(wrong, "all", (int64_t)all) ||
        !vl_bag_set_int(wrong, "multiplying", (int64_t)multiplying))
        return VL_ENOMEM;
    return VL_OK;
}

MISTAKE(parameters, TIED_HEAD)
MISTAKE(parameters, NO_GAINS)
MISTAKE(parameters, NO_FINAL_GAIN)
MISTAKE(parameters, TWO_MATRICES)
MISTAKE(parameters, TABLE_MULTIPLIES)
MISTAKE(parameters, GAINS_MULTIPLY)

#define TIED N_("Embedding and head are counted as one matrix; here each has its own.")
#define GAINS                                                                                      \
    N_("The gains of the norms are missing: two a layer and one at the end, D numbers each.")
#define TWO N_("The feed-forward part has three matrices: gate, up and down.")

const struct vl_suspect vl_suspects_parameter_count[] = {
    {"head_tied", TIED, parameters_TIED_HEAD},
    {"missing_gains", GAINS, parameters_NO_GAINS},
    {"missing_gains", GAINS, parameters_NO_FINAL_GAIN},
    {"two_matrices", TWO, parameters_TWO_MATRICES},
    {"embedding_counted", N_("The embedding table is looked up: no token is multiplied with it."),
     parameters_TABLE_MULTIPLIES},
    {"gains_counted", N_("The gains are no matrices: by convention they do not multiply."),
     parameters_GAINS_MULTIPLY},
    NO_MORE_SUSPECTS};

enum flops_mistake {
    NO_MISTAKE,
    FORWARD_ONLY,
    WITH_TABLE,
    CAUSAL,
    ATTENTION_ONCE,
    NO_ATTENTION,
    ONLY_2N
};

static double flops(const struct vl_bag *inputs, enum flops_mistake mistake)
{
    struct vl_oracle_shape s = vl_shape_read(inputs);
    double all, n;
    count(&all, &n, inputs, mistake == WITH_TABLE ? TABLE_MULTIPLIES : COUNT_RIGHT);
    double attention = 12 * (double)s.layers * (double)s.width * (double)s.sequence;
    switch (mistake) {
    case FORWARD_ONLY:
        return 2 * n + attention / 3;
    case ONLY_2N:
        return 2 * n + attention;
    case CAUSAL:
        return 6 * n + attention / 2;
    case ATTENTION_ONCE:
        return 6 * n + attention / 3;
    case NO_ATTENTION:
        return 6 * n;
    case WITH_TABLE:
    case NO_MISTAKE:
        break;
    }
    return 6 * n + attention;
}

static enum vl_status token_flops(struct vl_bag *wrong, const struct vl_bag *inputs,
                                  enum flops_mistake mistake)
{
    return vl_bag_set_real(wrong, "flops", flops(inputs, mistake)) ? VL_OK : VL_ENOMEM;
}

MISTAKE(token_flops, FORWARD_ONLY)
MISTAKE(token_flops, ONLY_2N)
MISTAKE(token_flops, WITH_TABLE)
MISTAKE(token_flops, CAUSAL)
MISTAKE(token_flops, ATTENTION_ONCE)
MISTAKE(token_flops, NO_ATTENTION)

#define BACKWARD  N_("Only forward is counted: backward costs twice as much again.")
#define HALVED    N_("Attention is halved for the mask; by convention it is counted in full.")
#define WITHOUT   N_("The products inside attention are missing: scores and averages of values.")
#define LOOKED_UP N_("The embedding table is counted, but it is looked up, not multiplied.")

const struct vl_suspect vl_suspects_flops_per_token[] = {
    {"forward_only", BACKWARD, token_flops_FORWARD_ONLY},
    {"forward_only", BACKWARD, token_flops_ONLY_2N},
    {"embedding_counted", LOOKED_UP, token_flops_WITH_TABLE},
    {"attention_halved", HALVED, token_flops_CAUSAL},
    {"attention_forward_only", N_("Attention is counted for forward only."),
     token_flops_ATTENTION_ONCE},
    {"missing_attention", WITHOUT, token_flops_NO_ATTENTION},
    NO_MORE_SUSPECTS};

enum mfu_mistake { INVERSE, IN_PERCENT };

static enum vl_status mfu(struct vl_bag *wrong, const struct vl_bag *inputs,
                          enum mfu_mistake mistake)
{
    double rate = vl_bag_real(inputs, "tokens_per_second") * vl_bag_real(inputs, "flops_per_token");
    double peak = vl_bag_real(inputs, "peak");
    return vl_bag_set_real(wrong, "mfu", mistake == INVERSE ? peak / rate : 100 * rate / peak)
               ? VL_OK
               : VL_ENOMEM;
}

MISTAKE(mfu, INVERSE)
MISTAKE(mfu, IN_PERCENT)

const struct vl_suspect vl_suspects_mfu[] = {
    {"inverse", N_("The fraction is upside down: it is useful operations over the peak."),
     mfu_INVERSE},
    {"in_percent", N_("This is a percentage; the contract asks for a share, 0.4 for 40 %."),
     mfu_IN_PERCENT},
    NO_MORE_SUSPECTS};

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")

enum sealed_mistake {
    NOT_SEALED,
    SEALED_TIED,
    SEALED_NO_GAINS,
    SEALED_TWO,
    SEALED_MULTIPLYING,
    SEALED_WEIGHTS_ONLY,
    SEALED_NO_GRADIENTS,
    SEALED_TOKEN,
    SEALED_SEQUENCE,
    SEALED_FORWARD,
    SEALED_HALVED,
    SEALED_NO_ATTENTION
};

static enum vl_status sealed_count(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   const char *name, double bytes, enum sealed_mistake mistake)
{
    double all = 0, multiplying = 0;
    if (mistake != NOT_SEALED)
        count(&all, &multiplying, inputs,
              mistake == SEALED_TIED       ? TIED_HEAD
              : mistake == SEALED_NO_GAINS ? NO_GAINS
              : mistake == SEALED_TWO      ? TWO_MATRICES
                                           : COUNT_RIGHT);
    if (mistake == SEALED_MULTIPLYING)
        all = multiplying;
    return vl_bag_set_int(wrong, name, (int64_t)(bytes * all)) ? VL_OK : VL_ENOMEM;
}

static enum vl_status sealed(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum sealed_mistake mistake)
{
    return sealed_count(wrong, inputs, "parameters", 1, mistake);
}

MISTAKE(sealed, NOT_SEALED)
MISTAKE(sealed, SEALED_TIED)
MISTAKE(sealed, SEALED_NO_GAINS)
MISTAKE(sealed, SEALED_TWO)
MISTAKE(sealed, SEALED_MULTIPLYING)

const struct vl_suspect vl_suspects_predict_parameters[] = {
    {"not_sealed", UNSEALED, sealed_NOT_SEALED},
    {"head_tied", TIED, sealed_SEALED_TIED},
    {"missing_gains", GAINS, sealed_SEALED_NO_GAINS},
    {"two_matrices", TWO, sealed_SEALED_TWO},
    {"only_multiplying", N_("Only the numbers that multiply are counted; here all count."),
     sealed_SEALED_MULTIPLYING},
    NO_MORE_SUSPECTS};

static enum vl_status bytes(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum sealed_mistake mistake)
{
    double each = mistake == SEALED_WEIGHTS_ONLY ? 4 : mistake == SEALED_NO_GRADIENTS ? 12 : 16;
    return sealed_count(wrong, inputs, "state_bytes", each, mistake);
}

MISTAKE(bytes, NOT_SEALED)
MISTAKE(bytes, SEALED_WEIGHTS_ONLY)
MISTAKE(bytes, SEALED_NO_GRADIENTS)

const struct vl_suspect vl_suspects_predict_state[] = {
    {"not_sealed", UNSEALED, bytes_NOT_SEALED},
    {"weights_only", N_("These are the weights alone; gradients, m and v take as much each."),
     bytes_SEALED_WEIGHTS_ONLY},
    {"three_arrays", N_("One of the four arrays is missing: weights, gradients, m, v."),
     bytes_SEALED_NO_GRADIENTS},
    NO_MORE_SUSPECTS};

static enum vl_status step_flops(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 enum sealed_mistake mistake)
{
    double sequence = (double)vl_bag_size(inputs, "sequence");
    double tokens = (double)vl_bag_size(inputs, "batch") * sequence;
    double each = 0;
    if (mistake == SEALED_FORWARD)
        each = flops(inputs, FORWARD_ONLY);
    else if (mistake == SEALED_HALVED)
        each = flops(inputs, CAUSAL);
    else if (mistake == SEALED_NO_ATTENTION)
        each = flops(inputs, NO_ATTENTION);
    else if (mistake != NOT_SEALED)
        each = flops(inputs, NO_MISTAKE);
    if (mistake == SEALED_TOKEN)
        tokens = 1;
    if (mistake == SEALED_SEQUENCE)
        tokens = sequence;
    return vl_bag_set_real(wrong, "flops_per_step", each * tokens) ? VL_OK : VL_ENOMEM;
}

MISTAKE(step_flops, NOT_SEALED)
MISTAKE(step_flops, SEALED_TOKEN)
MISTAKE(step_flops, SEALED_SEQUENCE)
MISTAKE(step_flops, SEALED_FORWARD)
MISTAKE(step_flops, SEALED_HALVED)
MISTAKE(step_flops, SEALED_NO_ATTENTION)

const struct vl_suspect vl_suspects_predict_flops[] = {
    {"not_sealed", UNSEALED, step_flops_NOT_SEALED},
    {"one_token", N_("This is for one token; a step has as many as the batch holds."),
     step_flops_SEALED_TOKEN},
    {"one_sequence", N_("This is for one sequence; the batch has more."),
     step_flops_SEALED_SEQUENCE},
    {"forward_only", BACKWARD, step_flops_SEALED_FORWARD},
    {"attention_halved", HALVED, step_flops_SEALED_HALVED},
    {"missing_attention", WITHOUT, step_flops_SEALED_NO_ATTENTION},
    NO_MORE_SUSPECTS};
