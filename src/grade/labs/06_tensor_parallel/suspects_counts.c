/*
 * Known wrong answers of lab 06 where things are counted: bytes that were sent, and figures on
 * paper.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"

#include <string.h>

#define FLOAT 4

/* ---- what was sent ---- */

enum road { WHOLE_RING, HALF_RING, TWO_RINGS };

/* Elements that a rank sends on the ring: chunks are uneven where the ranks do not divide n. */
static size_t chunk(size_t n, int rank, int ranks)
{
    return n / (size_t)ranks + ((size_t)rank < n % (size_t)ranks);
}

static size_t ring(size_t n, int rank, int ranks, enum road road)
{
    size_t gathered = n - chunk(n, (rank + 1) % ranks, ranks);
    size_t scattered = n - chunk(n, rank, ranks);
    return road == HALF_RING ? gathered : (gathered + scattered) * (road == TWO_RINGS ? 2 : 1);
}

static void sends(struct vl_scope *s, const struct vl_tensor_case *c, const char *name, size_t n,
                  enum road road)
{
    for (int rank = 0; rank < c->ranks; rank++)
        vl_ranked_int(s, name, rank, FLOAT * ring(n, rank, c->ranks, road));
}

enum sent { WITHOUT_NEED, GATHERED_WITHOUT_NEED, ALL_FOR_HALF, SENT_TWICE };

/* An operator's bytes, if this mistake can be made here; where it cannot, nothing is said. */
static enum vl_status sent_by(struct vl_bag *wrong, const struct vl_bag *inputs, const char *name,
                              enum sent mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    size_t n = strcmp(name, "gain_bytes") == 0 ? c.d : c.n * c.d;
    if (mistake == SENT_TWICE || (mistake == ALL_FOR_HALF) == (c.sequence != 0))
        sends(&s, &c, name, n,
              mistake == SENT_TWICE              ? TWO_RINGS
              : mistake == GATHERED_WITHOUT_NEED ? HALF_RING
                                                 : WHOLE_RING);
    return vl_scope_end(&s);
}

#define SENT_BY(family, name)                                                                      \
    static enum vl_status family(struct vl_bag *wrong, const struct vl_bag *inputs,                \
                                 enum sent mistake)                                                \
    {                                                                                              \
        return sent_by(wrong, inputs, name, mistake);                                              \
    }
SENT_BY(enter_forward, "enter_forward_bytes")
SENT_BY(leave_forward, "leave_forward_bytes")
SENT_BY(leave_backward, "leave_backward_bytes")
SENT_BY(enter_backward, "enter_backward_bytes")
SENT_BY(gain, "gain_bytes")
SENT_BY(embedding, "forward_bytes")
SENT_BY(embedding_backward, "backward_bytes")

MISTAKE(enter_forward, WITHOUT_NEED)
MISTAKE(enter_forward, GATHERED_WITHOUT_NEED)
MISTAKE(enter_forward, ALL_FOR_HALF)
MISTAKE(leave_forward, ALL_FOR_HALF)
MISTAKE(leave_forward, SENT_TWICE)
MISTAKE(leave_backward, WITHOUT_NEED)
MISTAKE(leave_backward, GATHERED_WITHOUT_NEED)
MISTAKE(leave_backward, ALL_FOR_HALF)
MISTAKE(enter_backward, ALL_FOR_HALF)
MISTAKE(enter_backward, SENT_TWICE)
MISTAKE(gain, WITHOUT_NEED)
MISTAKE(embedding, ALL_FOR_HALF)
MISTAKE(embedding, SENT_TWICE)
MISTAKE(embedding_backward, WITHOUT_NEED)
MISTAKE(embedding_backward, GATHERED_WITHOUT_NEED)
MISTAKE(embedding_backward, ALL_FOR_HALF)

#define NEEDLESS                                                                                   \
    N_("Something was sent where nothing is needed: without sequence parallelism every rank has "  \
       "this array whole already.")
#define HALF                                                                                       \
    N_("A whole all-reduce was sent where half of one is enough: a reduce-scatter where parts "    \
       "are "                                                                                      \
       "summed, an all-gather where rows are collected.")
#define TWICE N_("The sum travelled twice; once is enough.")

