/*
 * Lab 10's sealed numbers: what they are, and known wrong ones.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")

enum sealed_mistake {
    RIGHT = 0,
    NOT_SEALED,
    /* states */
    EXPERTS_OVER_ALL,
    COMMON_OVER_DATA,
    GRADIENTS_CUT,
    ALL_CUT,
    NOTHING_CUT,
    IN_GIGABYTES,
    /* exchange */
    ONE_WAY,
    FORWARD_ONLY,
    EACH_CHOICE_ACROSS,
    OWN_DOMAIN_TOO,
    INSIDE_ONLY,
    ROADS_ADDED,
    BYTE_BOTH_WAYS,
    IN_MILLISECONDS
};

/* ---- bytes on a chip: V3's own division, a stage as the lab's text has it ---- */

static double state(int mistake)
{
    const struct vl_recipe recipe = {.weight_bytes = 2, .gradient_bytes = 4, .optimizer_bytes = 8};
    struct vl_division d = {.tensor = 1, .expert = 64, .data = 2, .pipeline = 16};
    struct vl_oracle_chip chip = {.expert_layers = 1, .common = 1e9, .experts = 6e8};
    if (mistake == EXPERTS_OVER_ALL)
        chip = (struct vl_oracle_chip){.common = 1.6e9};
    if (mistake == COMMON_OVER_DATA)
        chip = (struct vl_oracle_chip){.experts = 1.6e9};
    d.zero = mistake == GRADIENTS_CUT ? 2 : mistake == ALL_CUT ? 3 : mistake == NOTHING_CUT ? 0 : 1;
    double bytes = vl_oracle_plan_state_bytes(&chip, &recipe, &d);
    return mistake == NOT_SEALED ? 0 : mistake == IN_GIGABYTES ? bytes / 1e9 : bytes;
}

static enum vl_status sealed_state(struct vl_bag *wrong, const struct vl_bag *inputs, int mistake)
{
    (void)inputs;
    return vl_bag_set_real(wrong, "state_bytes", state(mistake)) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_state_bytes)
{
    return sealed_state(expected, inputs, RIGHT);
}

MISTAKE(sealed_state, NOT_SEALED)
MISTAKE(sealed_state, EXPERTS_OVER_ALL)
MISTAKE(sealed_state, COMMON_OVER_DATA)
MISTAKE(sealed_state, GRADIENTS_CUT)
MISTAKE(sealed_state, ALL_CUT)
MISTAKE(sealed_state, NOTHING_CUT)
MISTAKE(sealed_state, IN_GIGABYTES)

const struct vl_suspect vl_suspects_predict_state_bytes[] = {
    {"not_sealed", UNSEALED, sealed_state_NOT_SEALED},
    {"experts_cut_over_all",
     N_("The experts are cut over 128 chips here, but only two chips have the same experts."),
     sealed_state_EXPERTS_OVER_ALL},
    {"common_cut_over_data",
     N_("What is no expert is cut over two chips here, but all 128 replicas have it."),
     sealed_state_COMMON_OVER_DATA},
    {"gradients_cut_from_1",
     N_("The gradients are cut as well; in ZeRO-1 only the optimizer state is."),
     sealed_state_GRADIENTS_CUT},
    {"all_cut", N_("Everything is cut, as in stage 3; in ZeRO-1 only the optimizer state is."),
     sealed_state_ALL_CUT},
    {"never_cut", N_("Nothing is cut; in ZeRO-1 the optimizer state is."),
     sealed_state_NOTHING_CUT},
    {"in_gigabytes", N_("This is in gigabytes; the question is about bytes."),
     sealed_state_IN_GIGABYTES},
    NO_MORE_SUSPECTS};

/* ---- seconds of one layer's exchanges ---- */

static double ways(double inside, double across, double there, double back, int mistake)
{
    const struct vl_cluster c = {.domain = 8, .inner = {0, 160e9}, .outer = {0, 50e9}};
    double out = vl_oracle_plan_exchange(8, 8, &c, inside * there, across * there);
    double home = vl_oracle_plan_exchange(8, 8, &c, inside * back, across * back);
    return out + (mistake == ONE_WAY ? 0 : home);
}

