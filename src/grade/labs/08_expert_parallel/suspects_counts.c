/*
 * Known wrong answers of lab 08 where things are counted: bytes that were sent, and figures on
 * paper.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

#define FLOAT 4
#define COUNT 8

/* ---- what was sent ---- */

enum sent {
    COUNTS_TO_ALL,
    HALF_COUNTS,
    TOTALS_TOO,
    TOKENS_TO_ALL,
    CHOICES_TO_ALL,
    PADDED,
    COUNTS_AGAIN,
    WEIGHTS_TOO
};

static size_t others(const struct vl_expert_case *c)
{
    return (size_t)c->ranks - 1;
}

static enum vl_status plan(struct vl_bag *wrong, const struct vl_bag *inputs, enum sent mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_expert_case c = vl_expert_case_read(inputs);
    size_t counts = mistake == COUNTS_TO_ALL ? c.experts
                    : mistake == TOTALS_TOO  ? c.own + 1
                                             : c.own;
    for (int rank = 0; rank < c.ranks; rank++)
        vl_ranked_int(&s, "sent_bytes", rank,
                      others(&c) * counts * (mistake == HALF_COUNTS ? COUNT / 2 : COUNT));
    return vl_scope_end(&s);
}

MISTAKE(plan, COUNTS_TO_ALL)
MISTAKE(plan, HALF_COUNTS)
MISTAKE(plan, TOTALS_TOO)

const struct vl_suspect vl_suspects_plan_traffic[] = {
    {"counts_to_everybody",
     N_("Every rank was sent all E counts; it needs only those of its own experts, E/P of them."),
     plan_COUNTS_TO_ALL},
    {"narrow_counts",
     N_("Counts of 4 bytes were sent; the contract has them as size_t, 8 bytes each."),
     plan_HALF_COUNTS},
    {"totals_too",
     N_("A number more than E/P was sent to each rank: the sum follows from the counts."),
     plan_TOTALS_TOO},
    NO_MORE_SUSPECTS};

/* Rows of the largest piece that goes from one rank to another. */
static size_t largest_piece(const struct vl_expert_case *c)
{
    size_t most = 0;
    for (int pair = 0; pair < c->ranks * c->ranks; pair++) {
        size_t rows = 0;
        for (size_t i = 0; i < c->rows; i++)
            rows += vl_expert_rank_of(c, i) == pair / c->ranks &&
                    (int)((size_t)c->choices[i] / c->own) == pair % c->ranks;
        most = pair / c->ranks != pair % c->ranks && rows > most ? rows : most;
    }
    return most;
}

/* Rows that a rank sends on the way there, or back. */
static size_t leaving(const struct vl_expert_case *c, int rank, int there)
{
    size_t rows = 0;
    for (size_t i = 0; i < c->rows; i++) {
        int from = vl_expert_rank_of(c, i), to = (int)((size_t)c->choices[i] / c->own);
        rows += from != to && (there ? from : to) == rank;
    }
    return rows;
}

static size_t bytes_sent(const struct vl_expert_case *c, int rank, int there, enum sent mistake)
{
    size_t row = c->width * FLOAT, tokens = (size_t)c->own_tokens[rank],
           right = leaving(c, rank, there);
    switch (mistake) {
    case TOKENS_TO_ALL:
        return others(c) * tokens * row;
    case CHOICES_TO_ALL:
        return others(c) * tokens * c->chosen * row;
    case PADDED:
        return others(c) * largest_piece(c) * row;
    case COUNTS_AGAIN:
        return right * row + others(c) * c->own * COUNT;
    default:
        return right * (row + FLOAT);
    }
}

static enum vl_status sent(struct vl_bag *wrong, const struct vl_bag *inputs, const char *name,
                           int there, enum sent mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_expert_case c = vl_expert_case_read(inputs);
    for (int rank = 0; rank < c.ranks; rank++)
        vl_ranked_int(&s, name, rank, bytes_sent(&c, rank, there, mistake));
    return vl_scope_end(&s);
}

#define SENT(family, name, there)                                                                  \
    static enum vl_status family(struct vl_bag *wrong, const struct vl_bag *inputs,                \
                                 enum sent mistake)                                                \
    {                                                                                              \
        return sent(wrong, inputs, name, there, mistake);                                          \
    }
SENT(dispatch, "forward_bytes", 1)
SENT(dispatch_back, "backward_bytes", 0)
SENT(combine, "forward_bytes", 0)
SENT(combine_back, "backward_bytes", 1)

#define SENT_MISTAKES(family) MISTAKE(family, PADDED) MISTAKE(family, COUNTS_AGAIN)
SENT_MISTAKES(dispatch)
SENT_MISTAKES(dispatch_back)
SENT_MISTAKES(combine)
SENT_MISTAKES(combine_back)
MISTAKE(dispatch, TOKENS_TO_ALL)
MISTAKE(dispatch, CHOICES_TO_ALL)
MISTAKE(combine_back, TOKENS_TO_ALL)
MISTAKE(combine_back, CHOICES_TO_ALL)
MISTAKE(combine_back, WEIGHTS_TOO)

