/*
 * Known wrong answers of lab 07 on paper: bubbles, what lives, and the sealed numbers.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

enum paper_mistake {
    NOT_SEALED,
    /* bubbles */
    OF_TOTAL,
    STAGES_NOT_GAPS, /* p for p - 1 */
    NO_CHUNKS,
    TIMES_CHUNKS,
    ONCE_MORE, /* two thirds: sent on after B */
    ROUNDED,
    UPSIDE_DOWN,
    /* what lives */
    AHEAD_ONLY, /* without the one in work */
    NOT_CAPPED,
    OTHER_END,
    FIRST_STAGE,
    ALL_OF_THEM,
    STAGES,
    TIMES_1F1B, /* v times what 1F1B has */
    ONE_BELOW,  /* one forward for each stage below */
    NO_GROUPS,
    NO_PLAIN, /* one chunk, by the formula of several */
    IN_MICRO_BATCHES,
    /* what is sent */
    ONE_WAY,
    IN_ELEMENTS,
    ONE_MICRO,
    BOTH_SIDES
};

static double bubble(const struct vl_oracle_pipe *pipe, enum paper_mistake mistake)
{
    double p = (double)pipe->stages, v = (double)pipe->chunks, m = (double)pipe->micro_batches,
           right = vl_oracle_bubble(pipe);
    switch (mistake) {
    case NOT_SEALED:
        return 0;
    case OF_TOTAL:
        return right / (1 + right);
    case STAGES_NOT_GAPS:
        return p / (v * m);
    case NO_CHUNKS:
        return (p - 1) / m;
    case TIMES_CHUNKS:
        return v * (p - 1) / m;
    case ONCE_MORE:
        return right * 2 / 3;
    case ROUNDED:
        return (double)(size_t)right;
    case UPSIDE_DOWN:
        return right > 0 ? 1 / right : 0;
    default:
        return right;
    }
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t with_chunks(const struct vl_oracle_pipe *pipe, size_t stage,
                          enum paper_mistake mistake)
{
    size_t p = pipe->stages, v = pipe->chunks, m = pipe->micro_batches,
           below = mistake == OTHER_END     ? stage
                   : mistake == FIRST_STAGE ? p - 1
                                            : p - stage - 1,
           groups = mistake == NO_GROUPS ? 0 : (v - 1) * p,
           ahead = (mistake == ONE_BELOW ? 1 : 2) * below + groups;
    if (mistake == TIMES_1F1B)
        return smaller(v * m, v * (p - stage));
    if (mistake == NOT_CAPPED)
        return ahead + 1;
    return smaller(v * m, mistake == AHEAD_ONLY ? ahead : ahead + 1) /
           (mistake == IN_MICRO_BATCHES ? v : 1);
}

static size_t alive(enum vl_oracle_order order, const struct vl_oracle_pipe *pipe, size_t stage,
                    enum paper_mistake mistake)
{
    size_t p = pipe->stages, m = pipe->micro_batches;
    if (mistake == ALL_OF_THEM)
        return m * pipe->chunks;
    if (mistake == STAGES)
        return p;
    if (order == VL_ORACLE_AFAB)
        return mistake == AHEAD_ONLY ? m - 1 : m;
    if (order == VL_ORACLE_INTERLEAVED && (pipe->chunks > 1 || mistake == NO_PLAIN))
        return with_chunks(pipe, stage, mistake);
    if (order == VL_ORACLE_INTERLEAVED) /* one chunk is handed on to 1F1B, which may be right */
        return smaller(m, p - stage);
    size_t plain = mistake == OTHER_END     ? stage + 1
                   : mistake == FIRST_STAGE ? p
                   : mistake == AHEAD_ONLY  ? p - stage - 1
                                            : p - stage;
    return mistake == NOT_CAPPED ? plain : smaller(m, plain);
}

/* ---- the functions: one row of 'sizes' after the other ---- */

static enum vl_status shares(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum paper_mistake mistake)
{
    const struct vl_tensor_entry *sizes = vl_bag_find(inputs, "sizes");
    double *share = vl_bag_add_f64(wrong, "share", 1, sizes->count / 4);
    for (size_t i = 0; share != NULL && i < sizes->count / 4; i++) {
        const int32_t *row = (const int32_t *)sizes->data + 4 * i;
        const struct vl_oracle_pipe pipe = {(size_t)row[0], (size_t)row[1], (size_t)row[2]};
        share[i] = bubble(&pipe, mistake);
    }
    return share != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status numbers(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum vl_oracle_order order, enum paper_mistake mistake)
{
    const struct vl_tensor_entry *sizes = vl_bag_find(inputs, "sizes");
    int64_t *live = vl_pipe_table(wrong, "live", 1, sizes->count / 4, 0);
    for (size_t i = 0; live != NULL && i < sizes->count / 4; i++) {
        const int32_t *row = (const int32_t *)sizes->data + 4 * i;
        const struct vl_oracle_pipe pipe = {(size_t)row[0], (size_t)row[1], (size_t)row[2]};
        live[i] = (int64_t)alive(order, &pipe, (size_t)row[3], mistake);
    }
    return live != NULL ? VL_OK : VL_ENOMEM;
}

#define LIVE(family, order)                                                                        \
    static enum vl_status family(struct vl_bag *wrong, const struct vl_bag *inputs,                \
                                 enum paper_mistake mistake)                                       \
    {                                                                                              \
        return numbers(wrong, inputs, order, mistake);                                             \
    }
LIVE(live_afab, VL_ORACLE_AFAB)
LIVE(live_1f1b, VL_ORACLE_1F1B)
LIVE(live_interleaved, VL_ORACLE_INTERLEAVED)

MISTAKE(shares, OF_TOTAL)
MISTAKE(shares, STAGES_NOT_GAPS)
MISTAKE(shares, NO_CHUNKS)
MISTAKE(shares, TIMES_CHUNKS)
MISTAKE(shares, ONCE_MORE)
MISTAKE(shares, ROUNDED)
MISTAKE(shares, UPSIDE_DOWN)
MISTAKE(live_afab, AHEAD_ONLY)
MISTAKE(live_afab, STAGES)
MISTAKE(live_1f1b, AHEAD_ONLY)
MISTAKE(live_1f1b, NOT_CAPPED)
MISTAKE(live_1f1b, OTHER_END)
MISTAKE(live_1f1b, FIRST_STAGE)
MISTAKE(live_1f1b, ALL_OF_THEM)
MISTAKE(live_interleaved, AHEAD_ONLY)
MISTAKE(live_interleaved, NOT_CAPPED)
MISTAKE(live_interleaved, OTHER_END)
MISTAKE(live_interleaved, FIRST_STAGE)
MISTAKE(live_interleaved, ALL_OF_THEM)
MISTAKE(live_interleaved, TIMES_1F1B)
MISTAKE(live_interleaved, ONE_BELOW)
MISTAKE(live_interleaved, NO_GROUPS)
MISTAKE(live_interleaved, NO_PLAIN)
MISTAKE(live_interleaved, IN_MICRO_BATCHES)

#define TOTAL                                                                                      \
    N_("This is the share of total time; what is asked for is waiting over work: divide by m, "    \
       "not "                                                                                      \
       "by m + p - 1.")
#define GAPS N_("There is a p where p - 1 belongs: one stage alone waits for nobody.")
#define CHUNKS                                                                                     \
    N_("The chunks do not count: a chunk is a v-th of a stage, and so is what is waited for.")
#define THIRDS                                                                                     \
    N_("A third is missing: here backward is one piece, and goes on to the stage before when "     \
       "both "                                                                                     \
       "of its parts are done.")

const struct vl_suspect vl_suspects_bubble_of_ideal[] = {
    {"of_total_time", TOTAL, shares_OF_TOTAL},
    {"stages_not_gaps", GAPS, shares_STAGES_NOT_GAPS},
    {"chunks_missing", CHUNKS, shares_NO_CHUNKS},
    {"times_chunks", N_("More chunks make the bubble smaller, not larger."), shares_TIMES_CHUNKS},
    {"sent_on_early", THIRDS, shares_ONCE_MORE},
    {"whole_numbers", N_("The division is one of whole numbers: make them double first."),
     shares_ROUNDED},
    {"upside_down", N_("This is work over waiting: the share is waiting over work."),
     shares_UPSIDE_DOWN},
    NO_MORE_SUSPECTS};

#define CURRENT                                                                                    \
    N_("One is missing: besides those that were done ahead, the one in work is alive, too.")
#define CAP   N_("There are not so many micro-batches: it can never be more than all of them.")
#define ENDS  N_("The stages are counted from the wrong end: the first one waits longest.")
#define FIRST N_("This is the number of the first stage: a stage nearer to the end has fewer.")
#define EVERY N_("This is all of them, as in all forward, all backward.")

const struct vl_suspect vl_suspects_live_afab[] = {
    {"current_missing", CURRENT, live_afab_AHEAD_ONLY},
    {"number_of_stages",
     N_("This is the number of stages: before the first backward, all micro-batches are done."),
     live_afab_STAGES},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_live_1f1b[] = {
    {"current_missing", CURRENT, live_1f1b_AHEAD_ONLY},
    {"not_capped", CAP, live_1f1b_NOT_CAPPED},
    {"other_end", ENDS, live_1f1b_OTHER_END},
    {"first_stage", FIRST, live_1f1b_FIRST_STAGE},
    {"all_of_them", EVERY, live_1f1b_ALL_OF_THEM},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_live_interleaved[] = {
    {"current_missing", CURRENT, live_interleaved_AHEAD_ONLY},
    {"not_capped", CAP, live_interleaved_NOT_CAPPED},
    {"other_end", ENDS, live_interleaved_OTHER_END},
    {"first_stage", FIRST, live_interleaved_FIRST_STAGE},
    {"all_of_them", EVERY, live_interleaved_ALL_OF_THEM},
    {"times_1f1b",
     N_("This is v times what 1F1B has: the stages below count twice, and the other chunks with a "
        "group of p each."),
     live_interleaved_TIMES_1F1B},
    {"one_below",
     N_("Each stage below counts once: it makes the first micro-batch come early and the first "
        "gradient late, so it counts twice."),
     live_interleaved_ONE_BELOW},
    {"groups_missing",
     N_("The other chunks are missing: before its first gradient a stage does a group of p on each "
        "of v - 1 chunks."),
     live_interleaved_NO_GROUPS},
    {"one_chunk", N_("With one chunk it is 1F1B, and the stages below count once."),
     live_interleaved_NO_PLAIN},
    {"in_micro_batches", N_("What is asked for is counted in chunks, not in whole micro-batches."),
     live_interleaved_IN_MICRO_BATCHES},
    NO_MORE_SUSPECTS};

/* ---- sealed ---- */

static const struct vl_oracle_pipe chunked = {VL_PIPE_PREDICTED_STAGES, VL_PIPE_PREDICTED_CHUNKS,
                                              VL_PIPE_PREDICTED_MICRO};
static const struct vl_oracle_pipe plain = {VL_PIPE_PREDICTED_STAGES, 1, VL_PIPE_PREDICTED_MICRO};

static enum vl_status kept(int is_kept)
{
    return is_kept ? VL_OK : VL_ENOMEM;
}

static enum vl_status sealed_bubble(struct vl_bag *wrong, const struct vl_bag *inputs,
                                    enum paper_mistake mistake)
{
    (void)inputs;
    return kept(vl_bag_set_real(wrong, "bubble_of_ideal", bubble(&plain, mistake)));
}

static enum vl_status sealed_chunked(struct vl_bag *wrong, const struct vl_bag *inputs,
                                     enum paper_mistake mistake)
{
    (void)inputs;
    return kept(vl_bag_set_real(wrong, "bubble_chunked", bubble(&chunked, mistake)));
}

static enum vl_status sealed_live(struct vl_bag *wrong, const struct vl_bag *inputs,
                                  enum paper_mistake mistake)
{
    (void)inputs;
    return kept(vl_bag_set_int(
        wrong, "live_first",
        mistake == NOT_SEALED ? 0 : (int64_t)alive(VL_ORACLE_1F1B, &plain, 0, mistake)));
}

static enum vl_status sealed_sent(struct vl_bag *wrong, const struct vl_bag *inputs,
                                  enum paper_mistake mistake)
{
    int64_t elements = INT64_C(2) * VL_PIPE_PREDICTED_MICRO * VL_PIPE_PREDICTED_MESSAGE;
    (void)inputs;
    return kept(vl_bag_set_int(wrong, "step_bytes",
                               mistake == NOT_SEALED    ? 0
                               : mistake == ONE_WAY     ? 2 * elements
                               : mistake == IN_ELEMENTS ? elements
                               : mistake == ONE_MICRO   ? 4 * elements / VL_PIPE_PREDICTED_MICRO
                                                        : 8 * elements));
}

MISTAKE(sealed_bubble, NOT_SEALED)
MISTAKE(sealed_bubble, OF_TOTAL)
MISTAKE(sealed_bubble, STAGES_NOT_GAPS)
MISTAKE(sealed_bubble, ONCE_MORE)
MISTAKE(sealed_chunked, NOT_SEALED)
MISTAKE(sealed_chunked, OF_TOTAL)
MISTAKE(sealed_chunked, STAGES_NOT_GAPS)
MISTAKE(sealed_chunked, NO_CHUNKS)
MISTAKE(sealed_chunked, TIMES_CHUNKS)
MISTAKE(sealed_chunked, ONCE_MORE)
MISTAKE(sealed_live, NOT_SEALED)
MISTAKE(sealed_live, AHEAD_ONLY)
MISTAKE(sealed_live, ALL_OF_THEM)
MISTAKE(sealed_sent, NOT_SEALED)
MISTAKE(sealed_sent, ONE_WAY)
MISTAKE(sealed_sent, IN_ELEMENTS)
MISTAKE(sealed_sent, ONE_MICRO)
MISTAKE(sealed_sent, BOTH_SIDES)

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")

const struct vl_suspect vl_suspects_predict_pipe_bubble[] = {
    {"not_sealed", UNSEALED, sealed_bubble_NOT_SEALED},
    {"of_total_time", TOTAL, sealed_bubble_OF_TOTAL},
    {"stages_not_gaps", GAPS, sealed_bubble_STAGES_NOT_GAPS},
    {"sent_on_early", THIRDS, sealed_bubble_ONCE_MORE},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_predict_pipe_chunked[] = {
    {"not_sealed", UNSEALED, sealed_chunked_NOT_SEALED},
    {"of_total_time", TOTAL, sealed_chunked_OF_TOTAL},
    {"stages_not_gaps", GAPS, sealed_chunked_STAGES_NOT_GAPS},
    {"chunks_missing", CHUNKS, sealed_chunked_NO_CHUNKS},
    {"times_chunks", N_("More chunks make the bubble smaller, not larger."),
     sealed_chunked_TIMES_CHUNKS},
    {"sent_on_early", THIRDS, sealed_chunked_ONCE_MORE},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_predict_pipe_live[] = {
    {"not_sealed", UNSEALED, sealed_live_NOT_SEALED},
    {"current_missing", CURRENT, sealed_live_AHEAD_ONLY},
    {"all_of_them", EVERY, sealed_live_ALL_OF_THEM},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_predict_pipe_sent[] = {
    {"not_sealed", UNSEALED, sealed_sent_NOT_SEALED},
    {"one_way_or_half_a_number",
     N_("This is half of it: an inner stage sends activations on and gradients back, and a number "
        "has four bytes."),
     sealed_sent_ONE_WAY},
    {"elements_not_bytes", N_("This counts numbers: each has four bytes."),
     sealed_sent_IN_ELEMENTS},
    {"one_micro_batch", N_("This is what one micro-batch takes: a step has eight."),
     sealed_sent_ONE_MICRO},
    {"both_sides", N_("This is twice as much: what a stage receives has been sent by another."),
     sealed_sent_BOTH_SIDES},
    NO_MORE_SUSPECTS};
