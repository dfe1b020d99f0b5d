#include "oracle/transformer.h"

#include "oracle/kernels.h"
#include "oracle/layout.h"

#include <stdlib.h>
#include <string.h>

static const double rmsnorm_eps = 1e-5f; /* the float32 number that the contract names */

/* What backward needs of one layer; all arrays of n = rows * sequence tokens. */
struct trace {
    double *x;                   /* input of the layer (n,D) */
    double *normed, *inv;        /* after the first norm */
    double *qkv, *probs, *mixed; /* turned q, k; attention's output (n,D) */
    double *middle;              /* x after the attention half */
    double *normed2, *inv2;      /* after the second norm */
    double *gate_up, *opened;    /* (n,2F), (n,F) */
};

struct pass {
    struct vl_oracle_transformer *model;
    size_t n, rows;
    struct trace *traces; /* L, and one more; its x, normed and inv are the final norm's */
    double *table, *logits, *losses;
    double *dx, *dy, *dwide, *dlogits; /* (n,D), (n,D), (n,max(3D,2F)), (n,V) */
    double *memory;
};

static double *part(const struct vl_oracle_transformer *model, const double *base, size_t layer,
                    enum vl_oracle_place place)
{
    size_t index = 1 + layer * VL_ORACLE_LAYER_TENSORS + (size_t)place;
    return (double *)base + model->tensors[index].offset;
}

/* Carve all arrays from one block; called once to measure (memory NULL) and once for real. */
static size_t carve(struct pass *p)
{
    const struct vl_oracle_shape *s = &p->model->shape;
    size_t n = p->n, d = s->width, f = s->ff, used = 0;
    size_t wide = 3 * d > 2 * f ? 3 * d : 2 * f;
#define TAKE(pointer, count)                                                                       \
    do {                                                                                           \
        if (p->memory)                                                                             \
            (pointer) = p->memory + used;                                                          \
        used += (count);                                                                           \
    } while (0)
    for (size_t l = 0; l <= s->layers; l++) {
        struct trace *t = &p->traces[l];
        TAKE(t->x, n * d);
        TAKE(t->normed, n * d);
        TAKE(t->inv, n);
        if (l == s->layers)
            break;
        TAKE(t->qkv, n * 3 * d);
        TAKE(t->probs, p->rows * s->heads * s->sequence * s->sequence);
        TAKE(t->mixed, n * d);
        TAKE(t->middle, n * d);
        TAKE(t->normed2, n * d);
        TAKE(t->inv2, n);
        TAKE(t->gate_up, n * 2 * f);
        TAKE(t->opened, n * f);
    }
    TAKE(p->table, s->sequence * d / s->heads);
    TAKE(p->logits, n * s->vocabulary);
    TAKE(p->losses, n);
    TAKE(p->dx, n * d);
    TAKE(p->dy, n * wide);
    TAKE(p->dwide, n * wide);
    TAKE(p->dlogits, n * s->vocabulary);
#undef TAKE
    return used;
}

/* y (n, columns [first, first + out) of 'wide') = x w^T: q, k, v and gate, up lie side by side. */
static void linear_into(double *y, size_t first, size_t wide, const double *x, const double *w,
                        size_t n, size_t in, size_t out)
{
    for (size_t i = 0; i < n; i++)
        vl_oracle_linear(y + i * wide + first, x + i * in, w, 1, in, out);
}

/* Its backward: dx is added to, so that the parts sum up. */
static void linear_back(double *dx, double *dw, const double *dy, size_t first, size_t wide,
                        const double *x, const double *w, size_t n, size_t in, size_t out)
{
    for (size_t i = 0; i < n; i++) {
        const double *row = dy + i * wide + first;
        for (size_t o = 0; o < out; o++) {
            for (size_t j = 0; j < in; j++) {
                dx[i * in + j] += row[o] * w[o * in + j];
                dw[o * in + j] += row[o] * x[i * in + j];
            }
        }
    }
}

