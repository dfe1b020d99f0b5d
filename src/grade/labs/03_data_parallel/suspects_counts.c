/*
 * Known wrong answers of lab 03: what is counted, and the prediction.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/03_data_parallel/data_parallel.h"
#include "oracle/replicas.h"

/* ---- one reduction ---- */

enum traffic_mistake { SENT_NOTHING, SENT_TWICE, EVERYTHING_TO_ALL };

static enum vl_status traffic(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum traffic_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    int ranks = vl_replicas_of(inputs);
    size_t n = vl_scope_size(&s, "n");
    for (int r = 0; r < ranks; r++) {
        size_t sent, received;
        vl_oracle_ring(&sent, &received, n, r, ranks);
        if (mistake == EVERYTHING_TO_ALL)
            sent = n * (size_t)(ranks - 1);
        sent *= mistake == SENT_TWICE ? 2 : mistake != SENT_NOTHING;
        vl_ranked_int(&s, "sent_bytes", r, sent * sizeof(float));
    }
    return vl_scope_end(&s);
}

MISTAKE(traffic, SENT_NOTHING)
MISTAKE(traffic, SENT_TWICE)
MISTAKE(traffic, EVERYTHING_TO_ALL)

const struct vl_suspect vl_suspects_reduce_traffic[] = {
    {"nothing_sent", N_("Nothing was sent."), traffic_SENT_NOTHING},
    {"reduced_twice", N_("Everything was sent twice: one all-reduce is enough."),
     traffic_SENT_TWICE},
    {"everything_to_all",
     N_("Every replica sends all its gradients to every other: a ring sends less than twice of "
        "them, however many replicas there are."),
     traffic_EVERYTHING_TO_ALL},
    NO_MORE_SUSPECTS};

/* ---- one reduction a step ---- */

enum accumulation_mistake { EVERY_MICRO_BATCH };

static enum vl_status accumulation(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   enum accumulation_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    (void)mistake;
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        size_t micro = (size_t)vl_bag_i32(inputs, "micro")[r], once = vl_step_bytes(inputs, r);
        vl_ranked_int(&s, "bytes_one", r, once);
        vl_ranked_int(&s, "bytes_accumulated", r, micro * once);
    }
    return vl_scope_end(&s);
}

MISTAKE(accumulation, EVERY_MICRO_BATCH)

const struct vl_suspect vl_suspects_accumulation_traffic[] = {
    {"reduced_every_micro_batch",
     N_("Gradients travel after each micro-batch: they are added up and travel once a step."),
     accumulation_EVERY_MICRO_BATCH},
    NO_MORE_SUSPECTS};

/* ---- in time ---- */

enum overlap_mistake { NONE_IN_TIME, ONE_LATE };

static enum vl_status overlap(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum overlap_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    (void)mistake;
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        double *share = vl_ranked_out(&s, "started_share", r, 1, 1);
        if (share)
            *share = 0;
    }
    return vl_scope_end(&s);
}

MISTAKE(overlap, NONE_IN_TIME)

const struct vl_suspect vl_suspects_overlap[] = {
    {"no_overlap",
     N_("Nothing is under way when backward ends: with 'overlap' the hooks hang in the learner "
        "during the last backward, and each full bucket starts at once."),
     overlap_NONE_IN_TIME},
    NO_MORE_SUSPECTS};

/* Without 'overlap' bytes travelled all the same: how many depends on chance. */
static enum vl_status in_flat(struct vl_bag *wrong, const struct vl_bag *inputs,
                              enum overlap_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    (void)mistake;
    for (int r = 0; r < vl_replicas_of(inputs); r++)
        vl_ranked_int(&s, "bytes_before_end", r, vl_step_bytes(inputs, r));
    return vl_scope_end(&s);
}

MISTAKE(in_flat, ONE_LATE)

const struct vl_suspect vl_suspects_flat[] = {
    {"reduced_in_backward",
     N_("Everything has travelled before backward ended: without 'overlap' it is sent after."),
     in_flat_ONE_LATE},
    NO_MORE_SUSPECTS};

/* ---- buckets ---- */

enum size_mistake { ALL_LIKE_UNITS, ALL_IN_ONE };

static enum vl_status sizes(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum size_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    for (int r = 0; r < vl_replicas_of(inputs); r++) {
        int64_t *messages = vl_ranked_whole(&s, "messages", r, 1, VL_BUCKET_SIZES);
        size_t like = mistake == ALL_LIKE_UNITS ? 0 : VL_BUCKET_SIZES - 1;
        for (size_t i = 0; messages && i < VL_BUCKET_SIZES; i++)
            messages[i] = (int64_t)vl_bucket_messages(inputs, like);
    }
    return vl_scope_end(&s);
}

MISTAKE(sizes, ALL_LIKE_UNITS)
MISTAKE(sizes, ALL_IN_ONE)

const struct vl_suspect vl_suspects_bucket_traffic[] = {
    {"bucket_bytes_ignored",
     N_("Larger buckets do not save messages here: every unit is sent by itself."),
     sizes_ALL_LIKE_UNITS},
    {"one_bucket", N_("Everything goes in one bucket, whatever bucket_bytes says."),
     sizes_ALL_IN_ONE},
    NO_MORE_SUSPECTS};

/* ---- the prediction ---- */

#define UNSEALED N_("Not sealed yet: write down your number in predict.c.")

enum sealed_mistake {
    NOT_SEALED,
    HALF_THE_RING,
    ALL_PARTS,
    IN_ELEMENTS,
    ALL_RANKS,
    PARAMETERS_ONCE,
    TIMES_MICRO,
    A_MICRO_BATCH
};

