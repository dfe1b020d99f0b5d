/*
 * Calls of lab 06: operators, embedding and cross-entropy shared by ranks, a model that they hold
 * together, and what each of them sends. Those on paper are in calls_paper.c.
 *
 * Names of the inputs are described in tensor_parallel.h. A rank's part is worked out here, so that
 * a wrong vl_tensor_part costs only its own points.
 */
#include "comm/meter.h"
#include "grade/labs/06_tensor_parallel/runner/tensor_site.h"
#include "runner/arrays.h"
#include "runner/learner.h"

#include "engine/model/layout.h"
#include "engine/model/model.h"

#include <stdlib.h>

struct vl_tensor_group vl_tensor_site_group(int sequence)
{
    struct vl_tensor_group group = {.comm = vl_case_comm(), .sequence = sequence};
    MPI_Comm_rank(group.comm, &group.rank);
    MPI_Comm_size(group.comm, &group.ranks);
    return group;
}

/* The sizes of a case, and this rank's place in it: among all ranks of the case, and in its group. */
struct site {
    struct vl_tensor_group group;
    size_t place;
    size_t n, d, vocabulary, columns;
};

/* The group is one of several, side by side. */
static void join_group(struct vl_tensor_group *group, int groups)
{
    int all = group->rank;
    group->ranks /= groups;
    group->rank %= group->ranks;
    MPI_Comm_split(vl_case_comm(), all / group->ranks, all, &group->comm);
}

/* To be left, if the case may have several groups. */
static struct site site_of(const struct vl_bag *inputs)
{
    struct site site = {.group = vl_tensor_site_group((int)vl_bag_int(inputs, "shared")),
                        .n = vl_input_size(inputs, "n"),
                        .d = vl_input_size(inputs, "d"),
                        .vocabulary = vl_input_size(inputs, "vocabulary")};
    int groups = (int)vl_bag_int(inputs, "groups");
    site.place = (size_t)site.group.rank;
    if (groups > 1)
        join_group(&site.group, groups);
    site.columns = site.vocabulary / (size_t)site.group.ranks;
    return site;
}

/* Returns 'status', that of the call. */
static enum vl_status leave_site(struct site *site, enum vl_status status)
{
    if (site->group.comm != vl_case_comm())
        MPI_Comm_free(&site->group.comm);
    return status;
}

/* Tokens or targets: in a bad case they have several rows, and a call with each must be refused. */
static size_t rows_of(const struct vl_bag *inputs, const char *name)
{
    return vl_bag_find(inputs, name)->shape[0];
}

/* ---- parts ---- */

static VL_CALL(tensor_part)
{
    int ranks = (int)vl_bag_int(inputs, "ranks");
    size_t *first = vl_unwritten_sizes(outputs, "first", 1, (size_t)ranks),
           *count = vl_unwritten_sizes(outputs, "count", 1, (size_t)ranks);
    enum vl_status status = first && count ? VL_OK : VL_EINTERNAL;
    for (int rank = 0; status == VL_OK && rank < ranks; rank++) {
        const struct vl_tensor_group group = {vl_case_comm(), rank, ranks, 0};
        status =
            vl_tensor_part(&first[rank], &count[rank], vl_input_size(inputs, "vocabulary"), &group);
    }
    return status;
}

/* ---- operators ---- */

