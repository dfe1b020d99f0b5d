/*
 * What lab 04 must give: pieces and plans, norm and update, and the figures on paper. The flow of
 * gradients, parameters and steps is in truths_flow.c.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/04_zero/zero.h"
#include "grade/shared/model.h"
#include "oracle/budget.h"

#include <math.h>
#include <stdbool.h>

/* ---- the layout ---- */

void vl_zero_layout_read(struct vl_zero_layout *l, const struct vl_bag *inputs)
{
    const struct vl_tensor_entry *units = vl_bag_find(inputs, "units");
    *l = (struct vl_zero_layout){.ranks = (int)vl_bag_int(inputs, "ranks"),
                                 .stage = (int)vl_bag_int(inputs, "stage"),
                                 .micro_batches = vl_bag_size(inputs, "micro_batches"),
                                 .unit_count = units->count - 1};
    for (size_t i = 0; i <= l->unit_count; i++)
        l->begin[i] = (size_t)((const int32_t *)units->data)[i];
    l->count = l->begin[l->unit_count];
    l->units = (struct vl_oracle_units){l->begin, l->unit_count, l->ranks};
}

/* The first element of a rank's chunk of a unit. */
static size_t first_of(const struct vl_zero_layout *layout, size_t unit, int rank)
{
    size_t first = layout->begin[unit];
    for (int r = 0; r < rank; r++)
        first += vl_oracle_piece_size(&layout->units, unit, r);
    return first;
}

void vl_zero_answer(struct vl_scope *scope, const struct vl_zero_layout *layout, const char *name,
                    int rank, int shard, const double *whole)
{
    size_t n = shard ? vl_oracle_shard_size(&layout->units, rank) : layout->count, unit;
    double *array = vl_ranked_out(scope, name, rank, 1, n);
    for (size_t i = 0, k = 0; array != NULL && i < layout->count; i++)
        if (!shard || vl_oracle_owner(&layout->units, i, &unit) == rank)
            array[k++] = whole[i];
}

/* ---- pieces and plans: one row per rank ---- */

VL_ZERO_TRUTH(shard_piece)
{
    size_t ranks = (size_t)l->ranks;
    if (vl_scope_bad(s))
        return;
    int64_t *first = vl_scope_whole(s, "first", ranks, l->unit_count),
            *place = vl_scope_whole(s, "place", ranks, l->unit_count),
            *count = vl_scope_whole(s, "count", ranks, l->unit_count);
    int64_t filled = 0;
    for (size_t i = 0; !s->failed && i < ranks * l->unit_count; i++) {
        size_t unit = i % l->unit_count;
        int rank = (int)(i / l->unit_count);
        filled = unit == 0 ? 0 : filled; /* a shard begins */
        first[i] = (int64_t)first_of(l, unit, rank);
        place[i] = filled;
        count[i] = (int64_t)vl_oracle_piece_size(&l->units, unit, rank);
        filled += count[i];
    }
}

VL_ZERO_TRUTH(zero_plan)
{
    static const char *const names[] = {"weights", "gradients", "moments", "lent_weights",
                                        "lent_gradients"};
    size_t lent = 2 * vl_oracle_largest_unit(&l->units);
    const bool bad = vl_scope_size(s, "bad") || l->unit_count == 0 || l->stage < 1 || l->stage > 3;
    if (vl_scope_refused(s, bad, VL_EINVAL))
        return;
    for (size_t k = 0; k < 5; k++) {
        int64_t *kind = vl_scope_whole(s, names[k], 1, (size_t)l->ranks);
        for (int rank = 0; kind != NULL && rank < l->ranks; rank++) {
            size_t shard = vl_oracle_shard_size(&l->units, rank);
            const size_t planned[] = {l->stage == 3 ? shard : l->count,
                                      l->stage >= 2 ? shard : l->count, shard,
                                      l->stage == 3 ? lent : 0, l->stage >= 2 ? lent : 0};
            kind[rank] = (int64_t)planned[k];
        }
    }
}

/* ---- norm and update ---- */

VL_ZERO_TRUTH(zero_norm)
{
    double norm = vl_oracle_chunked_norm(&l->units, vl_bag_f32(s->inputs, "sums"));
    for (int rank = 0; rank < l->ranks; rank++)
        vl_ranked_real(s, "norm", rank, norm);
}

/* The two other orders that a student may use: rank by rank, adding every chunk at once, or adding
 * up each rank's shard first. */
