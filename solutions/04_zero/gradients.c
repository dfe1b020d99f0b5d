/*
 * Lab 04, station 3, finished: gradients that no rank keeps whole.
 *
 * A buffer of gradients goes through three states:
 *
 *     free             adding = 0
 *     added to         adding = unit + 1, flight[unit] = NULL      from 'gradients' to 'ready'
 *     on its way       adding = unit + 1, flight[unit] under way   until its chunk has arrived
 *
 * Each unit has a tag of its own; those of the weights on loan (parameters.c) follow after them.
 */
#include "vialata/zero.h"

#include <string.h>

static float *buffer_at(const struct vl_zero *zero, size_t buffer)
{
    size_t largest = 0;
    for (size_t unit = 0; unit < zero->unit_count; unit++)
        if (zero->units[unit + 1] - zero->units[unit] > largest)
            largest = zero->units[unit + 1] - zero->units[unit];
    return zero->lent_gradients + buffer * largest;
}

/* Wait for the unit in this buffer, add its chunk to the shard, and free the buffer. */
static enum vl_status land(struct vl_zero *zero, size_t buffer)
{
    size_t unit = zero->adding[buffer] - 1;
    enum vl_status status = vl_transfer_finish(zero->flight[unit]);
    zero->flight[unit] = NULL;
    zero->adding[buffer] = 0;
    struct vl_piece piece;
    if (status == VL_OK)
        status =
            vl_shard_piece(&piece, zero->units, zero->unit_count, unit, zero->rank, zero->ranks);
    if (status != VL_OK)
        return status;
    const float *sum = buffer_at(zero, buffer) + (piece.first - zero->units[unit]);
    float *shard = zero->gradients + piece.place;
    for (size_t i = 0; i < piece.count; i++)
        shard[i] += sum[i];
    return VL_OK;
}

static int on_its_way(const struct vl_zero *zero, size_t buffer)
{
    return zero->adding[buffer] > 0 && zero->flight[zero->adding[buffer] - 1] != NULL;
}

/*
 * Take the buffer whose turn it is, and empty it first. Never the other one, even if that is free
 * here: which transfers are complete differs between ranks, and a rank that went on would wait in
 * its next gather for a rank that waits here for it. In turn, all ranks wait for the same unit at
 * the same place.
 */
static enum vl_status take_buffer(struct vl_zero *zero, size_t unit, size_t *taken)
{
    enum vl_status status = VL_OK;
    size_t buffer = zero->turn[1];
    if (zero->adding[1 - buffer] == unit + 1) /* a model of one unit has only one transfer */
        status = on_its_way(zero, 1 - buffer) ? land(zero, 1 - buffer) : VL_EINVAL;
    if (status == VL_OK && zero->adding[buffer] > 0)
        status = on_its_way(zero, buffer) ? land(zero, buffer) : VL_EINVAL;
    if (status != VL_OK)
        return status;
    zero->adding[buffer] = unit + 1;
    zero->turn[1] = 1 - buffer;
    *taken = buffer;
    return VL_OK;
}

enum vl_status vl_zero_gradients(void *context, size_t unit, float **gradients)
{
    struct vl_zero *zero = context;
    if (zero == NULL || gradients == NULL || unit >= zero->unit_count)
        return VL_EINVAL;
    if (zero->stage == 1) {
        *gradients = zero->gradients + zero->units[unit];
        return VL_OK;
    }
    size_t buffer;
    enum vl_status status = take_buffer(zero, unit, &buffer);
    if (status != VL_OK)
        return status;
    *gradients = buffer_at(zero, buffer);
    size_t n = zero->units[unit + 1] - zero->units[unit];
    if (n > 0)
        memset(*gradients, 0, n * sizeof **gradients);
    return VL_OK;
}

enum vl_status vl_zero_ready(void *context, size_t unit)
{
    struct vl_zero *zero = context;
    if (zero == NULL || unit >= zero->unit_count || zero->flight[unit] != NULL)
        return VL_EINVAL;
    size_t n = zero->units[unit + 1] - zero->units[unit];
    if (zero->stage == 1) /* the sum stays where it is formed */
        return vl_reduce_scatter_start(&zero->flight[unit], zero->comm,
                                       zero->gradients + zero->units[unit], n, (int)unit);

    size_t buffer = zero->adding[0] == unit + 1 ? 0 : 1;
    if (zero->adding[buffer] != unit + 1)
        return VL_EINVAL;
    enum vl_status status = vl_reduce_scatter_start(&zero->flight[unit], zero->comm,
                                                    buffer_at(zero, buffer), n, (int)unit);
    if (status == VL_OK && zero->flight[unit] == NULL) /* there was nothing to send */
        status = land(zero, buffer);
    return status;
}

static enum vl_status poll_unit(struct vl_zero *zero, size_t unit, int *done)
{
    *done = 0;
    return zero->flight[unit] == NULL ? VL_OK : vl_transfer_poll(zero->flight[unit], done);
}

enum vl_status vl_zero_poll(void *context)
{
    struct vl_zero *zero = context;
    if (zero == NULL)
        return VL_EINVAL;
    int done;
    enum vl_status status = vl_transfer_poll(zero->coming, &done);
    for (size_t unit = 0; zero->stage == 1 && unit < zero->unit_count && status == VL_OK; unit++)
        status = poll_unit(zero, unit, &done);
    for (size_t buffer = 0; zero->stage > 1 && buffer < 2 && status == VL_OK; buffer++) {
        if (!on_its_way(zero, buffer))
            continue;
        status = poll_unit(zero, zero->adding[buffer] - 1, &done);
        if (status == VL_OK && done)
            status = land(zero, buffer);
    }
    return status;
}

enum vl_status vl_zero_finish(struct vl_zero *zero)
{
    if (zero == NULL)
        return VL_EINVAL;
    enum vl_status status = VL_OK;
    if (zero->stage > 1) {
        for (size_t buffer = 0; buffer < 2 && status == VL_OK; buffer++)
            if (on_its_way(zero, buffer))
                status = land(zero, buffer);
        return status;
    }
    for (size_t unit = zero->unit_count; unit > 0 && status == VL_OK; unit--) {
        status = vl_transfer_finish(zero->flight[unit - 1]);
        zero->flight[unit - 1] = NULL;
    }
    return status;
}
