/*
 * A whole model under tensor parallelism, beside the same model on one rank: losses, gradients, and
 * the bytes of lab 06's closed form. Started by check_tensor_parallel.py.
 *
 * Its layers are the engine's own block, with heads = H/t and ff = F/t. Enter and leave are slipped
 * in where the block polls, after each operation; so no second block is needed.
 */
#include "base/arena.h"
#include "engine/block.h"
#include "ranks_tensor.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"

/* 1, 2, 3, 4 and 8 ranks divide H, F, V and N. */
enum { L = 2, H = 24, K = 2, D = H * K, F = 72, V = 48, T = 6, B = 4, N = B * T };

/* The parameters of a model, or their gradients, or one rank's part of either. */
struct model {
    float *table, *head, *gain; /* (V,D), (V,D), (D) */
    struct vl_block_weights layer[L];
};

/* Of 'parts' matrices (rows, cols) one under the other, the rows or the columns first .. first +
 * count - 1 of each. */
static float *rows_of(const float *whole, size_t parts, size_t rows, size_t cols, size_t first,
                      size_t count)
{
    float *own = room(parts * count * cols);
    for (size_t p = 0; p < parts; p++)
        memcpy(own + p * count * cols, whole + (p * rows + first) * cols,
               count * cols * sizeof *own);
    return own;
}

static float *columns_of(const float *whole, size_t rows, size_t cols, size_t first, size_t count)
{
    float *own = room(rows * count);
    for (size_t i = 0; i < rows; i++)
        memcpy(own + i * count, whole + i * cols + first, count * sizeof *own);
    return own;
}

/* What a rank of 'of' has of a whole model. */
static struct model part_of(const struct model *whole, const struct vl_tensor_group *of)
{
    struct model own;
    size_t h, hs, f, fs, v, vs;
    HOLDS(vl_tensor_part(&h, &hs, H, of) == VL_OK && vl_tensor_part(&f, &fs, F, of) == VL_OK &&
          vl_tensor_part(&v, &vs, V, of) == VL_OK);
    own.table = rows_of(whole->table, 1, V, D, v, vs);
    own.head = rows_of(whole->head, 1, V, D, v, vs);
    own.gain = copy_of(whole->gain, D);
    for (size_t l = 0; l < L; l++) {
        const struct vl_block_weights *from = &whole->layer[l];
        own.layer[l] = (struct vl_block_weights){
            .attention_gain = copy_of(from->attention_gain, D),
            .qkv = rows_of(from->qkv, 3, D, D, h * K, hs * K),
            .o = columns_of(from->o, D, D, h * K, hs * K),
            .ff_gain = copy_of(from->ff_gain, D),
            .gate_up = rows_of(from->gate_up, 2, F, D, f, fs),
            .down = columns_of(from->down, D, F, f, fs),
        };
    }
    return own;
}

static float *filled(size_t n, size_t seed, float middle, float spread)
{
    float *x = room(n);
    for (size_t i = 0; i < n; i++)
        x[i] = middle + spread * noise(i, seed);
    return x;
}

/* Weights with spread 0.2 and gains around 1; or, with spread 0, a place for gradients. */
static struct model whole_model(float middle, float spread)
{
    struct model m = {.table = filled(V * D, 1, 0, spread * 5),
                      .head = filled(V * D, 2, 0, spread),
                      .gain = filled(D, 3, middle, spread)};
    for (size_t l = 0; l < L; l++)
        m.layer[l] = (struct vl_block_weights){
            .attention_gain = filled(D, 10 * l + 4, middle, spread),
            .qkv = filled(3 * D * D, 10 * l + 5, 0, spread),
            .o = filled(D * D, 10 * l + 6, 0, spread),
            .ff_gain = filled(D, 10 * l + 7, middle, spread),
            .gate_up = filled(2 * F * D, 10 * l + 8, 0, spread),
            .down = filled(D * F, 10 * l + 9, 0, spread),
        };
    return m;
}

static void model_free(struct model *m)
{
    free(m->table), free(m->head), free(m->gain);
    for (size_t l = 0; l < L; l++) {
        struct vl_block_weights *w = &m->layer[l];
        free(w->attention_gain), free(w->qkv), free(w->o), free(w->ff_gain);
        free(w->gate_up), free(w->down);
    }
}

/* ---- enter and leave, where the block polls ---- */

struct door {
    const struct vl_tensor_group *of; /* NULL: nobody else */
    struct vl_block_saved *saved;
    struct vl_block_pending *pending; /* not NULL: backward */
    float *out;
    int operations; /* so far */
};

/* Sums over tokens that follow must not see other ranks' rows. */
static enum vl_status enter_backward(float *dx, const struct vl_tensor_group *of)
{
    enum vl_status status = vl_tensor_enter_backward(dx, N, D, of);
    spoil_others(dx, 0.0f, N, D);
    return status;
}

