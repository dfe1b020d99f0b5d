/*
 * Timed calls of lab 04, on two ranks: an update at stage 1 and a step at stage 3 of a small real
 * transformer. Inputs are fresh for every turn, and a step before the clock starts touches memory.
 */
#include "runner/call.h"
#include "runner/timed_work.h"

#include "base/random.h"
#include "engine/model/model.h"
#include "vialata/zero.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};

/* A rank's part with memory as planned: by the reference's rules, counted here. */
static size_t shard_size(const size_t *units, size_t unit_count, int rank, int ranks)
{
    size_t size = 0;
    for (size_t unit = 0; unit < unit_count; unit++) {
        size_t n = units[unit + 1] - units[unit];
        size += n / (size_t)ranks + ((size_t)rank < n % (size_t)ranks);
    }
    return size;
}

static void free_zero(struct vl_zero *zero)
{
    free(zero->weights);
    free(zero->gradients);
    free(zero->m);
    free(zero->v);
    free(zero->lent_weights);
    free(zero->lent_gradients);
    free(zero->flight);
}

/* ---- the update ---- */

enum { UNITS = 4, UNIT = 1 << 17, COUNT = UNITS * UNIT, GAIN = 1000, STEPS = 3 };

struct update {
    struct vl_zero zero;
    size_t units[UNITS + 1];
    struct vl_tensor tensors[2 * UNITS];
};

static enum vl_status prepare_update(void **opaque, uint64_t seed)
{
    struct update *u = calloc(1, sizeof *u);
    *opaque = u;
    if (!u)
        return VL_ENOMEM;
    struct vl_zero *z = &u->zero;
    *z = (struct vl_zero){.comm = vl_case_comm(),
                          .stage = 1,
                          .units = u->units,
                          .unit_count = UNITS,
                          .tensors = u->tensors,
                          .tensor_count = 2 * UNITS};
    MPI_Comm_rank(z->comm, &z->rank);
    MPI_Comm_size(z->comm, &z->ranks);
    for (size_t unit = 0; unit < UNITS; unit++) {
        u->units[unit + 1] = (unit + 1) * UNIT;
        u->tensors[2 * unit] = (struct vl_tensor){"gain", unit * UNIT, 1, GAIN, 0};
        u->tensors[2 * unit + 1] =
            (struct vl_tensor){"matrix", unit * UNIT + GAIN, 1, UNIT - GAIN, 1};
    }
    size_t shard = shard_size(u->units, UNITS, z->rank, z->ranks);
    uint64_t own = seed + 977 * (uint64_t)z->rank;
    z->weights = vl_timed_floats(COUNT, 1, seed, 0);
    z->gradients = vl_timed_floats(COUNT, 1, own, 1);
    z->m = vl_timed_floats(shard, 1, own, 2);
    z->v = vl_timed_floats(shard, 1, own, 3);
    z->flight = calloc(UNITS, sizeof(struct vl_transfer *));
    if (!z->weights || !z->gradients || !z->m || !z->v || !z->flight)
        return VL_ENOMEM;
    for (size_t i = 0; i < shard; i++)
        z->v[i] *= z->v[i]; /* a mean of squares is not negative */
    return VL_OK;
}

static enum vl_status turn_update(void *opaque)
{
    struct update *u = opaque;
    enum vl_status status = VL_OK;
    for (uint64_t step = 7; status == VL_OK && step < 7 + STEPS; step++)
        status = vl_zero_update(&u->zero, &settings, 0.5f, step);
    return status;
}

static enum vl_status finish_update(struct vl_bag *outputs, void *opaque)
{
    struct update *u = opaque;
    float *weights = vl_bag_add_f32(outputs, "weights", 1, COUNT);
    if (!weights)
        return VL_ENOMEM;
    memcpy(weights, u->zero.weights, COUNT * sizeof *weights);
    return VL_OK;
}

static void release_update(void *opaque)
{
    struct update *u = opaque;
    if (u)
        free_zero(&u->zero);
    free(u);
}

/* ---- the step ---- */

enum { ROWS = 2, SEQUENCE = 64, VOCABULARY = 256 };

struct training {
    struct vl_model *model;
    struct vl_zero zero;
    int32_t *tokens; /* two batches of this rank: tokens, targets, tokens, targets */
    float *before;   /* the shard as the clock starts */
    size_t shard;
    struct vl_step_result result;
};

static enum vl_status one_step(struct training *t, size_t batch)
{
    const int32_t *tokens = t->tokens + batch * 2 * ROWS * SEQUENCE;
    const struct vl_model_batch part = {tokens, tokens + ROWS * SEQUENCE, ROWS, 1,
                                        ROWS * (size_t)t->zero.ranks};
    enum vl_status status = vl_model_set_part(t->model, &part);
    if (status == VL_OK)
        status = vl_zero_step(&t->zero, vl_model_learner(t->model), 1, &settings, 1.0f, batch + 1,
                              &t->result);
    return status;
}

