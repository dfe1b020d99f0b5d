/*
 * Known wrong answers of lab 05 about slots, about what is brought back, and about the choice.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

/* ---- slots ---- */

enum slot_mistake {
    NOTHING_SHARED,
    SHARED_IN_NONE,
    SELECTIVE_SHARES_REST,
    FULL_KEEPS_PROBS,
    FULL_KEEPS_REST,
    INPUT_SHARED,
    KINDS_SWAPPED,
    MODES_SWAPPED,
    NO_SLOT_LEFT,
    ONE_LESS,
    /* of slot alone */
    FROM_ONE,
    SHARED_IS_LAST,
    BACKWARDS,
    ALL_FIRST
};

static int is_shared(enum vl_oracle_mode mode, enum vl_oracle_kind kind, enum slot_mistake mistake)
{
    int selective = mode == VL_ORACLE_SELECTIVE, full = mode == VL_ORACLE_FULL;
    int probs = kind == VL_ORACLE_PROBS, rest = kind == VL_ORACLE_REST;
    switch (mistake) {
    case NOTHING_SHARED:
        return 0;
    case SHARED_IN_NONE:
        return probs || (rest && !selective);
    case SELECTIVE_SHARES_REST:
        return (probs || rest) && (selective || full);
    case FULL_KEEPS_PROBS:
        return (probs && selective) || (rest && full);
    case FULL_KEEPS_REST:
        return probs && (selective || full);
    case INPUT_SHARED:
        return full || (selective && probs);
    case KINDS_SWAPPED:
        return (rest && (selective || full)) || (probs && full);
    case MODES_SWAPPED:
        return (probs && (selective || full)) || (rest && selective);
    default:
        return (probs && (selective || full)) || (rest && full);
    }
}