const struct vl_suspect vl_suspects_layer_traffic[] = {
    {"sent_without_need", NEEDLESS, enter_forward_WITHOUT_NEED},
    {"sent_without_need", NEEDLESS, enter_forward_GATHERED_WITHOUT_NEED},
    {"sent_without_need", NEEDLESS, leave_backward_WITHOUT_NEED},
    {"sent_without_need", NEEDLESS, leave_backward_GATHERED_WITHOUT_NEED},
    {"sent_without_need", NEEDLESS, gain_WITHOUT_NEED},
    {"all_reduce_for_half", HALF, enter_forward_ALL_FOR_HALF},
    {"all_reduce_for_half", HALF, leave_forward_ALL_FOR_HALF},
    {"all_reduce_for_half", HALF, leave_backward_ALL_FOR_HALF},
    {"all_reduce_for_half", HALF, enter_backward_ALL_FOR_HALF},
    {"sent_twice", TWICE, leave_forward_SENT_TWICE},
    {"sent_twice", TWICE, enter_backward_SENT_TWICE},
    NO_MORE_SUSPECTS};

/* The whole table went round, or its gradient. */
static enum vl_status table_sent(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 const struct vl_bag *expected)
{
    (void)expected;
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    sends(&s, &c, "forward_bytes", c.vocabulary * c.d, HALF_RING);
    return vl_scope_end(&s);
}

const struct vl_suspect vl_suspects_embedding_traffic[] = {
    {"sent_without_need", NEEDLESS, embedding_backward_WITHOUT_NEED},
    {"sent_without_need", NEEDLESS, embedding_backward_GATHERED_WITHOUT_NEED},
    {"all_reduce_for_half", HALF, embedding_ALL_FOR_HALF},
    {"all_reduce_for_half", HALF, embedding_backward_ALL_FOR_HALF},
    {"sent_twice", TWICE, embedding_SENT_TWICE},
    {"table_gathered",
     N_("The table itself was gathered; only the rows of the tokens need to travel, as one sum."),
     table_sent},
    NO_MORE_SUSPECTS};

/* ---- the cross-entropy ---- */

enum loss_road { LOGITS, LOGITS_TOO, THREE_GATHERED, EVERYTHING_TWICE };

static enum vl_status loss(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum loss_road mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    for (int rank = 0; rank < c.ranks; rank++) {
        size_t maxima = ring(c.n * (size_t)c.ranks, rank, c.ranks, HALF_RING);
        size_t right = maxima + ring(2 * c.n, rank, c.ranks, WHOLE_RING);
        size_t logits = ring(c.n * c.vocabulary, rank, c.ranks, HALF_RING);
        size_t sent = mistake == LOGITS           ? logits
                      : mistake == LOGITS_TOO     ? logits + right
                      : mistake == THREE_GATHERED ? 3 * maxima
                                                  : 2 * right;
        vl_ranked_int(&s, "sent_bytes", rank, FLOAT * sent);
    }
    return vl_scope_end(&s);
}

MISTAKE(loss, LOGITS)
MISTAKE(loss, LOGITS_TOO)
MISTAKE(loss, THREE_GATHERED)
MISTAKE(loss, EVERYTHING_TWICE)

#define NO_LOGITS                                                                                  \
    N_("The logits themselves were gathered: V numbers a token, where its maximum, its sum and "   \
       "the target's logit are enough.")

const struct vl_suspect vl_suspects_cross_entropy_traffic[] = {
    {"logits_gathered", NO_LOGITS, loss_LOGITS},
    {"logits_gathered", NO_LOGITS, loss_LOGITS_TOO},
    {"sums_gathered",
     N_("Sums and targets were gathered like the maxima; what is only needed as a sum travels as a "
        "sum, with an all-reduce."),
     loss_THREE_GATHERED},
    {"sent_twice", TWICE, loss_EVERYTHING_TWICE},
    NO_MORE_SUSPECTS};

/* ---- on paper ---- */

enum figure_mistake {
    NOT_SEALED,
    ENDS_FORGOTTEN,
    ONE_END,
    FORWARD_ONLY,
    ONE_A_HALF,
    HALVES,
    ELEMENTS,
    WITHOUT_OWN,
    ONE_WAY,
    NO_LOSS,
    ROWS_ALONE,
    GAINS_SHARED,
    NOTHING_SHARED,
    ENDS_WHOLE
};

