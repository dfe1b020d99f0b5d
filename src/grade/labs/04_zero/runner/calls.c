/*
 * Calls of lab 04: pieces and plans, norm and update, and the figures on paper.
 *
 * Names of the inputs are described in zero.h.
 */
#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/arrays.h"
#include "runner/call.h"
#include "runner/learner.h"

#include <string.h>

/* ---- pieces and plans ---- */

static VL_CALL(shard_piece)
{
    struct vl_site site;
    vl_site_read(&site, inputs);
    size_t ranks = vl_input_size(inputs, "ranks"), units = site.zero.unit_count;
    int64_t *first = vl_unwritten_numbers(outputs, "first", ranks, units),
            *place = vl_unwritten_numbers(outputs, "place", ranks, units),
            *count = vl_unwritten_numbers(outputs, "count", ranks, units);
    if (!first || !place || !count)
        return VL_EINTERNAL;
    struct vl_piece piece;
    if (vl_input_size(inputs, "bad"))
        return vl_shard_piece(&piece, site.units, units, units - 1, (int)ranks, (int)ranks);
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && i < ranks * units; i++) {
        /* What is not written stays poison. */
        piece = (struct vl_piece){(size_t)first[i], (size_t)place[i], (size_t)count[i]};
        status = vl_shard_piece(&piece, site.units, units, i % units, (int)(i / units), (int)ranks);
        first[i] = (int64_t)piece.first;
        place[i] = (int64_t)piece.place;
        count[i] = (int64_t)piece.count;
    }
    return status;
}

static VL_CALL(zero_plan)
{
    struct vl_site site;
    vl_site_read(&site, inputs);
    struct vl_zero_plan plan = {0};
    static const char *const names[] = {"weights", "gradients", "moments", "lent_weights",
                                        "lent_gradients"};
    size_t *const planned[] = {&plan.weights, &plan.gradients, &plan.moments, &plan.lent_weights,
                               &plan.lent_gradients};
    int64_t *out[5];
    int ranks = (int)vl_input_size(inputs, "ranks"), stage = site.zero.stage;
    for (size_t k = 0; k < 5; k++)
        if ((out[k] = vl_unwritten_numbers(outputs, names[k], 1, (size_t)ranks)) == NULL)
            return VL_EINTERNAL;
    if (vl_input_size(inputs, "bad"))
        return vl_first_unrefused(
            outputs,
            {"rank = ranks",
             vl_zero_plan(&plan, stage, site.units, site.zero.unit_count, ranks, ranks)},
            {"rank = -1", vl_zero_plan(&plan, stage, site.units, site.zero.unit_count, -1, ranks)});
    enum vl_status status = VL_OK;
    for (int rank = 0; status == VL_OK && rank < ranks; rank++) {
        for (size_t k = 0; k < 5; k++)
            *planned[k] = (size_t)out[k][rank]; /* poison */
        status = vl_zero_plan(&plan, stage, site.units, site.zero.unit_count, rank, ranks);
        for (size_t k = 0; k < 5; k++)
            out[k][rank] = (int64_t)*planned[k];
    }
    return status;
}

/* ---- norm and update ---- */

/* Gradients as vl_zero_finish leaves them: sums in this rank's chunks, and at stage 1 anything in
 * the others. */
static void place_sums(struct vl_zero *z, const struct vl_bag *inputs)
{
    const float *sums = vl_bag_f32(inputs, "sums"), *other = vl_bag_f32(inputs, "other");
    if (z->stage > 1) {
        vl_site_cut(z->gradients, z, sums);
        return;
    }
    size_t whole = z->units[z->unit_count];
    memcpy(z->gradients, other + (size_t)z->rank * whole, whole * sizeof *other);
    for (size_t unit = 0, first, count; unit < z->unit_count; unit++) {
        vl_site_chunk(&first, &count, z, unit);
        memcpy(z->gradients + first, sums + first, count * sizeof *sums);
    }
}

VL_SITE_CALL(zero_norm)
{
    double *norm = vl_unwritten_doubles(site->outputs, "norm", 1);
    place_sums(z, site->inputs);
    return norm != NULL ? vl_zero_norm(norm, z) : VL_EINTERNAL;
}

VL_SITE_CALL(zero_update)
{
    struct vl_adamw settings = vl_settings(site->inputs);
    place_sums(z, site->inputs);
    enum vl_status status = vl_zero_update(z, &settings, (float)vl_bag_real(site->inputs, "scale"),
                                           vl_input_size(site->inputs, "step"));
    return vl_give_counts(site->outputs, status, {"left_in_flight", vl_site_in_flight(z)});
}

/* ---- on paper ---- */

typedef enum vl_status (*figure_fn)(double *figure, int stage, double parameters, int ranks);

/* All stages; if 'bad', the ones just below and just above them. */
static enum vl_status figures(struct vl_bag *outputs, const struct vl_bag *inputs, figure_fn figure)
{
    double *stages = vl_unwritten_doubles(outputs, "stages", 4), unused;
    double parameters = vl_bag_real(inputs, "parameters");
    int ranks = (int)vl_input_size(inputs, "ranks");
    if (stages == NULL)
        return VL_EINTERNAL;
    if (vl_input_size(inputs, "bad"))
        return vl_first_unrefused(outputs, {"stage = -1", figure(&unused, -1, parameters, ranks)},
                                  {"stage = 4", figure(&unused, 4, parameters, ranks)});
    enum vl_status status = VL_OK;
    for (int stage = 0; status == VL_OK && stage < 4; stage++)
        status = figure(&stages[stage], stage, parameters, ranks);
    return status;
}

static VL_CALL(zero_state_bytes)
{
    return figures(outputs, inputs, vl_zero_state_bytes);
}

static VL_CALL(zero_sent_elements)
{
    return figures(outputs, inputs, vl_zero_sent_elements);
}

static VL_CALL(predict_zero)
{
    (void)inputs;
    struct vl_zero_prediction p = {0, 0, 0, 0};
    enum vl_status status = vl_predict_zero(&p);
    return vl_give_counts(outputs, status, {"state_bytes_1", p.state_bytes_1},
                          {"state_bytes_2", p.state_bytes_2}, {"state_bytes_3", p.state_bytes_3},
                          {"sent_bytes_3", p.sent_bytes_3});
}

const struct vl_call vl_calls_zero[] = {
    VL_CALLED(shard_piece),
    VL_CALLED(zero_plan),
    VL_CALLED(zero_norm),
    VL_CALLED(zero_update),
    VL_CALLED(zero_gradients),
    VL_CALLED(zero_ready),
    VL_CALLED(zero_poll),
    VL_CALLED(zero_finish),
    VL_CALLED(zero_borrow),
    VL_CALLED(zero_give_back),
    VL_CALLED(zero_prefetch),
    VL_CALLED(zero_step),
    {"weights_ahead", vl_call_weights_ahead},
    {"zero_traffic", vl_call_zero_step},
    VL_CALLED(zero_state_bytes),
    VL_CALLED(zero_sent_elements),
    VL_CALLED(predict_zero),
    {NULL, NULL},
};