static enum vl_status after_operation(void *context)
{
    struct door *door = context;
    int done = ++door->operations;
    if (door->pending == NULL)
        switch (done) {
        case 1: /* norm */
            return vl_tensor_enter_forward(door->saved->attention_normed, N, D, door->of);
        case 5: /* qkv, rotary, attention, o */
            return vl_tensor_leave_forward(door->saved->mid, N, D, door->of);
        case 6: /* norm */
            return vl_tensor_enter_forward(door->saved->ff_normed, N, D, door->of);
        case 9: /* gate and up, SwiGLU, down */
            return vl_tensor_leave_forward(door->out, N, D, door->of);
        default:
            return VL_OK;
        }
    switch (done) {
    case 3: /* down, SwiGLU, gate and up */
        return enter_backward(door->pending->ff_normed, door->of);
    case 4: /* norm; dy, which is whole by now, is added to the sum next */
        return vl_tensor_leave_backward(door->pending->mid, N, D, door->of);
    case 8: /* o, attention, rotary, qkv */
        return enter_backward(door->pending->attention_normed, door->of);
    default:
        return VL_OK;
    }
}

/* ---- forward and backward of the model ---- */

struct pass {
    struct vl_arena arena[L];
    struct vl_block_saved saved[L];
    struct vl_block_size size;
    struct door door;
    struct vl_unit_hooks hooks;
    float *x[L + 1], *normed, *inv_rms, *logits, *losses, *scratch;
    size_t columns; /* of the vocabulary */
};

static void pass_create(struct pass *p, const struct vl_tensor_group *of)
{
    size_t t = of != NULL ? (size_t)of->ranks : 1;
    memset(p, 0, sizeof *p);
    p->door.of = of;
    p->hooks = (struct vl_unit_hooks){.context = &p->door, .poll = after_operation};
    p->columns = V / t;
    p->size = (struct vl_block_size){B, T, D, H / t, K, F / t, room(T * K), of ? &p->hooks : NULL};
    HOLDS(vl_rotary_table((float *)(void *)p->size.rotary, T, K) == VL_OK);
    for (size_t l = 0; l <= L; l++)
        p->x[l] = room(N * D);
    for (size_t l = 0; l < L; l++) {
        HOLDS(vl_arena_create(&p->arena[l], vl_block_saved_bytes(&p->size)) == VL_OK);
        HOLDS(vl_block_saved_take(&p->saved[l], &p->arena[l], &p->size) == VL_OK);
        p->saved[l].probs = room(vl_block_probs(&p->size));
    }
    p->normed = room(N * D);
    p->inv_rms = room(N);
    p->logits = room(N * p->columns);
    p->losses = room(N);
    p->scratch = room(N * (t + 2));
}

static void pass_free(struct pass *p)
{
    for (size_t l = 0; l < L; l++) {
        free(p->saved[l].probs);
        vl_arena_free(&p->arena[l]);
    }
    for (size_t l = 0; l <= L; l++)
        free(p->x[l]);
    free((float *)(void *)p->size.rotary), free(p->normed), free(p->inv_rms), free(p->logits);
    free(p->losses), free(p->scratch);
}

static void forward(struct pass *p, const struct model *m, const int32_t *tokens,
                    const int32_t *targets)
{
    const struct vl_tensor_group *of = p->door.of;
    HOLDS((of ? vl_tensor_embedding_forward(p->x[0], m->table, tokens, N, D, V, of)
              : vl_embedding_forward(p->x[0], m->table, tokens, N, D, V)) == VL_OK);
    for (size_t l = 0; l < L; l++) {
        p->door.operations = 0;
        p->door.saved = &p->saved[l];
        p->door.out = p->x[l + 1];
        HOLDS(vl_block_forward(p->x[l + 1], &p->saved[l], p->x[l], &m->layer[l], &p->size) ==
              VL_OK);
    }
    HOLDS(vl_rmsnorm_forward(p->normed, p->inv_rms, p->x[L], m->gain, N, D) == VL_OK);
    if (of != NULL)
        HOLDS(vl_tensor_enter_forward(p->normed, N, D, of) == VL_OK);
    HOLDS(vl_linear_forward(p->logits, p->normed, m->head, N, D, p->columns) == VL_OK);
    HOLDS((of ? vl_tensor_cross_entropy_forward(p->losses, p->logits, p->scratch, p->logits,
                                                targets, N, V, of)
              : vl_cross_entropy_forward(p->losses, p->logits, p->logits, targets, N, V)) == VL_OK);
}

static void head_backward(struct pass *p, float *dx, const struct model *m, struct model *g,
                          const int32_t *targets)
{
    const struct vl_tensor_group *of = p->door.of;
    float *dnormed = room(N * D), scale = 1.0f / N;
    HOLDS((of ? vl_tensor_cross_entropy_backward(p->logits, p->logits, targets, scale, N, V, of)
              : vl_cross_entropy_backward_input(p->logits, p->logits, targets, scale, N, V)) ==
          VL_OK);
    HOLDS(vl_linear_backward_weight(g->head, p->logits, p->normed, N, D, p->columns) == VL_OK);
    HOLDS(vl_linear_backward_input(dnormed, p->logits, m->head, N, D, p->columns) == VL_OK);
    if (of != NULL)
        HOLDS(enter_backward(dnormed, of) == VL_OK);
    HOLDS(vl_rmsnorm_backward_weight(g->gain, dnormed, p->x[L], p->inv_rms, N, D) == VL_OK);
    HOLDS(vl_rmsnorm_backward_input(dx, dnormed, p->x[L], m->gain, p->inv_rms, N, D) == VL_OK);
    free(dnormed);
}

