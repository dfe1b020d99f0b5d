#include "runner/unit_toy.h"

#include <stdbool.h>

bool vl_unit_toy_open(struct vl_unit_toy *toy, struct vl_learner *learner, struct vl_bag *outputs,
                      const struct vl_bag *inputs)
{
    learner->forward = vl_unit_toy_forward;
    learner->backward = vl_unit_toy_backward;
    learner->model = toy;
    *toy = (struct vl_unit_toy){
        .learner = learner,
        .a = vl_bag_f32(inputs, "a"),
        .t = vl_bag_f32(inputs, "t"),
        .residual = vl_bag_add_f32(outputs, "residual", 1, learner->count),
        .fails_at = (size_t)vl_bag_int(inputs, "fails_at"),
        .backward_fails_at = (size_t)vl_bag_int(inputs, "backward_fails_at"),
    };
    return toy->a != NULL && toy->t != NULL && toy->residual != NULL;
}

/* The weights of a unit: lent by the hooks, or in the learner. */
static enum vl_status borrow(const struct vl_learner *learner, size_t unit, const float **weights)
{
    const struct vl_unit_hooks *hooks = learner->hooks;
    if (hooks != NULL && hooks->borrow != NULL)
        return hooks->borrow(hooks->context, unit, weights);
    *weights = learner->weights == NULL ? NULL : learner->weights + learner->units[unit];
    return *weights != NULL ? VL_OK : VL_EINVAL;
}

static enum vl_status give_back(const struct vl_learner *learner, size_t unit)
{
    const struct vl_unit_hooks *hooks = learner->hooks;
    if (hooks != NULL && hooks->give_back != NULL)
        return hooks->give_back(hooks->context, unit);
    return VL_OK;
}

/* A unit that is borrowed next. */
static enum vl_status prefetch(const struct vl_learner *learner, size_t unit)
{
    const struct vl_unit_hooks *hooks = learner->hooks;
    if (hooks != NULL && hooks->prefetch != NULL)
        return hooks->prefetch(hooks->context, unit);
    return VL_OK;
}

static enum vl_status gradients_of(const struct vl_learner *learner, size_t unit, float **gradients)
{
    const struct vl_unit_hooks *hooks = learner->hooks;
    if (hooks != NULL && hooks->gradients != NULL)
        return hooks->gradients(hooks->context, unit, gradients);
    *gradients = learner->gradients == NULL ? NULL : learner->gradients + learner->units[unit];
    return *gradients != NULL ? VL_OK : VL_EINVAL;
}

static enum vl_status ready(struct vl_unit_toy *toy, size_t unit)
{
    const struct vl_unit_hooks *hooks = toy->learner->hooks;
    if (hooks == NULL || hooks->ready == NULL)
        return VL_OK;
    toy->readies++;
    return hooks->ready(hooks->context, unit);
}

static enum vl_status poll_once(struct vl_unit_toy *toy)
{
    const struct vl_unit_hooks *hooks = toy->learner->hooks;
    if (hooks == NULL || hooks->poll == NULL)
        return VL_OK;
    toy->polls++;
    return hooks->poll(hooks->context);
}

static enum vl_status forward_unit(struct vl_unit_toy *toy, size_t k, size_t unit, double *loss)
{
    const struct vl_learner *learner = toy->learner;
    const float *weights = NULL;
    enum vl_status status = borrow(learner, unit, &weights);
    if (status == VL_OK && unit + 1 < learner->unit_count)
        status = prefetch(learner, unit + 1);
    if (status != VL_OK)
        return status;
    size_t first = learner->units[unit], count = learner->units[unit + 1] - first;
    const float *a = toy->a + k * learner->count + first, *t = toy->t + k * learner->count + first;
    for (size_t i = 0; i < count; i++) {
        float rest = weights[i] - t[i];
        toy->residual[first + i] = rest;
        *loss += 0.5 * (double)a[i] * (double)rest * (double)rest;
    }
    status = poll_once(toy);
    return status == VL_OK ? give_back(learner, unit) : status;
}

enum vl_status vl_unit_toy_forward(void *model, size_t micro_batch, double *loss)
{
    struct vl_unit_toy *toy = model;
    *loss = 0;
    if (toy->fails_at == micro_batch + 1)
        return VL_ENOMEM;
    enum vl_status status = VL_OK;
    for (size_t unit = 0; status == VL_OK && unit < toy->learner->unit_count; unit++)
        status = forward_unit(toy, micro_batch, unit, loss);
    return status;
}

void vl_unit_toy_add(const struct vl_unit_toy *toy, size_t k, size_t unit, const float *weights,
                     float *gradients)
{
    const struct vl_learner *learner = toy->learner;
    size_t first = learner->units[unit], count = learner->units[unit + 1] - first;
    const float *a = toy->a + k * learner->count + first, *t = toy->t + k * learner->count + first;
    for (size_t i = 0; i < count; i++) {
        float now = weights[i] - t[i];
        gradients[i] += a[i] * (0.5f * toy->residual[first + i] + 0.5f * now);
    }
}

static enum vl_status backward_unit(struct vl_unit_toy *toy, size_t k, size_t unit)
{
    const struct vl_learner *learner = toy->learner;
    const float *weights = NULL;
    float *gradients = NULL;
    enum vl_status status = borrow(learner, unit, &weights);
    if (status == VL_OK && unit > 0)
        status = prefetch(learner, unit - 1);
    if (status == VL_OK)
        status = gradients_of(learner, unit, &gradients);
    if (status != VL_OK)
        return status;
    vl_unit_toy_add(toy, k, unit, weights, gradients);
    status = ready(toy, unit);
    if (status == VL_OK)
        status = give_back(learner, unit);
    return status == VL_OK ? poll_once(toy) : status;
}

enum vl_status vl_unit_toy_backward(void *model, size_t micro_batch)
{
    struct vl_unit_toy *toy = model;
    if (toy->backward_fails_at == micro_batch + 1)
        return VL_ENOMEM;
    enum vl_status status = VL_OK;
    for (size_t unit = toy->learner->unit_count; status == VL_OK && unit > 0; unit--)
        status = backward_unit(toy, micro_batch, unit - 1);
    return status;
}
