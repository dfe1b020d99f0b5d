/*
 * Known wrong answers of lab 05's operations, and of the sealed share.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

enum flops_mistake {
    ALL_LAYERS,
    ADDS_ONLY,
    HALVED,
    ONE_PRODUCT,
    NO_ATTENTION,
    WITH_BACKWARD,
    WHOLE_IN_SELECTIVE,
    TWO_MATRICES,
    WHOLE_SEQUENCE,
    /* of the sealed share */
    NO_SHARE,
    OVER_FORWARD,
    OVER_SUM,
    IN_PERCENT,
    NO_HEAD
};

static double flops_of(enum vl_oracle_mode mode, const struct vl_oracle_shape *s,
                       enum flops_mistake mistake)
{
    double attention = vl_oracle_attention_flops(s), layer = vl_oracle_layer_flops(s);
    double matrices = layer - attention, again = (double)s->layers - (mistake != ALL_LAYERS);
    if (mistake == HALVED || mistake == ONE_PRODUCT)
        attention /= 2;
    if (mistake == NO_ATTENTION && mode == VL_ORACLE_FULL)
        attention = 0;
    if (mistake == TWO_MATRICES)
        matrices -= 2 * (double)s->width * (double)s->ff;
    if (mode == VL_ORACLE_NONE)
        return 0;
    int whole = mode == VL_ORACLE_FULL || mistake == WHOLE_IN_SELECTIVE;
    double flops = again * (attention + (whole ? matrices : 0));
    return flops * (mistake == ADDS_ONLY        ? 0.5
                    : mistake == WITH_BACKWARD  ? 3
                    : mistake == WHOLE_SEQUENCE ? (double)s->sequence
                                                : 1);
}

static enum vl_status flops(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum flops_mistake mistake)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    if (vl_bag_int(inputs, "bad"))
        return VL_OK;
    double *table = vl_bag_add_f64(wrong, "flops", 1, VL_ORACLE_MODES);
    for (int mode = 0; table != NULL && mode < VL_ORACLE_MODES; mode++)
        table[mode] = flops_of((enum vl_oracle_mode)mode, &shape, mistake);
    return table != NULL ? VL_OK : VL_ENOMEM;
}

MISTAKE(flops, ALL_LAYERS)
MISTAKE(flops, ADDS_ONLY)
MISTAKE(flops, HALVED)
MISTAKE(flops, NO_ATTENTION)
MISTAKE(flops, WITH_BACKWARD)
MISTAKE(flops, WHOLE_IN_SELECTIVE)
MISTAKE(flops, TWO_MATRICES)
MISTAKE(flops, WHOLE_SEQUENCE)

#define LAST_IS_THERE                                                                              \
    N_("All L layers are counted, but the last one is still there: L - 1 are computed again.")
#define NO_PRODUCTS N_("The products inside attention are missing: scores and averages of values.")

const struct vl_suspect vl_suspects_recompute_flops[] = {
    {"all_layers", LAST_IS_THERE, flops_ALL_LAYERS},
    {"multiplies_only", N_("A multiply and an add are two operations; half of them are missing."),
     flops_ADDS_ONLY},
    {"attention_halved",
     N_("The attention is counted by half: it has two products, scores and averages of values, "
        "and by convention no mask."),
     flops_HALVED},
    {"missing_attention", NO_PRODUCTS, flops_NO_ATTENTION},
    {"with_backward", N_("Only forward is computed again; backward was to come anyway."),
     flops_WITH_BACKWARD},
    {"whole_layer_in_selective",
     N_("Mode selective computes the whole layer again; the attention is enough."),
     flops_WHOLE_IN_SELECTIVE},
    {"two_matrices", N_("The feed-forward part has three matrices: gate, up and down."),
     flops_TWO_MATRICES},
    {"whole_sequence", N_("This is for a whole sequence; the question is about one token."),
     flops_WHOLE_SEQUENCE},
    NO_MORE_SUSPECTS};

/* ---- sealed ---- */

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")

static enum vl_status share(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum flops_mistake mistake)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    double added = flops_of(VL_ORACLE_FULL, &shape, mistake), step = vl_oracle_step_flops(&shape);
    if (mistake == NO_ATTENTION)
        step -= 3 * (double)shape.layers * vl_oracle_attention_flops(&shape);
    if (mistake == NO_HEAD)
        step = 3 * (double)shape.layers * vl_oracle_layer_flops(&shape);
    double answer = mistake == NO_SHARE       ? 0
                    : mistake == OVER_FORWARD ? added / (step / 3)
                    : mistake == OVER_SUM     ? added / (step + added)
                    : mistake == IN_PERCENT   ? 100 * added / step
                                              : added / step;
    return vl_bag_set_real(wrong, "full_share", answer) ? VL_OK : VL_ENOMEM;
}

MISTAKE(share, NO_SHARE)
MISTAKE(share, ALL_LAYERS)
MISTAKE(share, NO_ATTENTION)
MISTAKE(share, OVER_FORWARD)
MISTAKE(share, OVER_SUM)
MISTAKE(share, IN_PERCENT)
MISTAKE(share, NO_HEAD)

const struct vl_suspect vl_suspects_predict_full_share[] = {
    {"not_sealed", UNSEALED, share_NO_SHARE},
    {"all_layers", LAST_IS_THERE, share_ALL_LAYERS},
    {"missing_attention", NO_PRODUCTS, share_NO_ATTENTION},
    {"forward_only",
     N_("This is a share of forward; the question is about the whole step, forward and backward."),
     share_OVER_FORWARD},
    {"share_of_the_sum",
     N_("What is added is in the divisor, too; divide by the operations of the step without it."),
     share_OVER_SUM},
    {"in_percent", N_("This is a percentage; write it as a share, 0.5 for half as many again."),
     share_IN_PERCENT},
    {"missing_head",
     N_("The head is missing from the step: it is not computed again, but it is computed."),
     share_NO_HEAD},
    NO_MORE_SUSPECTS};