#define EVEN_PIECES                                                                                \
    N_("All pieces have the size of the largest one; pieces are uneven here, and nothing is "      \
       "padded.")
#define KNOWN_COUNTS                                                                               \
    N_("The counts travelled again; the plan has them, and they hold for all four journeys.")
#define EVERYWHERE                                                                                 \
    N_("Everything was sent to every rank; a choice goes only to the rank that has its expert.")

/* A message for every rank, though some have nothing to say. */
static enum vl_status empty_ones(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 const struct vl_bag *expected)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_expert_case c = vl_expert_case_read(inputs);
    (void)expected;
    for (int rank = 0; rank < c.ranks; rank++)
        vl_ranked_int(&s, "forward_messages", rank, others(&c));
    return vl_scope_end(&s);
}

#define COMMON(way)                                                                                \
    {"padded", EVEN_PIECES, way##_PADDED}, {"padded", EVEN_PIECES, way##_back_PADDED},             \
        {"counts_again", KNOWN_COUNTS, way##_COUNTS_AGAIN},                                        \
        {"counts_again", KNOWN_COUNTS, way##_back_COUNTS_AGAIN},                                   \
    {                                                                                              \
        "empty_messages",                                                                          \
            N_("A rank for which there is nothing was sent an empty message; the other side "      \
               "knows "                                                                            \
               "from the counts that nothing comes."),                                             \
            empty_ones                                                                             \
    }

const struct vl_suspect vl_suspects_dispatch_traffic[] = {
    {"sent_everywhere", EVERYWHERE, dispatch_TOKENS_TO_ALL},
    {"sent_everywhere", EVERYWHERE, dispatch_CHOICES_TO_ALL},
    COMMON(dispatch),
    NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_combine_traffic[] = {
    {"sent_everywhere", EVERYWHERE, combine_back_TOKENS_TO_ALL},
    {"sent_everywhere", EVERYWHERE, combine_back_CHOICES_TO_ALL},
    {"weights_sent",
     N_("A weight travelled with each row; weights are applied where the token is."),
     combine_back_WEIGHTS_TOO},
    COMMON(combine),
    NO_MORE_SUSPECTS};

/* ---- on paper ---- */

enum figure {
    NOT_SEALED,
    NO_COUNTS,
    FORWARD_ONLY,
    BACKWARD_TOO_LITTLE,
    HOME_TOO,
    ONE_CHOICE,
    ELEMENTS,
    NARROW,
    NO_ROUTER,
    NO_SHARED,
    TWO_MATRICES,
    OF_ONE_RANK,
    EVERY_EXPERT
};

static double size_of(const struct vl_bag *inputs, const char *name)
{
    return (double)vl_bag_int(inputs, name);
}

static double bytes(const struct vl_bag *inputs, size_t i, enum figure mistake)
{
    double p = size_of(inputs, "ranks"), away = mistake == HOME_TOO ? 1 : (p - 1) / p;
    double k = mistake == ONE_CHOICE ? 1 : size_of(inputs, "chosen");
    double journeys = mistake == FORWARD_ONLY ? 2 : mistake == BACKWARD_TOO_LITTLE ? 3 : 4;
    double rows =
        journeys * (double)vl_bag_i32(inputs, "tokens_of")[i] * k * away * size_of(inputs, "width");
    double counts = mistake == NO_COUNTS ? 0 : size_of(inputs, "experts") * away;
    return rows * (mistake == ELEMENTS ? 1 : FLOAT) + counts * (mistake == NARROW ? FLOAT : COUNT);
}

static double parameters(const struct vl_bag *inputs, double met, enum figure mistake)
{
    double d = size_of(inputs, "width"), e = size_of(inputs, "experts");
    double expert = (mistake == TWO_MATRICES ? 2 : 3) * d * size_of(inputs, "ff");
    double shared = mistake == NO_SHARED ? 0 : size_of(inputs, "shared");
    if (mistake == OF_ONE_RANK)
        met /= size_of(inputs, "ranks");
    return (mistake == NO_ROUTER ? 0 : e * d) + (shared + met) * expert;
}

static enum vl_status sent_bytes(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 enum figure mistake)
{
    double *answer = vl_bag_add_f64(wrong, "bytes", 1, VL_EXPERT_FIGURES);
    for (size_t i = 0; answer != NULL && i < VL_EXPERT_FIGURES; i++)
        answer[i] = bytes(inputs, i, mistake);
    return answer != NULL ? VL_OK : VL_ENOMEM;
}

/* Before a number is sealed it is zero. */
static enum vl_status sealed(struct vl_bag *wrong, const char *name, double number,
                             enum figure mistake)
{
    return vl_bag_set_int(wrong, name, mistake == NOT_SEALED ? 0 : (int64_t)number) ? VL_OK
                                                                                    : VL_ENOMEM;
}

static enum vl_status sealed_bytes(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   enum figure mistake)
{
    return sealed(wrong, "predicted_bytes", bytes(inputs, 0, mistake), mistake);
}

static enum vl_status sealed_all(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 enum figure mistake)
{
    return sealed(wrong, "parameters", parameters(inputs, size_of(inputs, "experts"), mistake),
                  mistake);
}

static enum vl_status sealed_active(struct vl_bag *wrong, const struct vl_bag *inputs,
                                    enum figure mistake)
{
    double met = size_of(inputs, mistake == EVERY_EXPERT ? "experts" : "chosen");
    return sealed(wrong, "active_parameters", parameters(inputs, met, mistake), mistake);
}

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")

/* With k = 2, forward alone is as much as one choice a token: told apart only where k is not. */
#define BYTE_MISTAKES(family)                                                                      \
    MISTAKE(family, NO_COUNTS)                                                                     \
    MISTAKE(family, FORWARD_ONLY)                                                                  \
    MISTAKE(family, BACKWARD_TOO_LITTLE)                                                           \
    MISTAKE(family, HOME_TOO)                                                                      \
    MISTAKE(family, ELEMENTS) MISTAKE(family, NARROW)
#define BYTE_SUSPECTS(family)                                                                      \
    {"counts_forgotten",                                                                           \
     N_("The counts are missing: the plan sends 8 bytes for every expert that lives elsewhere."),  \
     family##_NO_COUNTS},                                                                          \
        {"journey_forgotten",                                                                      \
         N_("A journey is missing: x and out forward, dy and the gradient of x backward, four."),  \
         family##_BACKWARD_TOO_LITTLE},                                                            \
        {"stay_at_home",                                                                           \
         N_("A factor (P-1)/P is missing: spread evenly, one choice in P stays on its rank."),     \
         family##_HOME_TOO},                                                                       \
        {"in_elements", N_("The rows are counted in elements; a float has 4 bytes."),              \
         family##_ELEMENTS},                                                                       \
    {                                                                                              \
        "narrow_counts", N_("A count has 8 bytes, not 4."), family##_NARROW                        \
    }

BYTE_MISTAKES(sent_bytes)
MISTAKE(sent_bytes, ONE_CHOICE)
BYTE_MISTAKES(sealed_bytes)
MISTAKE(sealed_bytes, NOT_SEALED)

MISTAKE(sealed_all, NOT_SEALED)
MISTAKE(sealed_all, NO_ROUTER)
MISTAKE(sealed_all, NO_SHARED)
MISTAKE(sealed_all, TWO_MATRICES)
MISTAKE(sealed_all, OF_ONE_RANK)
MISTAKE(sealed_active, NOT_SEALED)
MISTAKE(sealed_active, NO_ROUTER)
MISTAKE(sealed_active, NO_SHARED)
MISTAKE(sealed_active, EVERY_EXPERT)

#define ROUTER_MISSING N_("The router is missing: a matrix (E,D), which every token meets.")

const struct vl_suspect vl_suspects_expert_sent_bytes[] = {
    BYTE_SUSPECTS(sent_bytes),
    {"forward_only", N_("This is forward alone; in backward as much travels again."),
     sent_bytes_FORWARD_ONLY},
    {"one_choice_a_token", N_("Each token was counted once; it travels to each of its k experts."),
     sent_bytes_ONE_CHOICE},
    NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_expert_bytes[] = {
    {"not_sealed", UNSEALED, sealed_bytes_NOT_SEALED},
    BYTE_SUSPECTS(sealed_bytes),
    {"half_of_the_rows",
     N_("This is half of the rows: either backward is missing, or each token was counted once and "
        "not for each of its two experts."),
     sealed_bytes_FORWARD_ONLY},
    NO_MORE_SUSPECTS};
const struct vl_suspect vl_suspects_predict_expert_parameters[] = {
    {"not_sealed", UNSEALED, sealed_all_NOT_SEALED},
    {"router_forgotten", ROUTER_MISSING, sealed_all_NO_ROUTER},
    {"shared_expert_forgotten",
     N_("The shared expert is missing; every token meets it, besides its k."),
     sealed_all_NO_SHARED},
    {"two_matrices",
     N_("An expert has three matrices: gate and up, which stand together, and down."),
     sealed_all_TWO_MATRICES},
    {"of_one_rank", N_("These are the parameters of one rank; the question is about the layer."),
     sealed_all_OF_ONE_RANK},
    NO_MORE_SUSPECTS};
/* Three experts of two matrices are as much as two of three. */
const struct vl_suspect vl_suspects_predict_active_parameters[] = {
    {"not_sealed", UNSEALED, sealed_active_NOT_SEALED},
    {"router_forgotten", ROUTER_MISSING, sealed_active_NO_ROUTER},
    {"two_thirds_of_the_experts",
     N_("A third of the experts' part is missing: a token meets its two and the shared one, and "
        "each has three matrices, gate, up and down."),
     sealed_active_NO_SHARED},
    {"every_expert", N_("All experts are counted; a token meets k of them, and the shared one."),
     sealed_active_EVERY_EXPERT},
    NO_MORE_SUSPECTS};
