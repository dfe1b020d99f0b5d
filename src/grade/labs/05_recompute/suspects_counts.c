/*
 * Known wrong answers of lab 05's counts: elements and bytes on paper, the engine's measured bytes,
 * and the sealed bytes.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/05_recompute/recompute.h"
#include "grade/shared/model.h"

#include <string.h>

enum count_mistake {
    RIGHT,
    NOT_SEALED,
    /* in the elements of a layer */
    NO_HEADS,
    NO_ROWS,
    MASKED,
    NO_RMS,
    ONE_NORM,
    NO_MID,
    QKV_ONCE,
    NO_ACTIVE,
    PROBS_IN_REST,
    INPUT_IN_REST,
    BYTES_NOT_ELEMENTS,
    /* in what a mode keeps */
    ELEMENTS_NOT_BYTES,
    SIXTEEN_BITS,
    ONE_LAYER,
    NO_SHARED_SLOT,
    NOTHING_SHARED,
    SELECTIVE_SHARES_REST,
    FULL_KEEPS_PROBS,
    FULL_KEEPS_REST,
    INPUT_SHARED
};

/* ---- elements of a layer ---- */

static int is(const struct vl_oracle_array *array, const char *name)
{
    return strcmp(array->name, name) == 0;
}

static uint64_t elements_of(const struct vl_oracle_array *array, const struct vl_oracle_shape *s,
                            size_t rows, enum count_mistake mistake)
{
    uint64_t n = array->elements, t = s->sequence;
    int rms = is(array, "first 1/rms") || is(array, "second 1/rms");
    int second = is(array, "second normed") || is(array, "second 1/rms");
    if ((mistake == NO_RMS && rms) || (mistake == ONE_NORM && second) ||
        (mistake == NO_MID && is(array, "mid")) || (mistake == NO_ACTIVE && is(array, "active")))
        return 0;
    if (mistake == QKV_ONCE && is(array, "qkv"))
        return n / 3;
    if (mistake == NO_HEADS && is(array, "probs"))
        return n / s->heads;
    if (mistake == MASKED && is(array, "probs"))
        return n / t * (t + 1) / 2;
    if (mistake == NO_ROWS)
        return n / rows;
    return mistake == BYTES_NOT_ELEMENTS ? 4 * n : n;
}

static void elements(uint64_t count[VL_ORACLE_KINDS], const struct vl_bag *inputs,
                     enum count_mistake mistake)
{
    struct vl_oracle_shape shape = vl_shape_read(inputs);
    struct vl_oracle_array arrays[VL_ORACLE_ARRAYS];
    size_t rows = vl_bag_size(inputs, "rows");
    memset(count, 0, VL_ORACLE_KINDS * sizeof *count);
    vl_oracle_arrays(arrays, &shape, rows);
    for (size_t i = 0; i < VL_ORACLE_ARRAYS; i++) {
        uint64_t n = elements_of(&arrays[i], &shape, rows, mistake);
        count[arrays[i].kind] += n;
        if ((mistake == PROBS_IN_REST && arrays[i].kind == VL_ORACLE_PROBS) ||
            (mistake == INPUT_IN_REST && arrays[i].kind == VL_ORACLE_INPUT))
            count[VL_ORACLE_REST] += n;
    }
}

static enum vl_status layer(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum count_mistake mistake)
{
    uint64_t count[VL_ORACLE_KINDS];
    elements(count, inputs, mistake);
    if (!vl_bag_set_int(wrong, "input", (int64_t)count[VL_ORACLE_INPUT]) ||
        !vl_bag_set_int(wrong, "probs", (int64_t)count[VL_ORACLE_PROBS]) ||
        !vl_bag_set_int(wrong, "rest", (int64_t)count[VL_ORACLE_REST]))
        return VL_ENOMEM;
    return VL_OK;
}