static double sums(double layers, enum figure_mistake mistake)
{
    switch (mistake) {
    case ENDS_FORGOTTEN:
        return 4 * layers;
    case ONE_END:
        return 4 * layers + 1;
    case FORWARD_ONLY:
        return 2 * layers + 1;
    case ONE_A_HALF:
        return 2 * layers + 2;
    case HALVES:
        return 8 * layers + 4;
    default:
        return 4 * layers + 2;
    }
}

static double layers_of(const struct vl_bag *inputs, size_t i)
{
    return vl_bag_i32(inputs, "layers")[i];
}

static double size_of(const struct vl_bag *inputs, const char *name)
{
    return (double)vl_bag_int(inputs, name);
}

static double bytes(const struct vl_bag *inputs, size_t i, enum figure_mistake mistake)
{
    double t = size_of(inputs, "ranks"), n = size_of(inputs, "rows");
    double ring_share = (mistake == ONE_WAY ? 1 : 2) * (mistake == WITHOUT_OWN ? 1 : (t - 1) / t);
    if (mistake != ROWS_ALONE)
        n *= size_of(inputs, "length");
    double elements =
        sums(layers_of(inputs, i), mistake) * ring_share * n * size_of(inputs, "width");
    if (mistake != NO_LOSS)
        elements += (t - 1) * n + ring_share * 2 * n;
    return mistake == ELEMENTS ? elements : FLOAT * elements;
}

static double weights(const struct vl_bag *inputs, enum figure_mistake mistake)
{
    double d = size_of(inputs, "width"), layers = layers_of(inputs, 0);
    double gains = (2 * layers + 1) * d, ends = 2 * size_of(inputs, "vocabulary") * d;
    double matrices = layers * (4 * d * d + 3 * size_of(inputs, "ff") * d);
    double t = mistake == NOTHING_SHARED ? 1 : size_of(inputs, "ranks");
    double held = matrices / t + ends / (mistake == ENDS_WHOLE ? 1 : t) +
                  gains / (mistake == GAINS_SHARED ? t : 1);
    return mistake == ELEMENTS ? held : FLOAT * held;
}