/* This rank's chunk of every unit, as if one device had initialised the model. */
static void initialise(struct training *t, uint64_t seed)
{
    const struct vl_zero *z = &t->zero;
    for (size_t unit = 0, place = 0; unit < z->unit_count; unit++) {
        size_t n = z->units[unit + 1] - z->units[unit], ranks = (size_t)z->ranks,
               rank = (size_t)z->rank, over = n % ranks;
        size_t first = z->units[unit] + rank * (n / ranks) + (rank < over ? rank : over);
        size_t count = n / ranks + (rank < over);
        vl_model_initial_weights(z->weights + place, t->model, first, count, seed);
        place += count;
    }
}

static enum vl_status fill(struct training *t, uint64_t seed)
{
    const struct vl_learner *learner = vl_model_learner(t->model);
    struct vl_zero *z = &t->zero;
    *z = (struct vl_zero){.comm = vl_case_comm(),
                          .stage = 3,
                          .units = learner->units,
                          .unit_count = learner->unit_count,
                          .tensors = learner->tensors,
                          .tensor_count = learner->tensor_count};
    MPI_Comm_rank(z->comm, &z->rank);
    MPI_Comm_size(z->comm, &z->ranks);
    size_t largest = 0;
    for (size_t unit = 0; unit < z->unit_count; unit++)
        if (z->units[unit + 1] - z->units[unit] > largest)
            largest = z->units[unit + 1] - z->units[unit];
    t->shard = shard_size(z->units, z->unit_count, z->rank, z->ranks);
    z->weights = vl_timed_floats(t->shard, 0, 0, 0);
    z->gradients = vl_timed_floats(t->shard, 0, 0, 0);
    z->m = vl_timed_floats(t->shard, 0, 0, 0);
    z->v = vl_timed_floats(t->shard, 0, 0, 0);
    z->lent_weights = vl_timed_floats(2 * largest, 0, 0, 0);
    z->lent_gradients = vl_timed_floats(2 * largest, 0, 0, 0);
    z->flight = calloc(z->unit_count, sizeof(struct vl_transfer *));
    t->before = vl_timed_floats(t->shard, 0, 0, 0);
    t->tokens = calloc(4 * ROWS * SEQUENCE, sizeof *t->tokens);
    if (!z->weights || !z->gradients || !z->m || !z->v || !z->lent_weights || !z->lent_gradients ||
        !z->flight || !t->before || !t->tokens)
        return VL_ENOMEM;
    for (size_t i = 0; i < 4 * ROWS * SEQUENCE; i++)
        t->tokens[i] = (int32_t)vl_random_below(VOCABULARY, seed, (uint64_t)z->rank, i);
    initialise(t, seed);
    return VL_OK;
}

static enum vl_status prepare_step(void **opaque, uint64_t seed)
{
    const struct vl_shape shape = {2, 128, 4, 352, VOCABULARY, SEQUENCE};
    struct training *t = calloc(1, sizeof *t);
    *opaque = t;
    enum vl_status status = t ? vl_model_create(&t->model, &shape, ROWS, VL_MODEL_LENT) : VL_ENOMEM;
    if (status == VL_OK)
        status = fill(t, seed);
    if (status == VL_OK)
        status = one_step(t, 0);
    if (status == VL_OK)
        memcpy(t->before, t->zero.weights, t->shard * sizeof *t->before);
    return status;
}

static enum vl_status turn_step(void *opaque)
{
    return one_step(opaque, 1);
}

static enum vl_status finish_step(struct vl_bag *outputs, void *opaque)
{
    struct training *t = opaque;
    double moved = 0; /* an update left out does not show in the loss */
    for (size_t i = 0; i < t->shard; i++) {
        double by = (double)t->zero.weights[i] - (double)t->before[i];
        moved += by * by;
    }
    if (!vl_bag_set_real(outputs, "loss", t->result.loss) ||
        !vl_bag_set_real(outputs, "gradient_norm", t->result.gradient_norm) ||
        !vl_bag_set_real(outputs, "moved", sqrt(moved)))
        return VL_ENOMEM;
    return VL_OK;
}

static void release_step(void *opaque)
{
    struct training *t = opaque;
    if (!t)
        return;
    vl_model_free(t->model);
    free_zero(&t->zero);
    free(t->tokens);
    free(t->before);
    free(t);
}

const struct vl_timed_call vl_timed_zero[] = {
    {"vl_zero_update", prepare_update, turn_update, finish_update, release_update},
    {"vl_zero_step", prepare_step, turn_step, finish_step, release_step},
    {NULL, NULL, NULL, NULL, NULL},
};