static void layer_forward(struct pass *p, size_t l, double *next)
{
    const struct vl_oracle_transformer *m = p->model;
    const struct vl_oracle_shape *s = &m->shape;
    const double *w = m->weights;
    struct trace *t = &p->traces[l];
    size_t n = p->n, d = s->width, f = s->ff;

    vl_oracle_rmsnorm(t->normed, t->inv, t->x, part(m, w, l, VL_ORACLE_ATTENTION_GAIN), rmsnorm_eps,
                      n, d);
    for (size_t i = 0; i < 3; i++)
        linear_into(t->qkv, i * d, 3 * d, t->normed,
                    part(m, w, l, (enum vl_oracle_place)(VL_ORACLE_Q + i)), n, d, d);
    vl_oracle_rotary(t->qkv, p->table, 1, p->rows, s->sequence, s->heads, d / s->heads);
    vl_oracle_attention(t->mixed, t->probs, t->qkv, p->rows, s->sequence, s->heads, d / s->heads);
    vl_oracle_linear(t->middle, t->mixed, part(m, w, l, VL_ORACLE_O), n, d, d);
    for (size_t i = 0; i < n * d; i++)
        t->middle[i] += t->x[i];

    vl_oracle_rmsnorm(t->normed2, t->inv2, t->middle, part(m, w, l, VL_ORACLE_FEED_GAIN),
                      rmsnorm_eps, n, d);
    linear_into(t->gate_up, 0, 2 * f, t->normed2, part(m, w, l, VL_ORACLE_GATE), n, d, f);
    linear_into(t->gate_up, f, 2 * f, t->normed2, part(m, w, l, VL_ORACLE_UP), n, d, f);
    vl_oracle_swiglu(t->opened, t->gate_up, n, f);
    vl_oracle_linear(next, t->opened, part(m, w, l, VL_ORACLE_DOWN), n, f, d);
    for (size_t i = 0; i < n * d; i++)
        next[i] += t->middle[i];
}

/* The norm's backward, added to dx (the residual path brings the rest). */
static void norm_back(struct pass *p, double *gain_gradient, const double *dnormed, const double *x,
                      const double *gain, const double *inv)
{
    size_t n = p->n, d = p->model->shape.width;
    vl_oracle_rmsnorm_weight(gain_gradient, dnormed, x, inv, n, d);
    vl_oracle_rmsnorm_input(p->dwide, dnormed, x, gain, inv, n, d);
    for (size_t i = 0; i < n * d; i++)
        p->dx[i] += p->dwide[i];
}

static void layer_backward(struct pass *p, size_t l)
{
    const struct vl_oracle_transformer *m = p->model;
    const struct vl_oracle_shape *s = &m->shape;
    const double *w = m->weights;
    double *g = m->gradients;
    struct trace *t = &p->traces[l];
    size_t n = p->n, d = s->width, f = s->ff;

    vl_oracle_linear_weight(part(m, g, l, VL_ORACLE_DOWN), p->dx, t->opened, n, f, d);
    vl_oracle_linear_input(p->dy, p->dx, part(m, w, l, VL_ORACLE_DOWN), n, f, d);
    vl_oracle_swiglu_input(p->dwide, p->dy, t->gate_up, n, f);
    memset(p->dy, 0, n * d * sizeof *p->dy);
    linear_back(p->dy, part(m, g, l, VL_ORACLE_GATE), p->dwide, 0, 2 * f, t->normed2,
                part(m, w, l, VL_ORACLE_GATE), n, d, f);
    linear_back(p->dy, part(m, g, l, VL_ORACLE_UP), p->dwide, f, 2 * f, t->normed2,
                part(m, w, l, VL_ORACLE_UP), n, d, f);
    norm_back(p, part(m, g, l, VL_ORACLE_FEED_GAIN), p->dy, t->middle,
              part(m, w, l, VL_ORACLE_FEED_GAIN), t->inv2);

    vl_oracle_linear_weight(part(m, g, l, VL_ORACLE_O), p->dx, t->mixed, n, d, d);
    vl_oracle_linear_input(p->dy, p->dx, part(m, w, l, VL_ORACLE_O), n, d, d);
    vl_oracle_attention_input(p->dwide, p->dy, t->qkv, t->probs, p->rows, s->sequence, s->heads,
                              d / s->heads);
    vl_oracle_rotary(p->dwide, p->table, -1, p->rows, s->sequence, s->heads, d / s->heads);
    memset(p->dy, 0, n * d * sizeof *p->dy);
    for (size_t i = 0; i < 3; i++) {
        enum vl_oracle_place place = (enum vl_oracle_place)(VL_ORACLE_Q + i);
        linear_back(p->dy, part(m, g, l, place), p->dwide, i * d, 3 * d, t->normed,
                    part(m, w, l, place), n, d, d);
    }
    norm_back(p, part(m, g, l, VL_ORACLE_ATTENTION_GAIN), p->dy, t->x,
              part(m, w, l, VL_ORACLE_ATTENTION_GAIN), t->inv);
}

