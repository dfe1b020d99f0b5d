/*
 * Lab 04, station 4, finished: parameters on loan. A unit's weights are whole in a buffer only
 * while the unit is used, or about to be.
 *
 * A buffer of weights goes through three states:
 *
 *     free       lent = 0
 *     coming     lent = unit + 1, ahead = unit + 1      from 'prefetch' to 'borrow'
 *     in use     lent = unit + 1                        from 'borrow' to 'give_back'
 */
#include "vialata/zero.h"

#include <string.h>

static float *buffer_at(const struct vl_zero *zero, size_t buffer)
{
    size_t largest = 0;
    for (size_t unit = 0; unit < zero->unit_count; unit++)
        if (zero->units[unit + 1] - zero->units[unit] > largest)
            largest = zero->units[unit + 1] - zero->units[unit];
    return zero->lent_weights + buffer * largest;
}

/* This rank's chunk goes to its place in the buffer; the ring brings the others. Gradients have the
 * units' numbers as tags; these tags follow after them, since both may be under way at once. */
static enum vl_status gather(struct vl_transfer **transfer, const struct vl_zero *zero, size_t unit,
                             float *buffer)
{
    struct vl_piece piece;
    enum vl_status status =
        vl_shard_piece(&piece, zero->units, zero->unit_count, unit, zero->rank, zero->ranks);
    if (status != VL_OK)
        return status;
    if (piece.count > 0)
        memcpy(buffer + (piece.first - zero->units[unit]), zero->weights + piece.place,
               piece.count * sizeof *buffer);
    return vl_all_gather_start(transfer, zero->comm, buffer,
                               zero->units[unit + 1] - zero->units[unit], sizeof *buffer,
                               (int)(zero->unit_count + unit));
}

/* Take a free buffer for the unit and start to fill it. */
static enum vl_status begin_loan(struct vl_zero *zero, size_t unit, struct vl_transfer **transfer,
                                 size_t *taken)
{
    size_t buffer = zero->turn[0];
    if (zero->lent[buffer] > 0)
        buffer = 1 - buffer;
    if (zero->lent[buffer] > 0)
        return VL_EINVAL;
    enum vl_status status = gather(transfer, zero, unit, buffer_at(zero, buffer));
    if (status != VL_OK)
        return status;
    zero->lent[buffer] = unit + 1;
    zero->turn[0] = 1 - buffer;
    *taken = buffer;
    return VL_OK;
}

/* The gather of the unit that was fetched ahead is now the borrower's to wait for. */
static size_t claim_ahead(struct vl_zero *zero, struct vl_transfer **transfer)
{
    size_t buffer = zero->lent[0] == zero->ahead ? 0 : 1;
    *transfer = zero->coming;
    zero->coming = NULL;
    zero->ahead = 0;
    return buffer;
}

enum vl_status vl_zero_borrow(void *context, size_t unit, const float **weights)
{
    struct vl_zero *zero = context;
    if (zero == NULL || weights == NULL || unit >= zero->unit_count)
        return VL_EINVAL;
    if (zero->stage < 3) {
        *weights = zero->weights + zero->units[unit];
        return VL_OK;
    }
    struct vl_transfer *transfer = NULL;
    enum vl_status status = VL_OK;
    size_t buffer;
    if (zero->ahead == unit + 1)
        buffer = claim_ahead(zero, &transfer);
    else
        status = begin_loan(zero, unit, &transfer, &buffer);
    if (status == VL_OK)
        status = vl_transfer_finish(transfer);
    if (status == VL_OK)
        *weights = buffer_at(zero, buffer);
    return status;
}

enum vl_status vl_zero_give_back(void *context, size_t unit)
{
    struct vl_zero *zero = context;
    if (zero == NULL || unit >= zero->unit_count)
        return VL_EINVAL;
    if (zero->stage < 3)
        return VL_OK; /* it was here all the time */
    if (zero->ahead == unit + 1)
        return VL_EINVAL; /* its gather still writes to the buffer */
    for (size_t buffer = 0; buffer < 2; buffer++) {
        if (zero->lent[buffer] == unit + 1) {
            zero->lent[buffer] = 0;
            return VL_OK;
        }
    }
    return VL_EINVAL;
}

enum vl_status vl_zero_prefetch(void *context, size_t unit)
{
    struct vl_zero *zero = context;
    if (zero == NULL || unit >= zero->unit_count)
        return VL_EINVAL;
    if (zero->stage < 3)
        return VL_OK; /* it is here all the time */
    if (zero->ahead > 0)
        return VL_EINVAL;
    size_t buffer;
    enum vl_status status = begin_loan(zero, unit, &zero->coming, &buffer);
    if (status == VL_OK)
        zero->ahead = unit + 1;
    return status;
}
