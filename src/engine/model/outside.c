#include "engine/model/outside.h"

#include "engine/check.h"
#include "vialata/collectives.h"
#include "vialata/rmsnorm.h"

static size_t tokens_of(const struct vl_block_size *size)
{
    return size->batch * size->sequence;
}

static size_t own_at(const struct vl_block_size *size)
{
    return size->own_first * size->width;
}

static int shared_out(const struct vl_block_size *size)
{
    return size->tensor != NULL && size->tensor->sequence;
}

/* What a submission says it keeps is memory to be taken: at least this rank's own rows. */
enum vl_status vl_outside_share(struct vl_block_size *size, const struct vl_tensor_group *tensor)
{
    size_t n = tokens_of(size);
    size->tensor = tensor;
    size->own_first = 0;
    size->own = size->kept = n;
    if (!shared_out(size))
        return VL_OK;
    if (n % (size_t)tensor->ranks != 0)
        return VL_ESHAPE;
    VL_CHECK(vl_chunk(&size->own_first, &size->own, n, tensor->rank, tensor->ranks));
    VL_CHECK(vl_tensor_kept_rows(&size->kept, n, tensor));
    return size->kept >= size->own && size->kept <= n ? VL_OK : VL_EINVAL;
}

/* ---- forward ---- */

/* Where an input is whole: in its own memory, if all of it is kept. */
static float *whole_of(float *kept, const struct vl_block_size *size)
{
    return size->kept == tokens_of(size) ? kept : size->whole;
}

static enum vl_status enter(float *whole, float *kept, const struct vl_block_size *size)
{
    size_t n = tokens_of(size);
    if (size->tensor == NULL)
        return VL_OK;
    return whole == kept ? vl_tensor_enter_forward(whole, n, size->width, size->tensor)
                         : vl_tensor_input_forward(whole, kept, n, size->width, size->tensor);
}

enum vl_status vl_outside_input(const float **whole, float *kept, float *inv_rms, const float *x,
                                const float *gain, const struct vl_block_size *size)
{
    float *in = whole_of(kept, size);
    *whole = in;
    VL_CHECK(vl_rmsnorm_forward(in + own_at(size), inv_rms, x, gain, size->own, size->width));
    VL_CHECK(vl_block_poll(size->hooks));
    return enter(in, kept, size);
}

enum vl_status vl_outside_input_again(const float **whole, float *kept,
                                      const struct vl_block_size *size)
{
    float *in = whole_of(kept, size);
    *whole = in;
    return in == kept
               ? VL_OK
               : vl_tensor_input_backward(in, kept, tokens_of(size), size->width, size->tensor);
}

float *vl_outside_sums(float *out, const struct vl_block_size *size)
{
    return shared_out(size) ? size->sums : out;
}

enum vl_status vl_outside_leave(float *out, float *sums, const float *x,
                                const struct vl_block_size *size)
{
    if (size->tensor != NULL)
        VL_CHECK(vl_tensor_leave_forward(sums, tokens_of(size), size->width, size->tensor));
    const float *own = sums + own_at(size);
    for (size_t i = 0; i < size->own * size->width; i++)
        out[i] = own[i] + x[i];
    return VL_OK;
}

/* ---- backward ---- */

enum vl_status vl_outside_leave_backward(float *dy, const struct vl_block_size *size)
{
    return size->tensor == NULL
               ? VL_OK
               : vl_tensor_leave_backward(dy, tokens_of(size), size->width, size->tensor);
}

enum vl_status vl_outside_enter_backward(float *dx, const struct vl_block_size *size)
{
    return size->tensor == NULL
               ? VL_OK
               : vl_tensor_enter_backward(dx, tokens_of(size), size->width, size->tensor);
}

enum vl_status vl_outside_norm_backward_input(float *dx, const float *dout, const float *x,
                                              const float *gain, const float *inv_rms,
                                              const struct vl_block_size *size)
{
    size_t at = own_at(size);
    return vl_rmsnorm_backward_input(dx + at, dout + at, x, gain, inv_rms, size->own, size->width);
}

enum vl_status vl_outside_norm_backward_weight(float *dgain, const float *dout, const float *x,
                                               const float *inv_rms,
                                               const struct vl_block_size *size)
{
    return vl_rmsnorm_backward_weight(dgain, dout + own_at(size), x, inv_rms, size->own,
                                      size->width);
}

void vl_outside_add(float *sum, const float *dx, const struct vl_block_size *size)
{
    size_t first = own_at(size), n = size->own * size->width;
    for (size_t i = 0; i < n; i++)
        sum[first + i] += dx[first + i];
}
