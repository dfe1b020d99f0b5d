/*
 * Known wrong answers of lab 04 where things are counted: the plan, and the figures on paper.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/04_zero/zero.h"

#include <stdio.h>

/* ---- the plan ---- */

enum plan_mistake { FLAT_SHARD, ONE_ROOM, LARGEST_CHUNK, WEIGHTS_WHOLE, GRADIENTS_WHOLE, NO_LOAN };

static enum vl_status plan(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum plan_mistake mistake)
{
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    if (vl_truth_zero_plan(wrong, inputs) != VL_OK)
        return VL_ENOMEM;
    for (size_t k = 0; k < vl_bag_count(wrong); k++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(wrong, k);
        int64_t *of = (int64_t *)entry->data; /* the bag is ours */
        int weights = k == 0, gradients = k == 1, lent = k >= 3;
        for (size_t rank = 0; rank < entry->count; rank++) {
            size_t flat = l.count / (size_t)l.ranks + (rank < l.count % (size_t)l.ranks);
            int whole = (size_t)of[rank] == l.count && k < 2;
            if (mistake == FLAT_SHARD && !lent && !whole)
                of[rank] = (int64_t)flat;
            if (mistake == ONE_ROOM && lent)
                of[rank] /= 2;
            if (mistake == LARGEST_CHUNK && lent)
                of[rank] = (of[rank] / 2 + l.ranks - 1) / l.ranks * 2;
            if ((mistake == WEIGHTS_WHOLE && weights) || (mistake == GRADIENTS_WHOLE && gradients))
                of[rank] = (int64_t)l.count;
            if (mistake == NO_LOAN && lent)
                of[rank] = 0;
        }
    }
    return VL_OK;
}

MISTAKE(plan, FLAT_SHARD)
MISTAKE(plan, ONE_ROOM)
MISTAKE(plan, LARGEST_CHUNK)
MISTAKE(plan, WEIGHTS_WHOLE)
MISTAKE(plan, GRADIENTS_WHOLE)
MISTAKE(plan, NO_LOAN)

const struct vl_suspect vl_suspects_zero_plan[] = {
    {"flat_shard",
     N_("The shard is a part of all parameters at once; every unit is cut by itself, and a rank "
        "keeps its chunk of each."),
     plan_FLAT_SHARD},
    {"one_room",
     N_("Only one room is planned; while one unit is on its way, the next needs another."),
     plan_ONE_ROOM},
    {"room_of_a_chunk", N_("The rooms are as large as a chunk; they hold whole units."),
     plan_LARGEST_CHUNK},
    {"weights_whole", N_("The weights are kept whole; this stage keeps a shard of them."),
     plan_WEIGHTS_WHOLE},
    {"gradients_whole", N_("The gradients are kept whole; this stage keeps a shard of them."),
     plan_GRADIENTS_WHOLE},
    {"rooms_missing",
     N_("There is no room for whole units; what is shared out is lent while it is "
        "used."),
     plan_NO_LOAN},
    NO_MORE_SUSPECTS};

/* ---- on paper ---- */

enum figure_mistake {
    SIXTEEN_BITS,
    ELEMENTS,
    M_ALONE,
    NOTHING_SHARED,
    ALL_SHARED,
    NO_GRADIENTS,
    WITHOUT_OWN,
    BYTES,
    TWO_RINGS,
    ONE_RING
};

static double bytes(int stage, double n, double ranks, enum figure_mistake mistake)
{
    double weight = mistake == SIXTEEN_BITS ? 2 : 4, gradient = weight;
    double moments = mistake == SIXTEEN_BITS ? 12 : mistake == M_ALONE ? 4 : 8;
    double unit = mistake == ELEMENTS ? 4 : 1;
    if (mistake == NO_GRADIENTS)
        gradient = 0;
    double p = mistake == NOTHING_SHARED ? 1 : ranks;
    if (mistake == ALL_SHARED && stage > 0)
        stage = 3;
    return n *
           (weight / (stage >= 3 ? p : 1) + gradient / (stage >= 2 ? p : 1) +
            moments / (stage >= 1 ? p : 1)) /
           unit;
}

