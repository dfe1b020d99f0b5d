#include "engine/experts/moe.h"

#include "engine/check.h"
#include "vialata/expert_balance.h"
#include "vialata/linear.h"

#include <math.h>
#include <string.h>

/* ---- memory ---- */

struct part {
    void **where;
    size_t count, element;
};

static size_t measure(const struct part *parts, size_t n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += vl_arena_size(parts[i].count, parts[i].element);
    return bytes;
}

static enum vl_status take(const struct part *parts, size_t n, struct vl_arena *arena)
{
    for (size_t i = 0; i < n; i++) {
        *parts[i].where = vl_arena_take(arena, parts[i].count, parts[i].element);
        if (*parts[i].where == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

enum vl_status vl_moe_check(const struct vl_moe_size *size)
{
    const struct vl_router_groups *groups = &size->groups;
    if (size->ranks < 1 || size->chosen < 1 || size->chosen > size->experts)
        return VL_EINVAL;
    if (groups->count > 0 && size->experts % groups->count != 0)
        return VL_ESHAPE;
    if (groups->count > 0 && (groups->limit < 1 || groups->limit > groups->count ||
                              size->chosen > groups->limit * (size->experts / groups->count)))
        return VL_EINVAL;
    return size->experts % (size_t)size->ranks == 0 ? VL_OK : VL_ESHAPE;
}

static size_t own_experts(const struct vl_moe_size *s)
{
    return s->experts / (size_t)s->ranks;
}

/* A token brings at most one row for each expert here that it may choose. */
static size_t most_rows(const struct vl_moe_size *s)
{
    size_t each = s->chosen < own_experts(s) ? s->chosen : own_experts(s);
    return s->tokens * (size_t)s->ranks * each;
}

#define AT(pointer) ((void **)(void *)&(pointer))

enum { ROUTING_PARTS = 7, SAVED_PARTS = 4, PENDING_PARTS = 4, WORKING_PARTS = 7 };

static void routing_parts(struct part p[ROUTING_PARTS], struct vl_moe_routing *r,
                          const struct vl_moe_size *s)
{
    size_t choices = s->tokens * s->chosen;
    p[0] = (struct part){AT(r->affinity), s->tokens * s->experts, sizeof(float)};
    p[1] = (struct part){AT(r->chosen), choices, sizeof(int32_t)};
    p[2] = (struct part){AT(r->weights), choices, sizeof(float)};
    p[3] = (struct part){AT(r->order), choices, sizeof(size_t)};
    p[4] = (struct part){AT(r->counts), s->experts, sizeof(size_t)};
    p[5] = (struct part){AT(r->arriving), s->experts, sizeof(size_t)};
    p[6] = (struct part){AT(r->rows_of), own_experts(s), sizeof(size_t)};
}

static void saved_parts(struct part p[SAVED_PARTS], struct vl_moe_saved *saved,
                        const struct vl_moe_size *s)
{
    size_t rows = most_rows(s);
    p[0] = (struct part){AT(saved->rows), rows * s->width, sizeof(float)};
    p[1] = (struct part){AT(saved->opened), rows * 2 * s->ff, sizeof(float)};
    p[2] = (struct part){AT(saved->active), rows * s->ff, sizeof(float)};
    p[3] = (struct part){AT(saved->returned), s->tokens * s->chosen * s->width, sizeof(float)};
}

static void pending_parts(struct part p[PENDING_PARTS], struct vl_moe_pending *pending,
                          const struct vl_moe_size *s)
{
    size_t rows = most_rows(s);
    p[0] = (struct part){AT(pending->dout), rows * s->width, sizeof(float)};
    p[1] = (struct part){AT(pending->dopened), rows * 2 * s->ff, sizeof(float)};
    p[2] = (struct part){AT(pending->dlogits), s->tokens * s->experts, sizeof(float)};
    p[3] = (struct part){AT(pending->dparts), s->measured ? 2 * s->tokens * s->experts : 0,
                         sizeof(float)};
}

static void working_parts(struct part p[WORKING_PARTS], struct vl_moe_working *w,
                          const struct vl_moe_size *s)
{
    size_t rows = most_rows(s), choices = s->tokens * s->chosen;
    p[0] = (struct part){AT(w->logits), s->tokens * s->experts, sizeof(float)};
    p[1] = (struct part){AT(w->out), rows * s->width, sizeof(float)};
    p[2] = (struct part){AT(w->dactive), rows * s->ff, sizeof(float)};
    p[3] = (struct part){AT(w->leaving), choices * s->width, sizeof(float)};
    p[4] = (struct part){AT(w->landing), rows * s->width, sizeof(float)};
    p[5] = (struct part){AT(w->dweights), choices, sizeof(float)};
    p[6] = (struct part){AT(w->dx), s->tokens * s->width, sizeof(float)};
}

#define MEMORY(name, PARTS)                                                                        \
    size_t vl_moe_##name##_bytes(const struct vl_moe_size *size)                                   \
    {                                                                                              \
        struct vl_moe_##name it;                                                                   \
        struct part parts[PARTS];                                                                  \
        name##_parts(parts, &it, size);                                                            \
        return measure(parts, PARTS);                                                              \
    }                                                                                              \
    enum vl_status vl_moe_##name##_take(struct vl_moe_##name *it, struct vl_arena *arena,          \
                                        const struct vl_moe_size *size)                            \
    {                                                                                              \
        struct part parts[PARTS];                                                                  \
        name##_parts(parts, it, size);                                                             \
        return take(parts, PARTS, arena);                                                          \
    }
MEMORY(routing, ROUTING_PARTS)
MEMORY(saved, SAVED_PARTS)
MEMORY(pending, PENDING_PARTS)
MEMORY(working, WORKING_PARTS)

/* ---- the layer's experts ---- */

static struct vl_routing routing_of(const struct vl_moe *m)
{
    return (struct vl_routing){m->tokens, m->size->experts, m->size->chosen, m->size->scale};
}

static struct vl_dispatch dispatch_of(const struct vl_moe *m)
{
    const struct vl_moe_size *s = m->size;
    const struct vl_moe_routing *r = m->routing;
    return (struct vl_dispatch){.comm = s->comm,
                                .rank = s->rank,
                                .ranks = s->ranks,
                                .experts = s->experts,
                                .chosen = s->chosen,
                                .width = s->width,
                                .tokens = m->tokens,
                                .room = most_rows(s),
                                .order = r->order,
                                .counts = r->counts,
                                .arriving = r->arriving,
                                .rows_of = r->rows_of,
                                .rows = r->rows,
                                .leaving = m->working->leaving,
                                .landing = m->working->landing};
}

static struct vl_experts experts_of(const struct vl_moe *m, const struct vl_moe_weights *w)
{
    const struct vl_moe_size *s = m->size;
    return (struct vl_experts){own_experts(s), m->routing->rows_of, s->width,
                               s->ff,          w->gate_up,          w->down};
}

/* Replace NaN by zero. Were there any? */
static int clean(float *logits, size_t n)
{
    int any = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(logits[i]))
            continue;
        logits[i] = 0.0f;
        any = 1;
    }
    return any;
}

