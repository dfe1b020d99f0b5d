/*
 * What lab 04 must give: pieces and plans, norm and update, and the figures on paper. The flow of
 * gradients, parameters and steps is in truths_zero_flow.c.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/scope.h"
#include "grade/labs/04_zero/zero.h"
#include "grade/shared/model.h"

#include <stdio.h>
#include <string.h>

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

int vl_zero_decays(const struct vl_zero_layout *layout, size_t i)
{
    for (size_t k = 0; k < layout->tensor_count; k++)
        if (i >= layout->tensor[k].offset && i - layout->tensor[k].offset < layout->tensor[k].size)
            return layout->tensor[k].decays;
    return 0;
}

size_t vl_zero_first(const struct vl_zero_layout *layout, size_t unit, int rank)
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

/* ---- pieces and plans: a row a rank ---- */

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
            first[at] = (int64_t)vl_zero_first(&l, unit, (int)rank);
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

void vl_zero_adamw(double *weights, double *m, double *v, const double *gradients,
                   const struct vl_bag *inputs, const struct vl_zero_layout *layout, double scale,
                   int (*decays)(const struct vl_zero_layout *layout, size_t i))
{
    for (size_t i = 0; i < layout->count; i++) {
        struct vl_oracle_adamw own = vl_settings_read(inputs);
        if (!decays(layout, i))
            own.weight_decay = 0;
        vl_oracle_adamw(weights + i, m + i, v + i, gradients + i, scale, &own,
                        (uint64_t)vl_bag_int(inputs, "step"), 1);
    }
}

VL_TRUTH(zero_update)
{
    struct vl_scope s = vl_scope_begin(expected, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    if (s.failed)
        return vl_scope_end(&s);
    double *w = vl_scope_in(&s, "weights"), *m = vl_scope_in(&s, "m"), *v = vl_scope_in(&s, "v");
    vl_zero_adamw(w, m, v, vl_scope_in(&s, "sums"), inputs, &l, vl_scope_real(&s, "scale"),
                  vl_zero_decays);
    for (int rank = 0; rank < l.ranks; rank++) {
        vl_zero_answer(&s, &l, "weights", rank, l.stage == 3, w);
        vl_zero_answer(&s, &l, "m", rank, 1, m);
        vl_zero_answer(&s, &l, "v", rank, 1, v);
    }
    return vl_scope_end(&s);
}

/* ---- on paper ---- */

/* A row of stages: what the runner asked for. */
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

static enum vl_status state(struct vl_bag *expected, const struct vl_bag *inputs, int stage)
{
    char name[32];
    double bytes = vl_oracle_state_bytes(stage, vl_bag_real(inputs, "parameters"),
                                         (int)vl_bag_int(inputs, "ranks"));
    snprintf(name, sizeof name, "state_bytes_%d", stage);
    return vl_bag_set_int(expected, name, (int64_t)bytes) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_state_1)
{
    return state(expected, inputs, 1);
}

VL_TRUTH(predict_state_2)
{
    return state(expected, inputs, 2);
}

VL_TRUTH(predict_state_3)
{
    return state(expected, inputs, 3);
}

VL_TRUTH(predict_sent_3)
{
    double elements = vl_oracle_sent_elements(3, vl_bag_real(inputs, "parameters"),
                                              (int)vl_bag_int(inputs, "ranks"));
    int64_t bytes = (int64_t)(elements * (double)sizeof(float));
    return vl_bag_set_int(expected, "sent_bytes_3", bytes) ? VL_OK : VL_ENOMEM;
}