static double exchange(int mistake)
{
    double rows = 4096.0 * 7168, domains = mistake == EACH_CHOICE_ACROSS ? 8 : 4;
    double inside = rows * 8 * 7 / 8, across = rows * domains * 7 / 8;
    double back = mistake == BYTE_BOTH_WAYS ? 1 : 2;
    if (mistake == OWN_DOMAIN_TOO)
        across = rows * domains;
    if (mistake == INSIDE_ONLY)
        across = 0;
    double seconds = 2 * ways(inside, across, 1, back, mistake);
    if (mistake == ROADS_ADDED)
        seconds += 2 * ways(inside, 0, 1, back, mistake);
    return mistake == NOT_SEALED        ? 0
           : mistake == FORWARD_ONLY    ? seconds / 2
           : mistake == IN_MILLISECONDS ? 1000 * seconds
                                        : seconds;
}

static enum vl_status sealed_exchange(struct vl_bag *wrong, const struct vl_bag *inputs,
                                      int mistake)
{
    (void)inputs;
    return vl_bag_set_real(wrong, "exchange_seconds", exchange(mistake)) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_exchange_seconds)
{
    return sealed_exchange(expected, inputs, RIGHT);
}

MISTAKE(sealed_exchange, NOT_SEALED)
MISTAKE(sealed_exchange, ONE_WAY)
MISTAKE(sealed_exchange, FORWARD_ONLY)
MISTAKE(sealed_exchange, EACH_CHOICE_ACROSS)
MISTAKE(sealed_exchange, OWN_DOMAIN_TOO)
MISTAKE(sealed_exchange, INSIDE_ONLY)
MISTAKE(sealed_exchange, ROADS_ADDED)
MISTAKE(sealed_exchange, BYTE_BOTH_WAYS)
MISTAKE(sealed_exchange, IN_MILLISECONDS)

const struct vl_suspect vl_suspects_predict_exchange_seconds[] = {
    {"not_sealed", UNSEALED, sealed_exchange_NOT_SEALED},
    {"one_way", N_("This is the way there; each exchange comes back, with two bytes an element."),
     sealed_exchange_ONE_WAY},
    {"exchanges_of_forward",
     N_("These are the exchanges of forward; backward sends the gradients there and back, too."),
     sealed_exchange_FORWARD_ONLY},
    {"each_choice_across",
     N_("All eight choices travel at 50 GB/s here; a token goes once to each of at most four "
        "domains, and is handed on inside at 160 GB/s."),
     sealed_exchange_EACH_CHOICE_ACROSS},
    {"own_domain_sent_to",
     N_("A token's own domain is counted as sent to: it is one of the four as often as any."),
     sealed_exchange_OWN_DOMAIN_TOO},
    {"inside_only",
     N_("This is the road inside; the one across is used at the same time, and takes longer."),
     sealed_exchange_INSIDE_ONLY},
    {"roads_added",
     N_("Both roads are added up; they are used at the same time, and the longer one counts."),
     sealed_exchange_ROADS_ADDED},
    {"one_byte_back", N_("The way back has two bytes an element, not one."),
     sealed_exchange_BYTE_BOTH_WAYS},
    {"in_milliseconds", N_("This is in milliseconds; the question is about seconds."),
     sealed_exchange_IN_MILLISECONDS},
    NO_MORE_SUSPECTS};

/* ---- the guess ---- */

static enum vl_status guess(struct vl_bag *wrong, const struct vl_bag *inputs, int mistake)
{
    (void)inputs;
    double number = mistake == NOT_SEALED ? 0 : VL_BANDWIDTH_MIDDLE;
    return vl_bag_set_real(wrong, "crossover_bandwidth", number) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_crossover_bandwidth)
{
    return guess(expected, inputs, RIGHT);
}

MISTAKE(guess, NOT_SEALED)

/* What is wrong with a guess, and what the planner finds, is told in words. */
const struct vl_suspect vl_suspects_predict_crossover_bandwidth[] = {
    {"not_sealed", UNSEALED, guess_NOT_SEALED}, NO_MORE_SUSPECTS};