/* A router refuses NaN, which would end this rank alone, so it is given zeros. The weights become
 * NaN, then the loss, and all ranks find out in the same step. */
static enum vl_status choose(const struct vl_moe *m, const struct vl_routing *routing)
{
    const struct vl_moe_routing *r = m->routing;
    float *logits = m->working->logits;
    int lost = clean(logits, routing->tokens * routing->experts);
    const struct vl_router_groups *groups = &m->size->groups;
    VL_CHECK(groups->count > 0
                 ? vl_router_limited(r->affinity, r->chosen, r->weights, logits, m->bias, routing,
                                     groups)
                 : vl_router_forward(r->affinity, r->chosen, r->weights, logits, m->bias, routing));
    for (size_t i = 0; lost && i < routing->tokens * routing->chosen; i++)
        r->weights[i] = NAN;
    return VL_OK;
}

static enum vl_status route(const float *x, const struct vl_moe_weights *w, const struct vl_moe *m)
{
    const struct vl_moe_size *s = m->size;
    struct vl_moe_routing *r = m->routing;
    const struct vl_routing routing = routing_of(m);
    struct vl_dispatch dispatch = dispatch_of(m);
    VL_CHECK(vl_linear_forward(m->working->logits, x, w->router, m->tokens, s->width, s->experts));
    VL_CHECK(choose(m, &routing));
    VL_CHECK(vl_dispatch_plan(&dispatch, r->chosen));
    if (m->counts != NULL)
        VL_CHECK(vl_load_add(m->counts, r->chosen, &routing));
    if (m->loss != NULL)
        VL_CHECK(vl_moe_loss_forward(m->loss, r->affinity, r->chosen, &routing));
    r->rows = dispatch.rows;
    r->planned = 1;
    return VL_OK;
}

