/*
 * Known wrong answers of lab 09: the sealed numbers.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/09_expert_balancing/expert_balancing.h"

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")

enum { E = VL_BALANCING_PREDICTED_EXPERTS, K = VL_BALANCING_PREDICTED_CHOSEN };
enum { P = VL_BALANCING_PREDICTED_RANKS };

enum sealed_mistake {
    NOT_SEALED = 0,
    LARGEST_OVER_MEAN,
    K_FORGOTTEN,
    A_SHARE,
    INVERTED,
    ONE_MOVES,
    A_STEP_MORE,
    HALF_BYTES,
    ELEMENTS,
    OWN_TOO,
    OWN_ONLY,
    BOTH_WAYS,
    ALL_RANKS
};

static enum vl_status worst(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum sealed_mistake mistake)
{
    double number = mistake == LARGEST_OVER_MEAN ? (double)E / K
                    : mistake == K_FORGOTTEN     ? E - 1
                    : mistake == A_SHARE         ? (double)(E - K) / E
                    : mistake == INVERTED        ? (double)K / E
                                                 : 0;
    (void)inputs;
    return vl_bag_set_real(wrong, "worst_violation", number) ? VL_OK : VL_ENOMEM;
}

static enum vl_status steps(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum sealed_mistake mistake)
{
    double one = VL_BALANCING_PREDICTED_GAP / VL_BALANCING_PREDICTED_U;
    double number = mistake == ONE_MOVES     ? one
                    : mistake == A_STEP_MORE ? one / 2 + 1
                    : mistake == BOTH_WAYS   ? 2 * one
                                             : 0;
    (void)inputs;
    return vl_bag_set_int(wrong, "bias_steps", (int64_t)(number + 0.5)) ? VL_OK : VL_ENOMEM;
}

static enum vl_status bytes(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum sealed_mistake mistake)
{
    int64_t right = (P - 1) * E * 8;
    int64_t number = mistake == HALF_BYTES  ? right / 2
                     : mistake == ELEMENTS  ? right / 8
                     : mistake == OWN_TOO   ? P * E * 8
                     : mistake == OWN_ONLY  ? E * 8
                     : mistake == BOTH_WAYS ? 2 * right
                     : mistake == ALL_RANKS ? P * right
                                            : 0;
    (void)inputs;
    return vl_bag_set_int(wrong, "reduced_bytes", number) ? VL_OK : VL_ENOMEM;
}

MISTAKE(worst, NOT_SEALED)
MISTAKE(worst, LARGEST_OVER_MEAN)
MISTAKE(worst, K_FORGOTTEN)
MISTAKE(worst, A_SHARE)
MISTAKE(worst, INVERTED)
MISTAKE(steps, NOT_SEALED)
MISTAKE(steps, ONE_MOVES)
MISTAKE(steps, A_STEP_MORE)
MISTAKE(steps, BOTH_WAYS)
MISTAKE(bytes, NOT_SEALED)
MISTAKE(bytes, HALF_BYTES)
MISTAKE(bytes, ELEMENTS)
MISTAKE(bytes, OWN_TOO)
MISTAKE(bytes, OWN_ONLY)
MISTAKE(bytes, BOTH_WAYS)
MISTAKE(bytes, ALL_RANKS)

const struct vl_suspect vl_suspects_predict_worst_violation[] = {
    {"not_sealed", UNSEALED, worst_NOT_SEALED},
    {"mean_not_subtracted",
     N_("This is the largest count over the mean; MaxVio is how far it is above the mean."),
     worst_LARGEST_OVER_MEAN},
    {"k_forgotten",
     N_("This is the worst where each token chooses one expert; here it chooses two, so the load "
        "is on two of them."),
     worst_K_FORGOTTEN},
    {"share_of_idle", N_("This is the part of the experts that are idle, not MaxVio."),
     worst_A_SHARE},
    {"upside_down", N_("This is the mean over the largest count; MaxVio divides by the mean."),
     worst_INVERTED},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_predict_bias_steps[] = {
    {"not_sealed", UNSEALED, steps_NOT_SEALED},
    {"one_side_moves",
     N_("Both biases move, one up and one down: a global batch closes the gap by 2u."),
     steps_ONE_MOVES},
    {"one_step_more",
     N_("One step too many: count the global batches until the gap is closed, not those until it "
        "is turned round."),
     steps_A_STEP_MORE},
    {"multiplied_by_two",
     N_("This is four times as many: the gap closes by 2u a global batch, so it is divided by 2u."),
     steps_BOTH_WAYS},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_predict_reduced_bytes[] = {
    {"not_sealed", UNSEALED, bytes_NOT_SEALED},
    {"half_the_bytes",
     N_("This is half of it: a count is a double of 8 bytes, and in an all-gather a rank sends P-1 "
        "times the counts of one rank, which is not what an all-reduce sends."),
     bytes_HALF_BYTES},
    {"in_elements", N_("These are numbers; the question is about bytes, 8 a number."),
     bytes_ELEMENTS},
    {"own_counted_too",
     N_("A rank sends P-1 pieces on the ring, not P: the last that it gets it keeps."),
     bytes_OWN_TOO},
    {"passed_on_forgotten",
     N_("These are a rank's own counts. On the ring it passes on those of others as well."),
     bytes_OWN_ONLY},
    {"received_too", N_("What is received was counted as well; the question is what is sent."),
     bytes_BOTH_WAYS},
    {"all_ranks", N_("These are the bytes of all ranks together; the question is about one."),
     bytes_ALL_RANKS},
    NO_MORE_SUSPECTS};