static void run(struct pass *p, double *loss, const int32_t *tokens, const int32_t *targets,
                double scale, int backward)
{
    struct vl_oracle_transformer *m = p->model;
    const struct vl_oracle_shape *s = &m->shape;
    const struct vl_oracle_tensor *gain = &m->tensors[m->tensor_count - 2];
    const struct vl_oracle_tensor *head = &m->tensors[m->tensor_count - 1];
    struct trace *last = &p->traces[s->layers];
    size_t n = p->n, d = s->width;

    vl_oracle_rotary_table(p->table, s->sequence, d / s->heads);
    vl_oracle_embedding(p->traces[0].x, m->weights, tokens, n, d);
    for (size_t l = 0; l < s->layers; l++)
        layer_forward(p, l, p->traces[l + 1].x);
    vl_oracle_rmsnorm(last->normed, last->inv, last->x, m->weights + gain->offset, rmsnorm_eps, n,
                      d);
    vl_oracle_linear(p->logits, last->normed, m->weights + head->offset, n, d, s->vocabulary);
    vl_oracle_cross_entropy(p->losses, p->dlogits, p->logits, targets, n, s->vocabulary);
    *loss = 0;
    for (size_t i = 0; i < n; i++)
        *loss += scale * p->losses[i];
    if (!backward)
        return;

    vl_oracle_cross_entropy_input(p->dlogits, p->dlogits, targets, scale, n, s->vocabulary);
    vl_oracle_linear_weight(m->gradients + head->offset, p->dlogits, last->normed, n, d,
                            s->vocabulary);
    vl_oracle_linear_input(p->dy, p->dlogits, m->weights + head->offset, n, d, s->vocabulary);
    memset(p->dx, 0, n * d * sizeof *p->dx);
    norm_back(p, m->gradients + gain->offset, p->dy, last->x, m->weights + gain->offset, last->inv);
    for (size_t l = s->layers; l-- > 0;)
        layer_backward(p, l);
    vl_oracle_embedding_weight(m->gradients, p->dx, tokens, n, d);
}

enum vl_status vl_oracle_transformer_loss(double *loss, struct vl_oracle_transformer *model,
                                          const int32_t *tokens, const int32_t *targets,
                                          size_t rows, double scale, int backward)
{
    struct pass p = {.model = model, .rows = rows, .n = rows * model->shape.sequence};
    enum vl_status status = VL_ENOMEM;
    p.traces = calloc(model->shape.layers + 1, sizeof *p.traces);
    if (p.traces)
        p.memory = malloc((carve(&p) + 1) * sizeof *p.memory);
    if (p.memory) {
        carve(&p);
        run(&p, loss, tokens, targets, scale, backward);
        status = VL_OK;
    }
    free(p.memory);
    free(p.traces);
    return status;
}

enum vl_status vl_oracle_transformer_step(double *loss, double *norm,
                                          struct vl_oracle_transformer *model,
                                          const int32_t *tokens, const int32_t *targets,
                                          size_t rows, const struct vl_oracle_adamw *settings,
                                          double max_norm, uint64_t step)
{
    memset(model->gradients, 0, model->count * sizeof *model->gradients);
    double scale = 1 / (double)(rows * model->shape.sequence);
    enum vl_status status =
        vl_oracle_transformer_loss(loss, model, tokens, targets, rows, scale, 1);
    if (status != VL_OK)
        return status;
    *norm = vl_oracle_gradient_norm(model->gradients, model->count);
    for (size_t i = 0; i < model->tensor_count; i++) {
        const struct vl_oracle_tensor *t = &model->tensors[i];
        struct vl_oracle_adamw own = *settings;
        if (!t->decays)
            own.weight_decay = 0;
        vl_oracle_adamw(model->weights + t->offset, model->m + t->offset, model->v + t->offset,
                        model->gradients + t->offset, vl_oracle_clip(*norm, max_norm), &own, step,
                        t->rows * t->cols);
    }
    return VL_OK;
}

enum vl_status vl_oracle_transformer_create(struct vl_oracle_transformer *model,
                                            const struct vl_oracle_shape *shape)
{
    memset(model, 0, sizeof *model);
    model->shape = *shape;
    model->tensors = vl_oracle_layout(&model->tensor_count, shape);
    if (!model->tensors)
        return VL_ENOMEM;
    const struct vl_oracle_tensor *last = &model->tensors[model->tensor_count - 1];
    model->count = last->offset + last->rows * last->cols;
    model->weights = calloc(4 * model->count, sizeof *model->weights);
    if (!model->weights) {
        vl_oracle_transformer_free(model);
        return VL_ENOMEM;
    }
    model->gradients = model->weights + model->count;
    model->m = model->gradients + model->count;
    model->v = model->m + model->count;
    return VL_OK;
}

void vl_oracle_transformer_free(struct vl_oracle_transformer *model)
{
    free(model->tensors);
    free(model->weights);
    memset(model, 0, sizeof *model);
}

const struct vl_oracle_tensor *vl_oracle_transformer_find(const struct vl_oracle_transformer *model,
                                                          const char *name)
{
    for (size_t i = 0; i < model->tensor_count; i++)
        if (strcmp(model->tensors[i].name, name) == 0)
            return &model->tensors[i];
    return NULL;
}
