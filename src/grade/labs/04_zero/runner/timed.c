/*
 * Timed calls of lab 04, on two ranks: an update at stage 1 and a step at stage 3 of a small real
 * transformer. Inputs are fresh for every turn, and a step before the clock starts touches the
 * memory.
 */
#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/call.h"
#include "runner/timed_model.h"
#include "runner/timed_work.h"

#include <stdlib.h>

static const struct vl_adamw settings = {1e-3f, 0.9f, 0.95f, 1e-8f, 0.1f};

/* This rank's part of a stage: memory as planned, with numbers between -scale and scale. */
static void fill(struct vl_zero *z, struct vl_timed_work *work, float scale)
{
    vl_site_join(z);
    const struct vl_zero_plan plan = vl_site_plan(z);
    work->stream = 0; /* the same numbers on every rank */
    z->weights = vl_timed_keep_floats(work, plan.weights, scale);
    work->stream = 1 + 3 * (uint64_t)z->rank;
    z->gradients = vl_timed_keep_floats(work, plan.gradients, scale);
    z->m = vl_timed_keep_floats(work, plan.moments, scale);
    z->v = vl_timed_keep_floats(work, plan.moments, scale);
    for (size_t i = 0; z->v != NULL && i < plan.moments; i++)
        z->v[i] *= z->v[i]; /* a mean of squares is not negative */
    z->lent_weights = vl_timed_keep_floats(work, plan.lent_weights, 0);
    z->lent_gradients = vl_timed_keep_floats(work, plan.lent_gradients, 0);
    z->flight = vl_timed_keep(work, calloc(z->unit_count, sizeof(struct vl_transfer *)));
}

/* ---- the update ---- */

enum { UNITS = 4, UNIT = 1 << 18, COUNT = UNITS * UNIT, GAIN = 1000, STEP = 7 };

struct update {
    struct vl_timed_work kept;
    struct vl_zero zero;
    size_t units[UNITS + 1];
    struct vl_tensor tensors[2 * UNITS];
};

VL_TIMED_PREPARE(update, struct update)
{
    for (size_t unit = 0, first = 0; unit < UNITS; unit++, first += UNIT) {
        w->tensors[2 * unit] = (struct vl_tensor){"gain", first, 1, GAIN, 0};
        w->tensors[2 * unit + 1] = (struct vl_tensor){"matrix", first + GAIN, 1, UNIT - GAIN, 1};
        w->units[unit + 1] = first + UNIT;
    }
    w->zero = (struct vl_zero){.stage = 1,
                               .units = w->units,
                               .unit_count = UNITS,
                               .tensors = w->tensors,
                               .tensor_count = 2 * UNITS};
    fill(&w->zero, &w->kept, 1);
    const size_t moments = vl_site_plan(&w->zero).moments;
    vl_timed_result(&w->kept, "weights", w->zero.weights, COUNT);
    vl_timed_result(&w->kept, "m", w->zero.m, moments);
    vl_timed_result(&w->kept, "v", w->zero.v, moments);
}

static enum vl_status turn_update(void *opaque)
{
    struct update *u = opaque;
    return vl_zero_update(&u->zero, &settings, 0.5f, STEP);
}

/* ---- the step ---- */

struct training {
    struct vl_timed_model timed;
    struct vl_zero zero;
};

static enum vl_status step_model(struct vl_timed_model *timed, const int32_t *tokens,
                                 const int32_t *targets, uint64_t step)
{
    struct vl_zero *z = &((struct training *)timed)->zero;
    const struct vl_model_batch part = {tokens, targets, timed->rows, 1,
                                        timed->rows * (size_t)z->ranks};
    enum vl_status status = vl_model_set_part(timed->model, &part);
    VL_NEXT(status, vl_zero_step(z, vl_model_learner(timed->model), 1, &settings, 1.0f, step,
                                 &timed->result));
    return status;
}

/* This rank's chunks, as if one device had initialised the model. */
static void initialise(const struct training *t)
{
    float *weights = t->zero.weights;
    for (size_t unit = 0, first, count; unit < t->zero.unit_count; unit++, weights += count) {
        vl_site_chunk(&first, &count, &t->zero, unit);
        vl_model_initial_weights(weights, t->timed.model, first, count, t->timed.kept.seed);
    }
}

static enum vl_status open_training(struct training *t)
{
    const struct vl_model_plan plan = {
        .shape = {2, 128, 4, 352, 256, 64}, .rows = 2, .kind = VL_MODEL_LENT};
    enum vl_status status = vl_timed_model_open(&t->timed, &plan, t->timed.kept.stream, step_model);
    if (status != VL_OK)
        return status;
    const struct vl_learner *learner = vl_model_learner(t->timed.model);
    t->zero = (struct vl_zero){.stage = 3,
                               .units = learner->units,
                               .unit_count = learner->unit_count,
                               .tensors = learner->tensors,
                               .tensor_count = learner->tensor_count};
    fill(&t->zero, &t->timed.kept, 0);
    if (t->timed.kept.status != VL_OK)
        return t->timed.kept.status;
    initialise(t);
    return vl_timed_model_start(&t->timed, t->zero.weights, vl_site_plan(&t->zero).weights);
}

VL_TIMED_PREPARE(step, struct training)
{
    w->timed.kept.status = open_training(w);
}

const struct vl_timed_call vl_timed_zero[] = {
    VL_TIMED("vl_zero_update", update),
    VL_TIMED_MODEL("vl_zero_step", step),
    {NULL, NULL, NULL, NULL, NULL},
};
