/*
 * Lab 04, station 2, finished: the norm and the update, when each rank has a shard.
 *
 * What a rank keeps whole is addressed by piece.first, what it keeps as a shard by piece.place.
 */
#include "vialata/zero.h"

#include <math.h>
#include <stdlib.h>

static const float *own_gradients(const struct vl_zero *zero, const struct vl_piece *piece)
{
    return zero->gradients + (zero->stage == 1 ? piece->first : piece->place);
}

/* The sum of squares of this rank's chunk of every unit: the inner loop of vl_chunked_norm, in the
 * same order, so the bits are the same too. */
static enum vl_status own_squares(double *squares, const struct vl_zero *zero)
{
    for (size_t unit = 0; unit < zero->unit_count; unit++) {
        struct vl_piece piece;
        enum vl_status status =
            vl_shard_piece(&piece, zero->units, zero->unit_count, unit, zero->rank, zero->ranks);
        if (status != VL_OK)
            return status;
        const float *chunk = own_gradients(zero, &piece);
        double own = 0.0;
        for (size_t i = 0; i < piece.count; i++)
            own += (double)chunk[i] * (double)chunk[i];
        squares[unit] = own;
    }
    return VL_OK;
}

enum vl_status vl_zero_norm(double *norm, const struct vl_zero *zero)
{
    if (norm == NULL || zero == NULL || zero->unit_count == 0)
        return VL_EINVAL;
    /* squares (P, units): P rows of equal length, so chunk r of the whole is row r. A few
     * kilobytes, once a step. */
    size_t width = zero->unit_count, n = (size_t)zero->ranks * width;
    double *squares = malloc(n * sizeof *squares);
    if (squares == NULL)
        return VL_ENOMEM;
    struct vl_transfer *transfer = NULL;
    enum vl_status status = own_squares(squares + (size_t)zero->rank * width, zero);
    if (status == VL_OK)
        status = vl_all_gather_start(&transfer, zero->comm, squares, n, sizeof *squares, 0);
    if (status == VL_OK)
        status = vl_transfer_finish(transfer);
    if (status == VL_OK) {
        double sum = 0.0;
        for (size_t unit = 0; unit < width; unit++)
            for (size_t r = 0; r < (size_t)zero->ranks; r++)
                sum += squares[r * width + unit];
        *norm = sqrt(sum);
    }
    free(squares);
    return status;
}

/* AdamW on this rank's chunk of a unit, tensor by tensor. Where a chunk cuts through a tensor, only
 * the part that is in both is updated. */
static enum vl_status update_piece(struct vl_zero *zero, const struct vl_piece *piece,
                                   const struct vl_adamw *settings, float scale, uint64_t step)
{
    float *weights = zero->weights + (zero->stage == 3 ? piece->place : piece->first);
    const float *gradients = own_gradients(zero, piece);
    float *m = zero->m + piece->place, *v = zero->v + piece->place;
    size_t piece_end = piece->first + piece->count;

    for (size_t i = 0; i < zero->tensor_count; i++) {
        const struct vl_tensor *tensor = &zero->tensors[i];
        size_t begin = tensor->offset, end = tensor->offset + tensor->rows * tensor->cols;
        if (begin < piece->first)
            begin = piece->first;
        if (end > piece_end)
            end = piece_end;
        if (begin >= end)
            continue;
        struct vl_adamw own = *settings;
        if (!tensor->decays)
            own.weight_decay = 0.0f;
        size_t at = begin - piece->first;
        enum vl_status status = vl_adamw_update(weights + at, m + at, v + at, gradients + at, scale,
                                                &own, step, end - begin);
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}

/* The all-gather of a unit's weights starts as soon as its chunk is new, and the next chunk is
 * computed meanwhile. Nothing else is under way between two backwards, so 'flight' is free. */
enum vl_status vl_zero_update(struct vl_zero *zero, const struct vl_adamw *settings, float scale,
                              uint64_t step)
{
    if (zero == NULL || settings == NULL || step == 0)
        return VL_EINVAL;
    const size_t *units = zero->units;
    for (size_t unit = 0; unit < zero->unit_count; unit++) {
        struct vl_piece piece;
        enum vl_status status =
            vl_shard_piece(&piece, units, zero->unit_count, unit, zero->rank, zero->ranks);
        if (status == VL_OK)
            status = update_piece(zero, &piece, settings, scale, step);
        if (status == VL_OK && zero->stage < 3)
            status = vl_all_gather_start(&zero->flight[unit], zero->comm,
                                         zero->weights + units[unit], units[unit + 1] - units[unit],
                                         sizeof *zero->weights, (int)unit);
        if (status != VL_OK)
            return status;
    }
    for (size_t unit = 0; zero->stage < 3 && unit < zero->unit_count; unit++) {
        enum vl_status status = vl_transfer_finish(zero->flight[unit]);
        zero->flight[unit] = NULL;
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}