static double elements(int stage, double n, double ranks, enum figure_mistake mistake)
{
    double rings = mistake == ONE_RING ? 1 : stage == 3 && mistake != TWO_RINGS ? 3 : 2;
    double share = mistake == WITHOUT_OWN ? 1 : (ranks - 1) / ranks;
    return rings * n * share * (mistake == BYTES ? 4 : 1);
}

static enum vl_status four(struct vl_bag *wrong, const struct vl_bag *inputs,
                           double (*figure)(int, double, double, enum figure_mistake),
                           enum figure_mistake mistake)
{
    double *stages = vl_bag_add_f64(wrong, "stages", 1, 4);
    for (int stage = 0; stages != NULL && stage < 4; stage++)
        stages[stage] = figure(stage, vl_bag_real(inputs, "parameters"),
                               (double)vl_bag_int(inputs, "ranks"), mistake);
    return stages != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status state(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum figure_mistake mistake)
{
    return four(wrong, inputs, bytes, mistake);
}

static enum vl_status sent(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum figure_mistake mistake)
{
    return four(wrong, inputs, elements, mistake);
}

/* The sealed numbers: as above, for one stage. */
static enum vl_status sealed(struct vl_bag *wrong, const struct vl_bag *inputs, int stage,
                             enum figure_mistake mistake)
{
    char name[32];
    snprintf(name, sizeof name, "state_bytes_%d", stage);
    double answer = bytes(stage, vl_bag_real(inputs, "parameters"),
                          (double)vl_bag_int(inputs, "ranks"), mistake);
    return vl_bag_set_int(wrong, name, (int64_t)answer) ? VL_OK : VL_ENOMEM;
}

static enum vl_status sealed_1(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum figure_mistake mistake)
{
    return sealed(wrong, inputs, 1, mistake);
}

static enum vl_status sealed_2(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum figure_mistake mistake)
{
    return sealed(wrong, inputs, 2, mistake);
}

static enum vl_status sealed_3(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum figure_mistake mistake)
{
    return sealed(wrong, inputs, 3, mistake);
}

static enum vl_status sealed_sent(struct vl_bag *wrong, const struct vl_bag *inputs,
                                  enum figure_mistake mistake)
{
    double answer = elements(3, vl_bag_real(inputs, "parameters"),
                             (double)vl_bag_int(inputs, "ranks"), mistake);
    double as_bytes = mistake == ELEMENTS ? answer : 4 * answer;
    return vl_bag_set_int(wrong, "sent_bytes_3", (int64_t)as_bytes) ? VL_OK : VL_ENOMEM;
}

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")
#define MIXED                                                                                      \
    N_("This is the figure for 16-bit mixed precision (2 + 2 + 12 bytes); here everything is "     \
       "float32: 4 + 4 + 8.")
#define COUNTED   N_("These are elements; the question is about bytes, 4 an element.")
#define M_AND_V   N_("Adam keeps two moments, m and v: 8 bytes a parameter.")
#define UNDIVIDED N_("Nothing is divided by P; each stage shares out one kind more.")
#define DIVIDED   N_("Everything is divided by P; this stage still keeps something whole.")
#define KIND      N_("A kind is missing: gradients, or one of the two moments.")
#define NO_GRADS  N_("The gradients are missing.")
#define SHARE                                                                                      \
    N_("A factor (P-1)/P is missing: a rank sends all but one of P parts of a ring, not all.")
#define TWO                                                                                        \
    N_("Stage 3 is counted like the others; it gathers the weights twice, for forward and for "    \
       "backward.")
#define ONE N_("Only one ring is counted; gradients are scattered, and weights are gathered.")

/* Before a number is sealed it is zero. */
static enum vl_status unsealed(struct vl_bag *wrong, const char *name)
{
    return vl_bag_set_int(wrong, name, 0) ? VL_OK : VL_ENOMEM;
}

#define SEALED(family, name)                                                                       \
    static enum vl_status family##_NOT_SEALED(struct vl_bag *wrong, const struct vl_bag *inputs,   \
                                              const struct vl_bag *expected)                       \
    {                                                                                              \
        (void)inputs;                                                                              \
        (void)expected;                                                                            \
        return unsealed(wrong, name);                                                              \
    }
