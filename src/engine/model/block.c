#include "engine/model/block.h"

#include "engine/check.h"
#include "vialata/attention.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"
#include "vialata/swiglu.h"

/* One array of a group that is measured first and taken later. */
struct part {
    float **where;
    size_t count;
};

static size_t measure(const struct part *parts, size_t n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += vl_arena_size(parts[i].count, sizeof(float));
    return bytes;
}

static enum vl_status take(const struct part *parts, size_t n, struct vl_arena *arena)
{
    for (size_t i = 0; i < n; i++) {
        *parts[i].where = vl_arena_take(arena, parts[i].count, sizeof(float));
        if (*parts[i].where == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

enum { SAVED_PARTS = 9, PENDING_PARTS = 5, WORKING_PARTS = 3 };

static void saved_parts(struct part parts[SAVED_PARTS], struct vl_block_saved *s,
                        const struct vl_block_size *z)
{
    size_t n = z->batch * z->sequence, d = z->width, inner = z->heads * z->head_width;
    const struct part filled[SAVED_PARTS] = {
        {&s->attention_inv_rms, n}, {&s->attention_normed, n * d},
        {&s->qkv, n * 3 * inner},   {&s->attention, n * inner},
        {&s->mid, n * d},           {&s->ff_inv_rms, n},
        {&s->ff_normed, n * d},     {&s->gate_up, n * 2 * z->ff},
        {&s->active, n * z->ff},
    };
    for (size_t i = 0; i < SAVED_PARTS; i++)
        parts[i] = filled[i];
}

static void pending_parts(struct part parts[PENDING_PARTS], struct vl_block_pending *p,
                          const struct vl_block_size *z)
{
    size_t n = z->batch * z->sequence, d = z->width, inner = z->heads * z->head_width;
    const struct part filled[PENDING_PARTS] = {{&p->gate_up, n * 2 * z->ff},
                                               {&p->ff_normed, n * d},
                                               {&p->mid, n * d},
                                               {&p->qkv, n * 3 * inner},
                                               {&p->attention_normed, n * d}};
    for (size_t i = 0; i < PENDING_PARTS; i++)
        parts[i] = filled[i];
}

static void working_parts(struct part parts[WORKING_PARTS], struct vl_block_pending *p,
                          const struct vl_block_size *z)
{
    size_t n = z->batch * z->sequence;
    parts[0] = (struct part){&p->active, n * z->ff};
    parts[1] = (struct part){&p->attention, n * z->heads * z->head_width};
    parts[2] = (struct part){&p->scores, z->sequence * z->sequence};
}

size_t vl_block_probs(const struct vl_block_size *z)
{
    return z->batch * z->heads * z->sequence * z->sequence;
}

size_t vl_block_rest(const struct vl_block_size *size)
{
    struct vl_block_saved saved;
    struct part parts[SAVED_PARTS];
    size_t count = 0;
    saved_parts(parts, &saved, size);
    for (size_t i = 0; i < SAVED_PARTS; i++)
        count += parts[i].count;
    return count;
}

size_t vl_block_saved_bytes(const struct vl_block_size *size)
{
    struct vl_block_saved saved;
    struct part parts[SAVED_PARTS];
    saved_parts(parts, &saved, size);
    size_t experts = size->experts != NULL ? vl_moe_saved_bytes(size->experts) : 0;
    return measure(parts, SAVED_PARTS) + experts;
}

enum vl_status vl_block_saved_take(struct vl_block_saved *saved, struct vl_arena *arena,
                                   const struct vl_block_size *size)
{
    struct part parts[SAVED_PARTS];
    saved_parts(parts, saved, size);
    saved->probs = NULL;
    if (size->experts != NULL)
        VL_CHECK(vl_moe_saved_take(&saved->moe, arena, size->experts));
    return take(parts, SAVED_PARTS, arena);
}

size_t vl_block_pending_bytes(const struct vl_block_size *size)
{
    struct vl_block_pending pending;
    struct part parts[PENDING_PARTS];
    pending_parts(parts, &pending, size);
    size_t experts = size->experts != NULL ? vl_moe_pending_bytes(size->experts) : 0;
    return measure(parts, PENDING_PARTS) + experts;
}

enum vl_status vl_block_pending_take(struct vl_block_pending *pending, struct vl_arena *arena,
                                     const struct vl_block_size *size)
{
    struct part parts[PENDING_PARTS];
    pending_parts(parts, pending, size);
    if (size->experts != NULL)
        VL_CHECK(vl_moe_pending_take(&pending->moe, arena, size->experts));
    return take(parts, PENDING_PARTS, arena);
}

size_t vl_block_working_bytes(const struct vl_block_size *size)
{
    struct vl_block_pending pending;
    struct part parts[WORKING_PARTS];
    working_parts(parts, &pending, size);
    return measure(parts, WORKING_PARTS);
}

enum vl_status vl_block_working_take(struct vl_block_pending *pending, struct vl_arena *arena,
                                     const struct vl_block_size *size)
{
    struct part parts[WORKING_PARTS];
    working_parts(parts, pending, size);
    return take(parts, WORKING_PARTS, arena);
}

enum vl_status vl_block_poll(const struct vl_unit_hooks *hooks)
{
    return hooks != NULL && hooks->poll != NULL ? hooks->poll(hooks->context) : VL_OK;
}

/* One operation, and then a moment for what is on its way: Open MPI moves messages only while
 * somebody calls it. */
#define VL_STEP(operation)                                                                         \
    do {                                                                                           \
        VL_CHECK(operation);                                                                       \
        VL_CHECK(vl_block_poll(z->hooks));                                                         \
    } while (0)

/* ---- tokens outside of enter and leave ---- */

enum vl_status vl_block_share(struct vl_block_size *z, const struct vl_tensor_group *tensor)
{
    size_t n = z->batch * z->sequence;
    z->tensor = tensor;
    z->own_first = 0;
    z->own = n;
    if (tensor == NULL || !tensor->sequence)
        return VL_OK;
    if (n % (size_t)tensor->ranks != 0)
        return VL_ESHAPE;
    return vl_chunk(&z->own_first, &z->own, n, tensor->rank, tensor->ranks);
}

static size_t own_at(const struct vl_block_size *z)
{
    return z->own_first * z->width;
}

static void add_to(float *sum, const float *x, const struct vl_block_size *z)
{
    size_t first = own_at(z), n = z->own * z->width;
    for (size_t i = 0; i < n; i++)
        sum[first + i] += x[first + i];
}

enum vl_status vl_block_norm(float *out, float *inv_rms, const float *x, const float *gain,
                             const struct vl_block_size *z)
{
    size_t at = own_at(z);
    return vl_rmsnorm_forward(out + at, inv_rms + z->own_first, x + at, gain, z->own, z->width);
}

enum vl_status vl_block_norm_backward_input(float *dx, const float *dout, const float *x,
                                            const float *gain, const float *inv_rms,
                                            const struct vl_block_size *z)
{
    size_t at = own_at(z);
    return vl_rmsnorm_backward_input(dx + at, dout + at, x + at, gain, inv_rms + z->own_first,
                                     z->own, z->width);
}

enum vl_status vl_block_norm_backward_weight(float *dgain, const float *dout, const float *x,
                                             const float *inv_rms, const struct vl_block_size *z)
{
    size_t at = own_at(z);
    return vl_rmsnorm_backward_weight(dgain, dout + at, x + at, inv_rms + z->own_first, z->own,
                                      z->width);
}

enum vl_status vl_block_enter(float *x, const struct vl_block_size *z)
{
    return z->tensor == NULL
               ? VL_OK
               : vl_tensor_enter_forward(x, z->batch * z->sequence, z->width, z->tensor);
}

enum vl_status vl_block_enter_backward(float *dx, const struct vl_block_size *z)
{
    return z->tensor == NULL
               ? VL_OK
               : vl_tensor_enter_backward(dx, z->batch * z->sequence, z->width, z->tensor);
}

static enum vl_status leave(float *y, const struct vl_block_size *z)
{
    return z->tensor == NULL
               ? VL_OK
               : vl_tensor_leave_forward(y, z->batch * z->sequence, z->width, z->tensor);
}

static enum vl_status leave_backward(float *dy, const struct vl_block_size *z)
{
    return z->tensor == NULL
               ? VL_OK
               : vl_tensor_leave_backward(dy, z->batch * z->sequence, z->width, z->tensor);
}

/* ---- the layer ---- */

enum vl_status vl_block_attention(struct vl_block_saved *s, const struct vl_block_size *z)
{
    return vl_attention_forward(s->attention, s->probs, s->qkv, z->batch, z->sequence, z->heads,
                                z->head_width);
}

/* A layer's experts in this visit; backward knows 'pending'. */
static struct vl_moe moe_of(struct vl_block_saved *s, struct vl_block_pending *p,
                            const struct vl_block_weights *w, const struct vl_block_size *z)
{
    return (struct vl_moe){.size = z->experts,
                           .tokens = z->batch * z->sequence,
                           .bias = w->bias,
                           .counts = w->counts,
                           .loss = &w->loss,
                           .against = w->against,
                           .routing = s->routing,
                           .saved = &s->moe,
                           .pending = p != NULL ? &p->moe : NULL,
                           .working = z->moe_working};
}

enum vl_status vl_block_forward(float *out, struct vl_block_saved *s, const float *x,
                                const struct vl_block_weights *w, const struct vl_block_size *z)
{
    size_t n = z->batch * z->sequence, d = z->width, inner = z->heads * z->head_width;
    VL_STEP(vl_block_norm(s->attention_normed, s->attention_inv_rms, x, w->attention_gain, z));
    VL_CHECK(vl_block_enter(s->attention_normed, z));
    VL_STEP(vl_linear_forward(s->qkv, s->attention_normed, w->qkv, n, d, 3 * inner));
    VL_STEP(vl_rotary_forward(s->qkv, z->rotary, z->batch, z->sequence, z->heads, z->head_width));
    VL_STEP(vl_block_attention(s, z));
    VL_STEP(vl_linear_forward(s->mid, s->attention, w->o, n, inner, d));
    VL_CHECK(leave(s->mid, z));
    add_to(s->mid, x, z);

    VL_STEP(vl_block_norm(s->ff_normed, s->ff_inv_rms, s->mid, w->ff_gain, z));
    VL_CHECK(vl_block_enter(s->ff_normed, z));
    VL_STEP(vl_linear_forward(s->gate_up, s->ff_normed, w->gate_up, n, d, 2 * z->ff));
    VL_STEP(vl_swiglu_forward(s->active, s->gate_up, n, z->ff));
    VL_STEP(vl_linear_forward(out, s->active, w->down, n, z->ff, d));
    if (z->experts != NULL) {
        const struct vl_moe moe = moe_of(s, NULL, w, z);
        VL_STEP(vl_moe_forward(out, s->ff_normed, &w->moe, &moe));
    }
    VL_CHECK(leave(out, z));
    add_to(out, s->mid, z);
    return VL_OK;
}

enum vl_status vl_block_backward_input(float *dx, struct vl_block_pending *p, float *dy,
                                       const struct vl_block_saved *s, const float *x,
                                       const struct vl_block_weights *w,
                                       const struct vl_block_size *z)
{
    size_t n = z->batch * z->sequence, d = z->width, inner = z->heads * z->head_width;
    VL_CHECK(leave_backward(dy, z));
    VL_STEP(vl_linear_backward_input(p->active, dy, w->down, n, z->ff, d));
    VL_STEP(vl_swiglu_backward_input(p->gate_up, p->active, s->gate_up, n, z->ff));
    VL_STEP(vl_linear_backward_input(p->ff_normed, p->gate_up, w->gate_up, n, d, 2 * z->ff));
    if (z->experts != NULL) {
        struct vl_block_saved saved = *s;
        const struct vl_moe moe = moe_of(&saved, p, w, z);
        VL_STEP(vl_moe_backward_input(p->ff_normed, dy, &w->moe, &moe));
    }
    VL_CHECK(vl_block_enter_backward(p->ff_normed, z));
    VL_STEP(
        vl_block_norm_backward_input(p->mid, p->ff_normed, s->mid, w->ff_gain, s->ff_inv_rms, z));
    add_to(p->mid, dy, z);

    VL_CHECK(leave_backward(p->mid, z));
    VL_STEP(vl_linear_backward_input(p->attention, p->mid, w->o, n, inner, d));
    VL_STEP(vl_attention_backward_input(p->qkv, p->scores, p->attention, s->qkv, s->probs, z->batch,
                                        z->sequence, z->heads, z->head_width));
    VL_STEP(vl_rotary_backward_input(p->qkv, z->rotary, z->batch, z->sequence, z->heads,
                                     z->head_width));
    VL_STEP(vl_linear_backward_input(p->attention_normed, p->qkv, w->qkv, n, d, 3 * inner));
    VL_CHECK(vl_block_enter_backward(p->attention_normed, z));
    VL_STEP(vl_block_norm_backward_input(dx, p->attention_normed, x, w->attention_gain,
                                         s->attention_inv_rms, z));
    add_to(dx, p->mid, z);
    return VL_OK;
}

enum vl_status vl_block_backward_weight(struct vl_block_weights *g,
                                        const struct vl_block_pending *p, const float *dy,
                                        const struct vl_block_saved *s, const float *x,
                                        const struct vl_block_size *z)
{
    size_t n = z->batch * z->sequence, d = z->width, inner = z->heads * z->head_width;
    VL_STEP(vl_linear_backward_weight(g->down, dy, s->active, n, z->ff, d));
    VL_STEP(vl_linear_backward_weight(g->gate_up, p->gate_up, s->ff_normed, n, d, 2 * z->ff));
    if (z->experts != NULL) {
        struct vl_block_saved saved = *s;
        struct vl_block_pending pending = *p;
        const struct vl_moe moe = moe_of(&saved, &pending, g, z);
        VL_STEP(vl_moe_backward_weight(&g->moe, s->ff_normed, &moe));
    }
    VL_STEP(vl_block_norm_backward_weight(g->ff_gain, p->ff_normed, s->mid, s->ff_inv_rms, z));
    VL_STEP(vl_linear_backward_weight(g->o, p->mid, s->attention, n, inner, d));
    VL_STEP(vl_linear_backward_weight(g->qkv, p->qkv, s->attention_normed, n, d, 3 * inner));
    VL_STEP(vl_block_norm_backward_weight(g->attention_gain, p->attention_normed, x,
                                          s->attention_inv_rms, z));
    return VL_OK;
}
