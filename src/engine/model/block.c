#include "engine/model/block.h"

#include "engine/check.h"
#include "engine/model/outside.h"
#include "vialata/attention.h"
#include "vialata/linear.h"
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
                        const struct vl_block_size *size)
{
    size_t n = size->batch * size->sequence, d = size->width,
           inner = size->heads * size->head_width;
    const struct part filled[SAVED_PARTS] = {
        {&s->attention_inv_rms, size->own}, {&s->attention_normed, size->kept * d},
        {&s->qkv, n * 3 * inner},           {&s->attention, n * inner},
        {&s->mid, size->own * d},           {&s->ff_inv_rms, size->own},
        {&s->ff_normed, size->kept * d},    {&s->gate_up, n * 2 * size->ff},
        {&s->active, n * size->ff},
    };
    for (size_t i = 0; i < SAVED_PARTS; i++)
        parts[i] = filled[i];
}

static void pending_parts(struct part parts[PENDING_PARTS], struct vl_block_pending *p,
                          const struct vl_block_size *size)
{
    size_t n = size->batch * size->sequence, d = size->width,
           inner = size->heads * size->head_width;
    const struct part filled[PENDING_PARTS] = {{&p->gate_up, n * 2 * size->ff},
                                               {&p->ff_normed, n * d},
                                               {&p->mid, n * d},
                                               {&p->qkv, n * 3 * inner},
                                               {&p->attention_normed, n * d}};
    for (size_t i = 0; i < PENDING_PARTS; i++)
        parts[i] = filled[i];
}

static void working_parts(struct part parts[WORKING_PARTS], struct vl_block_pending *p,
                          const struct vl_block_size *size)
{
    size_t n = size->batch * size->sequence;
    parts[0] = (struct part){&p->active, n * size->ff};
    parts[1] = (struct part){&p->attention, n * size->heads * size->head_width};
    parts[2] = (struct part){&p->scores, size->sequence * size->sequence};
}