enum vl_status vl_moe_forward(float *y, const float *x, const struct vl_moe_weights *weights,
                              const struct vl_moe *moe)
{
    struct vl_moe_saved *saved = moe->saved;
    if (!moe->routing->planned)
        VL_CHECK(route(x, weights, moe));
    struct vl_dispatch dispatch = dispatch_of(moe);
    const struct vl_experts experts = experts_of(moe, weights);
    VL_CHECK(vl_dispatch_forward(saved->rows, x, &dispatch));
    VL_CHECK(
        vl_experts_forward(moe->working->out, saved->opened, saved->active, saved->rows, &experts));
    return vl_combine_forward(y, saved->returned, moe->working->out, moe->routing->weights,
                              &dispatch);
}

/* Add the auxiliary loss's gradient of the router's logits to the language model's: at place 0
 * only, since the places' parts are summed. */
static enum vl_status balance(const struct vl_moe *m, const struct vl_routing *routing)
{
    const struct vl_moe_routing *r = m->routing;
    struct vl_moe_pending *p = m->pending;
    size_t n = m->tokens * m->size->experts;
    if (m->size->measured) {
        memset(p->dparts, 0, n * sizeof *p->dparts);
        memcpy(p->dparts + n, p->dlogits, n * sizeof *p->dparts);
    }
    if (m->loss == NULL || m->size->place > 0)
        return VL_OK;
    if (!m->size->measured)
        return vl_moe_loss_backward(p->dlogits, m->loss, r->affinity, r->chosen, m->counts,
                                    routing);
    VL_CHECK(vl_moe_loss_backward(p->dparts, m->loss, r->affinity, r->chosen, m->counts, routing));
    for (size_t i = 0; i < n; i++)
        p->dlogits[i] += p->dparts[i];
    return VL_OK;
}

enum vl_status vl_moe_backward_input(float *dx, const float *dy,
                                     const struct vl_moe_weights *weights, const struct vl_moe *moe)
{
    const struct vl_moe_size *s = moe->size;
    const struct vl_moe_routing *r = moe->routing;
    const struct vl_moe_working *work = moe->working;
    struct vl_moe_pending *p = moe->pending;
    const struct vl_routing routing = routing_of(moe);
    struct vl_dispatch dispatch = dispatch_of(moe);
    const struct vl_experts experts = experts_of(moe, weights);
    VL_CHECK(vl_combine_backward(p->dout, work->dweights, dy, moe->saved->returned, r->weights,
                                 &dispatch));
    VL_CHECK(vl_experts_backward_input(work->out, p->dopened, work->dactive, p->dout,
                                       moe->saved->opened, &experts));
    VL_CHECK(vl_dispatch_backward(dx, work->out, &dispatch));
    VL_CHECK(vl_router_backward(p->dlogits, work->dweights, r->affinity, r->chosen, &routing));
    VL_CHECK(balance(moe, &routing));
    VL_CHECK(vl_linear_backward_input(work->dx, p->dlogits, weights->router, moe->tokens, s->width,
                                      s->experts));
    for (size_t i = 0; i < moe->tokens * s->width; i++)
        dx[i] += work->dx[i];
    return VL_OK;
}

enum vl_status vl_moe_backward_weight(const struct vl_moe_weights *gradients, const float *x,
                                      const struct vl_moe *moe)
{
    const struct vl_moe_size *s = moe->size;
    const struct vl_experts experts = experts_of(moe, gradients);
    size_t parts = s->measured && moe->against != NULL ? 2 : 0;
    VL_CHECK(vl_experts_backward_weight(gradients->gate_up, gradients->down, moe->pending->dout,
                                        moe->pending->dopened, moe->saved->active, moe->saved->rows,
                                        &experts));
    for (size_t i = 0; i < parts; i++)
        VL_CHECK(vl_linear_backward_weight(moe->against + i * s->experts * s->width,
                                           moe->pending->dparts + i * moe->tokens * s->experts, x,
                                           moe->tokens, s->width, s->experts));
    return vl_linear_backward_weight(gradients->router, moe->pending->dlogits, x, moe->tokens,
                                     s->width, s->experts);
}
