/*
 * Known wrong answers of lab 10: what a chip holds.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/10_bandwidth/bandwidth.h"

enum memory_mistake {
    RIGHT = 0,
    /* states */
    EXPERTS_OVER_ALL,
    COMMON_OVER_DATA,
    GRADIENTS_FROM_1,
    WEIGHTS_FROM_2,
    NEVER_CUT,
    NO_UNITS,
    NO_WEIGHT_UNIT,
    NO_GRADIENT_UNIT,
    UNIT_ALWAYS,
    /* kept */
    ONE_ALIVE,
    ALL_ALIVE,
    CHUNKS_AS_STAGES,
    TENSOR_FORGOTTEN,
    TENSOR_TWICE,
    NOTHING_OPEN,
    ONE_EXPERT,
    NO_SHARED,
    QKV_STAYS,
    ELEMENTS
};

const char *const vl_plan_bytes_names[] = {"bytes", NULL};

/* ---- weights, gradients and optimizer state ---- */

static double units_of(const struct vl_recipe *recipe, size_t zero, double unit, int mistake)
{
    double weights = zero >= 3 ? unit * recipe->weight_bytes : 0;
    double gradients = zero >= 2 ? unit * recipe->gradient_bytes : 0;
    double all = unit * (recipe->weight_bytes + recipe->gradient_bytes);
    return mistake == NO_UNITS           ? -(weights + gradients)
           : mistake == NO_WEIGHT_UNIT   ? -weights
           : mistake == NO_GRADIENT_UNIT ? -gradients
           : mistake == UNIT_ALWAYS      ? all - weights - gradients
                                         : 0;
}

void vl_plan_state(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                   size_t row, int mistake)
{
    struct vl_oracle_chip chip = vl_plan_chip_read(inputs, row);
    struct vl_division d = plan->division;
    const struct vl_recipe *recipe = &plan->setting.recipe;
    double both = chip.common + chip.experts, all = (double)(d.data * d.expert);
    double common = chip.common / all + chip.experts / (double)d.data;
    if (mistake == EXPERTS_OVER_ALL || mistake == COMMON_OVER_DATA) {
        chip.common = mistake == EXPERTS_OVER_ALL ? both : 0;
        chip.experts = both - chip.common;
    }
    if (mistake == NEVER_CUT)
        d.zero = 0;
    double bytes = vl_oracle_plan_state_bytes(&chip, recipe, &d);
    if (mistake == GRADIENTS_FROM_1 && d.zero == 1)
        bytes -= (both - common) * recipe->gradient_bytes;
    if (mistake == WEIGHTS_FROM_2 && d.zero == 2)
        bytes -= (both - common) * recipe->weight_bytes;
    results[0] = bytes + units_of(recipe, d.zero, chip.unit, mistake);
}

VL_PLAN_FAMILY(state, vl_plan_bytes_names)
MISTAKE(state, EXPERTS_OVER_ALL)
MISTAKE(state, COMMON_OVER_DATA)
MISTAKE(state, GRADIENTS_FROM_1)
MISTAKE(state, WEIGHTS_FROM_2)
MISTAKE(state, NEVER_CUT)
MISTAKE(state, NO_UNITS)
MISTAKE(state, NO_WEIGHT_UNIT)
MISTAKE(state, NO_GRADIENT_UNIT)
MISTAKE(state, UNIT_ALWAYS)

const struct vl_suspect vl_suspects_planned_state_bytes[] = {
    {"experts_cut_over_all",
     N_("The experts are cut over all data * expert replicas, but only 'data' chips have the same "
        "experts."),
     state_EXPERTS_OVER_ALL},
    {"common_cut_over_data",
     N_("What is no expert is cut over 'data' chips only; all data * expert replicas have it."),
     state_COMMON_OVER_DATA},
    {"gradients_cut_from_1",
     N_("The gradients are cut from stage 1 on; in ZeRO-1 only the optimizer state is."),
     state_GRADIENTS_FROM_1},
    {"weights_cut_from_2", N_("The weights are cut from stage 2 on; that is what stage 3 does."),
     state_WEIGHTS_FROM_2},
    {"never_cut", N_("Nothing is cut, as in stage 0; look at the stage of ZeRO."), state_NEVER_CUT},
    {"units_forgotten",
     N_("The units are missing that lie there whole beside the shards, while they are used."),
     state_NO_UNITS},
    {"weight_unit_forgotten",
     N_("In stage 3 one unit of weights lies there whole beside the shards; it is missing."),
     state_NO_WEIGHT_UNIT},
    {"gradient_unit_forgotten",
     N_("From stage 2 on one unit of gradients lies there whole beside the shards; it is missing."),
     state_NO_GRADIENT_UNIT},
    {"unit_always",
     N_("A unit beside the shards is counted where nothing is cut; then everything is there "
        "already."),
     state_UNIT_ALWAYS},
    NO_MORE_SUSPECTS};

/* ---- kept for backward ---- */

/* What the stage keeps of one micro-batch, and of one more layer, by what the oracle says of chips
 * with as many layers and with twice as many, and one micro-batch in flight. */
