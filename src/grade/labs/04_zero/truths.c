/*
 * What lab 04 must give: pieces and plans, norm and update, and the figures on paper. The flow of
 * gradients, parameters and steps is in truths_flow.c.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/04_zero/zero.h"
#include "grade/shared/model.h"

#include <math.h>

/* ---- the layout ---- */

struct vl_zero_layout vl_zero_layout_read(const struct vl_bag *inputs)
{
    struct vl_zero_layout l = {.ranks = (int)vl_bag_int(inputs, "ranks"),
                               .stage = (int)vl_bag_int(inputs, "stage"),
                               .micro_batches = vl_bag_size(inputs, "micro_batches")};
    const struct vl_tensor_entry *units = vl_bag_find(inputs, "units"),
                                 *tensors = vl_bag_find(inputs, "tensors");
    l.unit_count = units->count - 1;
    for (size_t i = 0; i <= l.unit_count; i++)
        l.begin[i] = (size_t)((const int32_t *)units->data)[i];
    l.count = l.begin[l.unit_count];
    l.tensor_count = tensors->count / 4;
    for (size_t i = 0; i < l.tensor_count; i++) {
        const int32_t *row = (const int32_t *)tensors->data + 4 * i;
        l.tensor[i].offset = (size_t)row[0];
        l.tensor[i].size = (size_t)row[1] * (size_t)row[2];
        l.tensor[i].decays = row[3];
    }
    return l;
}

struct vl_oracle_units vl_zero_units(const struct vl_zero_layout *layout)
{
    return (struct vl_oracle_units){layout->begin, layout->unit_count, layout->ranks};
}

/* Does the tensor around element i decay? */
static int decays(const struct vl_zero_layout *layout, size_t i)
{
    for (size_t k = 0; k < layout->tensor_count; k++)
        if (i >= layout->tensor[k].offset && i - layout->tensor[k].offset < layout->tensor[k].size)
            return layout->tensor[k].decays;
    return 0;
}

/* The first element of a rank's chunk of a unit. */
static size_t first_of(const struct vl_zero_layout *layout, size_t unit, int rank)
{
    struct vl_oracle_units units = vl_zero_units(layout);
    size_t first = layout->begin[unit];
    for (int r = 0; r < rank; r++)
        first += vl_oracle_piece_size(&units, unit, r);
    return first;
}

void vl_zero_answer(struct vl_scope *scope, const struct vl_zero_layout *layout, const char *name,
                    int rank, int shard, const double *whole)
{
    struct vl_oracle_units units = vl_zero_units(layout);
    size_t n = shard ? vl_oracle_shard_size(&units, rank) : layout->count, unit;
    double *array = vl_ranked_out(scope, name, rank, 1, n);
    for (size_t i = 0, k = 0; array != NULL && i < layout->count; i++)
        if (!shard || vl_oracle_owner(&units, i, &unit) == rank)
            array[k++] = whole[i];
}

/* ---- pieces and plans: one row per rank ---- */

static int64_t *table(struct vl_bag *bag, const char *name, size_t rows, size_t cols)
{
    return vl_bag_add(bag, name, VL_I64, 2, (size_t[]){rows, cols});
}

VL_TRUTH(shard_piece)
{
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    size_t ranks = (size_t)l.ranks;
    if (vl_bag_int(inputs, "bad"))
        return vl_bag_set_int(expected, "status", VL_EINVAL) ? VL_OK : VL_ENOMEM;
    int64_t *first = table(expected, "first", ranks, l.unit_count),
            *place = table(expected, "place", ranks, l.unit_count),
            *count = table(expected, "count", ranks, l.unit_count);
    if (!first || !place || !count)
        return VL_ENOMEM;
    for (size_t i = 0, unit; i < l.count; i++) {
        int owner = vl_oracle_owner(&units, i, &unit);
        count[(size_t)owner * l.unit_count + unit]++;
    }
    for (size_t rank = 0; rank < ranks; rank++) {
        int64_t filled = 0;
        for (size_t unit = 0; unit < l.unit_count; unit++) {
            size_t at = rank * l.unit_count + unit;
            first[at] = (int64_t)first_of(&l, unit, (int)rank);
            place[at] = filled;
            filled += count[at];
        }
    }
    return VL_OK;
}

VL_TRUTH(zero_plan)
{
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    size_t ranks = (size_t)l.ranks;
    if (vl_bag_int(inputs, "bad") || l.stage < 1 || l.stage > 3)
        return vl_bag_set_int(expected, "status", VL_EINVAL) ? VL_OK : VL_ENOMEM;
    static const char *const names[] = {"weights", "gradients", "moments", "lent_weights",
                                        "lent_gradients"};
    int64_t *kind[5];
    for (size_t k = 0; k < 5; k++) {
        kind[k] = table(expected, names[k], 1, ranks);
        if (!kind[k])
            return VL_ENOMEM;
    }
    for (size_t rank = 0; rank < ranks; rank++) {
        size_t shard = vl_oracle_shard_size(&units, (int)rank);
        kind[0][rank] = (int64_t)(l.stage == 3 ? shard : l.count);
        kind[1][rank] = (int64_t)(l.stage >= 2 ? shard : l.count);
        kind[2][rank] = (int64_t)shard;
        kind[3][rank] = (int64_t)(l.stage == 3 ? 2 * vl_oracle_largest_unit(&units) : 0);
        kind[4][rank] = (int64_t)(l.stage >= 2 ? 2 * vl_oracle_largest_unit(&units) : 0);
    }
    return VL_OK;
}