static enum vl_status slots(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum slot_mistake mistake)
{
    const struct vl_tensor_entry *counts = vl_bag_find(inputs, "layer_counts");
    if (counts == NULL) /* refused: no numbers */
        return VL_OK;
    int64_t *table = vl_recompute_table(wrong, "slots", counts->count, 9);
    for (size_t i = 0; table != NULL && i < 9 * counts->count; i++) {
        int64_t layers = ((const int32_t *)counts->data)[i / 9];
        int shared =
            is_shared((enum vl_oracle_mode)(i % 9 / 3), (enum vl_oracle_kind)(i % 3), mistake);
        table[i] = shared ? mistake != NO_SLOT_LEFT : layers - (mistake == ONE_LESS);
    }
    return table != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status slot(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum slot_mistake mistake)
{
    if (vl_bag_int(inputs, "bad"))
        return VL_OK;
    size_t layers = vl_bag_size(inputs, "layers");
    int64_t *table = vl_recompute_table(wrong, "slot", layers, 9);
    for (size_t i = 0; table != NULL && i < 9 * layers; i++) {
        int64_t layer = (int64_t)(i / 9), last = (int64_t)layers - 1;
        int shared =
            is_shared((enum vl_oracle_mode)(i % 9 / 3), (enum vl_oracle_kind)(i % 3), mistake);
        int64_t own = mistake == FROM_ONE    ? layer + 1
                      : mistake == BACKWARDS ? last - layer
                      : mistake == ALL_FIRST ? 0
                                             : layer;
        table[i] = shared ? (mistake == SHARED_IS_LAST ? last : 0) : own;
    }
    return table != NULL ? VL_OK : VL_ENOMEM;
}

#define BOTH(mistake)                                                                              \
    MISTAKE(slots, mistake)                                                                        \
    MISTAKE(slot, mistake)

BOTH(NOTHING_SHARED)
BOTH(SHARED_IN_NONE)
BOTH(SELECTIVE_SHARES_REST)
BOTH(FULL_KEEPS_PROBS)
BOTH(FULL_KEEPS_REST)
BOTH(INPUT_SHARED)
BOTH(KINDS_SWAPPED)
BOTH(MODES_SWAPPED)
MISTAKE(slots, NO_SLOT_LEFT)
MISTAKE(slots, ONE_LESS)
MISTAKE(slot, FROM_ONE)
MISTAKE(slot, SHARED_IS_LAST)
MISTAKE(slot, BACKWARDS)
MISTAKE(slot, ALL_FIRST)

#define SHARING(family)                                                                            \
    {"nothing_shared",                                                                             \
     N_("Every layer has its own slot in every mode: then nothing is forgotten."),                 \
     family##_NOTHING_SHARED},                                                                     \
        {"shared_in_none",                                                                         \
         N_("Mode none forgets nothing: there each layer has slots of its own."),                  \
         family##_SHARED_IN_NONE},                                                                 \
        {"selective_shares_rest",                                                                  \
         N_("In mode selective only the probabilities share a slot; the rest is kept."),           \
         family##_SELECTIVE_SHARES_REST},                                                          \
        {"full_keeps_probs", N_("In mode full the probabilities share a slot, too."),              \
         family##_FULL_KEEPS_PROBS},                                                               \
        {"full_keeps_rest", N_("In mode full the rest shares a slot, too."),                       \
         family##_FULL_KEEPS_REST},                                                                \
        {"input_shared",                                                                           \
         N_("Every layer keeps its input, even in mode full: without it nothing can be computed "  \
            "again."),                                                                             \
         family##_INPUT_SHARED},                                                                   \
        {"kinds_swapped",                                                                          \
         N_("Probabilities and rest are swapped: mode selective forgets the probabilities."),      \
         family##_KINDS_SWAPPED},                                                                  \
    {                                                                                              \
        "modes_swapped",                                                                           \
            N_("Selective and full are swapped: full is the mode that forgets more."),             \
            family##_MODES_SWAPPED                                                                 \
    }

const struct vl_suspect vl_suspects_recompute_slots[] = {
    SHARING(slots),
    {"no_slot_left",
     N_("A kind that all layers share still needs one slot: a layer writes there what its own "
        "backward reads."),
     slots_NO_SLOT_LEFT},
    {"one_slot_less", N_("A layer has no slot: every layer has its own here, the last one too."),
     slots_ONE_LESS},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_recompute_slot[] = {
    SHARING(slot),
    {"slots_from_one", N_("Slots are counted from 0, like layers."), slot_FROM_ONE},
    {"shared_slot_is_last", N_("There is only one shared slot, and its number is 0."),
     slot_SHARED_IS_LAST},
    {"slots_backwards", N_("The slots are in the reverse order: layer l has slot l."),
     slot_BACKWARDS},
    {"all_in_one", N_("All layers write to slot 0, even where each has its own."), slot_ALL_FIRST},
    NO_MORE_SUSPECTS};

/* ---- bringing back ---- */

enum restore_mistake {
    NEVER,
    LAST_AGAIN,
    IN_NONE_TOO,
    WHOLE_LAYER,
    ATTENTION_ONLY,
    BOTH_CALLS,
    FIRST_LEFT_OUT,
    TWO_LEFT_OUT,
    ATTENTION_IN_NONE
};

static struct vl_recompute_calls mistaken(enum vl_oracle_mode mode, size_t layer, size_t layers,
                                          int mistake)
{
    int selective = mode == VL_ORACLE_SELECTIVE, full = mode == VL_ORACLE_FULL;
    int again = layer + 1 < layers;
    if (mistake == NEVER)
        again = 0;
    else if (mistake == LAST_AGAIN)
        again = 1;
    else if (mistake == FIRST_LEFT_OUT)
        again = layer > 0;
    else if (mistake == TWO_LEFT_OUT)
        again = layer + 2 < layers;
    if (mistake == WHOLE_LAYER)
        return (struct vl_recompute_calls){again && (selective || full), 0};
    if (mistake == ATTENTION_ONLY)
        return (struct vl_recompute_calls){0, again && (selective || full)};
    if (mistake == BOTH_CALLS)
        return (struct vl_recompute_calls){again && full, again && (selective || full)};
    if (mistake == ATTENTION_IN_NONE)
        return (struct vl_recompute_calls){again && full, again && !full};
    if (mistake == IN_NONE_TOO)
        return (struct vl_recompute_calls){again && !selective, again && selective};
    return (struct vl_recompute_calls){again && full, again && selective};
}

static enum vl_status restore(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum restore_mistake mistake)
{
    if (vl_bag_int(inputs, "mode") >= VL_ORACLE_MODES)
        return VL_OK;
    return vl_recompute_replay(wrong, inputs, (int)mistake, mistaken);
}

MISTAKE(restore, NEVER)
MISTAKE(restore, LAST_AGAIN)
MISTAKE(restore, IN_NONE_TOO)
MISTAKE(restore, WHOLE_LAYER)
MISTAKE(restore, ATTENTION_ONLY)
MISTAKE(restore, BOTH_CALLS)
MISTAKE(restore, FIRST_LEFT_OUT)
MISTAKE(restore, TWO_LEFT_OUT)
MISTAKE(restore, ATTENTION_IN_NONE)

/* Called with something else than the context: as often as was right. */
static enum vl_status restore_FOREIGN(struct vl_bag *wrong, const struct vl_bag *inputs,
                                      const struct vl_bag *expected)
{
    (void)inputs;
    const struct vl_tensor_entry *forwards = vl_bag_find(expected, "forwards"),
                                 *attentions = vl_bag_find(expected, "attentions");
    int64_t calls = 0;
    for (size_t i = 0; forwards != NULL && attentions != NULL && i < forwards->count; i++)
        calls += ((const int64_t *)forwards->data)[i] + ((const int64_t *)attentions->data)[i];
    return calls == 0 || vl_bag_set_int(wrong, "foreign", calls) ? VL_OK : VL_ENOMEM;
}

const struct vl_suspect vl_suspects_recompute_restore[] = {
    {"not_restored",
     N_("Nothing is computed again: backward reads what the last layer left in the shared slot."),
     restore_NEVER},
    {"last_layer_again",
     N_("The last layer is computed again, though its arrays are still in the slot: nobody has "
        "written there since."),
     restore_LAST_AGAIN},
    {"restored_in_none", N_("Mode none has forgotten nothing, so nothing is to be computed again."),
     restore_IN_NONE_TOO},
    {"restored_in_none", N_("Mode none has forgotten nothing, so nothing is to be computed again."),
     restore_ATTENTION_IN_NONE},
    {"whole_layer_in_selective",
     N_("Mode selective computes the whole layer again; the attention is enough."),
     restore_WHOLE_LAYER},
    {"attention_in_full",
     N_("Mode full computes only the attention again, from q, k and v of another layer: call the "
        "layer's forward."),
     restore_ATTENTION_ONLY},
    {"attention_twice",
     N_("Mode full calls the attention beside forward, but forward includes it."),
     restore_BOTH_CALLS},
    {"first_layer_not_restored",
     N_("Layer 0 is left out and the last one is computed again; forward ended with the last "
        "layer, so it is that one which is still there."),
     restore_FIRST_LEFT_OUT},
    {"two_layers_not_restored",
     N_("The last but one layer is left out, too; layers are counted from 0, so the last one is "
        "layers - 1."),
     restore_TWO_LEFT_OUT},
    {"wrong_context", N_("The functions must be called with again->context."), restore_FOREIGN},
    NO_MORE_SUSPECTS};

/* ---- the choice ---- */

enum choice_mistake { STRICTLY_LESS, THRIFTIEST, NO_SELECTIVE, NEAREST, SET_ANYWAY, IN_ELEMENTS };

static enum vl_status choose(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum choice_mistake mistake)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    const struct vl_tensor_entry *budgets = vl_bag_find(inputs, "budgets");
    int64_t *modes = vl_recompute_table(wrong, "modes", 1, budgets->count),
            *statuses = vl_recompute_table(wrong, "statuses", 1, budgets->count);
    for (size_t i = 0; modes != NULL && statuses != NULL && i < budgets->count; i++) {
        int64_t budget = ((const int64_t *)budgets->data)[i], found = -1;
        for (int tried = 0; tried < VL_ORACLE_MODES && found < 0; tried++) {
            int mode = mistake == THRIFTIEST ? VL_ORACLE_FULL - tried : tried;
            int64_t bytes = (int64_t)vl_oracle_kept_bytes((enum vl_oracle_mode)mode, &shape,
                                                          vl_bag_size(inputs, "rows"));
            if (mistake == IN_ELEMENTS)
                bytes /= 4;
            if (mistake == NO_SELECTIVE && mode == VL_ORACLE_SELECTIVE)
                continue;
            if (mistake == STRICTLY_LESS ? bytes < budget : bytes <= budget)
                found = mode;
        }
        modes[i] = found >= 0                                    ? found
                   : mistake == NEAREST || mistake == SET_ANYWAY ? VL_ORACLE_FULL
                                                                 : vl_bag_int(inputs, "preset");
        statuses[i] = found >= 0 || mistake == NEAREST ? VL_OK : VL_ENOMEM;
    }
    return modes != NULL && statuses != NULL ? VL_OK : VL_ENOMEM;
}

MISTAKE(choose, STRICTLY_LESS)
MISTAKE(choose, THRIFTIEST)
MISTAKE(choose, NO_SELECTIVE)
MISTAKE(choose, NEAREST)
MISTAKE(choose, SET_ANYWAY)
MISTAKE(choose, IN_ELEMENTS)

const struct vl_suspect vl_suspects_recompute_choose[] = {
    {"strictly_less", N_("A mode that needs exactly the budget fits, too."), choose_STRICTLY_LESS},
    {"not_the_cheapest",
     N_("The mode fits, but another that fits adds fewer operations: none first, then selective, "
        "then full."),
     choose_THRIFTIEST},
    {"selective_left_out", N_("Mode selective is never chosen."), choose_NO_SELECTIVE},
    {"nearest_mode",
     N_("Where no mode fits, the answer is VL_ENOMEM, not the mode that comes nearest."),
     choose_NEAREST},
    {"changed_on_error", N_("Where no mode fits, *mode must stay as it was."), choose_SET_ANYWAY},
    {"in_elements", N_("Elements are compared with a budget in bytes: float32 has four."),
     choose_IN_ELEMENTS},
    NO_MORE_SUSPECTS};