static enum vl_status counts(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum figure_mistake mistake)
{
    int64_t *answer = vl_bag_add(wrong, "counts", VL_I64, 2, (size_t[]){1, VL_TENSOR_FIGURES});
    for (size_t i = 0; answer != NULL && i < VL_TENSOR_FIGURES; i++)
        answer[i] = (int64_t)sums(layers_of(inputs, i), mistake);
    return answer != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status sent_bytes(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 enum figure_mistake mistake)
{
    double *answer = vl_bag_add_f64(wrong, "bytes", 1, VL_TENSOR_FIGURES);
    for (size_t i = 0; answer != NULL && i < VL_TENSOR_FIGURES; i++)
        answer[i] = bytes(inputs, i, mistake);
    return answer != NULL ? VL_OK : VL_ENOMEM;
}

/* Before a number is sealed it is zero. */
static enum vl_status sealed(struct vl_bag *wrong, const char *name, double number)
{
    return vl_bag_set_int(wrong, name, (int64_t)number) ? VL_OK : VL_ENOMEM;
}

static enum vl_status sealed_sums(struct vl_bag *wrong, const struct vl_bag *inputs,
                                  enum figure_mistake mistake)
{
    return sealed(wrong, "all_reduces",
                  mistake == NOT_SEALED ? 0 : sums(layers_of(inputs, 0), mistake));
}

static enum vl_status sealed_bytes(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   enum figure_mistake mistake)
{
    return sealed(wrong, "predicted_bytes", mistake == NOT_SEALED ? 0 : bytes(inputs, 0, mistake));
}

static enum vl_status sealed_weights(struct vl_bag *wrong, const struct vl_bag *inputs,
                                     enum figure_mistake mistake)
{
    return sealed(wrong, "weights_bytes", mistake == NOT_SEALED ? 0 : weights(inputs, mistake));
}

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")
#define COUNTED  N_("These are elements; the question is about bytes, 4 an element.")
#define ENDS     N_("Both ends are missing: the embedding is left in forward, the head entered.")
#define AN_END                                                                                     \
    N_("One end of the model is missing: the embedding is left in forward, the head is entered "   \
       "in "                                                                                       \
       "backward.")
#define FORWARD N_("This is forward alone; backward has as many sums, at the opposite operators.")
#define A_HALF                                                                                     \
    N_("A layer has two halves, attention and feed-forward, and each is entered and left: four "   \
       "sums in forward and backward.")
#define BOTH_ENDS                                                                                  \
    N_("Each operator was counted in both directions; of enter and leave, each sums in one of "    \
       "them.")
#define SHARE                                                                                      \
    N_("A factor (t-1)/t is missing: on a ring a rank sends all but one of t chunks, not all.")
#define RING N_("An all-reduce goes round twice: once to sum the chunks, once to hand them out.")
#define LOSS N_("What the cross-entropy sends is missing: three numbers a token.")
#define ROWS N_("A token is counted as a row: N is rows times tokens in a row.")

#define SUM_MISTAKES(family)                                                                       \
    MISTAKE(family, ENDS_FORGOTTEN)                                                                \
    MISTAKE(family, ONE_END)                                                                       \
    MISTAKE(family, FORWARD_ONLY) MISTAKE(family, ONE_A_HALF) MISTAKE(family, HALVES)
#define SUM_SUSPECTS(family)                                                                       \
    {"ends_forgotten", ENDS, family##_ENDS_FORGOTTEN}, {"one_end", AN_END, family##_ONE_END},      \
        {"forward_only", FORWARD, family##_FORWARD_ONLY},                                          \
        {"one_sum_a_layer", A_HALF, family##_ONE_A_HALF},                                          \
    {                                                                                              \
        "both_directions", BOTH_ENDS, family##_HALVES                                              \
    }
#define BYTE_MISTAKES(family)                                                                      \
    SUM_MISTAKES(family)                                                                           \
    MISTAKE(family, ELEMENTS)                                                                      \
    MISTAKE(family, WITHOUT_OWN)                                                                   \
    MISTAKE(family, ONE_WAY) MISTAKE(family, NO_LOSS) MISTAKE(family, ROWS_ALONE)
#define BYTE_SUSPECTS(family)                                                                      \
    SUM_SUSPECTS(family), {"in_elements", COUNTED, family##_ELEMENTS},                             \
        {"missing_share", SHARE, family##_WITHOUT_OWN}, {"half_a_ring", RING, family##_ONE_WAY},   \
        {"loss_forgotten", LOSS, family##_NO_LOSS},                                                \
    {                                                                                              \
        "rows_for_tokens", ROWS, family##_ROWS_ALONE                                               \
    }

SUM_MISTAKES(counts)
BYTE_MISTAKES(sent_bytes)
SUM_MISTAKES(sealed_sums)
MISTAKE(sealed_sums, NOT_SEALED)
BYTE_MISTAKES(sealed_bytes)
MISTAKE(sealed_bytes, NOT_SEALED)
MISTAKE(sealed_weights, NOT_SEALED)
MISTAKE(sealed_weights, ELEMENTS)
MISTAKE(sealed_weights, GAINS_SHARED)
MISTAKE(sealed_weights, NOTHING_SHARED)
MISTAKE(sealed_weights, ENDS_WHOLE)

const struct vl_suspect vl_suspects_tensor_all_reduces[] = {SUM_SUSPECTS(counts), NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_tensor_sent_bytes[] = {BYTE_SUSPECTS(sent_bytes),
                                                           NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_all_reduces[] = {
    {"not_sealed", UNSEALED, sealed_sums_NOT_SEALED}, SUM_SUSPECTS(sealed_sums), NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_tensor_bytes[] = {
    {"not_sealed", UNSEALED, sealed_bytes_NOT_SEALED},
    BYTE_SUSPECTS(sealed_bytes),
    NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_weights_bytes[] = {
    {"not_sealed", UNSEALED, sealed_weights_NOT_SEALED},
    {"in_elements", COUNTED, sealed_weights_ELEMENTS},
    {"gains_shared",
     N_("The gains are shared out too; every rank keeps them whole, as it normalises whole rows."),
     sealed_weights_GAINS_SHARED},
    {"not_divided", N_("Nothing is divided by t: these are the weights of the whole model."),
     sealed_weights_NOTHING_SHARED},
    {"ends_whole", N_("Embedding and head are counted whole; each rank has V/t rows of both."),
     sealed_weights_ENDS_WHOLE},
    NO_MORE_SUSPECTS};
