#include "engine/block.h"

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

enum { SAVED_PARTS = 9, PENDING_PARTS = 8 };

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
    const struct part filled[PENDING_PARTS] = {
        {&p->active, n * z->ff},       {&p->gate_up, n * 2 * z->ff},
        {&p->ff_normed, n * d},        {&p->mid, n * d},
        {&p->attention, n * inner},    {&p->qkv, n * 3 * inner},
        {&p->attention_normed, n * d}, {&p->scores, z->sequence * z->sequence},
    };
    for (size_t i = 0; i < PENDING_PARTS; i++)
        parts[i] = filled[i];
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
    return measure(parts, SAVED_PARTS);
}

enum vl_status vl_block_saved_take(struct vl_block_saved *saved, struct vl_arena *arena,
                                   const struct vl_block_size *size)
{
    struct part parts[SAVED_PARTS];
    saved_parts(parts, saved, size);
    saved->probs = NULL;
    return take(parts, SAVED_PARTS, arena);
}

size_t vl_block_pending_bytes(const struct vl_block_size *size)
{
    struct vl_block_pending pending;
    struct part parts[PENDING_PARTS];
    pending_parts(parts, &pending, size);
    return measure(parts, PENDING_PARTS);
}

enum vl_status vl_block_pending_take(struct vl_block_pending *pending, struct vl_arena *arena,
                                     const struct vl_block_size *size)
{
    struct part parts[PENDING_PARTS];
    pending_parts(parts, pending, size);
    return take(parts, PENDING_PARTS, arena);
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

static void add_to(float *sum, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += x[i];
}

enum vl_status vl_block_attention(struct vl_block_saved *s, const struct vl_block_size *z)
{
    return vl_attention_forward(s->attention, s->probs, s->qkv, z->batch, z->sequence, z->heads,
                                z->head_width);
}

enum vl_status vl_block_forward(float *out, struct vl_block_saved *s, const float *x,
                                const struct vl_block_weights *w, const struct vl_block_size *z)
{
    size_t n = z->batch * z->sequence, d = z->width, inner = z->heads * z->head_width;
    VL_STEP(
        vl_rmsnorm_forward(s->attention_normed, s->attention_inv_rms, x, w->attention_gain, n, d));
    VL_STEP(vl_linear_forward(s->qkv, s->attention_normed, w->qkv, n, d, 3 * inner));
    VL_STEP(vl_rotary_forward(s->qkv, z->rotary, z->batch, z->sequence, z->heads, z->head_width));
    VL_STEP(vl_block_attention(s, z));
    VL_STEP(vl_linear_forward(s->mid, s->attention, w->o, n, inner, d));
    add_to(s->mid, x, n * d);

    VL_STEP(vl_rmsnorm_forward(s->ff_normed, s->ff_inv_rms, s->mid, w->ff_gain, n, d));
    VL_STEP(vl_linear_forward(s->gate_up, s->ff_normed, w->gate_up, n, d, 2 * z->ff));
    VL_STEP(vl_swiglu_forward(s->active, s->gate_up, n, z->ff));
    VL_STEP(vl_linear_forward(out, s->active, w->down, n, z->ff, d));
    add_to(out, s->mid, n * d);
    return VL_OK;
}

enum vl_status vl_block_backward_input(float *dx, struct vl_block_pending *p, const float *dy,
                                       const struct vl_block_saved *s, const float *x,
                                       const struct vl_block_weights *w,
                                       const struct vl_block_size *z)
{
    size_t n = z->batch * z->sequence, d = z->width, inner = z->heads * z->head_width;
    VL_STEP(vl_linear_backward_input(p->active, dy, w->down, n, z->ff, d));
    VL_STEP(vl_swiglu_backward_input(p->gate_up, p->active, s->gate_up, n, z->ff));
    VL_STEP(vl_linear_backward_input(p->ff_normed, p->gate_up, w->gate_up, n, d, 2 * z->ff));
    VL_STEP(
        vl_rmsnorm_backward_input(p->mid, p->ff_normed, s->mid, w->ff_gain, s->ff_inv_rms, n, d));
    add_to(p->mid, dy, n * d);

    VL_STEP(vl_linear_backward_input(p->attention, p->mid, w->o, n, inner, d));
    VL_STEP(vl_attention_backward_input(p->qkv, p->scores, p->attention, s->qkv, s->probs, z->batch,
                                        z->sequence, z->heads, z->head_width));
    VL_STEP(vl_rotary_backward_input(p->qkv, z->rotary, z->batch, z->sequence, z->heads,
                                     z->head_width));
    VL_STEP(vl_linear_backward_input(p->attention_normed, p->qkv, w->qkv, n, d, 3 * inner));
    VL_STEP(vl_rmsnorm_backward_input(dx, p->attention_normed, x, w->attention_gain,
                                      s->attention_inv_rms, n, d));
    add_to(dx, p->mid, n * d);
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
    VL_STEP(vl_rmsnorm_backward_weight(g->ff_gain, p->ff_normed, s->mid, s->ff_inv_rms, n, d));
    VL_STEP(vl_linear_backward_weight(g->o, p->mid, s->attention, n, inner, d));
    VL_STEP(vl_linear_backward_weight(g->qkv, p->qkv, s->attention_normed, n, d, 3 * inner));
    VL_STEP(vl_rmsnorm_backward_weight(g->attention_gain, p->attention_normed, x,
                                       s->attention_inv_rms, n, d));
    return VL_OK;
}