#define OPERATOR(name)                                                                             \
    static VL_CALL(tensor_##name)                                                                  \
    {                                                                                              \
        struct site site = site_of(inputs);                                                        \
        float *x = vl_own_row(outputs, inputs, "x", "x", site.n * site.d);                         \
        return leave_site(&site, x != NULL ? vl_tensor_##name(x, site.n, site.d, &site.group)      \
                                           : VL_EINTERNAL);                                        \
    }

OPERATOR(enter_forward)
OPERATOR(enter_backward)
OPERATOR(leave_forward)
OPERATOR(leave_backward)

/* ---- what is kept ---- */

static VL_CALL(tensor_kept_rows)
{
    int ranks = (int)vl_bag_int(inputs, "ranks");
    size_t *rows = vl_unwritten_sizes(outputs, "rows", 1, (size_t)ranks);
    enum vl_status status = rows != NULL ? VL_OK : VL_EINTERNAL;
    for (int rank = 0; status == VL_OK && rank < ranks; rank++) {
        const struct vl_tensor_group group = {vl_case_comm(), rank, ranks,
                                              (int)vl_bag_int(inputs, "shared")};
        status = vl_tensor_kept_rows(&rows[rank], vl_input_size(inputs, "n"), &group);
    }
    return status;
}

/* Elements of what a rank keeps, as the contract says. */
static size_t kept_count(const struct site *site)
{
    size_t rows = site->group.sequence ? site->n / (size_t)site->group.ranks : site->n;
    return rows * site->d;
}

static VL_CALL(tensor_input_forward)
{
    const struct site site = site_of(inputs);
    float *whole = vl_own_row(outputs, inputs, "x", "x", site.n * site.d),
          *kept = vl_unwritten_floats(outputs, "kept", kept_count(&site));
    return whole != NULL && kept != NULL
               ? vl_tensor_input_forward(whole, kept, site.n, site.d, &site.group)
               : VL_EINTERNAL;
}

/* 'whole' holds what another layer has left there. */
static VL_CALL(tensor_input_backward)
{
    const struct site site = site_of(inputs);
    float *whole = vl_own_row(outputs, inputs, "x", "x", site.n * site.d);
    const float *kept = vl_bag_f32(inputs, "kept") + (size_t)site.group.rank * kept_count(&site);
    return whole != NULL ? vl_tensor_input_backward(whole, kept, site.n, site.d, &site.group)
                         : VL_EINTERNAL;
}

static VL_CALL(tensor_gain_backward)
{
    struct site site = site_of(inputs);
    float *dgain = vl_own_row(outputs, inputs, "dgain", "dgain", site.d);
    return leave_site(&site, dgain != NULL ? vl_tensor_gain_backward(dgain, site.d, &site.group)
                                           : VL_EINTERNAL);
}

/* ---- the vocabulary ---- */

static VL_CALL(tensor_embedding_forward)
{
    const struct site site = site_of(inputs);
    size_t first = (size_t)site.group.rank * site.columns;
    float *out = vl_unwritten_floats(outputs, "out", site.n * site.d);
    enum vl_status status = out != NULL ? VL_EINVAL : VL_EINTERNAL;
    for (size_t row = 0; status == VL_EINVAL && row < rows_of(inputs, "tokens"); row++)
        status = vl_tensor_embedding_forward(out, vl_bag_f32(inputs, "table") + first * site.d,
                                             vl_bag_i32(inputs, "tokens") + row * site.n, site.n,
                                             site.d, site.vocabulary, &site.group);
    return status;
}

static VL_CALL(tensor_embedding_backward)
{
    const struct site site = site_of(inputs);
    float *dtable = vl_own_row(outputs, inputs, "dtable", "dtable", site.columns * site.d);
    float *dx = vl_own_row(outputs, inputs, "dx", "dx", site.n * site.d);
    enum vl_status status = dtable != NULL && dx != NULL ? VL_EINVAL : VL_EINTERNAL;
    for (size_t row = 0; status == VL_EINVAL && row < rows_of(inputs, "tokens"); row++)
        status =
            vl_tensor_embedding_backward(dtable, dx, vl_bag_i32(inputs, "tokens") + row * site.n,
                                         site.n, site.d, site.vocabulary, &site.group);
    return status;
}

/* An output (N, V/t), and in *block this rank's block of an input. If 'in_place' is set, both are
 * the output's memory. */
static float *from_block(const float **block, struct vl_bag *outputs, const struct vl_bag *inputs,
                         const struct site *site, const char *output, const char *input)
{
    size_t n = site->n * site->columns;
    int in_place = vl_bag_int(inputs, "in_place") != 0;
    float *out = in_place ? vl_own_row(outputs, inputs, output, input, n)
                          : vl_unwritten_floats(outputs, output, n);
    *block = in_place ? out : vl_bag_f32(inputs, input) + site->place * n;
    return out;
}

static VL_CALL(tensor_cross_entropy_forward)
{
    struct site site = site_of(inputs);
    const float *logits;
    float *losses = vl_unwritten_floats(outputs, "losses", site.n),
          *probs = from_block(&logits, outputs, inputs, &site, "probs", "logits"),
          *scratch =
              vl_unwritten_floats(outputs, "scratch", site.n * ((size_t)site.group.ranks + 2));
    if (!losses || !probs || !scratch)
        return leave_site(&site, VL_EINTERNAL);
    enum vl_status status = VL_EINVAL;
    for (size_t row = 0; status == VL_EINVAL && row < rows_of(inputs, "targets"); row++)
        status = vl_tensor_cross_entropy_forward(losses, probs, scratch, logits,
                                                 vl_bag_i32(inputs, "targets") + row * site.n,
                                                 site.n, site.vocabulary, &site.group);
    if (vl_bag_int(inputs, "same") &&
        !vl_bag_set_int(outputs, "same_losses", vl_same_everywhere(losses, site.n)))
        status = VL_EINTERNAL;
    return leave_site(&site, status);
}

static VL_CALL(tensor_cross_entropy_backward)
{
    const struct site site = site_of(inputs);
    const float *probs;
    float *dlogits = from_block(&probs, outputs, inputs, &site, "dlogits", "probs");
    enum vl_status status = dlogits != NULL ? VL_EINVAL : VL_EINTERNAL;
    for (size_t row = 0; status == VL_EINVAL && row < rows_of(inputs, "targets"); row++)
        status = vl_tensor_cross_entropy_backward(
            dlogits, probs, vl_bag_i32(inputs, "targets") + row * site.n,
            (float)vl_bag_real(inputs, "scale"), site.n, site.vocabulary, &site.group);
    return status;
}

/* ---- a whole model ---- */

/* Read the whole model's weights by name, and keep this rank's part of them. */
static enum vl_status load(struct vl_model *model, const struct vl_bag *inputs)
{
    struct vl_layout layout;
    enum vl_status status = vl_layout_create(&layout, vl_model_shape(model), NULL, &VL_SLICE_WHOLE);
    if (status != VL_OK)
        return status;
    const struct vl_learner whole = {.weights = calloc(layout.count, sizeof(float)),
                                     .tensors = layout.tensors,
                                     .tensor_count = layout.tensor_count};
    status = whole.weights != NULL ? vl_take_weights(&whole, inputs) : VL_ENOMEM;
    if (status == VL_OK)
        vl_layout_cut(vl_model_learner(model)->weights, vl_model_layout(model), whole.weights);
    free(whole.weights);
    vl_layout_free(&layout);
    return status;
}

static VL_CALL(tensor_model)
{
    const struct vl_model_plan plan = {.shape = vl_shape_of(inputs),
                                       .rows = vl_input_size(inputs, "rows_per_micro"),
                                       .kind = VL_MODEL_LEARNS,
                                       .tensor =
                                           vl_tensor_site_group((int)vl_bag_int(inputs, "shared"))};
    struct vl_model *model = NULL;
    double loss = 0;
    enum vl_status status = vl_model_create_part(&model, &plan);
    VL_NEXT(status, load(model, inputs));
    VL_NEXT(status, vl_pass_batch(&loss, model, inputs));
    VL_NEXT(status, vl_give_gradients(outputs, vl_model_learner(model)));
    vl_model_free(model);
    return vl_give_reals(outputs, status, {"loss", loss});
}

/* A model that is made and not run: what it takes of memory with the tokens shared out, and how
 * much less that is. */
static VL_CALL(model_memory)
{
    struct vl_model_plan plan = {.shape = vl_shape_of(inputs),
                                 .rows = vl_input_size(inputs, "rows"),
                                 .kind = VL_MODEL_LEARNS};
    size_t arena[2] = {0}, kept = 0;
    enum vl_status status = VL_OK;
    for (int sequence = 0; status == VL_OK && sequence < 2; sequence++) {
        struct vl_model *model = NULL;
        plan.tensor = vl_tensor_site_group(sequence);
        status = vl_model_create_part(&model, &plan);
        if (status != VL_OK)
            break;
        arena[sequence] = vl_model_activation_bytes(model);
        kept = vl_model_kept_bytes(model);
        vl_model_free(model);
    }
    return vl_give_counts(outputs, status, {"kept_bytes", kept},
                          {"bytes_saved", arena[0] - arena[1]});
}

/* ---- what each of them sends ---- */

/* After a call: output the bytes sent since *before, and move *before on. */
static enum vl_status metered(struct vl_bag *outputs, const char *name, uint64_t *before,
                              enum vl_status status)
{
    uint64_t now = vl_meter_now()->total.sent_bytes, since = now - *before;
    *before = now;
    if (status == VL_OK && !vl_bag_set_int(outputs, name, (int64_t)since))
        return VL_EINTERNAL;
    return status;
}

static VL_CALL(layer_traffic)
{
    const struct site site = site_of(inputs);
    const struct vl_tensor_group *group = &site.group;
    size_t n = site.n, d = site.d;
    uint64_t sent = vl_meter_now()->total.sent_bytes;
    float *x = vl_own_row(outputs, inputs, "x", "x", n * d),
          *dgain = vl_added_output(outputs, inputs, "dgain", 1, d);
    enum vl_status status = x != NULL && dgain != NULL ? VL_OK : VL_EINTERNAL;
    VL_NEXT(status, metered(outputs, "enter_forward_bytes", &sent,
                            vl_tensor_enter_forward(x, n, d, group)));
    VL_NEXT(status, metered(outputs, "leave_forward_bytes", &sent,
                            vl_tensor_leave_forward(x, n, d, group)));
    VL_NEXT(status, metered(outputs, "leave_backward_bytes", &sent,
                            vl_tensor_leave_backward(x, n, d, group)));
    VL_NEXT(status, metered(outputs, "enter_backward_bytes", &sent,
                            vl_tensor_enter_backward(x, n, d, group)));
    VL_NEXT(status,
            metered(outputs, "gain_bytes", &sent, vl_tensor_gain_backward(dgain, d, group)));
    return status;
}

static VL_CALL(embedding_traffic)
{
    uint64_t sent = vl_meter_now()->total.sent_bytes;
    enum vl_status status = VL_OK;
    VL_NEXT(status, metered(outputs, "forward_bytes", &sent,
                            vl_call_tensor_embedding_forward(outputs, inputs)));
    VL_NEXT(status, metered(outputs, "backward_bytes", &sent,
                            vl_call_tensor_embedding_backward(outputs, inputs)));
    return status;
}

const struct vl_call vl_calls_tensor_parallel[] = {
    VL_CALLED(tensor_part),
    VL_CALLED(tensor_enter_forward),
    VL_CALLED(tensor_enter_backward),
    VL_CALLED(tensor_leave_forward),
    VL_CALLED(tensor_leave_backward),
    VL_CALLED(tensor_gain_backward),
    VL_CALLED(tensor_kept_rows),
    VL_CALLED(tensor_input_forward),
    VL_CALLED(tensor_input_backward),
    VL_CALLED(tensor_embedding_forward),
    VL_CALLED(tensor_embedding_backward),
    VL_CALLED(tensor_cross_entropy_forward),
    VL_CALLED(tensor_cross_entropy_backward),
    {"whole_model", vl_call_tensor_model},
    {"model_traffic", vl_call_tensor_model},
    {"model_memory", vl_call_model_memory},
    {"layer_traffic", vl_call_layer_traffic},
    {"embedding_traffic", vl_call_embedding_traffic},
    {"cross_entropy_traffic", vl_call_tensor_cross_entropy_forward},
    VL_CALLED(tensor_all_reduces),
    VL_CALLED(tensor_sent_bytes),
    VL_CALLED(tensor_again_bytes),
    VL_CALLED(tensor_kept_bytes),
    VL_CALLED(predict_tensor_parallel),
    {NULL, NULL},
};
