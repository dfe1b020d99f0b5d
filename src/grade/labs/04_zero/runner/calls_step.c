/*
 * Calls of lab 04 that need a learner: one step, and which of its weights were fetched ahead.
 */
#include "comm/meter.h"
#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/arrays.h"
#include "runner/learner.h"
#include "runner/unit_toy.h"

#include <math.h>
#include <stdbool.h>

/* The toy as this rank has it. It comes first, so that the learner's model is the student too. */
struct student {
    struct vl_unit_toy toy;
    struct vl_learner learner;
};

static bool prepare(struct student *student, struct vl_site *site)
{
    const struct vl_zero *z = &site->zero;
    size_t row = (size_t)z->rank * vl_input_size(site->inputs, "micro_batches") * site->count;
    student->learner = (struct vl_learner){
        .weights = z->stage < 3 ? z->weights : NULL,
        .gradients = z->stage == 1 ? z->gradients : NULL,
        .count = site->count,
        .tensors = site->tensors,
        .tensor_count = z->tensor_count,
        .units = site->units,
        .unit_count = z->unit_count,
    };
    if (!vl_unit_toy_open(&student->toy, &student->learner, site->outputs, site->inputs))
        return false;
    student->toy.a += row;
    student->toy.t += row;
    return true;
}

/* The first step of the inputs, or one that comes 'later'. */
static enum vl_status one_step(struct vl_site *site, struct student *student, size_t later,
                               struct vl_step_result *result)
{
    const struct vl_bag *inputs = site->inputs;
    struct vl_adamw settings = vl_settings(inputs);
    return vl_zero_step(&site->zero, &student->learner, vl_input_size(inputs, "micro_batches"),
                        &settings, (float)vl_bag_real(inputs, "max_norm"),
                        vl_input_size(inputs, "step") + later, result);
}

VL_SITE_CALL(zero_step)
{
    struct student student;
    struct vl_step_report report;
    (void)z;
    if (!vl_step_report_begin(&report, site->outputs) || !prepare(&student, site))
        return VL_EINTERNAL;
    enum vl_status status = one_step(site, &student, 0, &report.result);
    for (size_t later = 1; later < vl_input_size(site->inputs, "steps"); later++)
        VL_NEXT(status, one_step(site, &student, later, &report.result));
    vl_step_report_end(&report);
    return vl_give_counts(site->outputs, status, {"hooks_left", student.learner.hooks != NULL});
}

/* ---- which weights were under way before they were asked for ---- */

/* Passes the hooks on and notes in which calls of prefetch a gather began. Only units with at least
 * as many elements as ranks count: of a smaller one some ranks have nothing to send. */
struct listener {
    struct student student;
    const struct vl_unit_hooks *theirs;
    struct vl_unit_hooks ours;
    const struct vl_site *site;
    size_t begun;             /* 1 + the unit whose gather began ahead of time */
    size_t fetched, borrowed; /* elements: begun ahead, and all */
    size_t polls_left_out;    /* calls of poll that the step has set no hook for */
};

static size_t counted(const struct listener *l, size_t unit)
{
    size_t n = vl_site_unit_size(l->site, unit);
    return n < (size_t)l->site->zero.ranks ? 0 : n;
}

/* Did it send what the first step of a ring sends? */
static enum vl_status heard_prefetch(void *context, size_t unit)
{
    struct listener *l = context;
    const struct vl_meter_row before = vl_meter_now()->total, *now = &vl_meter_now()->total;
    enum vl_status status = l->theirs->prefetch(l->theirs->context, unit);
    size_t chunk = counted(l, unit) / (size_t)l->site->zero.ranks * sizeof(float);
    if (now->sent_messages > before.sent_messages && now->sent_bytes - before.sent_bytes >= chunk)
        l->begun = unit + 1;
    return status;
}

static enum vl_status heard_borrow(void *context, size_t unit, const float **weights)
{
    struct listener *l = context;
    l->borrowed += counted(l, unit);
    l->fetched += l->begun == unit + 1 ? counted(l, unit) : 0;
    l->begun = 0;
    return l->theirs->borrow(l->theirs->context, unit, weights);
}

static enum vl_status heard_give_back(void *context, size_t unit)
{
    struct listener *l = context;
    return l->theirs->give_back(l->theirs->context, unit);
}

static enum vl_status heard_gradients(void *context, size_t unit, float **gradients)
{
    struct listener *l = context;
    return l->theirs->gradients(l->theirs->context, unit, gradients);
}

static enum vl_status heard_ready(void *context, size_t unit)
{
    struct listener *l = context;
    return l->theirs->ready(l->theirs->context, unit);
}

static enum vl_status heard_poll(void *context)
{
    struct listener *l = context;
    l->polls_left_out += l->theirs->poll == NULL;
    return l->theirs->poll != NULL ? l->theirs->poll(l->theirs->context) : VL_OK;
}

/* Put this listener between the toy and the hooks that the step has set. */
static void listen(struct listener *l)
{
    const struct vl_unit_hooks *theirs = l->theirs = l->student.learner.hooks;
    if (theirs == NULL)
        return;
    l->ours = (struct vl_unit_hooks){.context = l,
                                     .borrow = theirs->borrow ? heard_borrow : NULL,
                                     .give_back = theirs->give_back ? heard_give_back : NULL,
                                     .prefetch = theirs->prefetch ? heard_prefetch : NULL,
                                     .gradients = theirs->gradients ? heard_gradients : NULL,
                                     .ready = theirs->ready ? heard_ready : NULL,
                                     .poll = heard_poll};
    l->student.learner.hooks = &l->ours;
}

static enum vl_status heard_forward(void *model, size_t micro_batch, double *loss)
{
    struct listener *l = model;
    listen(l);
    enum vl_status status = vl_unit_toy_forward(&l->student.toy, micro_batch, loss);
    l->student.learner.hooks = l->theirs;
    return status;
}

static enum vl_status heard_backward(void *model, size_t micro_batch)
{
    struct listener *l = model;
    listen(l);
    enum vl_status status = vl_unit_toy_backward(&l->student.toy, micro_batch);
    l->student.learner.hooks = l->theirs;
    return status;
}

VL_SITE_CALL(weights_ahead)
{
    struct listener listener = {.site = site};
    struct vl_step_result result = {0, 0};
    (void)z;
    if (!prepare(&listener.student, site))
        return VL_EINTERNAL;
    listener.student.learner.forward = heard_forward;
    listener.student.learner.backward = heard_backward;
    enum vl_status status = one_step(site, &listener.student, 0, &result);
    double share =
        listener.borrowed > 0 ? (double)listener.fetched / (double)listener.borrowed : (double)NAN;
    status = vl_give_reals(site->outputs, status, {"early_share", share});
    return vl_give_counts(site->outputs, status, {"polls_left_out", listener.polls_left_out});
}