#define STATE_SUSPECTS(family)                                                                     \
    {"mixed_precision", MIXED, family##_SIXTEEN_BITS},                                             \
        {"in_elements", COUNTED, family##_ELEMENTS}, {"one_moment", M_AND_V, family##_M_ALONE},    \
        {"not_divided", UNDIVIDED, family##_NOTHING_SHARED},                                       \
        {"all_divided", DIVIDED, family##_ALL_SHARED},                                             \
    {                                                                                              \
        "missing_gradients", NO_GRADS, family##_NO_GRADIENTS                                       \
    }
#define STATE_MISTAKES(family)                                                                     \
    MISTAKE(family, SIXTEEN_BITS)                                                                  \
    MISTAKE(family, ELEMENTS)                                                                      \
    MISTAKE(family, M_ALONE)                                                                       \
    MISTAKE(family, NOTHING_SHARED)                                                                \
    MISTAKE(family, ALL_SHARED)                                                                    \
    MISTAKE(family, NO_GRADIENTS)

STATE_MISTAKES(state)
STATE_MISTAKES(sealed_1)
MISTAKE(sealed_2, SIXTEEN_BITS)
MISTAKE(sealed_2, ELEMENTS)
MISTAKE(sealed_2, M_ALONE)
MISTAKE(sealed_2, NOTHING_SHARED)
MISTAKE(sealed_2, ALL_SHARED)
MISTAKE(sealed_3, ELEMENTS)
MISTAKE(sealed_3, M_ALONE)
MISTAKE(sealed_3, NOTHING_SHARED)
SEALED(sealed_1, "state_bytes_1")
SEALED(sealed_2, "state_bytes_2")
SEALED(sealed_3, "state_bytes_3")
SEALED(sealed_sent, "sent_bytes_3")

MISTAKE(sent, WITHOUT_OWN)
MISTAKE(sent, BYTES)
MISTAKE(sent, TWO_RINGS)
MISTAKE(sent, ONE_RING)
MISTAKE(sealed_sent, WITHOUT_OWN)
MISTAKE(sealed_sent, ELEMENTS)
MISTAKE(sealed_sent, TWO_RINGS)
MISTAKE(sealed_sent, ONE_RING)

const struct vl_suspect vl_suspects_zero_state_bytes[] = {STATE_SUSPECTS(state), NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_state_1[] = {
    {"not_sealed", UNSEALED, sealed_1_NOT_SEALED}, STATE_SUSPECTS(sealed_1), NO_MORE_SUSPECTS};
/* At stage 2 and 3 two slips give the same number; at stage 3 some give the right one. */
const struct vl_suspect vl_suspects_predict_state_2[] = {
    {"not_sealed", UNSEALED, sealed_2_NOT_SEALED},
    {"mixed_precision", MIXED, sealed_2_SIXTEEN_BITS},
    {"in_elements", COUNTED, sealed_2_ELEMENTS},
    {"kind_missing", KIND, sealed_2_M_ALONE},
    {"not_divided", UNDIVIDED, sealed_2_NOTHING_SHARED},
    {"all_divided", DIVIDED, sealed_2_ALL_SHARED},
    NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_state_3[] = {
    {"not_sealed", UNSEALED, sealed_3_NOT_SEALED},
    {"in_elements", COUNTED, sealed_3_ELEMENTS},
    {"kind_missing", KIND, sealed_3_M_ALONE},
    {"not_divided", UNDIVIDED, sealed_3_NOTHING_SHARED},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_zero_sent_elements[] = {
    {"missing_share", SHARE, sent_WITHOUT_OWN},
    {"in_bytes", N_("These are bytes; the question is about elements."), sent_BYTES},
    {"stage_3_like_others", TWO, sent_TWO_RINGS},
    {"one_ring", ONE, sent_ONE_RING},
    NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_sent_3[] = {
    {"not_sealed", UNSEALED, sealed_sent_NOT_SEALED},
    {"missing_share", SHARE, sealed_sent_WITHOUT_OWN},
    {"in_elements", COUNTED, sealed_sent_ELEMENTS},
    {"stage_3_like_others", TWO, sealed_sent_TWO_RINGS},
    {"one_ring", ONE, sealed_sent_ONE_RING},
    NO_MORE_SUSPECTS};