static void backward(struct pass *p, const struct model *m, struct model *g, const int32_t *tokens,
                     const int32_t *targets)
{
    const struct vl_tensor_group *of = p->door.of;
    struct vl_arena arena;
    struct vl_block_pending pending;
    struct vl_block_size quiet = p->size;
    quiet.hooks = NULL; /* for the weight part, where nothing is sent */
    HOLDS(vl_arena_create(&arena, vl_block_pending_bytes(&p->size)) == VL_OK);
    HOLDS(vl_block_pending_take(&pending, &arena, &p->size) == VL_OK);
    float *dy = room(N * D), *dx = room(N * D);
    head_backward(p, dy, m, g, targets);
    for (size_t l = L; l-- > 0;) {
        p->door.operations = 0;
        p->door.saved = &p->saved[l];
        p->door.pending = &pending;
        if (of != NULL)
            HOLDS(vl_tensor_leave_backward(dy, N, D, of) == VL_OK);
        HOLDS(vl_block_backward_input(dx, &pending, dy, &p->saved[l], p->x[l], &m->layer[l],
                                      &p->size) == VL_OK);
        HOLDS(vl_block_backward_weight(&g->layer[l], &pending, dy, &p->saved[l], p->x[l], &quiet) ==
              VL_OK);
        float *other = dx;
        dx = dy;
        dy = other;
    }
    HOLDS((of ? vl_tensor_embedding_backward(g->table, dy, tokens, N, D, V, of)
              : vl_embedding_backward_weight(g->table, dy, tokens, N, D, V)) == VL_OK);
    free(dy), free(dx);
    vl_arena_free(&arena);
}

static void gains_backward(struct model *g)
{
    HOLDS(vl_tensor_gain_backward(g->gain, D, &group) == VL_OK);
    for (size_t l = 0; l < L; l++) {
        HOLDS(vl_tensor_gain_backward(g->layer[l].attention_gain, D, &group) == VL_OK);
        HOLDS(vl_tensor_gain_backward(g->layer[l].ff_gain, D, &group) == VL_OK);
    }
}

static void gradients_agree(const struct model *own, const struct model *truth)
{
    const double bound = 1e-5;
    size_t t = (size_t)group.ranks;
    HOLDS(distance(own->table, truth->table, V / t * D) <= bound);
    HOLDS(distance(own->head, truth->head, V / t * D) <= bound);
    HOLDS(distance(own->gain, truth->gain, D) <= bound);
    for (size_t l = 0; l < L; l++) {
        const struct vl_block_weights *a = &own->layer[l], *b = &truth->layer[l];
        HOLDS(distance(a->attention_gain, b->attention_gain, D) <= bound);
        HOLDS(distance(a->qkv, b->qkv, 3 * D * D / t) <= bound);
        HOLDS(distance(a->o, b->o, D * D / t) <= bound);
        HOLDS(distance(a->ff_gain, b->ff_gain, D) <= bound);
        HOLDS(distance(a->gate_up, b->gate_up, 2 * F * D / t) <= bound);
        HOLDS(distance(a->down, b->down, D * F / t) <= bound);
    }
}

static void shared_model_is_the_whole_one(void)
{
    const struct vl_shape shape = {L, D, H, F, V, T};
    int32_t tokens[N], targets[N];
    for (size_t i = 0; i < N; i++) {
        tokens[i] = (int32_t)(i * 29 % V);
        targets[i] = (int32_t)((i * 31 + 7) % V);
    }
    struct pass alone, together;
    struct model whole = whole_model(1.0f, 0.2f), dwhole = whole_model(0.0f, 0.0f);
    struct model own = part_of(&whole, &group), down = part_of(&dwhole, &group);
    pass_create(&alone, NULL);
    forward(&alone, &whole, tokens, targets);
    backward(&alone, &whole, &dwhole, tokens, targets);

    double bytes;
    sent_bytes = 0;
    pass_create(&together, &group);
    forward(&together, &own, tokens, targets);
    backward(&together, &own, &down, tokens, targets);
    HOLDS(vl_tensor_sent_bytes(&bytes, &shape, B, group.ranks) == VL_OK);
    HOLDS((double)sent_bytes == bytes);
    gains_backward(&down);

    HOLDS(distance(together.losses, alone.losses, N) <= 1e-5);
    for (size_t l = 0; l <= L; l++)
        HOLDS(near_outside(together.x[l], alone.x[l], N, D, 1e-5));
    struct model truth = part_of(&dwhole, &group);
    gradients_agree(&down, &truth);
    pass_free(&alone), pass_free(&together);
    model_free(&whole), model_free(&dwhole), model_free(&own), model_free(&down);
    model_free(&truth);
}

int main(void)
{
    return on_every_group(shared_model_is_the_whole_one);
}