size_t vl_block_probs(const struct vl_block_size *size)
{
    return size->batch * size->heads * size->sequence * size->sequence;
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

/* One operation, then a poll: Open MPI moves messages in flight only while it is called. */
#define VL_STEP(operation)                                                                         \
    do {                                                                                           \
        VL_CHECK(operation);                                                                       \
        VL_CHECK(vl_block_poll(size->hooks));                                                      \
    } while (0)

/* ---- the layer ---- */

enum vl_status vl_block_attention(struct vl_block_saved *saved, const struct vl_block_size *size)
{
    return vl_attention_forward(saved->attention, saved->probs, saved->qkv, size->batch,
                                size->sequence, size->heads, size->head_width);
}

/* A layer's experts in this visit; 'pending' is NULL in forward. */
static struct vl_moe moe_of(struct vl_block_saved *s, struct vl_block_pending *p,
                            const struct vl_block_weights *w, const struct vl_block_size *size)
{
    return (struct vl_moe){.size = size->experts,
                           .tokens = size->batch * size->sequence,
                           .bias = w->bias,
                           .counts = w->counts,
                           .loss = &w->loss,
                           .against = w->against,
                           .routing = s->routing,
                           .saved = &s->moe,
                           .pending = p != NULL ? &p->moe : NULL,
                           .working = size->moe_working};
}

enum vl_status vl_block_forward(float *out, struct vl_block_saved *saved, const float *x,
                                const struct vl_block_weights *weights,
                                const struct vl_block_size *size)
{
    size_t n = size->batch * size->sequence, d = size->width,
           inner = size->heads * size->head_width;
    const float *in;
    float *sums = vl_outside_sums(saved->mid, size);
    VL_CHECK(vl_outside_input(&in, saved->attention_normed, saved->attention_inv_rms, x,
                              weights->attention_gain, size));
    VL_STEP(vl_linear_forward(saved->qkv, in, weights->qkv, n, d, 3 * inner));
    VL_STEP(vl_rotary_forward(saved->qkv, size->rotary, size->batch, size->sequence, size->heads,
                              size->head_width));
    VL_STEP(vl_block_attention(saved, size));
    VL_STEP(vl_linear_forward(sums, saved->attention, weights->o, n, inner, d));
    VL_CHECK(vl_outside_leave(saved->mid, sums, x, size));

    sums = vl_outside_sums(out, size);
    VL_CHECK(vl_outside_input(&in, saved->ff_normed, saved->ff_inv_rms, saved->mid,
                              weights->ff_gain, size));
    VL_STEP(vl_linear_forward(saved->gate_up, in, weights->gate_up, n, d, 2 * size->ff));
    VL_STEP(vl_swiglu_forward(saved->active, saved->gate_up, n, size->ff));
    VL_STEP(vl_linear_forward(sums, saved->active, weights->down, n, size->ff, d));
    if (size->experts != NULL) {
        const struct vl_moe moe = moe_of(saved, NULL, weights, size);
        VL_STEP(vl_moe_forward(sums, in, &weights->moe, &moe));
    }
    return vl_outside_leave(out, sums, saved->mid, size);
}

enum vl_status vl_block_backward_input(float *dx, struct vl_block_pending *pending, float *dy,
                                       const struct vl_block_saved *saved, const float *x,
                                       const struct vl_block_weights *weights,
                                       const struct vl_block_size *size)
{
    size_t n = size->batch * size->sequence, d = size->width,
           inner = size->heads * size->head_width;
    VL_CHECK(vl_outside_leave_backward(dy, size));
    VL_STEP(vl_linear_backward_input(pending->active, dy, weights->down, n, size->ff, d));
    VL_STEP(
        vl_swiglu_backward_input(pending->gate_up, pending->active, saved->gate_up, n, size->ff));
    VL_STEP(vl_linear_backward_input(pending->ff_normed, pending->gate_up, weights->gate_up, n, d,
                                     2 * size->ff));
    if (size->experts != NULL) {
        struct vl_block_saved with_experts = *saved;
        const struct vl_moe moe = moe_of(&with_experts, pending, weights, size);
        VL_STEP(vl_moe_backward_input(pending->ff_normed, dy, &weights->moe, &moe));
    }
    VL_CHECK(vl_outside_enter_backward(pending->ff_normed, size));
    VL_STEP(vl_outside_norm_backward_input(pending->mid, pending->ff_normed, saved->mid,
                                           weights->ff_gain, saved->ff_inv_rms, size));
    vl_outside_add(pending->mid, dy, size);

    VL_CHECK(vl_outside_leave_backward(pending->mid, size));
    VL_STEP(vl_linear_backward_input(pending->attention, pending->mid, weights->o, n, inner, d));
    VL_STEP(vl_attention_backward_input(pending->qkv, pending->scores, pending->attention,
                                        saved->qkv, saved->probs, size->batch, size->sequence,
                                        size->heads, size->head_width));
    VL_STEP(vl_rotary_backward_input(pending->qkv, size->rotary, size->batch, size->sequence,
                                     size->heads, size->head_width));
    VL_STEP(vl_linear_backward_input(pending->attention_normed, pending->qkv, weights->qkv, n, d,
                                     3 * inner));
    VL_CHECK(vl_outside_enter_backward(pending->attention_normed, size));
    VL_STEP(vl_outside_norm_backward_input(
        dx, pending->attention_normed, x, weights->attention_gain, saved->attention_inv_rms, size));
    vl_outside_add(dx, pending->mid, size);
    return VL_OK;
}

enum vl_status vl_block_backward_weight(struct vl_block_weights *gradients,
                                        const struct vl_block_pending *pending, const float *dy,
                                        const struct vl_block_saved *saved, const float *x,
                                        const struct vl_block_size *size)
{
    size_t n = size->batch * size->sequence, d = size->width,
           inner = size->heads * size->head_width;
    const float *in;
    VL_STEP(vl_linear_backward_weight(gradients->down, dy, saved->active, n, size->ff, d));
    VL_CHECK(vl_outside_input_again(&in, saved->ff_normed, size));
    VL_STEP(
        vl_linear_backward_weight(gradients->gate_up, pending->gate_up, in, n, d, 2 * size->ff));
    if (size->experts != NULL) {
        struct vl_block_saved with_experts = *saved;
        struct vl_block_pending experts_pending = *pending;
        const struct vl_moe moe = moe_of(&with_experts, &experts_pending, gradients, size);
        VL_STEP(vl_moe_backward_weight(&gradients->moe, in, &moe));
    }
    VL_STEP(vl_outside_norm_backward_weight(gradients->ff_gain, pending->ff_normed, saved->mid,
                                            saved->ff_inv_rms, size));
    VL_STEP(vl_linear_backward_weight(gradients->o, pending->mid, saved->attention, n, inner, d));
    VL_CHECK(vl_outside_input_again(&in, saved->attention_normed, size));
    VL_STEP(vl_linear_backward_weight(gradients->qkv, pending->qkv, in, n, d, 3 * inner));
    VL_STEP(vl_outside_norm_backward_weight(gradients->attention_gain, pending->attention_normed, x,
                                            saved->attention_inv_rms, size));
    return VL_OK;
}