#define ELEMENT_MISTAKES(family)                                                                   \
    MISTAKE(family, MASKED)                                                                        \
    MISTAKE(family, NO_RMS)                                                                        \
    MISTAKE(family, ONE_NORM)                                                                      \
    MISTAKE(family, QKV_ONCE)                                                                      \
    MISTAKE(family, NO_ACTIVE)                                                                     \
    MISTAKE(family, PROBS_IN_REST)                                                                 \
    MISTAKE(family, INPUT_IN_REST)

ELEMENT_MISTAKES(layer)
MISTAKE(layer, NO_ROWS)
MISTAKE(layer, NO_MID)
MISTAKE(layer, NO_HEADS)
MISTAKE(layer, BYTES_NOT_ELEMENTS)

/* mid and attention are of one size: what is missing may be either. */
#define NARROW                                                                                     \
    N_("One array of N times D is missing: both the attention's output and mid are kept.")
#define HEADS N_("Each head has T times T probabilities of its own.")
#define ROWS_MISSING                                                                               \
    N_("This is for one sequence; the micro-batch has several, and each leaves its own arrays.")
#define ELEMENT_SUSPECTS(family)                                                                   \
    {"probs_halved",                                                                               \
     N_("The probabilities right of the diagonal are counted out, but they take their place, "     \
        "too."),                                                                                   \
     family##_MASKED},                                                                             \
        {"missing_rms", N_("The two arrays 1/rms are missing: one number a token each."),          \
         family##_NO_RMS},                                                                         \
        {"one_norm", N_("There are two norms in a layer, and each leaves 1/rms and normed."),      \
         family##_ONE_NORM},                                                                       \
        {"qkv_once", N_("q, k and v are three arrays of N times D."), family##_QKV_ONCE},          \
        {"missing_wide_array",                                                                     \
         N_("One array of N times F is missing: gate, up and what SwiGLU gives are all kept."),    \
         family##_NO_ACTIVE},                                                                      \
        {"probs_twice", N_("The probabilities are in the rest, too; they count once."),            \
         family##_PROBS_IN_REST},                                                                  \
    {                                                                                              \
        "input_twice", N_("The input is in the rest, too; it counts once."),                       \
            family##_INPUT_IN_REST                                                                 \
    }

const struct vl_suspect vl_suspects_activation_count[] = {
    ELEMENT_SUSPECTS(layer),
    {"missing_array", NARROW, layer_NO_MID},
    {"missing_heads", HEADS, layer_NO_HEADS},
    {"missing_rows", ROWS_MISSING, layer_NO_ROWS},
    {"in_bytes", N_("These are bytes; the question is about elements."), layer_BYTES_NOT_ELEMENTS},
    NO_MORE_SUSPECTS};

/* ---- bytes of a mode ---- */

static uint64_t places(enum vl_oracle_mode mode, enum vl_oracle_kind kind, size_t layers,
                       enum count_mistake mistake)
{
    int selective = mode == VL_ORACLE_SELECTIVE, full = mode == VL_ORACLE_FULL;
    int shared =
        (kind == VL_ORACLE_PROBS && (selective || full)) || (kind == VL_ORACLE_REST && full);
    if (mistake == NOTHING_SHARED)
        shared = 0;
    if (mistake == SELECTIVE_SHARES_REST && selective && kind == VL_ORACLE_REST)
        shared = 1;
    if (full && ((mistake == FULL_KEEPS_PROBS && kind == VL_ORACLE_PROBS) ||
                 (mistake == FULL_KEEPS_REST && kind == VL_ORACLE_REST)))
        shared = 0;
    if (mistake == INPUT_SHARED && full)
        shared = 1;
    if (shared)
        return mistake != NO_SHARED_SLOT;
    return mistake == ONE_LAYER ? 1 : layers;
}

static int64_t bytes_kept(enum vl_oracle_mode mode, const struct vl_bag *inputs,
                          enum count_mistake mistake)
{
    uint64_t count[VL_ORACLE_KINDS], all = 0;
    if (mistake == NOT_SEALED)
        return 0;
    elements(count, inputs, mistake);
    for (int kind = 0; kind < VL_ORACLE_KINDS; kind++)
        all += count[kind] *
               places(mode, (enum vl_oracle_kind)kind, vl_bag_size(inputs, "layers"), mistake);
    return (int64_t)all * (mistake == ELEMENTS_NOT_BYTES ? 1 : mistake == SIXTEEN_BITS ? 2 : 4);
}

static enum vl_status of_modes(struct vl_bag *wrong, const struct vl_bag *inputs, const char *name,
                               enum count_mistake mistake)
{
    if (vl_bag_int(inputs, "bad"))
        return VL_OK;
    int64_t *table = vl_recompute_table(wrong, name, 1, VL_ORACLE_MODES);
    for (int mode = 0; table != NULL && mode < VL_ORACLE_MODES; mode++)
        table[mode] = bytes_kept((enum vl_oracle_mode)mode, inputs, mistake);
    return table != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status bytes(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum count_mistake mistake)
{
    return of_modes(wrong, inputs, "bytes", mistake);
}

static enum vl_status kept(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum count_mistake mistake)
{
    return of_modes(wrong, inputs, "kept_bytes", mistake);
}

static enum vl_status arena(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum count_mistake mistake)
{
    int64_t *table = vl_recompute_table(wrong, "bytes_saved", 1, 2);
    int64_t none = bytes_kept(VL_ORACLE_NONE, inputs, mistake);
    if (table == NULL)
        return VL_ENOMEM;
    table[0] = none - bytes_kept(VL_ORACLE_SELECTIVE, inputs, mistake);
    table[1] = none - bytes_kept(VL_ORACLE_FULL, inputs, mistake);
    return VL_OK;
}

#define SHARING_MISTAKES(family)                                                                   \
    MISTAKE(family, NOTHING_SHARED)                                                                \
    MISTAKE(family, SELECTIVE_SHARES_REST)                                                         \
    MISTAKE(family, FULL_KEEPS_PROBS)                                                              \
    MISTAKE(family, FULL_KEEPS_REST)

SHARING_MISTAKES(kept)
SHARING_MISTAKES(arena)
SHARING_MISTAKES(bytes)
ELEMENT_MISTAKES(bytes)
MISTAKE(bytes, NO_ROWS)
MISTAKE(bytes, NO_MID)
MISTAKE(bytes, NO_HEADS)
MISTAKE(bytes, INPUT_SHARED)
MISTAKE(bytes, ELEMENTS_NOT_BYTES)
MISTAKE(bytes, SIXTEEN_BITS)
MISTAKE(bytes, ONE_LAYER)
MISTAKE(bytes, NO_SHARED_SLOT)

#define NOTHING_IS_SHARED                                                                          \
    N_("Every layer has its own slot in every mode: then nothing is forgotten.")
#define REST_IS_KEPT N_("In mode selective only the probabilities share a slot; the rest is kept.")
#define PROBS_TOO    N_("In mode full the probabilities share a slot, too.")
#define REST_TOO     N_("In mode full the rest shares a slot, too.")
#define ELEMENTS     N_("These are elements; the question is about bytes, 4 an element.")
#define TWO_BYTES    N_("Two bytes an element are counted; here everything is float32: four.")
#define ONE_OF_ALL   N_("This is one layer; every layer has its own input, and other slots.")
#define SLOT_LEFT    N_("The slot that all layers share is missing: it takes its place once.")
#define KEEP_INPUT                                                                                 \
    N_("Every layer keeps its input, even in mode full: without it nothing can be computed "       \
       "again.")

#define SHARING(family)                                                                            \
    {"nothing_shared", NOTHING_IS_SHARED, family##_NOTHING_SHARED},                                \
        {"selective_shares_rest", REST_IS_KEPT, family##_SELECTIVE_SHARES_REST},                   \
        {"full_keeps_probs", PROBS_TOO, family##_FULL_KEEPS_PROBS},                                \
    {                                                                                              \
        "full_keeps_rest", REST_TOO, family##_FULL_KEEPS_REST                                      \
    }

const struct vl_suspect vl_suspects_peak_kept[] = {SHARING(kept), NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_peak_arena[] = {SHARING(arena), NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_recompute_bytes[] = {
    SHARING(bytes),
    {"input_shared", KEEP_INPUT, bytes_INPUT_SHARED},
    {"in_elements", ELEMENTS, bytes_ELEMENTS_NOT_BYTES},
    {"two_bytes", TWO_BYTES, bytes_SIXTEEN_BITS},
    {"one_layer", ONE_OF_ALL, bytes_ONE_LAYER},
    {"missing_shared_slot", SLOT_LEFT, bytes_NO_SHARED_SLOT},
    {"missing_rows", ROWS_MISSING, bytes_NO_ROWS},
    ELEMENT_SUSPECTS(bytes),
    {"missing_array", NARROW, bytes_NO_MID},
    {"missing_heads", HEADS, bytes_NO_HEADS},
    NO_MORE_SUSPECTS};

/* ---- sealed ---- */

static enum vl_status sealed(struct vl_bag *wrong, const struct vl_bag *inputs, const char *name,
                             enum vl_oracle_mode mode, enum count_mistake mistake)
{
    return vl_bag_set_int(wrong, name, bytes_kept(mode, inputs, mistake)) ? VL_OK : VL_ENOMEM;
}

static enum vl_status none(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum count_mistake mistake)
{
    return sealed(wrong, inputs, "none_bytes", VL_ORACLE_NONE, mistake);
}

static enum vl_status selective(struct vl_bag *wrong, const struct vl_bag *inputs,
                                enum count_mistake mistake)
{
    return sealed(wrong, inputs, "selective_bytes", VL_ORACLE_SELECTIVE, mistake);
}

static enum vl_status full(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum count_mistake mistake)
{
    return sealed(wrong, inputs, "full_bytes", VL_ORACLE_FULL, mistake);
}

#define SEALED_MISTAKES(family)                                                                    \
    MISTAKE(family, NOT_SEALED)                                                                    \
    MISTAKE(family, ELEMENTS_NOT_BYTES)                                                            \
    MISTAKE(family, SIXTEEN_BITS)                                                                  \
    MISTAKE(family, NO_ROWS)                                                                       \
    ELEMENT_MISTAKES(family)

SEALED_MISTAKES(none)
SEALED_MISTAKES(selective)
SEALED_MISTAKES(full)
MISTAKE(none, NO_MID)
MISTAKE(none, NO_HEADS)
MISTAKE(selective, NOTHING_SHARED)
MISTAKE(full, FULL_KEEPS_PROBS)
MISTAKE(full, NO_SHARED_SLOT)

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")
#define SEALED(family)                                                                             \
    {"not_sealed", UNSEALED, family##_NOT_SEALED},                                                 \
        {"two_bytes", TWO_BYTES, family##_SIXTEEN_BITS},                                           \
        {"missing_rows", ROWS_MISSING, family##_NO_ROWS}, ELEMENT_SUSPECTS(family)

const struct vl_suspect vl_suspects_predict_none_bytes[] = {
    SEALED(none),
    {"missing_array", NARROW, none_NO_MID},
    {"missing_heads", HEADS, none_NO_HEADS},
    {"missing_factor_four",
     N_("A factor of 4 is missing: there are four layers, and an element has four bytes."),
     none_ELEMENTS_NOT_BYTES},
    NO_MORE_SUSPECTS};
/* With these sizes the shared slot is as large as four arrays of N times D, and the heads beyond
 * the first as three inputs: which of them is missing cannot be told here, but with none it can. */
const struct vl_suspect vl_suspects_predict_selective_bytes[] = {
    SEALED(selective),
    {"in_elements", ELEMENTS, selective_ELEMENTS_NOT_BYTES},
    {"nothing_shared", NOTHING_IS_SHARED, selective_NOTHING_SHARED},
    NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_full_bytes[] = {
    SEALED(full),
    {"in_elements", ELEMENTS, full_ELEMENTS_NOT_BYTES},
    {"full_keeps_probs", PROBS_TOO, full_FULL_KEEPS_PROBS},
    {"missing_shared_slot", SLOT_LEFT, full_NO_SHARED_SLOT},
    NO_MORE_SUSPECTS};