bool vl_zero_orders_differ(const struct vl_bag *inputs)
{
    struct vl_zero_layout l;
    vl_zero_layout_read(&l, inputs);
    const float *sums = vl_bag_f32(inputs, "sums");
    double right = vl_oracle_chunked_norm(&l.units, sums), by_chunk = 0, by_shard = 0;
    for (int rank = 0; rank < l.ranks; rank++) {
        double shard = 0;
        for (size_t unit = 0; unit < l.unit_count; unit++) {
            const float *own = sums + first_of(&l, unit, rank);
            double chunk = 0;
            for (size_t i = 0; i < vl_oracle_piece_size(&l.units, unit, rank); i++)
                chunk += (double)own[i] * (double)own[i];
            by_chunk += chunk;
            shard += chunk;
        }
        by_shard += shard;
    }
    return sqrt(by_chunk) != right && sqrt(by_shard) != right;
}

void vl_zero_adamw(struct vl_scope *scope, const double *gradients, double scale, size_t step)
{
    const struct vl_tensor_entry *tensors = vl_bag_find(scope->inputs, "tensors");
    double *w = vl_scope_in(scope, "weights"), *m = vl_scope_in(scope, "m"),
           *v = vl_scope_in(scope, "v");
    for (size_t i = 0; i < tensors->shape[0]; i++) {
        const int32_t *row = (const int32_t *)tensors->data + 4 * i;
        size_t first = (size_t)row[0], size = (size_t)row[1] * (size_t)row[2];
        struct vl_oracle_adamw own = vl_settings_read(scope->inputs);
        if (!row[3])
            own.weight_decay = 0;
        vl_oracle_adamw(w + first, m + first, v + first, gradients + first, scale, &own, step,
                        size);
    }
}

void vl_zero_answer_state(struct vl_scope *scope, const struct vl_zero_layout *layout, int rank)
{
    vl_zero_answer(scope, layout, "weights", rank, layout->stage >= 3,
                   vl_scope_in(scope, "weights"));
    vl_zero_answer(scope, layout, "m", rank, 1, vl_scope_in(scope, "m"));
    vl_zero_answer(scope, layout, "v", rank, 1, vl_scope_in(scope, "v"));
}

VL_ZERO_TRUTH(zero_update)
{
    size_t step = vl_scope_size(s, "step");
    if (vl_scope_refused(s, step == 0, VL_EINVAL))
        return;
    vl_zero_adamw(s, vl_scope_in(s, "sums"), vl_scope_real(s, "scale"), step);
    for (int rank = 0; rank < l->ranks; rank++) {
        vl_zero_answer_state(s, l, rank);
        if (l->ranks == 2) /* asked in one case */
            vl_ranked_int(s, "left_in_flight", rank, 0);
    }
}

/* ---- on paper ---- */

typedef double figure_fn(int stage, double parameters, int ranks);

static double at_stage(const struct vl_bag *inputs, figure_fn *figure, int stage)
{
    return figure(stage, vl_bag_real(inputs, "parameters"), (int)vl_bag_int(inputs, "ranks"));
}

/* One number per stage, from 0 to 3. */
static void figures(struct vl_scope *s, figure_fn *figure)
{
    if (vl_scope_bad(s))
        return;
    double *stages = vl_scope_out(s, "stages", 1, 4, 0);
    for (int stage = 0; stages != NULL && stage < 4; stage++)
        stages[stage] = at_stage(s->inputs, figure, stage);
}

VL_SCOPED_TRUTH(zero_state_bytes)
{
    figures(s, vl_oracle_state_bytes);
}

VL_SCOPED_TRUTH(zero_sent_elements)
{
    figures(s, vl_oracle_sent_elements);
}

/* A sealed number: a figure of one stage for the shapes' model, times the bytes of what it counts. */
static void seal(struct vl_scope *s, const char *name, figure_fn *figure, int stage, size_t bytes)
{
    struct vl_oracle_shape shape = vl_shape_read(s->inputs);
    uint64_t all = 0, multiplying;
    s->failed |= vl_oracle_parameter_count(&all, &multiplying, &shape) != VL_OK;
    double number = figure(stage, (double)all, (int)vl_scope_size(s, "ranks"));
    vl_scope_give_int(s, name, (uint64_t)number * bytes);
}

#define SEALED(question, name, figure, stage, bytes)                                               \
    VL_SCOPED_TRUTH(question)                                                                      \
    {                                                                                              \
        seal(s, name, vl_oracle_##figure, stage, bytes);                                           \
    }
SEALED(predict_state_1, "state_bytes_1", state_bytes, 1, 1)
SEALED(predict_state_2, "state_bytes_2", state_bytes, 2, 1)
SEALED(predict_state_3, "state_bytes_3", state_bytes, 3, 1)
SEALED(predict_sent_3, "sent_bytes_3", sent_elements, 3, sizeof(float))
