/*
 * Timed calls of lab 04, on two ranks: an update at stage 1 and a step at stage 3 of a small real
 * transformer. Inputs are fresh for every turn, and a step before the clock starts touches the
 * memory.
 */
#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/call.h"
#include "runner/timed_work.h"

#include "base/random.h"
#include "engine/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};

static float *floats(struct vl_timed_work *work, size_t n, float scale, uint64_t seed,
                     uint64_t stream)
{
    return vl_timed_keep(work, vl_timed_floats(n, scale, seed, stream));
}

/* This rank's part of a stage: memory as planned, in which numbers lie between -scale and scale. */
static void fill(struct vl_zero *z, struct vl_timed_work *work, float scale)
{
    vl_site_join(z);
    size_t shard = vl_site_shard(z), whole = z->units[z->unit_count];
    size_t lent = z->stage == 3 ? 2 * vl_site_largest(z) : 0;
    uint64_t seed = work->seed, own = seed + 977 * (uint64_t)z->rank;
    z->weights = floats(work, z->stage < 3 ? whole : shard, scale, seed, 0);
    z->gradients = floats(work, z->stage < 2 ? whole : shard, scale, own, 1);
    z->m = floats(work, shard, scale, own, 2);
    z->v = floats(work, shard, scale, own, 3);
    for (size_t i = 0; z->v != NULL && i < shard; i++)
        z->v[i] *= z->v[i]; /* a mean of squares is not negative */
    z->lent_weights = floats(work, lent, 0, 0, 0);
    z->lent_gradients = floats(work, lent, 0, 0, 0);
    z->flight = vl_timed_keep(work, calloc(z->unit_count, sizeof(struct vl_transfer *)));
}

/* ---- the update ---- */

enum { UNITS = 4, UNIT = 1 << 17, COUNT = UNITS * UNIT, GAIN = 1000, STEPS = 3 };

struct update {
    struct vl_timed_work kept;
    struct vl_zero zero;
    size_t units[UNITS + 1];
    struct vl_tensor tensors[2 * UNITS];
};

static enum vl_status prepare_update(void **opaque, uint64_t seed)
{
    struct update *u = vl_timed_begin(opaque, sizeof *u, seed);
    if (u == NULL)
        return VL_ENOMEM;
    for (size_t unit = 0; unit < UNITS; unit++) {
        u->units[unit + 1] = (unit + 1) * UNIT;
        u->tensors[2 * unit] = (struct vl_tensor){"gain", unit * UNIT, 1, GAIN, 0};
        u->tensors[2 * unit + 1] =
            (struct vl_tensor){"matrix", unit * UNIT + GAIN, 1, UNIT - GAIN, 1};
    }
    u->zero = (struct vl_zero){.stage = 1,
                               .units = u->units,
                               .unit_count = UNITS,
                               .tensors = u->tensors,
                               .tensor_count = 2 * UNITS};
    fill(&u->zero, &u->kept, 1);
    return u->kept.failed ? VL_ENOMEM : VL_OK;
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
    const struct update *u = opaque;
    return vl_timed_output(outputs, "weights", u->zero.weights, COUNT);
}

/* ---- the step ---- */

enum { ROWS = 2, SEQUENCE = 64, VOCABULARY = 256 };

struct training {
    struct vl_timed_work kept;
    struct vl_model *model;
    struct vl_zero zero;
    int32_t *tokens; /* this rank's two batches: tokens, targets, tokens, targets */
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

/* This rank's chunks, as if one device had initialised the model. */
static void initialise(struct training *t, uint64_t seed)
{
    float *weights = t->zero.weights;
    for (size_t unit = 0, first, count; unit < t->zero.unit_count; unit++, weights += count) {
        vl_site_chunk(&first, &count, &t->zero, unit);
        vl_model_initial_weights(weights, t->model, first, count, seed);
    }
}

static enum vl_status create(struct training *t, uint64_t seed)
{
    const struct vl_shape shape = {2, 128, 4, 352, VOCABULARY, SEQUENCE};
    enum vl_status status = vl_model_create(&t->model, &shape, ROWS, VL_MODEL_LENT);
    if (status != VL_OK)
        return status;
    const struct vl_learner *learner = vl_model_learner(t->model);
    t->zero = (struct vl_zero){.stage = 3,
                               .units = learner->units,
                               .unit_count = learner->unit_count,
                               .tensors = learner->tensors,
                               .tensor_count = learner->tensor_count};
    fill(&t->zero, &t->kept, 0);
    t->shard = vl_site_shard(&t->zero);
    t->before = floats(&t->kept, t->shard, 0, 0, 0);
    t->tokens = vl_timed_keep(&t->kept, calloc(4 * ROWS * SEQUENCE, sizeof *t->tokens));
    if (t->kept.failed)
        return VL_ENOMEM;
    for (size_t i = 0; i < 4 * ROWS * SEQUENCE; i++)
        t->tokens[i] = (int32_t)vl_random_below(VOCABULARY, seed, (uint64_t)t->zero.rank, i);
    initialise(t, seed);
    return VL_OK;
}

static enum vl_status prepare_step(void **opaque, uint64_t seed)
{
    struct training *t = vl_timed_begin(opaque, sizeof *t, seed);
    enum vl_status status = t != NULL ? create(t, seed) : VL_ENOMEM;
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
    double moved = 0; /* a missing update does not show in the loss */
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
    if (t != NULL)
        vl_model_free(t->model);
    vl_timed_release(t);
}

const struct vl_timed_call vl_timed_zero[] = {
    {"vl_zero_update", prepare_update, turn_update, finish_update, vl_timed_release},
    {"vl_zero_step", prepare_step, turn_step, finish_step, release_step},
    {NULL, NULL, NULL, NULL, NULL},
};