/* ---- norm and update ---- */

VL_TRUTH(zero_norm)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    double norm = vl_oracle_chunked_norm(&units, vl_bag_f32(inputs, "sums"));
    for (int rank = 0; rank < l.ranks; rank++)
        vl_ranked_real(&s, "norm", rank, norm);
    return vl_scope_end(&s);
}

/* The two other orders that a student may take: rank by rank, adding every chunk at once, or adding
 * up each rank's shard before. */
int vl_zero_orders_differ(const struct vl_bag *inputs)
{
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    const float *sums = vl_bag_f32(inputs, "sums");
    double right = vl_oracle_chunked_norm(&units, sums), by_chunk = 0, by_shard = 0;
    for (int rank = 0; rank < l.ranks; rank++) {
        double shard = 0;
        for (size_t unit = 0; unit < l.unit_count; unit++) {
            size_t first = first_of(&l, unit, rank);
            double chunk = 0;
            for (size_t i = 0; i < vl_oracle_piece_size(&units, unit, rank); i++)
                chunk += (double)sums[first + i] * (double)sums[first + i];
            by_chunk += chunk;
            shard += chunk;
        }
        by_shard += shard;
    }
    return sqrt(by_chunk) != right && sqrt(by_shard) != right;
}

void vl_zero_adamw(struct vl_scope *scope, const struct vl_zero_layout *layout,
                   const struct vl_bag *inputs, const double *gradients, double scale)
{
    double *w = vl_scope_in(scope, "weights"), *m = vl_scope_in(scope, "m"),
           *v = vl_scope_in(scope, "v");
    for (size_t i = 0; i < layout->count; i++) {
        struct vl_oracle_adamw own = vl_settings_read(inputs);
        if (!decays(layout, i))
            own.weight_decay = 0;
        vl_oracle_adamw(w + i, m + i, v + i, gradients + i, scale, &own,
                        (uint64_t)vl_bag_int(inputs, "step"), 1);
    }
}

void vl_zero_answer_state(struct vl_scope *scope, const struct vl_zero_layout *layout, int rank)
{
    vl_zero_answer(scope, layout, "weights", rank, layout->stage == 3,
                   vl_scope_in(scope, "weights"));
    vl_zero_answer(scope, layout, "m", rank, 1, vl_scope_in(scope, "m"));
    vl_zero_answer(scope, layout, "v", rank, 1, vl_scope_in(scope, "v"));
}

VL_TRUTH(zero_update)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    if (!s.failed)
        vl_zero_adamw(&s, &l, inputs, vl_scope_in(&s, "sums"), vl_scope_real(&s, "scale"));
    for (int rank = 0; !s.failed && rank < l.ranks; rank++)
        vl_zero_answer_state(&s, &l, rank);
    return vl_scope_end(&s);
}

/* ---- on paper ---- */

/* One number per stage, from 0 to 3. */
static enum vl_status figures(struct vl_bag *expected, const struct vl_bag *inputs,
                              double (*figure)(int stage, double parameters, int ranks))
{
    if (vl_bag_int(inputs, "bad"))
        return vl_bag_set_int(expected, "status", VL_EINVAL) ? VL_OK : VL_ENOMEM;
    double *stages = vl_bag_add_f64(expected, "stages", 1, 4);
    for (int stage = 0; stages != NULL && stage < 4; stage++)
        stages[stage] =
            figure(stage, vl_bag_real(inputs, "parameters"), (int)vl_bag_int(inputs, "ranks"));
    return stages != NULL ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(zero_state_bytes)
{
    return figures(expected, inputs, vl_oracle_state_bytes);
}

VL_TRUTH(zero_sent_elements)
{
    return figures(expected, inputs, vl_oracle_sent_elements);
}

/* A sealed number: a figure of one stage, so many bytes each. */
#define SEALED(question, name, figure, stage, bytes)                                               \
    VL_TRUTH(question)                                                                             \
    {                                                                                              \
        double number = vl_oracle_##figure(stage, vl_bag_real(inputs, "parameters"),               \
                                           (int)vl_bag_int(inputs, "ranks"));                      \
        return vl_bag_set_int(expected, name, (int64_t)(number * (bytes))) ? VL_OK : VL_ENOMEM;    \
    }

SEALED(predict_state_1, "state_bytes_1", state_bytes, 1, 1)
SEALED(predict_state_2, "state_bytes_2", state_bytes, 2, 1)
SEALED(predict_state_3, "state_bytes_3", state_bytes, 3, 1)
SEALED(predict_sent_3, "sent_bytes_3", sent_elements, 3, sizeof(float))