static double bytes(const struct vl_predicted *p, enum sealed_mistake mistake)
{
    double part = (p->ranks - 1) / p->ranks, all = 2 * part * p->all * sizeof(float);
    switch (mistake) {
    case NOT_SEALED:
        return 0;
    case HALF_THE_RING:
        return all / 2;
    case ALL_PARTS:
        return all / part;
    case IN_ELEMENTS:
        return all / sizeof(float);
    case ALL_RANKS:
        return all * p->ranks;
    case PARAMETERS_ONCE:
        return p->all * sizeof(float);
    case TIMES_MICRO:
        return all * p->micro_batches;
    case A_MICRO_BATCH:
        break;
    }
    return all / p->micro_batches;
}

static enum vl_status sealed_bytes(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   const char *name, enum sealed_mistake mistake)
{
    struct vl_predicted p;
    enum vl_status status = vl_predicted_case(&p, inputs);
    if (status == VL_OK && !vl_bag_set_int(wrong, name, (int64_t)bytes(&p, mistake)))
        status = VL_ENOMEM;
    return status;
}

static enum vl_status sent(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum sealed_mistake mistake)
{
    return sealed_bytes(wrong, inputs, "predicted_bytes", mistake);
}

MISTAKE(sent, NOT_SEALED)
MISTAKE(sent, HALF_THE_RING)
MISTAKE(sent, ALL_PARTS)
MISTAKE(sent, IN_ELEMENTS)
MISTAKE(sent, ALL_RANKS)
MISTAKE(sent, PARAMETERS_ONCE)
MISTAKE(sent, TIMES_MICRO)

static enum vl_status accumulated(struct vl_bag *wrong, const struct vl_bag *inputs,
                                  enum sealed_mistake mistake)
{
    return sealed_bytes(wrong, inputs, "predicted_accumulated", mistake);
}

MISTAKE(accumulated, NOT_SEALED)
MISTAKE(accumulated, HALF_THE_RING)
MISTAKE(accumulated, ALL_PARTS)
MISTAKE(accumulated, IN_ELEMENTS)
MISTAKE(accumulated, ALL_RANKS)
MISTAKE(accumulated, TIMES_MICRO)
MISTAKE(accumulated, A_MICRO_BATCH)

#define HALF                                                                                       \
    N_("This is half of the way round: a ring all-reduce is a reduce-scatter and an all-gather.")
#define PARTS    N_("A rank sends P-1 of P parts in each half of the ring; its last step needs none.")
#define ELEMENTS N_("These are elements; a float32 has four bytes.")
#define RANKS    N_("All ranks together send this; the question is about one.")

const struct vl_suspect vl_suspects_predict_sent[] = {
    {"not_sealed", UNSEALED, sent_NOT_SEALED},
    {"half_the_ring", HALF, sent_HALF_THE_RING},
    {"all_parts", PARTS, sent_ALL_PARTS},
    {"elements_as_bytes", ELEMENTS, sent_IN_ELEMENTS},
    {"all_ranks", RANKS, sent_ALL_RANKS},
    {"gradients_once", N_("These are the gradients themselves; a ring sends them almost twice."),
     sent_PARAMETERS_ONCE},
    {"times_micro_batches", N_("There is one reduction a step."), sent_TIMES_MICRO},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_predict_accumulated[] = {
    {"not_sealed", UNSEALED, accumulated_NOT_SEALED},
    {"half_the_ring", HALF, accumulated_HALF_THE_RING},
    {"all_parts", PARTS, accumulated_ALL_PARTS},
    {"elements_as_bytes", ELEMENTS, accumulated_IN_ELEMENTS},
    {"all_ranks", RANKS, accumulated_ALL_RANKS},
    {"times_micro_batches",
     N_("This has a reduction a micro-batch; gradients are added up and travel once a step."),
     accumulated_TIMES_MICRO},
    {"a_micro_batch", N_("This is a micro-batch's part; the question is about the step."),
     accumulated_A_MICRO_BATCH},
    NO_MORE_SUSPECTS};

enum hidden_mistake { UNSEALED_SHARE, EXPOSED, EVERYTHING, SHARE_OF_UNITS, LAYERS_ALONE };

static enum vl_status hidden(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum hidden_mistake mistake)
{
    struct vl_predicted p;
    enum vl_status status = vl_predicted_case(&p, inputs);
    if (status != VL_OK)
        return status;
    double exposed = p.embedding / p.all, share = 0;
    if (mistake == EXPOSED)
        share = exposed;
    else if (mistake == EVERYTHING)
        share = 1;
    else if (mistake == SHARE_OF_UNITS)
        share = (p.units - 1) / p.units;
    else if (mistake == LAYERS_ALONE)
        share = 1 - 2 * exposed;
    return vl_bag_set_real(wrong, "hidden_share", share) ? VL_OK : VL_ENOMEM;
}

MISTAKE(hidden, UNSEALED_SHARE)
MISTAKE(hidden, EXPOSED)
MISTAKE(hidden, EVERYTHING)
MISTAKE(hidden, SHARE_OF_UNITS)
MISTAKE(hidden, LAYERS_ALONE)

const struct vl_suspect vl_suspects_predict_hidden[] = {
    {"not_sealed", UNSEALED, hidden_UNSEALED_SHARE},
    {"exposed_share",
     N_("This is the share that must wait until backward has ended; the rest can be hidden."),
     hidden_EXPOSED},
    {"everything",
     N_("Not everything can be hidden: the unit that is ready last has nothing left to hide "
        "behind."),
     hidden_EVERYTHING},
    {"share_of_units", N_("Units differ in size: count their bytes."), hidden_SHARE_OF_UNITS},
    {"head_excluded", N_("The norm and head are ready first: they hide behind all the rest."),
     hidden_LAYERS_ALONE},
    NO_MORE_SUSPECTS};