static void take_apart(double *stage, double *open, const struct vl_plan *plan,
                       struct vl_oracle_chip chip)
{
    struct vl_plan one = *plan;
    one.setting.recipe.batch = vl_oracle_plan_rows(&plan->setting.recipe, &plan->division);
    one.division = (struct vl_division){plan->division.tensor, 1, 1, 1, 1, 1, plan->division.zero,
                                        plan->division.keep};
    double single = vl_oracle_plan_kept_bytes(&chip, &one.setting, &one.division);
    chip.dense_layers *= 2;
    chip.expert_layers *= 2;
    *stage = vl_oracle_plan_kept_bytes(&chip, &one.setting, &one.division) - single;
    *open = single - *stage;
}

static double pieces_changed(const struct vl_plan *plan, const struct vl_oracle_chip *chip,
                             double right, int mistake)
{
    double stage, open;
    take_apart(&stage, &open, plan, *chip);
    double alive = (right - open) / stage;
    return mistake == ONE_ALIVE          ? stage + open
           : mistake == ALL_ALIVE        ? (double)plan->division.micro_batches * stage + open
           : mistake == CHUNKS_AS_STAGES ? alive * (double)plan->division.chunks * stage + open
           : mistake == NOTHING_OPEN     ? right - open
                                         : right;
}

/* Queries, keys and values of plain attention stay in 'selected'; those of latent attention too? */
static double qkv_of(const struct vl_plan *plan, const struct vl_oracle_chip *chip)
{
    const struct vl_blueprint *m = &plan->setting.model;
    if (m->latent_rank == 0 || plan->division.keep != VL_KEEP_SELECTED)
        return 0;
    double elements = (double)(m->heads * (2 * m->key_width + m->value_width));
    double tokens =
        (double)(vl_oracle_plan_rows(&plan->setting.recipe, &plan->division) * m->sequence);
    double stage, open;
    double right = vl_oracle_plan_kept_bytes(chip, &plan->setting, &plan->division);
    take_apart(&stage, &open, plan, *chip);
    double layers = (double)(chip->dense_layers + chip->expert_layers);
    return ((right - open) / stage * layers - 1) * elements * tokens *
           plan->setting.recipe.kept_bytes / (double)plan->division.tensor;
}

void vl_plan_kept(double *results, const struct vl_plan *plan, const struct vl_bag *inputs,
                  size_t row, int mistake)
{
    struct vl_plan other = *plan;
    const struct vl_oracle_chip chip = vl_plan_chip_read(inputs, row);
    if (mistake == ONE_EXPERT && other.setting.model.experts > 0)
        other.setting.model.chosen = 1;
    if (mistake == NO_SHARED)
        other.setting.model.shared = 0;
    if (mistake == ELEMENTS)
        other.setting.recipe.kept_bytes = 1;
    double tensor = (double)plan->division.tensor;
    double bytes = vl_oracle_plan_kept_bytes(&chip, &other.setting, &plan->division);
    results[0] = mistake == TENSOR_FORGOTTEN ? bytes * tensor
                 : mistake == TENSOR_TWICE   ? bytes * tensor * tensor
                 : mistake == QKV_STAYS      ? bytes + qkv_of(plan, &chip)
                                             : pieces_changed(plan, &chip, bytes, mistake);
}

VL_PLAN_FAMILY(kept, vl_plan_bytes_names)
MISTAKE(kept, ONE_ALIVE)
MISTAKE(kept, ALL_ALIVE)
MISTAKE(kept, CHUNKS_AS_STAGES)
MISTAKE(kept, TENSOR_FORGOTTEN)
MISTAKE(kept, TENSOR_TWICE)
MISTAKE(kept, NOTHING_OPEN)
MISTAKE(kept, ONE_EXPERT)
MISTAKE(kept, NO_SHARED)
MISTAKE(kept, QKV_STAYS)
MISTAKE(kept, ELEMENTS)

const struct vl_suspect vl_suspects_planned_kept_bytes[] = {
    {"one_alive",
     N_("This is what one micro-batch leaves; the first stage has several in flight before the "
        "first backward comes."),
     kept_ONE_ALIVE},
    {"all_alive",
     N_("All micro-batches are counted as alive at once; with 1F1B the first stage has fewer."),
     kept_ALL_ALIVE},
    {"chunks_as_stages",
     N_("Each chunk alive is counted as a whole stage; it has its share of the stage's layers."),
     kept_CHUNKS_AS_STAGES},
    {"tensor_not_divided",
     N_("With sequence parallelism what is kept is divided among the tensor group as well."),
     kept_TENSOR_FORGOTTEN},
    {"tensor_multiplied",
     N_("What is kept is multiplied by the size of the tensor group; it is divided among it."),
     kept_TENSOR_TWICE},
    {"open_layer_forgotten",
     N_("The layer whose backward is running has all of its arrays again, also those not kept; "
        "they "
        "are missing."),
     kept_NOTHING_OPEN},
    {"one_expert", N_("A token leaves arrays in each of the experts chosen for it, not in one."),
     kept_ONE_EXPERT},
    {"shared_left_out",
     N_("The shared experts are missing: every token leaves gate, up and active in them, too."),
     kept_NO_SHARED},
    {"queries_kept",
     N_("With latent attention 'selected' keeps no queries, keys and values: they come from the "
        "latents again."),
     kept_QKV_STAYS},
    {"in_elements", N_("These are elements; the question is about bytes."), kept_ELEMENTS},
    NO_MORE_SUSPECTS};
